"""The words of the Go Text Protocol, version 2: vertices, colours and answers.

The protocol: Gunnar Farneback, Specification of the Go Text Protocol, version 2, draft 2 (2002).
"""

from __future__ import annotations

import re

from watch_your_back.game import RESIGN, Action

__all__ = ["COLUMNS", "action_of", "result_of", "vertex"]

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""The letters of the columns from the left: there is no I."""

_VERTEX = re.compile(r"([A-HJ-T])([1-9][0-9]?)|pass|resign", re.IGNORECASE | re.ASCII)


def vertex(action: Action, size: int) -> str:
    """What GTP calls an action on a board of this size: `(2, 6)` is `C3` on 9x9, where row 1 is at the bottom."""
    match action:
        case None:
            return "pass"
        case (int(x), int(y)):
            return f"{COLUMNS[x]}{size - y}"
    return str(action)


def action_of(word: str, size: int) -> Action:
    """The action that a word names: a vertex in capital or small letters, `pass`, or `resign`.

    Raises ValueError for any other word, also for a vertex that is not on a board of this size.
    """
    said = word.strip()
    found = _VERTEX.fullmatch(said)
    if found is not None and found[1]:
        x, y = COLUMNS.index(found[1].upper()), size - int(found[2])
        if x < size and y >= 0:
            return x, y
    elif found is not None:
        return None if len(said) == len("pass") else RESIGN
    raise ValueError(f"{said[:40]!r} is no vertex of a {size}x{size} board")


def result_of(answer: str) -> tuple[bool, str]:
    """Whether an answer tells of success, and what it says. Raises ValueError for one that is none."""
    sign, said = answer[:1], answer[1:]
    if sign not in ("=", "?"):
        raise ValueError("an answer begins with = or ?")
    return sign == "=", said.lstrip("0123456789").strip()

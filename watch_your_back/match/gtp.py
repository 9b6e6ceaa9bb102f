"""The words of the Go Text Protocol, version 2: vertices, colours and answers.

The protocol: Gunnar Farneback, Specification of the Go Text Protocol, version 2, draft 2 (2002).
"""

from __future__ import annotations

from watch_your_back.game import RESIGN, Action

__all__ = ["COLUMNS", "action_of", "result_of", "vertex"]

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""The letters of the columns from the left: there is no I."""


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
    said = word.strip().upper()
    if said == "PASS":
        return None
    if said == "RESIGN":
        return RESIGN
    x, digits = COLUMNS.find(said[:1]) if said else -1, said[1:]
    if not (0 <= x < size and digits.isascii() and digits.isdigit() and len(digits) < 3 and 0 < int(digits) <= size):
        raise ValueError(f"{word.strip()[:40]!r} is no vertex of a {size}x{size} board")
    return x, size - int(digits)


def result_of(answer: str) -> tuple[bool, str]:
    """Whether an answer tells of success, and what it says. Raises ValueError for one that is none."""
    sign, said = answer[:1], answer[1:]
    if sign not in ("=", "?"):
        raise ValueError("an answer begins with = or ?")
    return sign == "=", said.lstrip("0123456789").strip()

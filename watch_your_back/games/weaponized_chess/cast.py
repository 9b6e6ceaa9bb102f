"""Who plays a match: the pieces and articles by number, and what never changes about them."""

from __future__ import annotations

from typing import NamedTuple

from watch_your_back.games.weaponized_chess.kinds import Kind

__all__ = ["INHERENT", "NONE", "PRIMED", "READY", "Cast", "Projectile"]

NONE, PRIMED, READY = 0, 1, 2
"""What an activation square of a reinforcement is."""

INHERENT = 1000
"""The inherent weapon number `w` of the kind of piece `p` is the weapon `INHERENT + 4 * p + w`; an article is its own.

The inherent anti-stealth of piece `p` is the locker `INHERENT + p`.
"""


class Cast(NamedTuple):
    """The pieces and articles of a match: what never changes about them, by number."""

    ids: tuple[str, ...]
    kinds: tuple[Kind, ...]
    hands: tuple[str | None, ...]
    homes: tuple[int, ...]
    """Of a reinforcement, 100 * side + its activation square; -1 for others."""
    article_ids: tuple[str, ...]
    article_types: tuple[str, ...]
    numbers: dict[str, int]
    """Of each piece's id its number."""
    detectors: dict[str, tuple[int, ...]]
    """The pieces with an inherent TL, and those with an inherent ASH."""


class Projectile(NamedTuple):
    """A rocket, SAM or torpedo: its level is that of its kind. `target` is -1 where it does not home."""

    kind: str
    square: int
    rows: int
    columns: int
    target: int
    side: int
    """That fired it: a target that comes over to it is none any longer; -1 where it does not home."""

"""The boards of a line of play, each of which may not come back: a set that grows by one a turn without being changed.

Most of them are in a frozenset that many states share; the latest are in a short tuple, which is cheap to copy.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Seen"]

_RECENT = 16  # boards in the tuple before they are moved: the dearer its copies, the rarer those of the set


class Seen(NamedTuple):
    """Boards as ints; see `add` and `holds`."""

    old: frozenset[int] = frozenset()
    recent: tuple[int, ...] = ()

    def add(self, board: int) -> Seen:
        """The same boards and one more."""
        old, recent = self
        if len(recent) == _RECENT:
            return Seen(old.union(recent), (board,))
        return Seen(old, (*recent, board))

    def holds(self, board: int) -> bool:
        """Whether the board is among them."""
        return board in self.old or board in self.recent

"""The maps of a square board onto itself, and the image of a bitboard under a map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from watch_your_back.games._forms import Square

__all__ = ["image", "turns_and_reflections"]

_Map: TypeAlias = Callable[[int, int], Square]


def turns_and_reflections(size: int) -> list[dict[Square, Square]]:
    """The seven maps but for the identity of a board of `size` x `size`: by each square where it goes."""
    last = size - 1
    maps: tuple[_Map, ...] = (
        lambda x, y: (last - x, y),
        lambda x, y: (x, last - y),
        lambda x, y: (last - x, last - y),
        lambda x, y: (y, x),
        lambda x, y: (last - y, x),
        lambda x, y: (y, last - x),
        lambda x, y: (last - y, last - x),
    )
    return [{(x, y): move(x, y) for y in range(size) for x in range(size)} for move in maps]


def image(board: int, table: Mapping[int, int]) -> int:
    """Where the bits of a board go, by a table of each bit that there is."""
    return sum(there for bit, there in table.items() if board & bit)

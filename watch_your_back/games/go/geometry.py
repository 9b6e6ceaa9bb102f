"""The points of a board of one size: their numbers, coordinates, neighbours, bits and symmetries.

A point (x, y) has the number y * size + x; a set of points is an int with a bit for each. A *board*, who has a stone
where, is an int too: bit i for a black stone on the point i, bit size * size + i for a white one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from watch_your_back.games._symmetries import turns_and_reflections

__all__ = ["HANDICAP_SIZES", "Geometry", "Point", "geometry"]

Point: TypeAlias = tuple[int, int]

HANDICAP_SIZES = (9, 13, 19)
"""The sizes of boards with usual points for handicap stones."""


class Geometry:
    """The facts about boards of one size; `geometry` makes one for each."""

    __slots__ = ("_inner", "bits", "count", "full", "index", "neighbours", "placed", "points", "size", "stars")

    def __init__(self, size: int) -> None:
        count = size * size
        self.size = size
        self.count = count
        """How many points there are."""
        self.points: tuple[Point, ...] = tuple((x, y) for y in range(size) for x in range(size))
        """By number their coordinates."""
        self.index: dict[object, int] = {point: number for number, point in enumerate(self.points)}
        self.bits: tuple[int, ...] = tuple(1 << number for number in range(count))
        self.placed: tuple[tuple[int, ...], tuple[int, ...]] = (
            self.bits,
            tuple(bit << count for bit in self.bits),
        )
        """By side and number: the board with this stone only."""
        self.full = (1 << count) - 1
        self.neighbours: tuple[tuple[int, ...], ...] = tuple(
            tuple(self.index[near] for near in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)) if near in self.index)
            for x, y in self.points
        )
        # The points that have one to their left, and those that have one to their right.
        self._inner = (self._set(lambda x, y: x > 0), self._set(lambda x, y: x < size - 1))

        self.stars = self._stars()
        """The points with a dot, row by row."""

    def _set(self, belongs: Callable[[int, int], bool]) -> int:
        return sum(bit for bit, (x, y) in zip(self.bits, self.points, strict=True) if belongs(x, y))

    def beside(self, points: int) -> int:
        """The points next to one of these; some of these may be among them."""
        left, right = self._inner
        return (points << 1 & left | points >> 1 & right | points << self.size | points >> self.size) & self.full

    def spread(self, points: int, room: int) -> int:
        """These points and all of `room` that is joined to them by points of `room`."""
        reached, edge = points, points
        while edge:
            edge = self.beside(edge) & room & ~reached
            reached |= edge
        return reached

    def numbers(self, points: int) -> list[int]:
        """The numbers of these points, in order."""
        return [number for number, bit in enumerate(self.bits) if points & bit]

    def _stars(self) -> tuple[Point, ...]:
        size = self.size
        near = 3 if size >= 13 else 2
        lines = {near, size - 1 - near} if size >= 8 else set[int]()
        corners = {(x, y) for x in lines for y in lines}
        if size % 2:
            middle = size // 2
            corners.add((middle, middle))
            if size >= 15:
                corners |= {(middle, line) for line in lines} | {(line, middle) for line in lines}
        return tuple(point for point in self.points if point in corners)

    def handicap(self, stones: int) -> tuple[Point, ...]:
        """Where that many handicap stones stand (0 or 2 to 9), in the order in which they are set.

        Those of `fixed_handicap` in the Go Text Protocol, version 2, section 4.1.1, on the third line of a board of
        size 9 and the fourth of one of size 13 or 19.
        """
        low = 2 if self.size == 9 else 3
        high, middle = self.size - 1 - low, self.size // 2
        corners = ((low, high), (high, low), (low, low), (high, high))
        sides = ((low, middle), (high, middle), (middle, low), (middle, high))
        even = (corners + sides)[: stones - stones % 2 if stones >= 5 else stones]
        return (*even, (middle, middle)) if stones >= 5 and stones % 2 else even

    def turned(self) -> tuple[tuple[int, ...], ...]:
        """The seven symmetries of the square but for the identity: by number the number of the point's image."""
        maps = turns_and_reflections(self.size)
        return tuple(tuple(self.index[table[point]] for point in self.points) for table in maps)


geometry = lru_cache(maxsize=None)(Geometry)
"""The geometry of a size, always the same object."""

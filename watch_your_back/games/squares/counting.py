"""How many corners of each square a side has, kept up to date a counter at a time.

There are too many squares to look at each (10,830 on a board of 19 x 19, up to 180 through a cell), so they are counted
all at once: the squares have numbers, and bit k of a *plane* says something about square k. Two planes hold the number
of corners in binary, as in a carry-save adder.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from watch_your_back.games._symmetries import turns_and_reflections

__all__ = ["CHOICES", "Cell", "Grid", "Side", "Square", "choices", "grid_of", "price"]

_ALL_SUBSETS = 6
"""Up to so many squares completed by one counter, every choice of them is listed."""
_MOST = 180
"""Squares that pass through the middle of a board of 19 x 19; through no cell of a smaller one there are more."""

CHOICES = [count + 1 if count > _ALL_SUBSETS else (1 << count) - 1 for count in range(_MOST + 1)]
"""How many `choices` there are, by the number of squares."""

Cell: TypeAlias = "tuple[int, int]"
Square: TypeAlias = "tuple[Cell, ...]"
"""The four corners of a square, sorted; so the first, which is leftmost, has the second and the third as neighbours."""


def price(square: Square) -> int:
    """The smallest non-zero number of columns between two neighbouring corners."""
    left, second, third, _ = square
    return second[0] - left[0] or third[0] - left[0]


def choices(squares: tuple[Square, ...]) -> list[tuple[Square, ...]]:
    """The ways to announce some of the squares that a counter completes, as far as they are listed.

    These are all, the smallest first, of up to six squares; of more, each alone and all of them.
    """
    if len(squares) > _ALL_SUBSETS:
        return [*((square,) for square in squares), squares]
    return [chosen for count in range(1, len(squares) + 1) for chosen in combinations(squares, count)]


class Grid:
    """A board of `size` x `size` cells, each of which has a bit, with the tables that all its states share.

    `squares` are all there are, each with the bits of its corners; `through` has, by the bit of a cell, the plane of
    those that it is a corner of.
    """

    __slots__ = ("bit", "cells", "squares", "through")

    def __init__(self, size: int) -> None:
        self.cells: tuple[Cell, ...] = tuple((x, y) for y in range(size) for x in range(size))
        self.bit = {cell: 1 << number for number, cell in enumerate(self.cells)}
        self.squares: list[tuple[int, Square]] = []
        self.through = dict.fromkeys(self.bit.values(), 0)
        for square in _squares(size):
            bits = [self.bit[corner] for corner in square]
            for bit in bits:
                self.through[bit] |= 1 << len(self.squares)
            self.squares.append((sum(bits), square))

    def cell(self, bit: int) -> Cell:
        """The cell that has this bit."""
        return self.cells[bit.bit_length() - 1]

    def squares_through(self, cell: Cell) -> list[Square]:
        """The squares that have the cell as a corner."""
        return [square for bits, square in self.squares if bits & self.bit[cell]]

    def squares_of(self, counters: int) -> list[Square]:
        """The squares whose four corners are among these bits."""
        return [square for bits, square in self.squares if bits & counters == bits]

    def symmetries(self) -> list[dict[int, int]]:
        """The seven turns and reflections: by the bit of each cell that of the cell where it goes."""
        maps = turns_and_reflections(self.cells[-1][0] + 1)
        return [{bit: self.bit[table[cell]] for cell, bit in self.bit.items()} for table in maps]


@lru_cache(maxsize=32)
def grid_of(size: int) -> Grid:
    """The board of this size."""
    return Grid(size)


def _squares(size: int) -> list[Square]:
    """All squares: each has exactly one side that goes to the right and not upwards, when walked clockwise."""
    return [
        tuple(sorted(((x, y), (x + right, y + down), (x + right - down, y + down + right), (x - down, y + right))))
        for right in range(1, size)
        for down in range(size - right)
        for x in range(down, size - right)
        for y in range(size - right - down)
    ]


class Side(NamedTuple):
    """What one side has: the bits of its counters, those in stock, and how far it is with each square.

    The number of its corners modulo 4 is in the planes `ones` and `twos`; the plane `touched` has the squares of which
    it has any. `chances` are, by the bit of each empty cell where a counter would complete squares, those squares,
    sorted; nobody ever changes that dictionary. `announcing` is how many choices there are on all these cells together.
    """

    counters: int
    stock: int
    ones: int
    twos: int
    touched: int
    chances: dict[int, tuple[Square, ...]]
    announcing: int

    def placing(self, bit: int, grid: Grid, other: Side) -> Side:
        """The side after it has placed a counter on an empty cell; `other` is its opponent."""
        counters, stock, ones, twos, touched, chances, announcing = self
        plane = grid.through[bit]
        twos ^= ones & plane
        ones ^= plane
        chances = chances.copy()
        announcing -= CHOICES[len(chances.pop(bit, ()))]
        counters |= bit
        almost = plane & ones & twos
        almost ^= almost & other.touched
        while almost:
            bits, square = grid.squares[almost.bit_length() - 1]
            lacking = bits ^ bits & counters
            before = chances.get(lacking, ())
            chances[lacking] = tuple(sorted((*before, square))) if before else (square,)
            announcing += CHOICES[len(before) + 1] - CHOICES[len(before)]
            almost ^= 1 << almost.bit_length() - 1
        return Side(counters, stock - 1, ones, twos, touched | plane, chances, announcing)

    def suffering(self, bit: int, cost: int) -> Side:
        """The side after its opponent has placed a counter and announced squares that cost so many together."""
        counters, stock, ones, twos, touched, chances, announcing = self
        if bit in chances:
            chances = chances.copy()
            announcing -= CHOICES[len(chances.pop(bit))]
        elif not cost:
            return self
        return Side(counters, max(0, stock - cost), ones, twos, touched, chances, announcing)

    @classmethod
    def of(cls, grid: Grid, counters: int, stock: int, others: int) -> Side:
        """The side with these counters on the board, where its opponent has the others."""
        bits = [bit for bit in grid.through if bit & counters]
        touched = 0
        for bit, plane in grid.through.items():
            touched |= plane if bit & others else 0
        other = cls(others, 0, 0, 0, touched, {}, 0)
        side = cls(0, stock + len(bits), 0, 0, 0, {}, 0)
        for bit in bits:
            side = side.placing(bit, grid, other)
        return side

"""The squares and levels of the board, as numbers, and the distances and directions between them (section 1)."""

from __future__ import annotations

from functools import cache

__all__ = [
    "AIR",
    "BLACK",
    "DIRECTIONS",
    "GROUND",
    "LEVELS",
    "NEIGHBOURS",
    "SIDES",
    "SUB",
    "WHITE",
    "distance",
    "offset",
    "on_board",
    "place",
    "rings",
    "sign",
    "square_of",
]

SIDES = ("black", "white")
BLACK, WHITE = 0, 1
LEVELS = ("ground", "air", "sub")
GROUND, AIR, SUB = 0, 1, 2
"""A cell is a level of a square: `100 * level + square`, and a square `10 * (row - 1) + column - 1`."""

DIRECTIONS = ((1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1))
"""The steps of a king, as (rows, columns)."""


def on_board(row: int, column: int) -> bool:
    """Whether there is a square (row, column), both counted from 1."""
    return 1 <= row <= 10 and 1 <= column <= 10


def square_of(row: int, column: int) -> int:
    """The number of the square (row, column), which must be on the board."""
    return 10 * row + column - 11


def place(cell: int) -> tuple[int, int]:
    """The row and column of a cell or square, both counted from 1."""
    row, column = divmod(cell % 100, 10)
    return row + 1, column + 1


def offset(square: int, rows: int, columns: int) -> int:
    """The square so many rows and columns away, or -1 off the board. Takes a square, not a cell."""
    row, column = divmod(square, 10)
    row, column = row + rows, column + columns
    return 10 * row + column if 0 <= row < 10 and 0 <= column < 10 else -1


def sign(number: int) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def _distance(one: int, other: int) -> int:
    return max(abs(one // 10 - other // 10), abs(one % 10 - other % 10))


_DISTANCES = [[_distance(one, other) for other in range(100)] for one in range(100)]


def distance(one: int, other: int) -> int:
    """How many steps of a king there are between two cells; levels do not count."""
    return _DISTANCES[one % 100][other % 100]


NEIGHBOURS = tuple(
    tuple(
        (rows, columns, offset(square, rows, columns))
        for rows, columns in DIRECTIONS
        if offset(square, rows, columns) >= 0
    )
    for square in range(100)
)
"""Of each square the directions that stay on the board, and the next square there."""


@cache
def rings(square: int, side: int) -> tuple[int, ...]:
    """All squares in the order in which articles that fall from `square` look for room (section 7.8)."""
    forward = -1 if side else 1
    order = [(0, 0)]
    for k in range(1, 10):
        order += [(k, r) for r in range(-k, k + 1)]
        order += [(f, r) for f in range(k - 1, -k, -1) for r in (-k, k)]
        order += [(-k, r) for r in range(-k, k + 1)]
    found = (offset(square, forward * f, forward * r) for f, r in order)
    return tuple(each for each in found if each >= 0)

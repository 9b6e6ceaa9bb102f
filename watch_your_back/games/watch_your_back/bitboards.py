"""The rules on bitboards: a board is an unsigned 64-bit number whose bit 8y + x is the square (x, y).

Written with `& | ^ ~ << >>` only and no branch on a board, so that the same text runs on Python ints (one position at a
time) and on numpy arrays of uint64 (thousands of positions in step). A shift may push bits off the board; on Python
ints they stay until the next `&` with a board removes them.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

__all__ = [
    "BIT",
    "PLACEMENTS",
    "SHRINK_TURNS",
    "SQUARES",
    "STAGES",
    "ZONES",
    "Bits",
    "Square",
    "Stage",
    "captured",
    "enclosed",
    "mirror",
    "movable",
    "placeable",
    "shrink",
    "squares_of",
]

Bits: TypeAlias = Any
"""One board as an int, or many boards as an array of uint64."""

Square: TypeAlias = tuple[int, int]

SQUARES: tuple[Square, ...] = tuple((x, y) for y in range(8) for x in range(8))
"""All squares of the full board by number, row by row from the top left."""

BIT: dict[Square, int] = {square: 1 << number for number, square in enumerate(SQUARES)}
"""The board with only this square."""

_EVERYWHERE = (1 << 64) - 1

PLACEMENTS = 24
"""Turns of the placing phase, those of both sides together."""

SHRINK_TURNS = (128, 192)
"""Turns of the moving phase after which the board shrinks."""


def _board(columns: range, rows: range) -> int:
    return sum(BIT[x, y] for x in columns for y in rows)


_NOT_LEFT = _board(range(1, 8), range(8))
_NOT_RIGHT = _board(range(7), range(8))
_BETWEEN = _NOT_LEFT & _NOT_RIGHT  # squares with a neighbour on the left and on the right
# Columns that change places with those so far to their right: single ones, then pairs, then halves of the board.
_SWAPS = tuple(
    (width, sum(_board(range(x, x + 1), range(8)) for x in range(8) if not x & width)) for width in (1, 2, 4)
)


class Stage(NamedTuple):
    """The board after it has shrunk 0, 1 or 2 times: its squares without the corners, and its corners."""

    squares: int
    corners: int
    in_order: tuple[int, int, int, int]
    """The corners one by one, in the order in which they eliminate: counter-clockwise from the top left."""


def _stage(low: int) -> Stage:
    high = 7 - low
    in_order = (BIT[low, low], BIT[low, high], BIT[high, high], BIT[high, low])
    corners = sum(in_order)
    return Stage(_board(range(low, high + 1), range(low, high + 1)) ^ corners, corners, in_order)


STAGES = (_stage(0), _stage(1), _stage(2))

ZONES = (
    _board(range(8), range(6)) & STAGES[0].squares,
    _board(range(8), range(2, 8)) & STAGES[0].squares,
)
"""Where White and Black may place."""


def placeable(zone: Bits, pieces: Bits) -> Bits:
    """The squares of the zone on which a piece may be placed; `pieces` are those of both sides."""
    return zone & ~pieces


def movable(mine: Bits, pieces: Bits, free: Bits) -> tuple[Bits, Bits, Bits, Bits]:
    """My pieces that can move up, left, right and down: each to the free square there or by a jump over a piece.

    `pieces` are those of both sides, `free` the unoccupied squares. A piece has at most one move in a direction: a step
    where its neighbour there is free, a jump where that is a piece.
    """
    up = free << 8
    left = free << 1 & _NOT_LEFT
    right = free >> 1 & _NOT_RIGHT
    down = free >> 8
    return (
        mine & (up | (pieces & up) << 8),
        mine & (left | (pieces & left) << 1 & _NOT_LEFT),
        mine & (right | (pieces & right) >> 1 & _NOT_RIGHT),
        mine & (down | (pieces & down) >> 8),
    )


def captured(square: Bits, pieces: Bits, hostile: Bits) -> Bits:
    """Those of the pieces next to the square that have it on one side and a hostile square on the opposite one."""
    beside = square << 1 & hostile >> 1 | square >> 1 & hostile << 1
    above_or_below = square << 8 & hostile >> 8 | square >> 8 & hostile << 8
    return pieces & (beside & _BETWEEN | above_or_below)


def enclosed(square: Bits, hostile: Bits) -> Bits:
    """The square itself if it is between two hostile squares, left and right or above and below; else no square."""
    return square & (hostile << 1 & hostile >> 1 & _BETWEEN | hostile << 8 & hostile >> 8)


def shrink(mine: Bits, theirs: Bits, stage: Stage) -> tuple[Bits, Bits]:
    """What is left of both sides when the board shrinks to this stage.

    The pieces off its squares and on its corners go first, all at once: no corner eliminates by means of a piece that
    stands on another corner.
    """
    mine, theirs = mine & stage.squares, theirs & stage.squares
    for corner in stage.in_order:
        mine, theirs = mine & ~captured(corner, mine, theirs), theirs & ~captured(corner, theirs, mine)
    return mine, theirs


def mirror(board: Bits) -> Bits:
    """The board with left and right exchanged."""
    for width, columns in _SWAPS:
        board = board >> width & columns | (board & columns) << width
    return board


def squares_of(board: int) -> list[Square]:
    """The squares of a board, row by row from the top left."""
    found, board = [], board & _EVERYWHERE
    while board:
        bit = board & -board
        found.append(SQUARES[bit.bit_length() - 1])
        board ^= bit
    return found

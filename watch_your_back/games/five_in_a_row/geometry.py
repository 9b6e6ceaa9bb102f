"""A square board of any size as numbers: who can go where, and which five squares in a straight line there are.

Bit `size` * y + x of a bitboard is the square (x, y). The combinations, five squares in a line each, have numbers too,
and a set of them is an int with those bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

from watch_your_back.game import Action
from watch_your_back.games._forms import Square
from watch_your_back.games._symmetries import image, turns_and_reflections

__all__ = ["Change", "Geometry", "Line", "geometry"]

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
_LENGTH = 5


class Line(NamedTuple):
    """A straight line through a square as far as it matters to that square.

    `squares` are the at most four on each side of it, `combinations` those that the square is part of, each as its
    bitboard and its bit in a set of combinations.
    """

    squares: int
    combinations: tuple[tuple[int, int], ...]


class Change(NamedTuple):
    """What an action changes: the squares that a man leaves and arrives at, and the lines through the latter."""

    flipped: int
    lines: tuple[Line, ...]


class Geometry:
    """All that follows from the size of the board.

    `squares` are in the order of their bits, `bit` has the bit of each. `moves` gives by the bit of a square the moves
    from there, each with the bit of its target, and `near` the squares that they go to; `changes` is the change that
    each placement and move makes, None included. `ends` are the first and last square of each combination, `boards`
    its bitboard.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.squares: tuple[Square, ...] = tuple((x, y) for y in range(size) for x in range(size))
        self.all = (1 << size * size) - 1
        self.bit = {square: 1 << number for number, square in enumerate(self.squares)}
        self.ends: list[tuple[Square, Square]] = []
        self.boards: list[int] = []
        directions = list[int]()
        for x, y in self.squares:
            for direction, (dx, dy) in enumerate(_DIRECTIONS):
                line = [(x + step * dx, y + step * dy) for step in range(_LENGTH)]
                if line[-1] in self.bit:
                    self.ends.append((line[0], line[-1]))
                    self.boards.append(sum(self.bit[square] for square in line))
                    directions.append(direction)
        through = {bit: [list[tuple[int, int]]() for _ in _DIRECTIONS] for bit in self.bit.values()}
        for number, (board, direction) in enumerate(zip(self.boards, directions, strict=True)):
            for bit in self.bits(board):
                through[bit][direction].append((board, 1 << number))
        lines = {bit: tuple(_line(bit, found) for found in by_line if found) for bit, by_line in through.items()}
        self.changes: dict[Action, Change] = {None: Change(0, ())}
        self.moves: dict[int, tuple[tuple[Action, int], ...]] = {}
        self.near: dict[int, int] = {}
        for (x, y), bit in self.bit.items():
            self.changes[x, y] = Change(bit, lines[bit])
            around = [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
            targets = [square for square in around if square in self.bit]
            self.moves[bit] = tuple((((x, y), square), self.bit[square]) for square in targets)
            self.near[bit] = sum(self.bit[square] for square in targets)
            for square in targets:
                target = self.bit[square]
                self.changes[(x, y), square] = Change(bit | target, lines[target])

    @staticmethod
    def bits(board: int) -> list[int]:
        """The bits of the squares of a board, row by row from the top left, or those of a set of combinations."""
        found = []
        while board:
            found.append(board & -board)
            board &= board - 1
        return found

    def squares_of(self, board: int) -> list[Square]:
        """The squares of a board, row by row from the top left."""
        return [self.squares[bit.bit_length() - 1] for bit in self.bits(board)]

    def complete(self, board: int) -> int:
        """The set of the combinations whose five squares are all on a board."""
        return sum(1 << number for number, five in enumerate(self.boards) if five & board == five)

    def fours(self, board: int, scored: int) -> int:
        """How many combinations that are not scored have four of their squares on a board, or all five."""
        if board.bit_count() < 4:
            return 0
        numbers = [number for number, five in enumerate(self.boards) if (five & board).bit_count() > 3]
        return sum([not scored >> number & 1 for number in numbers])

    def symmetries(self) -> list[Callable[[tuple[int, ...]], tuple[int, ...]]]:
        """The seven maps of keys of states that turn the board or mirror it."""
        number = {board: 1 << index for index, board in enumerate(self.boards)}
        maps = list[Callable[[tuple[int, ...]], tuple[int, ...]]]()
        for map in turns_and_reflections(self.size):
            squares = {bit: self.bit[map[square]] for square, bit in self.bit.items()}
            maps.append(partial(_image, squares, {bit: number[image(five, squares)] for five, bit in number.items()}))
        return maps


def _image(squares: dict[int, int], combinations: dict[int, int], key: tuple[int, ...]) -> tuple[int, ...]:
    men, lines = key[:2], key[2:4]
    return (*[image(board, squares) for board in men], *[image(each, combinations) for each in lines], key[4])


def _line(bit: int, combinations: list[tuple[int, int]]) -> Line:
    squares = 0
    for board, _ in combinations:
        squares |= board
    return Line(squares ^ bit, tuple(combinations))


@cache
def geometry(size: int) -> Geometry:
    """The geometry of the board with this side, made once."""
    return Geometry(size)

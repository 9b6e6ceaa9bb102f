"""Actions as tuples, all of them built beforehand, and what they change on the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from watch_your_back.game import Action
from watch_your_back.games.watch_your_back.bitboards import BIT, STAGES, Square

__all__ = ["CHANGES", "REACH", "WAYS", "Reach", "Way"]

_DIRECTIONS = ((0, -1), (-1, 0), (1, 0), (0, 1))  # by the number of the square that they lead to


class Way(NamedTuple):
    """A direction in which a piece may go.

    `near` is the bit of the neighbour and `far` that of the square behind it, 0 where no piece may stand there; `step`
    leads to the one and `jump` to the other.
    """

    near: int
    far: int
    step: Action
    jump: Action


def _ways(square: Square, squares: int) -> Iterator[Way]:
    x, y = square
    for dx, dy in _DIRECTIONS:
        near, far = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
        if BIT.get(near, 0) & squares:
            yield Way(BIT[near], BIT.get(far, 0) & squares, (square, near), (square, far))


WAYS: tuple[dict[int, tuple[Way, ...]], ...] = tuple(
    {bit: tuple(_ways(square, stage.squares)) for square, bit in BIT.items()} for stage in STAGES
)
"""By stage of the board and by square: the ways that a piece there may go, ordered by the number of the target.

It steps where the neighbour is free, else it jumps where the square behind is: the rule of `movable`, piece by piece.
"""


def _changes() -> Iterator[tuple[Action, tuple[int, int, int]]]:
    yield None, (0, 0, 0)
    for square, bit in BIT.items():
        yield square, (bit, bit, 0)
        x, y = square
        for dx, dy in _DIRECTIONS:
            near, far = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if near in BIT:
                yield (square, near), (bit | BIT[near], BIT[near], 0)
            if far in BIT:
                yield (square, far), (bit | BIT[far], BIT[far], BIT[near])


CHANGES: dict[Action, tuple[int, int, int]] = dict(_changes())
"""For each action the squares that change on the board of the mover's pieces, the square that it arrives on, and the
one that it jumps over."""


class Reach(dict[int, tuple[Action, ...]]):
    """The moves of a piece, ordered by target, for each way that pieces can stand on the squares near it.

    Filled as the ways are met; at most 256 of them.
    """

    def __init__(self, ways: Sequence[Way]) -> None:
        self._ways = ways

    def __missing__(self, pieces: int) -> tuple[Action, ...]:
        found = [
            jump if pieces & near else step
            for near, far, step, jump in self._ways
            if far & ~pieces or not pieces & near
        ]
        moves = self[pieces] = tuple(found)
        return moves


def _near(x: int, y: int) -> int:
    return sum(BIT.get((x + dx * far, y + dy * far), 0) for dx, dy in _DIRECTIONS for far in (1, 2))


REACH: tuple[dict[int, tuple[int, Reach]], ...] = tuple(
    {bit: (_near(*square), Reach(ways[bit])) for square, bit in BIT.items()} for ways in WAYS
)
"""By stage of the board and by square: the squares near it that decide about its moves, and the moves."""

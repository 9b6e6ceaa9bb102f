"""Actions as tuples, all of them built beforehand, and what they change on the board."""

from __future__ import annotations

from collections.abc import Iterator

from watch_your_back.game import Action
from watch_your_back.games.watch_your_back.bitboards import BIT, STAGES, movable

__all__ = ["CHANGES", "REACH", "Reach"]

_DIRECTIONS = ((0, -1), (-1, 0), (1, 0), (0, 1))  # in the order of `movable`


def _ways(dx: int, dy: int) -> dict[int, tuple[int, Action, Action]]:
    return {
        origin: (BIT[x + dx, y + dy], ((x, y), (x + dx, y + dy)), ((x, y), (x + 2 * dx, y + 2 * dy)))
        for (x, y), origin in BIT.items()
        if (x + dx, y + dy) in BIT
    }


_WAYS = tuple(_ways(dx, dy) for dx, dy in _DIRECTIONS)


def _changes() -> Iterator[tuple[Action, tuple[int, int]]]:
    yield None, (0, 0)
    for square, bit in BIT.items():
        yield square, (bit, bit)
        x, y = square
        for dx, dy in _DIRECTIONS:
            for target in ((x + dx, y + dy), (x + 2 * dx, y + 2 * dy)):
                if target in BIT:
                    yield (square, target), (bit | BIT[target], BIT[target])


CHANGES: dict[Action, tuple[int, int]] = dict(_changes())
"""For each action the squares that change on the board of the mover's pieces, and the square that it arrives on."""


class Reach(dict[int, tuple[Action, ...]]):
    """The moves of a piece on one square, ordered by target, for each way that pieces can stand on the squares near it.

    Filled by `movable` as the ways are met; at most 256 of them.
    """

    def __init__(self, origin: int, squares: int) -> None:
        self._origin = origin
        self._squares = squares

    def __missing__(self, pieces: int) -> tuple[Action, ...]:
        origin = self._origin
        boards = movable(origin, pieces, self._squares & ~(pieces | origin))
        ways = [way[origin] for way, board in zip(_WAYS, boards, strict=True) if board]
        moves = self[pieces] = tuple(jump if pieces & neighbour else step for neighbour, step, jump in ways)
        return moves


def _near(x: int, y: int) -> int:
    return sum(BIT.get((x + dx * far, y + dy * far), 0) for dx, dy in _DIRECTIONS for far in (1, 2))


REACH: tuple[dict[int, tuple[int, Reach]], ...] = tuple(
    {bit: (_near(*square), Reach(bit, stage.squares)) for square, bit in BIT.items()} for stage in STAGES
)
"""By stage of the board and by square: the squares near it that decide about its moves, and the moves."""

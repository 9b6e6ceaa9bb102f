"""Actions as tuples, all of them built beforehand, and what they change in the number that holds a line.

The hexadecimal digits of that number are the pieces on the positions 0 (the lowest digit) to 10 and in the stock.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from watch_your_back.game import Action

__all__ = ["CHANGES", "MOVES", "PIECES", "PLACEMENTS", "STOCK", "Change"]

PIECES = 10

STOCK = 44
"""How many bits the digit of the stock is shifted."""

MOVES = tuple(
    tuple(
        tuple((origin, target, count) for target in range(origin) for count in range(1, height + 1))
        for height in range(PIECES + 1)
    )
    for origin in range(11)
)
"""By position and by the number of pieces on it: the moves from there, in ascending order."""

PLACEMENTS = tuple(
    tuple((position, count) for position in range(1, 11) for count in range(1, stock + 1))
    for stock in range(PIECES + 1)
)
"""By the number of pieces in the stock: the placements, in ascending order."""


class Change(NamedTuple):
    """What an action adds to the line and to its steps, and how many pieces it takes from the digit at `shift`."""

    line: int
    steps: int
    shift: int
    pieces: int


def _changes() -> Iterator[tuple[Action, Change]]:
    for position, count in PLACEMENTS[PIECES]:
        change = (1 << 4 * position) - (1 << STOCK)
        yield (position, count), Change(count * change, count * position, STOCK, count)
    for stacks in MOVES:
        for origin, target, count in stacks[PIECES]:
            change = (1 << 4 * target) - (1 << 4 * origin)
            yield (origin, target, count), Change(count * change, count * (target - origin), 4 * origin, count)


CHANGES: dict[Action, Change] = dict(_changes())

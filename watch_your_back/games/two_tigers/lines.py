"""The board of Two Tigers as numbers: its points and lines, who can go where along them, and what that changes.

Bit 5y + x of a bitboard is the point (x, y).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple, TypeAlias

from watch_your_back.game import Action, Layout, grid

__all__ = [
    "ALL",
    "BIT",
    "CHANGES",
    "LAYOUT",
    "MOVES",
    "NEAR",
    "POINTS",
    "REACH",
    "STACKS",
    "STEPS",
    "WAYS",
    "Change",
    "Way",
    "height",
    "points_of",
    "position_number",
    "reflection",
    "stacked",
    "ways_open",
]

Point: TypeAlias = tuple[int, int]

POINTS: tuple[Point, ...] = tuple((x, y) for y in range(5) for x in range(5))
BIT: dict[Point, int] = {point: 1 << number for number, point in enumerate(POINTS)}
ALL = (1 << 25) - 1
STACKS: dict[int, int] = {BIT[1, 1]: 0, BIT[3, 1]: 2, BIT[1, 3]: 4, BIT[3, 3]: 6}
"""The points where dogs can stand on each other, and the place of each in the number `below` of a state.

That number has two bits for each: how many dogs are below the top one.
"""

_DIRECTIONS = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)


class Change(NamedTuple):
    """What an action changes.

    `flipped` is where the mover leaves and where it arrives, `target` only the latter; `middle` the point that is
    jumped over, if any. `below` are the bits of `State.below` of the point that may lose a dog (the middle of a jump,
    the origin of a step) and `one` a single dog among them; 0 if no stack ever stands there.
    """

    flipped: int
    target: int
    middle: int
    below: int
    one: int


class Way(NamedTuple):
    """An action that a tiger may have: a dog has to be on `middle` (0: it is a step), and `target` empty."""

    action: Action
    middle: int
    target: int


def _along(point: Point, distance: int) -> list[Point]:
    """The points at this distance along the lines through a point; diagonals lead only from where x + y is even."""
    x, y = point
    ends = [(x + distance * dx, y + distance * dy) for dx, dy in _DIRECTIONS if not (dx and dy and (x + y) % 2)]
    return [end for end in ends if end in BIT]


def _subsets(board: int) -> list[int]:
    """All sets of points among those of a board."""
    found = [0]
    while board:
        point = board & -board
        found += [subset | point for subset in found]
        board ^= point
    return found


def _change(origin: Point, target: Point) -> Change:
    middle = 0
    if max(abs(origin[0] - target[0]), abs(origin[1] - target[1])) == 2:
        middle = BIT[(origin[0] + target[0]) // 2, (origin[1] + target[1]) // 2]
    place = STACKS.get(middle or BIT[origin])
    below, one = (0, 0) if place is None else (3 << place, 1 << place)
    return Change(BIT[origin] | BIT[target], BIT[target], middle, below, one)


CHANGES: dict[Action, Change] = {
    (origin, target): _change(origin, target)
    for origin in POINTS
    for distance in (1, 2)
    for target in _along(origin, distance)
} | {None: Change(0, 0, 0, 0, 0)}
"""The change that each step and jump makes, whoever takes it; None changes nothing."""

STEPS: tuple[tuple[Action, int, int], ...] = tuple(
    ((origin, target), BIT[origin], BIT[target]) for origin in POINTS for target in _along(origin, 1)
)
"""All steps with the bits of their two points."""

NEAR: dict[int, int] = {BIT[point]: sum(BIT[target] for target in _along(point, 1)) for point in POINTS}
"""The points one step away."""

MOVES: dict[int, dict[int, list[Action]]] = {
    bit: {
        free: [(origin, target) for target in _along(origin, 1) if BIT[target] & free] for free in _subsets(NEAR[bit])
    }
    for origin, bit in BIT.items()
}
"""By the bit of a point and the empty points near it: the steps from there."""


def _ways(point: Point) -> list[Way]:
    ends = [(point, target) for distance in (1, 2) for target in _along(point, distance)]
    return [Way(action, CHANGES[action].middle, CHANGES[action].target) for action in ends]


WAYS: dict[int, tuple[Way, ...]] = {
    BIT[one] | BIT[other]: (*_ways(one), *_ways(other)) for one, other in combinations(POINTS, 2)
}
"""By the bitboard of the two tigers: all that they may do, the steps of each before its jumps."""

REACH: dict[int, int] = {
    BIT[one] | BIT[other]: NEAR[BIT[one]] | NEAR[BIT[other]] for one, other in combinations(POINTS, 2)
}
"""By the bitboard of the two tigers: the points one step away from either."""


def ways_open(tigers: int, dogs: int) -> list[int]:
    """For each step that the tigers have 0, for each jump the bit of the point that it leads over."""
    free = ALL & ~(tigers | dogs)
    return [middle for _, middle, target in WAYS[tigers] if target & free and (not middle or middle & dogs)]


_DIAGONALS = ((0, 0, 4, 4), (4, 0, 0, 4), (2, 0, 0, 2), (2, 0, 4, 2), (0, 2, 2, 4), (4, 2, 2, 4))


def _layout() -> Layout:
    square = grid(5, 5, "point")
    diagonals = tuple(((float(a), float(b)), (float(c), float(d))) for a, b, c, d in _DIAGONALS)
    return Layout(square.cells, square.lines + diagonals, square.labels)


LAYOUT = _layout()


def points_of(board: int) -> list[Point]:
    """The points of a bitboard, row by row from the top left."""
    return [point for point, bit in BIT.items() if board & bit]


def height(bit: int, below: int) -> int:
    """How many dogs are on a point that has any."""
    return 1 + (below >> STACKS[bit] & 3) if bit in STACKS else 1


def stacked(below: int) -> int:
    """How many dogs are not the top ones of their points."""
    return (below & 3) + (below >> 2 & 3) + (below >> 4 & 3) + (below >> 6)


def position_number(tigers: int, dogs: int, ply: int) -> int:
    """A number for the board, but for the heights of its stacks, and the side to move."""
    return tigers << 26 | dogs << 1 | ply & 1


def reflection(across: bool, down: bool) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    """The map of keys of states that exchanges left and right (`across`), top and bottom (`down`), or both."""

    def reflected(board: int) -> int:
        return sum(BIT[4 - x if across else x, 4 - y if down else y] for x, y in points_of(board))

    def image(key: tuple[int, ...]) -> tuple[int, ...]:
        tigers, dogs, below, to_move = key
        heights = sum((below >> place & 3) << STACKS[reflected(bit)] for bit, place in STACKS.items())
        return reflected(tigers), reflected(dogs), heights, to_move

    return image

"""What the rules look up about the points of a board: ways, lines of fire, camps.

Bit k of a bitboard is the k-th point. Points are numbered row by row, so that the numbers grow along each line of a
board, lines being straight.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from watch_your_back.game import Action, Cell, Label, Layout
from watch_your_back.games._forms import Square
from watch_your_back.games.archers.board import Plan, plan_of

__all__ = ["Change", "Ground", "ground_of"]


class Change(NamedTuple):
    """The points that a move leads from and to, as bits, and the move back."""

    origin: int
    target: int
    back: Action


class Ground:
    """The tables of one board.

    `steps` are the moves from each point with the bits of their targets, `rays` the points in both directions along
    each line through it, and `sight` all of these. `homes` are the starting points of each side by (x, y).
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.points = plan.points
        self.bit = {point: 1 << number for number, point in enumerate(plan.points)}
        self.starts = self.board(plan.start[0]), self.board(plan.start[1])
        self.homes = tuple(tuple(self.bit[point] for point in sorted(start)) for start in plan.start)
        self.rays: dict[int, list[tuple[int, int]]] = {bit: [] for bit in self.bit.values()}
        for line in plan.lines:
            bits = [self.bit[point] for point in line]
            for place, bit in enumerate(bits):
                self.rays[bit].append((sum(bits[place + 1 :]), sum(bits[:place])))
        self.sight = {bit: _union(later | earlier for later, earlier in rays) for bit, rays in self.rays.items()}
        self.steps = {bit: tuple(self._steps(point)) for point, bit in self.bit.items()}
        self.ways = max(1, *map(len, self.steps.values()))
        self.changes: dict[Action, Change] = {
            move: Change(origin, target, move[::-1]) for origin, steps in self.steps.items() for target, move in steps
        }
        self.worths = self._worths(self.starts[1]), self._worths(self.starts[0])
        self.layout = _layout(plan)

    def board(self, points: Iterable[Square]) -> int:
        """The bitboard of these points."""
        return sum(self.bit[point] for point in points)

    def points_of(self, board: int) -> list[Square]:
        """The points of a bitboard, row by row."""
        return [point for point, bit in self.bit.items() if board & bit]

    def seen(self, point: int, archers: int) -> int:
        """Those archers that are in the line of fire of a point: along each line the first one in each direction."""
        found = 0
        for later, earlier in self.rays[point]:
            ahead = later & archers
            found |= ahead & -ahead
            behind = earlier & archers
            if behind:
                found |= 1 << behind.bit_length() - 1
        return found

    def lead(self, side: int, mine: int, theirs: int) -> float:
        """How much more these archers of a side are worth than those of its enemy.

        An archer is worth 1 on its own line, and up to 1.5 on the enemy's.
        """
        lead = 0.0
        for worths, archers, sign in ((self.worths[side], mine, 1), (self.worths[1 - side], theirs, -1)):
            while archers:
                archer = archers & -archers
                lead += sign * worths[archer]
                archers ^= archer
        return lead

    def _worths(self, goal: int) -> dict[int, float]:
        """By point what an archer is worth that wants to get to the goal: less for each move that it has to go."""
        moves, edge = dict[int, int](), {bit for bit in self.bit.values() if bit & goal}
        for distance in range(len(self.bit)):
            moves |= dict.fromkeys(edge, distance)
            edge = {target for bit in edge for target, _ in self.steps[bit]} - moves.keys()
        furthest = max(moves.values()) or 1
        return {bit: 1.5 - 0.5 * moves.get(bit, furthest) / furthest for bit in self.bit.values()}

    def symmetries(self) -> list[dict[int, int]]:
        """The mirror images and turns of the board, but for the identity, that leave lines and camps in place."""
        xs, ys = zip(*self.points, strict=True)
        across, down = min(xs) + max(xs), min(ys) + max(ys)
        centred = {point: (2 * point[0] - across, 2 * point[1] - down) for point in self.points}
        point_at = {place: point for point, place in centred.items()}
        maps = []
        for turned, left, up in ((0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1)):
            images: dict[Square, Square] = {}
            for point, place in centred.items():
                x, y = reversed(place) if turned else place
                image = point_at.get((-x if left else x, -y if up else y))
                if image is None:
                    break
                images[point] = image
            else:
                if self._keeps(images):
                    maps.append({bit: self.bit[images[point]] for point, bit in self.bit.items()})
        return maps

    def _keeps(self, images: dict[Square, Square]) -> bool:
        """Whether lines come to lie on lines, and each camp on itself."""
        lines = {frozenset(line) for line in self.plan.lines}
        return all({images[point] for point in start} == {*start} for start in self.plan.start) and lines == {
            frozenset(images[point] for point in line) for line in self.plan.lines
        }

    def _steps(self, point: Square) -> Iterable[tuple[int, tuple[Square, Square]]]:
        nearest = self.seen(self.bit[point], (1 << len(self.points)) - 1)
        for target in self.points_of(nearest):
            yield self.bit[target], (point, target)


def _union(boards: Iterable[int]) -> int:
    union = 0
    for board in boards:
        union |= board
    return union


def _layout(plan: Plan) -> Layout:
    xs, ys = (sorted({*numbers}) for numbers in zip(*plan.points, strict=True))
    labels = [Label(x, ys[0] - 0.8, str(x)) for x in xs] + [Label(xs[0] - 0.8, y, str(y)) for y in ys]
    lines = [((float(line[0][0]), float(line[0][1])), (float(line[-1][0]), float(line[-1][1]))) for line in plan.lines]
    return Layout(tuple(Cell(point, *point, "point") for point in plan.points), tuple(lines), tuple(labels))


@lru_cache(maxsize=16)
def ground_of(board: str) -> Ground:
    """The tables of a board in the spelling of `normal_board`."""
    return Ground(plan_of(board))

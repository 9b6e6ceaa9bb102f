"""The field of cells, numbered row by row from the top left, and what the rules look up about each of them.

A cell is (q, r) in axial coordinates with (0, 0) in the centre: r is the row, counted downwards, and q grows along a
row to the right. Bit k of a bitboard is the k-th cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import permutations
from math import sqrt
from typing import NamedTuple

from watch_your_back.game import Action, Cell, Label, Layout
from watch_your_back.games._forms import Square

__all__ = ["HOLES", "Change", "Field", "Jumps", "distance", "field_of"]

HOLES = ((1, 0), (-1, 1), (0, -1))
"""The cells that are missing on the usual board."""


class Change(NamedTuple):
    """What an action needs, and what it does to the side that takes it.

    `need` are the cells of which the side must hold one, `target` is the cell that must be empty, `flipped` are the
    cells where its men come and go, and `around` those where enemies change sides.
    """

    need: int
    target: int
    flipped: int
    around: int


class Jumps(dict[int, tuple[Action, ...]]):
    """The jumps from one cell in the order of their targets, for each set of empty cells among half of the targets.

    Filled as the sets are met; at most 64 of them.
    """

    def __init__(self, actions: dict[int, Action]) -> None:
        self.targets = sum(actions)
        self._actions = actions

    def __missing__(self, empty: int) -> tuple[Action, ...]:
        jumps = self[empty] = tuple(action for target, action in self._actions.items() if target & empty)
        return jumps


class Field:
    """The field of one size, with or without holes."""

    def __init__(self, size: int, holes: int) -> None:
        self.edge = size - 1
        missing = HOLES if holes else ()
        reach = range(-self.edge, self.edge + 1)
        self.places = tuple((q, r) for r in reach for q in reach if abs(q + r) < size)
        self.cells = tuple(place for place in self.places if place not in missing)
        self.bit = {cell: 1 << number for number, cell in enumerate(self.cells)}
        self.full = (1 << len(self.cells)) - 1
        n = self.edge
        self.starts = self.board(((n, 0), (-n, n), (0, -n))), self.board(((n, -n), (-n, 0), (0, n)))
        self.near = {bit: self._within(cell, 1) for cell, bit in self.bit.items()}
        self.far = {bit: self._within(cell, 2) for cell, bit in self.bit.items()}
        self.grown = dict(zip(self.bit.values(), self.cells, strict=True))
        self.jumps = {bit: tuple(map(Jumps, self._halves(cell))) for cell, bit in self.bit.items()}
        self.changes: dict[Action, Change] = {None: Change(0, 0, 0, 0)} | dict(self._changes())
        self.draws = tuple((change.need, change.target, action) for action, change in self.changes.items() if action)
        self.layout = self._layout()

    def board(self, cells: Iterable[Square]) -> int:
        """The bitboard of these cells."""
        return sum(self.bit[cell] for cell in cells)

    def cells_of(self, board: int) -> list[Square]:
        """The cells of a bitboard, row by row."""
        return [cell for cell, bit in self.bit.items() if board & bit]

    def symmetries(self) -> list[dict[int, int]]:
        """The maps, but for the identity, of the field onto itself that leave each side's start and the holes in place.

        They are the turns by a third and the reflections in a line between two opposite corners: on q, r and s = -q - r
        the six permutations, with a change of sign where two are exchanged.
        """
        maps = []
        for order in list(permutations(range(3)))[1:]:
            sign = -1 if sum(order[k] == k for k in range(3)) == 1 else 1
            cubes = {cell: (*cell, -sum(cell)) for cell in self.cells}
            maps.append(
                {self.bit[cell]: self.bit[sign * cube[order[0]], sign * cube[order[1]]] for cell, cube in cubes.items()}
            )
        return maps

    def _within(self, cell: Square, far: int) -> int:
        """The cells at exactly this distance."""
        return self.board(other for other in self.cells if distance(cell, other) == far)

    def _halves(self, cell: Square) -> Iterator[dict[int, Action]]:
        targets: list[tuple[int, Action]] = [
            (bit, (cell, other)) for other, bit in self.bit.items() if bit & self.far[self.bit[cell]]
        ]
        yield dict(targets[:6])
        yield dict(targets[6:])

    def _changes(self) -> Iterator[tuple[Action, Change]]:
        for cell, bit in self.bit.items():
            near = self.near[bit]
            yield cell, Change(near, bit, bit, near)
            for origin in self.cells_of(self.far[bit]):
                yield (origin, cell), Change(self.bit[origin], bit, self.bit[origin] | bit, near)

    def _layout(self) -> Layout:
        n = self.edge
        centre = {(q, r): (n + q + r / 2, (n + r) * sqrt(3) / 2) for q in range(-n, n + 1) for r in range(-n, n + 2)}
        rows = [(min(q for q, row in self.places if row == r), r) for r in range(-n, n + 1)]
        ends = [(q, max(r for column, r in self.places if column == q)) for q in range(-n, n + 1)]
        labels = [Label(centre[first][0] - 1, centre[first][1], f"r{first[1]}") for first in rows]
        labels += [Label(centre[last][0] + 0.5, centre[last][1] + sqrt(3) / 2, f"q{last[0]}") for last in ends]
        return Layout(tuple(Cell(cell, *centre[cell], "hex") for cell in self.cells), labels=tuple(labels))


def distance(one: Square, other: Square) -> int:
    """How many steps from cell to cell lie between two cells."""
    dq, dr = one[0] - other[0], one[1] - other[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


@lru_cache(maxsize=16)
def field_of(size: int, holes: int) -> Field:
    """The field with `size` cells along a side and 0 or 3 holes."""
    return Field(size, holes)

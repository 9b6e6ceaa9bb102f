"""The edges of a board of boxes, as bits of one number, and what lies where.

The horizontal edges come first, row by row from the top, then the vertical ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from watch_your_back.game import Action, Cell, Label, Layout

__all__ = ["Edges", "edges_of"]

Edge: TypeAlias = tuple[str, int, int]
Change: TypeAlias = tuple[int, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True)
class Edges:
    """All edges of a board that is `width` x `height` boxes large.

    `actions` are the edges in the order of their bits, `boxes` the boxes in the order of theirs; `around` are the four
    edges of each box. `changes` gives for each edge its bit and, for each box beside it, the edges around that box and
    the bit of the box. `all` are all edges.
    """

    width: int
    height: int
    actions: tuple[Edge, ...]
    all: int
    boxes: tuple[tuple[int, int], ...]
    around: tuple[int, ...]
    changes: dict[Action, Change]
    layout: Layout
    mirrors: tuple[tuple[int, ...], ...]
    """The maps of the board onto itself but for the identity, each as the bits that the edges go to, in their order."""


@lru_cache(maxsize=32)
def edges_of(width: int, height: int) -> Edges:
    """The edges of a board of this size."""
    across = [("h", x, y) for y in range(height + 1) for x in range(width)]
    down = [("v", x, y) for y in range(height) for x in range(width + 1)]
    actions = (*across, *down)
    boxes = tuple((x, y) for y in range(height) for x in range(width))
    bits = {edge: 1 << number for number, edge in enumerate(actions)}
    around = tuple(sum(bits[edge] for edge in _around(x, y)) for x, y in boxes)
    beside: dict[Action, list[tuple[int, int]]] = {edge: [] for edge in actions}
    for number, (x, y) in enumerate(boxes):
        for edge in _around(x, y):
            beside[edge].append((around[number], 1 << number))
    changes: dict[Action, Change] = {edge: (bits[edge], tuple(beside[edge])) for edge in actions}
    mirrors = tuple(
        tuple(bits[image] for image in images) for images in _images(width, height, actions) if images != [*actions]
    )
    layout = _layout(width, height, across, down, boxes)
    return Edges(width, height, actions, (1 << len(actions)) - 1, boxes, around, changes, layout, mirrors)


def _around(x: int, y: int) -> tuple[Edge, ...]:
    return ("h", x, y), ("h", x, y + 1), ("v", x, y), ("v", x + 1, y)


def _images(width: int, height: int, actions: Sequence[Edge]) -> list[list[Edge]]:
    """Where each edge goes, for each of the maps of the board onto itself."""
    # By the sum of its two corners an edge is a point, horizontal where x is odd, and a map of points is one of edges.
    points = [(2 * x + 1, 2 * y) if kind == "h" else (2 * x, 2 * y + 1) for kind, x, y in actions]
    found = []
    for swapped in (False, True) if width == height else (False,):
        for right, bottom in product((0, 2 * width), (0, 2 * height)):
            turned = [(y, x) if swapped else (x, y) for x, y in points]
            mapped = [(abs(right - x), abs(bottom - y)) for x, y in turned]
            found.append([("h" if x & 1 else "v", x >> 1, y >> 1) for x, y in mapped])
    return found


def _layout(
    width: int,
    height: int,
    across: Sequence[Edge],
    down: Sequence[Edge],
    boxes: Sequence[tuple[int, int]],
) -> Layout:
    return Layout(
        (
            *(Cell(("box", x, y), x, y) for x, y in boxes),
            *(Cell((kind, x, y), x, y - 0.5, "horizontal") for kind, x, y in across),
            *(Cell((kind, x, y), x - 0.5, y, "vertical") for kind, x, y in down),
        ),
        labels=(
            *(Label(x, -1.0, str(x)) for x in range(width)),
            *(Label(-1.0, y, str(y)) for y in range(height)),
        ),
    )

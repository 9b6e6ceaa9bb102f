"""What a game looks like, without colours or pixels: its cells, where they lie, and what stands on them.

A game describes its board once as a `Layout` and each state as a `Board` on it; `watch_your_back.show` and the pages
draw any of them, and know no game.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from watch_your_back.form import Action

__all__ = ["Board", "Cell", "Label", "Layout", "Mark", "Piece", "grid"]


class Cell(NamedTuple):
    """A place on a board that can hold pieces and be touched.

    `id` is what the game's actions call it: `(3, 2)`, `("h", 0, 1)`, `7`. Its centre lies at `x`, `y`: the distance of
    two neighbours is 1, x grows to the right and y downwards. `shape` is `square`, `hex` (a corner at the top), `point`
    (where lines meet) or an edge between two corners that is drawn when it holds a piece, `horizontal` or `vertical`.
    `tone` is the kind of ground, for boards that have several: `dark`, `air`, ...
    """

    id: Action
    x: float
    y: float
    shape: str = "square"
    tone: str = ""


class Label(NamedTuple):
    """Words beside the board: a coordinate, the name of a part."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Layout:
    """A board without its pieces; the same for all states of a game.

    `lines` join two places, both as (x, y). `dark` is the side whose pieces are the dark ones.
    """

    cells: tuple[Cell, ...]
    lines: tuple[tuple[tuple[float, float], tuple[float, float]], ...] = ()
    labels: tuple[Label, ...] = ()
    dark: int = 1


class Piece(NamedTuple):
    """A piece in a picture: the cell that it stands on, the side that owns it (0, 1, or `None`) and what it is.

    `text` is written on it: a letter, the height of a stack. Without it a `piece`, `man` or `stone` is a plain disc,
    and any other kind shows its first letter. `height` is how many pieces of a stack it stands for.
    """

    cell: Action
    side: int | None
    kind: str = "piece"
    text: str = ""
    height: int = 1


class Mark(NamedTuple):
    """Something about a cell that is no piece: `corner`, `star`, `removed` (no longer part of the board), ..."""

    cell: Action
    kind: str


@dataclass(frozen=True, slots=True)
class Board:
    """A picture of a state. Several pieces may stand on one cell, the topmost last.

    `notes` are facts that lie beside the board, one a line: `stock: 7`, `white: points 3 of 10`.
    """

    layout: Layout
    pieces: Sequence[Piece]
    marks: Sequence[Mark] = ()
    notes: Sequence[str] = ()


@lru_cache(maxsize=64)
def grid(
    columns: int, rows: int, shape: str = "square", without: Collection[Action] = frozenset(), dark: int = 1
) -> Layout:
    """`columns` x `rows` cells that are called (x, y) from (0, 0) at the top left, with their coordinates beside them.

    Cells of the shape `point` are joined by horizontal and vertical lines. `without` are cells that are missing.
    """
    cells = [Cell((x, y), x, y, shape) for y in range(rows) for x in range(columns)]
    across = [((0.0, float(y)), (columns - 1.0, float(y))) for y in range(rows)]
    down = [((float(x), 0.0), (float(x), rows - 1.0)) for x in range(columns)]
    labels = [Label(x, -0.8, str(x)) for x in range(columns)] + [Label(-0.8, y, str(y)) for y in range(rows)]
    return Layout(
        tuple(cell for cell in cells if cell.id not in without),
        tuple(across + down) if shape == "point" else (),
        tuple(labels),
        dark,
    )

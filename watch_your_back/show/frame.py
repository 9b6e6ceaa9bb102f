"""What stays the same in all drawings of a layout: how large it is, its ground, its lines and its labels.

A distance of 1 in the layout is 1 in the drawing. What an element looks like is said by its class, in `board.css`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from watch_your_back.game import Cell, Layout
from watch_your_back.show.lines import is_lattice

__all__ = ["EDGES", "HEX_CORNER", "Element", "Frame", "Place", "element", "frame", "number"]

EDGES = ("horizontal", "vertical")
"""The shapes of cells that lie between two corners."""
HEX_CORNER = 1 / math.sqrt(3)
"""From the centre of a hexagon to its corner, where the centres of neighbours are 1 apart."""

_GAP = 1.5
"""Cells farther apart than this are on different boards."""
_PANEL = {"point": 0.6, "horizontal": 0.3, "vertical": 0.3}
"""How far the ground reaches beyond points and corners."""
_LETTER = 0.18
"""The width of a letter of a label, more or less."""


class Element(NamedTuple):
    """An element of SVG: its name, its attributes, and the text in it."""

    name: str
    attributes: dict[str, str]
    text: str = ""


class Place(NamedTuple):
    """A cell of a drawing: where its centre is, its shape, and its tones as classes."""

    x: float
    y: float
    shape: str
    tone: str


class Frame(NamedTuple):
    """What stays the same in all drawings of a layout.

    `box` is the left and upper end, the width and the height of all there is; `under` and `over` are the elements below
    and above everything that changes. With `ground` each cell is drawn that is not removed. `dark` is the side whose
    pieces are the dark ones.
    """

    box: tuple[float, float, float, float]
    under: list[Element]
    over: list[Element]
    places: list[Place]
    ground: bool
    dark: int


def number(value: float) -> str:
    """A number of a drawing, to three places."""
    written = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def element(name: str, kind: str, text: str = "", /, **attributes: float | str) -> Element:
    """An element of a class; underscores in the names of attributes stand for hyphens."""
    told = {key: number(value) if isinstance(value, (int, float)) else value for key, value in attributes.items()}
    return Element(name, {"class": kind, **{key.replace("_", "-"): value for key, value in told.items()}}, text)


def frame(layout: Layout) -> Frame:
    """The frame of a layout."""
    shapes = {cell.shape for cell in layout.cells}
    edged = not shapes.isdisjoint(EDGES)
    under: list[Element] = []
    if edged or "point" in shapes:
        under += _panels(layout)
    if layout.lines:
        path = "".join(f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" for (x1, y1), (x2, y2) in layout.lines)
        under.append(element("path", "line", d=path))
    if "point" in shapes and not is_lattice(layout):
        under += [element("circle", "dot", cx=c.x, cy=c.y, r=0.07) for c in layout.cells if c.shape == "point"]
    over = [element("circle", "dot", cx=x, cy=y, r=0.09) for x, y in _corners(layout.cells)]
    over += [element("text", "coordinate", label.text, x=label.x, y=label.y) for label in layout.labels]
    places = [Place(cell.x, cell.y, cell.shape, cell.tone) for cell in layout.cells]
    return Frame(_box(layout), under, over, places, not edged, layout.dark)


def _corners(cells: Iterable[Cell]) -> list[tuple[float, float]]:
    """The ends of all edges."""
    ends = set()
    for cell in cells:
        if cell.shape in EDGES:
            dx, dy = (0.5, 0.0) if cell.shape == "horizontal" else (0.0, 0.5)
            ends |= {(cell.x - dx, cell.y - dy), (cell.x + dx, cell.y + dy)}
    return sorted(ends, key=lambda end: (end[1], end[0]))


def _reach(cell: Cell) -> tuple[float, float]:
    """How far a cell goes from its centre, to both sides and up and down."""
    beyond = _PANEL.get(cell.shape, 0.0)
    match cell.shape:
        case "hex":
            return 0.5, HEX_CORNER
        case "point":
            return beyond, beyond
        case "horizontal":
            return 0.5 + beyond, beyond
        case "vertical":
            return beyond, 0.5 + beyond
    return 0.5, 0.5


def _panels(layout: Layout) -> Iterator[Element]:
    """The ground of each board that stands apart."""
    parts: list[list[Cell]] = []
    for cell in sorted(layout.cells, key=lambda cell: cell.x):
        if not parts or cell.x - parts[-1][-1].x > _GAP:
            parts.append([])
        parts[-1].append(cell)
    for part in parts:
        left, top, right, bottom = _around(part)
        yield element("rect", "panel", x=left, y=top, width=right - left, height=bottom - top, rx=0.12)


def _around(cells: Iterable[Cell]) -> tuple[float, float, float, float]:
    """The left, upper, right and lower end of cells."""
    ends = [(cell.x, cell.y, *_reach(cell)) for cell in cells]
    return (
        min(x - dx for x, _, dx, _ in ends),
        min(y - dy for _, y, _, dy in ends),
        max(x + dx for x, _, dx, _ in ends),
        max(y + dy for _, y, _, dy in ends),
    )


def _box(layout: Layout) -> tuple[float, float, float, float]:
    left, top, right, bottom = _around(layout.cells)
    for label in layout.labels:
        half = _LETTER / 2 * len(label.text)
        left, right = min(left, label.x - half), max(right, label.x + half)
        top, bottom = min(top, label.y - 0.2), max(bottom, label.y + 0.2)
    return left - 0.06, top - 0.06, right - left + 0.12, bottom - top + 0.12

"""What a drawing of a board is made of, as plain elements; `board.js` draws the same ones in a browser.

A distance of 1 in the layout is 1 in the drawing. What an element looks like is said by its class, in `board.css`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from watch_your_back.game import Action, Board, Cell, Layout, Piece
from watch_your_back.show.lines import is_lattice
from watch_your_back.show.signs import PLAIN_KINDS, Stack, stacks

__all__ = ["Content", "Element", "Frame", "Place", "contents_of", "figure", "frame", "number"]

EDGES = ("horizontal", "vertical")
_GAP = 1.5
"""Cells farther apart than this are on different boards."""
_CORNER = 1 / math.sqrt(3)
"""From the centre of a hexagon to its corner, where the centres of neighbours are 1 apart."""
_PANEL = {"point": 0.6, "horizontal": 0.3, "vertical": 0.3}
"""How far the ground reaches beyond points and corners."""
_BADGE = 0.36
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


class Content(NamedTuple):
    """What a cell holds: stacks of pieces, the topmost last, and kinds of marks."""

    stacks: tuple[Stack, ...]
    marks: tuple[str, ...]


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


def _element(name: str, kind: str, text: str = "", /, **attributes: float | str) -> Element:
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
        under.append(_element("path", "line", d=path))
    if "point" in shapes and not is_lattice(layout):
        under += [_element("circle", "dot", cx=c.x, cy=c.y, r=0.07) for c in layout.cells if c.shape == "point"]
    over = [_element("circle", "dot", cx=x, cy=y, r=0.09) for x, y in _corners(layout.cells)]
    over += [_element("text", "coordinate", label.text, x=label.x, y=label.y) for label in layout.labels]
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
            return 0.5, _CORNER
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
        yield _element("rect", "panel", x=left, y=top, width=right - left, height=bottom - top, rx=0.12)


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


def figure(
    frame: Frame,
    contents: Sequence[Content],
    last: Sequence[int],
    gone: Sequence[int],
) -> Iterator[Element]:
    """All elements of a drawing.

    `last` are the cells of the last action in their order, `gone` those from which it took pieces.
    """
    yield from frame.under
    yield from _ground(frame, contents)
    for place, (pieces, marks) in zip(frame.places, contents, strict=True):
        if not pieces:
            yield from _marks(place, marks)
    if len(last) > 1:
        stops = (f"{number(frame.places[cell].x)} {number(frame.places[cell].y)}" for cell in last)
        yield _element("path", "path", d=f"M{'L'.join(stops)}")
    for place, (pieces, marks) in zip(frame.places, contents, strict=True):
        if pieces:
            yield from _pieces(place, pieces, frame.dark)
            yield from _marks(place._replace(x=place.x + _BADGE, y=place.y - _BADGE), marks, "mark badge")
    for cell in gone:
        x, y = frame.places[cell].x, frame.places[cell].y
        yield _element("path", "gone", d=f"M{number(x - 0.2)} {number(y - 0.2)}l.4 .4m0 -.4l-.4 .4")
    yield from (_outline(frame.places[cell]) for cell in last)
    yield from frame.over


def _outline(place: Place) -> Element:
    """What marks a cell of the last action."""
    x, y = place.x, place.y
    match place.shape:
        case "hex":
            return _element("path", "last", d=_hexagon(x, y, 0.44))
        case "point":
            return _element("circle", "last", cx=x, cy=y, r=0.47)
        case "horizontal":
            return _element("rect", "last", x=x - 0.5, y=y - 0.17, width=1.0, height=0.34, rx=0.1)
        case "vertical":
            return _element("rect", "last", x=x - 0.17, y=y - 0.5, width=0.34, height=1.0, rx=0.1)
    return _element("rect", "last", x=x - 0.44, y=y - 0.44, width=0.88, height=0.88)


def _ground(frame: Frame, contents: Sequence[Content]) -> Iterator[Element]:
    """The cells without their pieces, those that look alike together."""
    paths: dict[str, list[str]] = {}
    for place, (_, marks) in zip(frame.places, contents, strict=True):
        kind = " ".join(filter(None, ("cell", place.tone, "corner" if "corner" in marks else "")))
        if "removed" not in marks and (frame.ground or kind != "cell"):
            paths.setdefault(kind, []).append(_form(place))
    for kind, forms in paths.items():
        if path := "".join(forms):
            yield _element("path", kind, d=path)


def _form(place: Place) -> str:
    """The path around a cell; of points only those that have a tone have one."""
    x, y = place.x, place.y
    match place.shape:
        case "square":
            return f"M{number(x - 0.5)} {number(y - 0.5)}h1v1h-1z"
        case "hex":
            return _hexagon(x, y, 0.5)
        case "point" if place.tone:
            return f"M{number(x)} {number(y - 0.32)}a.32 .32 0 0 1 0 .64a.32 .32 0 0 1 0 -.64z"
    return ""


def _hexagon(x: float, y: float, reach: float) -> str:
    side, half = reach * _CORNER, reach * _CORNER * 2
    return (
        f"M{number(x)} {number(y - half)}L{number(x + reach)} {number(y - side)}V{number(y + side)}"
        f"L{number(x)} {number(y + half)}L{number(x - reach)} {number(y + side)}V{number(y - side)}z"
    )


def _marks(place: Place, marks: Sequence[str], kind: str = "mark") -> Iterator[Element]:
    """What is known of a cell: in its middle, or as a badge at the corner of what stands there."""
    x, y = place.x, place.y
    for mark in marks:
        if mark == "star" and kind == "mark":
            yield _element("circle", "dot", cx=x, cy=y, r=0.1)
        elif mark == "corner":
            yield _element("path", "cross", d=f"M{number(x - 0.2)} {number(y - 0.2)}l.4 .4m0 -.4l-.4 .4")
        elif mark not in ("star", "removed"):
            yield _element("path", kind, d=f"M{number(x)} {number(y - 0.15)}l.15 .15 -.15 .15 -.15 -.15z")


def _pieces(place: Place, found: Sequence[Stack], dark: int) -> Iterator[Element]:
    """The pieces of a cell: one stack as a disc, several below each other."""
    if place.shape in EDGES:
        for stack in found:
            yield _drawn_edge(place, stack, dark)
    elif len(found) == 1:
        yield from _single(place, found[0], dark)
    else:
        height = 0.92 / max(len(found), 1)
        for level, stack in enumerate(reversed(found)):
            yield from _bar(place, stack, dark, place.y - 0.46 + (level + 0.5) * height, height)


def _colour(stack: Stack, dark: int) -> str:
    return "nobody" if stack.side is None else "dark" if stack.side == dark else "light"


def _is_tag(stack: Stack) -> bool:
    """Whether it is a thing that lies about, and no piece of a side or of both."""
    return stack.side is None and bool(stack.words) and stack.kind not in PLAIN_KINDS


def _drawn_edge(place: Place, stack: Stack, dark: int) -> Element:
    kind = "edge" if stack.side is None else f"stone {_colour(stack, dark)}"
    long, thin = (0.86, 0.14) if place.shape == "horizontal" else (0.14, 0.86)
    return _element("rect", kind, x=place.x - long / 2, y=place.y - thin / 2, width=long, height=thin, rx=0.07)


def _single(place: Place, stack: Stack, dark: int) -> Iterator[Element]:
    x, y = place.x, place.y
    colour, words = _colour(stack, dark), stack.words
    if _is_tag(stack):
        yield _element("rect", f"stone {colour} tag", x=x - 0.34, y=y - 0.24, width=0.68, height=0.48, rx=0.06)
        yield _letters(words, colour, x, y, min(0.34, 0.9 / len(words)))
        return
    if stack.kind == "box":
        yield _element("rect", f"stone {colour}", x=x - 0.36, y=y - 0.36, width=0.72, height=0.72, rx=0.08)
    else:
        r = 0.4 if place.shape == "point" else 0.37
        if stack.height > 1:
            yield _element("circle", f"stone {colour} under", cx=x + 0.07, cy=y + 0.07, r=r)
        yield _element("circle", f"stone {colour}", cx=x, cy=y, r=r)
    if words:
        yield _letters(words, colour, x, y, min(0.5, 0.8 / len(words)))


def _bar(place: Place, stack: Stack, dark: int, y: float, height: float) -> Iterator[Element]:
    colour, words = _colour(stack, dark), stack.words
    kind, rx = (f"stone {colour} tag", 0.06) if _is_tag(stack) else (f"stone {colour}", 0.4 * height)
    yield _element(
        "rect", kind, x=place.x - 0.43, y=y - 0.45 * height, width=0.86, height=0.9 * height,
        rx=rx,
    )  # fmt: skip
    if words:
        yield _letters(words, colour, place.x, y, min(0.5, 0.78 * height, 1 / len(words)))


def _letters(words: str, colour: str, x: float, y: float, size: float) -> Element:
    return _element("text", f"letter {colour}", words, x=x, y=y, font_size=size)


def contents_of(board: Board) -> list[Content]:
    """What each cell holds, in the order of the layout."""
    pieces: dict[Action, list[Piece]] = {cell.id: [] for cell in board.layout.cells}
    marks: dict[Action, list[str]] = {cell: [] for cell in pieces}
    for piece in board.pieces:
        pieces[piece.cell].append(piece)
    for mark in board.marks:
        marks[mark.cell].append(mark.kind)
    return [Content(tuple(stacks(pieces[cell])), tuple(marks[cell])) for cell in pieces]

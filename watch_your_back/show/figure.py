"""What a drawing of a board is made of, as plain elements; `board.js` draws the same ones in a browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from watch_your_back.game import Action, Board, Piece
from watch_your_back.show.frame import EDGES, HEX_CORNER, Element, Frame, Place, element, number
from watch_your_back.show.signs import PLAIN_KINDS, Stack, stacks

__all__ = ["Content", "contents_of", "figure"]

_BADGE = 0.36
"""From the middle of a cell to a mark beside what stands there, across and up."""


class Content(NamedTuple):
    """What a cell holds: stacks of pieces, the topmost last, and kinds of marks."""

    stacks: tuple[Stack, ...]
    marks: tuple[str, ...]


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
        yield element("path", "path", d=f"M{'L'.join(stops)}")
    for place, (pieces, marks) in zip(frame.places, contents, strict=True):
        if pieces:
            yield from _pieces(place, pieces, frame.dark)
            yield from _marks(place._replace(x=place.x + _BADGE, y=place.y - _BADGE), marks, "mark badge")
    for cell in gone:
        x, y = frame.places[cell].x, frame.places[cell].y
        yield element("path", "gone", d=f"M{number(x - 0.2)} {number(y - 0.2)}l.4 .4m0 -.4l-.4 .4")
    yield from (_outline(frame.places[cell]) for cell in last)
    yield from frame.over


def _outline(place: Place) -> Element:
    """What marks a cell of the last action."""
    x, y = place.x, place.y
    match place.shape:
        case "hex":
            return element("path", "last", d=_hexagon(x, y, 0.44))
        case "point":
            return element("circle", "last", cx=x, cy=y, r=0.47)
        case "horizontal":
            return element("rect", "last", x=x - 0.5, y=y - 0.17, width=1.0, height=0.34, rx=0.1)
        case "vertical":
            return element("rect", "last", x=x - 0.17, y=y - 0.5, width=0.34, height=1.0, rx=0.1)
    return element("rect", "last", x=x - 0.44, y=y - 0.44, width=0.88, height=0.88)


def _ground(frame: Frame, contents: Sequence[Content]) -> Iterator[Element]:
    """The cells without their pieces, those that look alike together."""
    paths: dict[str, list[str]] = {}
    for place, (_, marks) in zip(frame.places, contents, strict=True):
        kind = " ".join(filter(None, ("cell", place.tone, "corner" if "corner" in marks else "")))
        if "removed" not in marks and (frame.ground or kind != "cell"):
            paths.setdefault(kind, []).append(_form(place))
    for kind, forms in paths.items():
        if path := "".join(forms):
            yield element("path", kind, d=path)


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
    side, half = reach * HEX_CORNER, reach * HEX_CORNER * 2
    return (
        f"M{number(x)} {number(y - half)}L{number(x + reach)} {number(y - side)}V{number(y + side)}"
        f"L{number(x)} {number(y + half)}L{number(x - reach)} {number(y + side)}V{number(y - side)}z"
    )


def _marks(place: Place, marks: Sequence[str], kind: str = "mark") -> Iterator[Element]:
    """What is known of a cell: in its middle, or as a badge at the corner of what stands there."""
    x, y = place.x, place.y
    for mark in marks:
        if mark == "star" and kind == "mark":
            yield element("circle", "dot", cx=x, cy=y, r=0.1)
        elif mark == "corner":
            yield element("path", "cross", d=f"M{number(x - 0.2)} {number(y - 0.2)}l.4 .4m0 -.4l-.4 .4")
        elif mark not in ("star", "removed"):
            yield element("path", kind, d=f"M{number(x)} {number(y - 0.15)}l.15 .15 -.15 .15 -.15 -.15z")


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
    return element("rect", kind, x=place.x - long / 2, y=place.y - thin / 2, width=long, height=thin, rx=0.07)


def _single(place: Place, stack: Stack, dark: int) -> Iterator[Element]:
    x, y = place.x, place.y
    colour, words = _colour(stack, dark), stack.words
    if _is_tag(stack):
        yield element("rect", f"stone {colour} tag", x=x - 0.34, y=y - 0.24, width=0.68, height=0.48, rx=0.06)
        yield _letters(words, colour, x, y, min(0.34, 0.9 / len(words)))
        return
    if stack.kind == "box":
        yield element("rect", f"stone {colour}", x=x - 0.36, y=y - 0.36, width=0.72, height=0.72, rx=0.08)
    else:
        r = 0.4 if place.shape == "point" else 0.37
        if stack.height > 1:
            yield element("circle", f"stone {colour} under", cx=x + 0.07, cy=y + 0.07, r=r)
        yield element("circle", f"stone {colour}", cx=x, cy=y, r=r)
    if words:
        yield _letters(words, colour, x, y, min(0.5, 0.8 / len(words)))


def _bar(place: Place, stack: Stack, dark: int, y: float, height: float) -> Iterator[Element]:
    colour, words = _colour(stack, dark), stack.words
    kind, rx = (f"stone {colour} tag", 0.06) if _is_tag(stack) else (f"stone {colour}", 0.4 * height)
    yield element(
        "rect", kind, x=place.x - 0.43, y=y - 0.45 * height, width=0.86, height=0.9 * height,
        rx=rx,
    )  # fmt: skip
    if words:
        yield _letters(words, colour, place.x, y, min(0.5, 0.78 * height, 1 / len(words)))


def _letters(words: str, colour: str, x: float, y: float, size: float) -> Element:
    return element("text", f"letter {colour}", words, x=x, y=y, font_size=size)


def contents_of(board: Board) -> list[Content]:
    """What each cell holds, in the order of the layout."""
    pieces: dict[Action, list[Piece]] = {cell.id: [] for cell in board.layout.cells}
    marks: dict[Action, list[str]] = {cell: [] for cell in pieces}
    for piece in board.pieces:
        pieces[piece.cell].append(piece)
    for mark in board.marks:
        marks[mark.cell].append(mark.kind)
    return [Content(tuple(stacks(pieces[cell])), tuple(marks[cell])) for cell in pieces]

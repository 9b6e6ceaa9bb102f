"""A board as SVG, from its layout alone: for pages, documents and notebooks."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Literal, TypeAlias

from watch_your_back.game import Action, Board
from watch_your_back.show.figure import contents_of, figure
from watch_your_back.show.frame import Element, frame, number

__all__ = ["Theme", "stylesheet", "svg"]

Theme: TypeAlias = Literal["auto", "light", "dark"]
"""The colours of a drawing: those that the reader prefers, or always the same."""

_WIDEST, _LARGEST, _SMALLEST = 640, 44, 28
"""Pixels of a drawing, and of a distance of 1 in it: what `_WIDEST` allows, between the other two."""
_NOTE_LINE, _NOTE_LETTER = 0.5, 0.185
_CLASS = re.compile(r"\.([a-z]+)")


def svg(
    board: Board,
    *,
    last: Sequence[Action] = (),
    gone: Sequence[Action] = (),
    theme: Theme = "auto",
    title: str = "",
    notes: bool = True,
) -> str:
    """The board as an `<svg>` element that can stand in a file of its own or in a page.

    `last` are the cells of the last action in their order, `gone` those from which it took pieces; both are marked.
    `title` says in words what is seen. The same board gives the same text in every version of Python.
    """
    still = frame(board.layout)
    places = {cell.id: place for place, cell in enumerate(board.layout.cells)}
    elements = list(figure(still, contents_of(board), [places[cell] for cell in last], [places[cell] for cell in gone]))
    left, top, width, height = still.box
    if notes and board.notes:
        lines = [line for note in board.notes for line in textwrap.wrap(note, int(width / _NOTE_LETTER))]
        for row, line in enumerate(lines):
            about = {"class": "note", "x": number(left + 0.1), "y": number(top + height + (row + 0.5) * _NOTE_LINE)}
            elements.append(Element("text", about, line))
        height += len(lines) * _NOTE_LINE
    unit = max(_SMALLEST, min(_LARGEST, _WIDEST / width))
    kind = "board" if theme == "auto" else f"board-{theme}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" '
            f'viewBox="{" ".join(map(number, (left, top, width, height)))}" '
            f'width="{round(width * unit)}" height="{round(height * unit)}">',
            f"<title>{escape(title or _described(board))}</title>",
            f"<style>\n{_style(elements, theme)}\n</style>",
            *map(_written, elements),
            "</svg>",
        ]
    )


@cache
def stylesheet() -> str:
    """What the drawings look like: the rules for an element of the class `board` and all that is in it."""
    return files("watch_your_back.show").joinpath("board.css").read_text(encoding="utf-8")


def _described(board: Board) -> str:
    count = len(board.pieces)
    return f"A board of {len(board.layout.cells)} cells with {count} piece{'' if count == 1 else 's'}"


def _written(element: Element) -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in element.attributes.items())
    if element.text:
        return f"<{element.name}{attributes}>{escape(element.text, quote=False)}</{element.name}>"
    return f"<{element.name}{attributes}/>"


def _style(elements: Iterable[Element], theme: Theme) -> str:
    """The rules that these elements need; without variables where the theme is fixed, for programs that know none."""
    used = {name for element in elements for name in element.attributes["class"].split()} | {"board"}
    if any(element.name == "text" for element in elements):
        used.add("text")
    light, dark, *rules = stylesheet().strip().splitlines()
    kept = [rule for rule in rules if set(_CLASS.findall(rule.partition("{")[0])) <= used]
    if theme == "auto":
        return "\n".join([_only(light, kept), _only(dark, kept), *kept])
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]+)", dark if theme == "dark" else light))
    fixed = (re.sub(r"var\(--([a-z-]+)\)", lambda found: colours[found[1]], rule) for rule in kept)
    return "\n".join(rule.replace(".board ", f".board-{theme} ") for rule in fixed)


def _only(declarations: str, rules: Sequence[str]) -> str:
    """The declarations of the variables that the rules use."""
    used = {name for rule in rules for name in re.findall(r"var\((--[a-z-]+)\)", rule)}
    return re.sub(r"(--[a-z-]+): #[0-9a-f]+; ", lambda found: found[0] if found[1] in used else "", declarations)

"""A board as text for a terminal, and the words of players made harmless for one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from watch_your_back.game import Action, Board, Cell, Layout
from watch_your_back.show.canvas import DIM, paint
from watch_your_back.show.figure import Content, contents_of
from watch_your_back.show.frame import EDGES
from watch_your_back.show.sheet import Sheet
from watch_your_back.show.signs import Stack, empty_sign, glyphs, sign, stroke

__all__ = ["SIDE_STYLES", "clean", "glyphs", "one_line", "paint", "text"]

ESCAPE_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-~])"
)
"""What a terminal takes for a command of more than one character (ECMA-48: CSI, OSC, other strings, two bytes)."""

SIDE_STYLES = ("1;33", "1;36")
"""The colours of the two sides, as parameters of the terminal's SGR sequence: bold yellow, bold cyan."""

_BOLD, _REVERSE = "1", "7"
_GAP = 1.5
"""Cells farther apart than this are on different boards."""
_BESIDE = 4
"""Blanks between a board and the notes beside it."""


def clean(words: str) -> str:
    """Text of a player without what could command a terminal or disturb its layout.

    Escape sequences are removed whole, then every character that is not printable, except newlines and tabs. Carriage
    returns become newlines and other blanks spaces, so that no words run together.
    """
    words = ESCAPE_SEQUENCE.sub("", words.replace("\r\n", "\n").replace("\r", "\n"))
    if words.isprintable():
        return words
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else " " if letter.isspace() else "" for letter in words
    )


def one_line(words: str) -> str:
    """The same on one line: for names."""
    return " ".join(clean(words).split())


def text(
    board: Board,
    *,
    last: Collection[Action] = (),
    colour: bool = False,
    unicode: bool = False,
    width: int | None = None,
) -> str:
    """The board with its coordinates, `last` cells in brackets, and its notes; no newline at the end.

    Without `unicode` it is pure ASCII. Colours only repeat what the characters say; `watch_your_back.show.signs` says
    how pieces are drawn. In a terminal that is `width` columns wide the notes stand beside the board where there is
    room for them, otherwise below it, and boards that are not wide enough for stand below each other.
    """
    lines = _lines(board, last, colour, unicode)
    if width is not None and _width(lines) > width:
        lines = [line for part in _parts(board) for line in (*_lines(part, last, colour, unicode), "")][:-1]
    if board.notes:
        margin = _width(lines) + _BESIDE
        if width is None or margin + _width(board.notes) > width or len(board.notes) > len(lines) - 1:
            lines += ["", *(f" {note}" for note in board.notes)]
        else:
            for row, note in enumerate(board.notes, 1):
                lines[row] += " " * (margin - _width([lines[row]])) + note
    return "\n".join(lines)


def _lines(board: Board, last: Collection[Action], colour: bool, unicode: bool) -> list[str]:
    """The board alone, however wide it is."""
    cells, linked = board.layout.cells, Sheet.is_linked(board.layout)
    dark = board.layout.dark
    signs = [_signs(cell, held, unicode, linked, dark) for cell, held in zip(cells, contents_of(board), strict=True)]
    widest = max(len(words) for each in signs for words, _ in each)
    sheet = Sheet(board.layout, widest, unicode, [len(each) for each in signs])
    for (column, row), cell, each in zip(sheet.spots, cells, signs, strict=True):
        for line, (words, style) in enumerate(each):
            if cell.shape == "horizontal":
                words *= sheet.stroke
            start = column - len(words) // 2
            if cell.id in last:
                style = f"{style};{_REVERSE}" if style != DIM else _REVERSE
                inside = words[1:-1] if cell.shape == "horizontal" else words
                words, start = f"[{inside}]", start - (inside == words)
            if words.strip():
                sheet.canvas.write(start, row + line, words, style)
    return list(sheet.canvas.lines(colour))


def _signs(cell: Cell, content: Content, unicode: bool, linked: bool, dark: int) -> list[tuple[str, str]]:
    """The lines of a cell from the top: its stacks, the topmost first, or what stands for none; each with a style."""
    if not content.stacks or "removed" in content.marks:
        return [(empty_sign(cell.shape, content.marks, unicode, linked), DIM)]
    if cell.shape in EDGES:
        kind = "across" if cell.shape == "horizontal" else "down"
        return [(stroke(kind, unicode), _style(content.stacks[-1]))]
    found = [(sign(stack, unicode, dark), _style(stack)) for stack in reversed(content.stacks)]
    return [(",".join(words for words, _ in found), found[0][1])] if linked else found


def _style(stack: Stack) -> str:
    return _BOLD if stack.side is None else SIDE_STYLES[stack.side]


def _width(lines: Sequence[str]) -> int:
    """How many columns the longest line takes up."""
    return max((len(ESCAPE_SEQUENCE.sub("", line)) for line in lines), default=0)


def _parts(board: Board) -> Iterator[Board]:
    """The boards that stand side by side, one by one and without notes."""
    places = sorted({cell.x for cell in board.layout.cells})
    starts = [0, *(at for at, (a, b) in enumerate(pairwise(places), 1) if b - a > _GAP), len(places)]
    ranges = [(places[first], places[after - 1]) for first, after in pairwise(starts)]

    def part(x: float) -> int:
        return min(range(len(ranges)), key=lambda number: max(ranges[number][0] - x, x - ranges[number][1]))

    numbers = {cell.id: part(cell.x) for cell in board.layout.cells}
    for number in range(len(ranges)):
        yield Board(
            Layout(
                tuple(cell for cell in board.layout.cells if numbers[cell.id] == number),
                tuple(line for line in board.layout.lines if part(line[0][0]) == number),
                tuple(label for label in board.layout.labels if part(label.x) == number),
                board.layout.dark,
            ),
            [piece for piece in board.pieces if numbers[piece.cell] == number],
            [mark for mark in board.marks if numbers[mark.cell] == number],
        )

"""A board as text for a terminal, and the words of players made harmless for one."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from watch_your_back.game import Action, Board, Cell, Layout, Piece
from watch_your_back.show.canvas import Canvas, paint
from watch_your_back.show.lines import drawn_lines
from watch_your_back.show.signs import empty_sign, glyphs, piece_sign, stacks, stroke

__all__ = ["SIDE_STYLES", "clean", "glyphs", "one_line", "paint", "text"]

ESCAPE_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-~])"
)
"""What a terminal takes for a command of more than one character (ECMA-48: CSI, OSC, other strings, two bytes)."""

SIDE_STYLES = ("1;33", "1;36")
"""The colours of the two sides, as parameters of the terminal's SGR sequence: bold yellow, bold cyan."""

_DIM, _BOLD, _REVERSE = "2", "1", "7"
_HEX_ROW = math.sqrt(3) / 2
"""The distance of two rows of hexagons."""
_EDGES = ("horizontal", "vertical")
_GAP = 1.5
"""Cells farther apart than this are on different boards."""
_LABEL_WIDTH = 2
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
    return list(_Drawing(board, last, unicode).canvas.lines(colour))


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
            ),
            [piece for piece in board.pieces if numbers[piece.cell] == number],
            [mark for mark in board.marks if numbers[mark.cell] == number],
        )


class _Drawing:
    """One board on a canvas: how its places become columns and rows, and everything on it."""

    def __init__(self, board: Board, last: Collection[Action], unicode: bool) -> None:
        self.canvas = Canvas()
        self._layout, self._unicode = board.layout, unicode
        self._lines = drawn_lines(board.layout)
        pieces, marks = defaultdict(list), defaultdict(list)
        for piece in board.pieces:
            pieces[piece.cell].append(piece)
        for mark in board.marks:
            marks[mark.cell].append(mark.kind)
        shapes = {cell.shape for cell in board.layout.cells}
        self._linked = bool(self._lines) or not shapes.isdisjoint(_EDGES)
        signs = {cell.id: self._signs(cell, pieces[cell.id], marks[cell.id]) for cell in board.layout.cells}
        self._pitch, self._row = self._scale(shapes, max(len(sign) for each in signs.values() for sign, _ in each))
        self._tops = self._top_lines(signs)
        for line in self._lines:
            self._draw_line(line)
        for cell in board.layout.cells:
            if cell.shape in _EDGES:
                self._draw_edge(cell, pieces[cell.id], cell.id in last)
        for cell in board.layout.cells:
            if cell.shape not in _EDGES:
                self._draw_cell(cell, signs[cell.id], cell.id in last)
        for label in self._placed_labels():
            self.canvas.write(*label, _DIM)

    def _signs(self, cell: Cell, pieces: Sequence[Piece], marks: Sequence[str]) -> list[tuple[str, str]]:
        """The lines of a cell from the top: its pieces, the topmost first, or what stands for none."""
        found = [
            (piece_sign(piece, count, self._unicode), _BOLD if piece.side is None else SIDE_STYLES[piece.side])
            for piece, count in reversed(stacks(pieces))
        ]
        if not found or "removed" in marks:
            return [(empty_sign(cell, marks, self._unicode, self._linked), _DIM)]
        if self._linked and len(found) > 1:
            return [(",".join(sign for sign, _ in found), found[0][1])]
        return found

    def _scale(self, shapes: set[str], width: int) -> tuple[int, float]:
        """The columns of a distance of 1, and the rows."""
        even = width + 3 + (width + 3) % 2
        if self._linked:
            return even, 2
        if "hex" in shapes:
            return even, 1 / _HEX_ROW
        halves = any(cell.x % 1 for cell in self._layout.cells)
        return even if halves else width + 2, 1

    def _column(self, x: float) -> int:
        return round(x * self._pitch)

    def _top_lines(self, signs: dict[Action, list[tuple[str, str]]]) -> dict[int, int]:
        """The line of the canvas at which each row begins, the one after the last included."""
        heights: dict[int, int] = defaultdict(lambda: 1)
        for cell in self._layout.cells:
            row = round(cell.y * self._row)
            heights[row] = max(heights[row], len(signs[cell.id]))
        rows = range(min(heights), max(heights) + 2)
        return {row: sum(heights[above] for above in rows[:at]) for at, row in enumerate(rows)}

    def _line(self, y: float) -> int:
        row, last = round(y * self._row), max(self._tops)
        return self._tops.get(row, min(row, 0) if row < last else self._tops[last] + row - last)

    def _draw_line(self, line: tuple[tuple[float, float], tuple[float, float]]) -> None:
        (left, top), (right, bottom) = sorted(line)
        columns, rows = self._column(right) - self._column(left), self._line(bottom) - self._line(top)
        steps = abs(rows) or columns
        sign = stroke(
            "across" if not rows else "down" if not columns else "falling" if rows > 0 else "rising", self._unicode
        )
        for step in range(1, steps):
            at = self._column(left) + round(columns * step / steps), self._line(top) + round(rows * step / steps)
            crossed = self.canvas.read(*at) not in (" ", sign)
            self.canvas.write(*at, stroke("crossing", self._unicode) if crossed else sign, _DIM)

    def _draw_edge(self, cell: Cell, pieces: Sequence[Piece], last: bool) -> None:
        """An edge between two corners, which are drawn too."""
        column, row, half = self._column(cell.x), self._line(cell.y), self._pitch // 2
        across = cell.shape == "horizontal"
        for end in (-1, 1):
            place = (column + end * half, row) if across else (column, row + end)
            self.canvas.write(*place, stroke("corner", self._unicode), _DIM)
        if pieces:
            side = pieces[-1].side
            style = _BOLD if side is None else SIDE_STYLES[side]
            sign = stroke("across", self._unicode) * (2 * half - 1) if across else stroke("down", self._unicode)
            if last:
                style += f";{_REVERSE}"
                sign = f"[{sign[1:-1] if across else sign}]"
            self.canvas.write(column - len(sign) // 2, row, sign, style)

    def _draw_cell(self, cell: Cell, signs: Sequence[tuple[str, str]], last: bool) -> None:
        """The signs of a cell, one below the other, and brackets around them."""
        for line, (sign, style) in enumerate(signs):
            column, row = self._column(cell.x) - len(sign) // 2, self._line(cell.y) + line
            if last:
                style = f"{style};{_REVERSE}" if style != _DIM else _REVERSE
                self.canvas.write(column - 1, row, f"[{sign}]", style)
            elif sign.strip():
                self.canvas.write(column, row, sign, style)

    def _placed_labels(self) -> Iterator[tuple[int, int, str]]:
        """Where the labels begin, as column and row: beside the cells of their row, or in lines above and below."""
        cells = self._layout.cells
        top, bottom = min(cell.y for cell in cells), max(cell.y for cell in cells)
        above = sorted({label.y for label in self._layout.labels if label.y < top}, reverse=True)
        below = sorted({label.y for label in self._layout.labels if label.y > bottom})
        for label in self._layout.labels:
            words = label.text
            column, row = self._column(label.x) - len(words) // 2, self._line(label.y)
            if label.y in above:
                row = self._line(top) - 1 - above.index(label.y)
            elif label.y in below:
                row = self._tops[max(self._tops)] + below.index(label.y)
            else:
                beside = [cell.x for cell in cells if abs(cell.y - label.y) < _HEX_ROW / 3]
                if label.x < min(beside, default=-math.inf):
                    words = f"{words:>{_LABEL_WIDTH}}"
                    column = math.floor(label.x * self._pitch) + 1 - len(words)
                    while not self.canvas.free(column, row, len(words)):
                        column -= 1
                elif label.x > max(beside, default=math.inf):
                    column = math.ceil(label.x * self._pitch)
                    while not self.canvas.free(column, row, len(words)):
                        column += 1
            yield column, row, words

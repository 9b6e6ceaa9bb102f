"""A board without its pieces in characters: how its places become columns and rows."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

from watch_your_back.game import Layout
from watch_your_back.show.canvas import DIM, Canvas
from watch_your_back.show.frame import EDGES
from watch_your_back.show.lines import drawn_lines
from watch_your_back.show.signs import stroke

__all__ = ["Sheet"]

_HEX_ROW = math.sqrt(3) / 2
"""The distance of two rows of hexagons."""
_LABEL_WIDTH = 2


class Sheet:
    """The lines, corners and labels of a layout on a canvas, with room for signs of so many characters in its cells.

    `heights` are the lines that each cell needs, one unless given. `spots` has the column and the row of the middle of
    each cell, `stroke` is how long a drawn edge is that lies across.
    """

    def __init__(self, layout: Layout, width: int, unicode: bool, heights: Sequence[int] | None = None) -> None:
        self.canvas = Canvas()
        self._layout, self._unicode = layout, unicode
        self._pitch, self._row = self._scale(width)
        self._tops = self._top_lines(heights or [1] * len(layout.cells))
        self.spots = [(self._column(cell.x), self._line(cell.y)) for cell in layout.cells]
        self.stroke = self._pitch - 1
        for line in drawn_lines(layout):
            self._draw_line(line)
        self._draw_corners()
        for (column, row), cell in zip(self.spots, layout.cells, strict=True):
            if cell.shape not in EDGES:
                self.canvas.reserve(column - width // 2, row, width)
        for column, row, words in self._placed_labels():
            self.canvas.write(column, row, words, DIM)

    @staticmethod
    def is_linked(layout: Layout) -> bool:
        """Whether anything is drawn between the cells."""
        return bool(drawn_lines(layout)) or any(cell.shape in EDGES for cell in layout.cells)

    def _scale(self, width: int) -> tuple[int, float]:
        """The columns of a distance of 1, and the rows."""
        even = width + 3 + (width + 3) % 2
        if self.is_linked(self._layout):
            return even, 2
        if any(cell.shape == "hex" for cell in self._layout.cells):
            return even, 1 / _HEX_ROW
        return even if any(cell.x % 1 for cell in self._layout.cells) else width + 2, 1

    def _column(self, x: float) -> int:
        return round(x * self._pitch)

    def _top_lines(self, needed: Sequence[int]) -> dict[int, int]:
        """The line of the canvas at which each row begins, the one after the last included."""
        heights: dict[int, int] = defaultdict(lambda: 1)
        for cell, height in zip(self._layout.cells, needed, strict=True):
            row = round(cell.y * self._row)
            heights[row] = max(heights[row], height)
        rows = range(min(heights), max(heights) + 2)
        return {row: sum(heights[above] for above in rows[:at]) for at, row in enumerate(rows)}

    def _line(self, y: float) -> int:
        row, last = round(y * self._row), max(self._tops)
        return self._tops.get(row, min(row, 0) if row < last else self._tops[last] + row - last)

    def _draw_line(self, line: tuple[tuple[float, float], tuple[float, float]]) -> None:
        (left, top), (right, bottom) = sorted(line)
        columns, rows = self._column(right) - self._column(left), self._line(bottom) - self._line(top)
        steps = abs(rows) or columns
        kind = "across" if not rows else "down" if not columns else "falling" if rows > 0 else "rising"
        sign = stroke(kind, self._unicode)
        for step in range(1, steps):
            at = self._column(left) + round(columns * step / steps), self._line(top) + round(rows * step / steps)
            crossed = self.canvas.read(*at) not in (" ", sign)
            self.canvas.write(*at, stroke("crossing", self._unicode) if crossed else sign, DIM)

    def _draw_corners(self) -> None:
        """The ends of all edges."""
        for (column, row), cell in zip(self.spots, self._layout.cells, strict=True):
            for end in (-1, 1) if cell.shape in EDGES else ():
                across = cell.shape == "horizontal"
                place = (column + end * self._pitch // 2, row) if across else (column, row + end)
                self.canvas.write(*place, stroke("corner", self._unicode), DIM)

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

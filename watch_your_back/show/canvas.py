"""A sheet of characters, each with a style, that may be written on anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

__all__ = ["DIM", "Canvas", "paint"]

DIM = "2"
"""The style of what is always there: lines, coordinates, empty cells."""


def paint(words: str, style: str, colour: bool) -> str:
    """The words between the SGR sequences that switch a style on and off, or as they are without `colour`."""
    return f"\x1b[{style}m{words}\x1b[0m" if colour and words and style else words


class Canvas:
    """Characters at (column, row), both any integers; what is written later covers what was there.

    A style is the parameters of a terminal's SGR sequence, such as `1;33`.
    """

    def __init__(self) -> None:
        self._letters: dict[tuple[int, int], tuple[str, str]] = {}
        self._reserved: set[tuple[int, int]] = set()

    def write(self, column: int, row: int, words: str, style: str = "") -> None:
        """Words from this place to the right."""
        for at, letter in enumerate(words, column):
            self._letters[at, row] = letter, style

    def read(self, column: int, row: int) -> str:
        """The character at a place; a blank where there is none."""
        return self._letters.get((column, row), (" ", ""))[0]

    def reserve(self, column: int, row: int, width: int) -> None:
        """Keep these places for something that is written later; they may be written on all the same."""
        self._reserved.update((at, row) for at in range(column, column + width))

    def free(self, column: int, row: int, width: int) -> bool:
        """Whether nothing stands or will stand on these places, nor right beside them."""
        places = [(at, row) for at in range(column - 1, column + width + 1)]
        return self._reserved.isdisjoint(places) and self._letters.keys().isdisjoint(places)

    def extent(self) -> tuple[int, int, int, int]:
        """The first column and row of all that is written or kept, and the last ones."""
        columns, rows = zip(*self._letters, *self._reserved, strict=True)
        return min(columns), min(rows), max(columns), max(rows)

    def lines(self, colour: bool) -> Iterator[str]:
        """The rows from the top, without blanks at their ends."""
        left, top, right, bottom = self.extent()
        for row in range(top, bottom + 1):
            letters = [self._letters.get((at, row), (" ", "")) for at in range(left, right + 1)]
            while letters and letters[-1][0] == " ":
                letters.pop()
            runs = groupby(letters, key=lambda letter: letter[1])
            yield "".join(paint("".join(letter for letter, _ in run), style, colour) for style, run in runs)

"""A sheet of characters, each with a style, that may be written on anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

__all__ = ["Canvas", "paint"]


def paint(words: str, style: str, colour: bool) -> str:
    """The words between the SGR sequences that switch a style on and off, or as they are without `colour`."""
    return f"\x1b[{style}m{words}\x1b[0m" if colour and words and style else words


class Canvas:
    """Characters at (column, row), both any integers; what is written later covers what was there.

    A style is the parameters of a terminal's SGR sequence, such as `1;33`.
    """

    def __init__(self) -> None:
        self._letters: dict[tuple[int, int], tuple[str, str]] = {}

    def write(self, column: int, row: int, words: str, style: str = "") -> None:
        """Words from this place to the right."""
        for at, letter in enumerate(words, column):
            self._letters[at, row] = letter, style

    def read(self, column: int, row: int) -> str:
        """The character at a place; a blank where there is none."""
        return self._letters.get((column, row), (" ", ""))[0]

    def free(self, column: int, row: int, width: int) -> bool:
        """Whether nothing stands on these places, nor right beside them."""
        return all((at, row) not in self._letters for at in range(column - 1, column + width + 1))

    def lines(self, colour: bool) -> Iterator[str]:
        """The rows from the top, without blanks at their ends."""
        columns = [column for column, _ in self._letters]
        rows = [row for _, row in self._letters]
        for row in range(min(rows, default=0), max(rows, default=-1) + 1):
            letters = [self._letters.get((at, row), (" ", "")) for at in range(min(columns), max(columns) + 1)]
            while letters and letters[-1][0] == " ":
                letters.pop()
            runs = groupby(letters, key=lambda letter: letter[1])
            yield "".join(paint("".join(letter for letter, _ in run), style, colour) for style, run in runs)

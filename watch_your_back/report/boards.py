"""The boards of a match as a page draws them: the layout once, and for each state only what its cells hold anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from watch_your_back.game import Action, Board, Layout, Piece
from watch_your_back.show.frame import frame
from watch_your_back.show.sheet import Sheet
from watch_your_back.show.signs import Stack, empty_sign, sign, stacks

__all__ = ["Boards", "described"]

Numbered: TypeAlias = "tuple[tuple[Stack, ...], tuple[str, ...], str]"
"""What a cell holds: its stacks of pieces, its marks, and both in characters."""


def described(layout: Layout, widest: int) -> dict[str, Any]:
    """What `board.js` and `diagram.js` must know of a layout, of whose cells the widest takes so many characters."""
    still = frame(layout)
    sheet = Sheet(layout, widest, unicode=True)
    left, top, _, _ = sheet.canvas.extent()
    linked = sheet.is_linked(layout)
    return {
        **still._asdict(),
        "ids": [cell.id for cell in layout.cells],
        "sheet": {
            "lines": list(sheet.canvas.lines(colour=False)),
            "spots": [(column - left, row - top) for column, row in sheet.spots],
            "empty": "".join(empty_sign(cell.shape, (), True, linked) for cell in layout.cells),
            "stroke": sheet.stroke,
        },
    }


class Boards:
    """The boards of one match, which are taken in their order.

    `contents` are numbered as they turn up, `widest` is how many characters the widest of them takes, and `changes`
    has for each board but the first the cells that are not as before, by their place in the layout, and what they hold,
    alternating; `start` what each cell of the first board holds.
    """

    def __init__(self, first: Board) -> None:
        self.contents: dict[Numbered, int] = {}
        self.widest = 1
        self.changes: list[list[int]] = []
        self._numbers: dict[object, int] = {}  # by all that decides about a content, but for the cell itself
        self._layout = first.layout
        self._linked = Sheet.is_linked(first.layout)
        self._places = {cell.id: place for place, cell in enumerate(first.layout.cells)}
        self._pieces, self._marks, self._kinds = _by_cell(first.pieces), first.marks, _kinds(first)
        self.start = [self._number(cell.id) for cell in first.layout.cells]

    def add(self, board: Board) -> None:
        """The board after the next action."""
        before, now = self._pieces, _by_cell(board.pieces)
        self._pieces = now
        changed = {cell for cell, pieces in now.items() if before.get(cell) != pieces} | (before.keys() - now.keys())
        if self._marks != board.marks:
            changed |= {mark.cell for mark in {*self._marks} ^ {*board.marks}}
            self._marks, self._kinds = board.marks, _kinds(board)
        places = sorted((self._places[cell], cell) for cell in changed)
        self.changes.append([number for place, cell in places for number in (place, self._number(cell))])

    def cells(self, actions: Iterable[Action]) -> list[int]:
        """The places of these cells in the layout, as far as they are in it."""
        return [self._places[cell] for cell in actions if cell in self._places]

    def _number(self, cell: Action) -> int:
        pieces, kinds = self._pieces.get(cell, ()), tuple(self._kinds.get(cell, ()))
        shape = self._layout.cells[self._places[cell]].shape
        seen = tuple([piece[1:] for piece in pieces]), kinds, shape
        if seen not in self._numbers:
            found = tuple(stacks(pieces))
            words = ",".join(sign(stack, True, self._layout.dark) for stack in reversed(found))
            if "removed" in kinds or (kinds and not found):
                words = empty_sign(shape, kinds, True, self._linked)
            self.widest = max(self.widest, len(words))
            self._numbers[seen] = self.contents.setdefault((found, kinds, words), len(self.contents))
        return self._numbers[seen]


def _by_cell(pieces: Iterable[Piece]) -> dict[Action, list[Piece]]:
    found: dict[Action, list[Piece]] = {}
    for piece in pieces:
        if piece.cell in found:
            found[piece.cell].append(piece)
        else:
            found[piece.cell] = [piece]
    return found


def _kinds(board: Board) -> Mapping[Action, list[str]]:
    """The kinds of the marks of each cell that has any."""
    found: dict[Action, list[str]] = {}
    for mark in board.marks:
        found.setdefault(mark.cell, []).append(mark.kind)
    return found

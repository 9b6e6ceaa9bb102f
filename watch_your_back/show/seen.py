"""What several boards have in common: all that can be shown where some of it is only imagined."""

from __future__ import annotations

from collections.abc import Sequence

from watch_your_back.game import Board

__all__ = ["in_common"]


def in_common(boards: Sequence[Board]) -> Board:
    """The pieces, marks and notes of the first board that stand alike in all the others."""
    first, *others = boards
    pieces, marks, notes = ([{*getattr(each, part)} for each in others] for part in ("pieces", "marks", "notes"))
    return Board(
        first.layout,
        [piece for piece in first.pieces if all(piece in each for each in pieces)],
        [mark for mark in first.marks if all(mark in each for each in marks)],
        [note for note in first.notes if all(note in each for each in notes)],
    )

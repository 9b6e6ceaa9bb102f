"""Words that refusals of different steps have in common."""

from __future__ import annotations

from collections.abc import Iterable

from watch_your_back.games.weaponized_chess.squares import LEVELS, on_board, place

__all__ = ["Refusal", "listed", "named", "no_direction", "no_square"]

Refusal = tuple[str, str]
"""The kind of an `IllegalAction`, and why, as a clause."""

_MANY = 12


def listed(words: Iterable[str]) -> str:
    """The first of many words, and how many more there are."""
    found = list(words)
    return ", ".join(found[:_MANY]) + (f" and {len(found) - _MANY} more" if len(found) > _MANY else "")


def named(cell: int) -> str:
    """A cell in words."""
    level = LEVELS[cell // 100]
    return f"{place(cell)}" if cell < 100 else f"{level} {place(cell)}"


def no_square(row: int, column: int) -> Refusal | None:
    """That there is no such square, if so."""
    if on_board(row, column):
        return None
    return "off_board", f"({row}, {column}) is not on the board: rows and columns are 1 to 10"


def no_direction(rows: int, columns: int) -> Refusal:
    """That this is no direction."""
    return "form", f"({rows}, {columns}) is no direction: each part is -1, 0 or 1, and not both are 0"

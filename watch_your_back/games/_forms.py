"""The two forms `(x, y)` and `((a, b), (c, d))` that actions of many games have, and the words for what is neither."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeGuard

from watch_your_back.game import Action

__all__ = [
    "NEGATIVE",
    "WRAPPED",
    "Square",
    "arrow",
    "either",
    "is_move",
    "is_square",
    "misformed",
    "no_numbers",
    "not_a_tuple",
    "off_board",
    "shown",
]

Square: TypeAlias = tuple[int, int]
"""Column and row of a square or a point, both from 0 at the top left."""

NEGATIVE = " (negative numbers do not count from the other end)"
WRAPPED = "an action wrapped in one more tuple (is there a comma after it?)"


def is_square(form: Action) -> TypeGuard[Square]:
    """Whether an action in normal form is a pair of numbers."""
    return isinstance(form, tuple) and len(form) == 2 and all(isinstance(item, int) for item in form)


def is_move(form: Action) -> TypeGuard[tuple[Square, Square]]:
    """Whether an action in normal form is two pairs of numbers."""
    return isinstance(form, tuple) and len(form) == 2 and all(map(is_square, form))


def misformed(form: Action, placing: bool) -> str:
    """What a form is that is neither a square nor a move, where a square (`placing`) or a move was expected."""
    if not isinstance(form, tuple):
        return not_a_tuple(form)
    if len(form) == 1 and (is_square(form[0]) if placing else is_move(form[0])):
        return WRAPPED
    if len(form) == 4 and all(isinstance(item, int) for item in form):
        return "four numbers in one tuple, but a move is a tuple of two pairs"
    items = [part for item in form for part in (item if isinstance(item, tuple) else (item,))]
    if why := no_numbers([item for item in items if not isinstance(item, tuple)], "coordinates"):
        return why
    if len(form) != 2:
        return f"a tuple of {len(form)} item{'' if len(form) == 1 else 's'}, not of two"
    return "neither a square nor a pair of squares"


def not_a_tuple(form: Action) -> str:
    """What a form is that is no tuple."""
    return "a string: return the tuple itself, not its text" if isinstance(form, str) else "a single number"


def no_numbers(items: Sequence[Action], what: str) -> str | None:
    """What else than numbers is among items, if anything; `what` are the items."""
    if any(isinstance(item, str) for item in items):
        return f"with a string among the {what} (int(text) makes a number of it)"
    if None in items:
        return f"with None among the {what}"
    return f"with a tuple among the {what}" if any(isinstance(item, tuple) for item in items) else None


def off_board(square: Square, low: int, high: int) -> str:
    """That a square is none, on a board where both coordinates go from `low` to `high`."""
    negative = NEGATIVE if min(square) < 0 else ""
    return f"{square} is not on the board, where x and y go from {low} to {high}{negative}"


def arrow(form: Action) -> str:
    """A move in words."""
    return f"{form[0]} to {form[1]}" if isinstance(form, tuple) else str(form)


def either(words: Sequence[str]) -> str:
    """One of the words: `a, b or c`."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def shown(form: Action) -> str:
    """What was returned, shortened if it is long."""
    written = repr(form)
    return written if len(written) <= 80 else f"{written[:77]}..."

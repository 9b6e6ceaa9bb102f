"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import NEGATIVE, WRAPPED, no_numbers, not_a_tuple
from watch_your_back.games._refusals import misshapen, no_pass, over, side_to_move

if TYPE_CHECKING:
    from watch_your_back.games.dots_and_boxes import Position

__all__ = ["refusal"]

_EXPECTED = "return ('h', x, y) or ('v', x, y), the top or the left edge of the box (x, y)"


def refusal(state: Position, form: Action) -> IllegalAction:
    """The error for an action in normal form that is not among the legal ones."""
    side, edges = side_to_move(state), state.game.edges
    if state.outcome is not None:
        return over(side)
    if form is None:
        return no_pass(side, ", but there is always an edge to draw", _EXPECTED)
    if form in edges.changes:
        instead = f"one that is not is {state.legal_actions()[0]}"
        return IllegalAction("occupied", f"{side} drew the edge {form}, but it is there already; {instead}")
    why = _misformed(form)
    if why is not None or not isinstance(form, tuple):
        return misshapen(side, form, why or not_a_tuple(form), _EXPECTED)
    kind, *numbers = form
    across, down = (edges.width - 1, edges.height) if kind == "h" else (edges.width, edges.height - 1)
    ranges = f"for {kind!r} x goes from 0 to {across} and y from 0 to {down}"
    negative = NEGATIVE if any(isinstance(item, int) and item < 0 for item in numbers) else ""
    return IllegalAction("off_board", f"{side} drew the edge {form}, but it is not on the board: {ranges}{negative}")


def _misformed(form: Action) -> str | None:
    """What a form is that is no kind with two numbers; None if it is that."""
    if not isinstance(form, tuple):
        return not_a_tuple(form)
    if len(form) == 1 and isinstance(form[0], tuple):
        return WRAPPED
    if len(form) == 2 and all(isinstance(item, int) for item in form):
        return "without the kind of the edge, 'h' or 'v'"
    if len(form) != 3:
        return f"a tuple of {len(form)} item{'' if len(form) == 1 else 's'}, not of three"
    kind, *numbers = form
    if kind not in ("h", "v"):
        if kind in ("H", "V"):
            return "with the kind of the edge in capitals"
        return "with a kind of edge that is neither 'h' nor 'v'"
    return no_numbers(numbers, "coordinates")

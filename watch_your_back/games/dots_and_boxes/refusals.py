"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import shown

if TYPE_CHECKING:
    from watch_your_back.games.dots_and_boxes import Position

__all__ = ["refusal"]

_EXPECTED = "return ('h', x, y) or ('v', x, y), the top or the left edge of the box (x, y)"
_FORGOTTEN = "(is a return missing in action()?)"
_NEGATIVE = " (negative numbers do not count from the other end)"


def refusal(state: Position, form: Action) -> IllegalAction:
    """The error for an action in normal form that is not among the legal ones."""
    side, edges = state.game.sides[state.to_move].capitalize(), state.game.edges
    if state.outcome is not None:
        return IllegalAction("over", f"{side} acted after the end of the game, where no action is legal")
    if form is None:
        forgotten = f"{side} returned None {_FORGOTTEN}, but there is always an edge to draw"
        return IllegalAction("may_not_pass", f"{forgotten}; {_EXPECTED}")
    if form in edges.changes:
        instead = f"one that is not is {state.legal_actions()[0]}"
        return IllegalAction("occupied", f"{side} drew the edge {form}, but it is there already; {instead}")
    why = _misformed(form)
    if why is not None or not isinstance(form, tuple):
        return IllegalAction("form", f"{side} returned {shown(form)}, {why}; {_EXPECTED}")
    kind, *numbers = form
    across, down = (edges.width - 1, edges.height) if kind == "h" else (edges.width, edges.height - 1)
    ranges = f"for {kind!r} x goes from 0 to {across} and y from 0 to {down}"
    negative = _NEGATIVE if any(isinstance(item, int) and item < 0 for item in numbers) else ""
    return IllegalAction("off_board", f"{side} drew the edge {form}, but it is not on the board: {ranges}{negative}")


def _misformed(form: Action) -> str | None:
    """What a form is that is no kind with two numbers; None if it is that."""
    if isinstance(form, str):
        return "a string: return the tuple itself, not its text"
    if not isinstance(form, tuple):
        return "a single number"
    if len(form) == 1 and isinstance(form[0], tuple):
        return "an action wrapped in one more tuple (is there a comma after it?)"
    if len(form) == 2 and all(isinstance(item, int) for item in form):
        return "without the kind of the edge, 'h' or 'v'"
    if len(form) != 3:
        return f"a tuple of {len(form)} item{'' if len(form) == 1 else 's'}, not of three"
    kind, *numbers = form
    if kind not in ("h", "v"):
        if kind in ("H", "V"):
            return "with the kind of the edge in capitals"
        return "with a kind of edge that is neither 'h' nor 'v'"
    if any(isinstance(item, str) for item in numbers):
        return "with a string among the coordinates (int(text) makes a number of it)"
    if None in numbers:
        return "with None among the coordinates"
    if any(isinstance(item, tuple) for item in numbers):
        return "with a tuple among the coordinates"
    return None

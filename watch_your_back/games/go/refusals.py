"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import is_move, is_square, misformed, off_board
from watch_your_back.games._refusals import misshapen, over, side_to_move

if TYPE_CHECKING:
    from watch_your_back.games.go.position import Position

__all__ = ["refusal"]

_EXPECTED = "return (x, y), an empty point, or None to pass"
_FAULTS = {
    "suicide": "its chain would have no liberty there, and nothing is captured",
    "ko": "that would bring back the board before the opponent's last action; play elsewhere first",
    "superko": "that would bring back an earlier board",
}
"""By what `Position.fault` says."""


def refusal(state: Position, form: Action) -> IllegalAction:
    """The error for an action in normal form that is not legal."""
    side = side_to_move(state)
    if state.outcome is not None:
        return over(side)
    if not is_square(form):
        return misshapen(side, form, _misformed(form), _EXPECTED)
    shape = state.stones.geometry
    point = shape.index.get(form)
    if point is None:
        kind, why = "off_board", off_board(form, 0, shape.size - 1)
    elif (chain := state.stones.chain_of[point]) != shape.count:
        kind, why = "occupied", f"a stone of {state.game.sides[chain < 0].capitalize()} is there"
    else:
        kind = state.fault(point) or ""
        why = _FAULTS[kind]
        if kind == "superko" and state.game.options.superko == "situational":
            why += " with the same side to move"
    return IllegalAction(kind, f"{side} played on {form}, but {why}; {_EXPECTED}")


def _misformed(form: Action) -> str:
    """What a form is that is not a point."""
    if isinstance(form, str) and form.lower() == "pass":
        return "a string: a pass is None"
    return "two points, but a play names one" if is_move(form) else misformed(form, placing=True)

"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction

if TYPE_CHECKING:
    from watch_your_back.games.go import Position

__all__ = ["refusal"]

_FAULTS = {
    "suicide": "its chain would have no liberty there and captures nothing",
    "ko": "that would bring back the board before the opponent's last action; play elsewhere first",
    "superko": "that would bring back an earlier board",
}


def refusal(state: Position, form: Action) -> IllegalAction:
    """The error for an action in normal form that is not legal."""
    side = state.game.sides[state.to_move].capitalize()
    shape = state.stones.geometry
    expected = "return (x, y), an empty point, or None to pass"
    if state.outcome is not None:
        return IllegalAction("over", f"{side} acted after the end of the game, where no action is legal")
    if not isinstance(form, tuple) or len(form) != 2 or not all(isinstance(part, int) for part in form):
        return IllegalAction("form", f"{side} returned {_shown(form)}, {_misformed(form)}; {expected}")
    played = f"{side} played on {form}, but"
    point = shape.index.get(form)
    if point is None:
        negative = ""
        if any(isinstance(part, int) and part < 0 for part in form):
            negative = " (negative numbers do not count from the other end)"
        return IllegalAction(
            "off_board",
            f"{played} that is not on the board, where x and y go from 0 to {shape.size - 1}{negative}; {expected}",
        )
    chain = state.stones.chain_of[point]
    if chain != shape.count:
        owner = state.game.sides[chain < 0].capitalize()
        return IllegalAction("occupied", f"{played} a stone of {owner} is there; {expected}")
    kind = state.fault(point) or ""
    why = _FAULTS[kind]
    if kind == "superko" and state.game.options.superko == "situational":
        why += " with the same side to move"
    return IllegalAction(kind, f"{played} {why}; {expected}")


def _misformed(form: Action) -> str:
    """What a form is that is no pair of ints."""
    if isinstance(form, str):
        if form.lower() == "pass":
            return "a string: a pass is None"
        return "a string: return the tuple itself, not its text or the name of a point"
    if not isinstance(form, tuple):
        return "a single number"
    if len(form) == 1 and isinstance(form[0], tuple):
        return "a point wrapped in one more tuple (is there a comma after it?)"
    if any(isinstance(item, str) for item in form):
        return "with a string among the coordinates (int(text) makes a number of it)"
    if len(form) != 2:
        return f"a tuple of {len(form)} item{'' if len(form) == 1 else 's'}, not of two"
    if None in form:
        return "with None among the coordinates"
    return "two points, but a play names one"


def _shown(form: Action) -> str:
    shown = repr(form)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."

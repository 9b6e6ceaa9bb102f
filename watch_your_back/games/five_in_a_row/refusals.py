"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import Square, arrow, either, is_move, is_square, misformed, off_board, shown

if TYPE_CHECKING:
    from watch_your_back.games.five_in_a_row import Position

__all__ = ["refusal"]


def refusal(state: Position, form: Action, legal: Sequence[Action]) -> IllegalAction:
    """The error for an action in normal form that is not among the legal ones."""
    side = _name(state, state.to_move)
    placing = state.phase == "placing"
    if state.outcome is not None:
        return IllegalAction("over", f"{side} acted after the end of the game, where no action is legal")
    if placing:
        expected = "return (x, y), an empty square"
    elif legal == [None]:
        expected = f"no man of {side} can move, so return None"
    else:
        expected = f"return ((a, b), (c, d)), the square of a man of {side} and the square next to it that it moves to"
    if form is None:
        where = "while placing" if placing else f"but has moves, such as {arrow(legal[0])}"
        why = f"returned None {where} (is a return missing in action()?)"
        return IllegalAction("may_not_pass", f"{side} {why}; {expected}")
    if is_square(form):
        kind, why = _no_room(state, form) if placing else ("phase", "this is the moving phase")
        return IllegalAction(kind, f"{side} placed on {form}, but {why}; {expected}")
    if not is_move(form):
        return IllegalAction("form", f"{side} returned {shown(form)}, {misformed(form, placing)}; {expected}")
    if placing:
        kind, why = "phase", f"this is the placing phase; {expected}"
    elif legal == [None]:
        kind, why = "must_pass", expected
    else:
        kind, why = _move(state, *form, legal)
    return IllegalAction(kind, f"{side} moved {arrow(form)}, but {why}")


def _move(state: Position, origin: Square, target: Square, legal: Sequence[Action]) -> tuple[str, str]:
    side = _name(state, state.to_move)
    if origin not in state.game.geometry.bit:
        return _no_room(state, origin)
    owner = _owner(state, origin)
    if owner is None:
        return "not_yours", f"there is no man on {origin}; move a man of {side}"
    if owner != side:
        return "not_yours", f"the man on {origin} is one of {owner}; move a man of {side}"
    targets = [str(action[1]) for action in legal if isinstance(action, tuple) and action[0] == origin]
    instead = f"that man can move to {either(targets)}" if targets else "that man cannot move at all"
    distance = max(abs(origin[0] - target[0]), abs(origin[1] - target[1]))
    if distance == 0:
        return "unreachable", f"a man cannot stay where it is; {instead}"
    if target not in state.game.geometry.bit or _owner(state, target):
        kind, why = _no_room(state, target)
        return kind, f"{why}; {instead}"
    return "unreachable", f"that is {distance} squares away, and a man moves to a square next to it; {instead}"


def _no_room(state: Position, square: Square) -> tuple[str, str]:
    """Why no man can go to a square that is off the board or occupied."""
    if square not in state.game.geometry.bit:
        return "off_board", off_board(square, 0, state.game.geometry.size - 1)
    return "occupied", f"a man of {_owner(state, square)} is on {square}"


def _name(state: Position, side: int) -> str:
    return state.game.sides[side].capitalize()


def _owner(state: Position, square: Square) -> str | None:
    bit = state.game.geometry.bit[square]
    return next((_name(state, side) for side in (0, 1) if state.men(side) & bit), None)

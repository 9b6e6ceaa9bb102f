"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import Square, arrow, either, is_move, is_square, misformed, off_board, shown
from watch_your_back.games.watch_your_back.bitboards import BIT, SHRINK_TURNS, STAGES, ZONES

if TYPE_CHECKING:
    from watch_your_back.games.watch_your_back import Position

__all__ = ["refusal"]

_ROWS = ("y from 0 to 5", "y from 2 to 7")


def refusal(state: Position, form: Action, legal: Sequence[Action]) -> IllegalAction:
    """The error for an action in normal form that is not among the legal ones."""
    side = _name(state, state.to_move)
    placing = state.phase == "placing"
    if state.outcome is not None:
        return IllegalAction("over", f"{side} acted after the end of the game, where no action is legal")
    if placing:
        expected = f"return (x, y), an unoccupied square of {side}'s zone ({_ROWS[state.to_move]}, no corner)"
    elif legal == [None]:
        expected = f"no piece of {side} can move, so return None"
    else:
        expected = f"return ((a, b), (c, d)), the square of a piece of {side} and the square that it moves to"
    if form is None:
        where = "while placing" if placing else f"but has moves, such as {arrow(legal[0])}"
        why = f"returned None {where} (is a return missing in action()?)"
        return IllegalAction("may_not_pass", f"{side} {why}; {expected}")
    if is_square(form):
        kind, why = _placement(state, form) if placing else ("phase", "this is the moving phase")
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


def _placement(state: Position, square: Square) -> tuple[str, str]:
    if trouble := _no_square(state, square):
        return trouble
    if not BIT[square] & ZONES[state.to_move]:
        return "zone", "that square is outside its zone"
    return "occupied", f"a piece of {_owner(state, square)} is there"


def _move(state: Position, origin: Square, target: Square, legal: Sequence[Action]) -> tuple[str, str]:
    side = _name(state, state.to_move)
    if trouble := _no_square(state, origin):
        return trouble
    owner = _owner(state, origin)
    if owner is None:
        return "not_yours", f"there is no piece on {origin} (has it been eliminated?); move a piece of {side}"
    if owner != side:
        return "not_yours", f"the piece on {origin} is one of {owner}; move a piece of {side}"
    targets = [str(action[1]) for action in legal if isinstance(action, tuple) and action[0] == origin]
    instead = f"that piece can move to {either(targets)}" if targets else "that piece cannot move at all"
    middle = ((origin[0] + target[0]) // 2, (origin[1] + target[1]) // 2)
    distance = sorted((abs(origin[0] - target[0]), abs(origin[1] - target[1])))
    if distance == [0, 2] and BIT.get(middle, 0) & STAGES[state.shrinks].corners:
        return "unreachable", f"{middle} is a corner, which cannot be jumped over; {instead}"
    if trouble := _no_square(state, target):
        kind, why = trouble
        return kind, f"{why}; {instead}"
    if origin == target:
        return "unreachable", f"a piece cannot stay where it is; {instead}"
    if occupant := _owner(state, target):
        return "occupied", f"a piece of {occupant} is on {target}; {instead}"
    if distance == [0, 2]:
        return "unreachable", f"there is no piece on {middle} to jump over; {instead}"
    if distance[0]:
        return "unreachable", f"pieces move along a row or a column only; {instead}"
    return "unreachable", f"that is {distance[1]} squares away, and a jump goes over one piece only; {instead}"


def _no_square(state: Position, square: Square) -> tuple[str, str] | None:
    """Why nothing can be on the square, if so."""
    stage = STAGES[state.shrinks]
    low, high = state.shrinks, 7 - state.shrinks
    bit = BIT.get(square)
    if bit is None:
        return "off_board", off_board(square, low, high)
    if bit & stage.corners:
        return "corner", f"{square} is a corner, where no piece can be"
    if not bit & stage.squares:
        when = SHRINK_TURNS[state.shrinks - 1]
        why = f"the board shrank, and since turn {when} of the moving phase x and y go from {low} to {high}"
        return "off_board", f"{square} is removed: {why}"
    return None


def _name(state: Position, side: int) -> str:
    return state.game.sides[side].capitalize()


def _owner(state: Position, square: Square) -> str | None:
    return next((_name(state, side) for side in (0, 1) if state.pieces(side) & BIT[square]), None)

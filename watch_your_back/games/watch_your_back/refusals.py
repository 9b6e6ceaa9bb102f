"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import Square, is_square, off_board
from watch_your_back.games._refusals import no_move, no_placement, over, side_to_move, ways
from watch_your_back.games.watch_your_back.bitboards import BIT, SHRINK_TURNS, STAGES, ZONES

if TYPE_CHECKING:
    from watch_your_back.games.watch_your_back import Position

__all__ = ["refusal"]

_ROWS = ("y from 0 to 5", "y from 2 to 7")


def refusal(state: Position, form: Action, legal: Sequence[Action]) -> IllegalAction:
    """The error for an action in normal form that is not among the legal ones."""
    side = side_to_move(state)
    if state.outcome is not None:
        return over(side)
    if state.phase == "placing":
        expected = f"return (x, y), an unoccupied square of {side}'s zone ({_ROWS[state.to_move]}, no corner)"
        return no_placement(side, form, expected, partial(_placement, state))
    if legal == [None]:
        expected = f"no piece of {side} can move, so return None"
    else:
        expected = f"return ((a, b), (c, d)), the square of a piece of {side} and the square that it moves to"
    if is_square(form):
        return IllegalAction("phase", f"{side} placed on {form}, but this is the moving phase; {expected}")
    return no_move(side, form, legal, expected, partial(_move, state, legal))


def _placement(state: Position, square: Square) -> tuple[str, str]:
    if trouble := _no_square(state, square):
        return trouble
    if not BIT[square] & ZONES[state.to_move]:
        return "zone", "that square is outside its zone"
    return "occupied", f"a piece of {_owner(state, square)} is there"


def _move(state: Position, legal: Sequence[Action], origin: Square, target: Square) -> tuple[str, str]:
    side = side_to_move(state)
    if trouble := _no_square(state, origin):
        return trouble
    owner = _owner(state, origin)
    if owner is None:
        return "not_yours", f"there is no piece on {origin} (has it been eliminated?); move a piece of {side}"
    if owner != side:
        return "not_yours", f"the piece on {origin} is one of {owner}; move a piece of {side}"
    instead = ways(legal, origin, "piece")
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


def _owner(state: Position, square: Square) -> str | None:
    bit = BIT[square]
    return next((name.capitalize() for side, name in enumerate(state.game.sides) if state.pieces(side) & bit), None)

"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import Square, is_square, off_board
from watch_your_back.games._refusals import no_move, no_placement, over, side_to_move, ways

if TYPE_CHECKING:
    from watch_your_back.games.five_in_a_row import Position

__all__ = ["refusal"]


def refusal(state: Position, form: Action, legal: Sequence[Action]) -> IllegalAction:
    """The error for an action in normal form that is not among the legal ones."""
    side = side_to_move(state)
    if state.outcome is not None:
        return over(side)
    if state.phase == "placing":
        return no_placement(side, form, "return (x, y), an empty square", partial(_placement, state))
    if legal == [None]:
        expected = f"no man of {side} can move, so return None"
    else:
        expected = f"return ((a, b), (c, d)), the square of a man of {side} and the square next to it that it moves to"
    if is_square(form):
        return IllegalAction("phase", f"{side} placed on {form}, but this is the moving phase; {expected}")
    return no_move(side, form, legal, expected, partial(_move, state, legal))


def _move(state: Position, legal: Sequence[Action], origin: Square, target: Square) -> tuple[str, str]:
    side = side_to_move(state)
    if origin not in state.game.geometry.bit:
        return _off_board(state, origin)
    owner = _owner(state, origin)
    if owner is None:
        return "not_yours", f"there is no man on {origin}; move a man of {side}"
    if owner != side:
        return "not_yours", f"the man on {origin} is one of {owner}; move a man of {side}"
    instead = ways(legal, origin, "man")
    distance = max(abs(origin[0] - target[0]), abs(origin[1] - target[1]))
    if distance == 0:
        return "unreachable", f"a man cannot stay where it is; {instead}"
    if target not in state.game.geometry.bit:
        kind, why = _off_board(state, target)
        return kind, f"{why}; {instead}"
    if occupant := _owner(state, target):
        return "occupied", f"a man of {occupant} is on {target}; {instead}"
    return "unreachable", f"that is {distance} squares away, and a man moves to a square next to it; {instead}"


def _placement(state: Position, square: Square) -> tuple[str, str]:
    if square not in state.game.geometry.bit:
        return _off_board(state, square)
    return "occupied", f"a man of {_owner(state, square)} is there"


def _off_board(state: Position, square: Square) -> tuple[str, str]:
    return "off_board", off_board(square, 0, state.game.geometry.size - 1)


def _owner(state: Position, square: Square) -> str | None:
    bit = state.game.geometry.bit[square]
    return next((name.capitalize() for side, name in enumerate(state.game.sides) if state.men(side) & bit), None)

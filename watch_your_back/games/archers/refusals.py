"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import NEGATIVE, Square
from watch_your_back.games._refusals import no_move, over, side_to_move, ways

if TYPE_CHECKING:
    from watch_your_back.games.archers import Position

__all__ = ["refusal"]


def refusal(state: Position, form: Action, legal: Sequence[Action]) -> IllegalAction:
    """The error for an action in normal form that is not among the legal ones."""
    side = side_to_move(state)
    if state.outcome is not None:
        return over(side)
    if legal == [None]:
        expected = f"no archer of {side} can move, so return None"
    else:
        expected = f"return ((a, b), (c, d)), the point of an archer of {side} and the next point along a line from it"
    return no_move(side, form, legal, expected, partial(_move, state, legal))


def _move(state: Position, legal: Sequence[Action], origin: Square, target: Square) -> tuple[str, str]:
    if trouble := _no_point(state, origin):
        return trouble
    side, owner = side_to_move(state), _owner(state, origin)
    if owner != side:
        there = f"the archer on {origin} is one of {owner}" if owner else f"there is no archer on {origin}"
        been_shot = "" if owner else " (has it been shot?)"
        return "not_yours", f"{there}{been_shot}; move an archer of {side}"
    instead = ways(legal, origin, "archer")
    if trouble := _no_point(state, target):
        kind, why = trouble
        return kind, f"{why}; {instead}"
    if origin == target:
        return "unreachable", f"an archer cannot stay where it is; {instead}"
    if occupant := _owner(state, target):
        return "occupied", f"an archer of {occupant} is on {target}; {instead}"
    if (origin, target) == state.shuttle:
        return "shuttle", f"it has gone to and fro between these two points three moves running; {instead}"
    ground = state.game.ground
    if ground.sight[ground.bit[origin]] & ground.bit[target]:
        return "unreachable", f"that is not the next point along the line; {instead}"
    return "unreachable", f"no line leads from {origin} to {target}; {instead}"


def _no_point(state: Position, point: Square) -> tuple[str, str] | None:
    """Why there is no such point, if so."""
    points = state.game.ground.points
    if point in points:
        return None
    (left, right), (top, bottom) = ((min(numbers), max(numbers)) for numbers in zip(*points, strict=True))
    negative = NEGATIVE if min(point) < 0 else ""
    where = f"where x goes from {left} to {right} and y from {top} to {bottom}{negative}"
    return "off_board", f"{point} is no point of the board, {where}"


def _owner(state: Position, point: Square) -> str | None:
    bit = state.game.ground.bit[point]
    return next((name.capitalize() for side, name in enumerate(state.game.sides) if state.archers(side) & bit), None)

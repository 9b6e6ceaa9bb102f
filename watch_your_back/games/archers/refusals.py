"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import Square, arrow, either, is_move, is_square, misformed, shown

if TYPE_CHECKING:
    from watch_your_back.games.archers import Position

__all__ = ["refusal"]

_EXPECTED = (
    "return ((a, b), (c, d)), the point of an archer of yours and the next point along a line, where it moves to"
)


def refusal(state: Position, form: Action) -> IllegalAction:
    """The error for an action in normal form that is not legal."""
    side = state.game.sides[state.to_move].capitalize()
    if state.outcome is not None:
        return IllegalAction("over", f"{side} acted after the end of the game, where no action is legal")
    legal = state.legal_actions()
    if form is None:
        why = f"returned None but has moves, such as {arrow(legal[0])} (is a return missing in action()?)"
        return IllegalAction("may_not_pass", f"{side} {why}; {_EXPECTED}")
    if not is_move(form):
        why = "a single point" if is_square(form) else misformed(form, False)
        return IllegalAction("form", f"{side} returned {shown(form)}, {why}; {_EXPECTED}")
    if legal == [None]:
        kind, why = "must_pass", "no archer of its own can move, so return None"
    else:
        kind, why = _move(state, *form)
    return IllegalAction(kind, f"{side} moved {arrow(form)}, but {why}")


def _move(state: Position, origin: Square, target: Square) -> tuple[str, str]:
    if trouble := _no_point(state, origin):
        return trouble
    side, owner = state.game.sides[state.to_move].capitalize(), _owner(state, origin)
    if owner != side:
        there = f"the archer on {origin} is one of {owner}" if owner else f"there is no archer on {origin}"
        been_shot = "" if owner else " (has it been shot?)"
        return "not_yours", f"{there}{been_shot}; move an archer of {side}"
    targets = [str(action[1]) for action in state.legal_actions() if is_move(action) and action[0] == origin]
    instead = f"that archer can move to {either(targets)}" if targets else "that archer cannot move at all"
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
    negative = " (negative numbers do not count from the other end)" if min(point) < 0 else ""
    where = f"where x goes from {left} to {right} and y from {top} to {bottom}{negative}"
    return "off_board", f"{point} is no point of the board, {where}"


def _owner(state: Position, point: Square) -> str | None:
    bit = state.game.ground.bit[point]
    return next((name.capitalize() for side, name in enumerate(state.game.sides) if state.archers(side) & bit), None)

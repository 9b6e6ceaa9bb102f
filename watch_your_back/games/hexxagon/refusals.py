"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import Square, either, is_move, is_square, misformed, shown
from watch_your_back.games.hexxagon.cells import HOLES, distance

if TYPE_CHECKING:
    from watch_your_back.games.hexxagon import Position

__all__ = ["refusal"]

_EXPECTED = (
    "return (q, r), an empty cell next to a man of yours to grow on, or ((q, r), (q, r)), a man of yours and the empty "
    "cell at distance two that it jumps to"
)


def refusal(state: Position, form: Action) -> IllegalAction:
    """The error for an action in normal form that is not legal."""
    side = state.game.sides[state.to_move].capitalize()
    legal = state.legal_actions()
    if state.outcome is not None:
        return IllegalAction("over", f"{side} acted after the end of the game, where no action is legal")
    if form is None:
        why = f"returned None but can act, such as by {legal[0]} (is a return missing in action()?)"
        return IllegalAction("may_not_pass", f"{side} {why}; {_EXPECTED}")
    if is_square(form):
        done, (kind, why) = f"grew on {form}", _growth(state, form)
    elif is_move(form):
        done, (kind, why) = f"jumped from {form[0]} to {form[1]}", _jump(state, *form)
    else:
        wrapped_jump = isinstance(form, tuple) and any(map(is_move, form))
        why = misformed(form, not wrapped_jump)
        return IllegalAction("form", f"{side} returned {shown(form)}, {why}; {_EXPECTED}")
    if legal == [None]:
        kind, why = "must_pass", "no man of its own can grow or jump, so return None"
    return IllegalAction(kind, f"{side} {done}, but {why}")


def _growth(state: Position, cell: Square) -> tuple[str, str]:
    if trouble := _no_room(state, cell):
        return trouble
    return "unreachable", f"no man of its own is next to that cell; {_EXPECTED}"


def _jump(state: Position, origin: Square, target: Square) -> tuple[str, str]:
    if trouble := _no_cell(state, origin):
        return trouble
    side, owner = state.game.sides[state.to_move].capitalize(), _owner(state, origin)
    if owner != side:
        there = f"the man on {origin} is one of {owner}" if owner else f"there is no man on {origin}"
        return "not_yours", f"{there}; jump with a man of {side}"
    targets = [str(action[1]) for action in state.legal_actions() if is_move(action) and action[0] == origin]
    instead = f"that man can jump to {either(targets)}" if targets else "that man cannot jump at all"
    if trouble := _no_room(state, target):
        kind, why = trouble
        return kind, f"{why}; {instead}"
    far = distance(origin, target)
    if far == 1:
        return "unreachable", f"that cell is next to it: return {target} alone to grow there; {instead}"
    return "unreachable", f"a jump goes to a cell at distance 2, and that is {far}; {instead}"


def _no_room(state: Position, cell: Square) -> tuple[str, str] | None:
    """Why no man can come to the cell, if so."""
    if trouble := _no_cell(state, cell):
        return trouble
    owner = _owner(state, cell)
    return ("occupied", f"a man of {owner} is on {cell}") if owner else None


def _no_cell(state: Position, cell: Square) -> tuple[str, str] | None:
    """Why there is no such cell, if so."""
    field = state.game.field
    if cell in field.bit:
        return None
    if cell in HOLES:
        return "off_board", f"{cell} is a hole of the field"
    n = field.edge
    return "off_board", f"{cell} is not on the field, where q, r and q + r go from {-n} to {n}"


def _owner(state: Position, cell: Square) -> str | None:
    bit = state.game.field.bit[cell]
    return next((name.capitalize() for side, name in enumerate(state.game.sides) if state.men(side) & bit), None)

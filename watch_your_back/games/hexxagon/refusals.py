"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import Square, arrow, is_move, is_square, misformed
from watch_your_back.games._refusals import misshapen, no_pass, over, side_to_move, ways
from watch_your_back.games.hexxagon.cells import HOLES, distance

if TYPE_CHECKING:
    from watch_your_back.games.hexxagon import Position

__all__ = ["refusal"]


def refusal(state: Position, form: Action, legal: Sequence[Action]) -> IllegalAction:
    """The error for an action in normal form that is not among the legal ones."""
    side = side_to_move(state)
    if state.outcome is not None:
        return over(side)
    if legal == [None]:
        expected = f"no man of {side} can grow or jump, so return None"
    else:
        expected = (
            f"return (q, r), an empty cell next to a man of {side} to grow on, or ((q, r), (q, r)), a man of {side} "
            "and the empty cell at distance two that it jumps to"
        )
    if form is None:
        return no_pass(side, f" but can act, such as by {legal[0]}", expected)
    if is_square(form):
        kind, why = _growth(state, form)
        done, judged = f"grew on {form}", (kind, f"{why}; {expected}")
    elif is_move(form):
        done, judged = f"jumped {arrow(form)}", _jump(state, legal, *form)
    else:
        wrapped_jump = isinstance(form, tuple) and any(map(is_move, form))
        return misshapen(side, form, misformed(form, not wrapped_jump), expected)
    kind, why = ("must_pass", "") if legal == [None] else judged
    return IllegalAction(kind, f"{side} {done}, but {why or expected}")


def _growth(state: Position, cell: Square) -> tuple[str, str]:
    if trouble := _no_cell(state, cell):
        return trouble
    if owner := _owner(state, cell):
        return "occupied", f"a man of {owner} is there"
    return "unreachable", f"no man of {side_to_move(state)} is next to that cell"


def _jump(state: Position, legal: Sequence[Action], origin: Square, target: Square) -> tuple[str, str]:
    if trouble := _no_cell(state, origin):
        return trouble
    side, owner = side_to_move(state), _owner(state, origin)
    if owner != side:
        there = f"the man on {origin} is one of {owner}" if owner else f"there is no man on {origin}"
        return "not_yours", f"{there}; jump with a man of {side}"
    instead = ways(legal, origin, "man", "jump")
    if trouble := _no_cell(state, target):
        kind, why = trouble
        return kind, f"{why}; {instead}"
    if origin == target:
        return "unreachable", f"a man cannot stay where it is; {instead}"
    if occupant := _owner(state, target):
        return "occupied", f"a man of {occupant} is on {target}; {instead}"
    far = distance(origin, target)
    if far == 1:
        return "unreachable", f"that cell is next to it: return {target} alone to grow there; {instead}"
    return "unreachable", f"a jump goes to a cell at distance 2, and that is {far}; {instead}"


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

"""Why an action is not legal, said to the author of the player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import is_square as is_cell
from watch_your_back.games._forms import misformed, off_board, shown
from watch_your_back.games._refusals import no_pass, over, side_to_move
from watch_your_back.games.squares.counting import Cell, Square, grid_of

if TYPE_CHECKING:
    from watch_your_back.games.squares import Position

__all__ = ["refusal"]

_ALONE = "return (x, y), an empty cell"
_WITH_CLAIMS = f"{_ALONE}, or ((x, y), claims) to announce squares that it completes"


def refusal(state: Position, form: Action) -> IllegalAction | None:
    """The error for an action in normal form, or None if it is legal."""
    side = side_to_move(state)
    automatic = state.game.options.announce == "auto"
    expected = _ALONE if automatic else _WITH_CLAIMS
    if state.outcome is not None:
        return over(side)
    if form is None:
        return no_pass(side, ", but no turn may be passed", expected)
    cell: Cell
    claims: Any
    if is_cell(form):
        cell, claims = form, None
    elif isinstance(form, tuple) and len(form) == 2 and is_cell(form[0]):
        cell, claims = form[0], form[1]
    else:
        what = f", {misformed(form, True)}" if not isinstance(form, tuple) or len(form) < 3 else ""
        return IllegalAction("form", f"{side} returned {shown(form)}{what}; {expected}")
    size = state.game.options.size
    if cell not in grid_of(size).bit:
        return IllegalAction("off_board", f"{side} placed on {cell}, but {off_board(cell, 0, size - 1)}; {expected}")
    if (owner := state.owner(cell)) is not None:
        return IllegalAction(
            "occupied", f"{side} placed on {cell}, but a counter of {_name(state, owner)} is there; {expected}"
        )
    if claims is None:
        return None
    if automatic:
        why = "the referee announces all squares itself (announce=auto)"
        return IllegalAction("claim", f"{side} announced squares, but {why}; return {cell} alone")
    wrong = _claims(state, cell, claims)
    return IllegalAction("claim", f"{side} placed on {cell} and {wrong}") if wrong else None


def _claims(state: Position, cell: Cell, claims: Any) -> str | None:
    """What is wrong with the squares announced, if anything."""
    each = "a square is a tuple of its four corners, each (x, y)"
    if claims == ():
        return f"announced an empty tuple of squares; to announce nothing return {cell} alone"
    if _is_claim(claims):
        return f"announced {claims} itself; put it into a tuple, as in ((x, y), (square,))"
    if not isinstance(claims, tuple):
        return f"announced {shown(claims)}, which is no tuple of squares; {each}"
    for claim in claims:
        if not _is_claim(claim):
            return f"announced {shown(claim)}, which is no square; {each}"
        if list(claim) != sorted(claim):
            return f"announced {claim}, whose corners are not sorted; return tuple(sorted(corners))"
        if claim not in state.completed(cell):
            return f"announced {claim}, {_fault(state, cell, claim)}; {_instead(state, cell)}"
    if len(set(claims)) < len(claims):
        return "announced a square twice; each counts once"
    if list(claims) != sorted(claims):
        return "announced squares that are not sorted; return ((x, y), tuple(sorted(claims)))"
    return None


def _fault(state: Position, cell: Cell, claim: Square) -> str:
    """Why four cells are no square that a counter on the cell completes."""
    grid = grid_of(state.game.options.size)
    for corner in claim:
        if corner not in grid.bit:
            return f"but {off_board(corner, 0, state.game.options.size - 1)}"
    if cell not in claim:
        return f"which has no corner on {cell}: only the counter that completes a square can announce it"
    if claim not in grid.squares_through(cell):
        return "which are not the corners of a square"
    lacking = next(corner for corner in claim if corner != cell and state.owner(corner) != state.to_move)
    owner = state.owner(lacking)
    return f"but {lacking} is empty" if owner is None else f"but {lacking} has a counter of {_name(state, owner)}"


def _instead(state: Position, cell: Cell) -> str:
    squares = state.completed(cell)
    return f"it completes {', '.join(map(str, squares))}" if squares else f"it completes none, so return {cell} alone"


def _is_claim(form: Action) -> TypeGuard[Square]:
    return isinstance(form, tuple) and len(form) == 4 and all(map(is_cell, form))


def _name(state: Position, side: int) -> str:
    return state.game.sides[side].capitalize()

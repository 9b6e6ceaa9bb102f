"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import Square, off_board
from watch_your_back.games._refusals import no_move, over, side_to_move, ways
from watch_your_back.games.two_tigers.lines import BIT, CHANGES

if TYPE_CHECKING:
    from watch_your_back.games.two_tigers import Position

__all__ = ["refusal"]

_PIECES = ("tiger", "dog")


def refusal(state: Position, form: Action, legal: Sequence[Action]) -> IllegalAction:
    """The error for an action in normal form that is not among the legal ones."""
    side = side_to_move(state)
    if state.outcome is not None:
        return over(side)
    expected = f"return ((a, b), (c, d)), the point of a {_PIECES[state.to_move]} and the point that it goes to"
    if legal == [None]:
        expected = "no dog can step, so return None"
    return no_move(side, form, legal, expected, partial(_move, state, legal))


def _move(state: Position, legal: Sequence[Action], origin: Square, target: Square) -> tuple[str, str]:
    piece = _PIECES[state.to_move]
    if origin not in BIT:
        return "off_board", off_board(origin, 0, 4)
    here = _on(state, origin)
    if here is None:
        return "not_yours", f"there is no piece on {origin}; move a {piece}"
    if here != piece:
        return "not_yours", f"there is a {here} on {origin}; move a {piece}"
    instead = ways(legal, origin, piece)
    if target not in BIT:
        return "off_board", f"{off_board(target, 0, 4)}; {instead}"
    if origin == target:
        return "unreachable", f"a {piece} cannot stay where it is; {instead}"
    if there := _on(state, target):
        return "occupied", f"there is a {there} on {target}; {instead}"
    return "unreachable", f"{_too_far(state, origin, target)}; {instead}"


def _too_far(state: Position, origin: Square, target: Square) -> str:
    """Why a piece cannot go to an empty point."""
    across, down = abs(origin[0] - target[0]), abs(origin[1] - target[1])
    if (origin, target) in CHANGES:
        if state.to_move:
            return "dogs only step to a neighbouring point"
        middle = ((origin[0] + target[0]) // 2, (origin[1] + target[1]) // 2)
        return f"there is {'a tiger' if _on(state, middle) else 'no dog'} on {middle}, and tigers jump over dogs only"
    if across == down and across <= 2:
        return f"no diagonal line leads from {origin}, where x + y is odd"
    if across and down and across != down:
        return f"no line leads from {origin} to {target}"
    return f"{target} is {max(across, down)} points away"


def _on(state: Position, point: Square) -> str | None:
    return "tiger" if BIT[point] & state.tigers else "dog" if BIT[point] & state.dogs else None

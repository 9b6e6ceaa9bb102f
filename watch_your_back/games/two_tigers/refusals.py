"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import Square, arrow, either, is_move, is_square, misformed, off_board, shown
from watch_your_back.games.two_tigers.lines import BIT, CHANGES

if TYPE_CHECKING:
    from watch_your_back.games.two_tigers import Position

__all__ = ["refusal"]

_PIECES = ("tiger", "dog")


def refusal(state: Position, form: Action, legal: Sequence[Action]) -> IllegalAction:
    """The error for an action in normal form that is not among the legal ones."""
    side = state.game.sides[state.to_move].capitalize()
    if state.outcome is not None:
        return IllegalAction("over", f"{side} acted after the end of the game, where no action is legal")
    expected = f"return ((a, b), (c, d)), the point of a {_PIECES[state.to_move]} and the point that it goes to"
    if legal == [None]:
        expected = "no dog can step, so return None"
    if form is None:
        why = f"returned None but can act, such as {arrow(legal[0])} (is a return missing in action()?)"
        return IllegalAction("may_not_pass", f"{side} {why}; {expected}")
    if not is_move(form):
        what = "a single point" if is_square(form) else misformed(form, placing=False)
        return IllegalAction("form", f"{side} returned {shown(form)}, {what}; {expected}")
    kind, why = ("must_pass", expected) if legal == [None] else _move(state, *form, legal)
    return IllegalAction(kind, f"{side} moved {arrow(form)}, but {why}")


def _move(state: Position, origin: Square, target: Square, legal: Sequence[Action]) -> tuple[str, str]:
    piece = _PIECES[state.to_move]
    if origin not in BIT:
        return "off_board", off_board(origin, 0, 4)
    here = _on(state, origin)
    if here is None:
        return "not_yours", f"there is no piece on {origin}; move a {piece}"
    if here != piece:
        return "not_yours", f"there is a {here} on {origin}; move a {piece}"
    targets = [str(action[1]) for action in legal if isinstance(action, tuple) and action[0] == origin]
    instead = f"the {piece} on {origin} can go to {either(targets)}" if targets else f"that {piece} cannot move at all"
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

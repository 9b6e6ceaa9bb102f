"""Why an action is not legal, said to the author of the player: what was done, why it may not be, and what may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watch_your_back.game import Action, IllegalAction
from watch_your_back.games._forms import WRAPPED, no_numbers, not_a_tuple
from watch_your_back.games._refusals import misshapen, no_pass, over, side_to_move

if TYPE_CHECKING:
    from watch_your_back.games.one_line import Position

__all__ = ["refusal"]


def refusal(state: Position, form: Action) -> IllegalAction:
    """The error for an action in normal form that is not among the legal ones."""
    side = side_to_move(state)
    if state.outcome is not None:
        return over(side)
    placing = state.phase == "placing"
    expected = "return (position, count)" if placing else "return (origin, target, count)"
    if form is None:
        return no_pass(side, ", but there is always an action", expected)
    numbers = [item for item in form if isinstance(item, int)] if isinstance(form, tuple) else []
    if not isinstance(form, tuple) or len(numbers) != len(form) or len(numbers) not in (2, 3):
        return misshapen(side, form, _misformed(form), expected)
    if len(numbers) == 2:
        position, count = numbers
        done = f"{side} placed {_pieces(count)} on {position}"
        kind, why = _placement(state, position, count) if placing else ("phase", "this is the moving phase")
    else:
        origin, target, count = numbers
        done = f"{side} moved {_pieces(count)} from {origin} to {target}"
        kind, why = ("phase", "this is the placing phase") if placing else _move(state, origin, target, count)
    return IllegalAction(kind, f"{done}, but {why}{f'; {expected}' if kind == 'phase' else ''}")


def _placement(state: Position, position: int, count: int) -> tuple[str, str]:
    if position == 0:
        return "zone", "0 is the terminal; place on a position from 1 to 10"
    if not 1 <= position <= 10:
        return "off_board", f"{position} is not on the line; place on a position from 1 to 10"
    if count < 1:
        return "count", "a turn places at least one"
    return "count", f"only {_pieces(state.stock)} {_are(state.stock)} left in the stock"


def _move(state: Position, origin: int, target: int, count: int) -> tuple[str, str]:
    for position in (origin, target):
        if not 0 <= position <= 10:
            return "off_board", f"{position} is not on the line, which goes from 0 to 10"
    if origin == 0:
        return "unreachable", "pieces on 0, the terminal, never move again"
    height = state.heights[origin]
    if height == 0:
        stacks = [str(at) for at, pieces in enumerate(state.heights) if at and pieces]
        return "empty", f"no piece is there; there are pieces on {', '.join(stacks)}"
    if target == origin:
        return "unreachable", f"pieces cannot stay where they are; {_targets(origin)}"
    if target > origin:
        return "unreachable", f"pieces move towards the terminal only; {_targets(origin)}"
    if count < 1:
        return "count", "a turn moves at least one"
    return "count", f"only {_pieces(height)} {_are(height)} there"


def _targets(origin: int) -> str:
    return f"from {origin} they can move to {'0' if origin == 1 else f'0 to {origin - 1}'}"


def _misformed(form: Action) -> str:
    """What a form is that is neither two numbers nor three."""
    if not isinstance(form, tuple):
        return not_a_tuple(form)
    if len(form) == 1 and isinstance(form[0], tuple):
        return WRAPPED
    return no_numbers(form, "numbers") or f"a tuple of {len(form)} item{'' if len(form) == 1 else 's'}"


def _pieces(count: int) -> str:
    return f"{count} piece{'' if count == 1 else 's'}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"

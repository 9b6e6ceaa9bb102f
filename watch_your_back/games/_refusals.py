"""The refusals that many games have in common: acting after the end, None, a wrong form, a move or placement."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from watch_your_back.game import Action, IllegalAction, State
from watch_your_back.games._forms import Square, arrow, either, is_move, is_square, misformed, shown

__all__ = ["misshapen", "no_move", "no_pass", "no_placement", "over", "side_to_move", "ways"]


def side_to_move(state: State) -> str:
    """The side whose turn it is, as sentences begin with it."""
    return state.game.sides[state.to_move].capitalize()


def over(side: str) -> IllegalAction:
    """The error for any action after the end."""
    return IllegalAction("over", f"{side} acted after the end of the game, where no action is legal")


def no_pass(side: str, but: str, expected: str) -> IllegalAction:
    """The error for None where there is something to do; `but` says what, or why one may not pass."""
    return IllegalAction("may_not_pass", f"{side} returned None{but} (is a return missing in action()?); {expected}")


def misshapen(side: str, form: Action, what: str, expected: str) -> IllegalAction:
    """The error for what is no action of the game; `what` says what it is instead."""
    return IllegalAction("form", f"{side} returned {shown(form)}, {what}; {expected}")


def no_placement(side: str, form: Action, expected: str, why_not: Callable[[Square], tuple[str, str]]) -> IllegalAction:
    """The error for what is no legal placement, where one is expected; `why_not` gives its kind and reason."""
    if form is None:
        return no_pass(side, " while placing", expected)
    if is_square(form):
        kind, why = why_not(form)
        return IllegalAction(kind, f"{side} placed on {form}, but {why}; {expected}")
    if is_move(form):
        return IllegalAction("phase", f"{side} moved {arrow(form)}, but this is the placing phase; {expected}")
    return misshapen(side, form, misformed(form, placing=True), expected)


def no_move(
    side: str,
    form: Action,
    legal: Sequence[Action],
    expected: str,
    why_not: Callable[[Square, Square], tuple[str, str]],
) -> IllegalAction:
    """The error for what is no legal move, where one is expected, or None; `why_not` gives its kind and reason."""
    if form is None:
        return no_pass(side, f" but has moves, such as {arrow(legal[0])}", expected)
    if not is_move(form):
        what = "a single point" if is_square(form) else misformed(form, placing=False)
        return misshapen(side, form, what, expected)
    kind, why = ("must_pass", expected) if legal == [None] else why_not(*form)
    return IllegalAction(kind, f"{side} moved {arrow(form)}, but {why}")


def ways(legal: Sequence[Action], origin: Square, piece: str, verb: str = "move") -> str:
    """Where a piece can move to: `that man can move to (1, 2) or (3, 4)`."""
    targets = [str(action[1]) for action in legal if is_move(action) and action[0] == origin]
    return f"that {piece} can {verb} to {either(targets)}" if targets else f"that {piece} cannot {verb} at all"

"""What a search finds, whichever way it goes about it."""

from __future__ import annotations

from typing import NamedTuple

from watch_your_back.game import Action, State

__all__ = ["Choice", "Found", "expected", "result"]

_EVEN = 3.0  # pieces ahead that are worth half a win


class Choice(NamedTuple):
    """One of the actions that could be taken, and what the search made of it.

    `value` is what the side to move can expect of it, from -1 (lost) to 1 (won); `visits` is how many states or
    simulations it was looked at in.
    """

    action: Action
    value: float
    visits: int


class Found(NamedTuple):
    """The outcome of a search for the side to move.

    `value` is what it can expect, from -1 (lost) over 0 (even) to 1 (won), and `proven` whether that is certain.
    `line` is how both sides go on at best, beginning with `action`. `choices` has every action that was looked at, the
    best one first. `depth` is how many turns the search looked ahead, `visits` how many states or simulations it took.
    """

    action: Action
    value: float
    proven: bool
    line: tuple[Action, ...]
    choices: tuple[Choice, ...]
    depth: int
    visits: int


def expected(lead: float) -> float:
    """What a side that is ahead by so many pieces (`State.evaluate`) can expect: between -1 and 1, a guess."""
    return lead / (abs(lead) + _EVEN)


def result(state: State, side: int) -> float:
    """What a state is worth to `side`: 1, 0 or -1 when the match is over, else what its evaluation lets expect."""
    outcome = state.outcome
    if outcome is None:
        return expected(state.evaluate(side))
    if outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner == side else -1.0

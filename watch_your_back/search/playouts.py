"""Matches played on at random, and a choice of actions to look at where there are very many."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random

from watch_your_back.game import Action, State

__all__ = ["MOST", "PROMISING", "candidates", "playout"]

MOST = 400
"""Actions of a state that are looked at, where it has more: those of Go on the largest board are all within."""

PROMISING = 60
"""Actions of a state that are looked at in a game that says which ones are worth it."""


def playout(state: State, rng: Random, turns: int) -> State:
    """The state after `turns` random turns, or when the match is over, if that is sooner."""
    for _ in range(turns):
        if state.outcome is not None:
            break
        state = state.play(state.sample(rng))
    return state


def candidates(state: State, rng: Random, most: int = MOST, draws: int = 0) -> list[Action]:
    """The legal actions, or `most` of them, and where not all are listed also some that are drawn, `draws` at most.

    Of a longer sequence the choice is random; of a lazy list it is the first ones, such as the simplest turns. A game
    whose turns are far too many to list may have states with a method `promising(rng, most)` that knows better.
    """
    promising = getattr(state, "promising", None)
    if promising is not None:
        return list(promising(rng, min(most, PROMISING)))
    legal = state.legal_actions()
    if isinstance(legal, Sequence) and len(legal) > most:
        actions = rng.sample(legal, most)
    else:
        actions = list(islice(legal, most))
    if draws and not state.game.complete:
        actions = list(dict.fromkeys([*actions, *[state.sample(rng) for _ in range(draws)]]))
    return actions

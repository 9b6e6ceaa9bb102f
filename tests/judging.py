"""What the tests of several games ask of a state: the same course as a plain rule book, the right actions, the odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from math import sqrt
from random import Random
from typing import Any

import pytest

from watch_your_back.game import Action, IllegalAction, State

__all__ = ["check_accepted", "check_course", "check_odds"]


def check_course(state: State, plain: Any, agrees: Callable[[Any, Any], bool], choose: Callable[[Any], Action]) -> None:
    """Assert that a plain rule book agrees at every turn until the game is over."""
    while state.outcome is None:
        assert agrees(state, plain)
        action = choose(state)
        state = state.play(action)
        plain.play(action)
    assert agrees(state, plain)


def check_accepted(state: State, candidates: Iterable[Action]) -> None:
    """Assert that of these actions, the legal ones and None, those are accepted that are legal, and no other."""
    legal = {*state.legal_actions()}
    for action in [None, *legal, *candidates]:
        if action in legal:
            assert state.check(action) == action
        else:
            with pytest.raises(IllegalAction) as refused:
                state.check(action)
            assert str(refused.value).isprintable()


def check_odds(state: State) -> None:
    """Assert that each legal action is drawn about 400 times where as many are drawn for each, and no other one is."""
    legal = [*state.legal_actions()]
    rng = Random(5)
    drawn = Counter(state.sample(rng) for _ in range(400 * len(legal)))
    assert drawn.keys() == {*legal}
    assert all(abs(count - 400) < 5 * sqrt(400) for count in drawn.values())

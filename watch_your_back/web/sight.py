"""What is seen of a match that is going on: all of it, or in a game with hidden information what one side knows."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from watch_your_back.game import RESIGN, Action, Board, State
from watch_your_back.show.seen import in_common

__all__ = ["Sight"]

_IMAGININGS = 8
"""So many states that a side takes for possible must have something in common with the real one for it to be shown."""


class Sight(NamedTuple):
    """The eyes of one side, or those of nobody (None), which see everything."""

    side: int | None = None

    @staticmethod
    def of(state: State, people: Sequence[bool]) -> Sight:
        """Who looks at a page: the only person, or where both sides are people the one who acts."""
        if not any(people) or state.view(0) is None:
            return Sight()
        return Sight(state.to_move if all(people) else people.index(True))

    def board(self, state: State) -> Board:
        """The picture of a state as it is seen."""
        view = None if self.side is None else state.view(self.side)
        if view is None or state.outcome is not None:
            return state.picture()
        imagined = [state.game.imagine(view, Random(number)).picture() for number in range(_IMAGININGS)]
        return in_common([state.picture(), *imagined])

    def action(self, after: State, action: Action) -> Action:
        """The action that led to a state, as far as it is told."""
        return action if self.side is None or action == RESIGN else after.observe(action, self.side)

    def hears(self, side: int) -> bool:
        """Whether what this side prints may be read."""
        return self.side in (None, side)

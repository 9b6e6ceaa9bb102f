"""A record as somebody sees it: all that happened, or in a game with hidden information what one of the sides knew."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from random import Random

from watch_your_back.game import RESIGN, Action, Board, State
from watch_your_back.match.events import PlayerFailed, PlayerOutput
from watch_your_back.match.record import Record
from watch_your_back.show.seen import in_common

__all__ = ["Viewpoint", "hides"]

_IMAGININGS = 8
"""So many states that a side takes for possible must have something in common with the real one for it to be shown."""


def hides(record: Record) -> bool:
    """Whether the game has hidden information, so that there is more than one way to see the match."""
    return record.start.view(0) is not None


class Viewpoint:
    """The positions of a match, by their numbers from 0 (before the first action), as `side` saw them; None: the truth.

    What a side saw is what is the same in the real state and in several that `Game.imagine` makes of its
    `State.view`; it is told no more of the other side's actions than `State.observe` tells it, and nothing of what that
    side printed. Raises ValueError for a side in a game that hides nothing.
    """

    def __init__(self, record: Record, side: int | None = None) -> None:
        if side is not None and not hides(record):
            raise ValueError(f"nothing is hidden in {record.game.title}: both sides see everything")
        self.record, self.side = record, side
        self._board = lru_cache(maxsize=None)(self._seen)

    def board(self, position: int) -> Board:
        """The picture of a position."""
        return self._board(position)

    def action(self, turn: int) -> Action:
        """The action of the turn with this number, from 0."""
        action = self.record.turns[turn].action
        if self.side is None or action == RESIGN:
            return action
        return self.record.states[turn + 1].observe(action, self.side)

    def cells(self, turn: int) -> Sequence[Action]:
        """The cells that this action touches."""
        return self.record.game.cells(self.action(turn))

    def pieces(self, position: int, side: int) -> int:
        """How many pieces of a side are seen."""
        if self.side is None:
            return self.record.states[position].count_pieces(side)
        return sum(piece.height for piece in self.board(position).pieces if piece.side == side)

    @cached_property
    def outputs(self) -> tuple[PlayerOutput, ...]:
        """What players printed, as far as it is to be seen."""
        return tuple(each for each in self.record.outputs if self.side in (None, each.side))

    @cached_property
    def failures(self) -> tuple[PlayerFailed, ...]:
        """How players failed; of the other side only by what reason and in which call."""
        return tuple(
            each if self.side in (None, each.side) else each._replace(detail="(hidden)", traceback="")
            for each in self.record.failures
        )

    def _seen(self, position: int) -> Board:
        state: State = self.record.states[position]
        truth = state.picture()
        if self.side is None:
            return truth
        view = state.view(self.side)
        possible = (self.record.game.imagine(view, Random(seed)).picture() for seed in range(_IMAGININGS))
        return in_common([truth, *possible])

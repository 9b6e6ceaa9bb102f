"""Bringing a player back to a turn of a recorded match: the same constructor, updates and actions, with the same seed.

The player itself has to answer as it did, since nobody else can bring it to where it was; how far that goes is found
out on the way. A player that has the method `start` can also be put before any turn at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from watch_your_back.agents import Agent
from watch_your_back.diagnosis.questions import Trouble, answer
from watch_your_back.game import RESIGN, Action, Game, State
from watch_your_back.match.loop import setting_of
from watch_your_back.match.record import Record, Turn
from watch_your_back.match.seats import Seat

__all__ = ["CannotRebuild", "Difference", "Question", "Rebuilding", "seen_by"]


class CannotRebuild(ValueError):
    """Why a player cannot be brought back to a turn of this record."""


class Question(NamedTuple):
    """A turn of the player's: the state in which it is asked, and what it is told of before that.

    `turn` is the one in the record; None where the match ended before the player had acted.
    """

    state: State
    updates: tuple[Action, ...]
    turn: Turn | None


class Difference(NamedTuple):
    """The first turn at which a player did not answer as in the record: the action, or the fault, that came instead."""

    question: Question
    answer: Action | Trouble


@dataclass(frozen=True)
class Rebuilding:
    """A player of a recorded match, and the side on which it played."""

    record: Record
    agent: Agent
    side: int

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """The player's turns in order. Raises CannotRebuild where the match began in the middle of nowhere."""
        if self.record.start != self.record.game.initial() and not self.record.opening:
            raise CannotRebuild("the match began in a state that no recorded actions lead to")
        return tuple(self._questions())

    def _questions(self) -> Iterator[Question]:
        record, side = self.record, self.side
        told: list[Action] = []
        for turn, before, after in zip(record.turns, record.states, record.states[1:], strict=False):
            if turn.side == side:
                yield Question(before, tuple(told), turn)
                told.clear()
            elif turn.action != RESIGN:
                told.append(after.observe(turn.action, side))
        resigned = bool(record.turns) and record.turns[-1].action == RESIGN
        last = record.states[-1]
        if last.outcome is None and last.to_move == side and not resigned:
            yield Question(last, tuple(told), None)

    def before(self, ply: int) -> tuple[Question, ...]:
        """The player's turns before this one."""
        return tuple(question for question in self.questions if question.state.ply < ply)

    def at(self, ply: int) -> Question:
        """The player's turn at this ply. Raises CannotRebuild if it has none there."""
        plies = [question.state.ply for question in self.questions]
        if ply in plies:
            return self.questions[plies.index(ply)]
        name = self.record.game.sides[self.side]
        if not plies:
            raise CannotRebuild(f"{name} was never asked for an action in this match")
        near = sorted(sorted(plies, key=lambda each: (abs(each - ply), each))[:2])
        turns = " and ".join(map(str, near))
        raise CannotRebuild(f"turn {ply} is not one of {name}'s; the nearest are {turns} (they count from 0)")

    def setting(self, *, seed: int | None = None, even_clock: bool = False) -> dict[str, Any]:
        """What the player is made with: as in the match, unless another seed is given.

        It is told the limits of the match, whether or not it is held to them now.
        """
        record = self.record
        seed = record.seeds[self.side] if seed is None else seed
        return setting_of(record.game, self.side, record.limits, seed) | {"even_clock": even_clock}

    def follow(self, seat: Seat, questions: Sequence[Question]) -> Difference | None:
        """Make the player in this seat and take it through these turns, from its first one on, as far as it answers
        as in the record. Raises PlayerFault where it cannot be made.
        """
        seat.open()
        seat.load()
        if self.record.opening:
            seat.start(seen_by(self.side, self.record.game, self.record.opening))
        for question in questions:
            found = answer(seat, question.updates, question.state)
            if question.turn is None or found != question.turn.action:
                return Difference(question, found)
        return None

    def put_before(self, seat: Seat, question: Question) -> None:
        """Make the player in this seat and tell it with `start` of all actions before a turn.

        Raises PlayerFault where it cannot be made, or has no such method.
        """
        seat.open()
        seat.load()
        record = self.record
        actions = (*record.opening, *record.actions[: question.state.ply - record.start.ply])
        seat.start(seen_by(self.side, record.game, actions))


def seen_by(side: int, game: Game, actions: Sequence[Action]) -> list[Action]:
    """What a side is told of actions of both sides that a match begins with."""
    state, told = game.initial(), []
    for action in actions:
        state = state.play(action)
        told.append(state.observe(action, side))
    return told

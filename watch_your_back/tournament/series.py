"""A series: pairs of matches between two agents until enough is known, the same ones whatever the number of workers.

Results are read in the order of the schedule, so that where a series stops, and everything that it comes to, depends
neither on how many matches are played at once nor on which of them is over first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count, islice, repeat
from typing import NamedTuple

from watch_your_back.agents import Agent
from watch_your_back.game import Action, Game
from watch_your_back.match import Limits
from watch_your_back.match.events import Reason
from watch_your_back.tournament.openings import openings
from watch_your_back.tournament.tasks import MatchResult, MatchTask, pair_seed, play_task
from watch_your_back.tournament.totals import Pair, Totals
from watch_your_back.tournament.workers import Lost, Workers

__all__ = ["Ending", "Series", "Setting"]

REPLAYS = 3
"""How often a void match is played again at most."""
ALIKE = 3
"""So many first pairs that go the same way under different seeds are enough to ask whether all do."""
VOID = 3
"""After so many void pairs one after another a series ends."""


class Ending(StrEnum):
    """Why a series ended."""

    COMPLETE = "complete"
    DECIDED = "decided"
    TIME_IS_UP = "time is up"
    DETERMINISTIC = "deterministic"
    COULD_NOT_START = "could not start"
    VOID = "void"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything that decides how a series goes, as far as the players are reproducible.

    `opening` is the number of random actions that each pair begins after; both agents then need the method `start`.
    """

    game: Game
    agents: tuple[Agent, Agent]
    limits: Limits
    seed: int = 0
    opening: int = 0
    require_tier: str | None = None
    keep_records: bool = False
    allow_external: bool = False

    def pairs(self) -> Iterator[tuple[MatchTask, MatchTask]]:
        """The matches of each pair, without end. Raises ValueError for an opening that is too long for the game."""
        begun: Iterator[tuple[Action, ...]] = repeat(())
        if self.opening:
            begun = openings(self.game, self.opening, self.seed)
        for number, opening in zip(count(1), begun, strict=False):
            task = MatchTask(
                f"{number}-{self.game.sides[0]}",
                self.game,
                self.agents,
                0,
                self.limits,
                pair_seed(self.seed, number),
                self.require_tier,
                opening,
                self.keep_records,
                self.allow_external,
            )
            yield task, replace(task, id=f"{number}-{self.game.sides[1]}", first=1)


class _Fixture(NamedTuple):
    """A match of the schedule. The one that is played `again` only shows whether it goes the same way."""

    task: MatchTask
    again: bool = False


def play_fixture(fixture: _Fixture) -> MatchResult:
    """Play a match, and again while it is void. Raises TierUnavailable."""
    for _ in range(REPLAYS):
        result = play_task(fixture.task)
        if not result.void:
            return result
    return play_task(fixture.task)


@dataclass
class Series:
    """How far a series has come.

    It ends after so many `pairs`, when `decide` says so of the totals, or after so many seconds, whichever is first;
    and early where there is no point in going on, as `ending` tells.
    """

    setting: Setting
    pairs: int | None = None
    decide: Callable[[Totals], bool] | None = None
    seconds: float | None = None
    totals: Totals = field(default_factory=Totals)
    void: list[Pair] = field(default_factory=list)
    """Pairs that count for nobody."""
    reproducible: bool | None = None
    """Whether the first match went the same way again with the same seed; None if it was not played again."""
    ending: Ending = Ending.INTERRUPTED
    wall_s: float = 0.0
    _first: str = ""
    _void_in_a_row: int = 0

    def play(self, workers: Workers) -> Iterator[Pair]:
        """Play, and yield each pair that counts in the order of the schedule, once it is in the totals.

        What is known so far stays known if it is left or interrupted. Raises TierUnavailable, and ValueError for an
        opening that is too long for the game.
        """
        began = time.monotonic()
        until = None if self.seconds is None else began + self.seconds
        halves: list[tuple[MatchTask, MatchResult]] = []
        try:
            for fixture, outcome in workers.each(play_fixture, self._schedule(), in_order=True, until=until):
                result = MatchResult.lost(fixture.task, str(outcome)) if isinstance(outcome, Lost) else outcome
                if fixture.again:
                    self.reproducible = None if result.void or not self._first else result.trail == self._first
                else:
                    halves.append((fixture.task, result))
                if len(halves) == 1:
                    continue
                if halves:
                    (task, result), (swapped, other) = halves
                    halves.clear()
                    pair = Pair(self.read + 1, (task, swapped), (result, other))
                    self._add(pair)
                    if not pair.void:
                        yield pair
                if ending := self._found():
                    self.ending = ending
                    return
            self.ending = Ending.COMPLETE if self.read == self.pairs else Ending.TIME_IS_UP
        finally:
            self.wall_s = time.monotonic() - began

    def _schedule(self) -> Iterator[_Fixture]:
        for number, tasks in enumerate(islice(self.setting.pairs(), self.pairs), 1):
            if number == 1:
                first = tasks[0]
            yield from map(_Fixture, tasks)
            if number == ALIKE:
                yield _Fixture(replace(first, id=f"{first.id}-again", keep_record=False), again=True)

    @property
    def read(self) -> int:
        """How many pairs are over, those that do not count among them."""
        return self.totals.pairs + len(self.void)

    def _add(self, pair: Pair) -> None:
        if self.read == 0 and not pair.void:
            self._first = pair.trails[0]
        if pair.void:
            self.void.append(pair)
            self._void_in_a_row += 1
            return
        self._void_in_a_row = 0
        self.totals.add(pair)

    def _found(self) -> Ending | None:
        """Why there is no point in going on, if there is none."""
        totals = self.totals
        if self._void_in_a_row == VOID:
            return Ending.VOID
        if totals.pairs == 1 and totals.reasons.keys() & _NOT_STARTED:
            return Ending.COULD_NOT_START
        if totals.pairs <= ALIKE and totals.alike(ALIKE):  # what may be one match again and again decides nothing
            return Ending.DETERMINISTIC if totals.pairs == ALIKE and self.reproducible else None
        return Ending.DECIDED if self.decide is not None and totals.pairs and self.decide(totals) else None


_NOT_STARTED = frozenset({Reason.COULD_NOT_START, Reason.BOTH_COULD_NOT_START})

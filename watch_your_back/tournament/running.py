"""Playing a tournament from wherever its store is to the end: what happens comes as a stream of small events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

from watch_your_back.agents import Agent
from watch_your_back.tournament.schedule import Fixture, count, fixtures, pair, pairings
from watch_your_back.tournament.settings import Settings
from watch_your_back.tournament.standing import given_up, met, pairs_played, points
from watch_your_back.tournament.store import Store, StoreError
from watch_your_back.tournament.swiss import pair_up, rank
from watch_your_back.tournament.tasks import MatchResult, MatchTask
from watch_your_back.tournament.workers import Workers

__all__ = ["Benched", "Happening", "MatchPlayed", "RoundPaired", "Tournament"]

RERUNS = 3
"""How often a void match is played again."""
STARTS = 3
"""An agent that could not start in its first so many matches is benched."""


class RoundPaired(NamedTuple):
    """The pairings of a Swiss round were made."""

    round: int
    pairs: int


class MatchPlayed(NamedTuple):
    """A match was played and is in the store."""

    fixture: Fixture
    result: MatchResult


class Benched(NamedTuple):
    """An agent plays no more matches, because it could not start in any of its first ones."""

    name: str
    why: str


Happening: TypeAlias = RoundPaired | MatchPlayed | Benched


class Tournament:
    """A tournament that has begun, in a store that is open for writing. Raises StoreError."""

    def __init__(self, store: Store) -> None:
        settings = store.settings
        if settings is None:
            raise StoreError(f"the tournament in {store.path} has not begun")
        if settings.rules_version != settings.game.rules_version:
            raise StoreError(
                f"the tournament in {store.path} was begun with version {settings.rules_version} of the rules of "
                f"{settings.game.id}, and these are version {settings.game.rules_version}; name the agents again"
            )
        self._store = store
        self._settings: Settings = settings
        self._names: list[str] = []
        self._agents: dict[str, Agent] = {}
        self._playing: set[str] = set()
        for entrant in store.entrants():
            self._names.append(entrant.name)
            if entrant.state == "plays" and entrant.agent is not None:
                if not entrant.agent.path.is_file():
                    raise StoreError(f"the copy of {entrant.name} is gone from {store.folder}; name the agents again")
                self._agents[entrant.name] = entrant.agent
                self._playing.add(entrant.name)

    def remaining(self) -> int:
        """How many matches are still to be played, those of Swiss rounds to come included."""
        settings = self._settings
        if settings.format == "swiss":
            rounds = range(1, settings.rounds + 1)
            to_pair = sum(not self._store.pairings(round) for round in rounds)
            later = count(replace(settings, rounds=to_pair), len(self._playing))
            return later + sum(self._is_due(each) for round in rounds for each in self._round(round))
        played = pairs_played(self._store, settings.rounds)
        meetings = (frozenset(agents) for agents in pairings(settings, self._names) if self._playing >= {*agents})
        return sum(max(0, 2 * settings.rounds - played[agents]) for agents in meetings) - self.given_up()

    def given_up(self) -> int:
        """How many matches were void as often as they may be."""
        return len(given_up(self._store, RERUNS))

    def play(self, workers: Workers) -> Iterator[Happening]:
        """Play all matches that are still to be played, and tell of each when it is in the store.

        Raises what `Workers.run` raises, and StoreError; what was told of is safe.
        """
        if self._settings.format != "swiss":
            yield from self._play(workers, partial(fixtures, self._settings, self._names))
            return
        for round in range(1, self._settings.rounds + 1):
            yield from self._pair(round)
            yield from self._play(workers, partial(self._round, round))

    def _play(self, workers: Workers, schedule: Callable[[], Iterable[Fixture]]) -> Iterator[Happening]:
        """Go through a part of the schedule until there is nothing left to do in it: void matches take several goes."""
        flying: dict[str, Fixture] = {}

        def tasks() -> Iterator[MatchTask]:
            for fixture in schedule():
                if self._is_due(fixture):
                    flying[fixture.id] = fixture
                    yield self._task(fixture)

        again = True
        while again:
            again = False
            for result in workers.run(tasks()):
                fixture = flying.pop(result.id)
                one, other = (self._agents[name] for name in fixture.agents)
                result = result.portable((one, other))
                self._store.add(fixture, result)
                again |= result.void
                yield MatchPlayed(fixture, result)
                yield from self._bench(fixture, result)

    def _pair(self, round: int) -> Iterator[Happening]:
        if self._store.pairings(round) or len(self._playing) < 2:
            return
        known, byes = met(self._store, round)
        now = points(self._store, round)
        drawn = pair_up(rank({name: now.get(name, 0.0) for name in self._playing}, self._settings.seed), known, byes)
        self._store.pair(round, [*drawn.pairs, *([(drawn.bye, None)] if drawn.bye is not None else [])])
        yield RoundPaired(round, len(drawn.pairs))

    def _round(self, round: int) -> Iterator[Fixture]:
        for one, other in self._store.pairings(round):
            if other is not None:
                yield from pair(self._settings, round, (one, other))

    def _is_due(self, fixture: Fixture) -> bool:
        if any(name not in self._playing for name in fixture.agents) or self._store.is_played(fixture.id):
            return False
        return self._store.voids(fixture.id) <= RERUNS

    def _task(self, fixture: Fixture) -> MatchTask:
        settings, (one, other) = self._settings, fixture.agents
        agents = self._agents[one], self._agents[other]
        setting = (settings.game, agents, fixture.first, settings.limits, fixture.seed, settings.require_tier)
        return MatchTask(fixture.id, *setting, allow_external=settings.allow_external)

    def _bench(self, fixture: Fixture, result: MatchResult) -> Iterator[Benched]:
        for failure in result.failures:
            name = fixture.seated[failure.side]
            if failure.ply < 0 and name in self._playing and (why := self._store.never_started(name, STARTS)):
                self._playing.discard(name)
                self._store.set_state(name, "benched", why)
                yield Benched(name, why)

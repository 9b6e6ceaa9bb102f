"""What a tournament would take: how many matches, how long, and how much disk, from a few that are played."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from watch_your_back.agents import Agent
from watch_your_back.tournament.schedule import count
from watch_your_back.tournament.settings import Settings
from watch_your_back.tournament.tasks import MatchResult, MatchTask, pair_seed

__all__ = ["Forecast", "forecast", "samples"]

ROW_BYTES = 1_000
"""What a match takes in the store beside its record, indexes included (measured)."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is to be expected: `match_s` and `match_bytes` are averages over `sampled` matches."""

    matches: int
    sampled: int
    match_s: float
    match_bytes: float
    longest_match_s: float | None
    """What a match takes at most if neither player waits for anything; None where there is no time limit."""

    @property
    def disk_bytes(self) -> float:
        """The size of the store in the end."""
        return self.matches * self.match_bytes

    def expected_s(self, workers: int) -> float:
        """How long it takes with so many matches at a time."""
        return self.matches * self.match_s / workers

    def longest_s(self, workers: int) -> float | None:
        """How long it takes if every player uses all its time."""
        return None if self.longest_match_s is None else self.matches * self.longest_match_s / workers


def samples(settings: Settings, agents: Sequence[Agent], matches: int) -> Iterator[MatchTask]:
    """So many matches of agents that are drawn, all of them about equally often, each side as often as the other."""
    rng = random.Random(settings.seed)
    deck: list[Agent] = []
    for number in range(matches):
        if len(deck) < 2:
            deck = rng.sample(agents, len(agents))
        pair = deck.pop(), deck.pop()
        seed = pair_seed(settings.seed, number, "sample")
        setting = (settings.game, pair, number % 2, settings.limits, seed, settings.require_tier)
        yield MatchTask(f"sample {number}", *setting, allow_external=settings.allow_external)


def forecast(settings: Settings, agents: int, results: Sequence[MatchResult]) -> Forecast:
    """What so many agents' tournament takes, if its matches are like these."""
    limit = settings.limits.cpu_s
    return Forecast(
        matches=count(settings, agents),
        sampled=len(results),
        match_s=sum(result.wall_s for result in results) / max(1, len(results)),
        match_bytes=ROW_BYTES + sum(len(result.record) for result in results) / max(1, len(results)),
        longest_match_s=None if limit is None else 2 * limit,
    )

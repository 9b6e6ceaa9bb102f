"""What a series of matches between two agents comes to, pair by pair."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from watch_your_back.confine.tiers import TIERS, weaker
from watch_your_back.match.events import PlayerFailed, Reason
from watch_your_back.statistics.repeats import Repeats, repeats
from watch_your_back.statistics.results import Pentanomial, Results, Tally, count
from watch_your_back.tournament.tasks import MatchResult, MatchTask

__all__ = ["Failures", "Pair", "Spent", "Totals"]


class Pair(NamedTuple):
    """Two matches with the same seed and opening: the agent in slot 0 plays the first side in one, then the other side.

    Numbers count from 1.
    """

    number: int
    tasks: tuple[MatchTask, MatchTask]
    results: tuple[MatchResult, MatchResult]

    @property
    def void(self) -> bool:
        """Whether one of the matches counts for nobody, and so the pair neither."""
        return any(result.void for result in self.results)

    @property
    def scores(self) -> tuple[float, float]:
        """What slot 0 got in each match: 1, a half or 0."""
        first, second = ({0: 1.0, 1: 0.0, None: 0.5}[result.winner] for result in self.results)
        return first, second

    @property
    def trails(self) -> tuple[str, str]:
        """The ways that the matches took: the same ones in two pairs that went the same way."""
        return self.results[0].trail, self.results[1].trail


class Spent:
    """An amount that was spent in each match, in seconds or MB; 0 where there is none."""

    def __init__(self) -> None:
        self._amounts = array("d")

    def add(self, amount: float) -> None:
        """What was spent in another match."""
        self._amounts.append(amount)

    @property
    def median(self) -> float:
        """In the middle one."""
        return median(self._amounts) if self._amounts else 0.0

    @property
    def worst(self) -> float:
        """In the one that took the most."""
        return max(self._amounts, default=0.0)


@dataclass(slots=True)
class Failures:
    """The matches that an agent lost for the same reason, counted by the side that it played, and the first of them."""

    reason: Reason
    first: PlayerFailed
    task: MatchTask
    by_side: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def count(self) -> int:
        """In how many matches."""
        return sum(self.by_side)


class Totals:
    """The pairs so far. Results are those of the agent in slot 0; what is in twos is by slot, if it is not by side."""

    def __init__(self) -> None:
        self.pentanomial = Pentanomial()
        self.reasons: Counter[str] = Counter()
        """Why the matches ended."""
        self.failures: tuple[list[Failures], list[Failures]] = ([], [])
        self.cpu_s = (Spent(), Spent())
        self.memory_mb = (Spent(), Spent())
        self.slowest_turn_s = [0.0, 0.0]
        self.tier = TIERS[-1]
        """The weakest at which a player was confined."""
        self._by_side = [Tally(), Tally()]
        self._scores: list[tuple[float, float]] = []
        self._trails: list[tuple[str, str]] = []

    @property
    def pairs(self) -> int:
        """How many there are."""
        return self.pentanomial.pairs

    @property
    def by_side(self) -> tuple[Tally, Tally]:
        """The results by the side that slot 0 played."""
        return self._by_side[0], self._by_side[1]

    @property
    def results(self) -> Results:
        """Those of both sides."""
        return Results(Tally(*map(sum, zip(*self._by_side, strict=True))), self.pentanomial)

    def distinct_matches(self) -> Repeats:
        """Matches that went the same way, with the agents at the same sides, are one."""
        return repeats((side, trail) for trails in self._trails for side, trail in enumerate(trails))

    def distinct_pairs(self) -> Repeats:
        """Pairs of which both matches went the same way are one."""
        return repeats(self._trails)

    def once(self) -> Results:
        """The results if each distinct pair is counted once."""
        return count(self._scores[position] for position in self.distinct_pairs().first)

    def alike(self, pairs: int) -> bool:
        """Whether the first so many pairs, or those so far, all went the same way."""
        return len(set(self._trails[:pairs])) == 1

    def add(self, pair: Pair) -> None:
        """Count a pair that is not void."""
        self.pentanomial = self.pentanomial.plus(*pair.scores)
        self._scores.append(pair.scores)
        self._trails.append(pair.trails)
        for side, (task, result) in enumerate(zip(pair.tasks, pair.results, strict=True)):
            self._by_side[side] = _plus(self._by_side[side], result.winner)
            self._add_match(task, result)

    def _add_match(self, task: MatchTask, result: MatchResult) -> None:
        self.reasons[result.reason] += 1
        for side, slot in enumerate(result.slots):
            self.cpu_s[slot].add(result.usage[side].cpu_s)
            self.memory_mb[slot].add(result.usage[side].memory_mb)
            self.slowest_turn_s[slot] = max(self.slowest_turn_s[slot], result.slowest_s[side])
            self.tier = weaker(self.tier, result.tiers[side])
        for failure in _decisive(result):
            known = self.failures[result.slots[failure.side]]
            same = next((each for each in known if each.reason == failure.reason), None)
            if same is None:
                same = Failures(failure.reason, failure, task)
                known.append(same)
            same.by_side[failure.side] += 1


def _plus(tally: Tally, winner: int | None) -> Tally:
    wins, draws, losses = tally
    return Tally(wins + (winner == 0), draws + (winner is None), losses + (winner == 1))


def _decisive(result: MatchResult) -> Sequence[PlayerFailed]:
    """The failures that decided the match: not those of a player that was told its end."""
    if result.reason == Reason.BOTH_COULD_NOT_START:
        return result.failures
    lost = (each for each in result.failures if each.reason == result.reason)
    return [each for each in lost if result.slots[each.side] != result.winner][:1]

"""`watch_your_back.compare`: a series of matches of two agents, and what it shows as a value."""

from __future__ import annotations

import io
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from watch_your_back.api.classes import Given, agents_of
from watch_your_back.api.playing import Result, game_of, no_player, warn_unconfined
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.confine.limits import Limits
from watch_your_back.game import Game
from watch_your_back.match.record import Record
from watch_your_back.show.text import clean, one_line
from watch_your_back.statistics import Estimate, Sprt, Tally
from watch_your_back.tournament.conclusions import Conclusion, conclude
from watch_your_back.tournament.series import Ending, Series, Setting
from watch_your_back.tournament.settings import DEFAULT_LIMITS
from watch_your_back.tournament.tasks import MatchResult
from watch_your_back.tournament.workers import Workers

__all__ = ["Comparison", "compare"]

MATCHES = 100
"""How many there are if nothing else ends the series."""


@dataclass(frozen=True, repr=False)
class Comparison:
    """What a series of matches shows of its first agent, against its second.

    In a notebook it shows itself as tables.
    """

    series: Series
    """Everything: totals by side, failures, time and memory; it goes on while the series is being played."""
    conclusion: Conclusion
    """The verdict, estimates, and what to know beside them."""
    played: tuple[MatchResult, ...]
    """The matches that count, in the order of the schedule, with their records if those were kept."""

    @property
    def verdict(self) -> str:
        """`better`, `worse`, `cannot tell yet`, ...: a word of `watch_your_back.tournament.conclusions.Verdict`."""
        return str(self.conclusion.verdict)

    @property
    def sentence(self) -> str:
        """The verdict in a plain sentence or two."""
        return one_line(self.conclusion.sentence)

    @property
    def names(self) -> tuple[str, str]:
        """What the two agents are called."""
        return self.conclusion.labels

    @property
    def tally(self) -> Tally:
        """Wins, draws and losses of the first agent."""
        won = [each.winner for each in self.played]
        return Tally(won.count(0), won.count(None), won.count(1))

    @property
    def score(self) -> float | None:
        """Its share of the points, 0 to 1; None without a match."""
        return self.tally.score

    @property
    def elo(self) -> Estimate:
        """The difference in strength in Elo points, with both ends of its 95 % interval."""
        return self.conclusion.strength.elo

    @property
    def los(self) -> float | None:
        """The probability that the first agent is the stronger one."""
        return self.conclusion.strength.los

    @property
    def seed(self) -> int:
        """What all matches were seeded from."""
        return self.series.setting.seed

    @cached_property
    def matches(self) -> tuple[Result, ...]:
        """Each match that counts, with its replay; none unless records were kept."""
        return tuple(_result(each) for each in self.played if each.record)

    def __repr__(self) -> str:
        return f"<{self.sentence}>"

    def _repr_html_(self) -> str:
        from watch_your_back.api.tables import comparison_html

        return comparison_html(self)


def _result(played: MatchResult) -> Result:
    import gzip

    text = gzip.decompress(played.record).decode("ascii")
    return Result(Record.load(io.StringIO(text)), text)


def compare(
    a: Given,
    b: Given,
    *,
    matches: int | None = None,
    game: str | Game = "watch_your_back",
    limits: Limits = DEFAULT_LIMITS,
    seed: int | None = None,
    jobs: int | None = None,
    opening: int = 0,
    sprt: tuple[float, float] | None = None,
    seconds: float | None = None,
    require_tier: str | None = None,
    allow_external: bool = False,
    keep_records: bool = True,
    progress: Callable[[Comparison], object] | None = None,
) -> Comparison:
    """Find out whether agent `a` is better than `b`, in pairs of matches with the sides swapped, as `wyb compare` does.

    Agents are given as to `play`. The series ends after so many `matches` (100 if nothing else ends it), after so many
    `seconds`, or when a sequential test decides between the differences `sprt` in Elo, whichever is first. `jobs`
    matches are played at the same time, as many as there are processors unless given. `opening` is the number of random
    actions that each pair begins after. `progress` is told how things stand after each pair.

    Raises what `play` does, ValueError for an opening that is too long, and what went wrong when the referee kept
    failing; Ctrl-C is a KeyboardInterrupt. Warns with Unconfined.
    """
    no_player("compare")
    if matches is not None and matches < 1:
        raise ValueError(f"a comparison has at least 1 match, not {matches}")
    test = None if sprt is None else Sprt(*sprt)
    if matches is None and test is None and seconds is None:
        matches = MATCHES
    with agents_of(a, b) as (first, second):
        for agent in (first, second):
            if agent.kind == "person":
                raise ValueError(f"{agent.name} is a person at the keyboard, who cannot be compared")
        setting = Setting(
            game=game_of(game),
            agents=(first, second),
            limits=limits,
            seed=secrets.randbits(32) if seed is None else seed,
            opening=opening,
            require_tier=require_tier,
            keep_records=keep_records,
            allow_external=allow_external,
        )
        series = Series(
            setting,
            pairs=None if matches is None else (matches + 1) // 2,
            decide=None if test is None else lambda totals: test.state(totals.pentanomial).decision != "continue",
            seconds=seconds,
        )
        played: list[MatchResult] = []
        with Workers(jobs) as workers:
            for pair in series.play(workers):
                played += pair.results
                if progress is not None:
                    progress(Comparison(series, conclude(series, test), tuple(played)))
    if series.ending == Ending.VOID:
        failed = next(result for pair in series.void for result in pair.results if result.void)
        raise ConfinementError(f"{failed.reason}: {clean(failed.detail)}")
    if played and "external" not in (first.kind, second.kind):
        warn_unconfined([series.totals.tier])
    return Comparison(series, conclude(series, test), tuple(played))

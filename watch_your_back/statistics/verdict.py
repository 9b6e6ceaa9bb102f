"""What the results of two agents mean, in one plain sentence, and how many more matches it would take to know."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

from watch_your_back.statistics.results import Results
from watch_your_back.statistics.score import Z, design_effect, strength
from watch_your_back.statistics.sprt import Sprt, SprtState

__all__ = ["Finding", "Verdict", "judge", "judge_sprt"]

Verdict: TypeAlias = Literal["better", "worse", "not better", "not worse", "cannot tell yet"]

MANY = 100_000


class Finding(NamedTuple):
    """Whether the first-named agent is better than the second; if that is open, how many more matches would settle it.

    `more` counts matches, an even number, at the present score and share of draws; it is `None` where the question is
    settled, and where no number of matches would settle it. `margin` are the Elo points by which an agent is not better
    or not worse.
    """

    verdict: Verdict
    more: int | None = None
    margin: float | None = None

    def sentence(self, first: str, second: str) -> str:
        """The finding for people, about agents of these names."""
        match self.verdict:
            case "better" | "worse":
                return f"{first} is {self.verdict} than {second}."
            case "not better" | "not worse":
                margin = f"{self.margin:g} Elo points " if self.margin else ""
                return f"{first} is not {margin}{self.verdict.removeprefix('not ')} than {second}."
        if self.more is None:
            return "Cannot tell yet; at the present score, more matches would not tell either."
        if self.more > MANY:
            return f"Cannot tell yet; at the present score it would take more than {MANY:,} more matches."
        digits = max(0, len(str(self.more)) - 2)
        return f"Cannot tell yet; at the present score it would take about {round(self.more, -digits):,} more matches."


def judge(results: Results) -> Finding:
    """The finding from the 95 % interval of the score.

    It is meant for a number of matches that was settled beforehand. Who looks again and again, and stops when the
    interval pleases, is wrong more often than one time in twenty; that is what the sequential test is for.
    """
    score = strength(results).score
    if score.value is None or score.low is None or score.high is None:
        return Finding("cannot tell yet")
    if score.low > 0.5:
        return Finding("better")
    if score.high < 0.5:
        return Finding("worse")
    if score.value == 0.5:
        return Finding("cannot tell yet")
    # The interval excludes a half once (score - 1/2)^2 exceeds Z^2 * design effect / (4 * matches).
    needed = (Z / (score.value - 0.5)) ** 2 * design_effect(results) / 4
    return Finding("cannot tell yet", _even(needed - results.tally.matches))


def judge_sprt(test: Sprt, state: SprtState, matches_a_unit: int = 2) -> Finding:
    """The finding from a sequential test; a unit of the state is a pair of two matches, or a single one.

    Accepting H0 only rejects that the agent is `elo1` points stronger: where elo1 is above 0 it is no more than "not
    better". Likewise, accepting H1 where elo0 is below 0 is no more than "not worse".
    """
    if state.decision == "accept H1":
        return Finding("better") if test.elo0 >= 0 else Finding("not worse", margin=-test.elo0)
    if state.decision == "accept H0":
        return Finding("worse") if test.elo1 <= 0 else Finding("not better", margin=test.elo1)
    if state.llr == 0:
        return Finding("cannot tell yet")
    bound = state.upper if state.llr > 0 else state.lower
    units = max(1.0, state.units * (bound / state.llr - 1))
    return Finding("cannot tell yet", _even(units * matches_a_unit))


def _even(matches: float) -> int:
    """At least this many matches, in whole pairs, and one pair at the least."""
    return 2 * max(1, math.ceil(matches / 2))

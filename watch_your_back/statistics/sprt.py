"""The sequential probability ratio test: playing on until it is clear which of two hypotheses holds.

The hypotheses are that the first agent is `elo0` or `elo1` points stronger. The test is Wald's (1945, "Sequential tests
of statistical hypotheses") with the generalised likelihood ratio: under each hypothesis the kinds of result have the
probabilities that make what was seen most likely among those with the right mean (Van den Bergh 2019, "A practical
introduction to the GSPRT"). The kinds are five for pairs, three for single matches.

Two things keep the error rates within their bounds also when few pairs decide: no decision falls before there are
`MINIMUM_PAIRS`, and the ratio is reduced by (n - 1) / n, since a variance estimated from n pairs is too small by that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from watch_your_back.statistics.elo import score_of
from watch_your_back.statistics.results import Pentanomial, Tally

__all__ = ["MINIMUM_PAIRS", "Decision", "Sprt", "SprtState"]

Decision: TypeAlias = Literal["accept H0", "accept H1", "continue"]

MINIMUM_PAIRS = 8
"""Nothing is decided before this number of pairs, or twice as many single matches."""
UNSEEN = 1e-3
"""How often a kind of result that never came about is taken to have."""


class SprtState(NamedTuple):
    """Where the test stands: the log-likelihood ratio between its two bounds, and what that means."""

    llr: float
    lower: float
    upper: float
    decision: Decision
    units: int
    """Pairs, or single matches, that it rests on."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H0, the first agent is `elo0` points stronger, against H1, it is `elo1` points stronger.

    `alpha` bounds the probability that H1 is accepted where H0 is true, `beta` the other way round. Raises ValueError
    unless elo0 is less than elo1, and alpha and beta are above 0 and below a half.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise ValueError(f"the first of the two Elo differences is the smaller one, not {self.elo0} {self.elo1}")
        if max(abs(self.elo0), abs(self.elo1)) > 2000:
            raise ValueError(f"the two Elo differences are within 2000, not {self.elo0} {self.elo1}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name} is above 0 and below 0.5, not {rate}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def state(self, counts: Pentanomial | Tally) -> SprtState:
        """Where the test stands after these pairs, or these single matches."""
        (lower, upper), llr, units = self.bounds, self.llr(counts), sum(counts)
        decision: Decision = "continue"
        if units >= (MINIMUM_PAIRS if isinstance(counts, Pentanomial) else 2 * MINIMUM_PAIRS):
            decision = "accept H0" if llr <= lower else "accept H1" if llr >= upper else "continue"
        return SprtState(llr, lower, upper, decision, units)

    def follow(self, pairs: Iterable[tuple[float, float]]) -> SprtState:
        """Where the test stands after these pairs of scores of the first agent (1, a half or 0), in this order.

        Give them in the order of the schedule. It ends with the pair that decides it: later ones are not read.
        """
        counts = Pentanomial()
        state = self.state(counts)
        for pair in pairs:
            counts = counts.plus(*pair)
            state = self.state(counts)
            if state.decision != "continue":
                break
        return state

    def llr(self, counts: Pentanomial | Tally) -> float:
        """The log-likelihood ratio of H1 to H0."""
        units = sum(counts)
        if units == 0:
            return 0.0
        cells = [(value, number or UNSEEN) for value, number in counts.cells]
        tilt0, tilt1 = (_tilt(cells, score_of(elo)) for elo in (self.elo0, self.elo1))
        score0, score1 = score_of(self.elo0), score_of(self.elo1)
        ratio = math.fsum(
            number * (math.log1p(tilt0 * (value - score0)) - math.log1p(tilt1 * (value - score1)))
            for value, number in cells
        )
        return ratio * (units - 1) / units


def _tilt(cells: list[tuple[float, float]], score: float) -> float:
    """How the observed frequencies must be tilted for their mean to be the score.

    The most likely probability of a cell is its frequency / (1 + tilt * (value - score)); the tilt is where the mean of
    (value - score) under these probabilities is 0, a falling function, found by Newton's method within a bracket.
    """
    offsets = [(value - score, number) for value, number in cells]
    low, high = -1 / (1 - score), 1 / score
    tilt = 0.0
    for _ in range(200):
        terms = [(offset / (1 + tilt * offset), number) for offset, number in offsets]
        value = math.fsum(term * number for term, number in terms)
        low, high = (tilt, high) if value > 0 else (low, tilt)
        following = tilt + value / math.fsum(term * term * number for term, number in terms)
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - tilt) <= 1e-12 * max(1.0, abs(tilt)):
            break
        tilt = following
    return tilt

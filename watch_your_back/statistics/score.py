"""How strong one agent is against another, with honest intervals: also from few matches and from one-sided ones.

The interval of the score is Wilson's (1927, "Probable inference, the law of succession, and statistical inference"),
for as many matches as the results are worth: their number divided by the design effect, which is the variance of the
score over that of independent matches without draws (Kish 1965, "Survey Sampling"; with Wilson's interval: Dean and
Pagano 2015, "Evaluating confidence interval methods for binomial proportions in clustered surveys"). Draws, and pairs
with swapped sides, make matches worth more. The variance is that between pairs, not between matches.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

from watch_your_back.statistics.elo import POINTS, Estimate, elo_of
from watch_your_back.statistics.results import Results

__all__ = ["Strength", "Z", "design_effect", "strength", "wilson"]

NORMAL = NormalDist()
Z = NORMAL.inv_cdf(0.975)
"""Standard deviations on either side of the mean that hold 95 % of a normal distribution: 1.96."""
PHANTOMS = 4
"""The design effect is estimated as if there were four more pairs (or single matches), of independent matches without
draws: otherwise ten even pairs would prove equality. Simulated coverage stays above 92 % from five pairs on."""


class Strength(NamedTuple):
    """How strong the first-named agent is against the second."""

    score: Estimate
    """Points a match, 0 to 1."""
    elo: Estimate
    """The difference in Elo points at which that score is expected."""
    nelo: Estimate
    """Normalised Elo: the score above a half in standard deviations of a match, in units of 347.4 points (Van den
    Bergh 2020, "Normalized Elo"); `None` where the results do not vary."""
    los: float | None
    """Likelihood of superiority: the probability, 0 to 1, that the first is the stronger; `None` without a match."""


def wilson(successes: float, trials: float) -> tuple[float, float]:
    """Both ends of the 95 % interval of a rate, 0 to 1, by Wilson's formula; (0, 1) without trials.

    Raises ValueError unless successes are from 0 to trials.
    """
    if not 0 <= successes <= trials or not math.isfinite(trials):
        raise ValueError(f"a rate is of 0 to {trials:g} successes, not {successes:g}")
    if trials == 0:
        return 0.0, 1.0
    rate, weight = successes / trials, Z * Z / trials
    centre = (rate + weight / 2) / (1 + weight)
    half = math.sqrt(rate * (1 - rate) * weight + weight * weight / 4) / (1 + weight)
    return (0.0 if successes == 0 else centre - half), (1.0 if successes == trials else centre + half)


def _variance(results: Results) -> float:
    """Of the points in all matches together, from the variance between pairs and that of single matches."""
    (wins, draws, _), matches = results.tally, results.tally.matches
    score = (wins + draws / 2) / matches
    variance = results.unpaired * max(0.0, (wins + draws / 4) / matches - score**2)
    pairs = results.pairs.pairs
    if pairs > 1:
        mean = sum(value * number for value, number in results.pairs.cells) / pairs
        squares = sum((value - mean) ** 2 * number for value, number in results.pairs.cells)
        variance += 4 * squares * pairs / (pairs - 1)
    return variance


def design_effect(results: Results) -> float:
    """The variance of the score over that of as many independent matches without draws: below 1 with draws.

    Raises ValueError without matches.
    """
    matches, score = results.tally.matches, results.tally.score
    if score is None:
        raise ValueError("there is no match yet")
    phantoms = PHANTOMS * matches / (results.pairs.pairs + results.unpaired) / 4
    return (_variance(results) + phantoms) / (matches * score * (1 - score) + phantoms)


def strength(results: Results) -> Strength:
    """Score, Elo with both ends of its interval, normalised Elo, and likelihood of superiority."""
    matches, score = results.tally.matches, results.tally.score
    unknown = Estimate(None, None, None)
    if score is None:
        return Strength(unknown, unknown, unknown, None)
    worth = matches / design_effect(results)
    low, high = wilson(score * worth, worth)
    nelo, variance = unknown, _variance(results) / matches
    if variance > 0:
        value, half = 2 * POINTS * (score - 0.5) / math.sqrt(variance), 2 * POINTS * Z / math.sqrt(matches)
        nelo = Estimate(value, value - half, value + half)
    return Strength(
        score=Estimate(score, low, high),
        elo=Estimate(elo_of(score), elo_of(low), elo_of(high)),
        nelo=nelo,
        los=NORMAL.cdf(2 * (score - 0.5) * math.sqrt(worth)),
    )

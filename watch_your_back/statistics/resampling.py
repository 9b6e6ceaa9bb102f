"""How far the strengths could be off: the fit of many tournaments that might as well have been played.

A parametric bootstrap whose unit is the pair. Weighting the played pairs anew at random would be simpler, but knows
nothing of results that did not happen: an unbeaten agent would be unbeaten in all resamples, and with a few pairs an
agent the intervals would be much too narrow (83 % instead of 95 % for two agents with five pairs). So each resample
gives every possible result of every meeting a weight drawn from a gamma distribution, whose mean is the number expected
of it by the fitted model and whose variance is that mean, times the spread. For two agents without draws this is
Jeffreys' interval, a known good one. The spread is how much more the results of pairs vary than those of independent
matches would: from all pairs together, since that of one meeting cannot be told from the few that there are.
"""

from __future__ import annotations

import numpy as np

from watch_your_back.statistics.davidson import Counts, Fit, Floats, Ints, Pairing, chances, fit

__all__ = ["PRIOR", "phantoms", "resample", "spread"]

PRIOR = 2.0
"""Phantom matches of each agent, half of them won. With one alone, the differences that many agents with few matches
show (a Swiss tournament) are a quarter too large; with two they are right on average, in the simulations."""
PHANTOM_PAIRS = 4
CELLS = 500_000
"""So many weights are held at once, which bounds the memory used."""


def phantoms(agents: int, played: Floats, prior: float) -> Counts:
    """The matches, with shape (3, 2, pairs) as in `Counts`, as a single sample with the phantom matches added."""
    return Counts(played[None], np.full((1, agents, 2), prior / 2), np.full((1, 2), 0.5))


def spread(pairing: Pairing, played: Floats, fitted: Fit, units: Ints, cells: Ints) -> float:
    """The variance between pairs over that expected of independent matches; 1 where it is less.

    `units` and `cells`, both of shape (matches,), say for each match which pair it belongs to, and its place in
    `played`. Four phantom pairs that vary as expected steady the estimate.
    """
    win, _, loss = chances(pairing, fitted)[0]
    lead = win - loss
    variance = float((played.sum(axis=0) * (win + loss - lead**2)).sum()) / 4
    result, place = np.divmod(cells, lead.size)
    surprise = (1 - result - lead.ravel()[place]) / 2
    # Sorted, so that the sum does not depend on the order of the matches in its last digits either.
    squares = float(np.sort(np.bincount(units, surprise) ** 2).sum())
    count = int(units.max(initial=-1)) + 1
    left = max(0.0, 1 - (pairing.agents - 1) / count) if count else 0.0
    steady = PHANTOM_PAIRS / 2
    return max(1.0, (squares + steady) / (variance * left + steady))


def resample(
    pairing: Pairing,
    played: Floats,
    fitted: Fit,
    *,
    factor: float,
    prior: float,
    number: int,
    seed: int,
    first_mover: bool,
) -> Fit:
    """The parameters fitted to each of a number of resamples; `factor` is the spread, `played` as in `phantoms`."""
    random = np.random.default_rng(seed)
    expected = played.sum(axis=0) * chances(pairing, fitted)[0] / factor
    win = 0.5 + 0.5 * np.tanh(fitted.strengths[0] / 2)
    against = prior * np.stack([win, 1 - win], axis=-1)
    at_once = max(1, CELLS // (expected.size + against.size + 1))
    parts = []
    for begin in range(0, number, at_once):
        size = min(at_once, number - begin)
        counts = Counts(
            played=random.gamma(expected, size=(size, *expected.shape)) * factor,
            phantoms=random.gamma(against, size=(size, *against.shape)),
            equals=random.gamma(0.5, size=(size, 2)),
        )
        parts.append(fit(pairing, counts, first_mover=first_mover, start=fitted, tolerance=0.03))
    strengths, advantage, draws = (np.concatenate(arrays) for arrays in zip(*(part[:3] for part in parts), strict=True))
    return Fit(strengths, advantage, draws, fitted.covariance)

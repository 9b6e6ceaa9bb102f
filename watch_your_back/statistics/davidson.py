"""Strengths from the results of matches: the Bradley-Terry model with draws and an advantage of moving first.

The model is that of Davidson (1970, "On extending the Bradley-Terry model to accommodate ties in paired comparison
experiments") with the order effect of Davidson and Beaver (1977, "On extending the Bradley-Terry model to incorporate
within-pair order effects"). Where `x` is the strength of the agent that moves first, less that of the other, plus the
advantage of moving first, the results have probabilities in the proportions

    first wins : draw : second wins  =  exp(x / 2) : draws : exp(-x / 2)

so the log-likelihood is concave in the strengths, the advantage and log(draws). Phantom matches of every agent against
one of strength 0, half of them won, keep the strength of an unbeaten agent finite; one between two equals, half won by
the first and half by the second, does the same for the advantage and the draws.

Arrays have the samples, which are different weightings of the same matches, as their first axis: they are all fitted
together. Strengths are in natural units, in which 1 is a factor e in the odds of winning.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Counts", "Fit", "Floats", "Ints", "Pairing", "chances", "fit", "totals"]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

STEPS = 100
LONGEST = 3.0
"""The largest change of a parameter in one step: from far away a Newton step may go much too far."""
DIRECTIONS = 40
"""At most so many conjugate directions for one step; what is left of it is made up by the next one."""
ACCURACY = 0.05
"""The share of a step that may be left to the next one."""
TINY = np.finfo(float).tiny
BLOCK = 64
"""So many columns of a matrix are computed at once, which bounds the memory used."""


class Pairing(NamedTuple):
    """Which agents met: pair number u is of the agents `one[u]` and `other[u]`, both of shape (pairs,)."""

    agents: int
    one: Ints
    other: Ints


class Counts(NamedTuple):
    """How often (or with which weight) each thing happened.

    `played` has shape (samples, 3, 2, pairs): a win of the pair's `one`, a draw, or a loss; `one` moving first, or
    second; the pair. `phantoms` has shape (samples, agents, 2): wins and losses against the phantom of strength 0.
    `equals` has shape (samples, 2): wins of the first and of the second in the phantom match between equals.
    """

    played: Floats
    phantoms: Floats
    equals: Floats


class Fit(NamedTuple):
    """The most likely parameters of each sample.

    `strengths` has shape (samples, agents); `advantage` of moving first and `draws` have shape (samples,). `draws` is 0
    where there was none: it is the weight of a draw between equals of whom each wins with weight 1. `covariance` has
    shape (agents + 2, agents + 2): of the strengths, the advantage and log(draws), by the inverse of the information;
    for several samples, of one that is typical of them.
    """

    strengths: Floats
    advantage: Floats
    draws: Floats
    covariance: Floats


class _Odds(NamedTuple):
    """Probabilities of a win, a draw and a loss, and the logarithm of what the odds were divided by."""

    win: Floats
    draw: Floats
    loss: Floats
    total: Floats


class _Point(NamedTuple):
    """Parameters, their log-likelihood, and the odds of the matches, of the phantom ones and of those of equals."""

    parameters: Floats
    value: Floats
    odds: _Odds
    phantom: _Odds
    equal: _Odds


class _Curvature(NamedTuple):
    """Second derivatives of the log-likelihood, with their signs turned.

    Those of the matches are by the difference in strength of a pair and by that difference again, the advantage, or
    log(draws), each of shape (samples, pairs). `common`, of shape (samples, 2, 2), is by the advantage and log(draws).
    """

    strengths: Floats
    advantage: Floats
    draws: Floats
    phantoms: Floats  # (samples, agents): by the strength, twice
    common: Floats


def totals(values: Floats, index: Ints, size: int) -> Floats:
    """Sums over the last axis of the values that have the same index: shape (samples, size)."""
    result = np.zeros((len(values), size))
    order = np.argsort(index, kind="stable")
    found, starts = np.unique(index[order], return_index=True)
    if len(found):
        result[:, found] = np.add.reduceat(values[:, order], starts, axis=1)
    return result


def _odds(x: Floats, draws: Floats | float) -> _Odds:
    """The model: `x` is in favour of the one whose win it is."""
    size = np.abs(x)
    root = np.exp(-size / 2)
    draw, worse = draws * root, root * root
    total = 1 + draw + worse
    better, worse = 1 / total, worse / total
    ahead = x > 0
    return _Odds(np.where(ahead, better, worse), draw / total, np.where(ahead, worse, better), size / 2 + np.log(total))


def _by_seat(pairing: Pairing, strengths: Floats, advantage: Floats) -> Floats:
    """What is in favour of each pair's `one`, moving first and second: shape (samples, 2, pairs)."""
    ahead = strengths[:, pairing.one] - strengths[:, pairing.other]
    return np.stack([ahead + advantage[:, None], ahead - advantage[:, None]], axis=1)


def chances(pairing: Pairing, fitted: Fit) -> Floats:
    """The fitted probability of each result of a match: shape (samples, 3, 2, pairs), as `Counts.played`."""
    odds = _odds(_by_seat(pairing, fitted.strengths, fitted.advantage), fitted.draws[:, None, None])
    return np.stack([odds.win, odds.draw, odds.loss], axis=1)


class _Problem:
    """The log-likelihood of many samples and its derivatives.

    The parameters of a sample are the strengths, the advantage and log(draws): shape (samples, agents + 2).
    """

    def __init__(self, pairing: Pairing, counts: Counts, first_mover: bool) -> None:
        self.pairing, self.counts = pairing, counts
        self.has_draws = bool(counts.played[:, 1].any())
        self.fixed = np.array([*[False] * pairing.agents, not first_mover, not self.has_draws])
        self.played = counts.played.sum(axis=1)
        self.surplus = counts.played[:, 0] - counts.played[:, 2]
        self.drawn = counts.played[:, 1].sum(axis=(1, 2))

    def unpack(self, parameters: Floats) -> tuple[Floats, Floats, Floats]:
        """The strengths, the advantage, and the weight of draws."""
        draws = np.exp(parameters[:, -1]) if self.has_draws else np.zeros(len(parameters))
        return parameters[:, :-2], parameters[:, -2], draws

    def at(self, parameters: Floats) -> _Point:
        """These parameters with the log-likelihood of each sample, the phantom matches included."""
        (_, phantoms, equals), (strengths, advantage, draws) = self.counts, self.unpack(parameters)
        x = _by_seat(self.pairing, strengths, advantage)
        odds, phantom, equal = _odds(x, draws[:, None, None]), _odds(strengths, 0.0), _odds(advantage, draws)
        value: Floats = (self.surplus * x / 2 - self.played * odds.total).sum(axis=(1, 2))
        value += ((phantoms[..., 0] - phantoms[..., 1]) * strengths / 2).sum(axis=1)
        value -= (phantoms.sum(axis=-1) * phantom.total).sum(axis=1)
        value += (equals[:, 0] - equals[:, 1]) * advantage / 2 - equals.sum(axis=1) * equal.total
        if self.has_draws:
            value += self.drawn * parameters[:, -1]
        return _Point(parameters, value, odds, phantom, equal)

    def derivatives(self, point: _Point) -> tuple[Floats, _Curvature]:
        """The gradient, of the same shape as the parameters, and the curvature."""
        (_, phantoms, equals), (parameters, _, odds, phantom, equal) = self.counts, point
        lead, played, met = odds.win - odds.loss, self.played, equals.sum(axis=1)
        equal_lead = equal.win - equal.loss
        slope = (self.surplus - played * lead) / 2
        gradient = np.empty_like(parameters)
        gradient[:, :-2] = self._to_agents(slope.sum(axis=1))
        gradient[:, :-2] += phantoms[..., 0] * phantom.loss - phantoms[..., 1] * phantom.win
        gradient[:, -2] = (slope[:, 0] - slope[:, 1]).sum(axis=1)
        gradient[:, -2] += (equals[:, 0] - equals[:, 1] - met * equal_lead) / 2
        gradient[:, -1] = self.drawn - (played * odds.draw).sum(axis=(1, 2)) - met * equal.draw
        gradient[:, self.fixed] = 0.0
        curve = played * (odds.win + odds.loss - lead**2) / 4
        cross = -played * odds.draw * lead / 2
        common = np.empty((len(parameters), 2, 2))
        common[:, 0, 0] = curve.sum(axis=(1, 2)) + met * (equal.win + equal.loss - equal_lead**2) / 4
        common[:, 0, 1] = (cross[:, 0] - cross[:, 1]).sum(axis=1) - met * equal.draw * equal_lead / 2
        common[:, 1, 0] = common[:, 0, 1]
        common[:, 1, 1] = (played * odds.draw * (1 - odds.draw)).sum(axis=(1, 2)) + met * equal.draw * (1 - equal.draw)
        return gradient, _Curvature(
            strengths=curve.sum(axis=1),
            advantage=curve[:, 0] - curve[:, 1],
            draws=cross.sum(axis=1),
            phantoms=phantoms.sum(axis=-1) * phantom.win * phantom.loss,
            common=common,
        )

    def _to_agents(self, values: Floats) -> Floats:
        """What each agent gets of values of the difference in strength of each pair: shape (samples, agents)."""
        agents, one, other = self.pairing
        return totals(values, one, agents) - totals(values, other, agents)

    def product(self, curvature: _Curvature, direction: Floats) -> Floats:
        """The information, which is the Hessian with its sign turned, times a direction of each sample."""
        strengths, common = direction[:, :-2], direction[:, -2:]
        ahead = strengths[:, self.pairing.one] - strengths[:, self.pairing.other]
        moved = curvature.strengths * ahead + curvature.advantage * common[:, :1] + curvature.draws * common[:, 1:]
        result = np.empty_like(direction)
        result[:, :-2] = self._to_agents(moved) + curvature.phantoms * strengths
        result[:, -2] = (curvature.advantage * ahead).sum(axis=1)
        result[:, -1] = (curvature.draws * ahead).sum(axis=1)
        result[:, -2:] += (curvature.common * common[:, None, :]).sum(axis=-1)
        result[:, self.fixed] = direction[:, self.fixed]
        return result

    def covariance(self, curvature: _Curvature) -> Floats:
        """The inverse of the information, on average over the samples: shape (agents + 2, agents + 2)."""
        mean = _Curvature(*(part.mean(axis=0, keepdims=True) for part in curvature))
        basis = np.eye(self.pairing.agents + 2)
        columns = [self.product(mean, basis[begin : begin + BLOCK]) for begin in range(0, len(basis), BLOCK)]
        return np.linalg.inv(np.concatenate(columns))

    def step(self, gradient: Floats, curvature: _Curvature, covariance: Floats) -> Floats:
        """The Newton step of each sample, by conjugate gradients with the covariance as the preconditioner.

        Exact at once where it is the sample's own; in a few directions for similar ones, without a matrix for each.
        """
        step, rest = np.zeros_like(gradient), gradient
        direction = improved = gradient @ covariance
        first = size = (rest * improved).sum(axis=1)
        for _ in range(DIRECTIONS):
            product = self.product(curvature, direction)
            length = size / np.maximum((direction * product).sum(axis=1), TINY)
            step = step + length[:, None] * direction
            rest = rest - length[:, None] * product
            improved = rest @ covariance
            before, size = size, (rest * improved).sum(axis=1)
            if (size <= ACCURACY**2 * first).all():
                break
            direction = improved + (size / np.maximum(before, TINY))[:, None] * direction
        return step


def fit(
    pairing: Pairing, counts: Counts, *, first_mover: bool = True, start: Fit | None = None, tolerance: float = 1e-12
) -> Fit:
    """The maximum of the likelihood of each sample, by Newton's method with steps halved until they gain.

    `start` is a fit of one similar sample to begin from. The last step is the one that gains less than about half the
    tolerance in log-likelihood: it moves no strength by more than the square root of the tolerance in standard errors,
    and what is left after it is less by far. Without `first_mover` the advantage of moving first is taken to be 0.

    Raises ArithmeticError if it does not converge; the problem being concave, that would be an error of ours.
    """
    problem = _Problem(pairing, counts, first_mover)
    parameters = np.zeros((len(counts.played), pairing.agents + 2))
    if start is not None:
        parameters[:, :-2], parameters[:, -2] = start.strengths, start.advantage
        parameters[:, -1] = np.log(start.draws) if problem.has_draws else 0.0
    point = problem.at(parameters)
    for _ in range(STEPS):
        gradient, curvature = problem.derivatives(point)
        covariance = problem.covariance(curvature) if start is None else start.covariance
        step = problem.step(gradient, curvature, covariance)
        if (gradient * step).sum(axis=1).max(initial=0.0) < tolerance:
            return Fit(*problem.unpack(point.parameters + step), covariance)
        step *= np.minimum(1.0, LONGEST / np.maximum(np.abs(step).max(axis=1, keepdims=True), LONGEST))
        while True:
            tried = problem.at(point.parameters + step)
            worse = tried.value < point.value - 1e-9 * (1 + np.abs(point.value))
            if not worse.any():
                break
            step[worse] /= 2
        point = tried
    raise ArithmeticError(f"the ratings did not converge within {STEPS} steps")

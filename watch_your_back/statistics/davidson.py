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

NO_DRAWS = np.full(1, -np.inf)
"""The logarithm of the weight of draws in matches that cannot be drawn."""
STEPS = 100
LONGEST = 3.0
"""The largest change of a parameter in one step: from far away a Newton step may go much too far."""
DIRECTIONS = 40
"""At most so many conjugate directions for one step; what is left of it is made up by the next one."""
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
    where there was none: it is the weight of a draw between equals of whom each wins with weight 1.
    """

    strengths: Floats
    advantage: Floats
    draws: Floats


class _Odds(NamedTuple):
    """Probabilities of a win, a draw and a loss, and the logarithm of what the odds were divided by."""

    win: Floats
    draw: Floats
    loss: Floats
    total: Floats


class _Curvature(NamedTuple):
    """Second derivatives of the log-likelihood, with their signs turned: of each part of it by what it depends on."""

    matches: Floats  # (samples, 2, pairs): by the difference of strengths, twice
    matches_draws: Floats  # (samples, 2, pairs): by the difference of strengths and log(draws)
    phantoms: Floats  # (samples, agents): by the strength, twice
    equals: Floats  # (samples,): by the advantage, twice
    equals_draws: Floats  # (samples,): by the advantage and log(draws)
    draws: Floats  # (samples,): by log(draws), twice


def totals(values: Floats, index: Ints, size: int) -> Floats:
    """Sums over the last axis of the values that have the same index: shape (samples, size)."""
    result = np.zeros((len(values), size))
    order = np.argsort(index, kind="stable")
    found, starts = np.unique(index[order], return_index=True)
    if len(found):
        result[:, found] = np.add.reduceat(values[:, order], starts, axis=1)
    return result


def _odds(x: Floats, log_draws: Floats) -> _Odds:
    """The model: `x` is in favour of the one whose win it is."""
    size = np.abs(x)
    total = np.logaddexp(size / 2 + np.log1p(np.exp(-size)), log_draws)
    return _Odds(np.exp(x / 2 - total), np.exp(log_draws - total), np.exp(-x / 2 - total), total)


def chances(pairing: Pairing, fitted: Fit) -> Floats:
    """The fitted probability of each result of a match: shape (samples, 3, 2, pairs), as `Counts.played`."""
    ahead = fitted.strengths[:, pairing.one] - fitted.strengths[:, pairing.other]
    advantage = fitted.advantage[:, None]
    with np.errstate(divide="ignore"):
        log_draws = np.log(fitted.draws)[:, None, None]
    odds = _odds(np.stack([ahead + advantage, ahead - advantage], axis=1), log_draws)
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

    def _differences(self, parameters: Floats) -> Floats:
        """What is in favour of each pair's `one`, moving first and second: shape (samples, 2, pairs)."""
        ahead = parameters[:, self.pairing.one] - parameters[:, self.pairing.other]
        advantage = parameters[:, -2, None]
        return np.stack([ahead + advantage, ahead - advantage], axis=1)

    def _spread(self, differences: Floats, draws: Floats) -> Floats:
        """The transpose of `_differences`: what each parameter gets of values by difference, and log(draws)."""
        (agents, one, other), by_pair = self.pairing, differences.sum(axis=1)
        spread = np.empty((len(differences), agents + 2))
        spread[:, :-2] = totals(by_pair, one, agents) - totals(by_pair, other, agents)
        spread[:, -2] = (differences[:, 0] - differences[:, 1]).sum(axis=1)
        spread[:, -1] = draws
        return spread

    def _log_draws(self, parameters: Floats) -> Floats:
        return parameters[:, -1] if self.has_draws else np.full(len(parameters), -np.inf)

    def value(self, parameters: Floats) -> Floats:
        """The log-likelihood of each sample, with the phantom matches."""
        x, log_draws = self._differences(parameters), self._log_draws(parameters)
        (_, phantoms, equals), strengths, advantage = self.counts, parameters[:, :-2], parameters[:, -2]
        value: Floats = (self.surplus * x / 2 - self.played * _odds(x, log_draws[:, None, None]).total).sum(axis=(1, 2))
        value += ((phantoms[..., 0] - phantoms[..., 1]) * strengths / 2).sum(axis=1)
        value -= (phantoms.sum(axis=-1) * _odds(strengths, NO_DRAWS).total).sum(axis=1)
        value += (equals[:, 0] - equals[:, 1]) * advantage / 2 - equals.sum(axis=1) * _odds(advantage, log_draws).total
        if self.has_draws:
            value += self.drawn * log_draws
        return value

    def derivatives(self, parameters: Floats) -> tuple[Floats, _Curvature]:
        """The gradient, of the same shape as the parameters, and the curvature."""
        (_, phantoms, equals), log_draws = self.counts, self._log_draws(parameters)
        odds = _odds(self._differences(parameters), log_draws[:, None, None])
        lead, played = odds.win - odds.loss, self.played
        phantom = _odds(parameters[:, :-2], NO_DRAWS)
        equal, met = _odds(parameters[:, -2], log_draws), equals.sum(axis=1)
        equal_lead = equal.win - equal.loss
        draws = self.drawn - (played * odds.draw).sum(axis=(1, 2)) - met * equal.draw
        gradient = self._spread((self.surplus - played * lead) / 2, draws)
        gradient[:, :-2] += phantoms[..., 0] * phantom.loss - phantoms[..., 1] * phantom.win
        gradient[:, -2] += (equals[:, 0] - equals[:, 1] - met * equal_lead) / 2
        gradient[:, self.fixed] = 0.0
        return gradient, _Curvature(
            matches=played * (odds.win + odds.loss - lead**2) / 4,
            matches_draws=-played * odds.draw * lead / 2,
            phantoms=phantoms.sum(axis=-1) * phantom.win * phantom.loss,
            equals=met * (equal.win + equal.loss - equal_lead**2) / 4,
            equals_draws=-met * equal.draw * equal_lead / 2,
            draws=(played * odds.draw * (1 - odds.draw)).sum(axis=(1, 2)) + met * equal.draw * (1 - equal.draw),
        )

    def product(self, curvature: _Curvature, direction: Floats) -> Floats:
        """The information, which is the Hessian with its sign turned, times a direction of each sample."""
        ahead, advantage, draws = self._differences(direction), direction[:, -2], direction[:, -1]
        matches = curvature.matches * ahead + curvature.matches_draws * draws[:, None, None]
        result = self._spread(matches, (curvature.matches_draws * ahead).sum(axis=(1, 2)) + curvature.draws * draws)
        result[:, :-2] += curvature.phantoms * direction[:, :-2]
        result[:, -2] += curvature.equals * advantage + curvature.equals_draws * draws
        result[:, -1] += curvature.equals_draws * advantage
        result[:, self.fixed] = direction[:, self.fixed]
        return result

    def step(self, parameters: Floats, accuracy: float) -> tuple[Floats, Floats]:
        """The Newton step of each sample, and about twice what it gains in log-likelihood.

        By conjugate gradients, for which the inverse of the samples' mean information is the preconditioner: exact at
        once for a single sample, in a few steps for many similar ones, without a matrix for each.
        """
        gradient, curvature = self.derivatives(parameters)
        mean = _Curvature(*(part.mean(axis=0, keepdims=True) for part in curvature))
        basis = np.eye(parameters.shape[1])
        columns = [self.product(mean, basis[begin : begin + BLOCK]) for begin in range(0, len(basis), BLOCK)]
        inverse = np.linalg.inv(np.concatenate(columns))
        step, rest = np.zeros_like(gradient), gradient
        direction = improved = gradient @ inverse
        first = size = (rest * improved).sum(axis=1)
        for _ in range(DIRECTIONS):
            product = self.product(curvature, direction)
            length = size / np.maximum((direction * product).sum(axis=1), np.finfo(float).tiny)
            step = step + length[:, None] * direction
            rest = rest - length[:, None] * product
            improved = rest @ inverse
            before, size = size, (rest * improved).sum(axis=1)
            if (size <= accuracy**2 * first).all():
                break
            direction = improved + (size / np.maximum(before, np.finfo(float).tiny))[:, None] * direction
        return step, (gradient * step).sum(axis=1)


def fit(
    pairing: Pairing, counts: Counts, *, first_mover: bool = True, start: Fit | None = None, tolerance: float = 1e-12
) -> Fit:
    """The maximum of the likelihood of each sample, by Newton's method with steps halved until they gain.

    `start` is a fit of one sample to begin from. The method has converged when a step would gain less than about half
    the tolerance in log-likelihood, which moves no strength by more than the square root of the tolerance in standard
    errors. Without `first_mover` the advantage of moving first is taken to be 0.

    Raises ArithmeticError if it does not converge; the problem being concave, that would be an error of ours.
    """
    problem = _Problem(pairing, counts, first_mover)
    samples = len(counts.played)
    parameters = np.zeros((samples, pairing.agents + 2))
    if start is not None:
        parameters[:, :-2], parameters[:, -2] = start.strengths, start.advantage
        parameters[:, -1] = np.log(start.draws) if problem.has_draws else 0.0
    value = problem.value(parameters)
    for _ in range(STEPS):
        step, gain = problem.step(parameters, accuracy=0.05)
        if gain.max(initial=0.0) < tolerance:
            draws = np.exp(parameters[:, -1]) if problem.has_draws else np.zeros(samples)
            return Fit(parameters[:, :-2], parameters[:, -2], draws)
        step *= np.minimum(1.0, LONGEST / np.maximum(np.abs(step).max(axis=1, keepdims=True), LONGEST))
        while True:
            tried = parameters + step
            now = problem.value(tried)
            worse = now < value - 1e-9 * (1 + np.abs(value))
            if not worse.any():
                break
            step[worse] /= 2
        parameters, value = tried, now
    raise ArithmeticError(f"the ratings did not converge within {STEPS} steps")

"""One rating for each agent of a tournament, from all matches at once, with intervals.

The ratings fit the model of `davidson`, in Elo points: a difference means what it means between two agents, to within a
few percent where many matches are drawn. The strengths of the model are multiplied by the share of decided matches
between equals for that; without draws it is exact. Zero is the strength of an agent that would score one half against
the whole field, or the agent that is named as anchor. Unlike the mean rating, neither is moved by one agent that lost
every match. Order plays no part: not of matches, nor of agents.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from watch_your_back.statistics.connection import bounded, groups, reaches
from watch_your_back.statistics.davidson import Fit, Floats, Ints, Pairing, fit
from watch_your_back.statistics.elo import POINTS, Estimate
from watch_your_back.statistics.resampling import PRIOR, phantoms, resample, spread
from watch_your_back.statistics.results import Tally

__all__ = ["Rating", "Ratings", "Result", "rate"]

FEWEST = 100
SURE = 0.975
"""How likely superiority must be for it to bound a rank: as outside of the 95 % interval of the difference."""


class Result(NamedTuple):
    """One match: the agent that moved first, the other, the score of the first (1, 0.5 or 0), and what pairs it.

    Matches of the same two agents whose `pair` is equal, and not None, belong together.
    """

    first: str
    second: str
    score: float
    pair: Hashable = None


class Rating(NamedTuple):
    """One agent's rating and what it rests on.

    An end of the interval is `None` where no result bounds it: nobody that is connected with the rest ever took a point
    from it (or it from them). `ranks` are the best and the worst rank that the results allow at 95 %.
    """

    agent: str
    elo: Estimate
    rank: int
    ranks: tuple[int, int]
    tally: Tally


@dataclass(frozen=True)
class Ratings:
    """The agents, best first, and what the fit says about the game.

    `advantage` of moving first is in Elo points. `draw_rate`, 0 to 1, is that between equals. `los[i, j]`, 0 to 1, is
    the probability that agent i of the list is stronger than j; a half where they were not compared. There is more
    than one group where no chain of matches connects all agents: then each group has a zero of its own, and ratings of
    different groups cannot be compared.
    """

    agents: tuple[Rating, ...]
    advantage: Estimate
    draw_rate: float
    los: Floats
    groups: tuple[tuple[str, ...], ...]
    anchor: str | None


class _Table(NamedTuple):
    """The results as numbers: for each match its unit (pair) and its place in `played`, as for `resampling.spread`."""

    names: list[str]
    pairing: Pairing
    played: Floats
    units: Ints
    cells: Ints


def rate(
    results: Iterable[Result],
    *,
    agents: Iterable[str] = (),
    anchor: str | None = None,
    resamples: int = 1000,
    seed: int = 0,
    prior: float = PRIOR,
    first_mover: bool = True,
) -> Ratings:
    """Rate the agents of these results, and any named in `agents` that have none.

    `resamples` sets how exact the intervals are, `seed` which resamples they come from; `prior` is the number of
    phantom matches of each agent against the field, half of them won. Without `first_mover`, moving first is taken to
    be no advantage.

    Raises ValueError for a score other than 1, 0.5 and 0, a match of an agent against itself, an anchor that is not
    among the agents, fewer than 100 resamples, or a prior that is not above 0.
    """
    if resamples < FEWEST:
        raise ValueError(f"intervals need at least {FEWEST} resamples, not {resamples}")
    if not 0 < prior < np.inf:
        raise ValueError(f"the number of phantom matches is above 0, not {prior}")
    names, pairing, played, units, cells = table = _tabulate(list(results), set(agents))
    if anchor is not None and anchor not in names:
        raise ValueError(f"the anchor {anchor!r} is none of the agents")
    if not names:
        nothing = Estimate(None, None, None)
        return Ratings((), nothing, 0.0, np.empty((0, 0)), (), None)
    fitted = fit(pairing, phantoms(pairing.agents, played, prior), first_mover=first_mover)
    factor = spread(pairing, played, fitted, units, cells)
    samples = resample(
        *(pairing, played, fitted), factor=factor, prior=prior, number=resamples, seed=seed, first_mover=first_mover
    )
    return _summary(table, fitted, samples, anchor)


def _tabulate(results: list[Result], agents: set[str]) -> _Table:
    for first, second, score, _ in results:
        if score not in (0, 0.5, 1):
            raise ValueError(f"the score of a match is 1, 0.5 or 0, not {score!r}")
        if first == second:
            raise ValueError(f"{first} cannot be rated by a match against itself")
    names = sorted(agents.union(*((result.first, result.second) for result in results)))
    number = {name: at for at, name in enumerate(names)}
    met = sorted({(min(ab), max(ab)) for ab in ((number[each.first], number[each.second]) for each in results)})
    place = {ab: at for at, ab in enumerate(met)}
    unit_of: dict[Hashable, int] = {}
    units, cells = np.empty(len(results), dtype=np.int64), np.empty(len(results), dtype=np.int64)
    for at, (first, second, score, pair) in enumerate(results):
        ab = number[first], number[second]
        swapped = ab[0] > ab[1]
        meeting = place[ab[::-1] if swapped else ab]
        units[at] = unit_of.setdefault((meeting, at, None) if pair is None else (meeting, pair), len(unit_of))
        outcome = round(2 * score) if swapped else round(2 - 2 * score)
        cells[at] = (2 * outcome + swapped) * len(met) + meeting
    played = np.bincount(cells, minlength=6 * len(met)).astype(float).reshape(3, 2, len(met))
    one, other = np.array(met, dtype=np.int64).reshape(-1, 2).T
    return _Table(names, Pairing(len(names), one, other), played, units, cells)


def _summary(table: _Table, fitted: Fit, samples: Fit, anchor: str | None) -> Ratings:
    names, (_, one, other), played = table.names, table.pairing, table.played
    wins, draws, losses = played.sum(axis=1)
    took = np.zeros((len(names), len(names)), dtype=bool)
    took[one, other], took[other, one] = wins + draws > 0, losses + draws > 0
    reached = reaches(took)
    at = None if anchor is None else names.index(anchor)
    value, elo = _points(fitted), _points(samples)
    low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    los = np.full((len(names), len(names)), 0.5)
    parts = groups(reached)
    for group in parts:
        inside = at if at in group else None
        for points in (value, elo):
            points[:, group] -= points[:, [inside]] if inside is not None else _centre(points[:, group])
        ends = np.percentile(elo[:, group], [2.5, 97.5], axis=0)
        below, above = bounded(reached, group, inside).T
        low[group], high[group] = np.where(below, ends[0], -np.inf), np.where(above, ends[1], np.inf)
        los[np.ix_(group, group)] = np.stack([_superiority(elo[:, group], elo[:, [each]]) for each in group])
    tallies = np.zeros((len(names), 3), dtype=int)
    np.add.at(tallies, one, np.stack([wins, draws, losses], axis=1).astype(int))
    np.add.at(tallies, other, np.stack([losses, draws, wins], axis=1).astype(int))
    surely = los > SURE
    order = sorted(range(len(names)), key=lambda each: (-value[0, each], names[each]))
    return Ratings(
        agents=tuple(
            Rating(
                agent=names[each],
                elo=_estimate(value[0, each], low[each], high[each]),
                rank=1 + int((value[0] > value[0, each]).sum()),
                ranks=(1 + int(surely[:, each].sum()), len(names) - int(surely[each].sum())),
                tally=Tally(*tallies[each].tolist()),
            )
            for each in order
        ),
        advantage=_advantage(fitted, samples, played),
        draw_rate=float(fitted.draws[0] / (2 + fitted.draws[0])),
        los=los[np.ix_(order, order)],
        groups=tuple(tuple(names[each] for each in order if each in set(group)) for group in parts),
        anchor=anchor,
    )


def _scale(fitted: Fit) -> Floats:
    """Elo points of a unit of strength: the slope of the expected score between equals is then that of Elo."""
    return POINTS * 2 / (2 + fitted.draws[:, None])


def _points(fitted: Fit) -> Floats:
    return fitted.strengths * _scale(fitted)


def _centre(points: Floats) -> Floats:
    """The rating at which one half is expected against the field of each sample, by bisection: shape (samples, 1)."""
    low, high = points.min(axis=1, keepdims=True), points.max(axis=1, keepdims=True)
    for _ in range(50):
        middle = (low + high) / 2
        too_low = np.tanh((points - middle) / (2 * POINTS)).sum(axis=1, keepdims=True) > 0
        low, high = np.where(too_low, middle, low), np.where(too_low, high, middle)
    centre: Floats = (low + high) / 2
    return centre


def _superiority(others: Floats, own: Floats) -> Floats:
    """In which share of the samples it is stronger, ties counting half: shape (others,)."""
    share: Floats = ((own > others).mean(axis=0) + (own >= others).mean(axis=0)) / 2
    return share


def _advantage(fitted: Fit, samples: Fit, played: Floats) -> Estimate:
    """In Elo points; unbounded above where the first won every match, below where the second did."""
    won, drawn, lost = played.sum(axis=-1)
    by_first, by_second, drawn_at_all = won[0] + lost[1], won[1] + lost[0], drawn.any()
    ends = np.percentile(samples.advantage * _scale(samples)[:, 0], [2.5, 97.5])
    low = ends[0] if by_first or drawn_at_all else -np.inf
    high = ends[1] if by_second or drawn_at_all else np.inf
    return _estimate(float(fitted.advantage[0] * _scale(fitted)[0, 0]), low, high)


def _estimate(value: float, low: float, high: float) -> Estimate:
    finite = [float(end) if np.isfinite(end) else None for end in (low, high)]
    return Estimate(float(value), finite[0], finite[1])

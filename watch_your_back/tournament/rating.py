"""Ratings of all agents of a tournament together, from the matches that count."""

from __future__ import annotations

from watch_your_back.match.events import Reason
from watch_your_back.statistics import Ratings, Result, rate
from watch_your_back.tournament.store import Store

__all__ = ["read_ratings"]

RESAMPLES = (100, 1_000)
"""The fewest and the most resamples for the intervals."""
WORK = 1_000_000
"""Resamples times pairs of agents that have met: what a status may cost, a second or two."""


def read_ratings(store: Store) -> Ratings:
    """The ratings of the agents that play, from the best to the worst. Raises StoreError.

    Where neither could start, nothing is learned of how they play. The matches of one round between the same two
    agents, with the sides exchanged, are a pair: they share a seed. With hundreds of agents the intervals come from
    fewer resamples, so that it never takes long.
    """
    results = [
        Result(first, second, 0.5 if winner is None else float(winner == 0), round)
        for first, second, winner, round in store.rows(
            "SELECT agent_0, agent_1, winner, round FROM counted WHERE reason != ?", Reason.BOTH_COULD_NOT_START
        )
    ]
    agents = [entrant.name for entrant in store.entrants() if entrant.state == "plays"]
    met = len({frozenset((each.first, each.second)) for each in results})
    fewest, most = RESAMPLES
    return rate(results, agents=agents, resamples=max(fewest, min(most, WORK // max(1, met))))

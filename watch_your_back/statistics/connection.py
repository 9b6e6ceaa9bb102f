"""Who can be compared with whom: what chains of results say about a rating, and what no result says."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["bounded", "groups", "reaches"]


def reaches(took: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """From whom each agent took points, directly or by a chain of agents: shape (agents, agents), itself included.

    `took[i, j]` says that i took a point, or half of one, from j.
    """
    reached = took | np.eye(len(took), dtype=bool)
    while True:
        further = (reached.astype(np.float32) @ reached.astype(np.float32)) > 0
        if (further == reached).all():
            return reached
        reached = further


def groups(reached: NDArray[np.bool_]) -> list[list[int]]:
    """The agents that matches connect: agents of different groups were not compared, not even by others."""
    connected = reaches(reached | reached.T)
    return [row.nonzero()[0].tolist() for number, row in enumerate(connected) if row.argmax() == number]


def bounded(reached: NDArray[np.bool_], group: list[int], anchor: int | None) -> NDArray[np.bool_]:
    """Whether results bound the rating of each agent of a group from below and from above: shape (agents, 2).

    Maximum likelihood makes an agent infinitely stronger than the anchor unless a chain of results, in which each took
    a point from the next, leads from the anchor to it (Ford 1957, "Solution of a ranking problem from binary
    comparisons"). Without an anchor the others together take its place.
    """
    inside = reached[np.ix_(group, group)]
    if anchor is not None:
        at = group.index(anchor)
        return np.stack([inside[:, at], inside[at, :]], axis=1)
    if inside.all():
        return np.full((len(group), 2), len(group) > 1)
    one_way = inside & ~inside.T
    return np.stack([one_way.any(axis=1), one_way.any(axis=0)], axis=1)

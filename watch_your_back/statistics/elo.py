"""Elo points: a difference in strength, on a scale where 400 points are odds of ten to one.

The expected score of an agent that is `elo` points stronger is 1 / (1 + 10 ** (-elo / 400)) (Elo 1978, "The Rating of
Chessplayers, Past and Present").
"""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["POINTS", "Estimate", "elo_of", "elo_text", "score_of"]

POINTS = 400 / math.log(10)
"""Elo points of a factor e in the odds: 173.7."""


class Estimate(NamedTuple):
    """A quantity and both ends of its 95 % interval; whatever is not finite, or not known, is `None`."""

    value: float | None
    low: float | None
    high: float | None


def elo_of(score: float | None) -> float | None:
    """The difference in Elo points at which this score (0 to 1) is expected; `None` for 0, 1 and None."""
    if score is None or not 0 < score < 1:
        return None
    return POINTS * (math.log(score) - math.log1p(-score))


def score_of(elo: float) -> float:
    """The score (0 to 1) that is expected of an agent that is so many Elo points stronger."""
    return 0.5 + 0.5 * math.tanh(elo / POINTS / 2)


def elo_text(estimate: Estimate) -> str:
    """An estimate in whole Elo points: `+35 (-12 to +84)`, `at least +147`, `at most -147` or `unknown`.

    The ends are rounded outwards, so that the text never claims more than the numbers.
    """
    value = None if estimate.value is None else f"{round(estimate.value):+d}"
    low = None if estimate.low is None else f"{math.floor(estimate.low):+d}"
    high = None if estimate.high is None else f"{math.ceil(estimate.high):+d}"
    if low is not None and high is not None:
        ends = f"{low} to {high}"
    elif low is not None:
        ends = f"at least {low}"
    elif high is not None:
        ends = f"at most {high}"
    else:
        return value or "unknown"
    return ends if value is None else f"{value} ({ends})"

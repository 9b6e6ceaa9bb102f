"""Matches that are the same match again: they are evidence once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import NamedTuple

__all__ = ["Repeats", "repeats"]


class Repeats(NamedTuple):
    """How many of some matches (or pairs) are distinct.

    `effective` is how many equally frequent ones would repeat as often: the square of the sum of the counts over the
    sum of their squares (the inverse of Simpson's index, 1949, "Measurement of diversity"). `most` is how often the
    most frequent one was played. `first` are the positions at which each distinct one was played first: counting the
    results at these only is counting each once.
    """

    total: int
    distinct: int
    effective: float
    most: int
    first: tuple[int, ...]


def repeats(forms: Iterable[Hashable]) -> Repeats:
    """Compare matches by their canonical forms, of which equal ones are the same match; for pairs give pairs of forms.

    A canonical form is chosen by the caller, who knows the symmetries of the board and which agent had which side.
    """
    first: dict[Hashable, int] = {}
    counts: Counter[Hashable] = Counter()
    for position, form in enumerate(forms):
        first.setdefault(form, position)
        counts[form] += 1
    total, squares = counts.total(), sum(number**2 for number in counts.values())
    return Repeats(
        total=total,
        distinct=len(counts),
        effective=total**2 / squares if total else 0.0,
        most=max(counts.values(), default=0),
        first=tuple(first.values()),
    )

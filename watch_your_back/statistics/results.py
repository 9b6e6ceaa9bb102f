"""What the matches of two agents came to, seen from the first-named of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

__all__ = ["Pentanomial", "Results", "Tally", "count"]


class Tally(NamedTuple):
    """Wins, draws and losses."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def matches(self) -> int:
        """How many there are."""
        return sum(self)

    @property
    def points(self) -> float:
        """A win is a point, a draw a half."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float | None:
        """Points a match; `None` where there is none."""
        return self.points / self.matches if self.matches else None

    @property
    def cells(self) -> tuple[tuple[float, int], ...]:
        """Each possible score of a match, and how often it came about."""
        return (0.0, self.losses), (0.5, self.draws), (1.0, self.wins)

    def reversed(self) -> Tally:
        """The same, seen from the other agent."""
        return Tally(self.losses, self.draws, self.wins)

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


class Pentanomial(NamedTuple):
    """How the pairs ended, in which the agents played twice with the sides swapped: five kinds, from worst to best."""

    lost_both: int = 0
    lost_and_drew: int = 0
    even: int = 0  # won one and lost one, or drew both
    won_and_drew: int = 0
    won_both: int = 0

    @property
    def pairs(self) -> int:
        """How many there are."""
        return sum(self)

    @property
    def cells(self) -> tuple[tuple[float, int], ...]:
        """Each possible score of a pair, 0 to 1, and how often it came about."""
        return tuple((kind / 4, number) for kind, number in enumerate(self))

    def reversed(self) -> Pentanomial:
        """The same, seen from the other agent."""
        return Pentanomial(*self[::-1])

    def plus(self, first: float, second: float) -> Pentanomial:
        """With one pair more, of which these were the scores (1, a half or 0) of the two matches."""
        kind = round(2 * (_checked(first) + _checked(second)))
        return Pentanomial(*(number + (at == kind) for at, number in enumerate(self)))

    def __str__(self) -> str:
        """The usual form: [LL, LD, WL+DD, WD, WW]."""
        return str(list(self))


class Results(NamedTuple):
    """All matches, and those of them that came in pairs; any that are not in a pair are counted singly."""

    tally: Tally = Tally()
    pairs: Pentanomial = Pentanomial()

    @property
    def unpaired(self) -> int:
        """Matches whose other half is missing."""
        return self.tally.matches - 2 * self.pairs.pairs

    def reversed(self) -> Results:
        """The same, seen from the other agent."""
        return Results(self.tally.reversed(), self.pairs.reversed())


def count(units: Iterable[Sequence[float]]) -> Results:
    """Count scores of the first-named agent (1, a half or 0), given as units of two matches (a pair) or of one.

    Raises ValueError for another score, or a unit of another length.
    """
    scores = {0.0: 0, 0.5: 0, 1.0: 0}
    pairs = Pentanomial()
    for unit in units:
        if len(unit) not in (1, 2):
            raise ValueError(f"matches come in pairs or singly, not {len(unit)} together")
        for score in unit:
            scores[_checked(score)] += 1
        if len(unit) == 2:
            pairs = pairs.plus(*unit)
    return Results(Tally(scores[1.0], scores[0.5], scores[0.0]), pairs)


def _checked(score: float) -> float:
    if score not in (0, 0.5, 1):
        raise ValueError(f"the score of a match is 1, 0.5 or 0, not {score!r}")
    return float(score)

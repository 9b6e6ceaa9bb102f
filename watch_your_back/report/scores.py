"""What the results of matches come to: for each agent by side, and for each two agents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from watch_your_back.report.content import Played
from watch_your_back.statistics import Tally

__all__ = ["Scores", "points_of"]


def points_of(tally: Tally) -> float:
    """A win is a point, a draw a half."""
    return tally.wins + tally.draws / 2


class Scores:
    """The scores of these matches.

    `against` has a tally for each (agent, other, side) that met: that of `agent`, playing that side.
    """

    def __init__(self, matches: Iterable[Played]) -> None:
        self.against: dict[tuple[int, int, int], Tally] = {}
        self._sides: dict[tuple[int, int], Tally] = {}
        results = Counter((match.agents, match.winner) for match in matches)
        for (agents, winner), times in results.items():
            for side in (0, 1):
                agent, other = agents[side], agents[1 - side]
                result = Tally(*(times * (winner == each) for each in (side, None, 1 - side)))
                key = (agent, other, side)
                self.against[key] = _sum(self.against.get(key, Tally()), result)
                self._sides[agent, side] = _sum(self._sides.get((agent, side), Tally()), result)

    def of(self, agent: int, side: int | None = None) -> Tally:
        """What an agent scored in all, or as one side."""
        if side is None:
            return _sum(self.of(agent, 0), self.of(agent, 1))
        return self._sides.get((agent, side), Tally())

    def between(self, agent: int, other: int, side: int | None = None) -> Tally:
        """What an agent scored against another one, as both sides or as one."""
        if side is None:
            return _sum(self.between(agent, other, 0), self.between(agent, other, 1))
        return self.against.get((agent, other, side), Tally())

    def side(self, side: int) -> Tally:
        """What all agents together scored as one side."""
        return _sum(*(tally for (_, each), tally in self._sides.items() if each == side))


def _sum(*tallies: Tally) -> Tally:
    return Tally(*map(sum, zip(Tally(), *tallies, strict=True)))

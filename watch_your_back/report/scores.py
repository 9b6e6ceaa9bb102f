"""What the results of matches come to: for each agent by side, and for each two agents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import reduce

from watch_your_back.report.content import Played
from watch_your_back.statistics import Tally
from watch_your_back.tournament.standing import tally_of

__all__ = ["Scores"]


class Scores:
    """The scores of these matches.

    `against` has a tally for each (agent, other, side) that met: that of `agent`, playing that side.
    """

    def __init__(self, matches: Iterable[Played]) -> None:
        self.against: dict[tuple[int, int, int], Tally] = {}
        self._sides: dict[tuple[int, int], Tally] = {}
        results = Counter((match.agents, match.winner, match.reason) for match in matches)
        for (agents, winner, reason), times in results.items():
            for side in (0, 1):
                agent, other = agents[side], agents[1 - side]
                result = tally_of(side, winner, reason, times)
                self.against[agent, other, side] = self.between(agent, other, side).plus(result)
                self._sides[agent, side] = self.of(agent, side).plus(result)

    def of(self, agent: int, side: int | None = None) -> Tally:
        """What an agent scored in all, or as one side."""
        if side is None:
            return self.of(agent, 0).plus(self.of(agent, 1))
        return self._sides.get((agent, side), Tally())

    def between(self, agent: int, other: int, side: int | None = None) -> Tally:
        """What an agent scored against another one, as both sides or as one."""
        if side is None:
            return self.between(agent, other, 0).plus(self.between(agent, other, 1))
        return self.against.get((agent, other, side), Tally())

    def side(self, side: int) -> Tally:
        """What all agents together scored as one side."""
        played = (tally for (_, each), tally in self._sides.items() if each == side)
        return reduce(Tally.plus, played, Tally())

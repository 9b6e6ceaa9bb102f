"""What the results of matches come to: for each agent by side, for each two agents, and for each kind of failure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from watch_your_back.report.content import Played

__all__ = ["Scores", "Tally"]


class Tally(NamedTuple):
    """Matches won, drawn and lost; a draw is half a point for each."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __add__(self, other: object) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        return Tally(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2

    @property
    def share(self) -> float | None:
        """Points by match, from 0 to 1; None without matches."""
        return self.points / self.played if self.played else None


WON, DRAWN, LOST = Tally(1, 0, 0), Tally(0, 1, 0), Tally(0, 0, 1)


class Scores:
    """The scores of these matches.

    `against` has a tally for each (agent, other, side) that met: that of `agent`, playing that side.
    """

    def __init__(self, matches: Iterable[Played]) -> None:
        self.against: dict[tuple[int, int, int], Tally] = {}
        self._sides: dict[tuple[int, int], Tally] = {}
        for match in matches:
            for side in (0, 1):
                agent, other = match.agents[side], match.agents[1 - side]
                result = _result(match, side)
                key = (agent, other, side)
                self.against[key] = self.against.get(key, Tally()) + result
                self._sides[agent, side] = self._sides.get((agent, side), Tally()) + result

    def of(self, agent: int, side: int | None = None) -> Tally:
        """What an agent scored in all, or as one side."""
        if side is None:
            return self.of(agent, 0) + self.of(agent, 1)
        return self._sides.get((agent, side), Tally())

    def between(self, agent: int, other: int, side: int | None = None) -> Tally:
        """What an agent scored against another one, as both sides or as one."""
        if side is None:
            return self.between(agent, other, 0) + self.between(agent, other, 1)
        return self.against.get((agent, other, side), Tally())

    def side(self, side: int) -> Tally:
        """What all agents together scored as one side."""
        return sum((tally for (_, each), tally in self._sides.items() if each == side), Tally())


def _result(match: Played, side: int) -> Tally:
    if match.winner is None:
        return DRAWN
    return WON if match.winner == side else LOST

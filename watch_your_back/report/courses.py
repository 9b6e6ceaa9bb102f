"""How the time of an agent's turns goes over a match."""

from __future__ import annotations

from statistics import median

from watch_your_back.match.record import Record

__all__ = ["Course"]

PARTS = 40
"""Into how many parts of equal length each match is divided."""
KEPT = 200
"""So many matches of an agent are enough."""


class Course:
    """The CPU time of an agent's turns in the course of its matches, each match divided into `PARTS`."""

    def __init__(self) -> None:
        self._turns_s: list[list[float]] = [[] for _ in range(PARTS)]
        self._matches = 0

    def add(self, record: Record, side: int) -> None:
        """Take the turns of this side into account."""
        if self._matches >= KEPT or not record.turns:
            return
        self._matches += 1
        for number, turn in enumerate(record.turns):
            if turn.side == side:
                self._turns_s[number * PARTS // len(record.turns)].append(turn.cpu_s)

    def median_s(self, least: float) -> list[float | None]:
        """The median turn of each part, but not below `least`; None where there was none."""
        return [max(median(turns), least) if turns else None for turns in self._turns_s]

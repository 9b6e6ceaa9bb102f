"""Which matches a tournament consists of: a pure function of its settings, of the agents and, for Swiss, of results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from watch_your_back.tournament.settings import Settings, SettingsError
from watch_your_back.tournament.tasks import pair_seed

__all__ = ["Fixture", "count", "fixtures", "pair", "pairings"]


class Fixture(NamedTuple):
    """A match that is to be played.

    `agents` are names by slot, in the order in which the agents were entered; the one in slot `first` plays the first
    side. The `id` says who plays which side in which round, and is the same whatever else happens.
    """

    id: str
    round: int
    agents: tuple[str, str]
    first: int
    seed: int

    @property
    def seated(self) -> tuple[str, str]:
        """The names by side."""
        return self.agents[self.first], self.agents[1 - self.first]


def pair(settings: Settings, round: int, agents: tuple[str, str]) -> Iterator[Fixture]:
    """The two matches of a pairing: the same seed, the sides exchanged."""
    seed = pair_seed(settings.seed, round, *sorted(agents))
    for first in (0, 1):
        yield Fixture(f"{agents[first]}/{agents[1 - first]}/{round}", round, agents, first, seed)


def fixtures(settings: Settings, names: Sequence[str]) -> Iterator[Fixture]:
    """All matches of a round robin or a gauntlet in their order: round by round, the matches of a pair together."""
    for round in range(1, settings.rounds + 1):
        for agents in pairings(settings, names):
            yield from pair(settings, round, agents)


def pairings(settings: Settings, names: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Who meets whom in each round of a round robin or a gauntlet. Raises SettingsError for unknown challengers."""
    if settings.format == "round robin":
        return _in_order(names, _circle(names))
    challengers = settings.challengers or tuple(names[:1])
    for name in challengers:
        if name not in names:
            raise SettingsError(f"the challenger {name!r} is not among the agents: {', '.join(names)}")
    meetings = [(one, other) for one in challengers for other in names if other not in challengers]
    return _in_order(names, meetings)


def count(settings: Settings, agents: int) -> int:
    """How many matches so many agents play."""
    if settings.format == "round robin":
        each = agents * (agents - 1) // 2
    elif settings.format == "gauntlet":
        challengers = max(1, len(settings.challengers))
        each = challengers * max(0, agents - challengers)
    else:
        each = agents // 2
    return 2 * each * settings.rounds


def _circle(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each two of the names once, such that everybody waits about equally long between two turns (circle method)."""
    ring: list[str | None] = [*names, *([None] if len(names) % 2 else [])]
    for _ in range(len(ring) - 1):
        for one, other in zip(ring[: len(ring) // 2], reversed(ring), strict=False):
            if one is not None and other is not None:
                yield one, other
        ring.insert(1, ring.pop())


def _in_order(names: Sequence[str], meetings: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    place = {name: number for number, name in enumerate(names)}
    for one, other in meetings:
        yield (one, other) if place[one] < place[other] else (other, one)

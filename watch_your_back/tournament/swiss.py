"""The pairings of a Swiss round: neighbours in the ranking that have not met yet (the Monrad system).

Each pairing is two matches, one on each side, so it is worth two points and nobody is owed a side. Of an odd number
of agents the last one in the ranking that had none gets a bye, worth as much as winning both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

__all__ = ["BYE_POINTS", "Round", "pair_up", "rank"]

BYE_POINTS = 2.0

_STEPS = 200  # tries for each agent before a second meeting is allowed after all


class Round(NamedTuple):
    """The pairings of a round, the better placed one in front, and who has a bye."""

    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None


def rank(points: Mapping[str, float], seed: int) -> list[str]:
    """The names from the most points to the fewest, those with as many in an order that is drawn from the seed."""

    def lot(name: str) -> bytes:
        return hashlib.sha256(f"{seed}\0{name}".encode("utf-8", "surrogatepass")).digest()

    return sorted(points, key=lambda name: (-points[name], lot(name)))


def pair_up(ranking: Sequence[str], met: Iterable[tuple[str, str]], byes: Iterable[str] = ()) -> Round:
    """The next round: `met` are the pairs of earlier rounds, `byes` who had one, each as often as that was.

    Two meet again only where it cannot be avoided, or is not found to be within a bounded search.
    """
    meetings: dict[frozenset[str], int] = {}
    for agents in met:
        meetings[frozenset(agents)] = meetings.get(frozenset(agents), 0) + 1
    bye = None
    if len(ranking) % 2:
        had = list(byes)
        bye = min(reversed(ranking), key=had.count)
    playing = [name for name in ranking if name != bye]
    for allowed in range(max(meetings.values(), default=0) + 1):
        pairs = _search(playing, meetings, allowed)
        if pairs is not None:
            return Round(tuple(pairs), bye)
    raise AssertionError("at the end everybody may meet everybody")


def _search(
    playing: Sequence[str], meetings: Mapping[frozenset[str], int], allowed: int
) -> list[tuple[str, str]] | None:
    """Pairs such that none has met more often than allowed, found from the top by backtracking; None for giving up."""
    free = dict.fromkeys(playing)
    position = {name: place for place, name in enumerate(playing)}
    chosen: list[tuple[str, str]] = []
    beyond = (-1, -1)  # where the search for the opponent of the first free agent begins
    for _ in range(_STEPS * len(playing) + 1):
        if not free:
            return chosen
        one = next(iter(free))

        def preference(other: str, one: str = one) -> tuple[int, int]:
            return meetings.get(frozenset((one, other)), 0), position[other]

        others = ((preference(name), name) for name in free if name != one)
        best = min((each for each in others if each[0] > beyond and each[0][0] <= allowed), default=None)
        if best is not None:
            chosen.append((one, best[1]))
            del free[one], free[best[1]]
            beyond = (-1, -1)
        elif chosen:
            one, other = chosen.pop()
            free = {name: None for name in playing if name in free or name in (one, other)}
            beyond = preference(other, one)
        else:
            return None
    return None

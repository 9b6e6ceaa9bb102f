"""The pairings of a Swiss round: neighbours in the ranking that have not met yet (the Monrad system).

Each pairing is two matches, one on each side, so it is worth two points and nobody is owed a side. Of an odd number
of agents the last one in the ranking that had none gets a bye, worth as much as winning both.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from watch_your_back.tournament.matching import ALONE, match_all

__all__ = ["BYE_POINTS", "Round", "pair_up", "rank"]

BYE_POINTS = 2.0


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

    From the top, each is paired with the next one that it has met least often. Where nobody is left at the bottom but
    who has met already, pairs above are exchanged, as few and as far down as possible; two meet again only where no
    pairing of all could avoid it.
    """
    bye = None
    if len(ranking) % 2:
        had = Counter(byes)
        bye = min(reversed(ranking), key=lambda name: had[name])
    playing = [name for name in ranking if name != bye]
    place = {name: number for number, name in enumerate(playing)}
    meetings = [[0] * len(playing) for _ in playing]
    for one, other in met:
        if one in place and other in place:
            meetings[place[one]][place[other]] += 1
            meetings[place[other]][place[one]] += 1
    mates = _match(meetings)
    return Round(tuple((playing[one], playing[other]) for one, other in enumerate(mates) if one < other), bye)


def _match(meetings: Sequence[Sequence[int]]) -> list[int]:
    """The mate of each place in the ranking."""
    number = len(meetings)
    mates = [ALONE] * number
    for allowed in range(max(map(max, meetings), default=0) + 1):
        for one in range(number):
            if mates[one] == ALONE:
                free = [two for two in range(one + 1, number) if mates[two] == ALONE and meetings[one][two] <= allowed]
                if free:
                    mates[one], mates[free[0]] = free[0], one
        if ALONE not in mates:
            break
        near = [[two for two in _nearest(one, number) if meetings[one][two] <= allowed] for one in range(number)]
        match_all(near, mates)
    return mates


def _nearest(one: int, number: int) -> list[int]:
    return sorted((two for two in range(number) if two != one), key=lambda two: abs(two - one))

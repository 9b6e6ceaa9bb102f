"""Simulated tournaments of agents whose strengths are known, to test what is inferred from them."""

from __future__ import annotations

import math
from random import Random

from watch_your_back.statistics import Result

POINTS = 400 / math.log(10)


def score(random: Random, x: float, draws: float) -> float:
    """The result of a match by the model, for the first, who is ahead by x (in natural units)."""
    return random.choices((1.0, 0.5, 0.0), (math.exp(x / 2), draws, math.exp(-x / 2)))[0]


def pair(random: Random, strengths: list[float], a: int, b: int, advantage: float, draws: float) -> list[Result]:
    """Two matches with the sides swapped; agents are called by two digits, and so are in order."""
    label = random.random()
    return [
        Result(f"{one:02}", f"{two:02}", score(random, strengths[one] - strengths[two] + advantage, draws), label)
        for one, two in ((a, b), (b, a))
    ]


def round_robin(
    random: Random, strengths: list[float], times: int, advantage: float = 0.3, draws: float = 0.3
) -> list[Result]:
    """Everybody meets everybody, in this number of pairs."""
    agents = range(len(strengths))
    meetings = [(a, b) for a in agents for b in agents if a < b] * times
    return [result for a, b in meetings for result in pair(random, strengths, a, b, advantage, draws)]


def swiss(
    random: Random, strengths: list[float], rounds: int, advantage: float = 0.3, draws: float = 0.3
) -> list[Result]:
    """In each round agents with equally many points meet, nobody twice if it can be helped."""
    points, met, results = [0.0] * len(strengths), set(), []
    for _ in range(rounds):
        order = sorted(range(len(strengths)), key=lambda agent: (-points[agent], random.random()))
        while len(order) > 1:
            a = order.pop(0)
            b = order.pop(next((at for at, other in enumerate(order) if (a, other) not in met), 0))
            met |= {(a, b), (b, a)}
            played = pair(random, strengths, a, b, advantage, draws)
            gained = played[0].score + 1 - played[1].score
            points[a], points[b] = points[a] + gained, points[b] + 2 - gained
            results += played
    return results


def true_elo(strengths: list[float], draws: float = 0.3) -> list[float]:
    """Elo points against an agent that would score one half against the whole field."""
    elo = [strength * POINTS * 2 / (2 + draws) for strength in strengths]
    low, high = min(elo), max(elo)
    for _ in range(60):
        middle = (low + high) / 2
        above = sum(math.tanh((each - middle) / POINTS / 2) for each in elo) > 0
        low, high = (middle, high) if above else (low, middle)
    return [each - low for each in elo]

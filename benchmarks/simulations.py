"""Whether the statistics keep their word, where the truth is known; run by hand: `python benchmarks/simulations.py`.

Name parts to run only these: `ratings` (how often the 95 % intervals of joint ratings hold the truth), `score` (the
same of two agents' Elo), `sprt` (how often the sequential test is wrong, and how many matches it takes), `fixed` (how
often a number of matches fixed beforehand settles it), `speed`.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from simulated import round_robin, swiss, true_elo  # noqa: E402

from watch_your_back.statistics import (  # noqa: E402
    Pentanomial,
    Result,
    Results,
    Sprt,
    Tally,
    judge,
    rate,
    score_of,
    strength,
)

Schedule = Callable[[Random, list[float]], list[Result]]


def ratings(times: int) -> None:
    """Coverage of intervals and ranks: over all agents, and over the best and the worst fifth of them."""
    cases: list[tuple[str, int, float, Schedule]] = [
        ("2 agents, 5 pairs", 2, 0.5, lambda random, true: round_robin(random, true, 5)),
        ("2 agents, 20 pairs", 2, 0.5, lambda random, true: round_robin(random, true, 20)),
        ("round robin, 10 agents, 1 pair each", 10, 1.0, lambda random, true: round_robin(random, true, 1)),
        ("round robin, 10 agents, 3 pairs each", 10, 1.0, lambda random, true: round_robin(random, true, 3)),
        ("round robin, 10 agents, 10 pairs each", 10, 1.0, lambda random, true: round_robin(random, true, 10)),
        ("round robin, 10 far apart, 3 pairs each", 10, 2.5, lambda random, true: round_robin(random, true, 3)),
        ("Swiss, 32 agents, 7 rounds", 32, 1.0, lambda random, true: swiss(random, true, 7)),
        ("Swiss, 32 far apart, 9 rounds", 32, 2.0, lambda random, true: swiss(random, true, 9)),
    ]
    print(f"Joint ratings: how often 95 % intervals hold the truth, in % ({times} simulated tournaments)")
    print(f"{'':42}{'all':>7}{'best':>7}{'worst':>7}{'ranks':>7}{'first':>7}{'slope':>7}")
    for name, agents, deviation, schedule in cases:
        held, ranked, best, worst, first, slopes = [], [], [], [], [], []
        for number in range(times):
            random = Random(f"{name} {number}")
            strengths = [random.gauss(0, deviation) for _ in range(agents)]
            truth = true_elo(strengths)
            found = rate(schedule(random, strengths), agents=[f"{at:02}" for at in range(agents)])
            by_name = {agent.agent: agent for agent in found.agents}
            inside, estimates = [], []
            for at, elo in enumerate(truth):
                agent = by_name[f"{at:02}"]
                inside.append(holds(agent.elo.low, elo, agent.elo.high))
                rank = 1 + sum(other > elo for other in truth)
                ranked.append(agent.ranks[0] <= rank <= agent.ranks[1])
                estimates.append(agent.elo.value)
            order = np.argsort(truth)
            fifth = max(1, agents // 5)
            held += inside
            best += [inside[at] for at in order[-fifth:]]
            worst += [inside[at] for at in order[:fifth]]
            advantage = true_elo([0.3, -0.3])[0]
            first.append(holds(found.advantage.low, advantage, found.advantage.high))
            slopes.append(np.dot(truth, estimates) / np.dot(truth, truth))
        shares = "".join(f"{100 * np.mean(each):7.1f}" for each in (held, best, worst, ranked, first))
        print(f"{name:42}{shares}{np.median(slopes):7.2f}", flush=True)


def holds(low: float | None, truth: float, high: float | None) -> bool:
    """Whether an interval, with ends that may be open, holds the truth."""
    return (low is None or low <= truth) and (high is None or truth <= high)


def kinds_of_pair(elo: float, draws: float, advantage: float) -> list[float]:
    """Probabilities of the five kinds of pair, of which the mean score is that of so many Elo points.

    A share `draws` of the matches is drawn; moving first multiplies the odds of the others by exp(advantage).
    """
    low, high = -40.0, 40.0
    for _ in range(100):
        middle = (low + high) / 2
        kinds = np.array([1.0])
        for x in (middle + advantage, middle - advantage):
            win = (1 - draws) / (1 + math.exp(-x))
            kinds = np.convolve(kinds, [1 - draws - win, draws, win])
        low, high = (middle, high) if kinds @ np.arange(5) / 4 < score_of(elo) else (low, middle)
    return kinds.tolist()


SERIES = [
    ("10 % draws", 0.1, 0.0),
    ("no draws", 0.0, 0.0),
    ("50 % draws", 0.5, 0.0),
    ("moving first is worth 350 points", 0.05, 2.0),
]


def score(times: int) -> None:
    """Coverage of the interval of Elo between two agents, from few pairs and many."""
    times *= 10
    print(f"Two agents: how often the 95 % interval of Elo holds the truth, in % ({times} simulated series)")
    print(f"{'':52}" + "".join(f"{f'{pairs} pairs':>11}" for pairs in (3, 5, 10, 20, 50, 200)))
    for name, draws, advantage in SERIES:
        for elo in (0, 150):
            if score_of(elo) > 1 - draws / 2 - 0.02:
                continue
            random = np.random.default_rng(1)
            kinds = kinds_of_pair(elo, draws, advantage)
            shares = []
            for pairs in (3, 5, 10, 20, 50, 200):
                held = 0
                for counts in random.multinomial(pairs, kinds, size=times).tolist():
                    # The interval needs only the score of all matches and the kinds of pairs: any split will do.
                    found = strength(Results(split(counts), Pentanomial(*counts))).elo
                    held += holds(found.low, elo, found.high)
                shares.append(held / times)
            print(
                f"{f'{name}, {elo} points apart':52}" + "".join(f"{100 * share:11.1f}" for share in shares), flush=True
            )


def split(counts: list[int]) -> Tally:
    """Wins, draws and losses of pairs, where an even pair is taken to be one of each."""
    lost, lost_drew, even, won_drew, won = counts
    return Tally(2 * won + won_drew + even, won_drew + lost_drew, 2 * lost + lost_drew + even)


def sprt(times: int) -> None:
    """Errors of the sequential test at 5 % each way, and the matches that it takes."""
    times *= 5
    print(f"Sequential test: wrong decisions in %, and matches until the decision ({times} simulated series)")
    print(f"{'':52}{'wrong':>7}{'median':>9}{'95 %':>7}{'99 %':>7}")
    for elo1 in (20, 50, 100, 200):
        for name, draws, advantage in SERIES:
            if (elo1 == 20 and draws != 0.1) or score_of(elo1) > 1 - draws / 2 - 0.02:
                continue
            test = Sprt(0, elo1)
            for elo in (0, elo1 / 2, elo1, 2 * elo1):
                random = Random(f"{name} {elo1} {elo}")
                if score_of(elo) > 1 - draws / 2 - 0.02:
                    continue
                cumulative = np.cumsum(kinds_of_pair(elo, draws, advantage)).tolist()
                wrong, matches = 0, []
                for _ in range(times if elo1 > 20 else times // 4):
                    state = test.follow(pairs(random, cumulative))
                    matches.append(2 * state.units)
                    wrong += state.decision == ("accept H0" if elo > elo1 / 2 else "accept H1")
                share = "-" if elo == elo1 / 2 else f"{100 * wrong / len(matches):.1f}"
                middle, often, long = np.percentile(matches, [50, 95, 99])
                line = f"0 against {elo1}, {name}, true {elo:g}"
                print(f"{line:52}{share:>7}{middle:9.0f}{often:7.0f}{long:7.0f}", flush=True)


def pairs(random: Random, cumulative: list[float]) -> Iterator[tuple[float, float]]:
    """Pairs without end, by the cumulative probabilities of their five kinds."""
    kinds = [(0.0, 0.0), (0.0, 0.5), (0.5, 0.5), (0.5, 1.0), (1.0, 1.0)]
    while True:
        yield random.choices(kinds, cum_weights=cumulative)[0]


def fixed(times: int) -> None:
    """How often a number of matches fixed beforehand tells two agents apart."""
    times *= 5
    sizes = (10, 20, 50, 100, 200, 500, 1000, 2000)
    print(f"Fixed number of matches, in pairs, 10 % draws: how often 'better', in % ({times} simulated series)")
    print(f"{'true difference':20}" + "".join(f"{size:>8}" for size in sizes))
    for elo in (0, 20, 35, 50, 100, 200, 300):
        random = np.random.default_rng(2)
        kinds = kinds_of_pair(elo, 0.1, 0.0)
        shares = []
        for size in sizes:
            drawn = random.multinomial(size // 2, kinds, size=times).tolist()
            better = sum(judge(Results(split(each), Pentanomial(*each))).verdict == "better" for each in drawn)
            shares.append(better / times)
        print(f"{elo:<20}" + "".join(f"{100 * share:8.1f}" for share in shares), flush=True)


def speed(times: int) -> None:
    """CPU seconds of the joint ratings of a class, with 1,000 resamples."""
    del times
    random = Random(0)
    print("Joint ratings with 1,000 resamples")
    for name, agents, schedule in (
        ("Swiss of 9 rounds, 200 agents", 200, lambda strengths: swiss(random, strengths, 9)),
        ("round robin, 20 agents, 130 pairs each", 20, lambda strengths: round_robin(random, strengths, 130)),
        ("round robin, 100 agents, 5 pairs each", 100, lambda strengths: round_robin(random, strengths, 5)),
    ):
        results = schedule([random.gauss(0, 1) for _ in range(agents)])
        begin, elapsed = time.process_time(), time.monotonic()
        rate(results)
        begin, elapsed = time.process_time() - begin, time.monotonic() - elapsed
        print(f"{name:42}{len(results):7} matches{begin:8.1f} s CPU{elapsed:8.1f} s", flush=True)


def main() -> None:
    """Run the parts that are asked for."""
    parts = {part.__name__: part for part in (ratings, score, sprt, fixed, speed)}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=[], help=f"of {', '.join(parts)} (all)")
    parser.add_argument("--times", type=int, default=400, help="simulated tournaments a case (400)")
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - parts.keys()
    if unknown:
        parser.error(f"no part is called {', '.join(unknown)}: {', '.join(parts)}")
    for part in arguments.parts or parts:
        parts[part](arguments.times)
        print()


if __name__ == "__main__":
    main()

"""How fast Watch Your Back! is played at random, one action at a time; run by hand: `python benchmarks/playouts.py`.

A turn is: list the legal actions, choose one, play it. Figures are turns per second of CPU time, so that what else the
machine does matters little; the fixed loop of integer arithmetic that is timed between them gives the machine's own
pace, and figures from different machines compare by their ratio to it. The plain rule book of the tests is the peer.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from plain_watch_your_back import PlainGame  # noqa: E402

from watch_your_back.games.watch_your_back import WatchYourBack  # noqa: E402

GAME = WatchYourBack()


def baseline(seed: int) -> int:
    """A fixed loop; a turn of it is ten rounds of a 64-bit linear congruential generator."""
    value = seed
    for _ in range(200_000):
        value = (value * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
    return 20_000


def listed(seed: int) -> int:
    """Random games by `legal_actions`, `random.choice` and `play`."""
    choose, turns = Random(seed).choice, 0
    for _ in range(150):
        state = GAME.initial()
        while state.outcome is None:
            state = state.play(choose(state.legal_actions()))
            turns += 1
    return turns


def sampled(seed: int) -> int:
    """Random games by `sample` and `play`."""
    rng, turns = Random(seed), 0
    for _ in range(150):
        state = GAME.initial()
        while state.outcome is None:
            state = state.play(state.sample(rng))
            turns += 1
    return turns


def plain(seed: int) -> int:
    """Random games in the plain rule book."""
    choose, turns = Random(seed).choice, 0
    for _ in range(30):
        game = PlainGame()
        while game.winner is None:
            game.play(choose(game.legal()))
            turns += 1
    return turns


def pace(play: Callable[[int], int], seed: int) -> float:
    """Turns per second of CPU time."""
    begin = time.process_time()
    turns = play(seed)
    return turns / (time.process_time() - begin)


def main() -> None:
    """Time all in turn, several rounds, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="rounds of which the median counts (9)")
    rounds = parser.parse_args().rounds
    contestants = (baseline, listed, sampled, plain)
    for play in contestants:
        play(0)
    figures = [[pace(play, seed) for play in contestants] for seed in range(rounds)]
    loop, *medians = map(statistics.median, zip(*figures, strict=True))
    print(f"{'fixed loop':<28}{loop:>12,.0f} turns/s of CPU time, median of {rounds} rounds")
    for name, median in zip(("legal_actions, choice, play", "sample, play", "plain rule book"), medians, strict=True):
        print(f"{name:<28}{median:>12,.0f} turns/s, {median / loop:.3f} of the fixed loop")
    print(f"{'rules : plain rule book':<28}{medians[0] / medians[2]:>12.2f}")


if __name__ == "__main__":
    main()

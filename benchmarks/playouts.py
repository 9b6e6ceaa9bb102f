"""How fast games are played at random, one action at a time; run by hand: `python benchmarks/playouts.py [GAME ...]`.

First Watch Your Back!: list the legal actions, choose one, play it. The fixed loop of integer arithmetic that is timed
in between gives the machine's own pace, and figures from different machines compare by their ratio to it; the plain
rule book of the tests is the peer. Then all games, or only those that are named (`go:size=9` is one with an option):
sample an action, play it, until the game is over, beside Watch Your Back! in the same rounds. Figures are turns per
second of CPU time, so that what else the machine does matters little.
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

from watch_your_back.cli.ending import Mistake  # noqa: E402
from watch_your_back.cli.game_options import chosen_game  # noqa: E402
from watch_your_back.game import Game  # noqa: E402
from watch_your_back.games.watch_your_back import WatchYourBack  # noqa: E402

GAME = WatchYourBack()

SECONDS = 0.3
"""CPU time after which no other match is begun, in a round of a game."""


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


def playouts(game: Game, seed: int, seconds: float = SECONDS) -> tuple[float, float]:
    """Turns per second of CPU time in random matches by `sample` and `play`, and turns of a match on average.

    No match is begun after so many seconds.
    """
    rng, begin = Random(seed), time.process_time()
    turns = matches = 0
    while time.process_time() < begin + seconds:
        state = game.initial()
        while state.outcome is None:
            state = state.play(state.sample(rng))
        turns += state.ply
        matches += 1
    return turns / (time.process_time() - begin), turns / matches


def named(spec: str) -> Game:
    """The game of a spec such as `go` or `go:size=9,komi=6.5`."""
    id, _, settings = spec.partition(":")
    return chosen_game(id, settings.split(",") if settings else ())


def compare_rule_books(rounds: int) -> None:
    """Time all ways to play Watch Your Back! in turn, several rounds, and print the medians."""
    contestants = (baseline, listed, sampled, plain)
    for play in contestants:
        play(0)
    figures = [[pace(play, seed) for play in contestants] for seed in range(rounds)]
    loop, *medians = map(statistics.median, zip(*figures, strict=True))
    print(f"{'fixed loop':<28}{loop:>12,.0f} turns/s of CPU time, median of {rounds} rounds")
    for name, median in zip(("legal_actions, choice, play", "sample, play", "plain rule book"), medians, strict=True):
        print(f"{name:<28}{median:>12,.0f} turns/s, {median / loop:.3f} of the fixed loop")
    print(f"{'rules : plain rule book':<28}{medians[0] / medians[2]:>12.2f}")


def compare_games(named_games: dict[str, Game], rounds: int) -> None:
    """Time the games in turn, several rounds, and print the medians, that of the ratio to Watch Your Back! included."""
    games = [GAME, *named_games.values()]
    for game in games:
        playouts(game, 0, SECONDS / 10)
    own, *measured = zip(*([playouts(game, seed) for game in games] for seed in range(1, rounds + 1)), strict=True)
    width = max(28, *(len(spec) + 2 for spec in named_games))
    print(f"{'sample, play':<{width}}{'turns/s':>10}{'ratio':>8}{'turns a match':>16}")
    for spec, figures in zip(named_games, measured, strict=True):
        speed = statistics.median(turns_s for turns_s, _ in figures)
        ratio = statistics.median(one[0] / other[0] for one, other in zip(figures, own, strict=True))
        length = statistics.mean(turns for _, turns in figures)
        print(f"{spec:<{width}}{speed:>10,.0f}{ratio:>8.2f}{length:>16.1f}")
    print("ratio: to the turns/s of Watch Your Back! in the same round")


def main() -> None:
    """Compare the ways to play Watch Your Back!, then the games."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="ids, with options: go:size=9,komi=6.5 (all games)")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of which the median counts (9)")
    arguments = parser.parse_args()
    try:
        games = {spec: named(spec) for spec in arguments.games or Game.ids()}
    except Mistake as error:
        parser.error(error.message)
    if not arguments.games:
        compare_rule_books(arguments.rounds)
        print()
    compare_games(games, arguments.rounds)


if __name__ == "__main__":
    main()

"""The player that has solved One-Line Chess: it knows who wins, wins what can be won, and keeps within the limits."""

import importlib.util
from pathlib import Path
from random import Random

import pytest
from vectors import read_vectors

from tests.hostile import played
from watch_your_back.agents import find
from watch_your_back.game import Game
from watch_your_back.match import Limits, Match

PERFECT = Path(__file__).parent.parent / "examples" / "perfect_one_line.py"

FACTS = read_vectors("one_line")["facts"]

STARTS = [fact for fact in FACTS if fact["kind"] == "start"]


@pytest.fixture(scope="module")
def perfect():
    """The module of the example; it builds a table once for the normal game and once for misère."""
    spec = importlib.util.spec_from_file_location("perfect_one_line", PERFECT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_knows_who_wins(perfect):
    """The table agrees with everything that is known of starts and positions."""
    for fact in FACTS:
        if fact["kind"] == "start":
            state = Game.load("one_line", **fact["options"]).initial()
            line, misere, wins = state.line, state.game.options.misere, fact["winner"] == "first"
        else:
            heights = [*fact["line"], fact["stock"]]
            line = sum(height << 4 * place for place, height in enumerate(heights))
            misere, wins = fact["misere"], fact["mover_wins"]
        assert (line not in perfect.lost_lines(misere)) == wins, fact


def test_the_table_follows_from_the_rules(perfect):
    """Of all positions, a side wins in exactly those in which some legal action leads to a position that is lost."""
    lines = perfect.all_lines()
    assert len(lines) == 184_756 + 92_378
    for misere in (False, True):
        lost, game = perfect.lost_lines(misere), Game.load("one_line", rules=3, misere=misere)
        for line in [*lines[:500], *Random(1).sample(lines, 1500)]:
            heights = [line >> 4 * position & 15 for position in range(11)]
            placed = min(1, sum(heights))
            phase = (
                f"{placed} turns into the placing phase"
                if line >> 44
                else "0 turns into the moving phase, after 1 of placing"
            )
            state = game.parse("\n".join([" ".join(map(str, range(11))), " ".join(map(str, heights)), phase]))
            assert state.line == line
            if state.outcome is not None:
                assert (line in lost) == (not misere)
            else:
                assert (line in lost) == all(state.play(each).line not in lost for each in state.legal_actions())


@pytest.mark.parametrize("fact", STARTS, ids=lambda fact: str(fact["options"]))
def test_it_never_loses_what_it_can_win(perfect, fact):
    """As the winning side from the start; and from any later moment at which it has come to be that side."""
    game, rng = Game.load("one_line", **fact["options"]), Random(1)
    for number in range(12):
        # As the losing side it waits for the first mistake.
        side = game.sides.index(fact["winner"]) if number % 3 else 1 - game.sides.index(fact["winner"])
        player = perfect.Player(game.sides[side], options=fact["options"], seed=number)
        state, winning = game.initial(), False
        while state.outcome is None:
            winning |= state.to_move == side and state.line not in player.lost
            if state.to_move == side:
                action = player.action(state.turns)
                assert state.check(action) == action
            else:
                action = state.sample(rng)
                player.update(action)
            state = state.play(action)
        assert state.outcome.winner == side or not winning
        assert winning or number % 3 == 0


def test_it_keeps_within_the_limits():
    """Under the referee with 60 seconds of CPU time and 100 MB for the match it builds its table and wins."""
    side = 1  # which wins with best play
    end = played(Match(Game.load("one_line"), (find("random"), find(str(PERFECT))), Limits(60, 100), seed=1)).end
    assert (end.winner, end.reason) == (side, "all pieces on the terminal")
    assert end.usage[side].cpu_s < 60
    assert end.usage[side].memory_mb < 100

"""Weaponized Chess agrees with recorded matches of another implementation, turn by turn."""

import gzip
import json
from functools import cache
from pathlib import Path

import pytest
from weaponized_boards import digest, options_of, perft_of_moves, start_of, tuples

from watch_your_back.game import Game, IllegalAction
from watch_your_back.games.weaponized_chess import canonical


@cache
def vectors():
    """The content of the vector file."""
    with gzip.open(Path(__file__).parent / "data" / "weaponized_chess.json.gz") as file:
        return json.load(file)


@pytest.mark.parametrize(
    ("part", "number"), [("matches", n) for n in range(18)] + [("positions", n) for n in range(43)]
)
def test_a_recorded_match(part, number):
    """Every turn is legal and leads to the recorded state, Moves are as many, and wrong turns are refused."""
    vector = vectors()[part][number]
    state = start_of(vector)
    assert digest(state) == vector["start"]
    illegal = {}
    for after, turn in vector["illegal"]:
        illegal.setdefault(after, []).append(tuples(turn))
    for n, (turn, legal, expected) in enumerate(vector["turns"]):
        assert perft_of_moves(state, 1) == legal
        for wrong in illegal.get(n, ()):
            with pytest.raises(IllegalAction):
                state.check(wrong)
        state = state.play(state.check(tuples(turn)))
        if form := vector.get("states", {}).get(str(n + 1)):
            assert canonical(state) == form
        assert digest(state) == expected
    assert canonical(state)["outcome"] == vector["outcome"]


@pytest.mark.parametrize("number", range(5))
def test_perft(number):
    """The first three turns have as many Moves and dozes as they should, in each movement type."""
    vector = vectors()["perft"][number]
    state = Game.load("weaponized_chess", **options_of(vector["options"])).initial()
    assert [perft_of_moves(state, depth) for depth in (1, 2, 3)] == vector["leaves"]

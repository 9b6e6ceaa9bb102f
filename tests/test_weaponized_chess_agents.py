"""What Weaponized Chess tells agents: which turns are worth a look, and who seems to be ahead."""

from random import Random

import pytest
from weaponized_boards import board

from watch_your_back.game import Game
from watch_your_back.search import Follower, candidates

KING = "B-K-1"


def best(state, side=0):
    """The promising turn after which a side is furthest ahead."""
    afters = [(turn, state.play(turn)) for turn in state.promising(Random(1), 60)]
    won = [turn for turn, after in afters if after.outcome is not None and after.outcome.winner == side]
    return won[0] if won else max(afters, key=lambda pair: pair[1].outcome is None and pair[1].evaluate(side))[0]


@pytest.mark.parametrize(
    "options", [{}, {"action_restriction": "one_action_per_piece"}, {"action_restriction": "moves_only"}]
)
def test_promising_turns_are_legal_and_few(options):
    """As many as were asked for at most, the Moves of the primary among them, whatever the state."""
    rng, state = Random(2), Game.load("weaponized_chess", turn_cap=40, **options).initial()
    while state.outcome is None:
        found = state.promising(rng, 60)
        assert 0 < len(found) <= 60
        for turn in found:
            assert state.check(turn) == turn
        state = state.play(state.sample(rng))
    assert state.promising(rng, 60) == []


def test_what_one_side_is_ahead_the_other_is_behind():
    """Evaluations are of opposite sign, and a piece more counts."""
    rng, state = Random(4), Game.load("weaponized_chess", turn_cap=40).initial()
    while state.outcome is None:
        assert state.evaluate(0) == pytest.approx(-state.evaluate(1))
        state = state.play(state.sample(rng))
    assert board("black Q 5 5").evaluate(0) > board("black DS 5 5").evaluate(0) > board().evaluate(0)


@pytest.mark.parametrize(
    "pieces",
    [
        ("black TA> 4 6", "white K 8 6"),  # takes it
        ("black CL> 2 2", "white K 7 8"),  # moves beside it and converts it
        ("black RP 7 6", "black FP 2 2", "white K 8 7 ST"),  # a single rocket would not do
        ("black JE 6 6 air RL", "white K 6 6"),  # two rockets from above do
    ],
)
def test_a_win_in_one_turn_is_found(pieces):
    """By taking, by conversion or by rockets from above, where there is one."""
    state = board(*pieces, "black K 1 10", kings=False)
    after = state.play(best(state))
    assert (after.outcome is not None) == (pieces[0] != "black RP 7 6")


def test_a_threatened_primary_gets_away():
    """It does not stay where a Tank takes it."""
    state = board("black K 5 5", "black DS 1 1", "white TA> 9 5", "white K 10 1", kings=False)
    after = state.play(best(state))
    assert not any(step and step[0] == "MV" and step[2:4] == after.board.where(after.board.cast.numbers[KING])
                   for step in after.legal_steps())  # fmt: skip


def test_searching_agents_look_at_promising_turns():
    """Where a game has far too many turns to list."""
    state = Game.load("weaponized_chess").initial()
    assert candidates(state, Random(1), draws=100) == state.promising(Random(1), 60)


class Greedy(Follower):
    """Takes the turn after which it is furthest ahead."""

    def choose(self, state):
        """The best promising turn."""
        return best(state, self.side)


@pytest.mark.parametrize("colour", ["black", "white"])
def test_looking_one_turn_ahead_beats_chance(colour):
    """From what it can see, and imagines of the rest."""
    game = Game.load("weaponized_chess", turn_cap=200, competitive=True)
    rng, state, player = Random(1), game.initial(), Greedy(colour, "weaponized_chess", {"competitive": True}, seed=1)
    while state.outcome is None:
        if game.sides[state.to_move] == colour:
            player.see(state.view(state.to_move))
            state = state.play(state.check(player.action(state.turns)))
        else:
            state = state.play(state.sample(rng))
            player.update(state.observe((), state.to_move))
    assert state.outcome == (player.side, "primary")

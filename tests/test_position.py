"""A state of Watch Your Back!: read and written, compared, sampled, capped and pictured."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import GAME, cautious, going_on, moving, ring_of, state_of, states

from watch_your_back.game import Outcome, Piece, grid
from watch_your_back.games.watch_your_back import WatchYourBack


@given(states)
def test_text_and_parse_are_inverse(state):
    """A state is read back equal, with the same hash, and its repr is an expression for it."""
    read = GAME.parse(state.text())
    assert read == state
    assert hash(read) == hash(state)
    assert read.key() == state.key()
    assert (read.to_move, read.phase, read.turns, read.ply) == (state.to_move, state.phase, state.turns, state.ply)
    assert GAME.parse("\n".join(line.rstrip() for line in state.text().split("\n"))) == state
    assert eval(repr(state), {"WatchYourBack": WatchYourBack}) == state


def test_equality_is_about_the_future():
    """Turns and options count, the way there does not; `key` is the board and the side to move alone."""
    one = GAME.initial().play((3, 3)).play((4, 4)).play((5, 5))
    other = GAME.initial().play((5, 5)).play((4, 4)).play((3, 3))
    assert one == other
    assert hash(one) == hash(other)
    uncapped = WatchYourBack(WatchYourBack.Options(turn_cap=0)).initial()
    assert uncapped != GAME.initial()
    board = ["X------X", "-O-O----", *["--------"] * 4, "-@-@----", "X------X"]
    early, late = (state_of(board, f"{turns} turns into the moving phase") for turns in (10, 12))
    assert early != late
    assert early.key() == late.key()
    assert early.key() != state_of(board, "11 turns into the moving phase").key()


@given(going_on, st.integers(0, 2**32))
def test_samples_are_legal_and_depend_on_the_seed_alone(state, seed):
    """The same generator gives the same action again."""
    action = state.sample(Random(seed))
    assert action in state.legal_actions()
    assert state.sample(Random(seed)) == action


@pytest.mark.parametrize("plies", [0, 23, 30, 140])
def test_samples_are_uniform(plies):
    """Every action comes up, each about as often as the others."""
    rng = Random(plies)
    state = GAME.initial()
    while state.ply < plies:
        state = state.play(cautious(state, rng))
    legal = state.legal_actions()
    drawn = [state.sample(rng) for _ in range(400 * len(legal))]
    counts = [drawn.count(action) for action in legal]
    assert 300 < min(counts) <= max(counts) < 500


def test_a_side_without_a_move_forfeits():
    """None is its only action, the sampled one too, and counts as a turn, of a shrink as well."""
    corner = [(1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)]
    state = moving(127, corner[2:], corner[:2])
    assert state.legal_actions() == [None]
    assert state.count_actions() == 1
    assert state.sample(Random(0)) is None
    after = state.play(None)
    assert (after.turns, after.shrinks, after.to_move) == (128, 1, 0)
    assert after.outcome == Outcome(0, "eliminated")


def test_a_finished_game_has_nothing_to_sample():
    """As `random.choice` of an empty list does."""
    over = state_of(
        ["X------X", "-O@O----", *["--------"] * 5, "X------X"], "game over! (after 9 turns of the moving phase)"
    )
    assert over.outcome == Outcome(0, "eliminated")
    with pytest.raises(IndexError):
        over.sample(Random(0))


PAIRS = {"white": [(3, 3), (4, 3)], "black": [(3, 4), (4, 4)]}


@pytest.mark.parametrize("cap", [1, 5, 128, 192, 193, 512])
def test_the_turn_cap_is_a_draw(cap):
    """It falls after that many turns of the moving phase, the shrink of that turn included."""
    game = WatchYourBack(WatchYourBack.Options(turn_cap=cap))
    state = moving(cap - 1, **PAIRS, game=game)
    over = state.play(state.legal_actions()[0])
    assert over.outcome == Outcome(None, "turn limit")
    assert over.shrinks == ring_of(cap)
    assert over.legal_actions() == []
    assert game.parse(over.text()) == over


def test_the_rules_come_before_the_cap():
    """Who eliminates the last enemy in the turn of the cap has won."""
    game = WatchYourBack(WatchYourBack.Options(turn_cap=11))
    state = moving(10, [(1, 1), (4, 1)], [(2, 1), (7, 6)], game)
    assert state.play(((4, 1), (3, 1))).outcome == Outcome(0, "eliminated")


def test_the_cap_is_512_turns_unless_it_is_0():
    """By default the game ends there as a draw; without a cap it goes on for ever."""
    assert GAME.options.turn_cap == 512
    assert moving(510, **PAIRS).play(((3, 3), (3, 2))).outcome is None
    assert moving(511, **PAIRS).play(((3, 4), (3, 5))).outcome == Outcome(None, "turn limit")
    endless = WatchYourBack(WatchYourBack.Options(turn_cap=0))
    assert moving(511, **PAIRS, game=endless).play(((3, 4), (3, 5))).outcome is None
    assert moving(100_000, **PAIRS, game=endless).play(((3, 3), (3, 2))).outcome is None


def test_the_turn_counter_restarts_with_the_moving_phase():
    """A player is given 0..23 while placing, White the even ones, then 0 again for White."""
    state, seen = GAME.initial(), []
    for _ in range(26):
        seen.append((state.phase, state.turns, state.to_move, state.ply))
        state = state.play(cautious(state, Random(state.ply)))
    assert seen[:3] == [("placing", 0, 0, 0), ("placing", 1, 1, 1), ("placing", 2, 0, 2)]
    assert seen[23:] == [("placing", 23, 1, 23), ("moving", 0, 0, 24), ("moving", 1, 1, 25)]


def test_the_picture_shows_pieces_corners_and_removed_squares():
    """Cells are columns and rows from the top left, as in actions."""
    board = moving(130, [(2, 1), (3, 3)], [(5, 4), (5, 5)]).picture()
    assert board.layout == grid(8, 8)
    assert board.pieces == [Piece((2, 1), 0), Piece((3, 3), 0), Piece((5, 4), 1), Piece((5, 5), 1)]
    corners = [mark.cell for mark in board.marks if mark.kind == "corner"]
    removed = [mark.cell for mark in board.marks if mark.kind == "removed"]
    assert corners == [(1, 1), (6, 1), (1, 6), (6, 6)]
    assert removed == [(x, y) for y in range(8) for x in range(8) if x in (0, 7) or y in (0, 7)]
    assert len(board.marks) == 32

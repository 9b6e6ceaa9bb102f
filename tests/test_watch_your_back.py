"""The rules of Watch Your Back!: drawn cases, perft, the plain rule book as judge, and what must always hold."""

from ast import literal_eval
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_watch_your_back import PlainGame
from positions import GAME, cautious, going_on, judge, moving, ring_of, rows, state_of, states

from watch_your_back.game import IllegalAction, Outcome, Piece, perft
from watch_your_back.games.watch_your_back import Position, WatchYourBack
from watch_your_back.games.watch_your_back.bitboards import (
    SQUARES,
    STAGES,
    captured,
    enclosed,
    movable,
    placeable,
    shrink,
)
from watch_your_back.testing import check_game

DATA = Path(__file__).parent / "data"
ENDS = {
    None: None,
    "W": Outcome(0, "eliminated"),
    "B": Outcome(1, "eliminated"),
    "tie": Outcome(None, "both eliminated"),
    "cap": Outcome(None, "turn limit"),
}


def cases():
    """The drawn cases: rule, phase and turns, action, board before, board after."""
    blocks = (DATA / "cases_watch_your_back.txt").read_text(encoding="utf-8").split("\n\n", 1)[1].split("\n\n")
    for block in blocks:
        rule, turn, *lines = block.rstrip("\n").split("\n")
        when, action = turn.split(": ")
        phase, turns = when.split()
        before, after = zip(*(line.split("  ") for line in lines), strict=True)
        yield pytest.param(f"{turns} turns into the {phase} phase", literal_eval(action), before, after, id=rule)


def perfts():
    """The positions of the perft file with their counts by depth."""
    for block in (DATA / "perft_watch_your_back.txt").read_text(encoding="utf-8").split("position ")[1:]:
        name, *lines = block.rstrip().split("\n")
        counts = [tuple(map(int, line.split()[1:])) for line in lines[9:]]
        yield pytest.param("\n".join(lines[:9]), counts, id=name)


def agrees(state: Position, plain: PlainGame) -> bool:
    """Whether the rules and the plain rule book have the same position, the same actions and the same end."""
    legal = state.legal_actions()
    return (
        rows(state) == [row.translate(str.maketrans("WB", "O@")) for row in plain.rows()]
        and state.outcome == ENDS[plain.winner]
        and (state.phase, state.turns) == (plain.phase, plain.turns)
        and len(legal) == len(plain.legal())
        and set(legal) == set(plain.legal())
    )


@pytest.mark.parametrize(("when", "action", "before", "after"), [*cases()])
def test_drawn_cases(when, action, before, after):
    """The action turns the board on the left into the one on the right."""
    state = state_of([row.replace(".", " ") for row in before], when)
    assert state.check(action) == action
    assert [row.replace(" ", ".") for row in rows(state.play(action))] == [*after]


@pytest.mark.parametrize(("diagram", "counts"), [*perfts()])
def test_perft(diagram, counts):
    """The numbers of sequences of legal actions are those that were counted with the plain rule book too."""
    state = GAME.parse(diagram)
    assert [(depth, perft(state, depth)) for depth, _ in counts] == counts


@pytest.mark.parametrize("choose", [Position.sample, cautious], ids=["random", "cautious"])
@pytest.mark.parametrize("seed", range(25))
def test_games_agree_with_the_plain_rule_book(choose, seed):
    """Board, legal actions, turns and end are the same at every turn; cautious games reach both shrinks."""
    rng = Random(seed)
    state, plain = GAME.initial(), PlainGame()
    while state.outcome is None:
        assert agrees(state, plain)
        action = choose(state, rng)
        state = state.play(action)
        plain.play(action)
    assert agrees(state, plain)


def test_cautious_games_reach_both_shrinks():
    """So the games that are compared with the plain rule book see every stage of the board."""
    reached = set()
    for seed in range(25):
        rng = Random(seed)
        state = GAME.initial()
        while state.outcome is None:
            state = state.play(cautious(state, rng))
        reached.add(state.shrinks)
    assert 2 in reached


@settings(deadline=None)
@given(going_on)
def test_every_action_of_a_state_agrees_with_the_plain_rule_book(state):
    """Also in crowded positions, with forfeits and just before the board shrinks."""
    assert agrees(state, judge(state))
    for action in state.legal_actions():
        plain = judge(state)
        plain.play(action)
        assert agrees(state.play(action), plain)


@settings(deadline=None, max_examples=25)
@given(states)
def test_check_accepts_the_legal_actions_and_nothing_else(state):
    """Of all placements, all moves between two squares and None."""
    legal = set(state.legal_actions())
    for action in [None, *SQUARES, *((origin, target) for origin in SQUARES for target in SQUARES)]:
        if action in legal:
            assert state.check(action) == action
        else:
            with pytest.raises(IllegalAction) as refused:
                state.check(action)
            assert str(refused.value).isprintable()


@given(states)
def test_legal_actions_are_sorted_and_counted(state):
    """By the squares that they name, row by row from the top left; none in a finished game."""
    legal = state.legal_actions()
    number = {square: index for index, square in enumerate(SQUARES)}
    keys = [
        (number[action],) if action in number else (number[action[0]], number[action[1]])
        for action in legal
        if action is not None
    ]
    assert keys == sorted(keys)
    assert state.count_actions() == len(legal)
    assert (legal == []) == (state.outcome is not None)


@given(going_on, st.randoms(use_true_random=False))
def test_pieces_are_never_made_out_of_nothing(state, rng):
    """An action adds one piece while placing and none while moving; no square has two, or is off the board."""
    after = state.play(state.sample(rng))
    added = 1 if state.phase == "placing" else 0
    assert after.theirs.bit_count() <= state.mine.bit_count() + added
    assert after.mine.bit_count() <= state.theirs.bit_count()
    assert not after.mine & after.theirs
    assert (after.mine | after.theirs) & ~STAGES[after.shrinks].squares == 0


@given(going_on)
def test_left_and_right_may_be_swapped(state):
    """What is mirrored plays on mirrored, but for the second shrink, whose corners have an order."""

    def mirrored(part):
        return part and ((7 - part[0], part[1]) if isinstance(part[0], int) else tuple(map(mirrored, part)))

    def mirror(state):
        return state_of([row[::-1] for row in rows(state)], state.text().split("\n")[8])

    twin = mirror(state)
    assert {*twin.legal_actions()} == {*map(mirrored, state.legal_actions())}
    for action in state.legal_actions():
        after = state.play(action)
        if after.shrinks == state.shrinks or after.shrinks == 1:
            assert mirror(after) == twin.play(mirrored(action))


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
    assert (board.columns, board.rows, board.shape) == (8, 8, "square")
    assert board.pieces == [Piece((2, 1), 0), Piece((3, 3), 0), Piece((5, 4), 1), Piece((5, 5), 1)]
    corners = [mark.cell for mark in board.marks if mark.kind == "corner"]
    removed = [mark.cell for mark in board.marks if mark.kind == "removed"]
    assert corners == [(1, 1), (6, 1), (1, 6), (6, 6)]
    assert removed == [(x, y) for y in range(8) for x in range(8) if x in (0, 7) or y in (0, 7)]
    assert len(board.marks) == 32


@given(st.lists(states, min_size=1, max_size=8))
def test_the_rules_run_on_arrays_too(several):
    """On uint64 arrays, a position in each place, the functions give what they give for each position alone."""
    mine, theirs = (np.array([getattr(state, name) for state in several], np.uint64) for name in ("mine", "theirs"))
    square = np.array([1 << index for index in range(10, 10 + len(several))], np.uint64)
    for function in (
        lambda mine, theirs, square: placeable(STAGES[0].squares, mine | theirs),
        lambda mine, theirs, square: movable(mine, mine | theirs, STAGES[0].squares & ~(mine | theirs)),
        lambda mine, theirs, square: captured(square, theirs, mine | STAGES[1].corners),
        lambda mine, theirs, square: enclosed(square, theirs | STAGES[0].corners),
        lambda mine, theirs, square: shrink(mine, theirs, STAGES[1]),
        lambda mine, theirs, square: shrink(mine, theirs, STAGES[2]),
    ):
        at_once = np.atleast_2d(function(mine, theirs, square))
        assert at_once.dtype == np.uint64
        singly = [function(*map(int, boards)) for boards in zip(mine, theirs, square, strict=True)]
        assert at_once.T.tolist() == [list(boards) if isinstance(boards, tuple) else [boards] for boards in singly]


def test_the_game_conforms():
    """With and without a cap that cuts most matches short."""
    check_game(GAME, seed=1, matches=8)
    check_game(WatchYourBack(WatchYourBack.Options(turn_cap=3)), seed=2, matches=3)

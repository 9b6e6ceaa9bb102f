"""The rules of Watch Your Back!: drawn cases, perft, the plain rule book as judge, and what must always hold."""

from ast import literal_eval
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging import check_course
from plain_watch_your_back import PlainGame
from positions import GAME, cautious, going_on, judge, rows, state_of, states

from watch_your_back.game import IllegalAction, Outcome, perft
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
    check_course(GAME.initial(), PlainGame(), agrees, lambda state: choose(state, rng))


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


@given(going_on)
def test_every_action_of_a_state_agrees_with_the_plain_rule_book(state):
    """Also in crowded positions, with forfeits and just before the board shrinks."""
    assert agrees(state, judge(state))
    for action in state.legal_actions():
        plain = judge(state)
        plain.play(action)
        assert agrees(state.play(action), plain)


@settings(max_examples=12)
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

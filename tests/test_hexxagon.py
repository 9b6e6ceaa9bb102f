"""The rules of Hexagon: the vectors, the plain rule book as judge, refusals, pictures, and what must always hold."""

from collections import Counter
from math import hypot
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging import check_accepted, check_course, check_odds
from plain_hexxagon import PlainHexxagon, distance
from vectors import read_vectors, recorded

from watch_your_back.game import Game, IllegalAction, OptionError, Outcome, perft
from watch_your_back.testing import check_game

START = Game.load("hexxagon").initial()
OPTIONS = [{}, {"size": 3}, {"size": 3, "holes": 0}, {"size": 4, "holes": 0}, {"size": 6}, {"turn_cap": 9}]


def tuples(action):
    """An action of a vector: arrays are tuples."""
    return tuple(map(tuples, action)) if isinstance(action, list) else action


def after(actions, **options):
    """The state after these actions, each of them checked."""
    state = Game.load("hexxagon", **options).initial()
    for action in actions:
        state = state.play(state.check(tuples(action)))
    return state


def position(mover, opponent, ply=0, **options):
    """The state in which the side to act and the other have men on these cells."""
    game = Game.load("hexxagon", **options)
    mine, theirs = (game.field.board(map(tuples, cells)) for cells in (mover, opponent))
    return game.initial()._replace(mine=mine, theirs=theirs, ply=ply)


def board(state):
    """The side on each cell, as the plain rule book has it."""
    pieces = {piece.cell: piece.side for piece in state.picture().pieces}
    return {cell: state.game.sides[pieces[cell]] if cell in pieces else None for cell in state.game.field.cells}


def agrees(state, plain):
    """Whether the rules and the plain rule book have the same board, turns, actions and end."""
    ends = {"white": 0, "black": 1, "draw": None}
    return (
        board(state) == plain.board
        and state.turns == plain.turns
        and state.outcome == (plain.winner and Outcome(ends[plain.winner], plain.reason))
        and Counter(state.legal_actions()) == Counter(plain.legal())
        and state.count_actions() == len(plain.legal())
    )


@st.composite
def states(draw):
    """States of random games, finished ones too, on fields of several sizes."""
    state = Game.load("hexxagon", **draw(st.sampled_from(OPTIONS))).initial()
    rng = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 120))):
        if state.outcome is not None:
            break
        growths = [action for action in state.legal_actions() if action and isinstance(action[0], int)]
        grows = growths and rng.random() < 0.5  # so that full fields are met, and passes
        state = state.play(rng.choice(growths) if grows else state.sample(rng))
    return state


going_on = states().filter(lambda state: state.outcome is None)


@recorded("hexxagon", "perft")
def test_perft(case):
    """The numbers of sequences of actions are those of the vectors."""
    assert perft(after(case.get("prefix", []), **case["options"]), case["depth"]) == case["leaves"]


@recorded("hexxagon", "games")
def test_recorded_games(case):
    """Turns, sides, numbers of actions, the end and the men on the field are those of the vectors."""
    state = Game.load("hexxagon", **case["options"]).initial()
    columns = (case[name] for name in ("actions", "turns_passed_to_action", "to_move", "legal_counts"))
    for action, turns, side, legal in zip(*columns, strict=True):
        assert (state.turns, state.game.sides[state.to_move]) == (turns, side)
        assert state.count_actions() == len(state.legal_actions()) == legal
        state = state.play(state.check(tuples(action)))
    assert [state.count_pieces(0), state.count_pieces(1)] == case["score"]
    winner = {"white": 0, "black": 1, "draw": None}.get(case["winner"])
    assert state.outcome == (case["reason"] and Outcome(winner, case["reason"]))


@recorded("hexxagon", "illegal")
def test_what_the_vectors_refuse(case):
    """All are refused, in one line."""
    state = after(case["prefix"], **case["options"])
    action = tuples(case["action"])
    with pytest.raises(IllegalAction) as refused:
        state.check(action)
    assert str(refused.value).isprintable()


def forces(state, side, turns, known):
    """Whether a side can force having more men at the end within so many turns."""
    if state.outcome is not None or turns == 0:
        return state.outcome is not None and state.outcome.winner == side
    key = state.key(), turns
    if key not in known:
        some = any if state.to_move == side else all
        known[key] = some(forces(state.play(action), side, turns - 1, known) for action in state.legal_actions())
    return known[key]


def test_forced_wins_are_found_where_they_are():
    """Wins within seven turns, in positions of small fields that were solved, are for the side that can force one."""
    found = Counter()
    for fact in read_vectors("hexxagon")["facts"]:
        if fact["kind"] == "position":
            state = position(fact["mover"], fact["opponent"], **fact["options"], turn_cap=0)
            winners = [name for side, name in enumerate(("mover", "opponent")) if forces(state, side, 7, {})]
            assert winners in ([], [fact["forced_winner"]])
            found.update(winners)
    assert found == {"mover": 7, "opponent": 5}


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_games_agree_with_the_plain_rule_book(options):
    """Board, legal actions, turns and end are the same at every turn."""
    for seed in range(4 if options.get("size", 5) < 5 else 1):
        state, rng = Game.load("hexxagon", **options).initial(), Random(seed)
        check_course(state, PlainHexxagon(**options), agrees, lambda state, rng=rng: state.sample(rng))


@given(going_on, st.randoms(use_true_random=False))
def test_an_action_agrees_with_the_plain_rule_book(state, rng):
    """Also on full fields, with passes and near the cap."""
    options = state.game.options
    plain = PlainHexxagon(options.size, options.holes, options.turn_cap)
    plain.board, plain.turns = board(state), state.turns
    assert agrees(state, plain)
    action = state.sample(rng)
    plain.play(action)
    assert agrees(state.play(action), plain)


@given(going_on, st.randoms(use_true_random=False))
def test_men_are_neither_lost_nor_made_of_nothing(state, rng):
    """A growth adds one man, a jump and a pass none; only the side to act has more men afterwards."""
    action = state.sample(rng)
    then = state.play(action)
    grown = action is not None and isinstance(action[0], int)
    assert then.count_pieces(0) + then.count_pieces(1) == state.count_pieces(0) + state.count_pieces(1) + grown
    assert then.count_pieces(1 - state.to_move) <= state.count_pieces(1 - state.to_move)
    assert not then.mine & then.theirs


@settings(max_examples=15)
@given(going_on)
def test_check_accepts_the_legal_actions_and_nothing_else(state):
    """Of all growths, all jumps between two cells and None."""
    cells = [*state.game.field.cells[:24], (1, 0), (9, 9)]
    check_accepted(state, [*cells, *((origin, target) for origin in cells for target in cells)])


@given(states())
def test_text_is_read_back(state):
    """A diagram holds all that the rules need, and the pasted text of a state is the state."""
    assert state.game.parse(state.text()) == state
    assert state.game.parse("\n".join(line.rstrip() for line in state.text().splitlines())) == state


@given(going_on)
def test_the_symmetries_keep_the_rules(state):
    """What is turned or reflected has as many actions, and so do all states that follow."""
    for image in state.game.symmetries():
        white, black, _ = image(state.key())
        mine, theirs = (black, white) if state.to_move else (white, black)
        twin = state._replace(mine=mine, theirs=theirs)
        assert Counter(image(state.play(action).key()) for action in state.legal_actions()) == Counter(
            twin.play(action).key() for action in twin.legal_actions()
        )


def test_there_are_five_symmetries_and_all_keep_the_start():
    """The turns by a third and three reflections, whatever the holes."""
    for options in OPTIONS:
        state = Game.load("hexxagon", **options).initial()
        assert [image(state.key()) for image in state.game.symmetries()] == [state.key()] * 5


def test_samples_are_uniform():
    """Each of the 24 actions from the start comes up about as often as any other."""
    check_odds(START)


def test_a_rare_action_is_found_all_the_same():
    """Where one man has one cell left, that is what is sampled, and where none is left the pass."""
    cells = START.game.field.cells
    one = position([(0, 0)], [cell for cell in cells if cell not in ((0, 0), (0, 1))])
    assert {one.sample(Random(seed)) for seed in range(20)} == {(0, 1)}
    none = position([(0, 0)], [cell for cell in cells if cell not in ((0, 0), (0, 4))])
    assert {none.sample(Random(seed)) for seed in range(20)} == {None}


def test_a_growth_turns_the_men_around_it():
    """All enemy men next to the new man, and no others."""
    state = position([(0, 2)], [(0, 3), (1, 1), (-1, 3), (3, 0)])
    assert state.play((1, 2)).men(0) == state.game.field.board([(0, 2), (1, 2), (0, 3), (1, 1)])


def test_a_jump_leaves_its_origin_empty_and_goes_over_holes():
    """(2, 0) to (0, 0) goes over the hole (1, 0)."""
    state = position([(2, 0)], [(-1, 0), (4, 0)]).play(((2, 0), (0, 0)))
    assert board(state)[2, 0] is None
    assert state.men(0) == state.game.field.board([(0, 0), (-1, 0)])


def test_the_empty_cells_count_for_nobody_when_a_side_has_no_men():
    """The other has won with few men as with many."""
    state = position([(0, 0)], [(0, 2)]).play((0, 1))
    assert state.outcome == Outcome(0, "no men left")
    assert state.picture().notes == ["white: men 3", "black: men 0"]


def test_a_match_that_is_cut_goes_to_the_side_with_more_men():
    """Or to nobody; without a cap it goes on."""
    jumps = [((4, 0), (2, 0)), ((4, -4), (2, -2))]
    assert after(jumps, turn_cap=2).outcome == Outcome(None, "turn limit")
    assert after([(3, 0), *jumps[1:]], turn_cap=2).outcome == Outcome(0, "turn limit")
    assert after([jumps[0], (3, -4)], turn_cap=2).outcome == Outcome(1, "turn limit")
    assert after(jumps, turn_cap=0).outcome is None


def test_the_rules_of_the_game_are_looked_at_before_the_cap():
    """The last turn may fill the field, or take the last man, and the match has ended by that."""
    cells = START.game.field.cells
    full = position([(0, 0)], [cell for cell in cells if cell not in ((0, 0), (0, 1))], ply=598, turn_cap=599)
    assert full.play((0, 1)).outcome == Outcome(1, "board full")
    taken = position([(0, 0)], [(0, 2)], ply=598, turn_cap=599)
    assert taken.play((0, 1)).outcome == Outcome(0, "no men left")


@pytest.mark.parametrize(
    ("action", "kind", "words"),
    [
        (None, "may_not_pass", "White returned None but can act, such as by (1, -4)"),
        ((9, 0), "off_board", "(9, 0) is not on the field, where q, r and q + r go from -4 to 4"),
        ((1, 0), "off_board", "(1, 0) is a hole of the field"),
        ((4, 0), "occupied", "White grew on (4, 0), but a man of White is there"),
        ((0, 0), "unreachable", "no man of White is next to that cell; return (q, r), an empty cell"),
        (((4, -4), (2, -2)), "not_yours", "the man on (4, -4) is one of Black; jump with a man of White"),
        (((0, 0), (2, 0)), "not_yours", "there is no man on (0, 0)"),
        (((4, 0), (3, 0)), "unreachable", "that cell is next to it: return (3, 0) alone to grow there"),
        (((4, 0), (1, 2)), "unreachable", "a jump goes to a cell at distance 2, and that is 3; that man can jump to"),
        (((4, 0), (4, 0)), "unreachable", "a man cannot stay where it is; that man can jump to"),
        (((4, 0), (0, 4)), "occupied", "a man of Black is on (0, 4)"),
        (((3, 0),), "form", "an action wrapped in one more tuple"),
        ((((4, 0), (2, 0)),), "form", "an action wrapped in one more tuple"),
        ((4, 0, 2, 0), "form", "four numbers in one tuple"),
        ("(3, 0)", "form", "a string: return the tuple itself"),
    ],
    ids=str,
)
def test_refusals_say_what_is_wrong(action, kind, words):
    """Each has its kind, what was done, and what may be done instead."""
    with pytest.raises(IllegalAction) as refused:
        START.check(action)
    assert refused.value.kind == kind
    assert words in str(refused.value)


def test_who_has_to_pass_is_told_so():
    """Whatever else was returned."""
    state = position([(0, 0)], [cell for cell in START.game.field.cells if cell not in ((0, 0), (0, 4))])
    for action in ((0, 4), ((0, 0), (0, 4))):
        with pytest.raises(IllegalAction, match="so return None") as refused:
            state.check(action)
        assert refused.value.kind == "must_pass"
    assert state.play(None).to_move == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("#", "-", 1), "line 4: the cell (0, -1) is a hole, #, not '-'"),
        (lambda text: text.replace("@", "B", 1), "line 1: the cell (4, -4) is O, @ or -, not 'B'"),
        (lambda text: text[1:], "line 1: expected 4 blanks and 5 cells with a blank between them"),
        (lambda text: text.replace("white", "black"), "line 10: after 0 turns it is not the turn of black"),
        (lambda text: text.replace("turns taken", "turns"), "line 10: expected 'N turns taken, white to act'"),
        (lambda text: text[:-40], "a diagram has 9 rows of cells and a line on the turn, not 9 lines"),
        (lambda text: text.replace("0 turns taken, white to act", "game over after 8 turns"), "the game goes on"),
        (lambda text: text.replace("@", "-"), "the game is over (no men left)"),
    ],
)
def test_a_diagram_that_is_none_is_refused(change, words):
    """The message names the line."""
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the words are compared below
        START.game.parse(change(START.text()))
    assert words in str(refused.value)


def test_options_out_of_range_are_refused():
    """A field has 3 to 9 cells along a side, and 0 or 3 holes."""
    for options in ({"size": 2}, {"size": 10}, {"holes": 1}, {"size": 5.0}, {"turn_cap": -1}):
        with pytest.raises(OptionError):
            Game.load("hexxagon", **options)


@pytest.mark.parametrize(("size", "holes", "cells"), [(5, 3, 58), (5, 0, 61), (3, 3, 16), (9, 0, 217)])
def test_the_picture_has_the_cells_where_they_lie(size, holes, cells):
    """Neighbours are one apart and others further; every row and every q has its label beside it, and on no cell."""
    layout = Game.load("hexxagon", size=size, holes=holes).initial().picture().layout
    assert len(layout.cells) == cells
    assert {cell.shape for cell in layout.cells} == {"hex"}
    for one in layout.cells[::7]:
        for other in layout.cells:
            steps, apart = distance(one.id, other.id), hypot(one.x - other.x, one.y - other.y)
            assert (steps == 1) == (abs(apart - 1) < 1e-9)
    labels = {label.text: label for label in layout.labels}
    names = [f"{letter}{number}" for letter in "qr" for number in range(1 - size, size)]
    assert sorted(labels) == sorted(names)
    for cell in layout.cells:
        assert abs(labels[f"r{cell.id[1]}"].y - cell.y) < 1e-9
        column = labels[f"q{cell.id[0]}"]
        assert abs((column.y - cell.y) - (column.x - cell.x) * 3**0.5) < 1e-9
        assert all(hypot(label.x - cell.x, label.y - cell.y) > 0.9 for label in layout.labels)
    assert len({(round(label.x, 6), round(label.y, 6)) for label in layout.labels}) == len(names)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_game_conforms(options):
    """Random matches with each of several sets of options keep the promises of every game."""
    check_game(Game.load("hexxagon", **options), seed=1, matches=1 if not options else 2)

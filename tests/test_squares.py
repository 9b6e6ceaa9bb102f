"""The rules of Squares: the vectors, the plain rule book as judge, refusals, and what must always hold."""

from collections import Counter
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging import check_course
from plain_squares import PlainSquares
from vectors import check_game_record, check_perft, check_refusal, recorded

from watch_your_back.game import Game, IllegalAction, OptionError, Outcome
from watch_your_back.games.squares import Squares
from watch_your_back.testing import check_game

GAME = Game.load("squares")

OPTIONS = st.fixed_dictionaries(
    {"size": st.integers(2, 7), "counters": st.integers(1, 30), "announce": st.sampled_from(["manual", "auto"])}
)


def after(actions, **options):
    """The state after these actions, each of them checked."""
    state = Game.load("squares", **options).initial()
    for action in actions:
        state = state.play(state.check(action))
    return state


def diagram(*rows, turn, **options):
    """The state with these rows, whose cells are not parted, and this line on the stocks."""
    return Game.load("squares", size=len(rows), **options).parse("\n".join([*map(" ".join, rows), turn]))


@st.composite
def states(draw):
    """States of random games, finished ones too, on boards of several sizes."""
    state = Game.load("squares", **draw(OPTIONS)).initial()
    rng = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, 49))):
        if state.outcome is not None:
            break
        state = state.play(state.sample(rng))
    return state


going_on = states().filter(lambda state: state.outcome is None)


def agrees(state, plain):
    """Whether the rules and the plain rule book have the same board, stocks, actions and end."""
    ends = {"white": 0, "black": 1, "draw": None}
    board = {cell: None if (side := state.owner(cell)) is None else GAME.sides[side] for cell in plain.board}
    return (
        board == plain.board
        and [state.side(0).stock, state.side(1).stock] == [*plain.stock.values()]
        and state.outcome == (plain.winner and Outcome(ends[plain.winner], plain.reason))
        and Counter(state.legal_actions()) == Counter(plain.legal())
    )


@recorded("squares", "perft")
def test_perft(case):
    """The numbers of sequences of listed actions are those of the vectors."""
    check_perft("squares", case)


@recorded("squares", "games")
def test_games_of_the_vectors(case):
    """Turns, side to move, number of actions, stocks and the end are those that were recorded."""
    state = check_game_record("squares", case)
    assert [state.side(0).stock, state.side(1).stock] == case["score"]


@recorded("squares", "illegal")
def test_illegal_actions_of_the_vectors(case):
    """All are refused, in one line."""
    check_refusal("squares", case)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"announce": "auto"},
        {"size": 4, "counters": 20},
        {"size": 6, "counters": 12},
        {"size": 7, "counters": 60},
        {"size": 3, "counters": 2, "announce": "auto"},
        {"size": 2, "counters": 9},
    ],
    ids=str,
)
def test_games_agree_with_the_plain_rule_book(options):
    """Board, stocks, actions and end are the same at every turn."""
    state, rng = Game.load("squares", **options).initial(), Random(str(options))
    check_course(state, PlainSquares(**options), agrees, lambda state: state.sample(rng))


def test_a_full_large_board_counts_as_its_diagram_does():
    """On 19 x 19 with many counters, what is kept up to date is at every 20th turn what the diagram alone says."""
    state, rng = Game.load("squares", size=19, counters=500).initial(), Random(19)
    reached = 0
    while state.outcome is None:
        if state.ply % 20 == 0:
            assert state.game.parse(state.text()) == state
        reached = max(reached, max((len(squares) for squares in state.mine.chances.values()), default=0))
        state = state.play(state.sample(rng))
    assert reached > 6


@pytest.mark.parametrize(
    ("corners", "price"),
    [
        (((0, 0), (0, 1), (1, 0), (1, 1)), 1),
        (((1, 2), (1, 7), (6, 2), (6, 7)), 5),
        (((0, 1), (1, 0), (1, 2), (2, 1)), 1),
        (((0, 3), (3, 0), (3, 6), (6, 3)), 3),
        (((0, 1), (1, 4), (3, 0), (4, 3)), 1),
        (((0, 3), (2, 7), (4, 1), (6, 5)), 2),
        (((0, 2), (2, 7), (5, 0), (7, 5)), 2),
    ],
    ids=str,
)
def test_the_price_of_a_square(corners, price):
    """A straight square costs its side, a tilted one the smaller part of its side."""
    *first, last = corners
    others = [cell for cell in [(7, 7), (7, 6), (7, 4)] if cell not in corners]
    state = after([first[0], others[0], first[1], others[1], first[2], others[2]])
    assert state.completed(last) == (corners,)
    assert state.play(state.check((last, (corners,)))).side(1).stock == 32 - 3 - price
    assert state.play(last).side(1).stock == 32 - 3


def test_announcing_with_auto():
    """All squares completed at once are paid for, without being named."""
    state = diagram("OO-", "O--", "@@@", turn="stock: white 9, black 9; white to place", counters=12, announce="auto")
    assert (1, 1) in state.legal_actions()
    assert len(state.legal_actions()) == 3
    assert state.play((1, 1)).side(1).stock == 8


def test_a_stock_is_never_below_nothing_and_payment_comes_first():
    """White's last counter completes a square that costs more than Black has: Black's stock was empty first."""
    state = diagram("O-O@", "----", "O--@", "---@", turn="stock: white 1, black 1; white to place", counters=4)
    quiet, paid = (2, 2), ((2, 2), (((0, 0), (0, 2), (2, 0), (2, 2)),))
    assert state.play(quiet).outcome == Outcome(1, "stock empty")
    assert state.play(paid).outcome == Outcome(0, "stock empty")
    assert state.play(paid).key()[2:4] == (0, 0)


def test_a_square_that_is_not_announced_is_lost():
    """It cannot be announced later, by whatever counter."""
    state = after([(0, 0), (7, 7), (0, 1), (7, 6), (1, 0), (7, 5), (1, 1), (7, 0)])
    with pytest.raises(IllegalAction, match="only the counter that completes a square can announce it"):
        state.check(((3, 3), (((0, 0), (0, 1), (1, 0), (1, 1)),)))


CROSS = ("@@O@@", "@OOO@", "OO-OO", "@OOO@", "@@O@@")
"""A counter in the middle would complete eight squares of White."""


def test_more_than_six_squares_at_once():
    """None, each one and all of them are listed then, but any choice is accepted."""
    state = diagram(*CROSS, turn="stock: white 88, black 88; white to place", counters=100)
    cell, squares = (2, 2), state.completed((2, 2))
    assert len(squares) == 8
    assert state.legal_actions() == [cell, *((cell, (square,)) for square in squares), (cell, squares)]
    assert state.count_actions() == 10
    assert state.check((cell, squares[2:5])) == (cell, squares[2:5])


@pytest.mark.parametrize(
    ("rows", "squares", "actions"),
    [(("-@-@@", *CROSS[1:]), 7, 9), (("-@O@@", "@O-O@", *CROSS[2:]), 6, 64)],
)
def test_up_to_six_squares_every_choice_is_listed(rows, squares, actions):
    """With the counter that announces none 64 actions of one cell, but only 9 where it completes a seventh square."""
    state = diagram(*rows, turn="stock: white 89, black 89; white to place", counters=100)
    assert len(state.completed((2, 2))) == squares
    assert sum(state.game.cells(action) == ((2, 2),) for action in state.legal_actions()) == actions


def test_a_game_that_is_cut_is_a_draw_but_its_own_end_comes_first():
    """Whatever the stocks are; an empty stock and a full board end it though it is the last turn."""
    square = ((0, 0), (0, 1), (1, 0), (1, 1))
    actions = [(0, 0), (7, 7), (0, 1), (7, 6), (1, 0), (7, 5), ((1, 1), (square,))]
    assert after(actions, turn_cap=7).outcome == Outcome(None, "turn limit")
    assert after(actions[:-1], turn_cap=7).outcome is None
    assert after(actions, turn_cap=7, counters=4).outcome == Outcome(0, "stock empty")
    assert after([(0, 0), (1, 0), (0, 1), (1, 1)], turn_cap=4, size=2).outcome == Outcome(None, "board full")


@pytest.mark.parametrize(
    ("rows", "turn"),
    [
        (CROSS, "stock: white 88, black 88; white to place"),
        (("OOO--", "O-O--", "-----", "@@@--", "@-@--"), "stock: white 95, black 95; white to place"),
        (("OO--O", "O---O", "@@-@@", "OO-OO", "@-@@@"), "stock: white 91, black 90; black to place"),
        (("-----", "-----", "-----", "-----", "-----"), "stock: white 100, black 100; white to place"),
    ],
    ids=range(4),
)
def test_sample_draws_every_listed_action_equally_often(rows, turn):
    """So a cell is drawn as often as it is listed, once for each choice of squares."""
    state = diagram(*rows, turn=turn, counters=100)
    rng, draws, listed = Random(5), 20_000, state.legal_actions()
    drawn = Counter(state.sample(rng) for _ in range(draws))
    assert drawn.keys() <= set(listed)
    expected = draws / len(listed)
    assert all(abs(drawn[action] - expected) < 5 * sqrt(expected) for action in listed)


@given(going_on, st.randoms(use_true_random=False))
def test_what_always_holds(state, rng):
    """An action adds one counter, costs its side one and the other side the prices; the side to move changes."""
    action = state.sample(rng)
    then = state.play(state.check(action))
    before, later = (each.side(state.to_move) for each in (state, then))
    assert (later.counters ^ before.counters).bit_count() == 1
    assert later.stock == before.stock - 1
    before, later = (each.side(1 - state.to_move) for each in (state, then))
    assert later.counters == before.counters
    assert 0 <= later.stock <= before.stock
    assert later.stock == before.stock or state.completed(state.game.cells(action)[0])
    assert then.to_move == 1 - state.to_move
    assert state.game.parse(then.text()) == then


@given(going_on)
def test_every_state_agrees_with_the_plain_rule_book(state):
    """What a counter completes on any cell, and so all listed actions."""
    options = {name: getattr(state.game.options, name) for name in ("size", "counters", "announce")}
    judge = PlainSquares(**options)
    judge.board = {cell: None if (side := state.owner(cell)) is None else GAME.sides[side] for cell in judge.board}
    judge.stock = {"white": state.side(0).stock, "black": state.side(1).stock}
    if state.to_move:
        judge.mover, judge.opponent = judge.opponent, judge.mover
    assert Counter(state.legal_actions()) == Counter(judge.legal())


@given(going_on)
def test_turned_and_reflected_boards_are_the_same_game(state):
    """Each of the seven maps takes a state to one with as many actions; all together are the group of the square."""
    images = {image(state.key()) for image in state.game.symmetries()}
    assert len(state.game.symmetries()) == 7
    for key in images:
        assert {image(key) for image in state.game.symmetries()} | {key} == images | {state.key()}


def test_a_corner_is_mapped_as_a_mirror_would():
    """The eight maps take the cell (1, 0) to the eight cells next to corners."""
    key = after([(1, 0)], size=4).key()
    cells = {image(key)[0].bit_length() - 1 for image in GAME.load("squares", size=4).symmetries()}
    assert {(cell % 4, cell // 4) for cell in cells} == {(2, 0), (0, 1), (3, 1), (0, 2), (3, 2), (1, 3), (2, 3)}


STARTED = [(0, 0), (7, 7), (0, 1), (7, 6), (1, 0), (4, 4)]
SQUARE = ((0, 0), (0, 1), (1, 0), (1, 1))


@pytest.mark.parametrize(
    ("action", "kind", "words"),
    [
        (None, "may_not_pass", "White returned None, but no turn may be passed (is a return missing in action()?)"),
        ("3 4", "form", "a string: return the tuple itself"),
        (7, "form", "a single number"),
        ((3, 4, 5), "form", "White returned (3, 4, 5); return (x, y), an empty cell"),
        (((3, 4),), "form", "wrapped in one more tuple"),
        ((8, 0), "off_board", "(8, 0) is not on the board, where x and y go from 0 to 7"),
        ((-1, 0), "off_board", "negative numbers do not count from the other end"),
        ((0, 0), "occupied", "a counter of White is there"),
        ((4, 4), "occupied", "a counter of Black is there"),
        (((1, 1), ()), "claim", "to announce nothing return (1, 1) alone"),
        (((1, 1), SQUARE), "claim", "put it into a tuple"),
        (((1, 1), 5), "claim", "announced 5, which is no tuple of squares"),
        (((1, 1), (SQUARE[:3],)), "claim", "which is no square; a square is a tuple of its four corners"),
        (((1, 1), (SQUARE[::-1],)), "claim", "whose corners are not sorted; return tuple(sorted(corners))"),
        (((1, 1), (SQUARE, SQUARE)), "claim", "announced a square twice"),
        (((1, 1), (((0, 0), (0, 1), (1, 0), (9, 1)),)), "claim", "(9, 1) is not on the board"),
        (((3, 3), (SQUARE,)), "claim", "no corner on (3, 3)"),
        (((1, 1), (((0, 0), (0, 1), (1, 0), (1, 2)),)), "claim", "it completes ((0, 0), (0, 1), (1, 0), (1, 1))"),
        (((1, 3), (((0, 0), (0, 1), (1, 0), (1, 3)),)), "claim", "not the corners of a square; it completes none"),
        (((1, 1), (((1, 1), (1, 2), (2, 1), (2, 2)),)), "claim", "but (1, 2) is empty"),
        (((3, 3), (((3, 3), (3, 4), (4, 3), (4, 4)),)), "claim", "but (3, 4) is empty"),
        (((4, 5), (((4, 4), (4, 5), (5, 4), (5, 5)),)), "claim", "but (4, 4) has a counter of Black"),
    ],
    ids=str,
)
def test_refusals(action, kind, words):
    """Each says what was done, what is wrong with it and what to return instead."""
    with pytest.raises(IllegalAction) as refused:
        after(STARTED).check(action)
    assert refused.value.kind == kind
    assert words in str(refused.value)


def test_claims_that_are_not_sorted_are_refused():
    """And the message says how to sort them."""
    state = diagram(*CROSS, turn="stock: white 88, black 88; white to place", counters=100)
    first, second = state.completed((2, 2))[:2]
    with pytest.raises(IllegalAction, match=r"return \(\(x, y\), tuple\(sorted\(claims\)\)\)"):
        state.check(((2, 2), (second, first)))


def test_nothing_is_announced_with_auto():
    """The referee does it, and says so."""
    with pytest.raises(IllegalAction, match=r"announce=auto\); return \(1, 1\) alone"):
        after(STARTED, announce="auto").check(((1, 1), (SQUARE,)))


def test_nothing_is_legal_after_the_end():
    """Not even to resign."""
    state = after([(0, 0), (0, 1), (1, 0)], size=2, counters=2)
    for action in ((1, 1), "resign", None):
        with pytest.raises(IllegalAction, match="after the end of the game"):
            state.check(action)


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ([1, 1, "all"], ((1, 1), (SQUARE,))),
        ([3, 3, "all"], (3, 3)),
        ([9, 9, "all"], (9, 9)),
        ([0, 0, "all"], (0, 0)),
        ([1, 1], None),
        (["all"], None),
        ([1, "all"], None),
        ([1, 1, "none"], None),
    ],
    ids=str,
)
def test_the_short_form_of_a_person(words, action):
    """`x y all` announces every completed square; the numbers of other actions say all themselves."""
    assert after(STARTED).read(words) == action


def test_the_short_form_with_auto_names_no_square():
    """For there is no such action then."""
    assert after(STARTED, announce="auto").read([1, 1, "all"]) == (1, 1)


def test_only_the_cell_of_the_counter_is_touched():
    """Whatever is announced with it."""
    assert GAME.cells((3, 4)) == GAME.cells(((3, 4), (SQUARE,))) == ((3, 4),)


def test_the_picture_shows_both_stocks():
    """Beside a board with every counter on its cell."""
    picture = after(STARTED).play(((1, 1), (SQUARE,))).picture()
    assert picture.notes == ["white: stock 28", "black: stock 28"]
    assert [piece.cell for piece in picture.pieces if piece.side == 1] == [(4, 4), (7, 6), (7, 7)]


@pytest.mark.parametrize(
    ("rows", "turn", "words"),
    [
        (["OO", "--"], "stock: white 3, black 5; white to place", "White places first"),
        (["O-", "--"], "stock: white 5, black 5; black to place", "White began with 5 counters and has placed 1"),
        (["O-", "--"], "stock: white 4, black 4; black to place", "Black has paid 1 counters, but"),
        (["O-", "--"], "stock: white 4, black 5; white to place", "it is black's turn"),
        (["O-", "--"], "stock: white 4, black 5; game over", "the game goes on"),
        (["OX", "--"], "stock: white 4, black 5; black to place", "line 1: expected 2 cells"),
        (["O-", "--"], "stock: 4", "line 3: expected 'stock: white N, black N"),
        (["O-"], "stock: white 4, black 5; black to place", "2 lines of the board"),
    ],
    ids=range(8),
)
def test_a_diagram_that_cannot_be_is_refused(rows, turn, words):
    """The message names the line and what is wrong."""
    with pytest.raises(ValueError, match=words):
        Game.load("squares", size=2, counters=5).parse("\n".join([*map(" ".join, rows), turn]))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"size": 1}, "size is at least 2"),
        ({"size": 20}, "size is at most 19"),
        ({"counters": 0}, "counters is at least 1"),
        ({"announce": "loud"}, "announce is one of manual, auto"),
    ],
    ids=str,
)
def test_options_out_of_range(options, words):
    """Are refused when the game is made."""
    with pytest.raises(OptionError, match=words):
        Game.load("squares", **options)


@pytest.mark.parametrize(
    ("options", "matches"),
    [
        ({}, 2),
        ({"announce": "auto"}, 2),
        ({"size": 4, "counters": 20}, 6),
        ({"size": 2, "counters": 1}, 1),
        ({"size": 5, "counters": 14, "turn_cap": 9}, 4),
        ({"size": 6, "counters": 60}, 2),
    ],
    ids=str,
)
def test_the_game_conforms(options, matches):
    """On boards of several sizes, with all options."""
    check_game(Squares(Squares.Options(**options)), seed=1, matches=matches)

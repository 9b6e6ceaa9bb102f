"""The rules of Five in a Row: the vectors, the plain rule book as judge, refusals, and what must always hold."""

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging import check_accepted, check_course, check_odds
from plain_five_in_a_row import PlainGame
from vectors import check_game_record, check_perft, check_refusal, recorded

from watch_your_back.game import Game, IllegalAction, OptionError, Outcome, Piece
from watch_your_back.games.five_in_a_row import FiveInARow
from watch_your_back.testing import check_game

START = FiveInARow().initial()

PLACE = "return (x, y), an empty square"
MOVE = "return ((a, b), (c, d)), the square of a man of White and the square next to it that it moves to"

CORNER = """\
O O O O O O
O O O O O O
@ @ @ @ @ @
@ @ @ @ @ @
- - - - - -
- - - - - -
{turns} turns into the moving phase
white has 4 points: (0,0)-(4,0) (1,0)-(5,0) (0,1)-(4,1) (1,1)-(5,1)
black has 4 points: (0,2)-(4,2) (1,2)-(5,2) (0,3)-(4,3) (1,3)-(5,3)"""


def placed(white, black, **options):
    """The state after White has placed on these squares, in turn with Black on those."""
    state = Game.load("five_in_a_row", **options).initial()
    for number in range(len(white) + len(black)):
        square = (white, black)[number % 2][number // 2]
        state = state.play(state.check(square))
    return state


def moving(rows, turns=0, white="white has 0 points", black="black has 0 points", **options):
    """The state with these rows, whose squares are not parted, in the moving phase."""
    lines = [" ".join(row) for row in rows.split()]
    text = "\n".join([*lines, f"{turns} turns into the moving phase", white, black])
    return Game.load("five_in_a_row", size=len(lines), **options).parse(text)


def gathering(state, rng):
    """A random action, of a few tries one that scores or has most men beside it, so that points are made."""
    mine = state.men(state.to_move)
    near = state.game.geometry.near

    def worth(action):
        after = state.play(action)
        men = after.men(state.to_move)
        beside = sum((near[man] & men).bit_count() for man in after.game.geometry.bits(men ^ mine & men))
        return after.points(state.to_move), beside

    return max((state.sample(rng) for _ in range(4)), key=worth)


def at_random(state, rng):
    return state.sample(rng)


OPTIONS = st.fixed_dictionaries(
    {"size": st.sampled_from([6, 7, 8, 10]), "target": st.sampled_from([1, 2, 5, 10]), "turn_cap": st.just(60)}
)


@st.composite
def states(draw):
    """States of random matches on boards of several sizes, finished ones too."""
    state = Game.load("five_in_a_row", **draw(OPTIONS)).initial()
    choose = draw(st.sampled_from([gathering, at_random]))
    rng = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 90))):
        if state.outcome is None:
            state = state.play(choose(state, rng))
    return state


going_on = states().filter(lambda state: state.outcome is None)


def agrees(state, plain):
    """Whether the rules and the plain rule book have the same position, the same actions and the same end."""
    sides = state.game.sides
    men = {piece.cell: sides[piece.side] for piece in state.picture().pieces}
    legal = state.legal_actions()
    end = state.outcome and ("draw" if state.outcome.winner is None else sides[state.outcome.winner])
    return (
        men == plain.men
        and (state.phase, state.turns) == (plain.phase, plain.turns)
        and [state.points(0), state.points(1)] == [plain.points("white"), plain.points("black")]
        and (end and (end, state.outcome.reason)) == plain.end
        and len(legal) == len(plain.legal())
        and set(legal) == set(plain.legal())
    )


@recorded("five_in_a_row", "perft")
def test_perft(entry):
    """There are as many sequences of legal actions as the reference counted."""
    check_perft("five_in_a_row", entry)


@recorded("five_in_a_row", "games")
def test_recorded_games(record):
    """Turns, side and number of actions agree before each action, the winner, the reason and the points at the end."""
    state = check_game_record("five_in_a_row", record)
    assert [state.points(0), state.points(1)] == record["score"]


@recorded("five_in_a_row", "illegal")
def test_recorded_refusals(entry):
    """What the reference refused is refused."""
    check_refusal("five_in_a_row", entry)


@pytest.mark.parametrize("choose", [at_random, gathering])
@pytest.mark.parametrize(
    "options",
    [{}, {"size": 6}, {"size": 6, "target": 30, "turn_cap": 90}, {"size": 7, "target": 3}, {"target": 1}, {"size": 9}],
    ids=str,
)
def test_games_agree_with_the_plain_rule_book(choose, options):
    """Board, points, legal actions, turns and end are the same at every turn, on boards of several sizes."""
    options = {"turn_cap": 120} | options
    for seed in range(2):
        state, rng = Game.load("five_in_a_row", **options).initial(), Random(seed)
        check_course(state, PlainGame(**options), agrees, lambda state, rng=rng: choose(state, rng))


def test_one_placement_may_score_several():
    """The fifth man in a row and in a column at once makes two points."""
    row, column = [(x, 0) for x in range(1, 5)], [(0, y) for y in range(1, 5)]
    black = [(2, 7), (4, 7), (6, 7), (3, 5), (5, 5), (7, 5), (1, 6), (3, 6)]
    state = placed(row + column, black)
    assert state.points(0) == 0
    assert state.play((0, 0)).points(0) == 2


def test_six_in_a_row_are_two_combinations():
    """The man in the gap of six completes both."""
    state = placed([(0, 0), (1, 0), (2, 0), (4, 0), (5, 0)], [(0, 7), (2, 7), (4, 7), (6, 7), (1, 5)])
    assert state.play((3, 0)).points(0) == 2


def test_a_combination_scores_once():
    """Broken up and formed again it is the same five squares; that it has scored is part of the state."""
    rows = "OOOOO--- -------- O-O-O-O- -------- O-O-O--- @-@-@-@- -@-@-@-@ @-@-@-@-"
    state = moving(rows, white="white has 1 point: (0,0)-(4,0)")
    for action in [((4, 0), (5, 1)), ((0, 5), (0, 6)), ((5, 1), (4, 0)), ((0, 6), (0, 5))]:
        state = state.play(state.check(action))
    assert (state.points(0), state.turns) == (1, 4)
    apart = "OOOO---- -----O-- O-O-O-O- -------- O-O-O--- @-@-@-@- -@-@-@-@ @-@-@-@-"
    scored, fresh = moving(apart, white="white has 1 point: (0,0)-(4,0)"), moving(apart)
    assert scored != fresh
    assert fresh.play(((5, 1), (4, 0))) == scored.play(((5, 1), (4, 0)))


def test_the_target_may_be_passed():
    """An action that leads from below the target to above it simply wins."""
    white, black = [(0, 0), (1, 0), (2, 0), (4, 0), (5, 0)], [(0, 7), (2, 7), (4, 7), (6, 7), (1, 5)]
    state = placed(white, black, target=1).play((3, 0))
    assert state.points(0) == 2
    assert state.outcome == Outcome(0, "target")


@pytest.mark.parametrize(
    ("white", "black", "outcome"),
    [
        ("white has 1 point: (0,0)-(4,0)", "black has 0 points", Outcome(0, "turn limit")),
        ("white has 0 points", "black has 2 points: (0,0)-(4,0) (1,0)-(5,0)", Outcome(1, "turn limit")),
        ("white has 1 point: (0,0)-(4,0)", "black has 1 point: (0,0)-(4,0)", Outcome(None, "turn limit")),
    ],
)
def test_at_the_turn_limit_more_points_win(white, black, outcome):
    """And equal ones are a draw; the turns of the moving phase are what is counted."""
    rows = "O-O-O-O- -------- O-O-O-O- -------- O-O-O-O- @-@-@-@- -@-@-@-@ @-@-@-@-"
    state = moving(rows, 999, white, black)
    assert state.outcome is None
    assert state.play(((0, 5), (1, 5))).outcome == outcome
    assert moving(rows, 1000, white, black).outcome == outcome
    assert moving(rows, 1000, white, black, turn_cap=0).outcome is None


def test_the_target_is_looked_at_before_the_cap():
    """A side that reaches it on the last turn has won by that."""
    rows = "@@@@---- ----@--- @-@-@-@- -------- @-@-@--- O-O-O-O- -O-O-O-O O-O-O-O-"
    state = moving(rows, 999, target=1)
    assert state.play(((4, 1), (4, 0))).outcome == Outcome(1, "target")
    assert state.play(((4, 1), (5, 1))).outcome == Outcome(None, "turn limit")


def test_a_side_that_cannot_move_passes():
    """None is then its only action, and counts as a turn; it scores nothing."""
    state = Game.load("five_in_a_row", size=6).parse(CORNER.format(turns=0))
    assert state.legal_actions() == [None]
    assert state.count_actions() == 1
    assert state.sample(Random(0)) is None
    assert state.check(None) is None
    with pytest.raises(IllegalAction) as refused:
        state.check(((0, 0), (0, 1)))
    assert (refused.value.kind, refused.value.message) == (
        "must_pass",
        "White moved (0, 0) to (0, 1), but no man of White can move, so return None",
    )
    assert state.play(None).text() == CORNER.format(turns=1)


SPREAD = moving("O-O-O-O- -------- O-O-O-O- -------- O-O-O-O- @-@-@-@- -@-@-@-@ @-@-@-@-")


@pytest.mark.parametrize(
    ("state", "action", "kind", "message"),
    [
        (
            START,
            None,
            "may_not_pass",
            f"White returned None while placing (is a return missing in action()?); {PLACE}",
        ),
        (START.play((3, 3)), (3, 3), "occupied", f"Black placed on (3, 3), but a man of White is there; {PLACE}"),
        (
            START,
            (8, 0),
            "off_board",
            f"White placed on (8, 0), but (8, 0) is not on the board, where x and y go from 0 to 7; {PLACE}",
        ),
        (
            START,
            ((3, 3), (3, 4)),
            "phase",
            f"White moved (3, 3) to (3, 4), but this is the placing phase; {PLACE}",
        ),
        (
            START,
            ((3, 3),),
            "form",
            "White returned ((3, 3),), an action wrapped in one more tuple (is there a comma after it?); " + PLACE,
        ),
        (
            SPREAD,
            None,
            "may_not_pass",
            "White returned None but has moves, such as (0, 0) to (1, 0) (is a return missing in action()?); " + MOVE,
        ),
        (SPREAD, (1, 1), "phase", f"White placed on (1, 1), but this is the moving phase; {MOVE}"),
        (
            SPREAD,
            (0, 0, 1, 1),
            "form",
            f"White returned (0, 0, 1, 1), four numbers in one tuple, but a move is a tuple of two pairs; {MOVE}",
        ),
        (
            SPREAD,
            ((1, 1), (1, 2)),
            "not_yours",
            "White moved (1, 1) to (1, 2), but there is no man on (1, 1); move a man of White",
        ),
        (
            SPREAD,
            ((0, 5), (0, 6)),
            "not_yours",
            "White moved (0, 5) to (0, 6), but the man on (0, 5) is one of Black; move a man of White",
        ),
        (
            SPREAD,
            ((8, 8), (7, 7)),
            "off_board",
            "White moved (8, 8) to (7, 7), but (8, 8) is not on the board, where x and y go from 0 to 7",
        ),
        (
            SPREAD,
            ((0, 0), (0, -1)),
            "off_board",
            "White moved (0, 0) to (0, -1), but (0, -1) is not on the board, where x and y go from 0 to 7 (negative "
            "numbers do not count from the other end); that man can move to (1, 0), (0, 1) or (1, 1)",
        ),
        (
            SPREAD,
            ((0, 0), (0, 0)),
            "unreachable",
            "White moved (0, 0) to (0, 0), but a man cannot stay where it is; that man can move to (1, 0), (0, 1) or "
            "(1, 1)",
        ),
        (
            SPREAD,
            ((0, 4), (0, 5)),
            "occupied",
            "White moved (0, 4) to (0, 5), but a man of Black is on (0, 5); that man can move to (0, 3), (1, 3), "
            "(1, 4) or (1, 5)",
        ),
        (
            SPREAD,
            ((0, 0), (3, 1)),
            "unreachable",
            "White moved (0, 0) to (3, 1), but that is 3 squares away, and a man moves to a square next to it; that "
            "man can move to (1, 0), (0, 1) or (1, 1)",
        ),
        (
            placed([(x, 0) for x in range(5)], [(x, 2) for x in range(4)], target=1),
            (7, 7),
            "over",
            "Black acted after the end of the game, where no action is legal",
        ),
    ],
)
def test_refusals_are_explained(state, action, kind, message):
    """What was done, why it may not be, and what may."""
    with pytest.raises(IllegalAction) as refused:
        state.check(action)
    assert (refused.value.kind, refused.value.message) == (kind, message)


@given(states().filter(lambda state: state.game.options.size < 8))
def test_check_accepts_the_legal_actions_and_nothing_else(state):
    """Of None, all placements and all moves between two squares."""
    squares = state.game.geometry.squares
    check_accepted(state, [*squares, *((origin, target) for origin in squares for target in squares)])


@given(going_on, st.randoms(use_true_random=False))
def test_what_always_holds(state, rng):
    """Men only come by placements; points never go, and only the side that acts makes any; no square has two men."""
    side, after = state.to_move, state.play(state.sample(rng))
    assert not after.mine & after.theirs
    added = int(state.phase == "placing")
    assert after.count_pieces(side) == state.count_pieces(side) + added
    assert after.count_pieces(1 - side) == state.count_pieces(1 - side)
    assert state.lines(side) & ~after.lines(side) == 0
    assert after.lines(1 - side) == state.lines(1 - side)
    assert (after.outcome is not None and after.outcome.reason == "target") == (
        after.points(side) >= after.game.options.target
    )


@given(going_on, st.randoms(use_true_random=False))
def test_symmetric_matches_are_symmetric(state, rng):
    """The square has seven symmetries; the image of a state plays on as the image of what is played."""
    game = state.game
    last = game.options.size - 1
    symmetries = game.symmetries()
    images = {symmetry(state.key()) for symmetry in symmetries}
    assert len(symmetries) == 7
    assert {symmetry(image) for symmetry in symmetries for image in images} == {*images, state.key()}
    action = state.sample(rng)
    flipped = action and (
        (last - action[0], action[1]) if isinstance(action[0], int) else tuple((last - x, y) for x, y in action)
    )
    mine, theirs, my_lines, their_lines, _ = symmetries[0](state.key())
    twin = state._replace(mine=mine, theirs=theirs, my_lines=my_lines, their_lines=their_lines)
    assert twin.play(twin.check(flipped)).key() == symmetries[0](state.play(action).key())


@pytest.mark.parametrize("state", [START.play((3, 3)), SPREAD], ids=["placing", "moving"])
def test_sample_is_uniform(state):
    """Each legal action is drawn about as often as any other."""
    check_odds(state)


def test_the_picture():
    """Men on a grid of the size that was chosen; the points of both sides lie beside it."""
    board = placed([(0, 0)], [(5, 5)], size=6, target=3).picture()
    assert len(board.layout.cells) == 36
    assert [*board.pieces] == [Piece((0, 0), 0, "man"), Piece((5, 5), 1, "man")]
    assert [*board.notes] == ["white: points 0 of 3", "black: points 0 of 3"]


def test_states_can_be_sent_to_other_processes():
    """Though they know the whole geometry of their board, only its size is sent."""
    data = pickle.dumps(SPREAD)
    assert pickle.loads(data) == SPREAD
    assert len(data) < 1000


BROKEN = {
    "a diagram has 8 lines of the board, a line on the turn and two on points, not 1 lines": ["- - - - - - - -"],
    "line 1: expected 8 squares with a blank between them, not '--------'": {0: "--------"},
    "line 2: the square (0, 1) is O, @ or -, not 'x'": {1: "x - - - - - - -"},
    "line 9: expected 'N turns into the placing phase' or 'N turns into the moving phase', not 'now'": {8: "now"},
    "line 9: the moving phase begins after 24 turns, so they are not 24": {8: "24 turns into the placing phase"},
    "lines 1 to 8: white has placed 0 men by then, but 1 are on the board": {0: "O - - - - - - -"},
    "lines 1 to 8: black has placed 12 men by then, but 0 are on the board": {
        0: "O O - O O - O O",
        1: "O O - O O - O O",
        8: "0 turns into the moving phase",
    },
    "line 10: expected 'white has N points: ' and its combinations, not 'black has 0 points'": {
        9: "black has 0 points"
    },
    "line 10: '(0,0)-(3,0)' is no combination of five squares, such as (0,1)-(4,1)": {
        9: "white has 1 point: (0,0)-(3,0)"
    },
    "line 11: 2 points are for 2 combinations, not 1": {10: "black has 2 points: (0,0)-(4,0)"},
    "line 10: white has five men from (0, 0) to (4, 0), which score a point": {
        0: "O O O O O - - -",
        1: "@ @ @ @ - - - -",
        8: "9 turns into the placing phase",
    },
}


@pytest.mark.parametrize("message", BROKEN)
def test_broken_diagrams_are_explained(message):
    """By the line that is wrong, and what is expected there."""
    lines, change = START.text().splitlines(), BROKEN[message]
    text = "\n".join(change if isinstance(change, list) else [change.get(n, line) for n, line in enumerate(lines)])
    with pytest.raises(ValueError, match=r".") as refused:
        START.game.parse(text)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 5}, "option size is at least 6, not 5"),
        ({"size": 20}, "option size is at most 19, not 20"),
        ({"size": 8.0}, "option size is an int, not 8.0 (float)"),
        ({"target": 0}, "option target is at least 1, not 0"),
        ({"targt": 3}, "the game has no option 'targt' (did you mean target?)"),
    ],
)
def test_options_are_checked(options, message):
    """By name, type and range, in one line."""
    with pytest.raises(OptionError) as refused:
        Game.load("five_in_a_row", **options)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    "options", [{"turn_cap": 40}, {"size": 6, "target": 2, "turn_cap": 50}, {"size": 19, "turn_cap": 2}], ids=str
)
def test_the_game_conforms(options):
    """To all that is promised of games."""
    check_game(Game.load("five_in_a_row", **options), matches=2)

"""The rules of Two Tigers: the vectors, the plain rule book as judge, refusals, and what must always hold."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging import check_accepted, check_course, check_odds
from plain_two_tigers import PlainGame
from vectors import check_game_record, check_perft, check_refusal, recorded

from watch_your_back.game import Game, IllegalAction, OptionError, Outcome, Piece
from watch_your_back.games.two_tigers import Position, TwoTigers
from watch_your_back.games.two_tigers.lines import ALL, BIT, POINTS
from watch_your_back.testing import check_game

GAME = TwoTigers()
START = GAME.initial()

MOVE_TIGER = "return ((a, b), (c, d)), the point of a tiger and the point that it goes to"
MOVE_DOG = "return ((a, b), (c, d)), the point of a dog and the point that it goes to"
FROM_21 = "that tiger can move to (2, 0), (2, 2), (0, 1) or (4, 1)"

AWAY = [((2, 1), (2, 0)), ((1, 1), (0, 1))]
"""A dog has left its stack, so that no earlier position can come again."""
TO_AND_FRO = [((2, 0), (2, 1)), ((0, 1), (0, 0)), ((2, 1), (2, 0)), ((0, 0), (0, 1))]
THE_OTHER_TIGER = [((2, 3), (2, 4)), ((0, 1), (0, 0)), ((2, 4), (2, 3)), ((0, 0), (0, 1))]
"""Four turns after which the position is there again."""


def after(actions, state=START):
    """The state after these actions, each of them checked."""
    for action in actions:
        state = state.play(state.check(action))
    return state


def diagram(rows, ply, quiet, **options):
    """The state with these rows, whose points are not parted."""
    lines = [*map(" ".join, rows.split()), f"{ply} turns taken, {quiet} since the last capture"]
    return TwoTigers(TwoTigers.Options(**options)).parse("\n".join(lines))


def careful(state, rng):
    """A random action, not one that loses or takes a dog if a few tries find another, so that matches last."""
    for _ in range(6):
        action = state.sample(rng)
        answers = state.play(action)
        if all(answers.play(each).taken == state.taken for each in answers.legal_actions()):
            break
    return action


@st.composite
def states(draw):
    """States of random matches, careful or not, finished ones too."""
    options = TwoTigers.Options(draw(st.sampled_from([0, 40])), repetition=draw(st.sampled_from([0, 2, 3])))
    state = TwoTigers(options).initial()
    choose = draw(st.sampled_from([careful, Position.sample]))
    rng = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 110))):
        if state.outcome is None:
            state = state.play(choose(state, rng))
    return state


going_on = states().filter(lambda state: state.outcome is None)


def agrees(state, plain):
    """Whether the rules and the plain rule book have the same position, the same actions and the same end."""
    heights = {piece.cell: int(piece.text) for piece in state.picture().pieces if piece.kind == "dog"}
    tigers = {piece.cell for piece in state.picture().pieces if piece.kind == "tiger"}
    legal = state.legal_actions()
    end = state.outcome and ("draw" if state.outcome.winner is None else GAME.sides[state.outcome.winner])
    return (
        (tigers, heights) == (plain.tigers, plain.dogs)
        and (state.turns, state.quiet, state.taken) == (plain.turns, plain.quiet, plain.taken)
        and (end and (end, state.outcome.reason)) == plain.end
        and len(legal) == len(plain.legal())
        and set(legal) == set(plain.legal())
    )


@recorded("two_tigers", "perft")
def test_perft(entry):
    """There are as many sequences of legal actions as the reference counted."""
    check_perft("two_tigers", entry)


@recorded("two_tigers", "games")
def test_recorded_games(record):
    """Turns, side and number of actions agree before each action, the winner, the reason and the dogs at the end."""
    state = check_game_record("two_tigers", record)
    assert [state.taken, state.count_pieces(1)] == record["score"]


@recorded("two_tigers", "illegal")
def test_recorded_refusals(entry):
    """What the reference refused is refused."""
    check_refusal("two_tigers", entry)


@pytest.mark.parametrize("choose", [Position.sample, careful], ids=["random", "careful"])
@pytest.mark.parametrize("seed", range(30))
def test_games_agree_with_the_plain_rule_book(choose, seed):
    """Board, legal actions, turns and end are the same at every turn, whatever repetition and the cap are set to."""
    options = {"repetition": (3, 2, 0)[seed % 3], "turn_cap": (1000, 30)[seed % 5 == 0]}
    state, rng = Game.load("two_tigers", **options).initial(), Random(seed)
    check_course(state, PlainGame(**options), agrees, lambda state: choose(state, rng))


@pytest.mark.parametrize(
    ("rows", "ply", "quiet", "outcome"),
    [
        ("T11-- 11--- 1---1 ---11 --11T", 45, 0, Outcome(0, "six dogs taken")),
        ("T11-- 11--- 1-1-1 ---11 --11T", 40, 9, Outcome(1, "tigers trapped")),
        ("T11-- 11--- 1-1-1 ---11 --11T", 41, 10, None),
        ("T111- 11--- 1---1 ---11 --11T", 40, 9, None),
        ("T111- 11--- 1---1 ---11 --11T", 300, 99, None),
        ("T111- 11--- 1---1 ---11 --11T", 301, 100, Outcome(None, "no capture")),
        ("T111- 11--- 1---1 ---11 --11T", 999, 98, None),
        ("T111- 11--- 1---1 ---11 --11T", 1000, 99, Outcome(None, "turn limit")),
    ],
)
def test_the_end(rows, ply, quiet, outcome):
    """Of drawn positions: how they have ended, if they have."""
    assert diagram(rows, ply, quiet).outcome == outcome


def test_a_win_on_the_hundredth_turn_counts():
    """Tigers that are hemmed in then have lost, though it is the hundredth turn without a capture."""
    state = diagram("T1111 111-- 1---1 ---21 1111T", 99, 99)
    assert state.play(((2, 1), (2, 2))).outcome == Outcome(1, "tigers trapped")
    assert state.play(((0, 4), (0, 3))).outcome == Outcome(None, "no capture")


def test_of_two_reasons_for_a_draw_the_first_in_the_rules_is_told():
    """A hundred turns without a capture, then the third time of a position, then the cap on all turns."""
    actions = AWAY + TO_AND_FRO * 2
    capped = Game.load("two_tigers", turn_cap=len(actions)).initial()
    assert after(actions, capped).outcome == Outcome(None, "repetition")
    hundredth = after(actions[:-1])._replace(quiet=99)
    assert hundredth.play(actions[-1]).outcome == Outcome(None, "no capture")


def test_the_third_time_is_a_draw():
    """Of the same position with the same side to move; by the option the second, or never."""
    for times, cycles in ((3, 2), (2, 1)):
        begin = Game.load("two_tigers", repetition=times).initial()
        state = after(AWAY + TO_AND_FRO * cycles, begin)
        assert state.outcome == Outcome(None, "repetition")
        assert after((AWAY + TO_AND_FRO * cycles)[:-1], begin).outcome is None
    begin = Game.load("two_tigers", repetition=0).initial()
    assert after(AWAY + TO_AND_FRO * 20, begin).outcome is None


def test_states_are_equal_when_their_futures_are():
    """The positions that can come again are part of a state, but not their order; the board alone is its key."""
    begin = Game.load("two_tigers", repetition=4).initial()
    one, other = (
        after(AWAY + cycles, begin) for cycles in (TO_AND_FRO + THE_OTHER_TIGER, THE_OTHER_TIGER + TO_AND_FRO)
    )
    assert one == other
    assert hash(one) == hash(other)
    assert one.text() == other.text()
    mixed, same = one, after(AWAY + TO_AND_FRO * 2, begin)
    assert mixed.key() == same.key()
    assert (mixed.ply, mixed.quiet) == (same.ply, same.quiet)
    assert mixed != same
    forgetful = Game.load("two_tigers", repetition=0).initial()
    assert after(AWAY + TO_AND_FRO + THE_OTHER_TIGER, forgetful) == after(AWAY + TO_AND_FRO * 2, forgetful)


def test_a_stack_loses_one_dog_at_a_time():
    """By a step or by a jump over it, and what is left of it stays where it is."""
    state = after([((2, 1), (0, 1)), ((1, 1), (1, 0)), ((0, 1), (2, 1))])
    assert state.text().splitlines()[:2] == ["- 1 - - -", "- 1 T 4 -"]
    assert (state.taken, state.quiet, state.count_pieces(1), state.count_pieces(0)) == (2, 0, 14, 2)


def test_dogs_pass_where_none_can_step():
    """Which no match can come to: two tigers cannot hem in all dogs on a board with seven empty points."""
    tigers = BIT[0, 0] | BIT[4, 4]
    state = Position(GAME, tigers, ALL & ~tigers, 0, 1, 1, ())
    assert state.legal_actions() == [None]
    assert state.sample(Random(0)) is None
    assert state.check(None) is None
    with pytest.raises(IllegalAction, match=r"^Dogs moved \(1, 0\) to \(2, 0\), but no dog can step, so return None$"):
        state.check(((1, 0), (2, 0)))
    assert state.play(None).key() == (tigers, ALL & ~tigers, 0, 0)


@pytest.mark.parametrize(
    ("state", "action", "kind", "message"),
    [
        (
            START,
            None,
            "may_not_pass",
            "Tigers returned None but has moves, such as (2, 1) to (2, 0) (is a return missing in action()?); "
            + MOVE_TIGER,
        ),
        (START, (2, 1), "form", f"Tigers returned (2, 1), a single point; {MOVE_TIGER}"),
        (
            START,
            (2, 1, 2, 2),
            "form",
            "Tigers returned (2, 1, 2, 2), four numbers in one tuple, but a move is a tuple of two pairs; "
            + MOVE_TIGER,
        ),
        (
            START,
            ((5, 1), (2, 2)),
            "off_board",
            "Tigers moved (5, 1) to (2, 2), but (5, 1) is not on the board, where x and y go from 0 to 4",
        ),
        (
            START,
            ((2, 1), (2, -1)),
            "off_board",
            "Tigers moved (2, 1) to (2, -1), but (2, -1) is not on the board, where x and y go from 0 to 4 "
            f"(negative numbers do not count from the other end); {FROM_21}",
        ),
        (
            START,
            ((2, 2), (2, 1)),
            "not_yours",
            "Tigers moved (2, 2) to (2, 1), but there is no piece on (2, 2); move a tiger",
        ),
        (
            START,
            ((1, 1), (1, 0)),
            "not_yours",
            "Tigers moved (1, 1) to (1, 0), but there is a dog on (1, 1); move a tiger",
        ),
        (
            START,
            ((2, 1), (1, 1)),
            "occupied",
            f"Tigers moved (2, 1) to (1, 1), but there is a dog on (1, 1); {FROM_21}",
        ),
        (
            START,
            ((2, 1), (2, 1)),
            "unreachable",
            f"Tigers moved (2, 1) to (2, 1), but a tiger cannot stay where it is; {FROM_21}",
        ),
        (
            START,
            ((2, 1), (1, 0)),
            "unreachable",
            "Tigers moved (2, 1) to (1, 0), but no diagonal line leads from (2, 1), where x + y is odd; " + FROM_21,
        ),
        (
            START,
            ((2, 1), (3, 4)),
            "unreachable",
            f"Tigers moved (2, 1) to (3, 4), but no line leads from (2, 1) to (3, 4); {FROM_21}",
        ),
        (
            START,
            ((2, 1), (2, 4)),
            "unreachable",
            f"Tigers moved (2, 1) to (2, 4), but (2, 4) is 3 points away; {FROM_21}",
        ),
        (
            after([((2, 1), (2, 2)), ((1, 1), (1, 0))]),
            ((2, 2), (2, 0)),
            "unreachable",
            "Tigers moved (2, 2) to (2, 0), but there is no dog on (2, 1), and tigers jump over dogs only; "
            "that tiger can move to (2, 1), (1, 2), (3, 2), (0, 0), (4, 0), (0, 4) or (4, 4)",
        ),
        (
            after([((2, 1), (2, 2)), ((1, 1), (1, 0))]),
            ((2, 3), (2, 1)),
            "unreachable",
            "Tigers moved (2, 3) to (2, 1), but there is a tiger on (2, 2), and tigers jump over dogs only; "
            "that tiger can move to (2, 4), (0, 3) or (4, 3)",
        ),
        (
            after([((2, 1), (2, 0)), ((1, 1), (0, 0)), ((2, 0), (2, 1))]),
            ((0, 0), (0, 2)),
            "unreachable",
            "Dogs moved (0, 0) to (0, 2), but dogs only step to a neighbouring point; "
            "that dog can move to (1, 0) or (0, 1)",
        ),
        (
            diagram("T11-- 11--- 1---1 ---11 --11T", 45, 0),
            ((0, 2), (0, 3)),
            "over",
            "Dogs acted after the end of the game, where no action is legal",
        ),
    ],
)
def test_refusals_are_explained(state, action, kind, message):
    """What was done, why it may not be, and what may."""
    with pytest.raises(IllegalAction) as refused:
        state.check(action)
    assert (refused.value.kind, refused.value.message) == (kind, message)


@given(states())
def test_check_accepts_the_legal_actions_and_nothing_else(state):
    """Of None and all moves between two points."""
    check_accepted(state, [(origin, target) for origin in POINTS for target in POINTS])


@given(going_on, st.randoms(use_true_random=False))
def test_what_always_holds(state, rng):
    """Two tigers; dogs only go by jumps, one at a time; no stack grows; nobody shares a point."""
    action = state.sample(rng)
    after = state.play(action)
    assert after.tigers.bit_count() == 2
    assert not after.tigers & after.dogs
    jumped = state.to_move == 0 and max(abs(a - b) for a, b in zip(*action, strict=True)) == 2
    assert state.count_pieces(1) - after.count_pieces(1) == after.taken - state.taken == int(jumped)
    assert after.quiet == (0 if jumped else state.quiet + 1)
    heights = [{piece.cell: piece.height for piece in each.picture().pieces if piece.side} for each in (state, after)]
    assert all(height <= heights[0].get(cell, 1) for cell, height in heights[1].items())


@given(going_on)
def test_reflections_play_the_same(state):
    """The image of a state has the images of its actions, and these lead to the images of the states after it."""
    for symmetry, flips in zip(GAME.symmetries(), ((1, 0), (0, 1), (1, 1)), strict=True):

        def image(point, flips=flips):
            return tuple(4 - number if flip else number for number, flip in zip(point, flips, strict=True))

        tigers, dogs, below, _ = symmetry(state.key())
        twin = Position(state.game, tigers, dogs, below, state.ply, state.quiet, ())
        assert symmetry(twin.key()) == state.key()
        images = {action: tuple(map(image, action)) for action in state.legal_actions()}
        assert {*twin.legal_actions()} == {*images.values()}
        for action, reflected in images.items():
            assert symmetry(state.play(action).key()) == twin.play(reflected).key()


def test_the_start_is_symmetric():
    """Each symmetry keeps it, and no other map of the square would."""
    assert [symmetry(START.key()) for symmetry in GAME.symmetries()] == [START.key()] * 3


@pytest.mark.parametrize(
    "state",
    [
        after([((2, 1), (0, 1)), ((1, 1), (1, 0))]),
        after([((2, 1), (0, 1)), ((1, 1), (1, 0)), ((0, 1), (0, 0))]),
    ],
)
def test_sample_is_uniform(state):
    """Each legal action of a tiger or a dog is drawn about as often as any other."""
    check_odds(state)


def test_the_picture():
    """Stacks are one piece with their height on it, the board has its 16 lines, and what is counted lies beside it."""
    board = after([((2, 1), (0, 1)), ((1, 1), (1, 0))]).picture()
    assert len(board.layout.lines) == 16
    assert {cell.shape for cell in board.layout.cells} == {"point"}
    assert {piece for piece in board.pieces if piece.cell[1] < 2} == {
        Piece((0, 1), 0, "tiger"),
        Piece((1, 0), 1, "dog", "1"),
        Piece((1, 1), 1, "dog", "2", 2),
        Piece((3, 1), 1, "dog", "4", 4),
    }
    assert [*board.notes] == ["dogs taken: 1 of 6", "no capture: 1 of 100 turns"]


BROKEN = {
    "a diagram has 5 lines of the board and a line on the turn, not 2 lines": ["- - - - -", "- - - - -"],
    "line 1: expected 5 points with a blank between them, not '-----'": {0: "-----"},
    "line 2: the point (0, 1) is T, a number from 1 to 4 or -, not 'x'": {1: "x 4 T 4 -"},
    "line 1: there is never more than one dog on (0, 0), not 2": {0: "2 - - - -"},
    "lines 1 to 5: there are 2 tigers T, not 3": {0: "T - - - -"},
    "lines 1 to 5: there are 10 to 16 dogs, not 17": {0: "1 - - - -"},
    "line 6: expected 'N turns taken, M since the last capture', not 'now'": {5: "now"},
    "line 6: the turns since the last capture are at most all turns and 100, not 5": {
        5: "4 turns taken, 5 since the last capture"
    },
    "line 6: no dog has been taken, so 4 turns are without a capture, not 3": {
        5: "4 turns taken, 3 since the last capture"
    },
    "line 6: 2 dogs cannot have been taken by the tigers' turns up to turn 1": {
        1: "- 2 T 4 -",
        5: "2 turns taken, 1 since the last capture",
    },
    "line 7: expected 'seen before:' or the end, not 'x'": {5: f"{START.text().splitlines()[5]}\nx"},
    "line 8: a position is a number of 13 hexadecimal digits, not 'x'": {
        5: f"{START.text().splitlines()[5]}\nseen before:\nx"
    },
    "line 7: 1 positions cannot have been there in 0 turns": {
        5: f"{START.text().splitlines()[5]}\nseen before:\n{1:013x}"
    },
    "line 7: 0000000000001 is no position with the tigers and stacks of this one": {
        5: f"2 turns taken, 2 since the last capture\nseen before:\n{1:013x}"
    },
}


@pytest.mark.parametrize("message", BROKEN)
def test_broken_diagrams_are_explained(message):
    """By the line that is wrong, and what is expected there."""
    lines, change = START.text().splitlines(), BROKEN[message]
    text = "\n".join(change if isinstance(change, list) else [change.get(n, line) for n, line in enumerate(lines)])
    with pytest.raises(ValueError, match=r".") as refused:
        GAME.parse(text)
    assert str(refused.value) == message


def test_positions_seen_before_are_of_no_use_without_repetition():
    """A diagram that has them is refused then."""
    with pytest.raises(ValueError, match="no earlier positions are kept where repetition ends nothing"):
        Game.load("two_tigers", repetition=0).parse(after(AWAY + TO_AND_FRO).text())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"repetition": 1}, "option repetition is at least 2, or 0 for no such rule, not 1"),
        ({"repetition": -1}, "option repetition is at least 0, not -1"),
        ({"repetition": "3"}, "option repetition is an int, not '3' (str)"),
        ({"repetitions": 3}, "the game has no option 'repetitions' (did you mean repetition?)"),
    ],
)
def test_options_are_checked(options, message):
    """By name, type and range, in one line."""
    with pytest.raises(OptionError) as refused:
        Game.load("two_tigers", **options)
    assert str(refused.value) == message


@pytest.mark.parametrize("options", [{}, {"repetition": 2}, {"repetition": 0}, {"turn_cap": 7}], ids=str)
def test_the_game_conforms(options):
    """To all that is promised of games."""
    check_game(Game.load("two_tigers", **options), matches=6)

"""What the author of a player reads when an action of Watch Your Back! is not legal."""

import numpy as np
import pytest
from positions import GAME, moving, state_of

from watch_your_back.game import IllegalAction

START = GAME.initial()
BLACK = START.play((3, 3))
"""Black to place, a White piece on (3, 3)."""

OPEN = moving(10, [(1, 0), (3, 3), (4, 3)], [(3, 4), (5, 6)])
"""White to move: beside the corner, and in the middle with a piece of each side near."""

SHRUNK = moving(130, [(2, 1), (3, 3)], [(5, 5), (5, 4)])
SMALL = moving(200, [(3, 2), (3, 3)], [(3, 4), (4, 5)])

BLOCKED = moving(10, [(1, 0), (5, 5)], [(2, 0), (1, 1), (3, 0), (1, 2)])
"""White to move: one of two pieces is shut in."""

STUCK = state_of(
    [" " * 8, " " * 8, "  X@@X  ", "  O@@@  ", "  -OO@  ", "  XOOX  ", " " * 8, " " * 8],
    "193 turns into the moving phase",
)
"""Black to move and without a move."""

OVER = moving(10, [(1, 1), (4, 1)], [(2, 1), (7, 6)]).play(((4, 1), (3, 1)))

PLACE = "return (x, y), an unoccupied square of White's zone (y from 0 to 5, no corner)"
PLACE_BLACK = "return (x, y), an unoccupied square of Black's zone (y from 2 to 7, no corner)"
MOVE = "return ((a, b), (c, d)), the square of a piece of White and the square that it moves to"
PASS = "no piece of Black can move, so return None"
BY_CORNER = "that piece can move to (2, 0) or (1, 1)"
IN_MIDDLE = "that piece can move to (3, 2), (2, 3), (5, 3) or (3, 5)"
NEGATIVE = "(negative numbers do not count from the other end)"
FORGOTTEN = "(is a return missing in action()?)"


def refused(state, action):
    with pytest.raises(IllegalAction) as refusal:
        state.check(action)
    return refusal.value.kind, refusal.value.message


@pytest.mark.parametrize(
    ("state", "square", "kind", "why"),
    [
        (OPEN, (2, 2), "phase", f"this is the moving phase; {MOVE}"),
        (STUCK, (2, 4), "phase", f"this is the moving phase; {PASS}"),
        (START, (3, 6), "zone", f"that square is outside its zone; {PLACE}"),
        (BLACK, (3, 1), "zone", f"that square is outside its zone; {PLACE_BLACK}"),
        (BLACK, (3, 3), "occupied", f"a piece of White is there; {PLACE_BLACK}"),
        (BLACK.play((5, 5)), (3, 3), "occupied", f"a piece of White is there; {PLACE}"),
        (START, (0, 0), "corner", f"(0, 0) is a corner, where no piece can be; {PLACE}"),
        (START, (3, 8), "off_board", f"(3, 8) is not on the board, where x and y go from 0 to 7; {PLACE}"),
        (START, (-1, 3), "off_board", f"(-1, 3) is not on the board, where x and y go from 0 to 7 {NEGATIVE}; {PLACE}"),
    ],
)
def test_a_placement_against_the_rules_is_explained(state, square, kind, why):
    """Where it was, why it may not be there, and where it may; the kind is for programs."""
    side = state.game.sides[state.to_move].capitalize()
    assert refused(state, square) == (kind, f"{side} placed on {square}, but {why}")


@pytest.mark.parametrize(
    ("state", "move", "kind", "why"),
    [
        (START, ((3, 3), (3, 4)), "phase", f"this is the placing phase; {PLACE}"),
        (STUCK, ((5, 3), (5, 4)), "must_pass", PASS),
        (
            OPEN,
            ((6, 2), (6, 3)),
            "not_yours",
            "there is no piece on (6, 2) (has it been eliminated?); move a piece of White",
        ),
        (OPEN, ((3, 4), (3, 5)), "not_yours", "the piece on (3, 4) is one of Black; move a piece of White"),
        (OPEN, ((3, 3), (4, 4)), "unreachable", f"pieces move along a row or a column only; {IN_MIDDLE}"),
        (OPEN, ((3, 3), (1, 2)), "unreachable", f"pieces move along a row or a column only; {IN_MIDDLE}"),
        (
            OPEN,
            ((3, 3), (3, 0)),
            "unreachable",
            f"that is 3 squares away, and a jump goes over one piece only; {IN_MIDDLE}",
        ),
        (OPEN, ((3, 3), (1, 3)), "unreachable", f"there is no piece on (2, 3) to jump over; {IN_MIDDLE}"),
        (OPEN, ((3, 3), (3, 3)), "unreachable", f"a piece cannot stay where it is; {IN_MIDDLE}"),
        (OPEN, ((1, 0), (-1, 0)), "unreachable", f"(0, 0) is a corner, which cannot be jumped over; {BY_CORNER}"),
        (OPEN, ((1, 0), (0, 0)), "corner", f"(0, 0) is a corner, where no piece can be; {BY_CORNER}"),
        (OPEN, ((3, 3), (4, 3)), "occupied", f"a piece of White is on (4, 3); {IN_MIDDLE}"),
        (OPEN, ((3, 3), (3, 4)), "occupied", f"a piece of Black is on (3, 4); {IN_MIDDLE}"),
        (
            OPEN,
            ((1, 0), (1, -1)),
            "off_board",
            f"(1, -1) is not on the board, where x and y go from 0 to 7 {NEGATIVE}; {BY_CORNER}",
        ),
        (
            SHRUNK,
            ((2, 1), (2, 0)),
            "off_board",
            "(2, 0) is removed: the board shrank, and since turn 128 of the moving phase x and y go from 1 to 6; "
            "that piece can move to (3, 1) or (2, 2)",
        ),
        (
            SMALL,
            ((1, 4), (2, 4)),
            "off_board",
            "(1, 4) is removed: the board shrank, and since turn 192 of the moving phase x and y go from 2 to 5",
        ),
        (SHRUNK, ((1, 1), (2, 1)), "corner", "(1, 1) is a corner, where no piece can be"),
        (BLOCKED, ((1, 0), (1, 1)), "occupied", "a piece of Black is on (1, 1); that piece cannot move at all"),
    ],
)
def test_a_move_against_the_rules_is_explained(state, move, kind, why):
    """From where to where, why it may not be, and what that piece may do; the kind is for programs."""
    side = state.game.sides[state.to_move].capitalize()
    assert refused(state, move) == (kind, f"{side} moved {move[0]} to {move[1]}, but {why}")


def test_none_is_for_a_side_without_a_move():
    """Which is what most often comes of a forgotten return."""
    assert STUCK.check(None) is None
    assert refused(START, None) == ("may_not_pass", f"White returned None while placing {FORGOTTEN}; {PLACE}")
    has_moves = "White returned None but has moves, such as (1, 0) to (2, 0)"
    assert refused(OPEN, None) == ("may_not_pass", f"{has_moves} {FORGOTTEN}; {MOVE}")


@pytest.mark.parametrize("action", [((4, 1), (4, 2)), (3, 3), None, "resign", 7])
def test_nothing_is_legal_after_the_end(action):
    """Whatever it is."""
    assert refused(OVER, action) == ("over", "Black acted after the end of the game, where no action is legal")


@pytest.mark.parametrize(
    ("state", "action", "what", "expected"),
    [
        (START, "(3, 3)", "'(3, 3)', a string: return the tuple itself, not its text", PLACE),
        (START, 7, "7, a single number", PLACE),
        (START, False, "0, a single number", PLACE),
        (START, (), "(), a tuple of 0 items, not of two", PLACE),
        (START, (3, 3, 0), "(3, 3, 0), a tuple of 3 items, not of two", PLACE),
        (START, (3,), "(3,), a tuple of 1 item, not of two", PLACE),
        (START, ((3, 3),), "((3, 3),), an action wrapped in one more tuple (is there a comma after it?)", PLACE),
        (START, ((3,), (3,)), "((3,), (3,)), neither a square nor a pair of squares", PLACE),
        (START, (None, None), "(None, None), with None among the coordinates", PLACE),
        (
            OPEN,
            (("3", "3"), ("3", "2")),
            "(('3', '3'), ('3', '2')), with a string among the coordinates (int(text) makes a number of it)",
            MOVE,
        ),
        (
            OPEN,
            (3, 3, 3, 2),
            "(3, 3, 3, 2), four numbers in one tuple, but a move is a tuple of two pairs",
            MOVE,
        ),
        (
            OPEN,
            [((3, 3), (3, 2))],
            "(((3, 3), (3, 2)),), an action wrapped in one more tuple (is there a comma after it?)",
            MOVE,
        ),
        (OPEN, ((3, 3), (3, 2, 1)), "((3, 3), (3, 2, 1)), neither a square nor a pair of squares", MOVE),
        (OPEN, "x" * 5_000, f"'{'x' * 76}..., a string: return the tuple itself, not its text", MOVE),
        (STUCK, 7, "7, a single number", PASS),
    ],
)
def test_a_wrong_form_is_described_with_the_right_one(state, action, what, expected):
    """What the value looks like, what is wrong with it, and what to return in this phase."""
    side = "Black" if state is STUCK else "White"
    assert refused(state, action) == ("form", f"{side} returned {what}; {expected}")


@pytest.mark.parametrize(
    ("action", "parts"),
    [
        ((3.0, 3), ["action[0] is of type float", "int(x)"]),
        ((3, np.int64(3)), ["action[1] is of type numpy.int64", "int(x)"]),
        (np.array([3, 3]), ["the action is of type numpy.ndarray", ".tolist()"]),
        (iter((3, 3)), ["the action is of type tuple_iterator", "tuple(...)"]),
        ({3: 3}, ["the action is of type dict", "order"]),
    ],
    ids=["float", "numpy", "array", "iterator", "dict"],
)
def test_a_wrong_type_is_named(action, parts):
    """With its place in the action and how to mend it."""
    kind, message = refused(START, action)
    assert kind == "form"
    for part in parts:
        assert part in message


@pytest.mark.parametrize("action", [(3, 3), [3, 3], (3, True + 2)])
def test_lists_and_bools_are_taken(action):
    """They become the plain action."""
    assert START.check(action) == (3, 3)
    assert repr(START.check(action)) == "(3, 3)"

"""One-Line Chess: recorded games, refusals and perft; what is explained; and what must always hold."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors import check_game_record, check_perft, recorded

from watch_your_back.game import Game, IllegalAction, OptionError, Outcome, Piece
from watch_your_back.testing import check_game

RULE_SETS = [{"rules": rules, "misere": misere} for rules in (1, 2, 3) for misere in (False, True)]

START = Game.load("one_line").initial()
PLACING = Game.load("one_line", rules=3).initial()


def state_after(options, actions):
    """The state after these actions, written as JSON, each of which has to be legal."""
    state = Game.load("one_line", **options).initial()
    for action in actions:
        state = state.play(state.check(action))
    return state


def line_of(heights, stock=0, **options):
    """The state with so many pieces on 0, 1, ...; those that are not told are on 0, or in a stock of this size."""
    heights = [*heights, *[0] * (11 - len(heights))]
    if stock == 0:
        heights[0] += 10 - sum(heights)
    phase = f"{min(1, 10 - stock)} turns into the placing phase" if stock else "0 turns into the moving phase"
    after = ", after 1 of placing" if options.get("rules") == 3 and not stock else ""
    text = "\n".join([" ".join(map(str, range(11))), " ".join(map(str, heights)), phase + after])
    return Game.load("one_line", **options).parse(text)


def accepted(state, action):
    """Whether the action is legal; if not, the refusal fits on a line."""
    try:
        return state.check(action) == action
    except IllegalAction as error:
        return not error.message.isprintable()


@st.composite
def states(draw):
    """A state of a random game, perhaps a finished one."""
    rng = Random(draw(st.integers(0, 2**32)))
    state = Game.load("one_line", **draw(st.sampled_from(RULE_SETS))).initial()
    for _ in range(draw(st.integers(0, 40))):
        if state.outcome is None:
            # Short moves, so that games last.
            state = state.play(
                min((state.sample(rng) for _ in range(draw(st.integers(1, 4)))), key=lambda each: each[-1])
            )
    return state


@recorded("one_line", "perft")
def test_perft(entry):
    """There are as many sequences of legal actions as the reference counted."""
    check_perft("one_line", entry)


@recorded("one_line", "games")
def test_recorded_games(record):
    """Turns, side to move and number of actions agree before each action, the winner and the reason at the end."""
    check_game_record("one_line", record)


@recorded("one_line", "illegal")
def test_recorded_refusals(entry):
    """What the reference refused is refused; what has the wrong form, for its form."""
    state = state_after(entry["options"], entry["prefix"])
    with pytest.raises(IllegalAction) as refused:
        state.check(entry["action"])
    if entry["why"].startswith("wrong form") and len(entry["action"] if type(entry["action"]) is list else ()) != 2:
        assert refused.value.kind == "form"


@pytest.mark.parametrize(
    ("state", "action", "kind", "message"),
    [
        (
            START,
            None,
            "may_not_pass",
            "First returned None, but there is always an action (is a return missing in action()?); "
            "return (origin, target, count)",
        ),
        (
            START,
            "7 3 1",
            "form",
            "First returned '7 3 1', a string: return the tuple itself, not its text; return (origin, target, count)",
        ),
        (START, 7, "form", "First returned 7, a single number; return (origin, target, count)"),
        (
            START,
            ((7, 3, 1),),
            "form",
            "First returned ((7, 3, 1),), an action wrapped in one more tuple (is there a comma after it?); "
            "return (origin, target, count)",
        ),
        (
            START,
            (7, "3", 1),
            "form",
            "First returned (7, '3', 1), with a string among the numbers (int(text) makes a number of it); "
            "return (origin, target, count)",
        ),
        (
            START,
            (7, None, 1),
            "form",
            "First returned (7, None, 1), with None among the numbers; return (origin, target, count)",
        ),
        (
            START,
            ((7, 3), 1),
            "form",
            "First returned ((7, 3), 1), with a tuple among the numbers; return (origin, target, count)",
        ),
        (
            START,
            (1, 2, 3, 4),
            "form",
            "First returned (1, 2, 3, 4), a tuple of 4 items; return (origin, target, count)",
        ),
        (
            PLACING,
            (1,),
            "form",
            "First returned (1,), a tuple of 1 item; return (position, count)",
        ),
        (
            START,
            (7, 1),
            "phase",
            "First placed 1 piece on 7, but this is the moving phase; return (origin, target, count)",
        ),
        (
            PLACING,
            (7, 3, 1),
            "phase",
            "First moved 1 piece from 7 to 3, but this is the placing phase; return (position, count)",
        ),
        (
            PLACING.play((4, 8)),
            (4, 3),
            "count",
            "Second placed 3 pieces on 4, but only 2 pieces are left in the stock",
        ),
        (PLACING, (4, 0), "count", "First placed 0 pieces on 4, but a turn places at least one"),
        (
            PLACING,
            (0, 2),
            "zone",
            "First placed 2 pieces on 0, but 0 is the terminal; place on a position from 1 to 10",
        ),
        (
            PLACING,
            (11, 2),
            "off_board",
            "First placed 2 pieces on 11, but 11 is not on the line; place on a position from 1 to 10",
        ),
        (
            START,
            (7, -1, 1),
            "off_board",
            "First moved 1 piece from 7 to -1, but -1 is not on the line, which goes from 0 to 10",
        ),
        (
            START,
            (0, 0, 1),
            "unreachable",
            "First moved 1 piece from 0 to 0, but pieces on 0, the terminal, never move again",
        ),
        (
            line_of([0, 2, 0, 1]),
            (2, 1, 1),
            "empty",
            "First moved 1 piece from 2 to 1, but no piece is there; there are pieces on 1, 3",
        ),
        (
            START,
            (4, 4, 1),
            "unreachable",
            "First moved 1 piece from 4 to 4, but pieces cannot stay where they are; from 4 they can move to 0 to 3",
        ),
        (
            START,
            (1, 5, 1),
            "unreachable",
            "First moved 1 piece from 1 to 5, but pieces move towards the terminal only; from 1 they can move to 0",
        ),
        (START, (4, 3, 2), "count", "First moved 2 pieces from 4 to 3, but only 1 piece is there"),
        (START, (4, 3, 0), "count", "First moved 0 pieces from 4 to 3, but a turn moves at least one"),
        (
            line_of([0, 1]).play((1, 0, 1)),
            (1, 0, 1),
            "over",
            "Second acted after the end of the game, where no action is legal",
        ),
    ],
)
def test_an_action_against_the_rules_is_explained(state, action, kind, message):
    """What was done, why it may not be, and what may."""
    with pytest.raises(IllegalAction) as refused:
        state.check(action)
    assert (refused.value.kind, refused.value.message) == (kind, message)


def test_the_number_of_placing_turns_decides_who_moves_first():
    """Whoever placed the last piece moves second, and turns are counted anew."""
    for placements in ([(3, 10)], [(3, 4), (10, 6)]):
        state = state_after({"rules": 3}, placements)
        assert (state.phase, state.turns, state.ply) == ("moving", 0, len(placements))
        assert state.to_move == len(placements) % 2
        assert state.play((3, 0, 1)).turns == 1


def test_who_moves_last_wins_or_loses():
    """In misère the last move is the loser's."""
    assert line_of([0, 1]).play((1, 0, 1)).outcome == Outcome(0, "all pieces on the terminal")
    assert line_of([0, 1], misere=True).play((1, 0, 1)).outcome == Outcome(1, "all pieces on the terminal")


def test_the_referee_may_cap_the_turns():
    """Turns of both phases count; a game that ends with its last turn has its own end."""
    game = Game.load("one_line", rules=3, turn_cap=3)
    state = game.initial().play((1, 5)).play((1, 5))
    assert state.play((1, 0, 1)).outcome == Outcome(None, "turn limit")
    assert state.play((1, 0, 10)).outcome == Outcome(0, "all pieces on the terminal")


def test_the_options_have_their_ranges():
    """There are three sets of rules."""
    with pytest.raises(OptionError, match="option rules is one of 1, 2, 3, not 4"):
        Game.load("one_line", rules=4)


DIAGRAM = """\
 0  1  2  3  4  5  6  7  8  9 10
 6  -  -  1  -  -  -  -  -  -  3
2 turns into the moving phase, after 5 of placing"""


def test_the_diagram():
    """The positions, the pieces on each, and the turns of both phases."""
    state = Game.load("one_line", rules=3).parse(DIAGRAM)
    assert state.text() == DIAGRAM
    assert state.heights == (6, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3)
    assert (state.turns, state.ply, state.to_move, state.stock) == (2, 7, 1, 0)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("2 turns", "two turns", "line 3: expected the turns"),
        ("moving", "placing", "line 3: expected the turns"),
        (
            "2 turns into the moving phase, after 5 of placing",
            "5 turns into the placing phase",
            "line 2: while pieces are",
        ),
        (", after 5 of placing", "", "line 3: 10 pieces were not placed in 0 turns"),
        ("5 of", "11 of", "line 3: 10 pieces were not placed in 11 turns"),
        ("6  -", "5  -", "line 2: in the moving phase ten pieces are on the line, not 9"),
        ("6  -", "6", "line 2: expected 11 numbers of pieces"),
        ("6  -", "6  x", "line 2: expected 11 numbers of pieces"),
        ("9 10", "9 11", "line 1: expected the positions 0 to 10"),
        ("10\n", "10\n\n", "a diagram has 3 lines, not 4"),
    ],
)
def test_a_wrong_diagram_is_explained(old, new, why):
    """By the line that is wrong."""
    with pytest.raises(ValueError, match=why):
        Game.load("one_line", rules=3).parse(DIAGRAM.replace(old, new))
    with pytest.raises(ValueError, match="line 3: there is no placing phase in rules 1"):
        Game.load("one_line").parse(PLACING.text())


def test_the_picture():
    """A stack is one piece that tells its height; nobody owns it; the stock is told beside the line."""
    board = PLACING.play((4, 3)).picture()
    assert [(cell.id, cell.x, cell.y) for cell in board.layout.cells] == [(at, at, 0) for at in range(11)]
    assert list(board.pieces) == [Piece(4, None, text="3", height=3)]
    assert list(board.notes) == ["stock: 7"]
    assert not START.picture().notes
    assert START.game.cells((7, 3, 2)) == (7, 3)
    assert START.game.cells((7, 2)) == (7,)
    assert START.game.cells("resign") == ()


@given(states())
def test_no_piece_is_lost(state):
    """There are always ten, and every action brings the end nearer."""
    assert sum(state.heights) + state.stock == 10
    for action in state.legal_actions():
        after = state.play(action)
        assert sum(after.heights) + after.stock == 10
        assert min(after.heights) >= 0
        assert after.line < state.line


@given(states())
def test_check_accepts_the_legal_actions_and_nothing_else(state):
    """Of all pairs and triples of numbers, also outside the line."""
    legal = state.legal_actions()
    assert legal == sorted(legal)
    numbers = range(-1, 12)
    actions = [(at, count) for at in numbers for count in numbers]
    actions += [(origin, target, count) for origin in numbers for target in numbers for count in numbers]
    assert [action for action in actions if accepted(state, action)] == legal


@pytest.mark.parametrize("state", [line_of([0, 1, 0, 2, 1]), line_of([0, 3, 0, 4], stock=3, rules=3)])
def test_every_legal_action_is_sampled_as_often(state):
    """Within six standard deviations."""
    rng, draws, count = Random(1), 20_000, state.count_actions()
    found = Counter(state.sample(rng) for _ in range(draws))
    assert set(found) == set(state.legal_actions())
    assert all(abs(each - draws / count) < 6 * (draws / count) ** 0.5 for each in found.values())


@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_the_game_conforms(options):
    """With and without a cap on its turns."""
    check_game(Game.load("one_line", **options), seed=1, matches=5)
    check_game(Game.load("one_line", turn_cap=6, **options), seed=2, matches=5)

"""Dots and Boxes: recorded games, values, refusals; OpenSpiel as judge; symmetries; turns that are repeated."""

from collections import Counter
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors import check_game_record, check_perft, recorded

from tests.hostile import played, source
from watch_your_back.agents import find
from watch_your_back.game import Game, IllegalAction, OptionError, Outcome, Piece
from watch_your_back.match import Limits, Match
from watch_your_back.match.events import ActionTaken
from watch_your_back.testing import check_game

START = Game.load("dots_and_boxes").initial()
SMALL = Game.load("dots_and_boxes", width=2, height=1)
EXPECTED = "return ('h', x, y) or ('v', x, y), the top or the left edge of the box (x, y)"


def state_after(options, actions):
    """The state after these actions, written as JSON, each of which has to be legal."""
    state = Game.load("dots_and_boxes", **options).initial()
    for action in actions:
        state = state.play(state.check(action))
    return state


@st.composite
def states(draw):
    """A state of a random game on a board of any shape, perhaps a finished one."""
    options = {
        "width": draw(st.integers(1, 4)),
        "height": draw(st.integers(1, 4)),
        "extra_turn": draw(st.booleans()),
    }
    state = Game.load("dots_and_boxes", **options).initial()
    rng = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, state.count_actions()))):
        state = state.play(state.sample(rng))
    return state


def around(x, y):
    """The four edges of a box."""
    return {("h", x, y), ("h", x, y + 1), ("v", x, y), ("v", x + 1, y)}


def edges(state):
    """The edges that are drawn in the picture."""
    return {piece.cell for piece in state.picture().pieces if piece.side is None}


def boxes(state):
    """The owner of each box that has one, as the picture shows it."""
    return {piece.cell[1:]: piece.side for piece in state.picture().pieces if piece.side is not None}


@recorded("dots_and_boxes", "perft")
def test_perft(entry):
    """There are as many sequences of legal actions as the reference counted."""
    check_perft("dots_and_boxes", entry)


@recorded("dots_and_boxes", "games")
def test_recorded_games(record):
    """Turns, side to move and number of actions agree before each action, winner, reason and score at the end."""
    state = check_game_record("dots_and_boxes", record)
    assert [state.count_pieces(side) for side in (0, 1)] == record["score"]


@cache
def solved(**options):
    """What the side to act gets more, by what is drawn, as far as it is known: one table for all facts of a board."""
    return {}, Game.load("dots_and_boxes", **options).symmetries()


@recorded("dots_and_boxes", "facts")
def test_known_values(fact):
    """With best play the side to act gets as many boxes more, or fewer, as the reference found."""
    known, mirrors = solved(**fact["options"])

    def further(state):
        """The same from here on: who has got which boxes and whose turn it is does not matter for that."""
        if state.drawn not in known:
            bare = state._replace(first=0, second=0, to_move=0)
            values = []
            for after in map(bare.play, bare.legal_actions()):
                gained = after.count_pieces(0)
                values.append(gained + (further(after) if after.to_move == 0 else -further(after)))
            known[state.drawn] = max(values, default=0)
            known.update(dict.fromkeys([mirrored(bare.key())[0] for mirrored in mirrors], known[state.drawn]))
        return known[state.drawn]

    state = state_after(fact["options"], fact.get("drawn", []))
    assert further(state) == fact["difference_for_first" if fact["kind"] == "start" else "further_difference_for_mover"]


@recorded("dots_and_boxes", "illegal")
def test_recorded_refusals(entry):
    """What the reference refused is refused, for the right reason."""
    state = state_after(entry["options"], entry["prefix"])
    with pytest.raises(IllegalAction) as refused:
        state.check(entry["action"])
    kinds = {
        "outside": "off_board",
        "one number off": "off_board",
        "negative number": "off_board",
        "far too large": "off_board",
        "already drawn": "occupied",
        "passing is not allowed here": "may_not_pass",
        "the game is over": "over",
    }
    expected = kinds.get(entry["why"], "form")
    # A number off may also be an edge that is there.
    assert refused.value.kind in ({expected, "occupied"} if entry["why"] == "one number off" else {expected})


@pytest.mark.parametrize(
    ("action", "kind", "message"),
    [
        (
            None,
            "may_not_pass",
            "First returned None, but there is always an edge to draw (is a return missing in action()?); " + EXPECTED,
        ),
        ("h 0 0", "form", f"First returned 'h 0 0', a string: return the tuple itself, not its text; {EXPECTED}"),
        (3, "form", f"First returned 3, a single number; {EXPECTED}"),
        (
            (("h", 0, 0),),
            "form",
            "First returned (('h', 0, 0),), an action wrapped in one more tuple (is there a comma after it?); "
            + EXPECTED,
        ),
        ((0, 0), "form", f"First returned (0, 0), without the kind of the edge, 'h' or 'v'; {EXPECTED}"),
        (("h",), "form", f"First returned ('h',), a tuple of 1 item, not of three; {EXPECTED}"),
        (("H", 0, 0), "form", f"First returned ('H', 0, 0), with the kind of the edge in capitals; {EXPECTED}"),
        (
            (0, 0, 0),
            "form",
            f"First returned (0, 0, 0), with a kind of edge that is neither 'h' nor 'v'; {EXPECTED}",
        ),
        (
            ("h", 0, "1"),
            "form",
            "First returned ('h', 0, '1'), with a string among the coordinates (int(text) makes a number of it); "
            + EXPECTED,
        ),
        (("h", None, 1), "form", f"First returned ('h', None, 1), with None among the coordinates; {EXPECTED}"),
        (("h", (0,), 1), "form", f"First returned ('h', (0,), 1), with a tuple among the coordinates; {EXPECTED}"),
        (
            ("h", 5, 0),
            "off_board",
            "First drew the edge ('h', 5, 0), but it is not on the board: for 'h' x goes from 0 to 4 and y from 0 to 5",
        ),
        (
            ("v", 0, -1),
            "off_board",
            "First drew the edge ('v', 0, -1), but it is not on the board: for 'v' x goes from 0 to 5 "
            "and y from 0 to 4 (negative numbers do not count from the other end)",
        ),
        (
            ("v", 2, 2),
            "occupied",
            "First drew the edge ('v', 2, 2), but it is there already; one that is not is ('h', 0, 0)",
        ),
    ],
)
def test_an_action_against_the_rules_is_explained(action, kind, message):
    """What was done, why it may not be, and what may."""
    state = START.play(("v", 2, 2)).play(("h", 2, 2))
    with pytest.raises(IllegalAction) as refused:
        state.check(action)
    assert (refused.value.kind, refused.value.message) == (kind, message)


def test_a_closed_box_gives_another_turn():
    """One edge may close two boxes; only with the option `extra_turn` does its side act again."""
    middle = ("v", 1, 0)
    rest = [action for action in SMALL.initial().legal_actions() if action != middle]
    state = state_after({"width": 2, "height": 1}, rest)
    assert (state.to_move, state.count_pieces(0), state.count_pieces(1)) == (0, 0, 0)
    assert state.play(middle).outcome == Outcome(0, "all edges drawn")
    assert state.play(middle).count_pieces(0) == 2

    one = [("h", 0, 0), ("h", 0, 1), ("v", 0, 0), ("v", 1, 0)]
    assert state_after({"width": 2, "height": 1}, one).to_move == 1
    assert state_after({"width": 2, "height": 1, "extra_turn": False}, one).to_move == 0


def test_the_referee_may_cap_the_turns():
    """A game that is cut short is a draw, whoever has more boxes; one that ends with its last turn has its own end."""
    rest = SMALL.initial().legal_actions()
    assert state_after({"width": 2, "height": 1, "turn_cap": 6}, rest[:6]).outcome == Outcome(None, "turn limit")
    assert state_after({"width": 2, "height": 1, "turn_cap": 7}, rest).outcome.reason == "all edges drawn"


@pytest.mark.parametrize("options", [{"width": 0}, {"height": 13}])
def test_the_options_have_their_ranges(options):
    """From 1 to 12 boxes."""
    with pytest.raises(OptionError, match=r"is at (least 1, not 0|most 12, not 13)"):
        Game.load("dots_and_boxes", **options)


DIAGRAM = """\
+--+--+  +
|1 |2 |
+--+--+--+
   |2 |2 |
+  +--+--+
second to act"""


def test_the_diagram():
    """Dots, edges, the owners of the boxes and the side to act."""
    state = Game.load("dots_and_boxes", width=3, height=2).parse(DIAGRAM)
    assert state.text() == DIAGRAM
    assert boxes(state) == {(0, 0): 0, (1, 0): 1, (1, 1): 1, (2, 1): 1}
    assert state.legal_actions() == [("h", 2, 0), ("h", 0, 2), ("v", 3, 0), ("v", 0, 1)]
    assert (state.to_move, state.turns) == (1, 13)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("|1 |", "|  |", r"line 2: the box \(0, 0\) is closed, so its owner 1 or 2 stands in it"),
        ("|1 |", "|3 |", r"line 2: the box \(0, 0\) is closed, so its owner 1 or 2 stands in it"),
        ("   |2", " 1 |2", r"line 4: the box \(0, 1\) is not closed, so nobody owns it"),
        ("+--+--+  +", "+--+-=+  +", "line 1: expected an edge -- or a gap, not '-='"),
        ("+--+--+  +", "+--+-- - +", "line 1: expected an edge -- or a gap, not '- '"),
        ("+--+--+  +", "+--+--+   ", r"line 1: expected a dot \+ at every third place"),
        ("+--+--+  +", "+--+--+  + +", "line 1: expected 10 characters at most, not 12"),
        ("second to act", "third to act", "line 6: expected 'first to act' or 'second to act', not 'third to act'"),
        ("|1 |", "|1 |\n", "a diagram of 2 rows of boxes has 6 lines, not 7"),
    ],
)
def test_a_wrong_diagram_is_explained(old, new, why):
    """By the line that is wrong."""
    with pytest.raises(ValueError, match=why):
        Game.load("dots_and_boxes", width=3, height=2).parse(DIAGRAM.replace(old, new, 1))


def test_a_diagram_knows_whose_turn_it_is():
    """Without an extra turn it is decided by the number of edges, and so it is as long as no box is closed."""
    with pytest.raises(ValueError, match="line 6: after 13 edges second is to act"):
        Game.load("dots_and_boxes", width=3, height=2, extra_turn=False).parse(DIAGRAM.replace("second", "first"))
    with pytest.raises(ValueError, match="line 12: after 0 edges first is to act"):
        START.game.parse(START.text().replace("first", "second"))


def test_the_picture():
    """Edges are horizontal and vertical cells with pieces of nobody, boxes cells with pieces of their owners."""
    state = state_after({"width": 2, "height": 1}, [("h", 0, 0), ("h", 0, 1), ("v", 0, 0), ("v", 1, 0)])
    board = state.picture()
    assert {(cell.id, cell.x, cell.y, cell.shape) for cell in board.layout.cells} == {
        (("box", 0, 0), 0, 0, "square"),
        (("box", 1, 0), 1, 0, "square"),
        (("h", 0, 0), 0, -0.5, "horizontal"),
        (("h", 1, 0), 1, -0.5, "horizontal"),
        (("h", 0, 1), 0, 0.5, "horizontal"),
        (("h", 1, 1), 1, 0.5, "horizontal"),
        (("v", 0, 0), -0.5, 0, "vertical"),
        (("v", 1, 0), 0.5, 0, "vertical"),
        (("v", 2, 0), 1.5, 0, "vertical"),
    }
    assert Piece(("box", 0, 0), 1) in board.pieces
    assert Piece(("v", 1, 0), None, "edge") in board.pieces
    assert list(board.notes) == ["first: boxes 0", "second: boxes 1"]
    assert state.game.cells(("v", 1, 0)) == (("v", 1, 0),)


@given(states())
def test_a_box_is_owned_when_its_edges_are_drawn(state):
    """By exactly one side; and an edge closes the boxes of which it is the last one, for the side that draws it."""
    width, height = state.game.options.width, state.game.options.height
    closed = {(x, y) for x in range(width) for y in range(height) if around(x, y) <= edges(state)}
    assert boxes(state).keys() == closed
    assert len(edges(state)) == state.turns == state.ply
    for action in state.legal_actions():
        after = state.play(action)
        new = {(x, y) for x in range(width) for y in range(height) if around(x, y) - edges(state) == {action}}
        assert boxes(after) == boxes(state) | dict.fromkeys(new, state.to_move)
        again = bool(new) and state.game.options.extra_turn
        assert after.to_move == (state.to_move if again else 1 - state.to_move)
        assert (after.outcome is None) == (after.count_actions() > 0)


@given(states())
def test_check_accepts_the_legal_actions_and_nothing_else(state):
    """Of all edges, also beside the board."""

    def accepted(action):
        try:
            return state.check(action) == action
        except IllegalAction as error:
            return not error.message.isprintable()

    actions = [(kind, x, y) for kind in "hv" for y in range(-1, 6) for x in range(-1, 6)]
    assert [action for action in actions if accepted(action)] == state.legal_actions()


@given(states(), st.randoms(use_true_random=False))
def test_what_is_mirrored_plays_on_mirrored(state, rng):
    """Each symmetry takes the state after an action to the state after another action; a square board has seven."""
    game = state.game
    images = game.symmetries()
    assert len(images) == (7 if game.options.width == game.options.height else 3)
    twins = [at_key(game, image(state.key())) for image in images]
    if state.outcome is None:
        after = state.play(state.sample(rng))
        for image, twin in zip(images, twins, strict=True):
            assert image(after.key()) in {twin.play(action).key() for action in twin.legal_actions()}
    for image, twin in zip(images, twins, strict=True):
        assert state.key() in {again(twin.key()) for again in images}
        assert image(game.initial().key()) == game.initial().key()


def at_key(game, key):
    """A state with this key: the boxes that are owned are given away from the first."""
    drawn, first, second, to_move = key
    closed = [1 << number for number, edges in enumerate(game.edges.around) if drawn & edges == edges]
    assert len(closed) == first + second
    state = game.initial()._replace(drawn=drawn, first=sum(closed[:first]), second=sum(closed[first:]), to_move=to_move)
    return state._replace(outcome=game.outcome(drawn, state.first, state.second))


def test_states_that_differ_in_who_owns_which_box_are_equal():
    """As long as each side owns as many: future play depends on no more."""
    one = Game.load("dots_and_boxes", width=3, height=2).parse(DIAGRAM)
    other = one.game.parse(DIAGRAM.replace("|1 |2 |", "|2 |1 |"))
    assert boxes(one) != boxes(other)
    assert (one, hash(one), one.key()) == (other, hash(other), other.key())
    assert one != one.game.parse(DIAGRAM.replace("1", "2"))
    assert one != one.game.parse(DIAGRAM.replace("second", "first"))
    assert one != Game.load("dots_and_boxes", width=3, height=2, turn_cap=20).parse(DIAGRAM)


def test_every_legal_action_is_sampled_as_often():
    """Within six standard deviations."""
    state, rng, draws = Game.load("dots_and_boxes", width=3, height=2).parse(DIAGRAM), Random(1), 8_000
    found = Counter(state.sample(rng) for _ in range(draws))
    assert set(found) == set(state.legal_actions())
    assert all(abs(each - draws / 4) < 6 * (draws / 4) ** 0.5 for each in found.values())


@pytest.mark.parametrize(
    "options",
    [
        {"width": 1, "height": 1},
        {"width": 3, "height": 2},
        {"width": 2, "height": 3, "extra_turn": False},
        {"width": 3, "height": 3, "turn_cap": 15},
    ],
    ids=str,
)
def test_the_game_conforms(options):
    """On boards of several shapes, with and without the extra turn, and cut short."""
    check_game(Game.load("dots_and_boxes", **options), seed=1, matches=4)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 2), (3, 2), (1, 4), (5, 5), (7, 4)])
def test_games_agree_with_openspiel(width, height):
    """Side to move and legal actions are the same at every turn of random games, and so is the final difference."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install .[test-openspiel]")
    judge = pyspiel.load_game(f"dots_and_boxes(num_rows={height},num_cols={width},utility_margin=true)")
    for seed in range(20):
        rng = Random(seed)
        state, other = Game.load("dots_and_boxes", width=width, height=height).initial(), judge.new_initial_state()
        while state.outcome is None:
            assert not other.is_terminal()
            assert other.current_player() == state.to_move
            # It writes an edge as P1(h,row,column), with the side that would draw it.
            found = {other.action_to_string(each)[3:-1].replace("(", ""): each for each in other.legal_actions()}
            assert {f"{kind},{y},{x}" for kind, x, y in state.legal_actions()} == found.keys()
            kind, x, y = action = state.sample(rng)
            state = state.play(action)
            other.apply_action(found[f"{kind},{y},{x}"])
        assert other.is_terminal()
        difference = state.count_pieces(0) - state.count_pieces(1)
        assert other.returns() == [difference, -difference]


TOLD = """
    from random import Random

    from watch_your_back.game import Game

    class Player:
        def __init__(self, colour, options, seed):
            self.state = Game.load("dots_and_boxes", **options).initial()
            self.side = self.state.game.sides.index(colour)
            self.random = Random(seed)

        def action(self, turns):
            assert (turns, self.side) == (self.state.turns, self.state.to_move)
            action = self.state.sample(self.random)
            self.state = self.state.play(action)
            print("action", turns, *action)
            return action

        def update(self, action):
            assert self.state.to_move != self.side
            self.state = self.state.play(action)
            print("update", *action)

        def finish(self, outcome):
            print("finish", self.state.turns, outcome["winner"])
"""


def test_players_are_told_of_repeated_turns_in_order(tmp_path):
    """A side that closed a box is asked again; the other is told of all its actions, one by one, before it acts."""
    agent = find(source(tmp_path, TOLD, "told"))
    ended = played(Match(Game.load("dots_and_boxes", width=3, height=3), (agent, agent), Limits(20, 200), seed=1))
    assert ended.end.reason == "all edges drawn"
    taken = [event for event in ended.events if isinstance(event, ActionTaken)]
    sides = [event.side for event in taken]
    assert any(before == after for before, after in pairwise(sides))
    winner = ended.end.winner
    for side in (0, 1):
        told = [line for output in ended.outputs if output.side == side for line in output.text.splitlines()]
        expected = [
            f"action {event.ply} {' '.join(map(str, event.action))}"
            if event.side == side
            else f"update {' '.join(map(str, event.action))}"
            for event in taken
        ]
        assert told == [*expected, f"finish {len(taken)} {winner if winner is None else ('first', 'second')[winner]}"]

"""A person at the terminal plays every game: sees the board, types short forms, and is told what is wrong."""

import io
import random
import re
import sys

import pytest

from watch_your_back.agents import bundled
from watch_your_back.confine import importing
from watch_your_back.game import Game
from watch_your_back.show.typed import parts_of, readings, said, typed

GAMES = {
    "watch_your_back": {},
    "one_line": {"rules": 3},
    "two_tigers": {},
    "five_in_a_row": {},
    "archers": {},
    "go": {"size": 5},
    "hexxagon": {"size": 3},
    "dots_and_boxes": {"width": 3, "height": 2},
    "squares": {"size": 5},
}


@pytest.fixture(scope="module")
def human():
    """The class of the person."""
    path = bundled()["human"]
    made = importing.import_beside(str(path), str(path.parent), "human", "Player")
    yield made
    importing.forget()


@pytest.fixture
def terminal(monkeypatch):
    """Feeds the keyboard, and has what the terminal shows."""

    def ask(player, *lines):
        shown = io.StringIO()
        monkeypatch.setattr(sys, "stderr", shown)
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        action = player.action(player.state.turns)
        return action, shown.getvalue()

    return ask


@pytest.mark.parametrize("game", GAMES)
def test_every_action_of_every_game_can_be_typed(human, terminal, game):
    """Two people on one terminal play a whole match by the short forms alone; both see every board alike."""
    rules = Game.load(game, **GAMES[game])
    state = rules.initial()
    people = [human(side, game, GAMES[game]) for side in rules.sides]
    rng = random.Random(game)
    while state.outcome is None and state.ply < 150:
        action = state.sample(rng)
        person, other = people[state.to_move], people[1 - state.to_move]
        found, shown = terminal(person, typed(action))
        assert found == action
        assert f"You are {rules.sides[state.to_move]}." in shown
        assert all(note in shown for note in state.picture().notes)
        state = state.play(action)
        other.update(state.observe(action, people.index(other)))
        assert person.state == other.state == state


@pytest.mark.parametrize("game", GAMES)
def test_help_shows_what_to_type_in_this_game(human, terminal, game):
    """An example of every form of an action, which the rules themselves take for one of that form."""
    rules = Game.load(game, **GAMES[game])
    _, shown = terminal(human(rules.sides[0], game, GAMES[game]), "?", "resign")
    for form in rules.forms:
        assert re.search(rf"    {re.escape(said(form))} +{re.escape(form.meaning)}\n", shown)


def test_a_game_may_read_short_forms_of_its_own(human, terminal):
    """In Squares `all` announces every square that the counter completes."""
    person = human("white", "squares", {"size": 4})
    for action in [(0, 0), (3, 3), (0, 1), (3, 2), (1, 0), (2, 3)]:
        person.state = person.state.play(action)
    action, _ = terminal(person, "1 1 ALL")
    assert action == ((1, 1), (((0, 0), (0, 1), (1, 0), (1, 1)),))


@pytest.mark.parametrize("line", ["h 2 1", "h,2,1", "('h', 2, 1)", "H2 1", "h2,1"])
def test_words_may_be_typed_in_any_form(human, terminal, line):
    """With or without blanks, brackets, quotes and capitals."""
    assert terminal(human("first", "dots_and_boxes"), line)[0] == ("h", 2, 1)


def test_a_mistake_is_explained_by_the_rules(human, terminal):
    """And the question comes again."""
    action, shown = terminal(human("black", "go"), "9 9", "x y", "4 4")
    assert action == (4, 4)
    assert "(9, 9) is not on the board" in shown
    assert "'x y' is neither an action nor a command" in shown


def test_all_that_the_opponent_did_is_told_and_marked(human, terminal):
    """Also where the opponent acted several times in a row."""
    person = human("second", "dots_and_boxes", {"width": 2, "height": 1})
    person.update(("h", 0, 0))
    _, shown = terminal(person, "v 0 0")
    assert "The opponent's action: h 0 0. You are second." in shown
    assert shown.count("[") == 1
    for action in [("h", 0, 1), ("v", 2, 0)]:
        person.update(action)
    _, shown = terminal(person, "v 1 0")
    assert "The opponent's action: h 0 1 and v 2 0." in shown
    assert shown.count("[") == 2
    assert "You act again." in terminal(person, "h 1 0")[1]


def test_the_board_has_no_colour_where_there_is_no_terminal(human, terminal):
    """What is piped or captured has no escape sequences."""
    assert "\x1b" not in terminal(human("white"), "2 3")[1]


def test_a_turn_of_steps_is_typed_step_by_step(human, terminal):
    """An empty line ends it, `undo` takes back the last step, and `legal` lists how it can go on."""
    person = human("black", "weaponized_chess")
    moves = [step for step in person.state.legal_steps(()) if step[0] == "MV"][:2]
    shots = [step for step in person.state.legal_steps(moves[:1]) if step is not None and step[0] == "FI"]
    assert shots
    lines = [typed(moves[1]), "undo", typed(moves[0]).lower(), "legal", "nonsense", f"{typed(shots[0])};", ""]
    action, shown = terminal(person, *lines)
    assert action == (moves[0], shots[0])
    assert "(an empty line)" in shown
    assert "'nonsense' is no step; legal lists" in shown


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("mv b-shp-1 3 5 ground", "B-SHP-1 cannot go from (2, 5) to (3, 5)"),
        ("MV B-K-1 5 5 up none", "a level is one of ground, air, sub, not 'up'"),
        ("FI B-TA-1 RL dir 1 0", "B-TA-1 has no RL"),
        ("EX B-TA-1 FL B-K-1", "B-TA-1 carries no 'FL'"),
        ("RE 9 1 JE", "the square (9, 1) is not ready"),
        ("MV B-K-1", "'MV B-K-1' is no step"),
    ],
)
def test_a_step_that_is_not_legal_is_explained(human, terminal, line, reason):
    """As far as it is one, in capitals or not, and with what may be left out left out."""
    assert reason in terminal(human("black", "weaponized_chess"), line, "resign")[1]


def test_what_is_hidden_is_not_shown(human, terminal):
    """In a game with hidden information the person is shown what its side may know, and can play on."""
    game = Game.load("weaponized_chess")
    state = game.initial()
    people = [human(side, "weaponized_chess") for side in game.sides]
    rng = random.Random(2)
    for _ in range(6):
        side = state.to_move
        people[side].see(state.view(side))
        action = state.sample(rng)
        lines = [typed(step) for step in action]
        found, shown = terminal(people[side], *lines, "")
        assert found == action
        assert f"You are {game.sides[side]}." in shown
        state = state.play(action)
        people[1 - side].update(state.observe(action, 1 - side))


def test_what_is_typed_for_an_action_is_its_parts_in_order():
    """None within an action is a word of its own."""
    action = ("MV", "B-AAA-1", 2, 3, "ground", None)
    assert typed(action) == "MV B-AAA-1 2 3 ground none"
    assert next(readings(typed(action))) == parts_of(action)
    assert typed(None) == "pass"


def test_a_pass_that_is_not_allowed_is_explained_to_a_person(human, terminal):
    """What the author of a program should look for is left out."""
    action, shown = terminal(human("white"), "pass", "2 3")
    assert action == (2, 3)
    assert "returned None while placing; return (x, y)" in shown
    assert "missing in action()" not in shown

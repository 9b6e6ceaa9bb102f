"""What every game has: options that are checked, loading by id, and the defaults of a state."""

import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from random import Random
from typing import NamedTuple

import pytest

from watch_your_back.catalogue import ENTRY_POINTS
from watch_your_back.game import (
    Board,
    Game,
    IllegalAction,
    OptionError,
    Options,
    Outcome,
    State,
    UnknownGame,
    grid,
    option,
    perft,
)


@dataclass(frozen=True)
class CountingOptions(Options):
    """Options of each type."""

    goal: int = option(3, "the number to reach", minimum=1, maximum=99)
    bonus: float = option(0.5, "points for reaching it", minimum=0)
    rules: str = option("plain", "how it is counted", choices=("plain", "fancy"))
    quick: bool = option(False, "whether two at a time are allowed")


@dataclass(frozen=True, slots=True)
class Counting(Game):
    """A game of counting: an action is how far to count, 1 or 2; who reaches the goal wins."""

    id = "counting"
    title = "Counting"
    rules_version = 1
    sides = ("first", "second")
    Options = CountingOptions
    options: CountingOptions

    def initial(self):
        return Count(self)

    def parse(self, text):
        count, ply = text.split()
        return Count(self, int(count), int(ply))


class Count(State):
    """A state that keeps what it must in slots and computes the rest."""

    __slots__ = ("count", "game", "ply")

    phase = "counting"

    def __init__(self, game, count=0, ply=0):
        self.game, self.count, self.ply = game, count, ply

    @property
    def to_move(self):
        return self.ply % 2

    @property
    def turns(self):
        return self.ply

    @property
    def outcome(self):
        return Outcome(1 - self.to_move, "counted") if self.count >= self.game.options.goal else None

    def legal_actions(self):
        return [] if self.outcome else [1, 2] if self.game.options.quick else [1]

    def check_form(self, form):
        if form not in self.legal_actions():
            raise IllegalAction("number", f"{form} is not a number to count by")
        return form

    def play(self, action):
        return Count(self.game, self.count + action, self.ply + 1)

    def key(self):
        return self.count, self.to_move

    def text(self):
        return f"{self.count} {self.ply}"

    def picture(self):
        return Board(grid(1, 1), ())


class Bare(NamedTuple):
    """The fields of a state that is a tuple."""

    game: Game
    ply: int


class BareState(Bare, State):
    """A state built on a named tuple."""

    __slots__ = ()


def counting(**options):
    return Counting(CountingOptions(**options))


def test_options_have_defaults_and_take_values_of_their_type():
    """What is not given has its default; an int does for a float."""
    options = CountingOptions.of({"goal": 5, "bonus": 2, "rules": "fancy"})
    assert options == CountingOptions(turn_cap=0, goal=5, bonus=2.0, rules="fancy", quick=False)
    assert type(options.bonus) is float
    assert hash(options) == hash(CountingOptions(goal=5, bonus=2.0, rules="fancy"))


def test_options_that_are_not_the_usual_ones_are_told_in_a_few_words():
    """As a person gives them; one that is a whole file is cut short."""
    assert CountingOptions.of({"goal": 3}).changed() == []
    assert CountingOptions.of({"quick": True, "bonus": 2}).changed() == ["bonus 2.0", "quick yes"]
    board = '{"points": [[0, 0], [1, 0]], "lines": [], "start": {"white": [[0, 0]], "black": [[1, 0]]}}'
    assert Game.load("archers", board=board).options.changed() == ['board {"points":[[0,0],[1,0]],"lines":[],"s...']


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"gaol": 5}, "no option 'gaol' (did you mean goal?)"),
        ({"komi": 5}, "no option 'komi' (known: turn_cap, goal, bonus, rules, quick)"),
        ({"goal": True}, "option goal is an int, not True (bool)"),
        ({"goal": "5"}, "option goal is an int, not '5' (str)"),
        ({"goal": 5.0}, "option goal is an int, not 5.0 (float)"),
        ({"quick": 1}, "option quick is a bool, not 1 (int)"),
        ({"bonus": True}, "option bonus is a float, not True (bool)"),
        ({"bonus": float("nan")}, "option bonus is a finite number, not nan"),
        ({"goal": 0}, "option goal is at least 1, not 0"),
        ({"goal": 100}, "option goal is at most 99, not 100"),
        ({"turn_cap": -1}, "option turn_cap is at least 0, not -1"),
        ({"rules": "odd"}, "option rules is one of plain, fancy, not 'odd'"),
    ],
)
def test_a_wrong_option_is_refused_in_one_line(values, message):
    """The line names the option, what it takes and what was given."""
    with pytest.raises(OptionError) as refused:
        CountingOptions.of(values)
    assert message in str(refused.value)


def test_a_built_in_game_is_loaded_by_its_id():
    """With its defaults, or with options by name; equal options give equal games."""
    game = Game.load("watch_your_back")
    assert (game.id, game.options.turn_cap) == ("watch_your_back", 512)
    other = Game.load("watch_your_back", turn_cap=100)
    assert other.options.turn_cap == 100
    assert other != game
    assert Game.load("watch_your_back") == game
    assert hash(Game.load("watch_your_back")) == hash(game)
    with pytest.raises(OptionError, match="did you mean turn_cap"):
        Game.load("watch_your_back", turncap=100)


@pytest.mark.parametrize("id", ["watch_yourback", "watch your back", "Watch_your_back"])
def test_an_unknown_game_is_answered_with_the_nearest(id):
    """A slip of the keyboard is met with the id that was probably meant."""
    with pytest.raises(UnknownGame, match=r"did you mean watch_your_back\?"):
        Game.load(id)


@pytest.mark.parametrize("id", ["", "os", "__init__", "watch_your_back.bitboards", "..game", "tic tac toe"])
def test_only_games_are_loaded(id):
    """No other module is imported by what looks like an id, and all games are listed where none is near."""
    with pytest.raises(UnknownGame, match=f"there is no game '{id}'"):
        Game.load(id)


def test_games_of_installed_packages_are_found(monkeypatch):
    """An entry point makes a game known by its name, beside the built-in ones, which it cannot replace."""
    points = [
        EntryPoint("counting", f"{__name__}:Counting", ENTRY_POINTS),
        EntryPoint("watch_your_back", f"{__name__}:Counting", ENTRY_POINTS),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    assert {"counting", "watch_your_back"} <= {*Game.ids()}
    assert Game.ids() == sorted(set(Game.ids()))
    assert Game.load("counting", goal=7) == counting(goal=7)
    assert Game.load("watch_your_back").title == "Watch Your Back!"


def test_resigning_is_for_a_game_that_goes_on():
    """Every state takes 'resign' until the game is over; other actions are the game's to check."""
    state = counting(goal=1).initial()
    assert state.check("resign") == "resign"
    with pytest.raises(IllegalAction, match="the action is True"):
        state.check(True)
    with pytest.raises(IllegalAction, match="resigned is not"):
        state.check("resigned")
    with pytest.raises(IllegalAction) as refused:
        state.play(1).check("resign")
    assert refused.value.kind == "number"


def test_a_state_has_defaults_for_what_can_be_derived():
    """Counting and sampling go by the legal actions, and a side is told the action itself."""
    state = counting(quick=True).initial()
    assert state.count_actions() == 2
    assert {state.sample(Random(seed)) for seed in range(20)} == {1, 2}
    assert state.play(2).observe(2, 0) == 2
    over = state.play(2).play(1)
    assert over.count_actions() == 0
    with pytest.raises(IndexError):
        over.sample(Random(0))


def test_perft_counts_sequences_of_actions():
    """Sums of ones and twos: the end of a game cuts its sequences off."""
    state = counting(quick=True, goal=4).initial()
    assert [perft(state, depth) for depth in range(6)] == [1, 2, 4, 6, 2, 0]


def test_the_protocols_cost_a_state_nothing():
    """Slots stay slots, so that states are small; tuples, dataclasses and plain classes all do."""
    for value in (counting(), counting().initial(), BareState(counting(), 3)):
        assert not hasattr(value, "__dict__")
    assert BareState(counting(), 3).ply == 3


def test_games_are_imported_without_numpy():
    """Starting a command does not wait for it."""
    code = (
        "import sys; from watch_your_back.game import Game; Game.load('watch_your_back'); print('numpy' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"

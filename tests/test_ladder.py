"""The bundled agents: they play every phase, each beats the one below it, and a person can type every action."""

import importlib.util
import io
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from positions import WIN_IN_ONE

from watch_your_back.agents import bundled
from watch_your_back.game import Action, Game, State
from watch_your_back.search import alpha_beta
from watch_your_back.search import clock as clock_module

FIRST_PLAYER = Path(__file__).resolve().parents[1] / "examples" / "first_player.py"


PASS = """\
X O O @ @ - - X
@ @ @ - - - - -
- @ @ - - - - -
- - - - - - - -
- - - - - - - -
- - - - - - - -
- - - - - - - -
X - - - - - - X
4 turns into the moving phase"""
"""White has two pieces in a corner and cannot move."""

MOVING = """\
X - - - - - - X
- - - - - - - -
- - O - - - - -
- - - - - - - -
- - - - @ @ - -
- - - - - O - -
- - - - - - - -
X - - - - - - X
4 turns into the moving phase"""


def load(path: Path) -> ModuleType:
    """The module of a file."""
    spec = importlib.util.spec_from_file_location(f"ladder_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RANDOM, GREEDY, HUMAN = (load(bundled()[name]).Player for name in ("random", "greedy", "human"))
MINIMAX = load(bundled()["minimax"])


def play(first: Any, second: Any, state: State | None = None) -> State:
    """The end of a match between two players, each action checked."""
    state = state or Game.load("watch_your_back").initial()
    while state.outcome is None:
        side = state.to_move
        action = state.check((first, second)[side].action(state.turns))
        state = state.play(action)
        (first, second)[1 - side].update(state.observe(action, 1 - side))
    return state


def score(strong: Any, weak: Any, matches: int) -> float:
    """The points of `strong` over `weak`, a draw counting half; the colours alternate."""
    points = 0.0
    for number in range(matches):
        side = number % 2
        players = [
            make(("white", "black")[seat], seed=number) for seat, make in enumerate((strong, weak)[:: 1 - 2 * side])
        ]
        outcome = play(*players).outcome
        assert outcome is not None
        points += 0.5 if outcome.winner is None else outcome.winner == side
    return points


@pytest.fixture
def shallow(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Minimax by depth and not by time, so that a slow machine plays as well as a fast one."""
    monkeypatch.setattr(MINIMAX, "DEEPEST", 2)
    monkeypatch.setattr(MINIMAX, "MATCH_SECONDS", 1e9)
    return MINIMAX.Player


def test_greedy_beats_random() -> None:
    """One turn of looking ahead wins nearly every match against none."""
    assert score(GREEDY, RANDOM, 40) >= 36


def test_minimax_beats_greedy(shallow: Any) -> None:
    """Two turns of looking ahead win most matches against one."""
    assert score(shallow, GREEDY, 8) >= 6


def test_players_with_equal_seeds_play_the_same_match(shallow: Any) -> None:
    """The seed settles every choice of the ladder."""
    for make in (RANDOM, GREEDY, shallow):
        assert play(make("white", seed=5), RANDOM("black", seed=6)) == play(
            make("white", seed=5), RANDOM("black", seed=6)
        )
    ends = {play(RANDOM("white", seed=seed), RANDOM("black", seed=6)) for seed in range(5)}
    assert len(ends) == 5


def test_a_match_may_start_after_other_actions(shallow: Any) -> None:
    """`start` tells both players of the actions that were taken before the match, in any phase."""
    for plies in (1, 24, 60):
        state, actions = Game.load("watch_your_back").initial(), []
        opening = RANDOM("white", seed=plies)
        for _ in range(plies):
            actions.append(opening.action(state.turns))
            state = opening.state
        for make in (RANDOM, GREEDY, shallow):
            players = make("white", seed=1), make("black", seed=2)
            for player in players:
                player.start(actions)
            assert play(*players, state).outcome is not None


def test_passing_is_played_and_understood(shallow: Any) -> None:
    """A side without a move passes with None, and `update(None)` is taken in."""
    state = Game.load("watch_your_back").parse(PASS)
    assert list(state.legal_actions()) == [None]
    for make in (RANDOM, GREEDY, shallow):
        player, other = make("white", seed=1), make("black", seed=1)
        player.state = other.state = state
        assert player.action(state.turns) is None
        other.update(None)
        assert other.state == player.state
        assert state.play(None).check(other.action(state.turns + 1))


def test_a_win_at_once_is_taken(shallow: Any) -> None:
    """Greedy and minimax both finish a match that one action wins."""
    state = Game.load("watch_your_back").parse(WIN_IN_ONE)
    for make in (GREEDY, shallow):
        player = make("white", seed=1)
        player.state = state
        outcome = state.play(player.action(state.turns)).outcome
        assert outcome is not None
        assert outcome.winner == 0


def test_minimax_divides_its_time_among_the_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays below its CPU limit however slow the clock says that it is."""
    clock = iter(range(10**9))
    for module in (clock_module, alpha_beta):
        monkeypatch.setattr(module, "process_time", lambda: next(clock) / 1000)
    limit = 3.0
    player = MINIMAX.Player("white", limits={"cpu_s": limit, "memory_mb": 100, "profile": "fair"}, seed=1)
    play(player, RANDOM("black", seed=1))
    assert next(clock) / 1000 < limit


def test_minimax_bounds_what_it_remembers() -> None:
    """A small memory limit makes the table of known states small."""
    player = MINIMAX.Player("white", limits={"cpu_s": None, "memory_mb": 1}, seed=1)
    player.clock.left = 8.0
    for _ in range(3):
        player.state = player.state.play(player.action(0))
    assert 0 < len(player.search.table) <= 1000


def test_the_first_player_of_the_readme_plays_whole_matches() -> None:
    """The example that users start from is legal in every phase."""
    first = load(FIRST_PLAYER).Player
    for seed in range(5):
        assert play(first("white"), RANDOM("black", seed=seed)).outcome is not None
        assert play(RANDOM("white", seed=seed), first("black")).outcome is not None


class Terminal:
    """A person's lines, and what the terminal showed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch

    def ask(self, state: State, *lines: str) -> tuple[Action, str]:
        """What a person's lines do in a state, and what is shown meanwhile on standard error."""
        shown = io.StringIO()
        self.monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        self.monkeypatch.setattr(sys, "stderr", shown)
        player = HUMAN(state.game.sides[state.to_move])
        player.state = state
        action = player.action(state.turns)
        assert state.check(action) == action
        return action, shown.getvalue()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal whose keyboard is fed by the test."""
    return Terminal(monkeypatch)


@pytest.fixture
def empty() -> State:
    """The empty board, White to place."""
    return Game.load("watch_your_back").initial()


@pytest.fixture
def moving() -> State:
    """A state in the moving phase, White to move."""
    return Game.load("watch_your_back").parse(MOVING)


@pytest.mark.parametrize("line", ["3 4", "3,4", "(3, 4)", " ( 3 4 ) ", "3, 4,"])
def test_a_square_may_be_typed_in_any_short_form(line: str, terminal: Terminal, empty: State) -> None:
    """Commas, brackets and blanks make no difference."""
    assert terminal.ask(empty, line)[0] == (3, 4)


@pytest.mark.parametrize(
    "lines",
    [
        ["2 2 3 2"],
        ["2,2 3,2"],
        ["((2,2),(3,2))"],
        ["(2,2)-(3,2)"],
        ["2 2 -> 3 2"],
        ["2-2-3-2"],
        ["2 2", "3 2"],
        ["2", "2 3", "2"],
    ],
    ids=" / ".join,
)
def test_a_move_may_be_typed_at_once_or_in_parts(lines: list[str], terminal: Terminal, moving: State) -> None:
    """Origin and target on one line or on two."""
    assert terminal.ask(moving, *lines)[0] == ((2, 2), (3, 2))


def test_a_half_typed_move_can_be_taken_back(terminal: Terminal, moving: State) -> None:
    """`undo` forgets the origin."""
    assert terminal.ask(moving, "5 5", "undo", "2 2 3 2")[0] == ((2, 2), (3, 2))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["3 9"], "(3, 9) is not on the board", id="off-board"),
        pytest.param(["3 7"], "zone", id="zone"),
        pytest.param(["1 2 3 4"], "return (x, y)", id="form"),
        pytest.param(["hello"], "'hello' is neither an action nor a command", id="word"),
        pytest.param(["!?"], "'!?' is neither an action nor a command", id="punctuation"),
        pytest.param(["pass"], "White", id="pass"),
        pytest.param(["", "  "], "white> white> white> ", id="empty"),
        pytest.param(["?"], "gives up the match", id="help"),
        pytest.param(["help"], "gives up the match", id="help-word"),
        pytest.param(["legal"], "1 0   2 0   3 0", id="legal"),
        pytest.param(["3", "legal"], "3 0   3 1   3 2   3 3   3 4   3 5\n", id="legal-rest"),
    ],
)
def test_whatever_is_no_action_is_answered_and_asked_again(
    lines: list[str], expected: str, terminal: Terminal, empty: State
) -> None:
    """The rules' own message explains what is wrong; help and lists are shown; then the question comes again."""
    action, shown = terminal.ask(empty, *lines, "undo", "2 3")
    assert action == (2, 3)
    assert expected in shown


def test_the_board_is_shown_with_its_columns_and_rows(terminal: Terminal, moving: State) -> None:
    """A person sees where the squares are, whose colour is theirs, and can ask to see it again."""
    _, shown = terminal.ask(moving, "board", "2 2 3 2")
    assert shown.count("    0  1  2  3  4  5  6  7\n 0  X  -  -  -  -  -  -  X\n") == 2
    assert "You are white" in shown


def test_the_opponents_action_is_told(terminal: Terminal, empty: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """`update` leads to a line on what the opponent did, `start` to none."""
    player = HUMAN("white")
    player.start([(3, 3)])
    player.update((4, 4))
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(sys, "stdin", io.StringIO("2 3\n"))
    assert player.action(2) == (2, 3)
    assert "The opponent's action: 4 4." in shown.getvalue()


@pytest.mark.parametrize("lines", [["resign"], [], ["3"]], ids=["word", "end", "end-in-the-middle"])
def test_a_person_may_resign(lines: list[str], terminal: Terminal, empty: State) -> None:
    """The word and the end of the input give the match up."""
    assert terminal.ask(empty, *lines)[0] == "resign"


@pytest.mark.parametrize("line", ["", "pass", "None"])
def test_a_person_who_must_pass_is_told_so(line: str, terminal: Terminal) -> None:
    """Enter alone passes where nothing else is legal."""
    action, shown = terminal.ask(Game.load("watch_your_back").parse(PASS), line)
    assert action is None
    assert "press Enter to pass" in shown


def test_a_person_can_play_a_whole_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every action of a random match can be typed in its short form."""
    state = Game.load("watch_your_back").initial()
    human, opponent, scribe = HUMAN("white"), RANDOM("black", seed=3), RANDOM("white", seed=4)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    while state.outcome is None:
        mover = human if state.to_move == 0 else opponent
        if mover is human:
            action = scribe.action(state.turns)
            typed = "pass" if action is None else str(action)
            monkeypatch.setattr(sys, "stdin", io.StringIO(f"{typed}\n"))
            assert human.action(state.turns) == action
            opponent.update(action)
        else:
            action = opponent.action(state.turns)
            human.update(action)
            scribe.update(action)
        state = state.play(action)
    assert human.state == state

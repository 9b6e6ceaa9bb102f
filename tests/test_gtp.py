"""GTP for an agent: whatever a controller asks, in whatever order, has an answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watch_your_back import __version__
from watch_your_back.agents import find
from watch_your_back.bridges.gtp import Session
from watch_your_back.bridges.gtp_players import Players
from watch_your_back.match import Confinement, Limits
from watch_your_back.match.gtp import COLUMNS, action_of, vertex

ROOT = Path(__file__).parent.parent
SIZES = st.integers(5, 19)


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    """One for all players here."""
    confinement = Confinement()
    yield confinement
    confinement.close()


@pytest.fixture
def session(confinement: Confinement) -> Iterator[Callable[..., Session]]:
    """Sessions with an agent on 5x5, closed in the end."""
    opened: list[Players] = []

    def open_session(spec: str = "random", limits: Limits | None = None, **options: Any) -> Session:
        opened.append(Players(find(spec), limits or Limits(20, 200), 1, confinement))
        return Session("the agent", opened[-1], {"size": 5, **options})

    yield open_session
    for players in opened:
        players.close()


def said(session: Session, *lines: str) -> list[str]:
    """What the session answers to each line, without the empty line at the end."""
    answers = [session.answer(line) for line in lines]
    assert all(answer.endswith("\n\n") and "\n\n" not in answer[:-2] for answer in answers)
    return [answer[:-2] for answer in answers]


@given(st.data(), SIZES)
def test_vertices_and_actions_are_each_others_inverse(data: st.DataObject, size: int) -> None:
    """On every board, in small letters and capital ones."""
    action = data.draw(st.none() | st.just("resign") | st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)))
    word = vertex(action, size)
    assert action_of(word, size) == action_of(word.lower(), size) == action


def test_vertices_are_counted_from_the_bottom_left() -> None:
    """Without the letter I."""
    assert vertex((0, 8), 9) == "A1"
    assert vertex((8, 0), 9) == "J9"
    assert COLUMNS == "ABCDEFGHJKLMNOPQRST"


@given(st.text(max_size=6) | st.text(st.sampled_from("ABIJTpasresign0129 "), max_size=6), SIZES)
def test_any_word_is_an_action_or_is_refused(word: str, size: int) -> None:
    """Nothing but ValueError comes of it."""
    try:
        action = action_of(word, size)
    except ValueError:
        return
    assert vertex(action, size).lower() == word.strip().lower()


def test_a_session_of_a_controller(session: Callable[..., Session]) -> None:
    """With numbers before commands, comments, blanks and small letters."""
    one = session()
    assert one.answer("  # a comment\n") == ""
    assert one.answer("\n") == ""
    assert said(one, "7 protocol_version", "name", "version \t# which") == ["=7 2", "= the agent", f"= {__version__}"]
    assert said(one, "known_command genmove", "known_command fly") == ["= true", "= false"]
    assert said(one, "boardsize 9", "clear_board", "komi 6.5", "play B c3", "12 play white pass") == ["="] * 4 + ["=12"]
    (white,) = said(one, "genmove b")
    assert action_of(white[2:], 9) != (2, 6)
    assert said(one, "time_settings 60 0 0", "time_left b 30 0", "quit") == ["="] * 3
    assert one.over
    commands = said(session(), "list_commands")[0][2:].splitlines()
    assert {"play", "genmove", "undo", "loadsgf", "final_score", "set_free_handicap"} <= {*commands}


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("fly", "? unknown command"),
        ("5", "?5 there is no command"),
        ("boardsize", "? syntax error: boardsize SIZE"),
        ("boardsize 5 5", "? syntax error: boardsize SIZE"),
        ("boardsize x", "? syntax error: x is no whole number"),
        ("boardsize 25", "? unacceptable size"),
        ("komi much", "? syntax error: komi is a number, not much"),
        ("komi 0.3", "? option komi is a multiple of 0.5, not 0.3"),
        ("komi nan", "? option komi is a finite number, not nan"),
        ("play b", "? syntax error: play COLOUR VERTEX"),
        ("play red A1", "? syntax error: red is no colour"),
        ("play b Z9", "? syntax error: 'Z9' is no vertex of a 5x5 board"),
        ("play b resign", "? syntax error: a vertex or pass is expected, not resign"),
        ("play w A1", "? illegal move: it is black's turn"),
        ("genmove w", "? it is black's turn"),
        ("undo", "? cannot undo"),
        ("fixed_handicap 2", "? option handicap is 0 on a board of size 5: only 9, 13 and 19 have points for it"),
        ("fixed_handicap 1", "? invalid number of stones"),
        ("set_free_handicap A1 A1", "? repeated vertex"),
        ("set_free_handicap A1", "? syntax error: set_free_handicap VERTEX VERTEX ..."),
        ("time_left b soon 0", "? syntax error: times are whole numbers of seconds"),
        ("loadsgf nowhere.sgf", "? cannot load file: No such file or directory"),
    ],
)
def test_what_cannot_be_done_is_answered_with_a_reason(line: str, answer: str, session: Callable[..., Session]) -> None:
    """In one line, and nothing has changed."""
    one = session()
    before = said(one, "showboard", "final_score")
    assert said(one, line) == [answer]
    assert said(one, "showboard", "final_score") == before


def test_illegal_moves_are_refused_with_what_is_wrong(session: Callable[..., Session]) -> None:
    """By the rules of the game that is being played."""
    one = session()
    assert said(one, "play b A1", "play w A1")[1].startswith("? illegal move: White played on (0, 4)")
    assert said(one, "play w pass", "play b pass", "play w B1")[2] == "? illegal move: the game is over: two passes"
    assert said(one, "genmove w") == ["? the game is over: two passes"]


def test_the_board_is_shown_with_the_letters_of_gtp(session: Callable[..., Session]) -> None:
    """From row 1 at the bottom."""
    one = session()
    said(one, "play b A1", "play w E4")
    assert said(one, "showboard")[0].splitlines()[1:] == [
        "    A B C D E",
        "  5 . . . . . 5",
        "  4 . . . . O 4",
        "  3 . . . . . 3",
        "  2 . . . . . 2",
        "  1 X . . . . 1",
        "    A B C D E",
    ]
    assert said(one, "komi 0", "final_score", "komi 1.5", "final_score") == ["=", "= 0", "=", "= W+1.5"]


def test_handicap_stones_stand_on_the_usual_points(session: Callable[..., Session]) -> None:
    """White is the first to act then; a new board has none."""
    one = session(size=9)
    assert said(one, "fixed_handicap 3")[0] in ("= C3 G7 C7", "= C7 G7 C3", "= G7 C7 C3")
    assert said(one, "play b E5") == ["? illegal move: it is white's turn"]
    assert said(one, "fixed_handicap 2") == ["? board not empty"]
    assert said(one, "genmove w")[0].startswith("= ")
    assert said(one, "clear_board", "set_free_handicap A1 B2")[1].startswith("? this program knows handicap stones on")
    assert said(one, "set_free_handicap g7 C3", "play w A1") == ["=", "="]
    assert said(one, "clear_board", "place_free_handicap 9", "undo")[1].count(" ") == 9


def test_a_player_goes_on_where_the_controller_wants(session: Callable[..., Session]) -> None:
    """After actions that it did not choose itself, and after some were taken back."""
    one = session("greedy")
    moves = said(one, "play b C3", "genmove w", "play b D2", "genmove w", "undo", "undo", "play b E1", "genmove w")
    assert all(each.startswith("=") for each in moves)
    assert said(one, "clear_board", "play b E5", "play w A5", "genmove b")[3].startswith("= ")


_COUNTER = """
class Player:
    def __init__(self, colour):
        self.turn = -1
    def update(self, action):
        pass
    def action(self, turns):
        self.turn += 1
        return {action}
"""


def test_a_player_without_start_takes_its_turns_again(tmp_path: Path, session: Callable[..., Session]) -> None:
    """It goes on if it does then what it did before, and says so if not."""
    (tmp_path / "steady.py").write_text(_COUNTER.format(action="(self.turn, 0)"))
    one = session(str(tmp_path / "steady.py"))
    assert said(one, "genmove b", "play w A1", "genmove b", "undo", "undo", "play w B1", "genmove b") == [
        "= A5", "=", "= B5", "=", "=", "=", "= B5",
    ]  # fmt: skip
    assert said(one, "clear_board", "play b C3", "play w C2", "genmove b")[3] == (
        "? the player failed by exception in start: it has no method start to be told of actions that others took "
        "for it or took back"
    )


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("1 / 0", "exception in action: ZeroDivisionError: division by zero"),
        ("(9, 9)", "illegal action: Black played on (9, 9)"),
        ("__import__('os')._exit(3)", "player exited in action: its process exited with status 3"),
        ("[0 for _ in iter(int, 1)]", "limit in action: it used"),
    ],
)
def test_a_player_that_fails_resigns(action: str, why: str, tmp_path: Path, session: Callable[..., Session]) -> None:
    """The controller is told why once, and may begin anew."""
    (tmp_path / "bad.py").write_text(_COUNTER.format(action=action))
    one = session(str(tmp_path / "bad.py"), Limits(0.5, 500))
    (failure,) = said(one, "genmove b")
    assert failure.startswith("? the player failed by ")
    assert why.partition(" limit")[0] in failure
    assert said(one, "genmove b", "genmove b") == ["= resign", "= resign"]
    assert said(one, "clear_board", "genmove b")[1].startswith("? the player failed by ")


def test_a_player_may_resign(tmp_path: Path, session: Callable[..., Session]) -> None:
    """In the word that GTP has for it."""
    (tmp_path / "meek.py").write_text(_COUNTER.format(action="'resign'"))
    assert said(session(str(tmp_path / "meek.py")), "genmove b") == ["= resign"]


def test_a_game_is_loaded_from_sgf(tmp_path: Path, session: Callable[..., Session]) -> None:
    """The whole, or up to a move; what cannot be loaded leaves the board as it was."""
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[9]KM[0.5]HA[2];W[ee];B[aa];W[ba]RE[W+R])")
    one = session()
    assert said(one, f"loadsgf {path}", "genmove b")[0] == "= B"
    assert said(one, f"loadsgf {path} 2", "play b A9") == ["= B", "="]
    path.write_text("(;SZ[9];B[aa];W[aa])")
    assert said(one, f"loadsgf {path}")[0].startswith("? cannot load file: line 1, column 14: move 2 is illegal")
    path.write_text("(;SZ[9]AB[aa])")
    assert said(one, f"loadsgf {path}")[0].startswith("? cannot load file: it begins with stones that no player")
    assert said(one, "play w A8") == ["="]


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["clear_board", "boardsize 5", "boardsize 9", "komi 2.5", "undo", "final_score", "showboard", "genmove b"]
        ),
        st.sampled_from(
            ["fixed_handicap 2", "set_free_handicap C3 G7", "quit", "name", "play b pass", "play w pass", "genmove w"]
        ),
        st.builds("play {} {}{}".format, st.sampled_from("bw"), st.sampled_from("ABCDE"), st.integers(1, 5)),
        st.text(max_size=30),
    ),
    max_size=12,
)


@given(LINES)
def test_every_line_has_one_answer_of_the_right_form(lines: list[str]) -> None:
    """Whatever a controller says in whatever order; only lines without a command have none."""

    class Passing(Players):
        def __init__(self) -> None: ...
        def close(self) -> None: ...
        def ask(self, game: Any, actions: Any) -> None: ...

    one = Session("x", Passing(), {"size": 5})
    for line in lines:
        answer = one.answer(line)
        assert answer == "" or (answer[0] in "=?" and answer.endswith("\n\n") and "\n\n" not in answer[:-2])


def test_the_command_speaks_gtp_on_stdin_and_stdout(tmp_path: Path) -> None:
    """Until the controller says quit or is gone; what players print is kept apart, and endless lines are refused."""
    (tmp_path / "loud.py").write_text(_COUNTER.format(action="print('= hello') or None"))
    command = [sys.executable, "-m", "watch_your_back", "gtp", str(tmp_path / "loud.py"), "-o", "size=5", "-v"]
    lines = "genmove b\n" + "x" * 200_000 + "\n2 play w A1\n3 quit\n4 name\n"
    ended = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=120, cwd=ROOT, check=False)
    assert (ended.returncode, ended.stdout) == (0, "= pass\n\n? the line is too long\n\n=2\n\n=3\n\n")
    assert ended.stderr == "black, stdout| = hello\n"
    ended = subprocess.run(
        command, input="1 name\n", capture_output=True, text=True, timeout=120, cwd=ROOT, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, "=1 loud\n\n")


def test_a_mistake_on_the_command_line_is_one_line(wyb: Callable[..., Any]) -> None:
    """Another game, an option that there is not, a person."""
    for words, told in (
        (("random", "--game", "watch_your_back"), "GTP is for go, not for watch_your_back"),
        (("random", "-o", "sise=9"), "the game has no option 'sise' (did you mean size?)"),
        (("human",), "human is a person at the keyboard, and here the controller has it"),
    ):
        ended = wyb("gtp", *words)
        assert (ended.code, ended.out, ended.err) == (2, "", f"wyb gtp: {told}\n")

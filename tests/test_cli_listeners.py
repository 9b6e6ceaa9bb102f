"""What a match looks like: the published text, the terminal, and the notes beside them."""

import contextlib
import dataclasses
import io
import re

import match_events as events
import pytest

from watch_your_back.cli.notes import Notes
from watch_your_back.cli.plain import Plain
from watch_your_back.cli.screen import Screen
from watch_your_back.confine.limits import Limits
from watch_your_back.match.events import Reason

HOSTILE = "\x1b[2J\x1b]0;owned\x07hello\x07"
SHORT = [events.started(), *events.ready(), *events.turns((3, 3), (4, 4)), events.ended(0, "eliminated", 2)]
CRASH = [
    events.started(),
    *events.ready(),
    *events.turns((3, 3))[:1],
    events.failed(0, Reason.EXCEPTION, f"ValueError: {HOSTILE}", f"Traceback:\n  line 1\nwinner: W!{HOSTILE}"),
    events.ended(1, Reason.EXCEPTION, 0),
]


def play(listener, match):
    """Let a listener hear a whole match."""
    for event in match:
        listener(event)


def test_plain_text_is_the_published_format(capsys):
    """The board before the first turn and after every action, then the winner."""
    play(Plain(), SHORT)
    states = [events.START, events.START.play((3, 3)), events.START.play((3, 3)).play((4, 4))]
    expected = "".join(state.text().rstrip("\n") + "\n" for state in states) + "winner: W!\n"
    assert capsys.readouterr() == (expected, "White (one) wins: Black was eliminated (2 turns)\n")


def test_quiet_is_the_winner_only(capsys):
    """`-q` leaves one line."""
    play(Plain(quiet=True), SHORT)
    assert capsys.readouterr().out == "winner: W!\n"


def test_verbose_tells_the_time_of_each_turn(capsys):
    """In the published form."""
    play(Plain(verbose=True), SHORT)
    assert "time: 0.250s (this turn), 0.500s (total)\n" in capsys.readouterr().out


def test_a_failure_comes_before_the_winner(capsys):
    """Its reason, its detail and its traceback, indented so that no line of it passes for a result."""
    play(Plain(), CRASH)
    lines = capsys.readouterr().out.splitlines()[-5:]
    assert lines == [
        "exception (W): in action: ValueError: hello",
        "  Traceback:",
        "    line 1",
        "  winner: W!hello",
        "winner: B!",
    ]


def test_an_illegal_action_has_its_published_words(capsys):
    """`invalid action (W):` is what programs that read the text look for."""
    play(Plain(), [events.started(), events.failed(0, Reason.ILLEGAL_ACTION, "occupied"), events.ended(1, "x")])
    assert capsys.readouterr().out == "invalid action (W): occupied\nwinner: B!\n"


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    encoding = "utf-8"

    def isatty(self):
        """It is one."""
        return True


@pytest.fixture
def terminal(monkeypatch):
    """A terminal that is large enough for a board and can show colours."""
    for name, value in (("TERM", "xterm"), ("COLUMNS", "100"), ("LINES", "40")):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


def show(terminal, match, *how):
    """What a match writes to a terminal."""
    with contextlib.redirect_stdout(terminal):
        play(Screen(*how), match)
    return terminal.getvalue()


def screen(text):
    """What is on the screen after this text: lines up go back, and what was below is gone."""
    lines = [""]
    for part in re.split(r"(\x1b\[\d+F\x1b\[J)", text):
        if up := re.fullmatch(r"\x1b\[(\d+)F\x1b\[J", part):
            del lines[-1 - int(up[1]) :]
            lines.append("")
        else:
            first, *rest = re.sub(r"\x1b\[[0-9;]*m", "", part).split("\n")
            lines[-1] += first
            lines += rest
    return "\n".join(lines)


EXPECTED = """\
Watch Your Back!: placing phase, turn 3, White to act

    0  1  2  3  4  5  6  7
 0  X  ·  ·  ·  ·  ·  ·  X
 1  ·  ·  ·  ·  ·  ·  ·  ·
 2  ·  ·  ·  ·  ·  ·  ·  ·
 3  ·  ·  ·  ○  ·  ·  ·  ·
 4  ·  ·  ·  · [●] ·  ·  ·
 5  ·  ·  ·  ·  ·  ·  ·  ·
 6  ·  ·  ·  ·  ·  ·  ·  ·
 7  X  ·  ·  ·  ·  ·  ·  X

 ○ White  one   1 piece       0.50 s     12.5 MB
 ● Black  two   1 piece       0.75 s     12.5 MB

White (one) wins: Black was eliminated (2 turns)
"""


def test_the_board_is_drawn_in_its_place(terminal):
    """At the end there is one board, the last, with both players' costs and the result below."""
    assert screen(show(terminal, SHORT)) == EXPECTED


def test_costs_are_shown_against_the_limits(terminal):
    """Whoever has limits sees how near they are."""
    match = [events.started(limits=Limits(60, 100)), *SHORT[1:]]
    assert "0.50 s of 60 s     12.5 MB of 100 MB" in screen(show(terminal, match))


@pytest.mark.parametrize(
    ("name", "value", "colour", "in_place"),
    [("TERM", "dumb", False, False), ("NO_COLOR", "1", False, True), ("NO_COLOR", "", True, True)],
)
def test_what_the_terminal_cannot_or_must_not_do_is_left_out(terminal, monkeypatch, name, value, colour, in_place):
    """NO_COLOR and dumb terminals are honoured; the words stay the same."""
    monkeypatch.setenv(name, value)
    text = show(terminal, SHORT)
    assert (re.search(r"\x1b\[[0-9;]*m", text) is not None) == colour
    assert (re.search(r"\x1b\[\d+F", text) is not None) == in_place
    assert screen(text).endswith(EXPECTED)


@pytest.mark.parametrize(("name", "value"), [("LINES", "10"), ("COLUMNS", "40")])
def test_a_small_terminal_gets_one_board_below_the_other(terminal, monkeypatch, name, value):
    """Nothing is overwritten that has scrolled away or been wrapped."""
    monkeypatch.setenv(name, value)
    text = show(terminal, SHORT)
    assert text.count("Watch Your Back!") == 3
    assert not re.search(r"\x1b\[\d+F", text)


def test_a_person_is_shown_the_last_board_only(terminal):
    """Whoever plays at this terminal has seen the others."""
    text = show(terminal, SHORT, "last")
    assert screen(text) == EXPECTED
    assert text.count("Watch Your Back!") == 1


def test_an_encoding_without_the_discs_gets_letters(terminal):
    """The board falls back to ASCII."""
    terminal.encoding = "latin-1"
    text = show(terminal, SHORT)
    assert text.isascii()
    assert "[@]" in text


def test_a_player_cannot_command_the_terminal(terminal):
    """Its name, its error and its traceback arrive without escape sequences."""
    text = show(terminal, [events.started(white=HOSTILE), *CRASH[1:]], "each")
    assert "owned" not in text
    assert "\x07" not in text
    assert "White, exception in action: ValueError: hello\n  Traceback:\n    line 1\n  winner: W!hello\n" in text
    assert "Black (two) wins: White raised an exception" in text


def test_the_notes_say_who_plays_under_what(capsys):
    """Files, seed, profile, limits and tier are told before the first turn, on stderr."""
    match = [events.started(limits=Limits(60, 100, "official-2018"), root="elsewhere"), *SHORT[1:]]
    play(Notes(), match)
    assert capsys.readouterr() == (
        "",
        "white: one (/somewhere/one.py)\n"
        "black: two (/elsewhere/two.py)\n"
        "seed 7, profile official-2018, 60 s of CPU time and 100 MB of memory for each player\n"
        "tier full\n",
    )


def test_a_file_below_the_current_directory_is_shown_from_there(capsys, tmp_path, monkeypatch):
    """The line is as short as what the user typed."""
    monkeypatch.chdir("/")
    Notes()(events.started())
    assert "white: one (somewhere/one.py)\n" in capsys.readouterr().err


def test_a_weaker_tier_is_explained(capsys):
    """One sentence says what the players could do."""
    play(Notes(), [events.started(), *events.ready("full", "rlimits"), *events.turns((3, 3))])
    assert "tier rlimits: players can read and write files" in capsys.readouterr().err


def test_a_person_weakens_no_tier(capsys):
    """The line is about programs."""
    match = events.started()
    match = match._replace(agents=(dataclasses.replace(match.agents[0], kind="person"), match.agents[1]))
    play(Notes(), [match, *events.ready("none", "full"), *events.turns((3, 3))])
    assert "\ntier full\n" in capsys.readouterr().err


def test_agents_that_can_read_each_other_are_named(capsys):
    """Two agents under one directory are not kept apart, which is said."""
    Notes()(events.started())
    assert "note: both agents are in /somewhere and can read each other's source\n" in capsys.readouterr().err


def test_what_players_print_is_counted_or_shown(capsys):
    """The notes say how much there is and how to see it; verbose shows it, harmless, with side and turn."""
    match = [events.started(), events.printed(1, f"a {HOSTILE}\nb\n", ply=5, dropped=100), events.ended(0, "x")]
    play(Notes(), match)
    assert "black printed 125 characters; -v shows them\n" in capsys.readouterr().err
    play(Notes(verbose=True), match)
    assert capsys.readouterr().err.endswith(
        "black, turn 5, stdout| a hello\n"
        "black, turn 5, stdout| b\n"
        "black, turn 5, stdout: 100 more bytes were left out\n"
    )


def test_quiet_notes_are_the_seed(capsys):
    """Even then the match can be played again."""
    play(Notes(quiet=True), [events.started(), *events.ready(), events.printed(0, "x"), events.ended(0, "x")])
    assert capsys.readouterr() == ("", "seed 7\n")

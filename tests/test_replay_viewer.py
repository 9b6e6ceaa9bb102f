"""`wyb replay` at a terminal: what each key does, what windows of every size show, and the command itself in one."""

import os
import re
import select
import signal
import sys
from dataclasses import replace

import pytest
from report_data import NAMES, TRACEBACK, tournament

from watch_your_back.cli.replay_course import Course
from watch_your_back.cli.replay_viewer import KEYS, Viewer
from watch_your_back.game import Game
from watch_your_back.match.events import PlayerFailed, Reason
from watch_your_back.report.judgement import Judgement
from watch_your_back.report.viewpoint import Viewpoint
from watch_your_back.show.terminal import Terminal

PLAIN = Terminal(colour=False, unicode=True, movable=True, width=80, height=24)


def record_of(**how):
    """A match that was made up."""
    made = tournament(NAMES[:3], **how)
    return made.record(made.report.matches[2])


@pytest.fixture(scope="module")
def record():
    """A match of 216 turns with output."""
    return record_of(output="depth 3\n")


def viewer_of(record, **more):
    """A viewer of a match."""
    return Viewer(Course(Viewpoint(record), **more), PLAIN)


@pytest.fixture
def viewer(record):
    """A viewer at the start."""
    return viewer_of(record)


def pressed(viewer, *keys):
    """Where the viewer is after these keys."""
    for key in keys:
        assert viewer.press(key)
    return viewer.at


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["right"], 1), (["right", "right", "left"], 1), (["left"], 0), (["page down"], 10),
        (["page down", "page up", "page up"], 0), (["end"], 216), (["end", "right"], 216), (["end", "home"], 0),
        ([*"57", "enter"], 57), ([*"57", "backspace", "enter"], 5), ([*"57", "escape", "enter"], 0),
        ([*"999", "enter"], 216), (["unknown", "x", "enter"], 0),
    ],
)  # fmt: skip
def test_keys_move_through_the_match(viewer, keys, expected):
    """By a turn, by ten, to both ends, and to the turn whose number is typed."""
    assert pressed(viewer, *keys) == expected


def test_q_leaves(viewer):
    """And nothing else does."""
    assert not viewer.press("q")


def test_space_plays_on_until_the_end(viewer):
    """Faster or slower; any key that moves stops it, and from the end it begins anew."""
    assert viewer.pause_s is None
    pressed(viewer, "end", "space")
    assert viewer.at == 0
    slow = viewer.pause_s
    pressed(viewer, "+")
    assert viewer.pause_s < slow
    viewer.play_on()
    assert viewer.at == 1
    pressed(viewer, "right")
    assert (viewer.at, viewer.pause_s) == (2, None)
    pressed(viewer, "end", "left", "space")
    viewer.play_on()
    assert (viewer.at, viewer.pause_s) == (216, None)


def test_slow_turns_are_found(viewer, record):
    """The slowest first, then the next slowest, and back."""
    times = [turn.cpu_s for turn in record.turns]
    ranked = sorted(range(len(times)), key=lambda turn: -times[turn])
    assert pressed(viewer, "s") == ranked[0] + 1
    assert pressed(viewer, "s") == ranked[1] + 1
    assert pressed(viewer, "S") == ranked[0] + 1


def test_output_and_failures_are_found(record):
    """The next one and the previous one; where there is none, that is said."""
    failure = PlayerFailed(30, 1, "action", Reason.EXCEPTION, "no move", TRACEBACK)
    cut = replace(record, turns=record.turns[:30], outputs=record.outputs[:3], failures=(failure,), end=None)
    viewer = viewer_of(cut)
    plies = [output.ply for output in cut.outputs]
    assert [pressed(viewer, "o") for _ in range(3)] == [ply + 1 for ply in plies]
    assert pressed(viewer, "o") == plies[-1] + 1
    assert viewer.frame(120, 40)[-1].endswith("there is no further output")
    assert pressed(viewer, "O") == plies[-2] + 1
    assert pressed(viewer, "f") == viewer.course.last == 31
    assert "ValueError: max() iterable argument is empty" in "\n".join(viewer.frame(120, 40))
    pressed(viewer, "t")
    assert viewer.frame(120, 40)[-1].endswith("there is no turning point in this match")


def test_turning_points_are_found(record):
    """Where the match has been explained; what is wrong with the turn is told beside the board."""
    judged = [
        Judgement(0.1 * (turn in (6, 20)), "blunder", "Better was (3, 3).", turn in (6, 20)) for turn in range(216)
    ]
    viewer = viewer_of(record, judged=judged, comments=[(7, "Well \x1b[31mplayed.")])
    assert [pressed(viewer, key) for key in "ttT"] == [7, 21, 7]
    shown = "\n".join(viewer.frame(120, 40))
    assert "Blunder. Better was (3, 3)." in shown
    assert "Well played." in shown


def test_a_frame_shows_the_position(viewer):
    """The players, what happened, the board, the costs beside it, and the keys."""
    pressed(viewer, "right")
    frame = viewer.frame(80, 24)
    assert len(frame) == 24
    assert frame[0] == "Watch Your Back!: team_7/player (white) v champion (black)"
    assert frame[1].startswith("Turn 1, White: (")
    assert frame[3].startswith("    0  1  2  3  4  5  6  7   ○ White  team_7/player  1 piece")
    assert frame[-2].startswith("●") or frame[-2][1] == "●"
    assert frame[-1] == f"1/216; {KEYS}"


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 12), (20, 6), (10, 3), (5, 2), (1, 1), (200, 60)])
@pytest.mark.parametrize("id", ["watch_your_back", "go", "weaponized_chess"])
def test_a_frame_fits_any_window(id, columns, rows):
    """It has exactly as many lines as the window; everything can be scrolled into view."""
    options = {"size": 19} if id == "go" else {}
    viewer = viewer_of(record_of(game=Game.load(id, **options), cap=20, output="word " * 60))
    for key in ("home", "end", "?", "q"):
        viewer.press(key)
        assert len(viewer.frame(columns, rows)) == rows


def test_a_large_board_fits_a_usual_window():
    """All of a 19 x 19 board is seen in 80 columns and 24 lines, with the time and memory of both above it."""
    viewer = viewer_of(record_of(game=Game.load("go", size=19), cap=20))
    frame = viewer.frame(80, 24)
    assert sum(bool(re.match(r" ?\d\d?  ?", line)) for line in frame[3:22]) == 19
    assert re.fullmatch(r"● .* MB  ○ .* MB", frame[1])


def test_what_does_not_fit_is_scrolled(viewer):
    """By the arrow keys; another position begins at its top."""
    top = viewer.frame(40, 10)
    assert "below (arrow down)" in top[-1]
    pressed(viewer, "down", "down")
    assert viewer.frame(40, 10)[2:6] == top[4:8]
    pressed(viewer, *["down"] * 100)
    assert "below" not in viewer.frame(40, 10)[-1]
    pressed(viewer, "right")
    assert viewer.frame(40, 10)[2].startswith("    0  1")


def test_long_words_are_wrapped(record):
    """What a player printed is all there, in a column beside the board."""
    long = [replace_text(output) for output in record.outputs]
    viewer = viewer_of(replace(record, outputs=tuple(long)))
    pressed(viewer, "o")
    shown = "".join(line.partition("  | ")[2] for line in viewer.frame(80, 60))
    assert shown.replace(" ", "") == "word" * 40


def replace_text(output):
    """The output with many words."""
    return output._replace(text="word " * 40)


def test_without_unicode_it_is_plain_ascii(record):
    """For terminals that show nothing else."""
    viewer = Viewer(Course(Viewpoint(record)), PLAIN._replace(unicode=False))
    pressed(viewer, *"60", "enter")
    assert "\n".join(viewer.frame(80, 24)).isascii()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
class TestInATerminal:
    """The command in a pseudo-terminal of its own."""

    @pytest.fixture
    def terminal(self, record, tmp_path):
        """Starts it; ends it if it has not ended by itself."""
        made = tournament(NAMES[:3], output="depth 3\n")
        file = tmp_path / "match.jsonl"
        file.write_text(made._texts[made.report.matches[2].key])
        started = Terminal80(["replay", str(file)])
        yield started
        started.close()

    def test_it_shows_positions_and_leaves_the_screen_as_it_was(self, terminal):
        """On the other screen, so that what stood there before is there again."""
        terminal.wait_for("The start, placing phase")
        terminal.send(b"\x1b[C")
        terminal.wait_for("Turn 1, White: (")
        terminal.send(b"\x1b[6~")
        terminal.wait_for("Turn 11, ")
        terminal.send(b"57\r")
        terminal.wait_for("Turn 57, ")
        terminal.send(b"\x1bOF")
        terminal.wait_for("Turn 216, ")
        terminal.send(b"q")
        assert terminal.ended() == 0
        assert terminal.output.endswith(b"\x1b[?7h\x1b[?25h\x1b[?1049l")

    def test_it_plays_by_itself(self, terminal):
        """By the space bar."""
        terminal.wait_for("The start")
        terminal.send(b"+++ ")
        terminal.wait_for("Turn 3, ")

    def test_a_window_may_change_its_size(self, terminal):
        """It is drawn anew at once, without a key."""
        terminal.wait_for("The start")
        terminal.resize(12, 40)
        terminal.wait_for("below (arrow down)")
        assert len(terminal.frame().splitlines()) == 12

    @pytest.mark.parametrize(("ending", "code"), [(b"\x03", 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
    def test_interrupted_it_leaves_the_terminal_usable(self, terminal, ending, code):
        """By Ctrl-C and by signals."""
        terminal.wait_for("The start")
        terminal.send(ending) if isinstance(ending, bytes) else os.kill(terminal.pid, ending)
        assert terminal.ended() == code
        assert terminal.output.endswith(b"\x1b[?1049l")


class Terminal80:
    """A pseudo-terminal with `wyb` in it; 80 columns and 24 lines at first."""

    PATIENCE_S = 120

    def __init__(self, words):
        import pty

        self.output = b""
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
            environment |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
            code = "import fcntl,struct,termios,sys;fcntl.ioctl(0,termios.TIOCSWINSZ,struct.pack('HHHH',24,80,0,0));"
            code += "from watch_your_back.cli import main;main()"
            os.execve(sys.executable, [sys.executable, "-c", code, *words], environment)

    def send(self, data):
        """Type this."""
        os.write(self.descriptor, data)

    def resize(self, rows, columns):
        """Give the window another size."""
        import fcntl
        import struct
        import termios

        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def frame(self):
        """What the window shows."""
        last = self.output.rpartition(b"\x1b[H")[2].partition(b"\x1b[J")[0].decode()
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", last).replace("\r\n", "\n")

    def wait_for(self, words):
        """Read until the window shows these words."""
        while words not in self.frame() or not self.output.endswith(b"\x1b[J"):
            assert self._read(), f"in vain waited for {words!r} in:\n{self.frame()}"

    def ended(self):
        """The exit code, once it has ended."""
        while self._read():
            pass
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def close(self):
        """End it."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.descriptor)

    def _read(self):
        assert select.select([self.descriptor], [], [], self.PATIENCE_S)[0], self.frame()
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:  # how Linux tells the end of a terminal
            return False
        self.output += data
        return bool(data)

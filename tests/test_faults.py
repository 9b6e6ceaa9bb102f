"""Whatever a player does wrong is its own loss, with the right reason and a message that its author can act on."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.hostile import match, played, player, source
from watch_your_back.match import Confinement, Limits

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="these players use POSIX calls")


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    """One zygote for all these matches."""
    shared = Confinement()
    yield shared
    shared.close()


class Case(NamedTuple):
    """What a player does in one of its parts, and how the match is to end."""

    id: str
    part: str
    code: str
    reason: str
    detail: str
    call: str = ""


IMPORT = [
    Case("syntax error", "", "x = = 3", "could not start", "SyntaxError: invalid syntax .*line 1", "import"),
    Case("failing import", "", "import not_there", "could not start", "No module named 'not_there'", "import"),
    Case("exit in import", "", "import sys; sys.exit(3)", "could not start", "SystemExit", "import"),
    Case("no class", "", "class Playr: pass", "could not start", "no class Player; did you mean Playr", "import"),
    Case("not a class", "", "Player = 3", "could not start", "not a class", "import"),
    Case(
        "missing method", "", "class Player:\n def __init__(self, c): 0\n def actions(self, t): 0\n"
        " def update(self, a): 0", "could not start", "no method action; it has actions", "import",
    ),
    Case(
        "wrong signature", "", "class Player:\n def __init__(self, c, d): 0\n def action(self, t): 0\n"
        " def update(self, a): 0", "could not start", "the referee passes one", "import",
    ),
    Case("exits in import", "", "import os; os._exit(0)", "could not start", "exited with status 0", "import"),
    Case("loops in import", "", "while True: pass", "time limit", "the limit is 0.3 s", "import"),
]  # fmt: skip

CALLS = [
    Case("exception in the constructor", "init", "1 / 0", "could not start", "ZeroDivisionError", "constructor"),
    Case("exception in action", "action", "1 / 0", "exception", "ZeroDivisionError: division by zero", "action"),
    Case("exception in update", "update", "[][1]", "exception", "IndexError: list index out of range", "update"),
    Case("sys.exit", "action", "sys.exit()", "exception", "SystemExit.*must not end", "action"),
    Case("KeyboardInterrupt", "action", "raise KeyboardInterrupt", "exception", "KeyboardInterrupt", "action"),
    Case("BaseException", "action", "class E(BaseException): 0\nraise E('boo')", "exception", "E: boo", "action"),
    Case(
        "exception without text", "action", "class E(Exception):\n    def __str__(self): raise ValueError\nraise E()",
        "exception", "E: .its text failed too: ValueError", "action",
    ),
    Case("recursion", "action", "f = lambda: f()\nf()", "exception", "RecursionError", "action"),
    Case("endless loop in Python", "action", "while True: pass", "time limit", "the limit is 0.3 s", "action"),
    Case("endless loop in update", "update", "while True: pass", "time limit", "the limit is 0.3 s", "update"),
    Case("endless loop in the constructor", "init", "while True: pass", "time limit", "limit is 0.3 s", "constructor"),
    Case("huge power in C", "action", "7 ** 10 ** 8", "time limit", "the limit is 0.3 s", "action"),
    Case("regular expression in C", "action", "import re; re.match('(a+)+$', 'a' * 64 + 'b')", "time limit", "0.3 s"),
    Case(
        "endless loop behind ignored signals", "action",
        "import signal\nfor each in signal.valid_signals():\n    try: signal.signal(each, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\nwhile True: pass", "time limit", "the limit is 0.3 s",
    ),
    Case("ten GB at once", "action", "b = bytearray(10 << 30)", "memory limit", "MemoryError", "action"),
    Case("ten GB slowly", "action", "b = []\nwhile True: b.append(bytearray(1 << 20))", "memory limit", "MemoryError"),
    Case("memory bomb in the constructor", "init", "b = [bytearray(1 << 20) for _ in range(10**5)]", "memory limit",
         "MemoryError", "constructor"),
    Case("shared memory", "action", "import mmap\nm = [mmap.mmap(-1, 1 << 20) for _ in range(10**5)]",
         "memory limit|exception", "MemoryError|Cannot allocate memory"),
    Case("files in the scratch directory", "action",
         "d = os.environ['TMPDIR']\nfor i in range(20): open(f'{d}/{i}', 'wb').write(bytes(10 << 20))",
         "memory limit", "with the files it wrote, grew to"),
    Case("os._exit", "action", "os._exit(0)", "player exited", "exited with status 0", "action"),
    Case("os.abort", "action", "os.abort()", "player exited", "killed by SIGABRT", "action"),
    Case("segfault", "action", "import ctypes; ctypes.string_at(0)", "player exited", "killed by SIGSEGV", "action"),
    Case("closing everything", "action", "os.closerange(0, 1000)", "player exited", "agent broke the code", "action"),
    Case("keyboard", "action", "input()", "exception", "EOFError.*no keyboard", "action"),
    Case("a text of 100 MB", "action", "return 'x' * (90 << 20)", "illegal action", "more than 10,000 characters"),
    Case("100,000 deep", "action", "t = ()\nfor _ in range(100_000): t = (t,)\nreturn t", "illegal action", "nested"),
    Case("a million items", "action", "return (0,) * 10**6", "illegal action", "more than 10,000 items"),
    Case("generator", "action", "return (i for i in (1, 2))", "illegal action", "generator: return .* tuple"),
    Case("nan", "action", "return (float('nan'), 1)", "illegal action", "float: return whole numbers"),
    Case("an int of 10,000 digits", "action", "return (10 ** 10_000, 1)", "illegal action", "more than 64 bits"),
    Case("forgotten return", "action", "return None", "illegal action", "None.*return"),
    Case("hostile object", "action",
         "class X:\n    def __repr__(self): os._exit(1)\n    __class__ = property(lambda self: os._exit(2))\n"
         "return X()",
         "illegal action", "of type .*X"),
    Case("changing its argument", "update", "action[0] = 3", "exception", "does not support item assignment", "update"),
    Case("writing on the channel", "action", "os.write(250, b'\\0\\0\\0\\2{}')", "protocol",
         "nobody asked for|more than one"),
    Case("garbage on the channel", "action", "os.write(250, b'\\xff' * 8)", "protocol", "referee's channel itself"),
    Case("a huge message on the channel", "action", "os.write(250, b'\\0\\x20\\0\\0' + bytes(100))", "protocol",
         "1,048,576"),
]  # fmt: skip


@pytest.mark.parametrize("case", [*IMPORT, *CALLS], ids=lambda case: case.id)
def test_a_fault_loses_the_match_for_its_reason(case: Case, tmp_path: Path, confinement: Confinement) -> None:
    """The side at fault loses; the reason, the call and a sentence about the cause are told."""
    bad = player(tmp_path, **{case.part: case.code}) if case.part else source(tmp_path, case.code)
    ended = played(match(bad, limits=Limits(0.3 if case.reason == "time limit" else 1, 100)), confinement)
    assert re.fullmatch(case.reason, ended.end.reason), ended.end.detail
    assert re.search(case.detail, ended.end.detail), ended.end.detail
    assert ended.end.winner == 1
    assert ended.failures[0].call == (case.call or "action")


HARMLESS = [
    Case("printing a lot", "action", "for _ in range(64): print('x' * (1 << 20))", "", ""),
    Case("writing to descriptors", "action",
         "for fd in range(21):\n    try: os.write(fd, b'garbage')\n    except OSError: pass", "", ""),
    Case("closing descriptors", "action",
         "for fd in range(21):\n    try: os.close(fd)\n    except OSError: pass", "", ""),
    Case("replacing stdout", "init", "sys.stdout = sys.stderr = None", "", ""),
    Case("a MemoryError that it catches", "action", "try: bytearray(10 << 30)\nexcept MemoryError: pass", "", ""),
    Case("replacing json, socket and time", "action",
         "import json, socket\njson.loads = json.dumps = socket.socket = time.time = time.monotonic = None", "", ""),
    Case("a thread that computes for ever", "init",
         "import threading\ndef spin():\n    while True: pass\nthreading.Thread(target=spin, daemon=True).start()",
         "", ""),
    Case("catching every signal", "init",
         "import signal\nfor each in signal.valid_signals():\n    try: signal.signal(each, lambda *a: None)\n"
         "    except (OSError, ValueError): pass", "", ""),
    Case("asyncio", "action", "import asyncio; asyncio.run(asyncio.sleep(0))", "", ""),
    Case("an action of lists", "action", "return list(self.legal()) if self.placed < 11 else 'resign'", "", ""),
]  # fmt: skip


@pytest.mark.parametrize("case", HARMLESS, ids=lambda case: case.id)
def test_what_is_no_fault_does_not_end_the_match(case: Case, tmp_path: Path, confinement: Confinement) -> None:
    """The player goes on to the end of what it has to say."""
    odd = player(tmp_path, **{case.part: case.code})
    ended = played(match(odd, limits=Limits(20, 100)), confinement)
    assert ended.end.reason == "resigned", ended.end.detail
    assert ended.failures == []


def test_the_traceback_shows_the_players_own_frames(tmp_path: Path, confinement: Confinement) -> None:
    """A student sees the line at fault, and nothing of ours."""
    ended = played(match(player(tmp_path, action="[][turns]")), confinement)
    assert "bad.py" in ended.traceback
    assert "[][turns]" in ended.traceback
    assert "runner.py" not in ended.traceback


def test_a_player_that_is_stopped_shows_where_it_was(tmp_path: Path, confinement: Confinement) -> None:
    """Over the time limit, the line of the endless loop is told."""
    loop = player(tmp_path, action="while turns == 0:\n    turns = 0")
    ended = played(match(loop, limits=Limits(0.3)), confinement)
    assert re.search(r'bad\.py", line \d+ in action', ended.traceback)
    assert "runner.py" not in ended.traceback


def test_the_guards_on_elapsed_time_follow_the_limit() -> None:
    """Three times the limit and 5 s for a call, ten times and 60 s for a match; none where there is no limit."""
    assert (Limits(60).call_wall_s, Limits(60).match_wall_s) == (185, 660)
    assert (Limits().call_wall_s, Limits().match_wall_s) == (None, None)


def test_who_sleeps_a_little_in_each_turn_is_stopped_by_the_guard_on_the_match(
    tmp_path: Path, confinement: Confinement, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No call takes too long, but all together do."""
    monkeypatch.setattr(Limits, "match_wall_s", 0.25)
    ended = played(match(player(tmp_path, action="time.sleep(0.1)"), limits=Limits(10)), confinement)
    assert (ended.end.reason, ended.end.winner) == ("wall-clock guard", 1)
    assert "s in this match" in ended.end.detail


def test_a_sleeper_is_stopped_by_the_wall_clock_guard(
    tmp_path: Path, confinement: Confinement, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sleeping costs no CPU time, so elapsed time ends it, under its own reason."""
    monkeypatch.setattr(Limits, "call_wall_s", 1.0)
    ended = played(match(player(tmp_path, action="time.sleep(10**6)"), limits=Limits(1)), confinement)
    assert ended.end.reason == "wall-clock guard"
    assert "waiting or sleeping" in ended.end.detail


def test_a_player_over_its_time_is_stopped_soon(tmp_path: Path, confinement: Confinement) -> None:
    """What it used is at most a little above the limit, measured on its own clock."""
    ended = played(match(player(tmp_path, action="while True: pass"), limits=Limits(0.3)), confinement)
    assert ended.end.reason == "time limit"
    assert 0.3 < ended.end.usage[0].cpu_s < 0.6


def test_both_could_not_start_is_nobodys_win(tmp_path: Path, confinement: Confinement) -> None:
    """A match of two broken agents counts as 0-0, and both are told why."""
    one, two = source(tmp_path, "1/0", "one"), source(tmp_path, "import nothing_there", "two")
    ended = played(match(one, two), confinement)
    assert ended.end.reason == "both could not start"
    assert ended.end.winner is None
    assert not ended.end.void
    assert [failure.side for failure in ended.failures] == [0, 1]
    assert "ZeroDivisionError" in ended.end.detail
    assert "nothing_there" in ended.end.detail


def test_black_at_fault_loses_too(tmp_path: Path, confinement: Confinement) -> None:
    """Either side can be at fault."""
    ended = played(match("random", player(tmp_path, update="1/0")), confinement)
    assert (ended.end.winner, ended.end.reason) == (0, "exception")
    assert ended.failures[0].call == "update"


def test_output_is_captured_by_turn_and_bounded(tmp_path: Path, confinement: Confinement) -> None:
    """What a player prints is kept with its turn; of much, the beginning and the end."""
    chatty = player(
        tmp_path,
        init="print('hello')",
        action="print('turn', turns); sys.stderr.write('to stderr')\nif turns == 2: print('y' * (1 << 20) + 'end')",
    )
    ended = played(match(chatty, limits=Limits(20, 100)), confinement)
    mine = [(each.ply, each.stream, each.text, each.dropped) for each in ended.outputs if each.side == 0]
    assert mine[0] == (-1, "stdout", "hello\n", 0)
    assert mine[1] == (0, "stdout", "turn 0\n", 0)
    assert mine[2] == (0, "stderr", "to stderr", 0)
    ply, stream, text, dropped = mine[3]
    assert (ply, stream) == (2, "stdout")
    assert text.startswith("turn 2\nyyy")
    assert text.endswith("yyyend\n")
    assert "[...]" in text
    assert len(text) < 140_000
    assert dropped == (1 << 20) + len("turn 2\nend\n") - 2 * 65_536


def test_the_last_words_of_a_player_are_kept(tmp_path: Path, confinement: Confinement) -> None:
    """What it printed just before it ended by itself, or was ended for what it wrote on the channel."""
    for number, ending in enumerate(("os._exit(0)", "os.write(250, bytes(8)); time.sleep(9)")):
        last = player(tmp_path, f"last{number}", action=f"os.write(1, b'last words'); {ending}")
        assert [each.text for each in played(match(last), confinement).outputs if each.side == 0] == ["last words"]


def test_a_player_that_only_closes_its_channel_is_said_to_have_done_so(
    tmp_path: Path, confinement: Confinement
) -> None:
    """Its process goes on until the referee ends it."""
    code = "import socket; socket.socket(fileno=os.dup(250)).shutdown(socket.SHUT_RDWR); time.sleep(9)"
    ended = played(match(player(tmp_path, action=code)), confinement)
    assert (ended.end.reason, ended.end.winner) == ("player exited", 1)
    assert "closed its channel to the referee" in ended.end.detail


def test_what_c_code_prints_is_captured(tmp_path: Path, confinement: Confinement) -> None:
    """Output of a C library appears like any other, and does not disturb the channel."""
    code = "import ctypes\nctypes.CDLL(None).puts(b'from C')"
    ended = played(match(player(tmp_path, action=code)), confinement)
    assert ended.end.reason == "resigned"
    assert ended.outputs[0].text == "from C\n"


def test_a_player_that_prints_for_ever_is_stopped(tmp_path: Path, confinement: Confinement) -> None:
    """The referee's memory does not grow with it, and the clock ends it."""
    ended = played(match(player(tmp_path, action="while True: print('spam' * 1000)")), confinement)
    assert ended.end.reason in ("time limit", "wall-clock guard")  # on a busy computer it waits for its reader
    assert sum(len(each.text) for each in ended.outputs) < 140_000


def test_thinking_in_the_opponents_time_is_not_possible(tmp_path: Path, confinement: Confinement) -> None:
    """A thread of a player stands still while the opponent computes."""
    spin = """
        import threading
        def spin():
            while True: pass
        threading.Thread(target=spin, daemon=True).start()
        self.last = None
    """
    told = """
        now = time.process_time()
        if self.last is not None: print(now - self.last)
        self.placed += 1
        self.last = time.process_time()
        return (self.placed % 6 + 1, self.placed // 6) if self.placed <= 11 else 'resign'
    """
    burn = "end = time.process_time() + 0.1\nwhile time.process_time() < end: pass"
    white, black = player(tmp_path, "ponders", init=spin, action=told), player(tmp_path, "burns", action=burn)
    ended = played(match(white, black, limits=Limits(20, 100)), confinement)
    assert ended.end.reason == "resigned", ended.end.detail
    gaps = sorted(float(each.text) for each in ended.outputs if each.side == 0)
    assert len(gaps) == 11
    assert gaps[5] < 0.05


def test_resigning_ends_the_match(tmp_path: Path, confinement: Confinement) -> None:
    """`resign` is an action of every game."""
    ended = played(match(player(tmp_path, action="return 'resign'")), confinement)
    assert (ended.end.winner, ended.end.reason, ended.end.ply) == (1, "resigned", 1)


def test_the_players_are_told_the_outcome(tmp_path: Path, confinement: Confinement) -> None:
    """`finish` comes after the last update; a fault in it changes nothing."""
    finish = "    def finish(self, outcome): print(outcome); 1 / 0\n"
    path = player(tmp_path, update="print('told', action)")
    Path(path).write_text(Path(path).read_text() + "\n" + finish)
    ended = played(match(path, player(tmp_path, "other", action="if self.placed == 3: return 'resign'")), confinement)
    assert (ended.end.winner, ended.end.reason) == (0, "resigned")
    assert ended.failures[-1].call == "finish"
    last = ended.outputs[-1].text
    assert "{'winner': 'white', 'reason': 'resigned'}" in last

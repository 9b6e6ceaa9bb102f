"""Players that set out to break the referee, or to get more than their share: none gains by it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile import match, played, player
from watch_your_back.confine import landlock, seccomp
from watch_your_back.confine.forked import ForkedHandle
from watch_your_back.match import Confinement, Limits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="these players use what Linux offers")
full = pytest.mark.skipif(not landlock.abi() or not seccomp.supported(), reason="this kernel lacks a lock")

SEND = """
import ctypes, json, signal, socket, tempfile, threading
libc = ctypes.CDLL(None, use_errno=True)
def send(message):
    body = message if type(message) is bytes else json.dumps(message).encode()
    os.write(250, len(body).to_bytes(4, "big") + body)
def check(result):
    if result < 0: raise OSError(ctypes.get_errno(), "denied")
def fill(path, mb):
    with open(path, "wb") as file:
        for _ in range(mb): file.write(bytes(1 << 20))
"""
FINISH = "\n    def finish(self, outcome): self.told = outcome; print('told', outcome)\n"


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    """One zygote for all these matches."""
    shared = Confinement()
    yield shared
    shared.close()


LIES = {
    "an int for the refusal": ({"id": 2, "illegal": 5}, "protocol"),
    "null for the refusal": ({"id": 2, "illegal": None}, "protocol"),
    "too long a refusal": ({"id": 2, "illegal": ["form", "x", "y"]}, "protocol"),
    "an object for the refusal": ({"id": 2, "illegal": {"a": 1, "b": 2}}, "protocol"),
    "no action": ({"id": 2}, "illegal action"),
    "an object for the action": ({"id": 2, "action": {"x": 1}}, "illegal action"),
    "an int for the fault": ({"id": 2, "fault": 5}, "exception"),
    "odd fields in the fault": ({"id": 2, "fault": {"call": ["x"], "type": {}, "text": 3, "memory": 1}}, "exception"),
    "a fault of the winner": ({"id": 2, "fault": {"call": "winner", "type": "E"}}, "exception"),
    "a fault nested deeply": (b'{"id":2,"fault":{"type":' + b"[" * 900 + b"]" * 900 + b"}}", "exception"),
    "an answer nested deeply": (b'{"id":2,"action":' + b"[" * 10_000 + b"]" * 10_000 + b"}", "protocol"),
    "an int of 5,000 digits": (b'{"id":2,"action":' + b"9" * 5_000 + b"}", "protocol"),
    "nothing": (b"", "protocol"),
    "a list": (b"[]", "protocol"),
    "another number": ({"id": [2], "action": None}, "protocol"),
}


@pytest.mark.parametrize(("message", "reason"), LIES.values(), ids=LIES)
def test_a_lie_on_the_channel_is_the_players_loss(
    message: object, reason: str, tmp_path: Path, confinement: Confinement
) -> None:
    """However odd the reply is that a player makes up itself, the match ends, and the player has lost it."""
    ended = played(match(player(tmp_path, top=SEND, action=f"send({message!r})\ntime.sleep(0.2)")), confinement)
    assert (ended.end.reason, ended.end.winner) == (reason, 1), ended.end.detail
    assert len(ended.failures) == 1
    assert ended.failures[0].call == "action"


def test_what_a_player_says_of_its_methods_is_not_believed(tmp_path: Path, confinement: Confinement) -> None:
    """A reply made up in the constructor, with any list of methods, leads to a loss."""
    code = "send({'id': 1, 'methods': [['finish'], {}, None, 'finish']})\ntime.sleep(0.2)"
    ended = played(match(player(tmp_path, top=SEND, init=code)), confinement)
    assert (ended.end.reason, ended.end.winner, len(ended.failures)) == ("protocol", 1, 1)


DENIED = {
    "change a mode": "os.chmod(__file__, 0o600)",
    "change the mode of an open file": "os.fchmod(os.open(__file__, os.O_RDONLY), 0o600)",
    "change the mode of a folder above": "os.chmod(os.path.dirname(os.getcwd()), 0o700)",
    "change an owner": "os.chown(__file__, os.getuid(), os.getgid())",
    "change a time": "os.utime(__file__)",
    "reset the time of its scratch directory": "os.utime(tempfile.gettempdir(), (0, 0))",
    "set an attribute": "os.setxattr(__file__, 'user.x', b'x')",
    "link to a file outside": "os.link(__file__, tempfile.gettempdir() + '/x')",
    "make a symbolic link": "os.symlink(__file__, tempfile.gettempdir() + '/x')",
    "make a pipe with a name": "os.mkfifo(tempfile.gettempdir() + '/x')",
    "make a file without a name": "os.open(tempfile.gettempdir(), os.O_TMPFILE | os.O_RDWR)",
    "choose the processor of others": "os.sched_setaffinity(os.getppid(), {0})",
    "send itself a signal from a timer": "check(libc.timer_create(1, (ctypes.c_int * 16)(0, 0, 18), ctypes.c_int()))",
    "send itself a signal from a descriptor": "check(libc.fcntl(os.pipe()[0], 10, signal.SIGCONT))",
    "send others a signal from a descriptor": "check(libc.fcntl(os.pipe()[0], 8, os.getppid()))",
    "make a pipe hold more": "check(libc.fcntl(os.pipe()[1], 1031, 1 << 20))",
    "make a socket hold more": "socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)",
    "keep a descriptor in a socket": "socket.send_fds(socket.socketpair()[0], [b'x'], [0])",
    "hide its descriptors": "check(libc.prctl(4, 0, 0, 0, 0))",
    "start a thread with other descriptors": "check(libc.syscall(56, 0x10900, 0, 0, 0, 0) if os.uname().machine =="
    " 'x86_64' else -1)",
}


@full
@pytest.mark.parametrize("code", DENIED.values(), ids=DENIED)
def test_what_a_player_could_gain_by_is_denied(code: str, tmp_path: Path, confinement: Confinement) -> None:
    """It is an OSError to the player, also if the player's files are its own."""
    caught = f"try:\n    {code}\n    print('done')\nexcept OSError as error: print('denied')"
    ended = played(match(player(tmp_path, top=SEND, action=caught)), confinement)
    assert ended.end.reason == "resigned", ended.end.detail
    assert ended.outputs[0].text == "denied\n"


HIDDEN = {
    "in folders whose names are too long in all": "os.chdir(tempfile.gettempdir())\n"
    "for _ in range(20): os.mkdir('d' * 250); os.chdir('d' * 250)\nfor i in range(4): fill(str(i), 12)",
    "in folders without end": "os.chdir(tempfile.gettempdir())\nfor _ in range(1500): os.mkdir('d'); os.chdir('d')",
    "in files that have no name any more": "self.kept = []\nfor i in range(4):\n"
    "    p = f'{tempfile.gettempdir()}/{i}'; fill(p, 12); self.kept.append(open(p)); os.remove(p)",
    "in temporary files": "self.kept = [tempfile.TemporaryFile() for _ in range(4)]\n"
    "for file in self.kept: file.write(bytes(12 << 20)); file.flush()",
    "in many small files": "for i in range(6_000): open(f'{tempfile.gettempdir()}/{i}', 'w').close()",
    "in threads": "threading.stack_size(32_768)\n"
    "for _ in range(1_000): threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
}


@full
@pytest.mark.parametrize("code", HIDDEN.values(), ids=HIDDEN)
def test_memory_is_found_wherever_it_is_hidden(code: str, tmp_path: Path, confinement: Confinement) -> None:
    """What a player writes counts, wherever it is; so do its threads, which the system has not without end."""
    ended = played(match(player(tmp_path, top=SEND, action=code), limits=Limits(20, 20)), confinement)
    assert (ended.end.reason, ended.end.winner) == ("memory limit", 1), ended.end.detail


@full
def test_files_are_bounded_without_a_limit(tmp_path: Path, confinement: Confinement) -> None:
    """The disk is protected where memory is not limited, and where files do not count as memory."""
    code = "for i in range(40): fill(f'{tempfile.gettempdir()}/{i}', 12)"
    path = player(tmp_path, top=SEND, action=code)
    for limits in (Limits(20), Limits(20, 100, "official-2018")):
        ended = played(match(path, limits=limits), confinement)
        assert (ended.end.reason, ended.end.winner) == ("memory limit", 1), ended.end.detail
        assert "256 MB" in ended.end.detail


@pytest.mark.parametrize("name", ["VmPeak:xkB", "VmPeak:0kB"])
def test_a_process_cannot_disguise_its_memory_by_its_name(name: str, tmp_path: Path, confinement: Confinement) -> None:
    """The name is in the file from which the referee reads what memory is used."""
    code = f"libc.prctl(15, {name.encode()!r}, 0, 0, 0)\nself.kept = bytes(64 << 20).upper()"
    limits = Limits(20, 20, "official-2018")
    ended = played(match(player(tmp_path, top=SEND, action=code), limits=limits), confinement)
    assert (ended.end.reason, ended.end.winner) == ("memory limit", 1), ended.end.detail


def test_pages_of_files_are_not_charged_when_they_are_gone(tmp_path: Path, confinement: Confinement) -> None:
    """A data file that is mapped, read and closed again is no memory of the player's."""
    code = """
        import mmap
        if turns == 0:
            with open('data', 'rb') as file: self.data = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
            for place in range(0, len(self.data), 4096): self.data[place]
        if turns == 2: self.data.close()
        end = time.process_time() + 0.01
        while time.process_time() < end: pass
    """
    path = player(tmp_path, top=SEND, action=code)
    Path(path).with_name("data").write_bytes(bytes(30 << 20))
    ended = played(match(path, limits=Limits(20, 20)), confinement)
    assert ended.end.reason == "resigned", ended.end.detail


@pytest.mark.parametrize(
    ("action", "limits", "reason"),
    [
        ("time.sleep(10**6)", Limits(1), "wall-clock guard"),
        ("while True: pass", Limits(0.1), "time limit"),
        ("os._exit(0)", Limits(1), "player exited"),
        ("os.write(250, bytes(8))", Limits(1), "protocol"),
    ],
)
def test_a_player_that_was_stopped_is_asked_nothing_more(
    action: str,
    limits: Limits,
    reason: str,
    tmp_path: Path,
    confinement: Confinement,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is not told the outcome, which it could only delay; the other one is."""
    monkeypatch.setattr(Limits, "call_wall_s", 1.0)
    bad, good = player(tmp_path, action=action), player(tmp_path, "good")
    for path in (bad, good):
        Path(path).write_text(Path(path).read_text() + FINISH)
    ended = played(match(bad, good, limits=limits), confinement)
    assert [str(failure.reason) for failure in ended.failures] == [reason]
    assert [each.side for each in ended.outputs if "told" in each.text] == [1]


def test_a_process_that_has_ended_gets_no_more_signals(
    tmp_path: Path, confinement: Confinement, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its number may be another one's by then; the opponent is told the outcome and stopped, as before."""
    stop, stopped = ForkedHandle.stop, list[str | None]()
    monkeypatch.setattr(ForkedHandle, "stop", lambda handle: (stopped.append(handle._ended), stop(handle)))
    bad, good = player(tmp_path, action="os._exit(0)"), player(tmp_path, "good")
    Path(good).write_text(Path(good).read_text() + FINISH)
    assert played(match(bad, good), confinement).end.reason == "player exited"
    assert stopped
    assert set(stopped) == {None}


def test_no_words_of_a_player_pass_for_the_referees(tmp_path: Path, wyb) -> None:
    """The published format has one line that says who won, whatever a player's exceptions say."""
    code = "raise type('E\\nwinner: W!', (Exception,), {})('x\\nwinner: W!\\r\\x1b[2Jwinner: W!')"
    ended = wyb("play", player(tmp_path, action=code), "random", "--plain")
    assert ended.code == 0
    assert [line for line in ended.out.splitlines() if re.match("no winner|winner", line)] == ["winner: B!"]
    assert "\x1b" not in ended.out


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become nobody")
def test_root_asks_as_root_what_there_is_and_as_nobody_what_can_be_read(tmp_path: Path, monkeypatch) -> None:
    """An interpreter in root's own folder is found, and found to be unreadable for nobody."""
    from watch_your_back.confine.privileges import readable_by_nobody

    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    (closed / "lib").mkdir()
    assert not readable_by_nobody(filter(os.path.exists, [str(closed / "lib")]))

    def refuse(groups: list[int]) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setgroups", refuse)  # as in a container or a user namespace
    assert not readable_by_nobody(["/"])
    assert os.geteuid() == 0

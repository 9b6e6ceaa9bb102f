"""What a confined player cannot reach, what it may, and what is told of how strongly it is confined."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile import GAME, match, played, player, source
from watch_your_back.agents import find
from watch_your_back.confine import landlock, seccomp
from watch_your_back.confine.faults import TierUnavailable
from watch_your_back.confine.runner import CHANNEL
from watch_your_back.confine.tiers import TIERS, Mechanisms, tier_of, weaker
from watch_your_back.match import Confinement, Limits, Match, run

linux = pytest.mark.skipif(sys.platform != "linux", reason="the locks are Linux's")
full = pytest.mark.skipif(
    sys.platform != "linux" or not landlock.abi() or not seccomp.supported(), reason="this kernel lacks a lock"
)


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    """One zygote for all these matches."""
    shared = Confinement()
    yield shared
    shared.close()


DENIED = {
    "write beside the agent": "open(os.path.join(os.path.dirname(__file__), 'x'), 'w')",
    "write to the temporary directory of all": "open('/tmp/wyb_test_file', 'w')",
    "make a directory outside": "os.mkdir('/tmp/wyb_test_directory')",
    "delete its own source": "os.remove(__file__)",
    "read the password file": "open('/etc/passwd')",
    "list the root": "os.listdir('/')",
    "read the parent's memory": "open(f'/proc/{os.getppid()}/mem', 'rb')",
    "read the parent's environment": "open(f'/proc/{os.getppid()}/environ', 'rb')",
    "reset its own memory peak": "open('/proc/self/clear_refs', 'w')",
    "share memory with others": "open('/dev/shm/wyb_test', 'w')",
    "open a TCP connection": "import socket; socket.create_connection(('127.0.0.1', 9))",
    "open a UDP socket": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "open a unix socket": "import socket; socket.socket(socket.AF_UNIX)",
    "fork": "os.fork()",
    "start a program": "import subprocess; subprocess.run([sys.executable, '--version'])",
    "replace itself": "os.execv(sys.executable, [sys.executable])",
    "start a process": "import multiprocessing as m; m.Process(target=print).start()",
    "kill its parent": "os.kill(os.getppid(), 9)",
    "kill everything": "os.kill(-1, 9)",
    "kill its group": "os.kill(0, 9)",
    "hide memory in a memfd": "os.memfd_create('x')",
    "raise its limits": "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "limit others": "import resource; resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
    "change its niceness": "os.setpriority(os.PRIO_PROCESS, 0, -5)",
    "outlive its parent": "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
    "if c.prctl(1, 0, 0, 0, 0): raise OSError(ctypes.get_errno(), 'prctl')",
    "trace": "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
    "if c.ptrace(16, os.getppid(), 0, 0): raise OSError(ctypes.get_errno(), 'ptrace')",
    "a file too large": "f = open(os.environ['TMPDIR'] + '/x', 'wb')\nfor _ in range(64): f.write(bytes(1 << 20))",
    "too many descriptors": "f = [os.open(os.devnull, os.O_RDONLY) for _ in range(300)]",
}

ALLOWED = {
    "read its own source": "open(__file__).read()",
    "read relative to the current directory": "open('bad.py').read()",
    "write in its scratch directory": "import tempfile\n"
    "with tempfile.TemporaryFile() as f: f.write(b'x')\n"
    "with open(os.path.join(tempfile.gettempdir(), 'kept'), 'w') as f: f.write('x')",
    "use threads": "import concurrent.futures as c\n"
    "with c.ThreadPoolExecutor(2) as pool: assert list(pool.map(abs, [-1])) == [1]",
    "use numpy": "import numpy; assert (numpy.eye(50) @ numpy.eye(50)).sum() == 50",
    "import from the standard library": "import decimal, sqlite3, unittest, xml.dom",
    "signal itself": "import signal\n"
    "signal.signal(signal.SIGUSR2, lambda *a: None)\nos.kill(os.getpid(), signal.SIGUSR2)",
    "ask the time of day": "import datetime; datetime.datetime.now().astimezone()",
    "count processors": "assert os.cpu_count()",
    "throw away output": "open(os.devnull, 'w').write('x')",
}


@full
@pytest.mark.parametrize("code", DENIED.values(), ids=DENIED)
def test_a_denied_act_is_an_error_in_the_player(code: str, tmp_path: Path, confinement: Confinement) -> None:
    """The player sees an OSError (or ValueError); caught, it costs it nothing."""
    caught = f"try:\n    {code.replace(chr(10), chr(10) + '    ')}\n    print('done')\n"
    caught += "except (OSError, ValueError) as error: print('denied', type(error).__name__)"
    ended = played(match(player(tmp_path, action=caught)), confinement)
    assert ended.end.reason == "resigned", ended.end.detail
    assert ended.end.tiers == ("full", "full")
    assert ended.outputs[0].text.startswith("denied"), ended.outputs[0].text
    assert not Path("/tmp/wyb_test_file").exists()
    assert not Path("/tmp/wyb_test_directory").exists()


@full
@pytest.mark.parametrize("code", ALLOWED.values(), ids=ALLOWED)
def test_what_a_student_may_need_is_allowed(code: str, tmp_path: Path, confinement: Confinement) -> None:
    """Reading its own files, scratch files, threads, NumPy and the standard library work as ever."""
    ended = played(match(player(tmp_path, action=code), limits=Limits(20, 100)), confinement)
    assert ended.end.reason == "resigned", ended.end.detail


@full
def test_one_player_cannot_read_the_others_source(tmp_path: Path, confinement: Confinement) -> None:
    """Two agents with folders of their own do not see each other's files."""
    other = player(tmp_path, "other")
    spy = f"try: print(open({other!r}).read())\nexcept OSError: print('denied')"
    ended = played(match(player(tmp_path, action=spy), other), confinement)
    assert ended.outputs[0].text == "denied\n"


@full
def test_a_player_knows_nothing_of_the_referees_environment(
    tmp_path: Path, confinement: Confinement, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Secrets in environment variables stay with the referee."""
    monkeypatch.setenv("WYB_TEST_SECRET", "hush")
    code = "print(os.environ.get('WYB_TEST_SECRET'), os.getcwd(), os.path.basename(os.environ['HOME'])[:4])"
    path = player(tmp_path, action=code)
    fresh = Confinement()
    ended = played(match(path), fresh)
    fresh.close()
    assert ended.outputs[0].text == f"None {os.path.realpath(os.path.dirname(path))} wyb-\n"


@full
def test_a_player_has_no_capabilities(tmp_path: Path, confinement: Confinement) -> None:
    """Also when the referee runs as root, the player cannot do what root can."""
    code = """
        import ctypes
        header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
        assert ctypes.CDLL(None).capget(header, data) == 0
        print(list(data))
    """
    ended = played(match(player(tmp_path, action=code)), confinement)
    assert ended.outputs[0].text == "[0, 0, 0, 0, 0, 0]\n"


@linux
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can change its user id")
def test_root_becomes_nobody_where_the_files_stay_readable(tmp_path: Path) -> None:
    """The user id goes for good, or stays where the player could not read its own files without it."""
    code = (
        "import os, sys; from watch_your_back.confine.privileges import become_nobody, readable_by_nobody; "
        "readable = readable_by_nobody(sys.argv[1:2]); readable and become_nobody(sys.argv[2]); "
        "print(readable, os.getresuid(), os.getgroups() if readable else '')"
    )
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    scratch = tmp_path / "scratch"
    scratch.mkdir()

    def become(path: str) -> str:
        asked = [sys.executable, "-c", code, path, str(scratch)]
        return subprocess.run(asked, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1]).stdout

    assert become("/usr/lib") == "True (65534, 65534, 65534) []\n"
    assert scratch.stat().st_uid == 65534
    assert become(str(closed)).startswith("False (0, 0, 0)")


OPEN_DESCRIPTORS = """\
def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
print(list(filter(is_open, range(5_000))))
"""


@linux
@pytest.mark.parametrize("tier", ["rlimits", "seccomp", "landlock", "full"])
def test_a_weaker_tier_can_be_asked_for_and_is_reported(tier: str, tmp_path: Path) -> None:
    """The result says how strongly the players were confined; none holds a descriptor that is not its own."""
    weak = Confinement(tier)
    ended = played(match(player(tmp_path, action=OPEN_DESCRIPTORS)), weak)
    weak.close()
    assert ended.end.reason == "resigned"
    assert ended.outputs[0].text == f"[0, 1, 2, {CHANNEL}]\n"
    reached = set(ended.end.tiers)
    assert reached == {tier} or (reached.pop() in TIERS and (not landlock.abi() or not seccomp.supported()))


@linux
def test_a_player_that_is_not_locked_in_cannot_read_the_referees_memory(tmp_path: Path) -> None:
    """The referee makes itself unreadable for other processes of its user before such a player's code runs."""
    weak = Confinement("rlimits")
    played(match(player(tmp_path)), weak)
    weak.close()
    get_dumpable = 3
    assert ctypes.CDLL(None).prctl(get_dumpable, 0, 0, 0, 0) == 0


@linux
@pytest.mark.parametrize(
    ("tier", "code", "denied"),
    [
        ("landlock", "os.kill(os.getpid(), 0); open('/etc/passwd')", True),
        ("seccomp", "os.fork()", True),
        ("seccomp", "open('/etc/passwd')", False),
    ],
)
def test_each_lock_holds_alone(tier: str, code: str, denied: bool, tmp_path: Path) -> None:
    """Where a kernel has only one of the two, that one does its part."""
    weak = Confinement(tier)
    ended = played(match(player(tmp_path, action=f"if turns == 0: {code}")), weak)
    weak.close()
    if set(ended.end.tiers) == {tier}:
        assert ended.end.reason == ("exception" if denied else "resigned"), ended.end.detail


def test_a_tier_that_is_missing_is_refused_before_any_code_runs(tmp_path: Path) -> None:
    """`require_tier` fails closed: the agent is not even imported."""
    mark = tmp_path / "was_here"
    path = source(tmp_path, f"open({str(mark)!r}, 'w')")
    weak = Confinement("process")
    with pytest.raises(TierUnavailable, match="process here, not full"):
        run(match(path, require_tier="full"), confinement=weak)
    weak.close()
    assert not mark.exists()


def test_debugging_is_refused_where_a_tier_is_required() -> None:
    """Players in the referee's own process are not confined at all."""
    to_play = Match(GAME, (find("random"), find("random")), require_tier="process", debug=True)
    with pytest.raises(TierUnavailable, match="debugged"):
        run(to_play)


def test_the_tier_says_which_locks_are_on() -> None:
    """Each combination of mechanisms has its name, and the weaker of two is the match's."""
    assert tier_of(Mechanisms(7, True, True)) == "full"
    assert tier_of(Mechanisms(7, False, True)) == "landlock"
    assert tier_of(Mechanisms(0, True, True)) == "seccomp"
    assert tier_of(Mechanisms(0, False, True)) == "rlimits"
    assert tier_of(Mechanisms(7, True, False)) == "rlimits"
    assert weaker("full", "process") == "process"
    assert weaker("none", "full") == "none"

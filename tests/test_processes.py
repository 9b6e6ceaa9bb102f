"""No process and no scratch directory is left behind, whatever happens to the referee or is done by a player."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from outliving import outliving

from tests.hostile import match, played, player
from watch_your_back.match import Confinement, Limits, play
from watch_your_back.match.events import MatchEnded, PlayerStarted

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and sessions are POSIX's")

ROOT = Path(__file__).parents[1]
LOOP = "if turns == 2:\n    while True: pass"
FORK = """
if turns == 2 and os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True: pass
    os._exit(0)
"""


@contextmanager
def referee(*arguments: str, scratch: Path, **options: object) -> Iterator[subprocess.Popen[str]]:
    """A referee in a session of its own, whose scratch directories are made under `scratch`."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "referee.py"), *arguments, "--plain"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(scratch)},
        **options,  # type: ignore[call-overload]
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _wait_for(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdout is not None
    for each in process.stdout:
        if each.startswith(line):
            return
    raise AssertionError(f"the referee ended before it printed {line!r}")


def _family(process: subprocess.Popen[str]) -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


def _zygotes() -> set[psutil.Process]:
    """Those of this process: other tests may have left it other children, such as multiprocessing's own."""
    return {each for each in psutil.Process().children() if "confine.zygote" in " ".join(each.cmdline())}


@pytest.mark.parametrize("turn", ["in a player's turn", "between turns"])
def test_a_killed_referee_leaves_nothing(turn: str, tmp_path: Path) -> None:
    """SIGKILL to the referee ends the zygote, both players, also a stopped one, and their scratch directories."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    arguments = ["-d", "1000"] if turn == "between turns" else []
    with referee(player(tmp_path, action=LOOP), "random", *arguments, scratch=scratch) as process:
        _wait_for(process, "0 turns" if arguments else "2 turns")
        family = _family(process)
        assert len(family) >= 3
        os.kill(process.pid, signal.SIGKILL)
        assert outliving(family) == []
        assert list(scratch.glob("wyb-*")) == []


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupted_referee_ends_everything_and_says_so(name: str, tmp_path: Path) -> None:
    """The match is void, nobody wins it, and the exit code says which signal it was."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with referee(player(tmp_path, action=LOOP), "random", scratch=scratch) as process:
        _wait_for(process, "2 turns")
        family = _family(process)
        process.send_signal(getattr(signal, name))
        out, _ = process.communicate(timeout=30)
        assert process.returncode == {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}[name]
        assert "no winner: interrupted" in out
        assert "winner: " not in out.replace("no winner: ", "")
        assert outliving(family) == []
        assert list(scratch.glob("wyb-*")) == []


def test_ctrl_c_through_a_pipe_ends_everything(tmp_path: Path) -> None:
    """As in a terminal, the whole foreground group gets the signal, the reader of the pipe too."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    path = player(tmp_path, action=LOOP)
    program = (
        f"exec {sys.executable} {ROOT / 'referee.py'} {path} random --plain | {{ read -r first; echo ready; cat; }}"
    )
    shell = subprocess.Popen(
        ["sh", "-c", f"{program}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    try:
        _wait_for(shell, "2 turns")
        family = _family(shell)
        os.killpg(shell.pid, signal.SIGINT)
        shell.communicate(timeout=30)
        assert outliving(family) == []
        assert list(scratch.glob("wyb-*")) == []
    finally:
        shell.kill()
        shell.wait()


def test_a_reader_that_goes_away_ends_everything(tmp_path: Path) -> None:
    """With `| head` the referee stops, quietly."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with referee("random", "random", scratch=scratch) as process:
        _wait_for(process, "0 turns")
        family = _family(process)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait(timeout=30) in (0, 141)
        assert "Traceback" not in errors
        assert "BrokenPipe" not in errors
        assert outliving(family) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets the zygote adopt orphans")
def test_what_a_player_forks_ends_with_it(tmp_path: Path) -> None:
    """Where no seccomp forbids it, a player that daemonises is found and killed all the same."""
    weak = Confinement("rlimits")
    before = set(psutil.pids())
    ended = played(match(player(tmp_path, action=FORK), limits=Limits(20, 100)), weak)
    assert ended.end.reason == "resigned", ended.end.detail
    weak.close()
    assert outliving([each for each in map(_process, set(psutil.pids()) - before) if each is not None]) == []


def _process(pid: int) -> psutil.Process | None:
    try:
        found = psutil.Process(pid)
        return found if "watch_your_back" in " ".join(found.cmdline()) and found.ppid() == os.getpid() else None
    except psutil.Error:
        return None


def test_a_match_that_is_not_played_on_is_ended(tmp_path: Path) -> None:
    """Closing the events ends the players."""
    others, shared = _zygotes(), Confinement()
    events = play(match(player(tmp_path)), shared)
    for event in events:
        if isinstance(event, PlayerStarted):
            break
    forked = [each for zygote in _zygotes() - others for each in zygote.children()]
    players = [each for each in forked if os.getsid(each.pid) == each.pid]  # the others are the zygote's spares
    assert players
    events.close()
    assert outliving(players) == []
    shared.close()


def test_interrupting_from_python_ends_the_match_as_void(tmp_path: Path) -> None:
    """KeyboardInterrupt thrown into the events gives a last event, and the players end."""
    events = play(match(player(tmp_path)))
    next(events)
    end = events.throw(KeyboardInterrupt())
    assert isinstance(end, MatchEnded)
    assert (end.reason, end.winner, end.void) == ("interrupted", None, True)
    events.close()


@pytest.mark.skipif(sys.platform != "linux", reason="there is no zygote elsewhere")
def test_a_zygote_that_died_is_replaced(tmp_path: Path) -> None:
    """A match whose zygote is killed is void; the next one is played."""
    others, shared = _zygotes(), Confinement()
    assert played(match(player(tmp_path)), shared).end.reason == "resigned"
    (zygote,) = _zygotes() - others
    zygote.kill()
    zygote.wait()
    assert played(match(player(tmp_path, "next")), shared).end.reason == "resigned"
    shared.close()


@pytest.mark.skipif(sys.platform != "linux", reason="there is no zygote elsewhere")
def test_a_zygote_that_dies_during_a_match_voids_it(tmp_path: Path) -> None:
    """Nobody loses by what is not theirs: the players die with their zygote, and the match counts for nobody."""
    others, shared = _zygotes(), Confinement()

    def kill(event: object) -> None:
        if isinstance(event, PlayerStarted) and event.side == 1:
            for zygote in _zygotes() - others:
                zygote.kill()
                zygote.wait()

    from watch_your_back.match import run

    end = run(match(player(tmp_path)), kill, confinement=shared)
    assert (end.reason, end.void) == ("referee error", True)
    shared.close()


def test_many_matches_leak_nothing(tmp_path: Path) -> None:
    """Descriptors and processes of the referee are the same after twenty matches as after one."""
    others, shared = _zygotes(), Confinement()
    path = player(tmp_path)
    me = psutil.Process()
    played(match(path), shared)
    before = me.num_fds()
    for seed in range(20):
        played(match(path, seed=seed), shared)
    assert me.num_fds() == before
    zygotes = list(_zygotes() - others)
    shared.close()
    assert outliving(zygotes) == []

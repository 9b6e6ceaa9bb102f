"""Circumstances that could break the referee: interruptions, closed streams, nothing to write to, odd folders."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from tests.hostile import GAME, match, played, player
from watch_your_back.agents import AgentNotFound, find
from watch_your_back.confine import landlock, scratch, seccomp, supervision
from watch_your_back.confine.forked import ForkedHandle, Zygote
from watch_your_back.match import Confinement, Limits, run
from watch_your_back.match.events import Event, MatchEnded, MatchStarted
from watch_your_back.match.record import Record, RecordWriter
from watch_your_back.match.seats import ConfinedSeat
from watch_your_back.sources import MAX_DEPTH, survey

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="shells, signals and zygotes as Linux has them")

ROOT = Path(__file__).parents[1]


def _raise(*arguments: object) -> None:
    raise KeyboardInterrupt


def _shell(command: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Run a shell command in which `referee` is the referee."""
    command = f"referee() {{ '{sys.executable}' '{ROOT / 'referee.py'}' \"$@\"; }}; {command}"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, **options)  # type: ignore[call-overload]


class TestInterruption:
    def test_twice(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Ctrl-C once more, while the match is being ended for the first one, ends it for good."""
        monkeypatch.setattr(ConfinedSeat, "measure", _raise)
        with pytest.raises(KeyboardInterrupt):
            run(match(player(tmp_path)), _raise)

    def test_in_the_first_moment_of_a_record(self, tmp_path: Path) -> None:
        """A record that had no time to begin is not written, and is no reason to fail."""
        path = tmp_path / "match.jsonl"

        def interrupt(event: Event) -> None:
            if isinstance(event, MatchStarted):
                raise KeyboardInterrupt

        assert run(match(player(tmp_path)), interrupt, RecordWriter(path)).reason == "interrupted"
        assert list(tmp_path.glob("*match*")) == []

    def test_in_a_talk_with_the_zygote(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A reply that was not waited for is not taken for that of the next match."""
        shared, receive = Confinement(), Zygote._receive
        path = player(tmp_path)

        def interrupted(zygote: Zygote) -> bytes:
            monkeypatch.setattr(Zygote, "_receive", receive)
            raise KeyboardInterrupt

        for _ in range(3):
            assert played(match(path), shared).end.reason == "resigned"
            monkeypatch.setattr(Zygote, "_receive", interrupted)
            assert played(match(path), shared).end.reason == "interrupted"
        assert played(match(path), shared).end.reason == "resigned"
        shared.close()

    def test_a_zygote_kills_none_but_its_players(self, tmp_path: Path) -> None:
        """Where it was not waited for that a player had been reaped, its number may be that of another process."""
        shared, path = Confinement(), player(tmp_path)
        played(match(path), shared)
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
            shared._zygote(numpy=find(path).numpy).kill(other.pid)
            assert played(match(path), shared).end.reason == "resigned"
            assert other.poll() is None
            other.communicate()
        shared.close()

    def test_a_pause_is_not_the_players_time(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """While the referee is suspended (Ctrl-Z), the guard on elapsed time stands still."""

        class Clock:
            looks = 0

            def monotonic(self) -> float:
                self.looks += 1
                return self.looks // 20 * 1000.0 + self.looks / 1000

        monkeypatch.setattr(supervision, "time", Clock())
        ended = played(match(player(tmp_path, action="time.sleep(0.05)"), limits=Limits(5)))
        assert ended.end.reason == "resigned", ended.end.detail
        assert max(used.wall_s for used in ended.end.usage) < 100


@pytest.mark.parametrize(("queued", "reason"), [(0.0, "wall-clock guard"), (60.0, "resigned")])
def test_waiting_for_a_processor_is_not_sleeping(
    queued: float, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player that would run, on a computer that is busy with something else, is not blamed for it."""
    monkeypatch.setattr(Limits, "call_wall_s", 0.1)
    monkeypatch.setattr(ForkedHandle, "queued_s", lambda handle: queued)
    path = player(tmp_path, action="if turns == 0: time.sleep(0.5)")
    assert played(match(path, limits=Limits(20))).end.reason == reason


class TestSurroundings:
    @pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
    def test_closed_streams(self, closed: str) -> None:
        """A referee without some of its standard streams plays all the same."""
        ended = _shell(f"referee random random --plain --seed 1 {closed}")
        assert (ended.returncode, "Traceback" in ended.stderr) == (0, False), ended.stderr

    @pytest.mark.skipif(not landlock.abi() or not seccomp.supported(), reason="this kernel lacks a lock")
    @pytest.mark.parametrize("closed", ["2>&-", "<&- 2>&-"])
    def test_players_are_locked_in_where_a_stream_is_closed(self, closed: str) -> None:
        """Also those whose processes wait already when the match begins, with what they have open in its place."""
        several = "compare random random -n 4 -j 1 -o turn_cap=20 --require-tier full"
        assert _shell(f"{sys.executable} -m watch_your_back {several} {closed}").returncode == 0

    def test_few_descriptors(self) -> None:
        """What is missing is said in one line."""
        ended = _shell("ulimit -n 64; referee random random --plain")
        assert ended.returncode == 1
        assert ended.stderr.splitlines()[-1] == "a player's process needs 251 descriptors, but ulimit -n is 64 here"

    def test_no_temporary_directory(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The match is void, and the reason is the system's."""

        def refuse() -> None:
            raise FileNotFoundError(2, "No usable temporary directory found")

        monkeypatch.setattr(tempfile, "gettempdir", refuse)
        for tier in (None, "process"):
            with_tier = Confinement(tier)
            end = played(match(player(tmp_path, str(tier))), with_tier).end
            with_tier.close()
            assert end.reason == "referee error"
            assert end.detail == "a player's process cannot be started: No usable temporary directory found"

    @pytest.mark.parametrize("option", ["-I", "-P", "-O"])
    def test_pythons_own_options(self, option: str) -> None:
        """`python -P`, which does not look next to the program, finds the package of a clone."""
        program = [sys.executable, option, str(ROOT / "referee.py"), "random", "random", "-q", "--seed", "1"]
        ended = subprocess.run(program, capture_output=True, text=True, timeout=60)
        assert (ended.returncode, ended.stderr) == (0, "seed 1\n")

    def test_another_version_that_is_installed(self, tmp_path: Path) -> None:
        """A clone's referee starts its own players' processes, whatever else is called the same."""
        other = tmp_path / "watch_your_back"
        other.mkdir()
        (other / "__init__.py").write_text("raise SystemExit('another version')")
        ended = _shell(f"PYTHONPATH='{tmp_path}' referee random random -q")
        assert ended.returncode == 0, ended.stderr

    def test_a_deleted_current_directory(self, tmp_path: Path) -> None:
        """It is named as what is wrong."""
        ended = _shell("mkdir gone; cd gone; rmdir ../gone; referee random random", cwd=tmp_path)
        assert ended.returncode == 2
        assert ended.stderr == "referee.py: 'random' cannot be looked for: the current directory has been deleted\n"

    def test_a_name_that_is_too_long(self) -> None:
        """It is a usage error of one line."""
        ended = _shell(f"referee {'a' * 300} random")
        assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
        assert "there is no agent 'aaa" in ended.stderr

    @pytest.mark.skipif(os.geteuid() == 0, reason="root can look into any folder")
    def test_a_closed_current_directory(self, tmp_path: Path) -> None:
        """Bundled agents are found where nothing else can be looked for."""
        closed = tmp_path / "closed"
        closed.mkdir()
        ended = _shell("cd closed; chmod 0 .; referee random random -q --seed 1", cwd=tmp_path)
        closed.chmod(0o700)
        assert ended.stderr == "seed 1\n"


class TestOddFolders:
    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        """A folder in which something else than a file has the name of a module."""
        os.mkfifo(tmp_path / "player.py")
        with pytest.raises(AgentNotFound, match="no file in it defines a class Player"):
            find(str(tmp_path))

    def test_a_fingerprint_ends_somewhere(self, tmp_path: Path) -> None:
        """What is nested deeper than any agent's files does not count."""
        path = tmp_path / "player.py"
        path.write_text("class Player: pass")
        before = survey(path, tmp_path).fingerprint
        deep = tmp_path.joinpath(*"d" * (MAX_DEPTH + 1))
        deep.mkdir(parents=True)
        (deep / "x.py").write_text("")
        assert survey(path, tmp_path).fingerprint == before
        (deep.parents[2] / "x.py").write_text("")
        assert survey(path, tmp_path).fingerprint != before


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs processors to choose from")
class TestProcessors:
    def test_a_player_that_takes_long_may_use_all_with_all_its_threads(self, tmp_path: Path) -> None:
        """Also with those that it started while it was kept on one."""
        top = """\
import threading
thread = threading.Thread(target=threading.Event().wait, daemon=True)
thread.start()
kept, end = len(os.sched_getaffinity(thread.native_id)), time.monotonic() + 10
while len(os.sched_getaffinity(0)) == 1 and time.monotonic() < end:
    pass
"""
        action = "print(kept, len(os.sched_getaffinity(thread.native_id)))"
        ended = played(match(player(tmp_path, top=top, action=action), limits=Limits(30)))
        assert ended.outputs[0].text == f"1 {len(os.sched_getaffinity(0))}\n"

    def test_a_player_that_is_debugged_is_not_kept_on_one(self, tmp_path: Path) -> None:
        """Whatever it starts in the referee's process would be kept there for good."""
        top = "everywhere = len(os.sched_getaffinity(0))"
        path = player(tmp_path, top=top, action=f"assert everywhere == {len(os.sched_getaffinity(0))}")
        assert played(match(path, debug=True)).end.reason == "resigned"


class TestScratch:
    def test_everything_is_deleted(self, tmp_path: Path) -> None:
        """However deep and however locked; what a link leads to stays."""
        own, other = tmp_path / "own", tmp_path / "other"
        own.mkdir()
        other.mkdir()
        (other / "kept").write_text("x")
        (own / "link").symlink_to(other)
        Path(os.fsdecode(bytes(own) + b"/odd\xff\n")).write_text("x")
        locked = own / "locked"
        (locked / "inner").mkdir(parents=True)
        (locked / "file").write_text("x")
        (locked / "inner").chmod(0)
        locked.chmod(0)
        here = os.open(".", os.O_RDONLY)
        try:
            os.chdir(own)
            for _ in range(1_500):
                os.mkdir("d" * 20)
                os.chdir("d" * 20)
        finally:
            os.fchdir(here)
            os.close(here)
        scratch.remove(str(own))
        assert not own.exists()
        own.symlink_to(other)
        scratch.remove(str(own))
        assert not own.is_symlink()
        assert (other / "kept").read_text() == "x"
        scratch.remove(str(own))

    def test_nothing_is_left_when_referee_or_zygote_are_killed(self, tmp_path: Path, monkeypatch) -> None:
        """Neither by a referee that dies while it starts a player nor by a zygote that dies while it ends one."""
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        path = player(tmp_path)
        others, shared = set(psutil.Process().children()), Confinement()
        for _ in range(3):
            played(match(path), shared)
            (zygote,) = set(psutil.Process().children()) - others
            zygote.kill()
            zygote.wait()
        shared.close()
        program = (
            "import os, sys; from tests.hostile import match, played; from watch_your_back.confine import forked\n"
            "receive, count = forked.Zygote._receive, [0]\n"
            "def end(zygote):\n    count[0] += 1\n    if count[0] == 5: os._exit(1)\n    return receive(zygote)\n"
            "forked.Zygote._receive = end\n"
            "from watch_your_back.match import Confinement; shared = Confinement()\n"
            "while True: played(match(sys.argv[1]), shared)"
        )
        arguments = [sys.executable, "-c", program, path]
        subprocess.run(arguments, cwd=ROOT, timeout=60, env={**os.environ, "TMPDIR": str(tmp_path)})
        deadline = time.monotonic() + 20
        while list(tmp_path.glob("wyb-*")) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert list(tmp_path.glob("wyb-*")) == []

    def test_only_the_scratch_directory_is_deleted_when_the_referee_dies(self, tmp_path: Path) -> None:
        """Whatever the player has made of the module tempfile in between."""
        scratch_directory, other = tmp_path / "scratch", tmp_path / "other"
        scratch_directory.mkdir()
        other.mkdir()
        program = (
            "import os, sys, tempfile, time; from watch_your_back.confine import portable; "
            "portable._die_with(os.getppid(), sys.argv[1]); "
            "tempfile.tempdir = os.environ['TMPDIR'] = sys.argv[2]; time.sleep(60)"
        )
        arguments = [sys.executable, "-c", program, str(scratch_directory), str(other)]
        ended = subprocess.run(arguments, input=b"", cwd=ROOT, timeout=60)
        assert ended.returncode == 70
        assert not scratch_directory.exists()
        assert other.exists()


class TestRecords:
    def test_two_referees_at_one_path(self, tmp_path: Path) -> None:
        """The record that was begun last is there, whole; the other one has not written into it."""
        path = tmp_path / "match.jsonl"
        events = played(match(player(tmp_path))).events
        first, second = RecordWriter(path), RecordWriter(path)
        for writer in (first, second):
            writer(events[0]._replace(seed=1 if writer is first else 2))
        for event in events[1:]:
            first(event)
            second(event)
        record = Record.load(path)
        assert record.seed == 2
        assert record.complete
        assert [each.name for each in tmp_path.iterdir() if "part" in each.name] == []

    def test_the_end_of_a_match_without_its_start_is_not_written(self, tmp_path: Path) -> None:
        """As after an interruption."""
        events = played(match(player(tmp_path))).events
        writer = RecordWriter(tmp_path / "match.jsonl")
        assert isinstance(events[-1], MatchEnded)
        for event in events[1:]:
            writer(event)
        assert not (tmp_path / "match.jsonl").exists()


def test_a_game_can_be_given_an_option_of_any_name() -> None:
    """What is no option is refused as such, also the names that Python uses."""
    for name in ("id", "self", "cls"):
        with pytest.raises(ValueError, match=f"no option '{name}'"):
            type(GAME).load(GAME.id, **{name: 1})

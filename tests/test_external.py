"""External programs at a match: they play by GTP, and whatever they do has a name and an end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from gtp_programs import program, received, spec

from watch_your_back.agents import AgentNotFound, find
from watch_your_back.confine.faults import TierUnavailable
from watch_your_back.game import Game
from watch_your_back.match import Confinement, Limits, Match, run
from watch_your_back.match.events import Event, MatchEnded, PlayerFailed, PlayerOutput, PlayerStarted
from watch_your_back.match.record import Record, RecordWriter

ROOT = Path(__file__).parent.parent
GAME = Game.load("go", size=5, komi=0.5)


@pytest.fixture(scope="module")
def confinement() -> Any:
    """One for all matches here."""
    with closing(Confinement()) as each:
        yield each


class Seen:
    """What was seen of a match."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def of(self, kind: Any) -> list[Any]:
        """The events of this kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def end(self) -> MatchEnded:
        return self.of(MatchEnded)[0]

    @property
    def failure(self) -> PlayerFailed:
        return self.of(PlayerFailed)[0]


def played(
    black: str, confinement: Confinement, white: str = "random", limits: Limits | None = None, **more: Any
) -> Seen:
    """A match of Go on 5x5 between these agents."""
    seen = Seen()
    game = more.pop("game", GAME)
    match = Match(game, (find(black), find(white)), limits or Limits(20, 500), 1, **more)
    run(match, seen.events.append, confinement=confinement)
    return seen


def test_two_programs_play_a_match_to_its_end(tmp_path: Path, confinement: Confinement) -> None:
    """They are set up, told of each other's stones, and named in the result for what they are."""
    pass_later = "if turn > 5:\n    reply('pass')\n    continue"
    one = program(tmp_path, name="one", genmove=pass_later)
    other = program(tmp_path, name="other", genmove=pass_later)
    seen = played(one, confinement, other)
    assert (seen.end.reason, seen.end.ply, seen.end.tiers) == ("two passes", 12, ("external", "external"))
    assert [start.program for start in seen.of(PlayerStarted)] == ["Faker 1.2", "Faker 1.2"]
    lines = received(tmp_path, "one")
    assert lines[:7] == ["list_commands", "name", "version", "boardsize 5", "clear_board", "komi 0.5", "genmove b"]
    assert lines[7:9] == ["play w B1", "genmove b"]
    assert all(used.cpu_s > 0 and used.wall_s > 0 and used.memory_mb > 1 for used in seen.end.usage)


def test_a_record_shows_that_a_program_played(tmp_path: Path, confinement: Confinement) -> None:
    """Its command line without absolute paths, its kind, what it calls itself, and the tier."""
    spec = program(tmp_path, genmove="reply('resign')\ncontinue")
    match = Match(GAME, (find(spec), find("random")), Limits(20, 500), 1)
    run(match, RecordWriter(tmp_path / "match.jsonl"), confinement=confinement)
    record = Record.load(tmp_path / "match.jsonl")
    assert (record.agents[0].name, record.agents[0].kind) == ("faker", "external")
    assert record.agents[0].spec.startswith("gtp:")
    assert record.agents[0].spec.endswith("python -S faker.py")
    assert str(tmp_path) not in record.agents[0].spec
    assert record.starts[0].program == "Faker 1.2"
    assert record.end is not None
    assert record.end.tiers[0] == "external"
    started = json.loads((tmp_path / "match.jsonl").read_text().splitlines()[1])
    assert started["program"] == "Faker 1.2"


def test_a_program_is_told_of_handicap_opening_and_time(tmp_path: Path, confinement: Confinement) -> None:
    """With the commands that it knows; the seed goes to programs that take one."""
    known = ("set_free_handicap", "time_settings", "time_left", "set_random_seed")
    spec = program(tmp_path, known=known, genmove="reply('resign')\ncontinue")
    game = Game.load("go", size=9, handicap=2)
    seen = played(spec, confinement, spec, game=game, opening=((0, 0), None, (8, 0)), limits=Limits(20, 500))
    assert seen.end.reason == "resigned"
    lines = received(tmp_path)
    assert [line for line in lines if line.startswith("set_free")] == ["set_free_handicap C3 G7"] * 2
    assert "time_settings 20 0 0" in lines
    assert [line for line in lines if line.startswith("play")][:3] == ["play w A9", "play b pass", "play w J9"]
    assert any(line.startswith("time_left b 19 0") for line in lines)
    assert any(line.startswith("set_random_seed ") for line in lines)


def test_fixed_handicap_will_do_if_the_stones_are_where_they_belong(tmp_path: Path, confinement: Confinement) -> None:
    """And a program that puts them elsewhere cannot play."""
    game = Game.load("go", size=9, handicap=2)
    answer = "if command == 'fixed_handicap':\n    reply({!r})\n    continue"
    good = program(tmp_path, name="good", any=answer.format("G7 c3"), genmove="reply('resign')\ncontinue")
    assert played("random", confinement, good, game=game).end.reason == "resigned"
    bad = program(tmp_path, name="bad", any=answer.format("G7 G3"))
    failure = played(bad, confinement, game=game).failure
    assert failure.reason == "could not start"
    assert failure.detail == "it put its 2 handicap stones on G7 G3, not on C3 G7"


@pytest.mark.parametrize(
    ("bodies", "reason", "detail"),
    [
        ({"genmove": "reply('C3')\ncontinue"}, "illegal action", "(2, 2)"),
        ({"genmove": "reply('Z99')\ncontinue"}, "illegal action", "'Z99' is no vertex of a 5x5 board"),
        ({"genmove": "reply('')\ncontinue"}, "illegal action", "'' is no vertex of a 5x5 board"),
        ({"genmove": "reply('I5')\ncontinue"}, "illegal action", "'I5' is no vertex of a 5x5 board"),
        ({"genmove": "reply('no idea', '?')\ncontinue"}, "exception", "'genmove b' with an error: no idea"),
        ({"any": "if command == 'play':\n    reply('', '?')\n    continue"}, "exception", "an error: (no reason)"),
        ({"genmove": "print('C3\\n', flush=True)\ncontinue"}, "protocol", "an answer begins with = or ?"),
        ({"genmove": "reply('C3\\n\\nanything else')\ncontinue"}, "protocol", "which nobody had asked for"),
        ({"genmove": "while True: os.write(1, b'=' * 65_536)"}, "protocol", "more than 1,048,576 bytes and no end"),
        ({"genmove": "os._exit(3)"}, "player exited", "it exited with status 3"),
        ({"genmove": "os.kill(os.getppid(), 9)\nsignal.pause()"}, "player exited", "killed the process that watches"),
        ({"genmove": "os.abort()"}, "player exited", "it was killed by SIGABRT"),
        ({"genmove": "os.close(1)\ntime.sleep(10**6)"}, "player exited", "it closed its stdin or stdout"),
    ],
)  # fmt: skip
def test_what_a_program_does_wrong_loses_the_match(
    bodies: dict[str, str], reason: str, detail: str, tmp_path: Path, confinement: Confinement
) -> None:
    """Each fault has the same name as that of a player, and one sentence on it."""
    seen = played(program(tmp_path, **bodies), confinement, program(tmp_path, name="other"))
    assert (seen.end.winner, seen.failure.side, seen.failure.reason) == (1, 0, reason), seen.failure
    assert detail in seen.failure.detail


@pytest.mark.parametrize(
    ("bodies", "detail"),
    [
        ({"top": "sys.exit(4)"}, "it exited with status 4"),
        ({"any": "reply('nothing', '?' if command == 'boardsize' else '=')\ncontinue"}, "'boardsize 5' with an error"),
        ({"top": "print('Welcome!', flush=True)"}, "'Welcome!"),
        ({"top": "os.close(0)"}, "it exited with status"),
    ],
)  # fmt: skip
def test_a_program_that_does_not_come_up_could_not_start(
    bodies: dict[str, str], detail: str, tmp_path: Path, confinement: Confinement
) -> None:
    """The reason that a player which cannot be imported has."""
    failure = played(program(tmp_path, **bodies), confinement).failure
    assert failure.reason == "could not start"
    assert detail in failure.detail


def test_a_file_that_cannot_be_run_could_not_start(tmp_path: Path, confinement: Confinement) -> None:
    """The system's own words are told."""
    path = tmp_path / "engine"
    path.write_bytes(b"\x7fELF that is none")
    path.chmod(0o755)
    failure = played(f"gtp:{path}", confinement).failure
    assert (failure.reason, failure.detail) == ("could not start", "it cannot be run: Exec format error")


def test_a_silent_program_is_ended_by_the_wall_clock_guard(
    tmp_path: Path, confinement: Confinement, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Waiting costs no CPU time, so elapsed time is limited as well."""
    silent = program(tmp_path, genmove="signal.pause()")
    monkeypatch.setattr(Limits, "call_wall_s", 1.0)
    assert played(silent, confinement).failure.reason == "wall-clock guard"


BUSY = "while True: pass"


@pytest.mark.parametrize(
    "genmove",
    [
        BUSY,
        f"if os.fork() == 0:\n    {BUSY}\nsignal.pause()",
        f"if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        {BUSY}\n    os._exit(0)\nsignal.pause()",
        "while True:\n    if os.fork() == 0:\n        sum(range(10**5))\n        os._exit(0)\n    os.wait()",
    ],
    ids=["itself", "a child", "an orphan in a session of its own", "children one after the other"],
)
def test_time_is_that_of_all_processes_of_a_program(genmove: str, tmp_path: Path, confinement: Confinement) -> None:
    """Whoever of them spends it, and wherever it has gone."""
    seen = played(program(tmp_path, genmove=genmove), confinement, limits=Limits(0.4, 500))
    assert seen.failure.reason == "time limit", seen.failure
    assert seen.failure.detail.endswith("s of CPU time in this match; the limit is 0.4 s")
    assert seen.end.usage[0].cpu_s < 2


@pytest.mark.parametrize("children", [0, 3])
def test_memory_is_that_of_all_processes_of_a_program(children: int, tmp_path: Path, confinement: Confinement) -> None:
    """Those that it has started count together."""
    size = (200 << 20) // max(1, children)
    genmove = (
        f"for _ in range({children}):\n    if os.fork() == 0:\n        break\nheld = b'x' * {size}\nsignal.pause()"
    )
    seen = played(program(tmp_path, genmove=genmove), confinement, limits=Limits(60, 100))
    assert seen.failure.reason == "memory limit", seen.failure
    assert seen.failure.detail.endswith("MB; the limit is 100 MB")


def test_too_many_threads_are_ended(tmp_path: Path, confinement: Confinement) -> None:
    """As those of a player are."""
    genmove = (
        "import threading\nfor _ in range(300):\n    threading.Thread(target=signal.pause).start()\nsignal.pause()"
    )
    failure = played(program(tmp_path, genmove=genmove), confinement, limits=Limits(60, 10_000)).failure
    assert failure.reason == "memory limit"
    assert failure.detail.endswith("threads at once; more than 256 are not allowed")


@pytest.mark.parametrize("ending", ["signal.pause()", "os._exit(0)", "reply('resign')\ncontinue"])
def test_nothing_of_a_program_is_left(ending: str, tmp_path: Path, confinement: Confinement) -> None:
    """Neither its children nor orphans that went into a session of their own, however it ended."""
    pids = tmp_path / "pids"
    hide = f"""
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                print(os.getpid(), file=open({str(pids)!r}, 'a'), flush=True)
                signal.pause()
            os._exit(0)
        os.wait()
        while not (os.path.exists({str(pids)!r}) and open({str(pids)!r}).read()):
            pass
    """
    spec = program(tmp_path, genmove="\n".join(line[8:] for line in hide.splitlines()) + "\n" + ending)
    match = Match(GAME, (find(spec), find("random")), Limits(10, 500), 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Limits, "call_wall_s", 2.0 if "pause" in ending else 60.0)
        run(match, confinement=confinement)
    assert not psutil.pid_exists(int(pids.read_text()))


def test_nothing_of_a_program_is_left_when_the_referee_is_killed(tmp_path: Path) -> None:
    """Its guardian notices."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    spec = program(tmp_path, genmove=f"print(os.getpid(), file=open({str(pipe)!r}, 'w'), flush=True)\nsignal.pause()")
    command = [sys.executable, "-m", "watch_your_back", "play", "--game", "go", spec, "random"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as referee:
        pid = int(pipe.read_text())
        referee.kill()
    if psutil.pid_exists(pid):
        with suppress(psutil.NoSuchProcess):
            psutil.Process(pid).wait(60)
    assert not psutil.pid_exists(pid)


def test_a_program_stands_still_while_its_opponent_thinks(tmp_path: Path, confinement: Confinement) -> None:
    """The thread that would ponder uses no CPU time between its own turns."""
    ponder = (
        "import threading\ndef ponder():\n    while True: pass\nthreading.Thread(target=ponder, daemon=True).start()"
    )
    pondering = program(
        tmp_path, name="pondering", top=ponder, genmove="if turn > 2:\n    reply('resign')\n    continue"
    )
    busy = "end = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
    seen = played(pondering, confinement, program(tmp_path, genmove=busy), limits=Limits(30, 500))
    assert seen.end.reason == "resigned"
    assert seen.end.usage[1].cpu_s > 0.6
    assert seen.end.usage[0].cpu_s < seen.end.usage[1].cpu_s / 2


def test_what_a_program_writes_to_stderr_is_kept_within_bounds(tmp_path: Path, confinement: Confinement) -> None:
    """By turn, beginning and end of it, as with players."""
    genmove = "if turn == 2:\n    os.write(2, b'a' * 10**6 + b'z')\nif turn == 3:\n    reply('resign')\n    continue"
    seen = played(program(tmp_path, top="print('hello', file=sys.stderr)", genmove=genmove), confinement)
    outputs = seen.of(PlayerOutput)
    assert [(each.ply, each.side, each.stream) for each in outputs] == [(-1, 0, "stderr"), (2, 0, "stderr")]
    assert outputs[0].text == "hello\n"
    assert outputs[1].dropped > 800_000
    assert outputs[1].text.endswith("z")


def test_a_required_tier_refuses_programs_unless_they_are_allowed(tmp_path: Path, confinement: Confinement) -> None:
    """They are not confined, and whoever asks for confinement has to say that this is all right."""
    spec = program(tmp_path, genmove="reply('resign')\ncontinue")
    with pytest.raises(TierUnavailable, match=r"faker is an external program.*--allow-external"):
        played(spec, confinement, require_tier="process")
    assert played(spec, confinement, require_tier="process", allow_external=True).end.reason == "resigned"
    assert played(spec, confinement, require_tier="external").end.reason == "resigned"


def test_a_program_plays_no_other_game(tmp_path: Path, confinement: Confinement) -> None:
    """It could not start, and is told why."""
    seen = played(program(tmp_path), confinement, game=Game.load("watch_your_back"))
    assert seen.failure.reason == "could not start"
    assert seen.failure.detail == "it speaks GTP, which is for go and not for watch_your_back"


def test_the_fingerprint_is_of_the_command_and_its_files(tmp_path: Path) -> None:
    """Another option or another version of the script is another agent; the same one is the same."""
    path = tmp_path / "engine.py"
    path.write_text("print(1)")
    first = find(spec(path))
    assert (first.kind, first.name) == ("external", "engine")
    assert find(spec(path)).fingerprint == first.fingerprint
    assert find(spec(path, "--level", "3")).fingerprint != first.fingerprint
    path.write_text("print(2)")
    assert find(spec(path)).fingerprint != first.fingerprint


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("gtp:", "names no program; a command line comes after gtp:, as in 'gtp:gnugo --mode gtp'"),
        ("gtp:gnugo '", "is no command line: No closing quotation"),
        ("gtp:no-such-program --gtp", "there is no program 'no-such-program' on the PATH that can be run"),
        ("gtp:./missing", "there is no program './missing' that can be run"),
    ],
)
def test_a_program_that_is_not_there_is_refused(spec: str, told: str) -> None:
    """In one line that says what was looked for."""
    with pytest.raises(AgentNotFound) as refused:
        find(spec)
    assert told in str(refused.value)
    assert os.linesep not in str(refused.value)

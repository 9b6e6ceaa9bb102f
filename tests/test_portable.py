"""The tier `process`: what macOS and Windows get, forced here."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from outliving import outliving

from tests.hostile import match, played, player, source
from watch_your_back.match import Confinement, Limits, play
from watch_your_back.match.events import PlayerStarted


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    """Each player in an interpreter of its own."""
    shared = Confinement("process")
    yield shared
    shared.close()


FAULTS = {
    "exception": ("action", "1 / 0", "exception", "ZeroDivisionError"),
    "could not start": ("init", "1 / 0", "could not start", "ZeroDivisionError"),
    "endless loop": ("action", "while True: pass", "time limit", "the limit is 0.3 s"),
    "endless loop in C": ("action", "7 ** 10 ** 8", "time limit", "the limit is 0.3 s"),
    "exits": ("action", "os._exit(3)", "player exited", "exited with status 3"),
    "exits by itself": ("action", "sys.exit()", "exception", "SystemExit"),
    "memory": ("action", "b = []\nwhile True: b.append(bytes(1 << 20).upper())", "memory limit", "memory"),
    "illegal": ("action", "return (9, 9)", "illegal action", "9"),
    "protocol": ("action", "os.write(250, b'\\xff' * 8)", "protocol", "channel"),
}


@pytest.mark.parametrize(("part", "code", "reason", "detail"), FAULTS.values(), ids=FAULTS)
def test_faults_end_a_match_for_the_same_reasons(
    part: str, code: str, reason: str, detail: str, tmp_path: Path, confinement: Confinement
) -> None:
    """As in the stronger tiers."""
    if sys.platform == "win32" and reason == "protocol":
        pytest.skip("the channel has no descriptor there")
    limits = Limits(0.3 if reason == "time limit" else 1, 100)
    ended = played(match(player(tmp_path, **{part: code}), limits=limits), confinement)
    assert (ended.end.reason, ended.end.winner) == (reason, 1), ended.end.detail
    assert detail in ended.end.detail
    assert ended.end.tiers == ("process", "process")


def test_a_whole_match_is_played_and_measured(confinement: Confinement) -> None:
    """Two players of the ladder, their time and memory counted from the moment they are ready."""
    ended = played(match("random", "greedy", limits=Limits(60, 100)), confinement)
    assert ended.failures == []
    assert ended.end.reason in ("eliminated", "both eliminated", "turn limit")
    assert all(0 <= usage.memory_mb < 60 for usage in ended.end.usage)
    assert all(usage.cpu_s < 30 for usage in ended.end.usage)


def test_a_sleeper_is_stopped(tmp_path: Path, confinement: Confinement, monkeypatch: pytest.MonkeyPatch) -> None:
    """By elapsed time."""
    monkeypatch.setattr(Limits, "call_wall_s", 1.0)
    ended = played(match(player(tmp_path, action="time.sleep(10**6)"), limits=Limits(1)), confinement)
    assert ended.end.reason == "wall-clock guard", ended.end.detail


@pytest.mark.skipif(sys.platform == "win32", reason="output there is read by threads, which may be a turn late")
def test_output_is_captured_by_turn(tmp_path: Path, confinement: Confinement) -> None:
    """What is printed comes with its turn."""
    ended = played(match(player(tmp_path, action="print('turn', turns); sys.stderr.write('x')")), confinement)
    assert [(each.ply, each.stream, each.text) for each in ended.outputs[:2]] == [
        (0, "stdout", "turn 0\n"),
        (0, "stderr", "x"),
    ]


def test_siblings_and_data_files_are_found(tmp_path: Path, confinement: Confinement) -> None:
    """The current directory is the agent's own folder, and so is its path; nothing is written there by importing it."""
    path = source(tmp_path, "import board\nfrom board import Player\nassert open('data.txt').read() == 'x'")
    folder = Path(path).parent
    (folder / "board.py").write_text(
        "class Player:\n    def __init__(self, c): 0\n    def action(self, t): return 'resign'\n"
        "    def update(self, a): 0\n"
    )
    (folder / "data.txt").write_text("x")
    assert played(match(path), confinement).end.reason == "resigned"
    assert {file.name for file in folder.iterdir()} == {"bad.py", "board.py", "data.txt"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forking is POSIX's")
def test_children_end_with_their_player(tmp_path: Path, confinement: Confinement) -> None:
    """A process that a player has started is found by psutil and killed."""
    code = "import subprocess\nsubprocess.Popen([sys.executable, '-c', 'while True: pass'])\nif turns: return 'resign'"
    events = play(match(player(tmp_path, action=code), limits=Limits(20, 100)), confinement)
    others = set(psutil.Process().children())  # of other tests, such as multiprocessing's own
    family: set[psutil.Process] = set()
    for event in events:
        if isinstance(event, PlayerStarted):
            family |= set(psutil.Process().children()) - others
        family |= {child for each in list(family) if each.is_running() for child in each.children(recursive=True)}
    assert len(family) >= 3
    assert outliving(family) == []

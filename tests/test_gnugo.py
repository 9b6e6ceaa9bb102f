"""GNU Go and this package understand each other: at a match, over GTP, and in SGF files."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from gtp_programs import GNUGO, WITHOUT_GNUGO

from watch_your_back.agents import find
from watch_your_back.bridges.go_records import sgf_of
from watch_your_back.bridges.go_sgf import read_game
from watch_your_back.game import Game, State
from watch_your_back.match import Limits, Match, run
from watch_your_back.match.events import MatchEnded, PlayerStarted
from watch_your_back.match.gtp import action_of, vertex
from watch_your_back.match.record import Record, RecordWriter

pytestmark = pytest.mark.skipif(GNUGO is None, reason=WITHOUT_GNUGO)

ROOT = Path(__file__).parent.parent
COMMAND = [GNUGO or "gnugo", "--mode", "gtp", "--level", "1", "--chinese-rules", "--never-resign"]
SPEC = "gtp:" + shlex.join(COMMAND)


class Engine:
    """A program that answers GTP."""

    def __init__(self, *command: str) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, bufsize=1
        )

    def ask(self, line: str) -> str:
        """What it answers to a command, which must succeed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = "".join(iter(self._process.stdout.readline, "\n"))
        assert answer.startswith("="), f"{line}: {answer}"
        return answer[1:].strip()

    def close(self) -> None:
        """End it."""
        with self._process:
            self._process.kill()


@pytest.fixture
def gnugo() -> Iterator[Engine]:
    """GNU Go, for questions."""
    with closing(Engine(*COMMAND)) as engine:
        yield engine


def stones_of(engine: Engine, size: int) -> dict[object, int]:
    """The stones that an engine has on its board."""
    colours = ((0, "black"), (1, "white"))
    return {
        action_of(word, size): side for side, colour in colours for word in engine.ask(f"list_stones {colour}").split()
    }


def stones(state: State) -> dict[object, int | None]:
    """The stones of a state."""
    return {piece.cell: piece.side for piece in state.picture().pieces}


def played(black: str, white: str, path: Path, **options: object) -> MatchEnded:
    """A match of Go, recorded."""
    game = Game.load("go", superko="simple", **options)  # the ko rule of GNU Go, unless it is told another
    limits = Limits(2 if black == "mcts" else 10, 500)  # mcts uses what it gets
    match = Match(game, (find(black), find(white)), limits, 1)
    return run(match, RecordWriter(path))


@pytest.mark.parametrize(
    ("opponent", "options", "reason"),
    [
        ("mcts", {"size": 5, "komi": 9.0}, "two passes"),
        ("random", {"size": 9, "handicap": 3, "komi": 0.5, "turn_cap": 20}, "turn limit"),
    ],
)
def test_a_match_runs_to_its_end_and_its_sgf_leads_gnugo_to_the_same_position(
    opponent: str, options: dict[str, Any], reason: str, tmp_path: Path, gnugo: Engine
) -> None:
    """With captures, passes and handicap stones, and both players measured."""
    ended = played(opponent, SPEC, tmp_path / "match.jsonl", **options)
    assert ended.reason == reason, ended.detail
    assert ended.tiers[1] == "external"
    assert all(used.cpu_s > 0 for used in ended.usage)
    record = Record.load(tmp_path / "match.jsonl")
    assert record.agents[1].name == "gnugo"
    assert record.agents[1].spec.startswith("gtp:gnugo --mode gtp")
    assert record.starts[1] == PlayerStarted(1, "external", record.starts[1].usage, "GNU Go 3.8")
    (tmp_path / "match.sgf").write_text(sgf_of(record), encoding="utf-8")
    gnugo.ask(f"loadsgf {tmp_path / 'match.sgf'}")
    assert stones_of(gnugo, options["size"]) == stones(record.states[-1])
    assert float(gnugo.ask("get_komi")) == record.game.options.komi


def test_the_same_seed_gives_the_same_match(tmp_path: Path) -> None:
    """GNU Go has a command for its own random numbers."""
    for name in ("one", "two"):
        played(SPEC, "random", tmp_path / name, size=5)
    assert Record.load(tmp_path / "one").actions == Record.load(tmp_path / "two").actions


def test_gnugo_and_an_agent_play_for_a_controller(gnugo: Engine) -> None:
    """Each takes the other's moves until both have passed; then both have the same board."""
    command = [sys.executable, "-m", "watch_your_back", "gtp", "random", "--seed", "5"]
    with closing(Engine(*command)) as agent:
        for engine in (gnugo, agent):
            for line in ("boardsize 7", "clear_board", "komi 5.5"):
                engine.ask(line)
        state: State = Game.load("go", size=7, komi=5.5).initial()
        while state.outcome is None:
            mover, other = (agent, gnugo) if state.to_move else (gnugo, agent)
            colour = "bw"[state.to_move]
            action = state.check(action_of(mover.ask(f"genmove {colour}"), 7))
            other.ask(f"play {colour} {vertex(action, 7)}")
            state = state.play(action)
        assert stones_of(gnugo, 7) == stones(state)
        rows = [line.split()[1:8] for line in agent.ask("showboard").splitlines()[1:8]]
        shown = {(x, y): "XO".index(sign) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != "."}
        assert shown == stones(state)


def test_a_game_that_gnugo_has_saved_is_read(tmp_path: Path, gnugo: Engine) -> None:
    """Its SGF has the same board, handicap included, and the komi from which it has taken what was captured."""
    for line in ("boardsize 9", "clear_board", "fixed_handicap 2", "komi 0.5"):
        gnugo.ask(line)
    for turn in range(30):
        gnugo.ask(f"genmove {'wb'[turn % 2]}")
    gnugo.ask(f"printsgf {tmp_path / 'saved.sgf'}")
    saved = (tmp_path / "saved.sgf").read_bytes()
    game = read_game(saved)
    state: State = game.start
    for action in game.actions:
        state = state.play(action)
    assert b"KM[%g]" % game.game.options.komi in saved
    assert stones(state) == stones_of(gnugo, 9)

"""What refereeing costs: a whole isolated match, one turn of it, and the start of the command line.

Run by hand: `python benchmarks/matches.py`. Wall-clock figures of a shared machine move by a factor of two; the ratios
to the baselines, measured in turn with them in the same process, are what to compare:

- `exchange`: one byte to another process and back, with SIGCONT before and SIGSTOP after: the least a turn can cost;
- `one process`: the same matches with the players in the referee's own process (`--debug`), unprotected.
"""

from __future__ import annotations

import gzip
import itertools
import json
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from watch_your_back.agents import find  # noqa: E402
from watch_your_back.game import Game  # noqa: E402
from watch_your_back.match import Confinement, Limits, Match, run  # noqa: E402
from watch_your_back.match.events import ActionTaken, Event  # noqa: E402
from watch_your_back.match.record import RecordWriter  # noqa: E402
from watch_your_back.tournament.tasks import MatchTask, play_task  # noqa: E402
from watch_your_back.tournament.workers import Processes  # noqa: E402

GAME = Game.load("watch_your_back")
LIMITS = Limits(60, 100)
ROUNDS = 40

SCRIPTED = """\
import json, os
with open("actions.json") as file:
    ACTIONS = json.load(file)
class Player:
    def __init__(self, colour):
        self.left = iter(ACTIONS[colour == "black" :: 2])
    def action(self, turns):
        return next(self.left)
    def update(self, action):
        pass
"""


def main() -> None:
    """Print the figures."""
    confinement, worker = Confinement(), Processes(1)
    with tempfile.TemporaryDirectory() as folder:
        scripted = script(Path(folder))
        match("random", 0, confinement)
        in_worker(0, worker)
        rounds = [(*measure(scripted, folder, seed, confinement), in_worker(seed, worker)) for seed in range(ROUNDS)]
    confinement.close()
    worker.close()
    whole, bare, turn, exchange, played = map(statistics.median, zip(*rounds, strict=True))
    print(f"median of {ROUNDS} rounds, {os.cpu_count()} processors, Python {sys.version.split()[0]}\n")
    best_whole, _, best_turn, _, best_played = map(min, zip(*rounds, strict=True))
    print(f"match of two random agents, isolated    {1e3 * whole:8.1f} ms  ({1e3 * best_whole:.1f} at best)")
    print(f"the same, played by a worker            {1e3 * played:8.1f} ms  ({1e3 * best_played:.1f} at best)")
    print(f"the same in one process                 {1e3 * bare:8.1f} ms  ratio {whole / bare:.2f}")
    print(f"referee's own cost of a turn, isolated  {1e6 * turn:8.1f} µs  ({1e6 * best_turn:.1f} at best)")
    print(f"exchange with another process           {1e6 * exchange:8.1f} µs  ratio {turn / exchange:.2f}")
    bare_python = command_cpu("-c", "pass")
    for name, *words in (("wyb --help", "-m", "watch_your_back", "--help"), ("import click", "-c", "import click")):
        print(f"{name:<39} {1e3 * command_cpu(*words):8.1f} ms of CPU  (bare interpreter {1e3 * bare_python:.1f})")
    print(f"python referee.py, until its first turn {1e3 * first_turn():8.1f} ms")


def measure(scripted: str, folder: str, seed: int, confinement: Confinement) -> tuple[float, float, float, float]:
    """Seconds of one match isolated and not, of one turn, and of one exchange, one after the other."""
    whole, _ = timed(lambda: match("random", seed, confinement))
    bare, _ = timed(lambda: match("random", seed, None))
    turn = turns(scripted, folder, confinement)
    byte = exchange()
    return whole, bare, turn, byte


def timed(action: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    result = action()
    return time.perf_counter() - start, result


def match(spec: str, seed: int, confinement: Confinement | None) -> None:
    """A whole match; in this process without a confinement."""
    agent = find(spec)
    run(Match(GAME, (agent, agent), LIMITS, seed, debug=confinement is None), confinement=confinement)


def in_worker(seed: int, worker: Processes) -> float:
    """Seconds of the same isolated match, as comparisons and tournaments have it played."""
    agent = find("random")
    task = MatchTask("random", GAME, (agent, agent), 0, LIMITS, seed, keep_record=False)
    seconds: float = worker.submit(play_task, task).result().wall_s
    return seconds


def script(folder: Path) -> str:
    """An agent that knows its actions by heart, so that a turn costs what the referee makes it cost."""
    with gzip.open(ROOT / "tests" / "data" / "wyb_games.jsonl.gz", "rt") as games:
        longest = max((json.loads(line)["actions"] for line in games), key=len)
    (folder / "actions.json").write_text(json.dumps(longest))
    (folder / "scripted.py").write_text(textwrap.dedent(SCRIPTED))
    return str(folder / "scripted.py")


def turns(scripted: str, folder: str, confinement: Confinement) -> float:
    """Median seconds from one action to the next, with the record written to disk."""
    times: list[float] = []

    def note(event: Event) -> None:
        if isinstance(event, ActionTaken):
            times.append(time.perf_counter())

    agent = find(scripted)
    record = RecordWriter(Path(folder) / "record.jsonl")
    run(Match(GAME, (agent, agent), LIMITS), record, note, confinement=confinement)
    return statistics.median(b - a for a, b in itertools.pairwise(times))


def exchange(count: int = 400) -> float:
    """Median seconds of one byte there and back, the other process stopped in between."""
    here, there = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        here.close()
        while data := there.recv(64):
            there.send(data)
        os._exit(0)
    there.close()
    times = []
    for _ in range(count):
        start = time.perf_counter()
        here.send(b"x")
        os.kill(pid, signal.SIGCONT)
        here.recv(64)
        os.kill(pid, signal.SIGSTOP)
        times.append(time.perf_counter() - start)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    here.close()
    return statistics.median(times)


def command_cpu(*words: str, count: int = 9) -> float:
    """Median CPU seconds of a Python command."""
    times = []
    for _ in range(count):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True, cwd=ROOT)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times)


def first_turn(count: int = 9) -> float:
    """Median seconds from the command to the board after the first action."""
    times = []
    for _ in range(count):
        start = time.perf_counter()
        command = [sys.executable, str(ROOT / "referee.py"), "random", "random", "--plain"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            assert process.stdout is not None
            next(line for line in process.stdout if line.startswith("1 turn"))
            times.append(time.perf_counter() - start)
            process.kill()
    return statistics.median(times)


if __name__ == "__main__":
    main()

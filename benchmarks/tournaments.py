"""What tournaments cost: matches a second, the coordinator's share, its memory, and a whole class unattended.

Run by hand, one part at a time or all of them: `python benchmarks/tournaments.py [speed] [memory] [class]`. Give it a
quiet machine; the figures of a shared one move by a factor of two.

- `speed`: 1,000 matches of two random agents, at the strongest tier, with the store;
- `memory`: 50,000 matches that workers make up in no time go through the coordinator into one store, on which `status`
  and `report` are timed then;
- `class`: 200 submissions, a dozen of them broken, in a Swiss tournament of 9 rounds with small limits.
"""

from __future__ import annotations

import functools
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from watch_your_back.agents import find  # noqa: E402
from watch_your_back.game import Game  # noqa: E402
from watch_your_back.match import Limits  # noqa: E402
from watch_your_back.match.events import Usage  # noqa: E402
from watch_your_back.tournament.running import MatchPlayed, Tournament  # noqa: E402
from watch_your_back.tournament.settings import Settings  # noqa: E402
from watch_your_back.tournament.staging import stage  # noqa: E402
from watch_your_back.tournament.store import Entrant, Store  # noqa: E402
from watch_your_back.tournament.tasks import MatchResult, MatchTask, play_task  # noqa: E402
from watch_your_back.tournament.workers import Workers  # noqa: E402

GAME = Game.load("watch_your_back")
MATCHES, STORED = 1_000, 50_000
AGENTS, ROUNDS, LIMIT_S = 200, 9, 0.3


def main() -> None:
    """Run the parts that were asked for."""
    parts = {"speed": speed, "memory": memory, "class": a_class}
    print(f"{os.cpu_count()} processors, Python {sys.version.split()[0]}, load {os.getloadavg()[0]:.1f}\n")
    for name in sys.argv[1:] or parts:
        with tempfile.TemporaryDirectory(prefix="wyb-") as folder:
            parts[name](Path(folder))
        print()


def begin(path: Path, settings: Settings, agents: int) -> Store:
    """A store with so many random agents, which play."""
    store = Store(path, write=True)
    for number in range(agents):
        name = f"random {number}"
        staged = stage(find("random"), name, store.folder)
        store.enter(Entrant(name, "random", staged.sources, staged.agent, "plays", "", ()))
    store.settle(settings)
    return store


def speed(folder: Path) -> None:
    """Matches a second from end to end, and what the coordinator itself needs."""
    with begin(folder / "t.db", Settings(GAME, rounds=MATCHES // 2), 2) as store, Workers() as workers:
        played = Tournament(store).play(workers)
        next(played)  # the workers are there
        start, before = time.perf_counter(), cpu_s(resource.RUSAGE_SELF)
        matches = sum(isinstance(each, MatchPlayed) for each in played)
        passed_s, used_s = time.perf_counter() - start, cpu_s(resource.RUSAGE_SELF) - before
        ((tier,),) = store.rows("SELECT DISTINCT tier_0 FROM matches")
        ((match_s,),) = store.rows("SELECT avg(wall_s) FROM matches")
    print(f"{matches} matches of two random agents, tier {tier}, {workers.size} at a time")
    print(f"  matches a second         {matches / passed_s:8.1f}")
    print(f"  a match in its worker    {1e3 * match_s:8.1f} ms")
    print(
        f"  coordinator              {used_s / passed_s:8.1%} of a processor, {1e3 * used_s / matches:.2f} ms a match"
    )
    print(f"  store                    {(folder / 't.db').stat().st_size / matches / 1024:8.1f} kB a match")


@functools.cache
def a_record() -> bytes:
    """The record of a match of two random agents."""
    agent = find("random")
    return play_task(MatchTask("x", GAME, (agent, agent), 0, Limits(60, 100), 1)).record


def made_up(task: MatchTask) -> MatchResult:
    """A result without a match."""
    rng = random.Random(task.id)
    winner = rng.choice([0, 1, None])
    used = Usage(rng.random(), rng.random(), 1.0, 90)
    about = (winner, "eliminated" if winner is not None else "turn limit", "", False, 180, task.slots)
    trail = f"{rng.getrandbits(96):024x}"
    spent = ((used, used), ("full", "full"), (0.01, 0.01), ())
    return MatchResult(task.id, *about, *spent, a_record(), trail, 0.1, "here")


class Hasty(Workers):
    """Workers that do everything but play."""

    def run(self, tasks: Iterable[MatchTask], *, in_order: bool = False) -> Iterator[MatchResult]:
        for _, result in self.each(made_up, tasks, in_order=in_order):
            assert isinstance(result, MatchResult)
            yield result


def memory(folder: Path) -> None:
    """The coordinator's memory while so many matches go through it, and the time of the commands that read them."""
    agents = 50
    rounds = -(-STORED // (agents * (agents - 1)))
    sizes: list[float] = []
    start = time.perf_counter()
    with begin(folder / "t.db", Settings(GAME, rounds=rounds), agents) as store, Hasty() as workers:
        for number, _ in enumerate(Tournament(store).play(workers), 1):
            if number % 5_000 == 0:
                sizes.append(psutil.Process().memory_info().rss / (1 << 20))
            if number == STORED:
                break
    print(
        f"{STORED:,} matches of {agents} agents into one store, {STORED / (time.perf_counter() - start):,.0f} a second"
    )
    print(f"  coordinator's memory, every 5,000 matches: {' '.join(f'{size:.0f}' for size in sizes)} MB")
    print(f"  store                    {(folder / 't.db').stat().st_size / (1 << 20):8.0f} MB")
    for words in (["status", "t.db"], ["report", "t.db", "-o", "t.html"]):
        start, before = time.perf_counter(), cpu_s(resource.RUSAGE_CHILDREN)
        wyb(words, folder)
        used_s = cpu_s(resource.RUSAGE_CHILDREN) - before
        print(f"  wyb tournament {words[0]:<10} {time.perf_counter() - start:7.1f} s  ({used_s:.1f} s of CPU)")


PLAYER = """\
{top}
class Player:
    def __init__(self, colour):
        {init}
    def action(self, turns):
        {action}
    def update(self, action):
        pass
"""

BROKEN = {
    "syntax": {"top": "class"},
    "import": {"top": "import nothing_like_it"},
    "exits": {"top": "import os; os._exit(3)"},
    "raises": {"init": "1 / 0"},
    "endless": {"init": "while True: pass"},
    "illegal": {"action": "return 1"},
    "slow": {"action": "while True: pass"},
    "large": {"action": "x = [bytes(1 << 20) for _ in range(10_000)]"},
    "sleeps": {"action": "import time; time.sleep(1_000)"},
    "dies": {"action": "import os; os.abort()"},
}


def a_class(folder: Path) -> None:
    """A whole class, from the folder of submissions to the standing, without anybody's help."""
    ladder = [path for path in (ROOT / "players").glob("*.py") if path.stem not in ("__init__", "human")]
    for name, source in BROKEN.items():
        parts = {"top": "", "init": "pass", "action": "pass", **source}
        submit(folder / "class" / f"broken_{name}", PLAYER.format(**parts))
    submit(folder / "class" / "broken_no_class", "x = 1")
    (folder / "class" / "broken_archive.zip").write_bytes(b"PK\3\4 and nothing more")
    for number in range(AGENTS - len(BROKEN) - 2):
        source = ladder[number % len(ladder)]
        submit(folder / "class" / f"{source.stem}_{number:03}", f"{source.read_text()}\n# copy {number}\n")
    words = ["class", "--format", "swiss", "--rounds", str(ROUNDS), "-t", str(LIMIT_S), "-s", "100", "--seed", "1"]
    start, before = time.perf_counter(), cpu_s(resource.RUSAGE_CHILDREN)
    ended = wyb(["run", *words, "-q"], folder)
    passed_s, used_s = time.perf_counter() - start, cpu_s(resource.RUSAGE_CHILDREN) - before
    with Store(folder / "tournament.db") as store:
        ((matches, match_s),) = store.rows("SELECT count(*), avg(wall_s) FROM matches")
        states = list(store.rows("SELECT state, count(*) FROM agents GROUP BY state ORDER BY 2 DESC"))
        reasons = list(store.rows("SELECT reason, count(*) FROM matches GROUP BY reason ORDER BY 2 DESC"))
    print(f"{AGENTS} submissions, Swiss, {ROUNDS} rounds, {LIMIT_S} s: {matches} matches in {passed_s / 60:.1f} min")
    print(f"  agents: {', '.join(f'{count} {state}' for state, count in states)}")
    print(f"  matches by reason: {', '.join(f'{count} {reason}' for reason, count in reasons)}")
    print(f"  a match takes {match_s:.2f} s on average; coordinator and workers {used_s:.0f} s of CPU in all")
    for agent_s in (20, 60):
        hours = matches * 2 * agent_s / 3600
        times = ", ".join(f"{hours / size:.1f} h on {size}" for size in (8, 32, 128))
        print(f"  if every agent used {agent_s} s in every match: {times} processors")
    print("\n".join(ended.splitlines()[:14]))


def submit(place: Path, source: str) -> None:
    """Put a player into a folder of submissions."""
    place.mkdir(parents=True)
    (place / "player.py").write_text(source)


def wyb(words: list[str], folder: Path) -> str:
    """Run a command of `wyb tournament`; what it prints."""
    command = [sys.executable, "-m", "watch_your_back", "tournament", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    if ended.returncode:
        raise SystemExit(f"{' '.join(words)}: exit code {ended.returncode}")
    return ended.stdout


def cpu_s(who: int) -> float:
    """CPU seconds of this process, or of all that it has waited for."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    from tournaments import main as started  # under a name by which workers find what they are to run

    started()

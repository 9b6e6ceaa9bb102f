"""A tournament on a Dask cluster: a real scheduler and real worker processes on this machine."""

import contextlib
import os
import re
import sqlite3
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest

from watch_your_back.game import Game
from watch_your_back.match import Limits
from watch_your_back.tournament.cluster import Cluster, ClusterError
from watch_your_back.tournament.intake import Smoke, smoke, take_in
from watch_your_back.tournament.settings import plan_of
from watch_your_back.tournament.tasks import MatchTask
from watch_your_back.tournament.workers import Workers

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL"),
    pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra cluster (package distributed)"),
]

ROOT = Path(__file__).parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
GAME = Game.load("watch_your_back", turn_cap=20)
LIMITS = Limits(20, 100)


PLAYER = """\
import random
from book import PAGES
from watch_your_back.game import Game

class Player:
    def __init__(self, colour, options):
        assert open("data/pages.txt").read() == PAGES
        self.state = Game.load("watch_your_back", **options).initial()
    def action(self, turns):
        action = self.state.sample(random)
        self.update(action)
        return action
    def update(self, action):
        self.state = self.state.play(action)
"""


@pytest.fixture
def cluster(tmp_path):
    """The address of a scheduler with two workers, of one thread each, and their processes."""
    with contextlib.ExitStack() as processes:
        address = _start(processes, tmp_path, "scheduler", "--port", "0", "--no-dashboard")
        workers = [_worker(processes, tmp_path, address) for _ in range(2)]
        yield address, workers


@pytest.fixture
def agents(tmp_path):
    """A submission with two modules and a data file, and a bundled agent, staged."""
    place = tmp_path / "submissions" / "alice"
    (place / "data").mkdir(parents=True)
    (place / "player.py").write_text(PLAYER)
    (place / "book.py").write_text("PAGES = 'pages'\n")
    (place / "data" / "pages.txt").write_text("pages")
    plan = plan_of({"agents": ["random"], "submissions": "submissions"}, tmp_path)
    return [candidate.agent for candidate in take_in(plan, tmp_path / "staged")]


def test_a_cluster_plays_what_this_machine_would(cluster, agents, tmp_path):
    """The same matches by the same seeds; the agents' sources travel to the workers, data and all."""
    address, _ = cluster
    found = []
    for pool in (Cluster(address), 1):
        with Workers(pool) as workers:
            found.append(
                [(result.id, result.reason, result.trail) for result in workers.run(_tasks(agents, 6), in_order=True)]
            )
    assert found[0] == found[1]
    assert "could not start" not in {reason for _, reason, _ in found[0]}


def test_the_matches_of_a_worker_that_dies_are_played_by_another(cluster, agents):
    """Every match comes back once, and none as void."""
    address, processes = cluster
    with Workers(Cluster(address)) as workers:
        results = workers.run(_tasks(agents, 30))
        found = [next(results), next(results)]
        family = psutil.Process(processes[0].pid).children(recursive=True)
        processes[0].kill()
        found += results
    assert sorted(result.id for result in found) == sorted(task.id for task in _tasks(agents, 30))
    assert not any(result.void for result in found)
    assert psutil.wait_procs(family, 60)[1] == []


def test_a_whole_tournament_on_a_cluster(cluster, agents, tmp_path):
    """One of the workers is killed in the middle; the one store here has every match once in the end."""
    address, processes = cluster
    words = ("run", "random", "--submissions", "submissions", "--rounds", "15", "--seed", "1", "-o", "turn_cap=4")
    command = [sys.executable, "-m", "watch_your_back", "tournament", *words, "--cluster", address]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    run = subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, text=True, **pipes)
    store = tmp_path / "tournament.db"
    while run.poll() is None and not (store.exists() and _stored(store) > 5):
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.wait(0.05)
    processes[0].kill()
    out, err = run.communicate()
    assert run.returncode == 0, err
    assert "30 of 30 matches played" in out
    assert _stored(store) == 30


def _stored(path):
    """How many different matches are in a store, in which nothing may be yet."""
    with contextlib.closing(sqlite3.connect(path)) as store:
        try:
            return store.execute("SELECT count(DISTINCT id) FROM matches WHERE state = 'counts'").fetchone()[0]
        except sqlite3.OperationalError:
            return 0


def test_agents_are_tried_on_a_cluster(cluster, agents):
    """The smoke test of the intake runs there as well."""
    address, _ = cluster
    with Workers(Cluster(address)) as workers:
        ((_, fitness),) = workers.each(smoke, [Smoke(agents[1], GAME, LIMITS, 2, 1)])
    assert fitness.may_play


def test_a_scheduler_that_goes_away_ends_the_run(cluster, agents, tmp_path):
    """With a message, and not with an endless wait."""
    address, _ = cluster
    with Workers(Cluster(address)) as workers:
        results = workers.run(_tasks(agents, 1000))
        next(results)
        for process in psutil.Process().children():
            if address in " ".join(process.cmdline()) or "scheduler" in " ".join(process.cmdline()):
                process.kill()
        with pytest.raises(ClusterError, match="is gone"):
            list(results)


def test_a_cluster_that_is_not_there_is_said_so(tmp_path, monkeypatch):
    """At once, in one line."""
    monkeypatch.setattr("watch_your_back.tournament.cluster._PATIENCE_S", 1)
    with pytest.raises(ClusterError, match="there is no Dask scheduler at tcp://127"):
        Cluster("tcp://127.0.0.1:9")
    with pytest.raises(ClusterError, match="there is no Dask scheduler at nonsense"):
        Cluster("nonsense://somewhere")


def test_a_cluster_without_workers_is_said_so(tmp_path, monkeypatch):
    """Instead of waiting for ever."""
    monkeypatch.setattr("watch_your_back.tournament.cluster._PATIENCE_S", 3)
    with contextlib.ExitStack() as processes:
        address = _start(processes, tmp_path, "scheduler", "--port", "0", "--no-dashboard")
        with pytest.raises(ClusterError, match="has no workers"):
            Cluster(address)


def _tasks(agents, matches):
    for number in range(matches):
        yield MatchTask(f"match {number}", GAME, tuple(agents), number % 2, LIMITS, number // 2)


def _start(processes, folder, kind, *options):
    """Start a part of a cluster; returns the address that it prints."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--host", "127.0.0.1", *options]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, cwd=folder, env=ENVIRONMENT
    )
    processes.callback(_end, process)
    for line in process.stderr:
        if found := re.search(r"Scheduler at: +(tcp://\S+)|Registered to: +(tcp://\S+)", line):
            return found[1] or process
    raise AssertionError("the cluster did not start")


def _worker(processes, folder, address):
    return _start(processes, folder, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")


def _end(process):
    process.kill()
    process.stderr.close()
    process.wait()

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
from outliving import outliving

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


class Machines:
    """A scheduler with workers of one thread each, whose processes a test may kill."""

    def __init__(self, folder):
        self.folder = folder
        self.scheduler = self._start("scheduler", "--port", "0", "--no-dashboard")
        self.address = _told(self.scheduler, r"Scheduler at: +(tcp://\S+)")
        self.workers = []

    def have(self, number):
        """Make good for the workers that were killed."""
        self.workers = [each for each in self.workers if each.poll() is None]
        words = ("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        new = [self._start(*words) for _ in range(number - len(self.workers))]
        self.workers += new
        for each in new:
            _told(each, r"Registered to: +(tcp://\S+)")

    def close(self):
        for process in (self.scheduler, *self.workers):
            process.kill()
            process.wait()
            process.stderr.close()

    def _start(self, kind, *options):
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--host", "127.0.0.1", *options]
        pipes = {"stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        return subprocess.Popen(command, text=True, cwd=self.folder, env=ENVIRONMENT, **pipes)


def _told(process, pattern):
    """The address that a part of a cluster prints when it has started."""
    for line in process.stderr:
        if found := re.search(pattern, line):
            return found[1]
    raise AssertionError("the cluster did not start")


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """One cluster for all tests, since it takes seconds to start."""
    with contextlib.closing(Machines(tmp_path_factory.mktemp("cluster"))) as started:
        yield started


@pytest.fixture
def cluster(machines):
    """The address of a scheduler with two workers, and their processes."""
    machines.have(2)
    return machines.address, machines.workers


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
        results = workers.run(_tasks(agents, 12))
        found = [next(results), next(results)]
        family = psutil.Process(processes[0].pid).children(recursive=True)
        processes[0].kill()
        found += results
    assert sorted(result.id for result in found) == sorted(task.id for task in _tasks(agents, 12))
    assert not any(result.void for result in found)
    assert outliving(family) == []


def test_a_whole_tournament_on_a_cluster(cluster, agents, tmp_path):
    """One of the workers is killed in the middle; the one store here has every match once in the end."""
    address, processes = cluster
    words = ("run", "random", "--submissions", "submissions", "--rounds", "8", "--seed", "1", "-o", "turn_cap=4")
    command = [sys.executable, "-m", "watch_your_back", "tournament", *words, "--cluster", address]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    run = subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, text=True, **pipes)
    store = tmp_path / "tournament.db"
    while run.poll() is None and not (store.exists() and _stored(store) > 3):
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.wait(0.05)
    processes[0].kill()
    out, err = run.communicate()
    assert run.returncode == 0, err
    assert "16 of 16 matches played" in out
    assert _stored(store) == 16


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


def test_a_cluster_without_workers_is_said_so_and_a_scheduler_that_goes_away_ends_the_run(
    agents, tmp_path, monkeypatch
):
    """With a message, and not with an endless wait."""
    with contextlib.closing(Machines(tmp_path)) as machines:
        with monkeypatch.context() as changed:
            changed.setattr("watch_your_back.tournament.cluster._WAITING_FOR_WORKERS_S", 0.1)
            with pytest.raises(ClusterError, match="has no workers"):
                Cluster(machines.address)
        machines.have(1)
        with Workers(Cluster(machines.address)) as workers:
            results = workers.run(_tasks(agents, 1000))
            next(results)
            machines.close()
            with pytest.raises(ClusterError, match="is gone"):
                list(results)


def test_a_cluster_that_is_not_there_is_said_so(tmp_path, monkeypatch):
    """At once, in one line."""
    monkeypatch.setattr("watch_your_back.tournament.cluster._PATIENCE_S", 0.2)
    with pytest.raises(ClusterError, match="there is no Dask scheduler at tcp://127"):
        Cluster("tcp://127.0.0.1:9")
    with pytest.raises(ClusterError, match="there is no Dask scheduler at nonsense"):
        Cluster("nonsense://somewhere")


def _tasks(agents, matches):
    for number in range(matches):
        yield MatchTask(f"match {number}", GAME, tuple(agents), number % 2, LIMITS, number // 2)

"""Many tasks at once: none is lost, none is drawn too early, and nothing stays behind."""

import ctypes
import io
import itertools
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import psutil
import pytest
from outliving import outliving

from watch_your_back.agents import find
from watch_your_back.confine.addresses import same_addresses
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.game import Game
from watch_your_back.match import Limits
from watch_your_back.match.record import Record
from watch_your_back.tournament.tasks import WORKER_LOST, MatchTask, pair_seed
from watch_your_back.tournament.workers import Lost, Processes, Workers, cores

ROOT = Path(__file__).parent.parent
GAME = Game.load("watch_your_back", turn_cap=6)
BROKEN = """\
class Player:
    def __init__(self, colour):
        oops
    def action(self, turns):
        pass
    def update(self, action):
        pass
"""

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL and named pipes")


def task(number, *agents, first=0, **settings):
    """A match of two bundled agents."""
    names = agents or ("random", "random")
    pair = find(names[0]), find(names[1])
    return MatchTask(f"match {number}", GAME, pair, first, Limits(60, 100), pair_seed(1, number), **settings)


def double(number):
    """Work for a worker."""
    return 2 * number


def wait_for_the_next(case):
    """An item 0 that cannot end before item 1 has begun."""
    number, pipe = case
    with open(pipe, "rb" if number == 0 else "wb"):
        return number


def die_once(case):
    """The worker dies the first time that it gets the item which has a place for a mark."""
    number, mark = case
    if mark and not os.path.exists(mark):
        open(mark, "x").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die_always(number):
    """The worker dies whenever it gets an odd item."""
    if number % 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def fail(number):
    """A task that is wrong in itself."""
    raise ValueError(f"there is no task {number}")


@needs_signals
def test_results_come_in_the_order_of_the_tasks_if_asked_for(tmp_path):
    """Although the first task ends after the second."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with Workers(2) as workers:
        found = list(workers.each(wait_for_the_next, [(0, pipe), (1, pipe)], in_order=True))
    assert found == [((0, pipe), 0), ((1, pipe), 1)]


def test_every_task_is_carried_out_once():
    """More of them than are in flight, on more workers than there are processors."""
    with Workers(3) as workers:
        assert sorted(workers.each(double, range(50))) == [(number, 2 * number) for number in range(50)]
        assert list(workers.each(double, range(50), in_order=True)) == [(number, 2 * number) for number in range(50)]
        assert list(workers.each(double, [])) == []


def test_tasks_are_taken_as_workers_become_free():
    """So a series of any length costs no memory, and an endless one can be left."""
    drawn = itertools.count()
    with Workers(2) as workers:
        for in_order in (False, True):
            list(itertools.islice(workers.each(double, drawn, in_order=in_order), 10))
    assert next(drawn) < 10 + 10 + 2 * 12


def test_what_a_task_raises_is_raised():
    """A mistake in the settings is the same for every match, so there is no point in going on."""
    with Workers(1) as workers, pytest.raises(ValueError, match="there is no task 7"):
        list(workers.each(fail, [7]))


@needs_signals
def test_a_task_whose_worker_dies_is_carried_out_again(tmp_path):
    """And so are those that are lost with it."""
    cases = [(number, tmp_path / "mark" if number == 3 else None) for number in range(12)]
    with Workers(2) as workers:
        results = dict(workers.each(die_once, cases))
    assert sorted(results.values()) == list(range(12))


@needs_signals
def test_a_task_that_no_worker_survives_is_given_up_and_no_other_is(tmp_path):
    """The third time it is lost; its neighbours are carried out."""
    with Workers(2) as workers:
        results = dict(workers.each(die_always, range(6)))
    assert [number for number, result in results.items() if not isinstance(result, Lost)] == [0, 2, 4]
    assert all(isinstance(results[number], Lost) for number in (1, 3, 5))


def processors(number):
    """Where this worker may run."""
    return frozenset(os.sched_getaffinity(0))


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity") or cores() < 2, reason="needs processors to choose from")
def test_workers_stay_on_a_processor_each_where_there_are_as_many():
    """None then has to make room for another; more or fewer workers are left to the system."""
    everywhere = processors(0)
    for jobs in (cores() - 1, cores(), cores() + 1):
        with Workers(jobs) as workers:
            found = {where for _, where in workers.each(processors, range(4 * jobs))}
        assert all(len(where) == 1 for where in found) if jobs == cores() else found == {everywhere}
    assert processors(0) == everywhere


def interpreter(number):
    """Where this worker and what it starts have the interpreter in memory."""
    tell = "import ctypes; print(ctypes.cast(ctypes.pythonapi.Py_GetVersion, ctypes.c_void_p).value)"
    here, there = ctypes.cast(ctypes.pythonapi.Py_GetVersion, ctypes.c_void_p).value, [sys.executable, "-c", tell]
    return here, int(subprocess.run(there, capture_output=True, check=True).stdout)


@pytest.mark.skipif(not Path("/proc/self/personality").exists(), reason="only Linux can be asked")
def test_workers_and_what_they_start_have_the_interpreter_at_the_same_addresses():
    """What a processor has learned of the one then serves the other; no other process is changed."""
    before = Path("/proc/self/personality").read_text()
    with same_addresses():
        if int(Path("/proc/self/personality").read_text(), 16) & 0x0040000 == 0:
            pytest.skip("this system does not allow it")
    with Workers(2) as workers:
        found = {address for _, addresses in workers.each(interpreter, range(4)) for address in addresses}
    assert len(found) == 1
    assert Path("/proc/self/personality").read_text() == before


def die_at_once(number):
    """The worker dies whatever it gets."""
    os.kill(os.getpid(), signal.SIGKILL)


@needs_signals
def test_where_no_worker_lives_nothing_is_played(monkeypatch):
    """Instead of calling every match of a tournament void."""
    monkeypatch.setattr("watch_your_back.tournament.workers.DEATHS", 4)
    found = []
    with Workers(1) as workers, pytest.raises(ConfinementError, match="worker processes die whatever they are given"):
        found += workers.each(die_at_once, itertools.count())
    assert len(found) < 3


def test_a_match_is_told_with_its_record():
    """The winner as a slot, everything else by side, and a record that can be replayed."""
    with Workers(1) as workers:
        (result,) = workers.run([task(1, "random", "greedy", first=1)])
    record = Record.load(io.BytesIO(result.record))
    assert [agent.name for agent in record.agents] == ["greedy", "random"]
    assert record.slots == result.slots == (1, 0)
    assert (result.ply, result.reason, result.void) == (len(record.turns), record.end.reason, False)
    assert result.usage_of(1) == result.usage[0]
    assert result.usage[0].cpu_s >= result.slowest_s[0] > 0


def test_the_failure_of_a_player_comes_with_its_traceback(tmp_path):
    """For the author, who was not there."""
    (tmp_path / "broken.py").write_text(BROKEN)
    case = MatchTask("m", GAME, (find(str(tmp_path / "broken.py")), find("random")), 1, Limits(60, 100), 1)
    with Workers(1) as workers:
        (result,) = workers.run([case])
    assert (result.winner, result.reason) == (1, "could not start")
    assert "NameError" in result.failures[0].traceback
    assert result.failures[0].side == 1


@needs_signals
def test_a_match_whose_workers_die_is_void():
    """It counts for nobody, and says so."""
    lost = [(task(1), Lost("its worker died 3 times"))]

    class Pool:
        def close(self):
            pass

    workers = Workers(Pool())
    workers.each = lambda call, items, in_order: iter(lost)
    (result,) = workers.run([task(1)])
    assert (result.id, result.reason, result.void, result.winner) == ("match 1", WORKER_LOST, True, None)


def test_matches_do_not_depend_on_the_number_of_workers():
    """The same seeds give the same matches, in the same order."""
    tasks = [task(number, keep_record=False) for number in range(6)]
    found = []
    for jobs in (1, 3):
        with Workers(jobs) as workers:
            found.append([(result.id, result.trail, result.winner) for result in workers.run(tasks, in_order=True)])
    assert found[0] == found[1]
    assert len({trail for _, trail, _ in found[0]}) == 6


def test_the_matches_of_a_pair_have_the_same_seed_and_others_have_not():
    """A function of the seed of the series, the number of the pair and the names, and of nothing else."""
    seeds = {pair_seed(seed, number, *names) for seed in (1, 2) for number in (1, 2) for names in ((), "ab", "ba")}
    assert len(seeds) == 12
    assert pair_seed(1, 1, "a", "b") == pair_seed(1, 1, "a", "b")
    assert all(0 <= seed < 2**63 for seed in seeds)


@needs_signals
def test_ctrl_c_does_not_disturb_a_worker_that_is_only_starting():
    """The terminal sends it to all processes at once; it is for the one that waits for the workers."""
    others = set(psutil.Process().children())
    pool = Processes(1)
    try:
        future = pool.submit(abs, -1)
        (worker,) = [each for each in set(psutil.Process().children()) - others if "spawn_main" in _command(each)]
        worker.send_signal(signal.SIGINT)
        assert future.result() == 1
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    finally:
        pool.close()


def test_stopping_ends_the_workers_and_the_players():
    """In the middle of matches that would last for ever."""
    others = set(psutil.Process().children())  # of tests before, which may live as long as this process
    with Workers(2) as workers:
        next(workers.run(task(number) for number in itertools.count()))
        started = [
            each for each in set(psutil.Process().children()) - others if "resource_tracker" not in _command(each)
        ]
        family = started + [below for each in started for below in each.children(recursive=True)]
        assert len(family) > 2
    assert outliving(family) == []


@needs_signals
def test_workers_and_players_end_with_the_process_that_started_them(tmp_path):
    """Also if that is killed, so that it can do nothing about it."""
    script = tmp_path / "coordinator.py"
    script.write_text(
        textwrap.dedent(
            """
            import itertools
            from test_tournament_workers import Workers, task

            if __name__ == "__main__":
                with Workers(2) as workers:
                    for result in workers.run(task(number) for number in itertools.count()):
                        print(result.id, flush=True)
            """
        )
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests")))}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment) as coordinator:
        assert coordinator.stdout.readline().startswith("match")
        family = psutil.Process(coordinator.pid).children(recursive=True)
        assert len(family) > 2
        coordinator.kill()
    assert outliving(family) == []


def _command(process):
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""

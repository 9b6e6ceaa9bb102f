"""Playing many tasks at once: a few in flight, results as they come or in order, lost ones again.

Where they are played is a pool's business: processes of this machine (`Processes`), or a cluster (`cluster.Cluster`).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.queues import SimpleQueue
from types import ModuleType
from typing import Any, Generic, Protocol, TypeVar

from watch_your_back.confine.addresses import same_addresses
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.tournament.tasks import MatchResult, MatchTask, play_task

__all__ = ["Lost", "Pool", "Processes", "Workers", "cores"]

ATTEMPTS = 3
"""How often a task is given to a worker, if the worker dies each time."""
DEATHS = 30
"""After so many deaths of workers without a result in between, it is the system's fault and no task's."""
AHEAD = 2
"""Tasks in flight for each worker, so that none waits for the next one."""
AHEAD_IN_ORDER = 4
"""The same with the results that wait for those of earlier tasks."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def cores() -> int:
    """The processors that this process may use: how many matches run at once without disturbing each other."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Lost(Exception):
    """What a task comes to if its worker died as often as it was tried; the message says what is known."""


class Pool(Protocol):
    """Where tasks are carried out. `lost` are the exceptions of a future whose worker died."""

    lost: tuple[type[BaseException], ...]

    def size(self) -> int:
        """How many tasks are carried out at the same time."""
        ...

    def submit(self, call: Callable[[Any], Any], item: Any) -> Future[Any]:
        """Carry out `call(item)`. Raises one of `lost` if the pool needs to be renewed first."""
        ...

    def renew(self) -> bool:
        """Make good what was lost; returns whether everything else in flight is lost with it."""
        ...

    def close(self) -> None:
        """End it at once, with whatever is going on in it."""
        ...


class _Process(SpawnProcess):
    """A process that does not import the program that starts it, which would then begin anew in there."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        program = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            with same_addresses():
                return SpawnProcess._Popen(process_obj)
        finally:
            sys.modules["__main__"] = program


class _Context(SpawnContext):
    Process = _Process


class Processes:
    """A pool of processes of this machine, all of which end when this one does. Implements `Pool`."""

    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._context = _Context()
        # Nothing is ever sent: the workers see its end when this process closes it or ends, in whatever way.
        self._watched, self._held = self._context.Pipe(duplex=False)
        self._executor = self._start()

    def size(self) -> int:
        return self._jobs

    def submit(self, call: Callable[[Any], Any], item: Any) -> Future[Any]:
        with _undisturbed():
            return self._executor.submit(call, item)

    def renew(self) -> bool:
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._executor = self._start()
        return True

    def close(self) -> None:
        with _undisturbed():  # one that is only starting would find nothing of what it shares with this process
            self._held.close()
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._watched.close()

    def _start(self) -> ProcessPoolExecutor:
        self._processors = self._context.SimpleQueue()
        if hasattr(os, "sched_setaffinity") and self._jobs == cores() > 1:
            for processor in os.sched_getaffinity(0):
                self._processors.put(processor)
        arguments = self._watched, self._processors
        return ProcessPoolExecutor(self._jobs, self._context, initializer=_begin, initargs=arguments)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait, also in processes that are started meanwhile: until they have begun, it would kill them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(held: Connection, processors: SimpleQueue[int]) -> None:
    """Prepare a worker process: Ctrl-C is for the process that waits for it, which takes this one along at its end.

    Where there are as many workers as processors each gets its own, which it and its players do not have to change.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # see `_undisturbed`
    if not processors.empty():
        os.sched_setaffinity(0, {processors.get()})
    threading.Thread(target=_end_with, args=(held,), daemon=True).start()


def _end_with(held: Connection) -> None:
    held.poll(None)
    os._exit(1)  # the zygotes and the players see that, and end too


@dataclass(slots=True)
class _Job(Generic[Item]):
    number: int
    item: Item
    attempts: int = 0


class Workers:
    """Carries out tasks on a pool (one process for each processor by default) and hands out their results.

    A context manager, which stops everything at its end.
    """

    def __init__(self, pool: Pool | int | None = None) -> None:
        self._pool = Processes(pool or cores()) if pool is None or isinstance(pool, int) else pool

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def size(self) -> int:
        """How many tasks are carried out at the same time."""
        return self._pool.size()

    def close(self) -> None:
        """Stop all workers at once, with the matches that they are playing."""
        self._pool.close()

    def run(self, tasks: Iterable[MatchTask], *, in_order: bool = False) -> Iterator[MatchResult]:
        """The results of the matches as they end, or in the order of the tasks.

        Tasks are taken from the iterable as workers become free, so it may be endless. A match whose worker dies is
        played again; the third time it comes back as void. Raises what `play_task` raises, and ConfinementError where
        no worker lives for long.
        """
        for task, result in self.each(play_task, tasks, in_order=in_order):
            yield MatchResult.lost(task, str(result)) if isinstance(result, Lost) else result

    def each(
        self,
        call: Callable[[Item], Result],
        items: Iterable[Item],
        *,
        in_order: bool = False,
        until: float | None = None,
    ) -> Iterator[tuple[Item, Result | Lost]]:
        """Each item with `call(item)`, which is carried out by a worker, or with what tells of its loss.

        No result is waited for beyond the moment `until`, in seconds of `time.monotonic`.
        """
        if not in_order:
            return ((job.item, result) for job, result in self._carry_out(call, items, AHEAD, lambda: 0, until))
        return self._in_order(call, items, until)

    def _in_order(
        self, call: Callable[[Item], Result], items: Iterable[Item], until: float | None
    ) -> Iterator[tuple[Item, Result | Lost]]:
        early: dict[int, tuple[Item, Result | Lost]] = {}
        number = 0
        for job, result in self._carry_out(call, items, AHEAD_IN_ORDER, lambda: len(early), until):
            early[job.number] = job.item, result
            while number in early:
                yield early.pop(number)
                number += 1

    def _carry_out(
        self,
        call: Callable[[Item], Result],
        items: Iterable[Item],
        ahead: int,
        held_back: Callable[[], int],
        until: float | None,
    ) -> Iterator[tuple[_Job[Item], Result | Lost]]:
        jobs = (_Job(number, item) for number, item in enumerate(items))
        flying: dict[Future[Result], _Job[Item]] = {}
        again: deque[_Job[Item]] = deque()
        deaths = 0
        while True:
            self._launch(call, jobs, flying, again, ahead * self._pool.size() - held_back())
            left = None if until is None else until - time.monotonic()
            if not flying or (left is not None and left <= 0):
                return
            done = wait(flying, left, FIRST_COMPLETED).done
            losses: list[tuple[_Job[Item], BaseException | None]] = []
            for future in sorted(done, key=lambda future: flying[future].number):
                job = flying.pop(future)
                error = CancelledError() if future.cancelled() else future.exception()
                if isinstance(error, self._pool.lost):
                    losses.append((job, error))
                else:
                    deaths = 0
                    yield job, future.result()
            deaths += bool(losses)
            if deaths > DEATHS:
                raise ConfinementError(f"worker processes die whatever they are given to do ({losses[0][1]})")
            if losses and self._pool.renew():
                losses += [(job, None) for job in flying.values()]
                flying.clear()
            for job, loss in losses:
                job.attempts += 1
                if job.attempts < ATTEMPTS:
                    again.append(job)
                else:
                    yield job, Lost(f"its worker died {ATTEMPTS} times ({loss})")

    def _launch(
        self,
        call: Callable[[Item], Result],
        jobs: Iterator[_Job[Item]],
        flying: dict[Future[Result], _Job[Item]],
        again: deque[_Job[Item]],
        room: int,
    ) -> None:
        """Fill the room with jobs; those that were lost go one at a time, so that none is blamed for another."""
        while again and not flying:
            self._submit(call, again.popleft(), flying)
        while not again and len(flying) < room:
            job = next(jobs, None)
            if job is None:
                return
            self._submit(call, job, flying)

    def _submit(
        self, call: Callable[[Item], Result], job: _Job[Item], flying: dict[Future[Result], _Job[Item]]
    ) -> None:
        try:
            future = self._pool.submit(call, job.item)
        except self._pool.lost as error:
            future = Future()
            future.set_exception(error)
        flying[future] = job

"""The zygote: a clean, single-threaded interpreter from which players' processes are forked (Linux).

A program of its own. It never runs an agent's code itself: it forks, and the child locks itself down (`lockdown`)
before it imports the agent. It watches its control socket and, at its end of file, kills its children and exits; so
nothing is left behind however the referee ends. Two spare children are forked ahead and rehearse, so that a match need
not wait.

Requests and replies are JSON in one packet each:

- `{"op": "spawn", "number": ..., "parent": ..., ...}` with the descriptors of the channel, stdout and stderr
  -> `{"pid": ..., "scratch": ...}`, of which the latter is a new directory in `parent`;
- `{"op": "end", "number": ..., "pid": ...}` kills and reaps -> `{"status": ..., "cpu_s": ...}`;
- `{"op": "kill", "pid": ...}` kills, has no reply, and reaps in time.

A reply repeats the request's number. A player's process is reaped only then, so its number cannot be given to another
process while the referee uses it; and then its scratch directory is deleted, in which nobody writes any more.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import importlib
import json
import os
import random
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Sequence
from typing import Any, NamedTuple

# Imported before the fork so that no player waits for them, and none of their pages is charged to one.
from watch_your_back.confine import lockdown, privileges, rehearsal, runner, scratch, system_calls
from watch_your_back.confine.memory import own_address_space
from watch_your_back.confine.pipes import BROKEN

__all__ = ["main"]

_PACKET = 100_000
"""Bytes of the longest request: with its three paths of 4,096, each of them six as JSON."""
_RULES = runner.CHANNEL - 1
"""The descriptor of Landlock's rules until they are put on."""
_SLACK = 16 << 20
_IDLE_MS = 3
"""How long nothing is asked before ended players are reaped and spares are forked."""
_SPARES = 2
_REHEARSAL_S = 0.02
_SEARCH = "watch_your_back.search"
"""What the bundled players, and others, are made of."""


def main(descriptor: int, with_numpy: bool) -> None:
    """Serve the control socket with this descriptor until the referee closes it."""
    privileges.not_dumpable()
    privileges.adopt_orphans()
    if with_numpy:
        _warm_up()
    _unbuffer_c()
    faulthandler.register(signal.SIGUSR1, file=2, all_threads=False)
    _Zygote(socket.socket(fileno=descriptor)).serve()


def _warm_up() -> None:
    import numpy.random

    numpy.random.seed(0)


def _unbuffer_c() -> None:
    """Let what C code prints come out line by line, as Python's own output does."""
    stdout = system_calls.c_stream("stdout")
    system_calls.libc.setvbuf(stdout, None, 1, 0)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]


class _Spare(NamedTuple):
    """A child that waits for the request which makes it a player."""

    pid: int
    work: socket.socket


class _Zygote:
    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.system = lockdown.allowed()
        self.spares: list[_Spare] = []
        self.rules: str | None = None  # of the last request
        self.wanted_spares = 0  # none before the first request has told which rules to import
        self.children: dict[int, str] = {}  # the players and their scratch directories
        self.dying: set[int] = set()
        self.address_space = own_address_space() << 10  # a player's, which would cost it some page faults to read

    def serve(self) -> None:
        requests = select.poll()
        requests.register(self.control, select.POLLIN)
        _freeze()
        while True:
            busy = self.dying or len(self.spares) < self.wanted_spares
            if not requests.poll(_IDLE_MS if busy else None):
                self._tidy()
                continue
            try:
                packet, descriptors, _, _ = socket.recv_fds(self.control, _PACKET, 3)
            except OSError:
                break  # closed with a reply unread
            if not packet:
                break
            request = json.loads(packet)
            if request["op"] == "kill":
                if request["pid"] in self.children:  # or the reply that it has been reaped was not waited for
                    os.kill(request["pid"], signal.SIGKILL)
                    self.dying.add(request["pid"])
                continue
            reply = self._spawn(request, descriptors) if request["op"] == "spawn" else self._end(request["pid"])
            try:
                self.control.send(json.dumps(reply | {"number": request["number"]}).encode())
            except OSError:
                break
        for pid in (*self.children, *(spare.pid for spare in self.spares)):
            os.kill(pid, signal.SIGKILL)
        _kill_strays(set())
        for directory in self.children.values():
            scratch.remove(directory)

    def _spawn(self, request: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        if _preload(request["preload"]):
            self._dismiss()
            self.address_space = own_address_space() << 10
        self.rules = request["preload"]
        directory = None
        try:
            directory = scratch.make(request["parent"])
            pid = self._assign(json.dumps(request | {"scratch": directory}).encode(), descriptors)
        except OSError as error:
            if directory is not None:
                scratch.remove(directory)
            return {"error": f"cannot start a process: {error.strerror}"}
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        self.children[pid] = directory
        self.wanted_spares = _SPARES
        return {"pid": pid, "scratch": directory}

    def _assign(self, request: bytes, descriptors: list[int]) -> int:
        """Give the work to a spare, a new one if there is none. Raises OSError."""
        spare = self.spares.pop(0) if self.spares else self._fork()
        with spare.work:
            try:
                socket.send_fds(spare.work, [request], descriptors)
            except BrokenPipeError:  # something has ended it
                os.waitpid(spare.pid, 0)
                return self._assign(request, descriptors)
        return spare.pid

    def _fork(self) -> _Spare:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        zygote = os.getpid()
        with theirs:
            pid = os.fork()
            if pid:
                return _Spare(pid, ours)
            try:
                for inherited in (self.control, ours, *(spare.work for spare in self.spares)):
                    inherited.close()
                privileges.die_with_parent(zygote)
                rules = lockdown.prepare(self.system)
                if len(os.sched_getaffinity(0)) > 1:  # on the one processor of a match it would only take its time
                    rehearsal.rehearse(self.rules)
                packet, descriptors, _, _ = socket.recv_fds(theirs, _PACKET, 3)
                if packet:
                    hello = self._lock_down(json.loads(packet), descriptors, zygote, rules)
                    runner.serve(socket.socket(fileno=runner.CHANNEL), hello)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(BROKEN)

    def _lock_down(
        self, request: dict[str, Any], descriptors: list[int], zygote: int, rules: int | None
    ) -> dict[str, Any]:
        """Become the process of this request's player; returns what it tells the referee first."""
        os.setsid()
        kept = None
        if rules is not None and "landlock" not in request["without"]:  # first: the rules may be 2, where nothing was
            kept = os.dup2(rules, _RULES, inheritable=False)
        os.dup2(descriptors[0], runner.CHANNEL, inheritable=False)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(descriptors[1], 1)
        os.dup2(descriptors[2], 2)
        os.closerange(3, runner.CHANNEL if kept is None else kept)
        os.closerange(runner.CHANNEL + 1, 4096)
        os.chdir(request["root"])
        os.environ.update(HOME=request["scratch"], TMPDIR=request["scratch"])
        allowance = request["address_space"]
        if allowance is not None:
            allowance += self.address_space + _SLACK
        privileges.limit_resources(allowance)
        return lockdown.lock_down(request, zygote, self.system, kept)

    def _dismiss(self) -> None:
        """End the spares, which lack what has been imported since."""
        for spare in self.spares:
            spare.work.close()
            os.kill(spare.pid, signal.SIGKILL)
            os.waitpid(spare.pid, 0)
        self.spares.clear()

    def _tidy(self) -> None:
        """Reap players that were killed; fork one spare, if one is missing."""
        ended = [pid for pid in self.dying if os.waitpid(pid, os.WNOHANG)[0]]
        self.dying.difference_update(ended)
        self._clear_up(ended)
        if len(self.spares) < self.wanted_spares:
            try:
                self.spares.append(self._fork())
            except OSError:
                self.wanted_spares = 0  # the system is short of processes; a match will say so if it has to

    def _end(self, pid: int) -> dict[str, Any]:
        if pid not in self.children:
            return {"error": f"process {pid} is not a player of this zygote"}
        os.kill(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
        self._clear_up([pid])
        return {"status": status, "cpu_s": usage.ru_utime + usage.ru_stime}

    def _clear_up(self, reaped: Sequence[int]) -> None:
        """Let nothing be left of processes that have been reaped."""
        directories = [self.children.pop(pid) for pid in reaped]
        if directories:
            _kill_strays({*self.children, *(spare.pid for spare in self.spares)})
        for directory in directories:
            scratch.remove(directory)


def _preload(module: str | None) -> bool:
    """Import a module of rules and play with it, so that no player waits for it or is charged for what it keeps.

    Returns whether there was anything to do.
    """
    if module is None or module in sys.modules:
        return False
    importlib.import_module(_SEARCH)
    with contextlib.suppress(Exception):  # rules of a script or a notebook cannot be imported here
        game, rng = importlib.import_module(module).GAME(), random.Random(0)
        type(game).load(game.id)  # as players do, which for an announced game imports a part of the standard library
        state, end = game.initial(), time.process_time() + _REHEARSAL_S
        while time.process_time() < end:
            state = state.play(state.sample(rng)) if state.outcome is None else game.initial()
    _freeze()
    return True


def _freeze() -> None:
    """Let no garbage collection of a player look at, and so copy, what is here already."""
    gc.collect()
    gc.freeze()


def _kill_strays(known: set[int]) -> None:
    """Kill what players left behind by forking, where no seccomp forbade it; orphans become the zygote's children."""
    while True:
        try:
            with open(f"/proc/self/task/{os.getpid()}/children") as listed:
                strays = set(map(int, listed.read().split())) - known
        except OSError:
            return  # a kernel without this list
        if not strays:
            return
        for pid in strays:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)

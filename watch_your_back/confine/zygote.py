"""The zygote: a clean, single-threaded interpreter from which players' processes are forked (Linux).

A program of its own. It never runs an agent's code itself: it forks, and the child locks itself down (`lockdown`)
before it imports the agent. It watches its control socket and, at its end of file, kills its children and exits; so
nothing is left behind however the referee ends.

Requests and replies are JSON in one packet each:

- `{"op": "spawn", "number": ..., ...}` with the descriptors of the channel, stdout and stderr -> `{"pid": ...}`;
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
import select
import signal
import socket
import sys
import traceback
from typing import Any

# Imported before the fork so that no player waits for them, and none of their pages is charged to one.
from watch_your_back.confine import lockdown, privileges, runner, scratch, system_calls
from watch_your_back.confine.memory import own_address_space
from watch_your_back.confine.pipes import BROKEN

__all__ = ["main"]

_SLACK = 16 << 20
_REAP_MS = 5


def main(descriptor: int, with_numpy: bool) -> None:
    """Serve the control socket with this descriptor until the referee closes it."""
    control = socket.socket(fileno=descriptor)
    privileges.not_dumpable()
    privileges.adopt_orphans()
    if with_numpy:
        _warm_up()
    system = lockdown.allowed()
    _unbuffer_c()
    faulthandler.register(signal.SIGUSR1, file=2, all_threads=False)
    children: dict[int, str] = {}
    dying: set[int] = set()
    requests = select.poll()
    requests.register(control, select.POLLIN)
    gc.collect()
    gc.freeze()
    while True:
        if not requests.poll(_REAP_MS if dying else None):
            _reap(dying, children)
            continue
        try:
            packet, descriptors, _, _ = socket.recv_fds(control, 1 << 20, 3)
        except OSError:
            break  # closed with a reply unread
        if not packet:
            break
        request = json.loads(packet)
        if request["op"] == "kill":
            os.kill(request["pid"], signal.SIGKILL)
            dying.add(request["pid"])
            continue
        if request["op"] == "spawn":
            reply = _spawn(request, descriptors, children, system)
        else:
            reply = _end(request["pid"], children)
        try:
            control.send(json.dumps(reply | {"number": request["number"]}).encode())
        except OSError:
            break
    for pid in children:
        os.kill(pid, signal.SIGKILL)
    _kill_strays(set())
    for directory in children.values():
        scratch.remove(directory)


def _warm_up() -> None:
    import numpy.random

    numpy.random.seed(0)


def _unbuffer_c() -> None:
    """Let what C code prints come out line by line, as Python's own output does."""
    stdout = system_calls.c_stream("stdout")
    system_calls.libc.setvbuf(stdout, None, 1, 0)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]


def _spawn(
    request: dict[str, Any], descriptors: list[int], children: dict[int, str], system: lockdown.Allowed
) -> dict[str, Any]:
    zygote = os.getpid()
    try:
        _preload(request["preload"])
        address_space = own_address_space() << 10  # the child's would cost it some page faults to read
        pid = os.fork()
    except OSError as error:
        return {"error": f"cannot start a process: {error.strerror}"}
    if pid == 0:
        try:
            _become_player(request, descriptors, zygote, system, address_space)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(BROKEN)
    for descriptor in descriptors:
        os.close(descriptor)
    children[pid] = request["scratch"]
    return {"pid": pid}


def _preload(module: str | None) -> None:
    """Import a module of rules, so that no player waits for it or is charged for it."""
    if module is not None and module not in sys.modules:
        with contextlib.suppress(Exception):  # rules of a script or a notebook cannot be imported here
            importlib.import_module(module)
        gc.collect()
        gc.freeze()


def _become_player(
    request: dict[str, Any], descriptors: list[int], zygote: int, system: lockdown.Allowed, address_space: int
) -> None:
    os.setsid()
    os.dup2(descriptors[0], runner.CHANNEL, inheritable=False)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(descriptors[1], 1)
    os.dup2(descriptors[2], 2)
    os.closerange(3, runner.CHANNEL)
    os.closerange(runner.CHANNEL + 1, 4096)
    os.chdir(request["root"])
    os.environ.update(HOME=request["scratch"], TMPDIR=request["scratch"])
    allowance = request["address_space"]
    if allowance is not None:
        allowance += address_space + _SLACK
    privileges.limit_resources(allowance)
    hello = lockdown.lock_down(request, zygote, system)
    runner.serve(socket.socket(fileno=runner.CHANNEL), hello)


def _reap(dying: set[int], children: dict[int, str]) -> None:
    for pid in [pid for pid in dying if os.waitpid(pid, os.WNOHANG)[0]]:
        dying.discard(pid)
        _clear_up(pid, children)


def _end(pid: int, children: dict[int, str]) -> dict[str, Any]:
    if pid not in children:
        return {"error": f"process {pid} is not a player of this zygote"}
    os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    _clear_up(pid, children)
    return {"status": status, "cpu_s": usage.ru_utime + usage.ru_stime}


def _clear_up(pid: int, children: dict[int, str]) -> None:
    """Let nothing be left of a process that has been reaped."""
    directory = children.pop(pid)
    _kill_strays(set(children))
    scratch.remove(directory)


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

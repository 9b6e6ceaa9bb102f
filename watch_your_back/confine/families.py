"""A process and all that it has started: what they have used together, halting them, killing them.

On Linux every descendant is found, since whoever lost its parent is handed to the nearest subreaper (`guardian`).
Elsewhere psutil finds those whose parents live.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from typing import NamedTuple

from watch_your_back.confine.memory import parse
from watch_your_back.confine.processors import queued_s

__all__ = ["Family", "descendants"]

_TICK_S = 1 / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0.01
_MOST = 5_000
"""Processes that are looked for at most."""


class _Seen(NamedTuple):
    """One process: what tells it from a later one of the same number, and CPU seconds of it and its dead children."""

    started: int
    own_s: float
    children_s: float


def descendants(pid: int) -> list[int]:
    """All processes below this one, parents first."""
    if sys.platform != "linux":
        import psutil

        with contextlib.suppress(psutil.Error):
            return [process.pid for process in psutil.Process(pid).children(recursive=True)]
        return []
    found = _children(pid)
    for each in found:  # which grows meanwhile
        if len(found) < _MOST:
            found += _children(each)
    return found


class Family:
    """What the descendants of a process use, which itself counts for nothing.

    `cpu_s` is the CPU time of all of them, also of those that have ended; `peak_kb` the most memory that they were seen
    to hold together, counted as for a player; `threads` how many threads they have now.
    """

    def __init__(self, pid: int) -> None:
        self.cpu_s = 0.0
        self.peak_kb = 0
        self.threads = 0
        self._pid = pid
        self._seen: dict[int, _Seen] = {}
        self._departed_s = 0.0

    def measure(self) -> None:
        """Bring all numbers up to date."""
        look = _linux if sys.platform == "linux" else _elsewhere
        members = descendants(self._pid)
        guardian = look(self._pid)
        reaped_s, resident_kb, self.threads = guardian[0].children_s if guardian else 0.0, 0, 0
        now: dict[int, _Seen] = {}
        for pid in members:
            about = look(pid)
            if about is not None:
                now[pid], resident, peak, threads = about
                resident_kb += resident
                self.peak_kb = max(self.peak_kb, peak)
                self.threads += threads
        self.peak_kb = max(self.peak_kb, resident_kb)
        for pid, before in self._seen.items():
            if pid not in now or now[pid].started != before.started:
                self._departed_s += before.own_s
        self._seen = now
        # Two counts, each of which misses something: children that nobody waited for, and those that lived so shortly
        # that they were never seen.
        waited_for_s = reaped_s + sum(each.own_s + each.children_s for each in now.values())
        seen_s = self._departed_s + sum(each.own_s for each in now.values())
        self.cpu_s = max(self.cpu_s, waited_for_s, seen_s)

    def queued_s(self) -> float:
        """Seconds for which the one that waited longest for a processor has done so, as far as anybody counts them."""
        return max(map(queued_s, descendants(self._pid)), default=0.0)

    def halt(self) -> None:
        """Stop all of them, those that are being started meanwhile too."""
        self._everyone(signal.SIGSTOP)

    def resume(self) -> None:
        """Let all of them go on."""
        for pid in descendants(self._pid):
            _send(pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kill all of them."""
        self._everyone(signal.SIGSTOP)
        for pid in descendants(self._pid):
            _send(pid, signal.SIGKILL)

    def _everyone(self, number: signal.Signals) -> None:
        known: set[int] = set()
        while new := set(descendants(self._pid)) - known:
            for pid in new:
                _send(pid, number)
            known |= new
            if len(known) > _MOST:
                return


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as children:
                found += map(int, children.read().split())
    return found


def _linux(pid: int) -> tuple[_Seen, int, int, int] | None:
    """What one process has used, its memory in kB now and at its own peak, and its threads; None if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            fields = stat.read().rpartition(b")")[2].split()
        with open(f"/proc/{pid}/status", "rb") as status:
            memory = parse(status.read())
    except OSError:
        return None
    own_s = (int(fields[11]) + int(fields[12])) * _TICK_S
    with contextlib.suppress(OSError):  # a zombie has a clock no more
        own_s = max(own_s, time.clock_gettime((~pid << 3) | 2))
    seen = _Seen(int(fields[19]), own_s, (int(fields[13]) + int(fields[14])) * _TICK_S)
    if not memory:
        return seen, 0, 0, 0
    resident = memory["RssAnon"] + memory["RssShmem"] + memory["VmSwap"]
    return seen, resident, max(resident, memory["VmHWM"] - memory["RssFile"]), memory["Threads"]


def _elsewhere(pid: int) -> tuple[_Seen, int, int, int] | None:
    import psutil

    try:
        process = psutil.Process(pid)
        times, memory = process.cpu_times(), process.memory_info().rss // 1024
        seen = _Seen(int(process.create_time()), sum(times[:2]), sum(times[2:4]))
        return seen, memory, memory, process.num_threads()
    except psutil.Error:
        return None


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, number)

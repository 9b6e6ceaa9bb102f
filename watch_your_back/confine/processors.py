"""Which processor a thread runs on, and how long it waited for one.

Processes that only ever wait for each other are twice as fast on one processor: none has to wake another that sleeps.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["one_processor", "queued_s"]


@contextmanager
def one_processor() -> Iterator[int | None]:
    """Keep the calling thread on the processor that it is on, whose number is given; None where that is not to be had.

    Afterwards the same thread may run again wherever it might before.
    """
    try:
        allowed, thread, here = os.sched_getaffinity(0), threading.get_native_id(), ctypes.CDLL(None).sched_getcpu()
    except (AttributeError, OSError):
        yield None
        return
    try:
        yield here if _keep(thread, {here}) else None
    finally:
        _keep(thread, allowed)


def _keep(thread: int, processors: set[int]) -> bool:
    """Let a thread run on these processors only; False if that is not to be had, or the thread has ended."""
    try:
        os.sched_setaffinity(thread, processors)
    except OSError:
        return False
    return True


def queued_s(pid: int) -> float:
    """Seconds for which a process's main thread was ready to run and no processor was free; 0 where nobody counts."""
    try:
        with open(f"/proc/{pid}/schedstat") as counts:
            return int(counts.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0

"""Which processor a thread runs on, and how long it waited for one.

Processes that only ever wait for each other are twice as fast on one processor: none has to wake another that sleeps.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["one_processor", "queued_s"]


@contextmanager
def one_processor() -> Iterator[int | None]:
    """Keep the calling thread on the processor that it is on, whose number is given; None where that is not to be had.

    Afterwards the same thread may run again wherever it might before.
    """
    try:
        allowed, thread = os.sched_getaffinity(0), threading.get_native_id()
        here = ctypes.CDLL(None).sched_getcpu()
        os.sched_setaffinity(thread, {here})
    except (AttributeError, OSError):
        yield None
        return
    try:
        yield here
    finally:
        with suppress(OSError):  # the thread may have ended
            os.sched_setaffinity(thread, allowed)


def queued_s(pid: int) -> float:
    """Seconds for which a process's main thread was ready to run and no processor was free; 0 where nobody counts."""
    try:
        with open(f"/proc/{pid}/schedstat") as counts:
            return int(counts.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0

"""Which processor a thread runs on.

Processes that only ever wait for each other are twice as fast on one processor: none has to wake another that sleeps.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["one_processor"]


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

"""A clock that depends on nothing but how often it is looked at, to find out what in a player depends on time."""

from __future__ import annotations

import itertools
import time

__all__ = ["TICK_S", "keep_even_time"]

TICK_S = 0.005
"""What passes from one look at a clock to the next."""

_EPOCH_S = 1_700_000_000
_CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")


def keep_even_time() -> None:
    """Replace the clocks of the module `time`, in this process, by one that goes on by `TICK_S` at each look.

    Sleeping takes no time. What other modules have taken from `time` before, and clocks in C, stay as they are.
    """
    ticks = itertools.count(round(_EPOCH_S / TICK_S))

    def seconds(*_: object) -> float:
        return next(ticks) * TICK_S

    def nanoseconds(*_: object) -> int:
        return round(next(ticks) * TICK_S * 1e9)

    for name in (*_CLOCKS, "clock_gettime"):
        if hasattr(time, name):
            setattr(time, name, seconds)
            setattr(time, f"{name}_ns", nanoseconds)
    time.sleep = lambda _: None

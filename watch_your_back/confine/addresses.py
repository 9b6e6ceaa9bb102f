"""Where Linux puts an interpreter in memory: at random, or at the same place for all that are started here.

A processor remembers branches by their addresses. The referee and the players of a match take turns on one, so with the
interpreter at the same addresses in each of them a quick turn takes a sixth less.

Source of the numbers: `include/uapi/linux/personality.h`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["same_addresses"]

_ADDR_NO_RANDOMIZE, _NO_CHANGE = 0x0040000, 0xFFFFFFFF


@contextmanager
def same_addresses() -> Iterator[None]:
    """What this thread starts meanwhile, and all that is started from there, gets its memory at the same addresses.

    Without effect where the system does not have or does not allow it, as inside most containers.
    """
    if sys.platform != "linux":
        yield
        return
    from watch_your_back.confine.system_calls import libc

    before = libc.personality(_NO_CHANGE)
    try:
        if before != -1:
            libc.personality(before | _ADDR_NO_RANDOMIZE)
        yield
    finally:
        if before != -1:
            libc.personality(before)

"""Reading a player's output pipes, and saying how a process ended."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable

from watch_your_back.confine.capture import Capture

__all__ = ["BROKEN", "describe", "drain", "reader", "where"]


_LAST_FRAME = b'"<string>", line 1 in <module>\n'  # of the program that `environment.command` runs
BROKEN = 70
"""Exit status of a player's process in which our own code failed, which only its agent can have caused."""


def reader(descriptor: int, capture: Capture) -> Callable[[], bool]:
    """A function that moves what is in a pipe to its capture; it returns False when nothing was there.

    Sets the descriptor to non-blocking.
    """
    os.set_blocking(descriptor, False)

    def read() -> bool:
        try:
            data = os.read(descriptor, 65_536)
        except OSError:
            return False
        capture.feed(data)
        return bool(data)

    return read


def drain(descriptor: int, read: Callable[[], bool]) -> None:
    """Read what is there, but not for ever: a player may print without end."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    for _ in range(4):
        if not poll.poll(0) or not read():
            break


def where(pid: int, descriptor: int, read: Callable[[], bool], capture: Capture) -> str:
    """The Python frames that a running player is in, which its faulthandler writes to stderr when it is asked to.

    Takes 30 ms at most.
    """
    drain(descriptor, read)
    capture.divert()
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    end = time.monotonic() + 0.03
    try:
        os.kill(pid, signal.SIGUSR1)
        while (left := end - time.monotonic()) > 0 and not capture.holds(_LAST_FRAME):
            if poll.poll(1000 * left):
                read()
    except OSError:
        pass
    return capture.diverted()


def describe(code: int) -> str:
    """How a process ended, from its exit status or, negative, the signal that killed it."""
    if code == BROKEN:
        return "ended because the agent broke the code that runs it (see what it wrote to stderr)"
    if code >= 0:
        return f"exited with status {code}"
    name = signal.Signals(-code).name if -code in signal.valid_signals() else f"signal {-code}"
    return f"was killed by {name} ({signal.strsignal(-code)})"

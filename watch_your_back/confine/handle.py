"""What the referee needs from the operating system of one player's process."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from watch_your_back.confine.capture import Capture

__all__ = ["Handle", "Memory"]


class Memory(NamedTuple):
    """A process's memory in kB: `resident` pages of its own now and at their `peak`, and the peak `address_space`.

    `files` is what it has written, in kB, `threads` the number of its threads.
    """

    resident: int
    peak: int
    address_space: int
    files: int
    threads: int


class Handle(Protocol):
    """A running process with a channel. Implemented by `forked` (Linux) and `spawned` (everywhere)."""

    channel: socket.socket
    """The referee's end, non-blocking."""
    captures: tuple[Capture, Capture]
    """Of stdout and stderr."""

    @property
    def readers(self) -> Mapping[int, Callable[[], bool]]:
        """What to poll together with the channel, and what to call when one is readable; False means its end."""
        ...

    def cpu_s(self) -> float:
        """CPU seconds of all threads so far. Raises OSError when the process is gone."""
        ...

    def queued_s(self) -> float:
        """Seconds for which it could have run, had a processor been free, so far as anybody counts them."""
        ...

    def memory(self) -> Memory:
        """Its memory now. Raises OSError when the process is gone."""
        ...

    def resume(self) -> None:
        """Let it run. Raises OSError when the process is gone."""
        ...

    def bind(self, processor: int) -> None:
        """Keep it on this processor, where the system can. Raises OSError when the process is gone."""
        ...

    def spread(self) -> None:
        """Undo `bind`. Raises OSError when the process is gone."""
        ...

    def leave(self) -> None:
        """Undo `bind` and keep off that processor, where there is another. Raises OSError when the process is gone."""
        ...

    def stop(self) -> None:
        """Halt all its threads. Raises OSError when the process is gone."""
        ...

    def where(self) -> str:
        """The Python frames it is in, innermost first, if it can be made to tell."""
        ...

    def kill(self) -> None:
        """Kill it, and read what it has printed. May be called again. Raises ConfinementError."""
        ...

    def end(self) -> str:
        """Kill it and say how it ended: a clause such as `exited with status 0`. May be called again."""
        ...

    def close(self) -> None:
        """Kill it without waiting, and release everything."""
        ...

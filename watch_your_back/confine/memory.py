"""How much memory Linux says a process has and the computer has left."""

from __future__ import annotations

import sys

__all__ = ["available_mb", "own_memory", "parse"]


def parse(status: bytes) -> dict[str, int]:
    """The lines of a /proc/PID/status that count memory, in kB; empty for a process that has ended."""
    lines = (line.split() for line in status.splitlines() if line.startswith((b"Vm", b"Rss")))
    return {name[:-1].decode(): int(value) for name, value, *_ in lines}


def own_memory() -> dict[str, int]:
    """This process's own lines (Linux)."""
    with open("/proc/self/status", "rb") as status:
        return parse(status.read())


def available_mb() -> float:
    """Memory in MB that new processes could take without making the computer swap."""
    if sys.platform == "linux":
        with open("/proc/meminfo") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) / 1024
    import psutil

    return float(psutil.virtual_memory().available) / (1 << 20)

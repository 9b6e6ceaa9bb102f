"""How much memory Linux says a process has and the computer has left."""

from __future__ import annotations

import sys

__all__ = ["available_mb", "own_address_space", "parse"]


_NAMES = ("VmPeak", "VmSize", "VmHWM", "RssAnon", "RssFile", "RssShmem", "VmSwap", "Threads")  # in the kernel's order
_LINES = [(name, f"\n{name}:\t".encode()) for name in _NAMES]  # a newline is what the process's name cannot have


def parse(status: bytes) -> dict[str, int]:
    """The lines of a /proc/PID/status that count memory, in kB, and threads; empty for a process that has ended."""
    values, end = {}, 0
    for name, line in _LINES:
        start = status.find(line, end)
        if start < 0:
            return {}
        start += len(line)
        end = status.index(b"\n", start)
        values[name] = int(status[start:end].removesuffix(b" kB"))
    return values


def own_address_space() -> int:
    """The size of this process's address space in kB (Linux)."""
    with open("/proc/self/status", "rb") as status:
        return parse(status.read())["VmSize"]


def available_mb() -> float:
    """Memory in MB that new processes could take without making the computer swap."""
    if sys.platform == "linux":
        with open("/proc/meminfo", "rb", buffering=0) as file:
            _, _, available = file.read(4_096).partition(b"\nMemAvailable:")
        if available:
            return int(available.split(maxsplit=1)[0]) / 1024
    import psutil

    return float(psutil.virtual_memory().available) / (1 << 20)

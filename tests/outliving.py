"""Whether processes have ended, as tests of what stays behind ask."""

from __future__ import annotations

import time
from collections.abc import Iterable

import psutil

__all__ = ["outliving"]

PATIENCE_S = 60
"""How long a loaded machine may take to end a process."""


def outliving(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Those of these processes that do not end.

    One that has ended and only waits for being reaped by the first process of the system has ended: that one may take
    its time.
    """
    left, until = list(processes), time.monotonic() + PATIENCE_S
    while (left := [each for each in left if _runs(each)]) and time.monotonic() < until:
        psutil.wait_procs(left, 0.02)
    return left


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False

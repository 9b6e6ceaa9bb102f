"""The start and the end of an external program: a small process above it that lets nothing of it survive.

It adopts whatever the program's processes leave behind, and kills all of them when the referee closes the socket
between the two, or is gone.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import socket
import sys

from watch_your_back.confine.families import Family

__all__ = ["main"]

_PR_SET_CHILD_SUBREAPER = 36


def main(lifeline: int, words: list[str]) -> None:
    """Run the command; tell over the lifeline `runs PID`, `failed ERRNO` and `ended STATUS` (as waitpid has it)."""
    referee = socket.socket(fileno=lifeline)
    referee.set_inheritable(False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    program = os.fork()
    if program == 0:
        _become(referee, words)
    _tell(referee, f"runs {program}")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # the pipes are the program's alone
        os.dup2(null, descriptor)
    while True:
        readable, _, _ = select.select([lifeline, wake], [], [])
        if wake in readable:
            os.read(wake, 4_096)
            _reap(program, referee)
        if lifeline in readable:
            break
    _end(program)


def _become(referee: socket.socket, words: list[str]) -> None:
    try:
        os.setpgid(0, 0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.execvp(words[0], words)
    except OSError as error:
        _tell(referee, f"failed {error.errno}")
    finally:
        os._exit(127)


def _tell(referee: socket.socket, line: str) -> None:
    with contextlib.suppress(OSError):
        referee.sendall(line.encode() + b"\n")


def _reap(program: int, referee: socket.socket) -> None:
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == program:
                _tell(referee, f"ended {ended[1]}")


def _end(program: int) -> None:
    """Kill until nothing is left."""
    with contextlib.suppress(ChildProcessError):
        while True:
            Family(os.getpid()).kill()
            if sys.platform != "linux":
                with contextlib.suppress(OSError):
                    os.killpg(program, signal.SIGKILL)
            os.waitpid(-1, 0)

"""An external program under limits: one line goes in, one answer comes out, measured and watched from outside.

It is not confined: it may do what its user may. Its CPU time and memory are those of all its processes together, it
stands still between two questions, and nothing of it is left when it is closed.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from watch_your_back.confine import pipes
from watch_your_back.confine.capture import Capture, Captured
from watch_your_back.confine.environment import command
from watch_your_back.confine.families import Family
from watch_your_back.confine.faults import Cause, ConfinementError, PlayerFault
from watch_your_back.confine.limits import Limits
from watch_your_back.confine.memory import available_mb
from watch_your_back.confine.polling import POLLIN, POLLOUT, poller

__all__ = ["MAX_ANSWER", "Program"]

MAX_ANSWER = 1_048_576
"""Bytes of an answer at most."""

_TICK_MS = 10
_LOOK_S = 0.1  # what elapses at most between two looks: more is the referee's own pause
_OVERSHOOT_MB = 32.0  # above the limit, where a running program is killed at once; see `supervision`
_THREADS = 256
_PATIENCE_S = 5.0


class Program:
    """A running program that answers lines. What a call costs is in `cpu_s`, `wall_s` and `memory_mb`.

    `ask` and `settle` raise PlayerFault; the program is then `gone`. Raises ConfinementError if it cannot be started.
    """

    def __init__(self, words: Sequence[str], folder: Path, limits: Limits) -> None:
        self.cpu_s = 0.0
        self.wall_s = 0.0
        self.gone = False
        self._limits = limits
        self._ceiling_mb = available_mb() / 2
        self._own_limit_mb = None if limits.profile == "official-2018" else limits.memory_mb
        self._call = "import"
        self._news = b""
        self._answer = bytearray()
        self._errors = Capture("stderr")
        self._ended = ""
        self._leader = 0
        self._lifeline, theirs = socket.socketpair()
        self._lifeline.setblocking(False)
        try:
            with theirs:
                self._guardian = subprocess.Popen(
                    command("confine.guardian", theirs.fileno(), list(words)),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                    cwd=folder,
                )
        except OSError as error:
            self._lifeline.close()
            raise ConfinementError(f"{words[0]} cannot be started: {error.strerror or error}") from None
        streams = (self._guardian.stdin, self._guardian.stdout, self._guardian.stderr)
        self._pipes: list[IO[bytes]] = [stream for stream in streams if stream is not None]
        self._in, self._out, self._err = (pipe.fileno() for pipe in self._pipes)
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._read_errors = pipes.reader(self._err, self._errors)
        self._family = Family(self._guardian.pid)
        self._poll = poller()
        for descriptor in (self._out, self._err, self._lifeline.fileno()):
            self._poll.register(descriptor, POLLIN)

    @property
    def memory_mb(self) -> float:
        """The most memory, in MB, that its processes were seen to hold together."""
        return self._family.peak_kb / 1024

    def ask(self, line: str, call: str) -> str:
        """The answer to a line: everything up to the next empty line, without carriage returns. Raises PlayerFault."""
        self._call = call
        self._read_answer()
        if self._answer.strip():
            raise self._fault("protocol", f"it wrote {_shown(self._answer)} on its stdout, which nobody had asked for")
        self._answer.clear()
        started = checked = time.monotonic()
        left = line.encode() + b"\n"
        self._family.resume()
        self._poll.register(self._in, POLLOUT)
        try:
            while True:
                for descriptor, _ in self._poll.poll(_TICK_MS):
                    if descriptor == self._in:
                        left = self._write(left)
                    elif descriptor == self._err:
                        if not self._read_errors():
                            self._poll.unregister(self._err)
                    elif descriptor != self._out:
                        self._hear()
                    elif not self._read_answer():
                        raise self._exited()
                if self._ended:  # its children may still hold its pipes
                    self._read_answer()
                whole = self._whole_answer()
                if whole is not None:
                    break
                if self._ended:
                    raise self._exited()
                now = time.monotonic()
                if now - checked >= _TICK_MS / 1000:
                    started += max(0.0, now - checked - _LOOK_S)
                    checked = now
                    self._watch(now - started)
            self._family.halt()
            return whole
        except BrokenPipeError:
            raise self._exited() from None
        finally:
            if left:
                self._poll.unregister(self._in)
            self.wall_s += min(time.monotonic(), checked + _LOOK_S) - started

    def settle(self) -> None:
        """Charge what the call that has just been answered has cost. Raises PlayerFault over a limit."""
        self.measure()
        self._enforce(0.0)

    def measure(self) -> None:
        """Bring `cpu_s` and `memory_mb` up to date; a program that is gone keeps what it had."""
        if not self.gone:
            self._family.measure()
            self.cpu_s = self._family.cpu_s

    def output(self) -> list[Captured]:
        """What it wrote to stderr since the last call."""
        if not self.gone:
            pipes.drain(self._err, self._read_errors)
        taken = self._errors.take()
        return [] if taken is None else [taken]

    def close(self, farewell: str = "") -> None:
        """End it, and everything that it has started. A line of farewell gives it a moment to end by itself."""
        if farewell and not self.gone and not self._ended:
            with contextlib.suppress(OSError):
                os.write(self._in, farewell.encode() + b"\n")
                self._family.resume()
                self._await_end(0.2)
        self._kill()
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.close()

    def _write(self, left: bytes) -> bytes:
        with contextlib.suppress(BlockingIOError):
            left = left[os.write(self._in, left) :]
        if not left:
            self._poll.unregister(self._in)
        return left

    def _read_answer(self) -> bool:
        """Take in what is on its stdout; False at its end."""
        try:
            data = os.read(self._out, 65_536)
        except BlockingIOError:
            return True
        self._answer += data.replace(b"\r", b"")
        return bool(data)

    def _whole_answer(self) -> str | None:
        """The answer, if it is there; what follows it stays behind. Raises PlayerFault for one that is too long."""
        start = len(self._answer) - len(self._answer.lstrip(b"\n"))
        end = self._answer.find(b"\n\n", start)
        if end < 0:
            if len(self._answer) > MAX_ANSWER:
                raise self._fault("protocol", f"its answer has more than {MAX_ANSWER:,} bytes and no end")
            return None
        whole = self._answer[start:end].decode(errors="backslashreplace")
        del self._answer[: end + 2]
        return whole

    def _watch(self, call_s: float) -> None:
        """Look at the running program. Raises PlayerFault when it has gone over a limit."""
        self.measure()
        self._enforce(_OVERSHOOT_MB)
        for limit, spent, what in (
            (self._limits.call_wall_s, call_s, "in one call"),
            (self._limits.match_wall_s, self.wall_s + call_s, "in this match"),
        ):
            if limit is not None and spent > limit and spent - self._family.queued_s() > limit:
                detail = (
                    f"it took {spent:.1f} s {what}, of which the CPU was busy for {self.cpu_s:.2f} s; "
                    f"more than {limit:g} s of waiting or sleeping is not allowed"
                )
                raise self._fault("wall-clock guard", detail)

    def _enforce(self, overshoot_mb: float) -> None:
        limit, own, used = self._limits.cpu_s, self._own_limit_mb, self.memory_mb - overshoot_mb
        if limit is not None and self.cpu_s > limit:
            detail = f"it used {self.cpu_s:.2f} s of CPU time in this match; the limit is {limit:g} s"
            raise self._fault("time limit", detail)
        grown = f"its memory grew to {self.memory_mb:.0f} MB"
        if own is not None and used > own:
            raise self._fault("memory limit", f"{grown}; the limit is {own:g} MB")
        if used > self._ceiling_mb:
            raise self._fault("memory limit", f"{grown}; above {self._ceiling_mb:.0f} MB this computer is at risk")
        if self._family.threads > _THREADS:
            detail = f"it had {self._family.threads} threads at once; more than {_THREADS} are not allowed"
            raise self._fault("memory limit", detail)

    def _fault(self, cause: Cause, detail: str) -> PlayerFault:
        self.measure()
        self._kill()
        return PlayerFault(cause, self._call, detail)

    def _exited(self) -> PlayerFault:
        """The fault of a program that has closed its stdout or stdin."""
        if not self._ended:
            self._await_end(2.0)
        word, _, number = self._ended.partition(" ")
        if word == "failed":
            return self._fault("player exited", f"it cannot be run: {os.strerror(int(number))}")
        if word == "lost":
            return self._fault("player exited", "it has killed the process that watches over it")
        how = pipes.describe(os.waitstatus_to_exitcode(int(number))) if number else "closed its stdin or stdout"
        return self._fault("player exited", f"it {how}")

    def _hear(self) -> None:
        """Take in what its guardian tells."""
        with contextlib.suppress(OSError):
            data = self._lifeline.recv(4_096)
            *lines, self._news = (self._news + data).split(b"\n")
            for word, _, number in (line.decode().partition(" ") for line in lines):
                if word == "runs":
                    self._leader = int(number)
                else:
                    self._ended = self._ended or f"{word} {number}"
            if not data:
                self._ended = self._ended or "lost"

    def _await_end(self, seconds: float) -> None:
        """Wait so long for news of the program's end."""
        until = time.monotonic() + seconds
        while not self._ended and (left := until - time.monotonic()) > 0:
            select.select([self._lifeline], [], [], left)
            self._hear()

    def _kill(self) -> None:
        if self.gone:
            return
        self.gone = True
        with contextlib.suppress(OSError):
            self._poll.unregister(self._lifeline.fileno())
            self._lifeline.shutdown(socket.SHUT_RDWR)
        self._lifeline.close()
        try:
            self._guardian.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:  # somebody has halted it, or it cannot kill all
            self._family.kill()
            self._guardian.kill()
            self._guardian.wait()
        if self._ended == "lost" and self._leader:
            with contextlib.suppress(OSError):
                os.killpg(self._leader, signal.SIGKILL)
        pipes.drain(self._err, self._read_errors)


def _shown(data: bytes | bytearray) -> str:
    text = data[:60].decode(errors="backslashreplace").strip()
    return repr(text + "..." if len(data) > 60 else text)

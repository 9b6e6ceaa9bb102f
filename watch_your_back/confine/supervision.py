"""One player's process under limits: one question at a time, measured and watched from outside."""

from __future__ import annotations

import contextlib
import math
import time
from typing import Any

from watch_your_back.confine import protocol, runner
from watch_your_back.confine.capture import Captured
from watch_your_back.confine.faults import CALLS, Cause, ConfinementError, PlayerFault, reported_fault
from watch_your_back.confine.handle import Handle
from watch_your_back.confine.limits import Limits
from watch_your_back.confine.polling import POLLIN, POLLOUT, poller
from watch_your_back.confine.resting import SOON_S, Resting
from watch_your_back.confine.scratch import MOST_KB

__all__ = ["Supervised"]

_SOON_MS, _TICK_MS = int(1000 * SOON_S), 10
"""How long an answer is waited for at first, and how often a running player's clocks and memory are looked at then."""
_AT_ONCE = 32_768
"""Bytes that a channel surely takes although nobody reads."""
_SAMPLE_CPU_S = 0.005
"""CPU time between two measurements of memory: in less, a player cannot bring in more than the slack of RLIMIT_AS. The
peak is the kernel's own, so that nothing is missed, only noticed a few quick turns later."""
_OUR_FRAMES = f'  File "{runner.__file__}"'
_OVERSHOOT_KB = 32 * 1024
"""Above the limit, where a running player is killed at once; up to it, RLIMIT_AS gives it a MemoryError first."""
_THREADS = 256
"""What a player may start at most: the system has a limited number of them for all."""
_LOOK_S = 0.1
"""What elapses at most between two looks at a player: more is the referee's own pause (Ctrl-Z, a busy computer)."""


class Supervised:
    """A player's process as the match sees it.

    `ask` sends one message and waits for its reply while the limits are watched; `settle` then charges what the call
    cost. Both raise PlayerFault; after one that the process has not told of itself, it is `gone`: killed, since nothing
    more can come of it. `cpu_s`, `wall_s` and `memory_mb` are the sums and the peak so far. `resting`, which it shares
    with the other players of its match, tells when it is stopped between its answers.
    """

    def __init__(self, handle: Handle, limits: Limits, ceiling_mb: float, resting: Resting) -> None:
        self.cpu_s = 0.0
        self.wall_s = 0.0
        self.gone = False
        self._handle = handle
        self._resting = resting
        resting.processes.append(self)
        self._halted = False
        self._printed = False
        self._limits = limits
        self._by_address_space = limits.profile == "official-2018"
        self._ceiling_mb = ceiling_mb
        self._own_limit_mb = None if self._by_address_space else limits.memory_mb
        self._baseline_kb: int | None = None  # until it has said hello, nothing is charged
        self.memory_mb = 0.0
        self._files_kb = 0
        self._threads = 0
        self._cpu_at_start = 0.0
        self._cpu_at_sample = 0.0
        self._cpu_unlooked = 0.0  # up to this much CPU time, `settle` has nothing to look at
        self._number = 0
        self._bound = False
        self._call = "import"
        self._inbox = protocol.Inbox()
        self._writing = False
        self._channel = handle.channel.fileno()
        self._send, self._receive = handle.channel.send, handle.channel.recv
        self._poll = poller()
        # The channel first: what the player printed before it answered is then seen in the same round.
        self._poll.register(self._channel, POLLIN)
        for descriptor in handle.readers:
            self._poll.register(descriptor, POLLIN)

    def hello(self) -> dict[str, Any]:
        """The process's first message, sent before it knows of any agent. Raises ConfinementError if it has none."""
        try:
            message = self._exchange(b"")
        except PlayerFault:
            ending = self._handle.end()
            printed = "".join(f"\n{each.text}" for each in self.output())
            raise ConfinementError(f"a player's process {ending} before any agent was loaded{printed}") from None
        memory = self._handle.memory()
        self._baseline_kb = memory.address_space if self._by_address_space else memory.resident
        self._cpu_at_start = self._handle.cpu_s()
        return message

    @property
    def ready(self) -> bool:
        """Whether it has locked itself down and said so."""
        return self._baseline_kb is not None

    def stay_on(self, processor: int) -> None:
        """Keep the process on the referee's processor until it takes long over an answer, then where there is room."""
        if not self._bound:
            with contextlib.suppress(OSError):
                self._handle.bind(processor)
                self._bound = True

    def halt(self) -> None:
        """Stop it until it is asked again, unless no agent's code can run in it yet."""
        if self._baseline_kb is not None and not (self._halted or self.gone):  # a number may be another's by then
            with contextlib.suppress(OSError):
                self._handle.stop()
                self._halted = True

    def ask(self, message: dict[str, Any], call: str) -> dict[str, Any]:
        """The reply to a message about this call. Raises PlayerFault."""
        self._call = call
        number = self._number = self._number + 1
        message["id"] = number
        reply = self._exchange(protocol.encode(message))
        if reply.get("id") != number:
            raise self.refusal()
        if "fault" in reply:
            raise reported_fault(reply["fault"], call)
        return reply

    def refusal(self) -> PlayerFault:
        """The fault of a reply that makes no sense, which only the player itself can have sent."""
        return self._fault("protocol", "it answered on the referee's channel with a message that nobody asked for")

    def settle(self) -> None:
        """Charge CPU time and memory of the call that has just been answered. Raises PlayerFault over a limit."""
        try:
            self.cpu_s = self._handle.cpu_s() - self._cpu_at_start
            if self.cpu_s <= self._cpu_unlooked:
                return  # nearly every turn of a quick player
            if self.cpu_s - self._cpu_at_sample > _SAMPLE_CPU_S:
                self._sample_memory()
        except OSError:
            raise self._exited() from None
        self._enforce(0)
        limit = self._limits.cpu_s
        self._cpu_unlooked = min(self._cpu_at_sample + _SAMPLE_CPU_S, math.inf if limit is None else limit)

    def measure(self) -> None:
        """Bring `cpu_s` and `memory_mb` up to date; a process that is gone keeps what it had."""
        if self._baseline_kb is not None:
            with contextlib.suppress(OSError):
                self._measure_cpu()
                self._sample_memory()

    def _sample_memory(self) -> None:
        """Read the process's memory now. Raises OSError when it is gone."""
        self._cpu_at_sample = self.cpu_s
        memory, baseline = self._handle.memory(), self._baseline_kb or 0
        used = memory.address_space if self._by_address_space else max(memory.resident, memory.peak) + memory.files
        self.memory_mb = max(self.memory_mb, (used - baseline) / 1024)
        self._files_kb, self._threads = memory.files, memory.threads

    def output(self) -> list[Captured]:
        """What the player printed since the last call."""
        if not self._printed:
            return []
        self._printed = False
        return [taken for capture in self._handle.captures if (taken := capture.take()) is not None]

    def close(self) -> None:
        """End the process; nothing can be asked any more."""
        with contextlib.suppress(ValueError):
            self._resting.processes.remove(self)
        if self._bound:  # it is taken down where nobody waits for the processor
            with contextlib.suppress(OSError):
                self._handle.leave()
        self._handle.close()

    def _exchange(self, frame: bytes) -> dict[str, Any]:
        inbox, channel, resting = self._inbox, self._channel, self._resting
        now = started = checked = time.monotonic()
        at_once = self._call != "action" or started - resting.answered > SOON_S
        try:
            if self._halted and len(frame) > _AT_ONCE:
                self._resume()  # it has to read while this is written
            frame = self._write(frame)
            if self._halted:
                self._resume()
            poll, patience, body = self._poll.poll, _SOON_MS, None
            while True:
                for descriptor, event in poll(patience):
                    if descriptor == channel:
                        if event & POLLOUT:
                            frame = self._write(frame)
                        if event & ~POLLOUT:
                            received = self._receive(65_536)
                            if not received:
                                raise BrokenPipeError
                            body = inbox.take(received)
                    else:
                        self._printed = True
                        if not self._handle.readers[descriptor]():
                            self._poll.unregister(descriptor)
                now = time.monotonic()
                if body is not None:
                    break
                if patience == _SOON_MS and now - started > SOON_S:
                    resting.stop(self)
                    patience = _TICK_MS
                if now - checked >= _TICK_MS / 1000:
                    started += max(0.0, now - checked - _LOOK_S)
                    checked = now
                    self._watch(now - started)
            resting.answered = now
            if at_once:
                resting.stop()
            if inbox.data:
                raise protocol.ProtocolError("more than one message")
            return protocol.decode(body)
        except protocol.ProtocolError as error:
            raise self._fault("protocol", f"it wrote on the referee's channel itself ({error})") from None
        except OSError:
            raise self._exited() from None
        finally:
            self.wall_s += min(now, checked + _LOOK_S) - started

    def _resume(self) -> None:
        self._halted = False
        self._handle.resume()

    def _write(self, frame: bytes) -> bytes:
        if frame:
            try:
                frame = frame[self._send(frame) :]
            except BlockingIOError:
                self._writing = True
            if frame or self._writing:
                self._writing = bool(frame)
                self._poll.modify(self._channel, POLLIN | POLLOUT if frame else POLLIN)
        return frame

    def _watch(self, call_s: float) -> None:
        """Look at a running player. Raises PlayerFault when it has gone over a limit, OSError when it is gone."""
        if self._bound:
            self._bound = False
            self._handle.spread()
        if self._baseline_kb is None:
            return
        self._measure_cpu()
        self._sample_memory()
        self._enforce(_OVERSHOOT_KB)
        for limit, spent, what in (
            (self._limits.call_wall_s, call_s, "in one call"),
            (self._limits.match_wall_s, self.wall_s + call_s, "in this match"),
        ):
            if limit is not None and spent > limit and spent - self._handle.queued_s() > limit:
                detail = (
                    f"it took {spent:.1f} s {what}, of which the CPU was busy for {self.cpu_s:.2f} s; "
                    f"more than {limit:g} s of waiting or sleeping is not allowed"
                )
                raise self._fault("wall-clock guard", detail, self._where())

    def _measure_cpu(self) -> None:
        self.cpu_s = self._handle.cpu_s() - self._cpu_at_start

    def _enforce(self, overshoot_kb: int) -> None:
        broken = self._broken_limit(overshoot_kb)
        if broken is not None:
            raise self._fault(*broken, self._where() if overshoot_kb else "")

    def _broken_limit(self, overshoot_kb: int) -> tuple[Cause, str] | None:
        limit = self._limits.cpu_s
        if limit is not None and self.cpu_s > limit:
            return "time limit", f"it used {self.cpu_s:.2f} s of CPU time in this match; the limit is {limit:g} s"
        own, ceiling, used = self._own_limit_mb, self._ceiling_mb, self.memory_mb - overshoot_kb / 1024
        if own is not None and used > own:
            grown = f"its memory, with the files it wrote, grew to {self.memory_mb:.0f} MB"
            return "memory limit", f"{grown}; the limit is {own:g} MB"
        if used > ceiling:
            grown = f"its memory grew to {self.memory_mb:.0f} MB"
            return "memory limit", f"{grown}; above {ceiling:.0f} MB this computer is at risk"
        if self._threads > _THREADS:
            return "memory limit", f"it had {self._threads} threads at once; more than {_THREADS} are not allowed"
        if self._files_kb > MOST_KB:
            return "memory limit", f"it wrote files of more than {MOST_KB // 1024} MB, or where nobody can look"
        return None

    def _where(self) -> str:
        """The frames of a player that is about to be killed; tells also in which call it is."""
        frames = self._handle.where()
        for call in CALLS:
            if f" in call_{call}" in frames:
                self._call = call
        return frames.partition(_OUR_FRAMES)[0]

    def _fault(self, cause: Cause, detail: str, traceback: str = "") -> PlayerFault:
        self._handle.kill()
        self.gone = self._printed = True
        return PlayerFault(cause, self._call, detail, traceback)

    def _exited(self) -> PlayerFault:
        return self._fault("player exited", f"its process {self._handle.end()}")

"""Players' processes forked from a zygote: the strong tiers, on Linux."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from typing import Any

from watch_your_back.confine import memory, pipes
from watch_your_back.confine.capture import Capture
from watch_your_back.confine.environment import HASH_SEED, command, player_environment
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.confine.handle import Memory
from watch_your_back.confine.scratch import Scratch

__all__ = ["ForkedHandle", "Zygote"]


class Zygote:
    """A running zygote. One match at a time may use it; it ends with this object or with the referee's process.

    Raises ConfinementError when it cannot be started.
    """

    def __init__(self, *, numpy: bool = True, hash_seed: int = HASH_SEED) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._owner = os.getpid()
        self._control = ours
        with theirs:
            try:
                self._process = subprocess.Popen(
                    command("zygote", theirs.fileno(), numpy),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                    env=player_environment(hash_seed),
                )
            except OSError as error:
                raise ConfinementError(f"cannot start the players' zygote: {error}") from None

    def spawn(self, request: dict[str, Any], descriptors: list[int]) -> int:
        """The process id of a new player's process, which locks itself down from now on."""
        self._send({"op": "spawn", **request}, descriptors)
        return int(self._reply()["pid"])

    def end(self, pid: int) -> dict[str, Any]:
        """Kill and reap a player: its wait status and total CPU seconds."""
        self._send({"op": "end", "pid": pid})
        return self._reply()

    def kill(self, pid: int) -> None:
        """Kill a player without waiting for its end."""
        self._send({"op": "kill", "pid": pid})

    @property
    def alive(self) -> bool:
        """Whether it is still running; a player that is confined too weakly may have killed it."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the zygote and all its players. A copy of this object in a forked process leaves them alone."""
        self._control.close()
        if self._owner == os.getpid():
            self._process.wait()

    def _send(self, request: dict[str, Any], descriptors: list[int] | None = None) -> None:
        try:
            socket.send_fds(self._control, [json.dumps(request).encode()], descriptors or [])
        except OSError as error:
            raise ConfinementError(f"the players' zygote is gone ({error.strerror})") from None

    def _reply(self) -> dict[str, Any]:
        reply = self._receive()
        if "error" in reply:
            raise ConfinementError(reply["error"])
        return reply

    def _receive(self) -> dict[str, Any]:
        try:
            packet = self._control.recv(1 << 20)
        except OSError:
            packet = b""
        if not packet:
            raise ConfinementError("the players' zygote is gone; its messages are above")
        reply: dict[str, Any] = json.loads(packet)
        return reply


class ForkedHandle:
    """A player's process forked from a zygote. Implements `handle.Handle`.

    `preload` is a module that the zygote imports for all players, `address_space` how many bytes this one may map above
    its baseline, `without` the locks that are to be left off.
    """

    def __init__(
        self,
        zygote: Zygote,
        *,
        path: str,
        root: str,
        preload: str | None = None,
        address_space: int | None = None,
        without: tuple[str, ...] = (),
    ) -> None:
        self._zygote = zygote
        self._ended: str | None = None
        self.captures = (Capture("stdout"), Capture("stderr"))
        self.readers: dict[int, Callable[[], bool]] = {}
        request: dict[str, Any] = {"path": path, "root": root, "preload": preload}
        request |= {"address_space": address_space, "without": without}
        with contextlib.ExitStack() as files:
            self._scratch = Scratch()
            files.callback(self._scratch.remove)
            self._pid = self._spawn(request | {"scratch": self._scratch.path}, files)
            self._status = os.open(f"/proc/{self._pid}/status", os.O_RDONLY | os.O_CLOEXEC)
            files.callback(os.close, self._status)
            self._files = files.pop_all()
        self._clock = (~self._pid << 3) | 2  # the kernel's number for a process's CPU clock

    def _spawn(self, request: dict[str, Any], files: contextlib.ExitStack) -> int:
        self.channel, theirs = socket.socketpair()
        files.callback(self.channel.close)
        self.channel.setblocking(False)
        with contextlib.ExitStack() as given:
            given.callback(theirs.close)
            descriptors = [theirs.fileno()]
            for capture in self.captures:
                reading, writing = os.pipe()
                files.callback(os.close, reading)
                given.callback(os.close, writing)
                self.readers[reading] = pipes.reader(reading, capture)
                descriptors.append(writing)
            return self._zygote.spawn(request, descriptors)

    def cpu_s(self) -> float:
        return time.clock_gettime(self._clock)

    def memory(self) -> Memory:
        kb = memory.parse(os.pread(self._status, 4096, 0))
        if not kb:
            raise ProcessLookupError
        written = self._scratch.size_kb()
        resident = kb["RssAnon"] + kb["RssShmem"] + kb["VmSwap"] + written
        return Memory(resident, kb["VmHWM"] - kb["RssFile"] + written, kb["VmPeak"])

    def resume(self) -> None:
        os.kill(self._pid, signal.SIGCONT)

    def bind(self, processor: int) -> None:
        self._allowed = os.sched_getaffinity(self._pid)
        os.sched_setaffinity(self._pid, {processor})

    def spread(self) -> None:
        os.sched_setaffinity(self._pid, self._allowed)

    def stop(self) -> None:
        os.kill(self._pid, signal.SIGSTOP)

    def where(self) -> str:
        descriptor, read = list(self.readers.items())[1]
        return pipes.where(self._pid, descriptor, read, self.captures[1])

    def end(self) -> str:
        if self._ended is None:
            by_itself = self._is_zombie()
            code = os.waitstatus_to_exitcode(self._zygote.end(self._pid)["status"])
            for descriptor, read in self.readers.items():
                pipes.drain(descriptor, read)
            self._ended = pipes.describe(code) if by_itself else "closed its channel to the referee"
        return self._ended

    def close(self) -> None:
        if self._ended is None:
            self._ended = "was ended by the referee"
            with contextlib.suppress(ConfinementError):
                self._zygote.kill(self._pid)
        self._files.close()

    def _is_zombie(self) -> bool:
        """Whether the process has ended by itself, waiting a moment for one that is about to."""
        for _ in range(50):
            try:
                with open(f"/proc/{self._pid}/stat", "rb") as stat:
                    if stat.read().rpartition(b")")[2].split()[0] in b"ZX":
                        return True
            except OSError:
                return True
            time.sleep(0.001)
        return False

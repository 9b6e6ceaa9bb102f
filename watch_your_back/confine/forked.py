"""Players' processes forked from a zygote: the strong tiers, on Linux."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
import stat
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from watch_your_back.confine import memory, pipes, scratch
from watch_your_back.confine.capture import Capture
from watch_your_back.confine.environment import HASH_SEED, command, player_environment
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.confine.handle import Memory
from watch_your_back.confine.processors import queued_s
from watch_your_back.confine.runner import CHANNEL

__all__ = ["ForkedHandle", "Zygote"]

_SIGCONT, _SIGSTOP = int(signal.SIGCONT), int(signal.SIGSTOP)


class Zygote:
    """A running zygote. One match at a time may use it; it ends with this object or with the referee's process.

    Raises ConfinementError when it cannot be started.
    """

    def __init__(self, *, numpy: bool = True, hash_seed: int = HASH_SEED) -> None:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most != resource.RLIM_INFINITY and most <= CHANNEL:
            raise ConfinementError(f"a player's process needs {CHANNEL + 1} descriptors, but ulimit -n is {most} here")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._owner = os.getpid()
        self._control = ours
        self._number = 0
        self._scratch: deque[str] = deque(maxlen=8)  # all that it may not have deleted yet
        with theirs:
            try:
                self._process = subprocess.Popen(
                    command("confine.zygote", theirs.fileno(), numpy),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                    env=player_environment(hash_seed),
                )
                resource.prlimit(self._process.pid, resource.RLIMIT_NOFILE, (most, most))
            except OSError as error:
                raise ConfinementError(f"cannot start the players' zygote: {error}") from None

    def spawn(self, request: dict[str, Any], descriptors: list[int]) -> tuple[int, str]:
        """The id and the scratch directory of a new player's process, which locks itself down from now on.

        The zygote makes the directory, and deletes it when the process has ended: then none is left behind if the
        referee ends in between.
        """
        reply = self._ask({"op": "spawn", "parent": tempfile.gettempdir(), **request}, descriptors)
        self._scratch.append(reply["scratch"])
        return reply["pid"], reply["scratch"]

    def end(self, pid: int) -> dict[str, Any]:
        """Kill and reap a player: its wait status and total CPU seconds."""
        return self._ask({"op": "end", "pid": pid})

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
            for directory in self._scratch:  # if something has killed it, they are there still
                scratch.remove(directory)

    def _ask(self, request: dict[str, Any], descriptors: Sequence[int] = ()) -> dict[str, Any]:
        self._number += 1
        self._send(request | {"number": self._number}, descriptors)
        while True:
            reply: dict[str, Any] = json.loads(self._receive())
            if reply["number"] == self._number:  # not of an earlier request whose wait was interrupted
                break
        if "error" in reply:
            raise ConfinementError(reply["error"])
        return reply

    def _send(self, request: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        try:
            socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)
        except OSError as error:
            raise ConfinementError(f"the players' zygote is gone ({error.strerror})") from None

    def _receive(self) -> bytes:
        try:
            packet = self._control.recv(65_536)
        except OSError:
            packet = b""
        if not packet:
            raise ConfinementError("the players' zygote is gone; its messages are above")
        return packet


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
        self._file_kb = 0
        self.captures = (Capture("stdout"), Capture("stderr"))
        self.readers: dict[int, Callable[[], bool]] = {}
        request: dict[str, Any] = {"path": path, "root": root, "preload": preload}
        request |= {"address_space": address_space, "without": without}
        with contextlib.ExitStack() as files:
            self._pid, directory = self._spawn(request, files)
            self._scratch = scratch.Scratch(directory)
            self._status = os.open(f"/proc/{self._pid}/status", os.O_RDONLY | os.O_CLOEXEC)
            files.callback(os.close, self._status)
            self._files = files.pop_all()
        self._clock = (~self._pid << 3) | 2  # the kernel's number for a process's CPU clock

    def _spawn(self, request: dict[str, Any], files: contextlib.ExitStack) -> tuple[int, str]:
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

    def queued_s(self) -> float:
        return queued_s(self._pid)

    def memory(self) -> Memory:
        kb = memory.parse(os.pread(self._status, 16_384, 0))
        if not kb:
            raise ProcessLookupError
        # What was mapped from files and is no more, or was dropped by the kernel, is in the peak of everything still.
        self._file_kb = max(self._file_kb, kb["RssFile"])
        resident = kb["RssAnon"] + kb["RssShmem"] + kb["VmSwap"]
        files = self._scratch.size_kb() + self._unlinked_kb()
        return Memory(resident, kb["VmHWM"] - self._file_kb, kb["VmPeak"], files, kb["Threads"])

    def _unlinked_kb(self) -> int:
        """What is in files that have no name any more but are open; 0 where the system does not let us look."""
        total = 0
        with contextlib.suppress(OSError), os.scandir(f"/proc/{self._pid}/fd") as descriptors:
            for descriptor in descriptors:
                with contextlib.suppress(OSError):
                    file = descriptor.stat()
                    if file.st_nlink == 0 and stat.S_ISREG(file.st_mode):
                        total += scratch.size_kb(file)
        return total

    def resume(self) -> None:
        os.kill(self._pid, _SIGCONT)

    def bind(self, processor: int) -> None:
        self._allowed, self._processor = os.sched_getaffinity(self._pid), processor
        os.sched_setaffinity(self._pid, {processor})

    def leave(self) -> None:
        os.sched_setaffinity(self._pid, self._allowed - {self._processor} or self._allowed)

    def spread(self) -> None:
        os.sched_setaffinity(self._pid, self._allowed)
        with contextlib.suppress(OSError):  # the threads that it has started meanwhile are kept there too
            for thread in os.listdir(f"/proc/{self._pid}/task"):
                with contextlib.suppress(OSError):
                    os.sched_setaffinity(int(thread), self._allowed)

    def stop(self) -> None:
        os.kill(self._pid, _SIGSTOP)

    def where(self) -> str:
        descriptor, read = list(self.readers.items())[1]
        return pipes.where(self._pid, descriptor, read, self.captures[1])

    def kill(self) -> None:
        if self._ended is None:
            self._ended = self._reaped()

    def end(self) -> str:
        if self._ended is None:
            by_itself = self._is_zombie()
            how = self._reaped()
            self._ended = how if by_itself else "closed its channel to the referee"
        return self._ended

    def _reaped(self) -> str:
        status = self._zygote.end(self._pid)["status"]
        for descriptor, read in self.readers.items():
            pipes.drain(descriptor, read)
        return pipes.describe(os.waitstatus_to_exitcode(status))

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
                with open(f"/proc/{self._pid}/stat", "rb") as line:
                    if line.read().rpartition(b")")[2].split()[0] in b"ZX":
                        return True
            except OSError:
                return True
            time.sleep(0.001)
        return False

"""Players' processes started afresh: the tier `process`, for systems without a zygote, and for tests everywhere.

Weaker than `forked`: nothing is locked but what the system's own limits offer, a player may read and write what its
user may, and starting takes a whole interpreter. Clocks, memory and the end of its children come from psutil.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable
from typing import IO, Any

import psutil

from watch_your_back.confine import pipes, scratch
from watch_your_back.confine.capture import Capture
from watch_your_back.confine.environment import command, player_environment
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.confine.handle import Memory
from watch_your_back.confine.processors import queued_s

__all__ = ["SpawnedHandle"]

_POSIX = os.name == "posix"
_START_S = 60.0
"""Seconds of patience with a process that is to come up."""


class SpawnedHandle:
    """A player's process with an interpreter of its own. Implements `handle.Handle`.

    `address_space` is how many bytes it may map above its baseline, where the system can limit that. Raises
    ConfinementError when it does not come up.
    """

    def __init__(self, *, root: str, address_space: int | None, numpy: bool, hash_seed: int) -> None:
        self._files = contextlib.ExitStack()
        self._ended: str | None = None
        self._scratch = scratch.Scratch(scratch.make(tempfile.gettempdir()))
        self._files.callback(scratch.remove, self._scratch.path)
        self.captures = (Capture("stdout"), Capture("stderr"))
        self.readers: dict[int, Callable[[], bool]] = {}
        places = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), self._scratch.path)
        options: dict[str, Any] = {"cwd": root, "env": player_environment(hash_seed) | places}
        options |= dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        about: dict[str, Any] = {"address_space": address_space, "numpy": numpy, "referee": os.getpid()}
        about["scratch"] = self._scratch.path
        try:
            self._start(about, options)
            self._known = psutil.Process(self._process.pid)
        except (OSError, psutil.Error) as error:
            self._files.close()
            raise ConfinementError(f"a player's process did not come up: {error}") from None
        self.channel.setblocking(False)
        self._files.callback(self.channel.close)
        self._listen()

    def _start(self, about: dict[str, Any], options: dict[str, Any]) -> None:
        if _POSIX:
            self.channel, theirs = socket.socketpair()
            with theirs:
                about["channel"] = theirs.fileno()
                # A group of its own is spared the terminal's Ctrl-C, and hung up on when the referee is gone.
                options |= {"pass_fds": [theirs.fileno()], "process_group": 0}
                self._process = subprocess.Popen(command("confine.portable", about), **options)
            return
        token = os.urandom(16)
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(_START_S)
            about |= {"port": server.getsockname()[1], "token": token}
            self._process = subprocess.Popen(command("confine.portable", about), creationflags=0x200, **options)
            while True:
                self.channel, _ = server.accept()
                self.channel.settimeout(_START_S)
                if self.channel.recv(len(token)) == token:
                    break
                self.channel.close()

    def _listen(self) -> None:
        streams: tuple[IO[bytes], IO[bytes]] = (self._process.stdout, self._process.stderr)  # type: ignore[assignment]
        self._files.callback(self._process.stdin.close)  # type: ignore[union-attr]
        for stream, capture in zip(streams, self.captures, strict=True):
            if _POSIX:
                self._files.callback(stream.close)
                self.readers[stream.fileno()] = pipes.reader(stream.fileno(), capture)
            else:
                threading.Thread(target=_pump, args=(stream, capture), daemon=True).start()

    def cpu_s(self) -> float:
        with _gone():
            times = self._known.cpu_times()
        return sum(times[:4])  # its own and that of the children it has waited for

    def queued_s(self) -> float:
        return queued_s(self._process.pid)

    def memory(self) -> Memory:
        with _gone():
            memory, threads = self._known.memory_info(), self._known.num_threads()
        peak = getattr(memory, "peak_wset", memory.rss)
        files = self._scratch.size_kb()
        return Memory(memory.rss // 1024, peak // 1024, memory.vms // 1024, files, threads)

    def resume(self) -> None:
        with _gone():
            self._known.resume()

    def bind(self, processor: int) -> None:
        """Left to the system, as are `spread` and `leave`."""

    def spread(self) -> None:
        """See `bind`."""

    leave = spread

    def stop(self) -> None:
        with _gone():
            self._known.suspend()

    def where(self) -> str:
        if not _POSIX:
            return ""
        descriptor, read = list(self.readers.items())[1]
        return pipes.where(self._process.pid, descriptor, read, self.captures[1])

    def kill(self) -> None:
        if self._ended is None:
            self._ended = "was ended by the referee"
            self._kill_family()
            for descriptor, read in self.readers.items():
                pipes.drain(descriptor, read)

    def end(self) -> str:
        if self._ended is None:
            try:
                self._process.wait(0.05)
                by_itself = True
            except subprocess.TimeoutExpired:
                by_itself = False
            self.kill()
            ended = pipes.describe(self._process.wait())
            self._ended = ended if by_itself else "closed its channel to the referee"
        return self._ended

    def close(self) -> None:
        self._kill_family()
        self._files.close()

    def _kill_family(self) -> None:
        """Kill it and what it has started, as far as that is still to be found."""
        family = [self._known]
        with contextlib.suppress(psutil.Error):
            family += self._known.children(recursive=True)
        for process in family:
            with contextlib.suppress(psutil.Error):
                process.kill()
        self._process.wait()


@contextlib.contextmanager
def _gone() -> Any:
    """Say as OSError what psutil says in its own way."""
    try:
        yield
    except psutil.Error as error:
        raise ProcessLookupError(str(error)) from None


def _pump(stream: IO[bytes], capture: Capture) -> None:
    while data := stream.read1(65_536):  # type: ignore[attr-defined]
        capture.feed(data)

"""What a player prints, bounded: the first and the last 64 KiB of each stream in a turn, and 1 MiB in a match."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Capture", "Captured"]

_END = 64 * 1024
_MATCH = 1024 * 1024


class Captured(NamedTuple):
    """One stream's output of one turn; `dropped` counts the bytes left out where the text says `[...]`."""

    stream: str
    text: str
    dropped: int


class Capture:
    """Collects one stream's bytes between two calls of `take`."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0
        self._left = _MATCH

    def feed(self, data: bytes) -> None:
        """Add what was read."""
        room = min(_END, self._left) - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail += data
            surplus = len(self._tail) - min(_END, max(0, self._left - len(self._head)))
            if surplus > 0:
                del self._tail[:surplus]
                self._dropped += surplus

    def divert(self) -> None:
        """Keep what comes from now on apart, for `diverted` to return."""
        self._aside = self._head, self._tail, self._dropped
        self._head, self._tail, self._dropped = bytearray(), bytearray(), 0

    def holds(self, text: bytes) -> bool:
        """Whether this is in what came first since `divert`."""
        return text in self._head

    def diverted(self) -> str:
        """What came since `divert`; the rest goes on as if nothing had happened."""
        text = self._head.decode(errors="backslashreplace")
        self._head, self._tail, self._dropped = self._aside
        return text

    def take(self) -> Captured | None:
        """What came since the last call, or None if nothing did. Bytes that are no UTF-8 appear as `\\xNN`."""
        if not self._head and not self._dropped:
            return None
        head = self._head.decode(errors="backslashreplace")
        tail = self._tail.decode(errors="backslashreplace")
        text = f"{head}\n[...]\n{tail}" if self._dropped else head + tail
        captured = Captured(self.stream, text, self._dropped)
        self._left -= len(self._head) + len(self._tail)
        self._head, self._tail, self._dropped = bytearray(), bytearray(), 0
        return captured

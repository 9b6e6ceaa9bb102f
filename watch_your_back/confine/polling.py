"""poll(2) where there is one, and the same three methods over select where there is not (Windows)."""

from __future__ import annotations

import select
from typing import Any

__all__ = ["POLLIN", "POLLOUT", "poller"]

POLLIN, POLLOUT = 0x001, 0x004


def poller() -> Any:
    """An object with `register`, `modify`, `unregister` and `poll(milliseconds or None)` as `select.poll` has them."""
    return select.poll() if hasattr(select, "poll") else _Select()


class _Select:
    def __init__(self) -> None:
        self._wanted: dict[int, int] = {}

    def register(self, descriptor: int, events: int) -> None:
        self._wanted[descriptor] = events

    modify = register

    def unregister(self, descriptor: int) -> None:
        del self._wanted[descriptor]

    def poll(self, milliseconds: int | None) -> list[tuple[int, int]]:
        reading = [each for each, events in self._wanted.items() if events & POLLIN]
        writing = [each for each, events in self._wanted.items() if events & POLLOUT]
        seconds = None if milliseconds is None else milliseconds / 1000
        readable, writable, _ = select.select(reading, writing, [], seconds)
        found = [(each, POLLIN) for each in readable]
        return found + [(each, POLLOUT) for each in writable]

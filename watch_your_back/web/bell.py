"""Telling everybody who listens that there is something new."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

__all__ = ["Bell", "News"]


class News:
    """What one listener has not heard of yet."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._event.set()

    def tell(self) -> None:
        """There is something new."""
        self._event.set()

    async def wait(self, seconds: float | None = None) -> bool:
        """Wait until there is something new, the first time not at all; False if nothing was for so long."""
        try:
            await asyncio.wait_for(self._event.wait(), seconds)
        except TimeoutError:
            return False
        self._event.clear()
        return True


class Bell:
    """Rings for all that listen at the moment, and for those that listen to the `other` one."""

    def __init__(self, other: Bell | None = None) -> None:
        self._other = other
        self._listeners: set[News] = set()

    def ring(self) -> None:
        """Tell all listeners."""
        for news in self._listeners:
            news.tell()
        if self._other is not None:
            self._other.ring()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[News]:
        """What rings as long as this goes on; a listener always hears at least of what was there before."""
        news = News()
        self._listeners.add(news)
        try:
            yield news
        finally:
            self._listeners.discard(news)

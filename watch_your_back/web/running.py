"""The process of one match, as the server sees it: started, fed with what people do, read line by line, and ended."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress

from watch_your_back.game import Action
from watch_your_back.match import Match
from watch_your_back.match.replaying import Refused
from watch_your_back.web import worker
from watch_your_back.web.course import Course

__all__ = ["Running"]

LONGEST_LINE = 8 << 20
"""Bytes of a line of a record: what players print is bounded by less."""


class Running:
    """A match in a process of its own. `course` is how far it has come; `changed` is called at every line of it."""

    def __init__(self, match: Match, wall_s: Sequence[float], changed: Callable[[], None]) -> None:
        self.course = Course()
        self.ended = False
        """Whether its process has ended."""
        self.acted_at = -1
        """The last turn for which a person's action was handed over."""
        self._match, self._wall_s, self._changed = match, wall_s, changed
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the process. Raises OSError."""
        self._process = await asyncio.create_subprocess_exec(
            *worker.COMMAND, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LONGEST_LINE, start_new_session=True
        )
        assert self._process.stdin is not None
        self._process.stdin.write(worker.order(self._match, self._wall_s))
        self._reading = asyncio.create_task(self._read())

    def act(self, turn: int, side: int, action: Action) -> None:
        """Hand over what a person at this side does at a turn: an action that was checked."""
        self.acted_at = turn
        if self._process and self._process.stdin and not self.ended:
            self._process.stdin.write(json.dumps({"side": side, "action": action}).encode() + b"\n")

    async def close(self) -> None:
        """End the process with all players, whatever they are doing."""
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            self._process.kill()
        if self._reading is not None:
            await self._reading
        await self._process.wait()

    async def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            async for line in self._process.stdout:
                self.course.take(line)
                self._changed()
        except (ValueError, Refused) as error:  # a line that cannot be, which is our fault
            self.course.refused = f"the referee told something that cannot be: {error}"
            self._process.kill()
        await self._process.wait()
        self.ended = True
        if self.course.begun and not self.course.over:
            self.course.refused = "the referee of this match has ended"
        elif not self.course.begun:
            self.course.refused = self.course.refused or "the referee of this match could not be started"
        self._changed()

"""Following the record of a match while another process writes it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from watch_your_back.match.replaying import Refused
from watch_your_back.web.course import Course

__all__ = ["grown"]

LOOK_S = 0.3
"""How often the file is looked at."""
LONGEST_LINE = 8 << 20
"""Bytes of a line."""
AT_ONCE = 4 << 20
"""Bytes that are read at once."""


async def grown(path: Path, stopping: asyncio.Event) -> AsyncIterator[Course | None]:
    """The course of the match whenever there is more of it, None in between; it ends with the match.

    A file that is replaced by another record is followed from its beginning.
    """
    course, rest = Course(), b""
    position, number = 0, -1
    while not stopping.is_set():
        try:
            about = path.stat()
            if about.st_ino != number or about.st_size < position:
                course, rest, position, number = Course(), b"", 0, about.st_ino
            with path.open("rb") as file:
                file.seek(position)
                more = file.read(AT_ONCE)
        except OSError:
            more = b""
        position += len(more)
        *lines, rest = (rest + more).split(b"\n")
        try:
            for line in filter(bytes.strip, lines):
                course.take(line)
            if len(rest) > LONGEST_LINE:
                raise ValueError("a line does not end")
        except (ValueError, Refused) as error:
            course.refused = f"the record cannot be followed any further: {error}"
        if lines and course.begun:
            yield course
        if course.over:
            return
        if not lines:
            yield None
            try:
                await asyncio.wait_for(stopping.wait(), LOOK_S)
            except TimeoutError:
                continue

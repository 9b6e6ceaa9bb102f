"""What a record tells in short, from its first and its last line alone: for lists of many."""

from __future__ import annotations

import gzip
import json
import time
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from watch_your_back.game import Game, UnknownGame
from watch_your_back.show.text import one_line

__all__ = ["LARGEST", "Summaries", "Summary"]

LARGEST = 64 << 20
"""Bytes of a record, unpacked."""
TAIL = 1 << 18
QUIET_S = 600
"""A record without an end that has not grown for so long belongs to a match that was broken off."""


class Summary(NamedTuple):
    """A match in one line of a list. `winner` is a side or None; `number` is that of a match in a store.

    `changed` is when the file was last written, in seconds; a match that goes on has no `reason`.
    """

    name: str
    game: str
    sides: tuple[str, str]
    agents: tuple[str, str]
    winner: int | None
    reason: str
    turns: int
    changed: float
    failed: bool = False
    number: int | None = None

    @property
    def live(self) -> bool:
        """Whether the match seems to be going on."""
        return not self.reason and self.name.endswith(".jsonl") and time.time() - self.changed < QUIET_S

    def has(self, words: list[str]) -> bool:
        """Whether all these words, in small letters, are in it."""
        text = "\n".join((self.name, self.game, *self.agents, self.reason)).lower()
        return all(word in text for word in words)

    def as_json(self) -> dict[str, Any]:
        """What the page is told."""
        return {
            "of": self.name,
            "match": self.number,
            "game": one_line(self.game),
            "sides": self.sides,
            "names": [one_line(agent) for agent in self.agents],
            "winner": self.winner,
            "reason": one_line(self.reason) or ("" if self.live else "broken off"),
            "turns": self.turns,
            "changed": self.changed,
            "failed": self.failed,
            "live": self.live,
        }


class Summaries:
    """Those of files, which are read again only where they have changed."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[tuple[int, int], Summary | None]] = {}

    def of(self, files: Mapping[str, Path]) -> Iterator[Summary]:
        """The summaries of the files that are records."""
        for gone in self._known.keys() - set(files.values()):
            self._known.pop(gone, None)
        for name, path in files.items():
            try:
                about = path.stat()
            except OSError:
                continue
            stamp = about.st_mtime_ns, about.st_size
            known = self._known.get(path)
            if known is None or known[0] != stamp:
                known = self._known[path] = stamp, _summary(name, path, about.st_mtime)
            if known[1] is not None:
                yield known[1]


def _summary(name: str, path: Path, changed: float) -> Summary | None:
    try:
        first, last = _ends(path)
        header = json.loads(first)
        sides = header["sides"]
        end: dict[str, Any] = next((line for line in map(_object, reversed(last)) if line), {})
        ended = end.get("event") == "end"
        turns = end["ply"] if ended else end.get("ply", -1) + 1
        return Summary(
            name,
            _title(header["game"]),
            (str(sides[0]), str(sides[1])),
            (str(header["agents"][sides[0]]["name"]), str(header["agents"][sides[1]]["name"])),
            sides.index(end["winner"]) if ended and end["winner"] is not None else None,
            str(end["reason"]) if ended else "",
            int(turns),
            changed,
            any(line.startswith(b'{"event":"failure"') for line in last),
        )
    except (OSError, EOFError, ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, zlib.error):
        return None  # which is no record, or none that says what it is


def _title(id: Any) -> str:
    try:
        return Game.load(str(id)).title
    except UnknownGame:
        return str(id)


def _ends(path: Path) -> tuple[bytes, list[bytes]]:
    """The first line, and the last ones."""
    if path.name.endswith(".gz"):
        with gzip.open(path) as packed:
            data = packed.read(LARGEST)
        return data.partition(b"\n")[0], data[-TAIL:].splitlines()
    with path.open("rb") as file:
        first = file.readline(1 << 20)
        size = file.seek(0, 2)
        file.seek(max(len(first), size - TAIL))
        return first, file.read().splitlines()


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return told if type(told) is dict else None

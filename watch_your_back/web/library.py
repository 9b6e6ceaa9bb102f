"""What there is to look at: the stores of tournaments and the records of matches in the folder that is served.

The browser names them by their paths within the folder, which are looked up among those that were found there.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from watch_your_back.match.record import Record, RecordError
from watch_your_back.sources import FOREIGN_FOLDERS
from watch_your_back.tournament.store import Store, StoreError, is_store
from watch_your_back.web.summaries import LARGEST, Summaries, Summary

__all__ = ["Library", "Missing"]

STORE_ENDINGS = (".db", ".sqlite", ".sqlite3")
RECORD_ENDINGS = (".jsonl", ".jsonl.gz")
DEPTH = 3
"""Levels of folders below the one that is served that are looked into."""
LOOKED_AT = 50_000
"""So many files and folders are looked at."""
PAGE = 100
"""So many matches are told of at once."""


class Missing(LookupError):
    """What was asked for is not there, or cannot be read; the message says why."""


class Found(NamedTuple):
    """Matches, of `total` that there are."""

    total: int
    matches: list[dict[str, Any]]


class Library:
    """The stores and records at a place: one file, or a folder with those below it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._summaries = Summaries()

    def stores(self) -> dict[str, Path]:
        """The stores of tournaments by their names."""
        return {name: path for name, path in self._files() if name.endswith(STORE_ENDINGS) and is_store(path)}

    def records(self) -> dict[str, Path]:
        """The files of records by their names."""
        return {name: path for name, path in self._files() if name.endswith(RECORD_ENDINGS)}

    def _files(self) -> Iterator[tuple[str, Path]]:
        if self.place.is_file():
            yield self.place.name, self.place
            return
        left = LOOKED_AT
        for here, folders, files in os.walk(self.place):
            depth = len(Path(here).relative_to(self.place).parts)
            folders[:] = sorted(
                name
                for name in folders
                if depth < DEPTH and name[0] != "." and name not in FOREIGN_FOLDERS and not name.endswith(".agents")
            )
            left -= len(folders) + len(files)
            if left < 0:
                return
            for name in sorted(files):
                if name[0] != "." and name.endswith((*STORE_ENDINGS, *RECORD_ENDINGS)):
                    path = Path(here, name)
                    yield path.relative_to(self.place).as_posix(), path

    def store(self, name: str) -> Path:
        """The store of this name. Raises Missing."""
        path = self.stores().get(name)
        if path is None:
            raise Missing("there is no tournament of this name")
        return path

    def record_file(self, name: str) -> Path:
        """The file of a record. Raises Missing."""
        path = self.records().get(name)
        if path is None:
            raise Missing("there is no record of this name")
        return path

    def data(self, name: str, number: int | None) -> bytes:
        """A record: a file, or the match of a store with this number. Raises Missing."""
        try:
            if number is None:
                path = self.record_file(name)
                if path.stat().st_size > LARGEST:
                    raise Missing(f"the file has more than {LARGEST >> 20} MB, which no record has")
                return path.read_bytes()
            with Store(self.store(name)) as store:
                found = store.record(number)
        except (OSError, StoreError) as error:
            raise Missing(str(error)) from None
        if found is None:
            raise Missing("there is no record of this match")
        return found

    def record(self, name: str, number: int | None) -> Record:
        """The same, read. Raises Missing."""
        return read(self.data(name, number))

    def summaries(self) -> list[Summary]:
        """What all record files tell in short, the newest first."""
        return sorted(self._summaries.of(self.records()), key=lambda each: each.changed, reverse=True)

    def search_records(self, words: list[str], skip: int) -> Found:
        """The records that have all these words in what is told of them."""
        found = [each for each in self.summaries() if each.has(words)]
        return Found(len(found), [each.as_json() for each in found[skip : skip + PAGE]])

    def search_store(self, name: str, words: list[str], agents: list[str], skip: int) -> Found:
        """The matches of a store that have all these words, and in which all these agents play. Raises Missing."""
        conditions, values = ["state IN ('counts', 'void')"], list[object]()
        for agent in agents:
            conditions.append("? IN (agent_0, agent_1)")
            values.append(agent)
        for word in words:
            conditions.append("(instr(lower(agent_0 || char(0) || agent_1 || char(0) || reason), ?) OR number = ?)")
            values += [word, int(word[1:] or -1) if word[0] == "#" and word[1:].isdecimal() else word]
        where = " AND ".join(conditions)
        try:
            with Store(self.store(name)) as store:
                settings = store.settings
                ((total,),) = store.rows(f"SELECT count(*) FROM matches WHERE {where}", *values)
                rows = store.rows(
                    "SELECT number, agent_0, agent_1, winner, reason, ply, ended, state,"
                    " EXISTS (SELECT 1 FROM failures WHERE match = number) FROM matches"
                    f" WHERE {where} ORDER BY number DESC LIMIT ? OFFSET ?",
                    *(*values, PAGE, skip),
                )
                game, sides = (settings.game.title, settings.game.sides) if settings else ("", ("", ""))
                return Found(total, [_row(name, game, sides, *row) for row in rows])
        except StoreError as error:
            raise Missing(str(error)) from None


def read(data: bytes) -> Record:
    """A record. Raises Missing."""
    try:
        return Record.load(io.BytesIO(data))
    except RecordError as error:
        raise Missing(f"the record cannot be read: {error}") from None


def _row(
    name: str,
    game: str,
    sides: tuple[str, str],
    number: int,
    first: str,
    second: str,
    winner: int | None,
    reason: str,
    turns: int,
    ended: float,
    state: str,
    failed: int,
) -> dict[str, Any]:
    told = Summary(name, game, sides, (first, second), winner, reason, turns, ended, bool(failed), number)
    return {**told.as_json(), "void": state == "void"}

"""The store of a tournament: one SQLite file with its settings, its agents, and every match with its record.

A match is written in one transaction as it ends, so whatever happens to the process, at most the matches in progress
are lost. Many processes may read while one writes. The tables are described in `docs/tournaments.md`.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from watch_your_back.agents import Agent
from watch_your_back.tournament.schedule import Fixture
from watch_your_back.tournament.schema import INSERT_MATCH, SCHEMA, VERSION
from watch_your_back.tournament.settings import Settings, SettingsError
from watch_your_back.tournament.tasks import MatchResult

__all__ = ["Entrant", "State", "Store", "StoreError", "StoreFull", "folder_of", "is_store", "store_files"]

State: TypeAlias = Literal["plays", "unfit", "benched", "disqualified", "withdrawn"]
"""`unfit`: refused by the intake. `benched`: could not start in its first matches. `withdrawn`: no longer entered."""


class StoreError(Exception):
    """The store cannot be read or written, or is none; the message is one line."""


class StoreFull(StoreError):
    """There is no room for another match; what was written before is safe."""


class Entrant(NamedTuple):
    """An agent of the tournament: where its copy is (None for an unfit one), the hash of it, and how it stands."""

    name: str
    spec: str
    sources: str
    agent: Agent | None
    state: State
    why: str
    findings: tuple[dict[str, Any], ...]


_CACHE_KB = 64 * 1024
"""What a reader keeps of the file: 100,000 matches without their records, which a report goes through many times."""


class Store:
    """A tournament's store, open for reading, or for writing by one process (see `exclusive.Lock`).

    A context manager. Everything raises StoreError.
    """

    def __init__(self, path: Path, *, write: bool = False) -> None:
        self.path = path
        self.folder = folder_of(path)
        """Where the agents' copies are."""
        # Who may write takes the files of the write-ahead log away in the end, also after reading.
        mode = "rwc" if write else "rw" if os.access(path, os.W_OK) else "ro"
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        with self._told():
            # For one thread; but what a generator leaves behind may be collected in one of a pool of workers.
            self._database = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=30, check_same_thread=False)
        try:
            self._prepare(write)
        except BaseException:
            self.close()
            raise

    def _prepare(self, write: bool) -> None:
        with self._told():
            self._database.execute(f"PRAGMA query_only = {not write}")
            if write:
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute(
                    "PRAGMA synchronous = NORMAL"
                )  # safe from kills; a power cut costs the last ones
            else:
                self._database.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
                self._database.execute("PRAGMA temp_store = MEMORY")
        if write and not self._query("SELECT 1 FROM sqlite_master"):
            with self._transaction():
                for statement in SCHEMA.split(";"):
                    self._database.execute(statement)
                self._database.execute("INSERT INTO tournament VALUES ('version', ?)", (str(VERSION),))
        version = self._value("version")
        if version != str(VERSION):
            raise StoreError(f"{self.path} is a store of version {version}, and this program knows version {VERSION}")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close it; nothing is lost without."""
        self._database.close()

    # Settings and agents

    @property
    def settings(self) -> Settings | None:
        """The settings, if the tournament has begun."""
        told = self._value("settings")
        try:
            return None if told is None else Settings.from_json(json.loads(told))
        except SettingsError as error:
            raise StoreError(f"{self.path}: {error}") from None

    def settle(self, settings: Settings) -> None:
        """Write the settings."""
        with self._transaction():
            self._database.execute(
                "INSERT OR REPLACE INTO tournament VALUES ('settings', ?)", (json.dumps(settings.as_json()),)
            )

    def entrants(self) -> list[Entrant]:
        """All agents in the order in which they were entered."""
        rows = self._query("SELECT name, spec, sources, agent, state, why, findings FROM agents ORDER BY position")
        return [
            Entrant(name, spec, sources, self._agent(agent), state, why, tuple(json.loads(findings)))
            for name, spec, sources, agent, state, why, findings in rows
        ]

    def enter(self, entrant: Entrant) -> None:
        """Add an agent, or put it in the place of the one of the same name, whose matches are then played again."""
        with self._transaction():
            self._database.execute("UPDATE matches SET state = 'replaced' WHERE ? IN (agent_0, agent_1)", entrant[:1])
            (position,) = self._query(
                "SELECT coalesce((SELECT position FROM agents WHERE name = ?), (SELECT count(*) FROM agents))",
                entrant[:1],
            )[0]
            agent = None if entrant.agent is None else json.dumps(self._relative(entrant.agent))
            self._database.execute(
                "INSERT OR REPLACE INTO agents VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (entrant.name, position, *entrant[1:3], agent, *entrant[4:6], json.dumps(entrant.findings)),
            )

    def set_state(self, name: str, state: State, why: str = "") -> None:
        """Let an agent play, or not any more; its matches stay, and count while it plays."""
        with self._transaction():
            self._database.execute("UPDATE agents SET state = ?, why = ? WHERE name = ?", (state, why, name))

    def play_all_again(self) -> None:
        """Keep all matches that were played, but count none of them."""
        with self._transaction():
            self._database.execute("UPDATE matches SET state = 'replaced'")
            self._database.execute("DELETE FROM pairings")

    def pairings(self, round: int) -> list[tuple[str, str | None]]:
        """The pairings of a Swiss round, None for the opponent of a bye; none if the round has not begun."""
        return self._query("SELECT one, other FROM pairings WHERE round = ? ORDER BY rowid", (round,))

    def pair(self, round: int, pairs: Sequence[tuple[str, str | None]]) -> None:
        """Write the pairings of a Swiss round."""
        with self._transaction():
            rows = [(round, *agents) for agents in pairs]
            self._database.executemany("INSERT INTO pairings VALUES (?, ?, ?)", rows)

    # Matches

    def add(self, fixture: Fixture, result: MatchResult) -> None:
        """Write a match that has ended, with its failures and its record."""
        seated = fixture.seated
        winner = None if result.winner is None else result.slots.index(result.winner)
        usage = result.usage
        row = (
            *(fixture.id, fixture.round, "void" if result.void else "counts", *seated, result.slots[0], fixture.seed),
            *(winner, result.reason, _text(result.detail), result.ply),
            *(usage[0].cpu_s, usage[1].cpu_s, *result.slowest_s, usage[0].memory_mb, usage[1].memory_mb),
            *(usage[0].turns, usage[1].turns, *result.tiers, result.trail, result.wall_s, result.machine, time.time()),
        )
        with self._transaction():
            number = self._database.execute(INSERT_MATCH, row).lastrowid
            for failure in result.failures:
                words = _text(failure.detail), _text(failure.traceback)
                about = (failure.ply, failure.call, str(failure.reason), *words)
                self._database.execute(
                    "INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (number, failure.side, seated[failure.side], *about),
                )
            if result.record:
                self._database.execute("INSERT INTO records VALUES (?, ?)", (number, result.record))

    def is_played(self, id: str) -> bool:
        """Whether the match with this id counts."""
        return bool(self._query("SELECT 1 FROM matches WHERE id = ? AND state = 'counts'", (id,)))

    def voids(self, id: str) -> int:
        """How often the match with this id was void, since its agents are what they are."""
        return int(self._query("SELECT count(*) FROM matches WHERE id = ? AND state = 'void'", (id,))[0][0])

    def never_started(self, name: str, matches: int) -> str:
        """How the agent failed, if it could not start in any of its matches that count, and those are so many."""
        failures = self._query(
            "SELECT failures.detail FROM failures JOIN matches ON number = match"
            " WHERE agent = ? AND failures.ply < 0 AND state = 'counts'",
            (name,),
        )
        (played,) = self._query(
            "SELECT count(*) FROM matches WHERE state = 'counts' AND ? IN (agent_0, agent_1)", (name,)
        )[0]
        return str(failures[0][0]) if len(failures) == played >= matches else ""

    def rows(self, query: str, *arguments: object) -> Iterator[Any]:
        """What a query finds, row by row: for reading what is shown."""
        with self._told():
            for row in self._database.execute(query, arguments):  # noqa: UP028 (that would close it after the store)
                yield row

    def record(self, number: int) -> bytes | None:
        """The compressed record of the match with this number."""
        rows = self._query("SELECT record FROM records WHERE match = ?", (number,))
        return rows[0][0] if rows else None

    # Inside

    def _value(self, key: str) -> str | None:
        rows = self._query("SELECT value FROM tournament WHERE key = ?", (key,))
        return rows[0][0] if rows else None

    def _query(self, query: str, arguments: Sequence[object] = ()) -> list[Any]:
        with self._told():
            return self._database.execute(query, arguments).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._told():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:  # which some errors end by themselves
                    self._database.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code == sqlite3.SQLITE_FULL:
                raise StoreFull(f"the disk is full, so no more matches can be written to {self.path}") from None
            if code == sqlite3.SQLITE_NOTADB or "no such table: tournament" in str(error):
                raise StoreError(f"{self.path} is no store of a tournament") from None
            raise StoreError(f"{self.path} cannot be read or written: {error}") from None

    def _relative(self, agent: Agent) -> dict[str, Any]:
        kept = ("spec", "name", "kind", "module", "class_name", "fingerprint", "numpy")
        about = {name: getattr(agent, name) for name in kept}
        return {**about, **{name: self._place(getattr(agent, name)) for name in ("root", "path")}}

    def _place(self, path: Path) -> str:
        """A path as seen from the folder of the copies; that of an external program, which has none, as it is."""
        return (path.relative_to(self.folder) if path.is_relative_to(self.folder) else path).as_posix()

    def _agent(self, told: str | None) -> Agent | None:
        if told is None:
            return None
        about = json.loads(told)
        return Agent(**about | {name: self.folder / about[name] for name in ("root", "path")})


def _text(words: str) -> str:
    """Words of a player as SQLite takes them: half a pair of surrogates is spelled out."""
    return words.encode("utf-8", "backslashreplace").decode()


def folder_of(path: Path) -> Path:
    """Where the copies of the agents are that belong to the store at this path."""
    return Path(os.path.realpath(path.with_name(f"{path.stem}.agents")))


def store_files(path: Path) -> tuple[Path, ...]:
    """The files that a store consists of, or may while it is being written."""
    place = Path(os.path.realpath(path))
    return tuple(place.with_name(place.name + suffix) for suffix in ("", "-wal", "-shm", "-journal", ".lock"))


def is_store(path: Path) -> bool:
    """Whether a file is an SQLite database, and so most likely a store."""
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False

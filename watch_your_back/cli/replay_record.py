"""What is to be replayed: a record, a match in the store of a tournament, or a game of Go that is written in SGF."""

from __future__ import annotations

import difflib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from watch_your_back.cli.ending import Mistake
from watch_your_back.game import RESIGN
from watch_your_back.match.record import Record, RecordError
from watch_your_back.show.text import one_line

__all__ = ["Replayed", "read"]

_COSTS = re.compile(r"[0-9.]+ s of CPU time, [0-9.]+ s elapsed, [0-9.]+ MB")
"""The comment with which `wyb sgf` tells what a turn cost, which a replay shows anyway."""
_NAMED = 3
"""So many matches are named where none was chosen."""


class Replayed(NamedTuple):
    """A record; words on its positions, by their numbers from 0; and what a tournament calls the match."""

    record: Record
    comments: tuple[tuple[int, str], ...] = ()
    id: str = ""


def read(path: Path, match: str | None) -> Replayed:
    """The match in a file; which one of a store, `match` says. Raises Mistake."""
    with path.open("rb") as file:
        begun = file.read(16)
    if begun == b"SQLite format 3\0":
        return _stored(path, match)
    if match is not None:
        raise Mistake(f"--match is for the store of a tournament, and {path} is none")
    try:
        if begun.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"("):
            return _sgf(path)
        return Replayed(Record.load(path))
    except RecordError as error:
        raise Mistake(str(error)) from None


def _stored(path: Path, match: str | None) -> Replayed:
    from watch_your_back.tournament.store import Store, StoreError

    try:
        with Store(path) as store:
            ids = [row[0] for row in store.rows("SELECT DISTINCT id FROM matches ORDER BY number")]
            if match is None:
                raise Mistake(_unchosen(path, ids))
            numbers = store.rows("SELECT number FROM matches WHERE id = ? ORDER BY state = 'counts', number", match)
            found = [number for (number,) in numbers]
            if not found:
                close = difflib.get_close_matches(match, ids, 1)
                hint = f"; did you mean {close[0]}?" if close else ""
                raise Mistake(f"{path} has no match {match!r}{hint}")
            data = store.record(found[-1])
    except StoreError as error:
        raise Mistake(str(error)) from None
    if data is None:
        raise Mistake(f"{path} has no record of the match {match}")
    try:
        return Replayed(Record.load(io.BytesIO(data)), id=match)
    except RecordError as error:
        raise Mistake(f"the match {match} of {path} cannot be replayed: {error}") from None


def _unchosen(path: Path, ids: list[str]) -> str:
    if not ids:
        return f"no match in {path} has been played yet"
    named = ", ".join(one_line(id) for id in ids[:_NAMED])
    more = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
    return f"{path} is the store of a tournament; choose a match with --match: {named}{more}"


def _sgf(path: Path) -> Replayed:
    from watch_your_back.bridges.go_records import record_of
    from watch_your_back.bridges.go_sgf import read_game
    from watch_your_back.bridges.sgf import MAX_BYTES, SgfError

    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    try:
        record = Record.load(io.StringIO(record_of(data).record))
        game = read_game(data)
    except SgfError as error:
        raise Mistake(f"{path}: {error}") from None

    def comments() -> Iterator[tuple[int, str]]:
        if words := game.about.get("GC"):
            yield 0, words
        for position, words in enumerate(game.comments, 1):
            if words and not _COSTS.fullmatch(words.strip()):
                yield position, words
        if game.closing and RESIGN not in record.actions:
            yield len(record.turns), game.closing

    return Replayed(record, tuple(comments()))

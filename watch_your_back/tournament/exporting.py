"""The matches of a tournament as plain rows, for spreadsheets and other programs, and their records as files."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from watch_your_back.tournament.store import Store

__all__ = ["matches", "record_text", "write_csv", "write_records"]

_COLUMNS = (
    "number", "id", "round", "state", "agent_0", "agent_1", "slot_0", "seed", "winner", "reason", "detail", "ply",
    "cpu_s_0", "cpu_s_1", "slowest_s_0", "slowest_s_1", "memory_mb_0", "memory_mb_1", "turns_0", "turns_1",
    "tier_0", "tier_1", "trail", "wall_s", "machine", "ended",
)  # fmt: skip
_BY_SIDE = ("agent", "cpu_s", "slowest_s", "memory_mb", "turns", "tier")
_FORMULA = re.compile(r"[=+\-@\t\r]")
"""What a spreadsheet takes for the beginning of something to compute."""


def matches(store: Store) -> Iterator[dict[str, Any]]:
    """Every match that was played, also those that do not count, in the order in which they ended.

    What there is of each side goes by the side's name, as in `cpu_s_white`; the winner is an agent. Raises StoreError.
    """
    settings = store.settings
    sides = ("first", "second") if settings is None else settings.game.sides
    counted = {number for (number,) in store.rows("SELECT number FROM counted")}
    for row in store.rows(f"SELECT {', '.join(_COLUMNS)} FROM matches ORDER BY number"):
        told = dict(zip(_COLUMNS, row, strict=True))
        winner = told["winner"]
        yield {
            "id": told["id"],
            "round": told["round"],
            "counts": told["number"] in counted,
            "state": told["state"],
            **{f"agent_{side}": told[f"agent_{index}"] for index, side in enumerate(sides)},
            "winner": None if winner is None else told[f"agent_{winner}"],
            "winning_side": None if winner is None else sides[winner],
            **{
                name: told[name] for name in ("reason", "detail", "ply", "seed", "slot_0", "trail", "wall_s", "machine")
            },
            "ended": datetime.fromtimestamp(told["ended"], UTC).isoformat(timespec="seconds"),
            **{f"{name}_{side}": told[f"{name}_{index}"] for name in _BY_SIDE[1:] for index, side in enumerate(sides)},
        }


def write_csv(rows: Iterator[dict[str, Any]], stream: TextIO) -> None:
    """Write rows as CSV (RFC 4180) with a header. Text that a spreadsheet would compute gets an apostrophe in front."""
    first = next(rows, None)
    if first is None:
        return
    writer = csv.DictWriter(stream, first)
    writer.writeheader()
    writer.writerow(_harmless(first))
    writer.writerows(map(_harmless, rows))


def write_records(store: Store, folder: Path) -> Iterator[Path]:
    """Write the record of each match that counts to a file of its own, and tell of each. Raises StoreError, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, id in store.rows("SELECT number, id FROM counted ORDER BY number"):
        record = store.record(number)
        if record is not None:
            path = folder / f"{number:06}-{re.sub(r'[^A-Za-z0-9._-]+', '-', id)[:100]}.jsonl"
            path.write_bytes(gzip.decompress(record))
            yield path


def record_text(store: Store, id: str) -> str | None:
    """The record of the match with this id that was played last, as text; None if there is none. Raises StoreError."""
    for (number,) in store.rows("SELECT number FROM matches WHERE id = ? ORDER BY number DESC", id):
        record = store.record(number)
        if record is not None:
            return gzip.decompress(record).decode()
    return None


def _harmless(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _cell(value) for name, value in row.items()}


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value

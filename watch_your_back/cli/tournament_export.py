"""`wyb tournament export`: the results for other programs, and the records of matches."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from watch_your_back.cli.ending import Mistake
from watch_your_back.cli.tournament_arguments import DEFAULT_STORE, StorePath, told
from watch_your_back.tournament.exporting import matches, record_text, write_csv, write_records
from watch_your_back.tournament.store import Store

__all__ = ["command"]


@click.command("export")
@click.argument("store", metavar="[STORE]", type=StorePath(), default=str(DEFAULT_STORE))
@click.option(
    "--format", type=click.Choice(["csv", "json", "jsonl", "records"]), default="csv", show_default=True,
    help="A table of all matches, the same as one JSON array or as JSON Lines, or the record of each as a file.",
)  # fmt: skip
@click.option(
    "-o", "--output", metavar="PATH", type=click.Path(path_type=Path),
    help="The file to write, or for records the folder (standard output if left out).",
)  # fmt: skip
@click.option("--match", metavar="ID", help="Write only the record of this match, such as alice/bob/1.")
def command(store: Path, format: str, output: Path | None, match: str | None) -> None:
    """Write the results of the tournament in STORE for other programs, or the records of its matches.

    \b
    wyb tournament export class.db -o class.csv
    wyb tournament export class.db --format records -o matches/
    wyb tournament export class.db --match alice/bob/1 > match.jsonl
    """
    with told(), Store(store) as opened:
        if match is not None:
            record = record_text(opened, match)
            if record is None:
                raise Mistake(f"there is no record of a match {match!r} in {store}; wyb tournament export lists them")
            with _open(output) as stream:
                stream.write(record)
        elif format == "records":
            if output is None:
                raise Mistake("records are many files, so name a folder with -o")
            written = sum(1 for _ in write_records(opened, output))
            click.echo(f"{written:,} records in {output}", err=True)
        else:
            with _open(output) as stream:
                _write(opened, format, stream)


def _write(store: Store, format: str, stream: TextIO) -> None:
    rows = matches(store)
    if format == "csv":
        write_csv(rows, stream)
    elif format == "jsonl":
        stream.writelines(json.dumps(row) + "\n" for row in rows)
    else:
        stream.write("[")
        for number, row in enumerate(rows):
            stream.write(f"{',' if number else ''}\n{json.dumps(row)}")
        stream.write("\n]\n")


@contextmanager
def _open(path: Path | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stdout
        return
    try:
        with path.open("w", encoding="utf-8", newline="") as stream:
            yield stream
    except OSError as error:
        raise Mistake(f"{path} cannot be written: {error.strerror or error}") from None

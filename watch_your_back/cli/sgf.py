"""`wyb sgf`: a record of Go as SGF, and SGF as a record."""

from __future__ import annotations

from pathlib import Path

import click

from watch_your_back.bridges.go_records import NotGo, record_of, sgf_of
from watch_your_back.bridges.sgf import MAX_BYTES, SgfError
from watch_your_back.cli.ending import HELP, Mistake
from watch_your_back.match.record import Record, RecordError

__all__ = ["command"]

_RECORD = (b"{", b"\x1f\x8b", b"\xef\xbb\xbf{")
"""What a record begins with, compressed or not; no SGF file does."""


@click.command("sgf", context_settings=HELP)
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("out", metavar="[OUT]", type=click.Path(dir_okay=False, path_type=Path), required=False)
def command(file: Path, out: Path | None) -> None:
    """Turn the record of a match of Go into SGF, or the main line of an SGF file into a record.

    \b
    wyb sgf match.jsonl match.sgf     for a viewer or a program that plays Go
    wyb sgf game.sgf game.jsonl       for wyb, from anywhere

    Which of the two FILE is, its contents tell. The result goes to OUT, a new file, or to stdout.
    """
    with file.open("rb") as opened:
        is_record = opened.read(4).lstrip().startswith(_RECORD)
        opened.seek(0)
        data = b"" if is_record else opened.read(MAX_BYTES + 1)
    try:
        if is_record:
            text, note = sgf_of(Record.load(file)), ""
        else:
            text, note = record_of(data)
    except (RecordError, NotGo) as error:
        raise Mistake(f"{error}" if isinstance(error, RecordError) else f"{file}: {error}") from None
    except SgfError as error:
        raise Mistake(f"{file}: {error}") from None
    if note:
        click.echo(note, err=True)
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        with out.open("x", encoding="utf-8", newline="\n") as new:
            new.write(text)
    except FileExistsError:
        raise Mistake(f"{out} is there already, and is not overwritten") from None

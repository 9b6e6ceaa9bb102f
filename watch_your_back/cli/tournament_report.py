"""`wyb tournament report`: everything that there is to see of a tournament, in one HTML file."""

from __future__ import annotations

import gc
import json
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from watch_your_back.cli.ending import Mistake
from watch_your_back.cli.pages import check, write
from watch_your_back.cli.tournament_arguments import DEFAULT_STORE, StorePath, told
from watch_your_back.report.gathering import gather
from watch_your_back.report.page import REPLAYS, page
from watch_your_back.report.pseudonyms import anonymous, draw
from watch_your_back.tournament.store import Store

__all__ = ["command"]

FEW = 100
"""So many matches can be replayed by default where there are more than `REPLAYS`: a file of all would be too large."""


@click.command("report")
@click.argument("store", metavar="[STORE]", type=StorePath(), default=str(DEFAULT_STORE))
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(path_type=Path, allow_dash=True),
    help="Where to write it, - for stdout (the store's name with .html, or .anonymous.html).",
)  # fmt: skip
@click.option("--title", metavar="WORDS", help="The heading (the store's name).")
@click.option("--anonymous", "hidden", is_flag=True, help="Put pseudonyms in the place of the agents' names.")
@click.option(
    "--key", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
    help="Where it is written who is who, and read again the next time (the store's name with .key.json).",
)  # fmt: skip
@click.option(
    "--replays", metavar="N", type=click.IntRange(0, 1_000_000),
    help=f"How many matches can be replayed (all up to {REPLAYS:,}, else {FEW}: failures and each pairing first).",
)  # fmt: skip
@click.option("--no-printed", is_flag=True, help="Leave out what the players printed.")
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
def command(
    store: Path,
    output: Path | None,
    title: str | None,
    hidden: bool,
    key: Path | None,
    replays: int | None,
    no_printed: bool,
    show: bool,
) -> None:
    """Write one HTML file on the tournament in STORE, to be opened from disk or sent to somebody.

    \b
    wyb tournament report class.db                     writes class.html
    wyb tournament report class.toml --open            of the store next to a tournament file, and shows it
    wyb tournament report class.db --anonymous         writes class.anonymous.html, and who is who to class.key.json

    It has ratings, crosstable, time and memory, failures, and a replay of each match, and needs no network. It can be
    made while the tournament is going on.
    """
    if key is not None and not hidden:
        raise Mistake("--key is for --anonymous")
    to_stdout = output is not None and str(output) == "-"
    target = output or store.with_suffix(".anonymous.html" if hidden else ".html")
    if show and to_stdout:
        raise Mistake("--open needs a file, so -o - cannot be had with it")
    if not to_stdout:
        check(target)
    with told(), Store(store) as opened, _uncollected():
        report, records = gather(opened, title or store.stem, datetime.now().astimezone())
        if hidden:
            names = [each.name for each in report.contestants]
            pseudonyms = _pseudonyms(names, key or store.with_suffix(".key.json"))
            report, records = anonymous(report, records, pseudonyms)
        if replays is None:
            replays = REPLAYS if len(report.matches) <= REPLAYS else FEW
        text = page(report, records, replays=replays, printed=not no_printed, progress=_progress())
    if to_stdout:
        click.echo(text, nl=False)
        return
    write(target, text)
    click.echo(f"{target} ({len(text) / 1_048_576:.1f} MB)")
    if show:
        webbrowser.open(target.resolve().as_uri())


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without garbage collection, which takes a tenth of the time and finds nothing among the matches of a store."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _pseudonyms(names: list[str], file: Path) -> dict[str, str]:
    """The pseudonyms in the key file, with those that have to be drawn, which are added to it."""
    try:
        known: Any = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except ValueError:
        known = None
    if not isinstance(known, dict) or not all(isinstance(each, str) for each in known.values()):
        raise Mistake(f"{file} is no key of an anonymous report; choose another file with --key")
    drawn = draw(names, known)
    if drawn != known:
        write(file, json.dumps(drawn, indent=2, ensure_ascii=False) + "\n")
        click.echo(f"who is who: {file}", err=True)
    return drawn


def _progress() -> Any:
    """What shows on stderr how far the replays are, where somebody looks at it."""
    if not sys.stderr.isatty():
        return lambda done, total: None

    def show(done: int, total: int) -> None:
        if done == total:
            click.echo("\r\x1b[K", err=True, nl=False)
        elif done % 10 == 0:
            click.echo(f"\r\x1b[Kreplays: {done:,} of {total:,} ...", err=True, nl=False)

    return show

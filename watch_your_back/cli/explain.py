"""`wyb explain`: where a recorded match was won and lost, as a search sees it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from watch_your_back.cli import explain_text as lines
from watch_your_back.cli.ending import HELP, Mistake, interruption
from watch_your_back.cli.numbers import Number
from watch_your_back.cli.pages import check, write
from watch_your_back.cli.progress_line import ProgressLine
from watch_your_back.cli.replay_record import read
from watch_your_back.match.record import Record
from watch_your_back.report.viewpoint import hides
from watch_your_back.report.wording import result
from watch_your_back.search.explaining import Explanation, explain
from watch_your_back.show.terminal import Terminal
from watch_your_back.show.text import one_line

__all__ = ["command", "explained"]

MANY_S = 20.0
"""Seconds from which on it is said beforehand how long it will take."""


class Seconds(Number):
    """A number of seconds, with or without an s behind it, or of milliseconds: `0.5`, `0.5s`, `500ms`."""

    def meant(self, word: str) -> float | None:
        """The seconds that a word means, None if it means none."""
        thousands = word.endswith("ms")
        number = super().meant(word.removesuffix("ms" if thousands else "s"))
        return number / 1000 if thousands and number is not None else number


@click.command("explain", context_settings=HELP)
@click.argument("record", metavar="RECORD", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--match", metavar="ID", help="Which match, if RECORD is the store of a tournament.")
@click.option(
    "--budget", metavar="TIME", type=Seconds("seconds", 0, 3_600), default="0.5s", show_default=True,
    help="How long each turn is searched, in CPU time.",
)  # fmt: skip
@click.option(
    "--html", "page", metavar="FILE", type=click.Path(path_type=Path, allow_dash=True),
    help="Write the replay as a page, with the mistakes marked in it, - for stdout.",
)  # fmt: skip
@click.option("--json", "as_json_object", is_flag=True, help="Print everything as one JSON object.")
def command(record: Path, match: str | None, budget: float, page: Path | None, as_json_object: bool) -> int:
    """Find out where a recorded match was won and lost.

    \b
    wyb explain match.jsonl                          how it stood, and where it turned
    wyb explain match.jsonl --budget 5s              by a search that looks further ahead
    wyb explain match.jsonl --html match.html        marked in the replay

    Each turn of both sides is searched again, by alpha-beta with what the game says about who is ahead. What a side can
    expect is a number from -1 (lost) over 0 (even) to +1 (won).
    """
    if page is not None and str(page) != "-":
        check(page)
    if as_json_object and str(page) == "-":
        raise Mistake("--json and --html - both write to stdout")
    shown = read(record, match)
    if not shown.record.turns:
        raise Mistake(f"{record} has no turns to explain")
    try:
        with interruption() as cause:
            found = explained(shown.record, budget)
    except KeyboardInterrupt:
        return cause.exit_code
    if as_json_object:
        click.echo(json.dumps(lines.as_json(found, shown.record, budget), indent=2))
    elif str(page) != "-":
        _print(found, shown.record, str(record) + (f" --match {match}" if match else ""))
    if page is not None:
        from watch_your_back.report.single import single

        judged = lines.judgements(found)
        text = single(shown.record, judged=judged, comments=shown.comments, id=shown.id)
        if str(page) == "-":
            click.echo(text, nl=False)
        else:
            write(page, text)
            click.echo(f"{page} ({len(text) / 1_048_576:.1f} MB)", err=as_json_object)
    return 0


def explained(record: Record, budget: float) -> Explanation:
    """What a search of so many seconds for each turn finds; how far it is, stderr tells."""
    turns = len(record.turns)
    if hides(record):
        click.echo(f"note: the search sees what is hidden in {record.game.title}, the players did not", err=True)
    if turns * budget >= MANY_S:
        click.echo(f"{turns} turns of {budget:g} s at most, so up to {turns * budget:.0f} s", err=True)
    with ProgressLine() as progress:
        progress.show(f"turn 0 of {turns}")
        found = explain(
            record.states,
            record.actions,
            seconds=budget,
            progress=lambda done: progress.show(f"turn {done} of {turns}, from the last to the first"),
        )
    if hasty := sum(turn.hasty for turn in found.turns):
        click.echo(
            f"note: {budget:g} s was too short to look a single turn ahead in {hasty} of {turns} turns, of which"
            " nothing is said: give it more with --budget",
            err=True,
        )
    return found


def _print(found: Explanation, record: Record, file: str) -> None:
    terminal = Terminal.of(sys.stdout)
    names = " v ".join(f"{one_line(a.name)} ({side})" for a, side in zip(record.agents, record.game.sides, strict=True))
    click.echo(f"{record.game.title}: {names}\n{result(record)}.\n")
    click.echo("\n".join(lines.chart(found, record, terminal)) + "\n")
    click.echo("\n".join(lines.turning_points(found, record, terminal, one_line(file))) + "\n")
    click.echo("\n".join(lines.balance(found, record)))

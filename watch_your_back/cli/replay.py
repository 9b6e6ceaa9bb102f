"""`wyb replay`: a recorded match, position by position: at the terminal, as text, as JSON, or as a page."""

from __future__ import annotations

import json
import sys
import webbrowser
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from watch_your_back.cli import replay_text as lines
from watch_your_back.cli.ending import HELP, Mistake, interruption
from watch_your_back.cli.numbers import Number
from watch_your_back.cli.pages import check, write
from watch_your_back.cli.replay_course import Course
from watch_your_back.cli.replay_record import Replayed, read
from watch_your_back.match.record import Record
from watch_your_back.report.judgement import Judgement
from watch_your_back.report.viewpoint import Viewpoint
from watch_your_back.show.terminal import Terminal

__all__ = ["command"]


@click.command("replay", context_settings=HELP)
@click.argument("record", metavar="RECORD", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--match", metavar="ID", help="Which match, if RECORD is the store of a tournament.")
@click.option(
    "--at", metavar="N", type=click.IntRange(0, 10_000_000),
    help="Show only the position after N turns; with --html, first.",
)  # fmt: skip
@click.option("--as", "role", metavar="SIDE", help="Show what this side could see, in a game with hidden information.")
@click.option(
    "--html", "page", metavar="FILE", type=click.Path(path_type=Path, allow_dash=True),
    help="Write a page that needs nothing else, - for stdout.",
)  # fmt: skip
@click.option("--open", "show", is_flag=True, help="Open the page of --html in the browser.")
@click.option(
    "--explain", "budget", metavar="S", type=Number("seconds", 0, 3_600),
    help="Search each turn for S seconds first, as wyb explain does, and mark errors and turning points.",
)  # fmt: skip
@click.option(
    "--text", "as_text", is_flag=True, help="Print the positions, as is done anyway where there is no terminal."
)
@click.option("--json", "as_json_object", is_flag=True, help="Print everything as one JSON object.")
def command(
    record: Path,
    match: str | None,
    at: int | None,
    role: str | None,
    page: Path | None,
    show: bool,
    budget: float | None,
    as_text: bool,
    as_json_object: bool,
) -> int:
    """Look at a recorded match: each position, its time and memory, and what the players printed.

    \b
    wyb replay match.jsonl                               at the terminal, with the arrow keys
    wyb replay match.jsonl.gz --at 57                    the position after turn 57
    wyb replay class.db --match anna/bob/1               a match of a tournament
    wyb replay match.jsonl --html match.html --open      in the browser

    RECORD may be cut off, compressed, or an SGF file with a game of Go. At the terminal, ? tells the keys.
    """
    if show and (page is None or str(page) == "-"):
        raise Mistake("--open shows the file that --html writes")
    if page is not None and str(page) != "-":
        check(page)
    shown = read(record, match)
    side = _side(shown.record, role)
    course = Course(Viewpoint(shown.record, side), comments=shown.comments)
    position = None if at is None else _position(course, at)
    if budget is not None:
        if side is not None:
            raise Mistake("--explain tells what is hidden, so it cannot be had with --as")
        try:
            with interruption() as cause:
                course.judged = _judged(shown.record, budget)
        except KeyboardInterrupt:
            return cause.exit_code
    if page is not None:
        return _write_page(shown, course, page, position or 0, show)
    if as_json_object:
        click.echo(json.dumps(_as_json(course, position), indent=2))
        return 0
    terminal = Terminal.of(sys.stdout)
    if position is None and terminal.movable and sys.stdin.isatty() and not as_text:
        from watch_your_back.cli.replay_viewer import view

        try:
            with interruption() as cause:
                view(course, 0)
        except KeyboardInterrupt:
            return cause.exit_code
        return 0
    _print(course, position, terminal)
    return 0


def _side(record: Record, role: str | None) -> int | None:
    if role is None:
        return None
    sides = record.game.sides
    if role not in sides:
        raise Mistake(f"{record.game.title} has no side {role!r} (it has {' and '.join(sides)})")
    try:
        Viewpoint(record, sides.index(role))
    except ValueError as error:
        raise Mistake(f"{error}, so leave out --as") from None
    return sides.index(role)


def _position(course: Course, ply: int) -> int:
    position = course.position(ply)
    if course.ply(position) != ply:
        raise Mistake(f"the match has no turn {ply}, only {course.ply(0)} to {course.ply(course.last)}")
    return position


def _judged(record: Record, budget: float) -> Sequence[Judgement]:
    from watch_your_back.cli.explain import explained
    from watch_your_back.cli.explain_text import judgements

    return judgements(explained(record, budget))


def _write_page(shown: Replayed, course: Course, target: Path, start: int, show: bool) -> int:
    from watch_your_back.report.single import single

    side, judged = course.viewpoint.side, course.judged
    text = single(shown.record, side=side, judged=judged, comments=shown.comments, id=shown.id, start=start)
    if str(target) == "-":
        click.echo(text, nl=False)
        return 0
    write(target, text)
    click.echo(f"{target} ({len(text) / 1_048_576:.1f} MB)")
    if show:
        webbrowser.open(target.resolve().as_uri())
    return 0


def _print(course: Course, position: int | None, terminal: Terminal) -> None:
    if position is not None:
        click.echo("\n".join(lines.position(course, position, terminal)))
        return
    click.echo(lines.heading(course, terminal))
    for at in range(course.last + 1):
        click.echo()
        click.echo("\n".join(lines.position(course, at, terminal)))


def _as_json(course: Course, position: int | None) -> dict[str, object]:
    record = course.record
    end = record.end
    return {
        "game": record.game.id,
        "options": asdict(record.game.options),
        "sides": list(record.game.sides),
        "agents": [agent.name for agent in record.agents],
        "as": None if course.viewpoint.side is None else record.game.sides[course.viewpoint.side],
        "complete": record.complete,
        "winner": None if end is None or end.winner is None else record.game.sides[end.winner],
        "reason": None if end is None else str(end.reason),
        "positions": [lines.as_json(course, at) for at in _chosen(course, position)],
    }


def _chosen(course: Course, position: int | None) -> range:
    return range(course.last + 1) if position is None else range(position, position + 1)

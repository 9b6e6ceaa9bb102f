"""`wyb debug`: a player of a recorded match, brought back to one of its turns."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import click

from watch_your_back.agents import Agent, AgentNotFound, find
from watch_your_back.cli import debug_json as json_form
from watch_your_back.cli import debug_text as words
from watch_your_back.cli.ending import FAILED, HELP, Mistake, interruption
from watch_your_back.cli.play import AgentSpec
from watch_your_back.cli.progress_line import ProgressLine
from watch_your_back.cli.replay_record import read
from watch_your_back.confine.environment import player_environment
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.diagnosis.causes import Inquiry, Trial, first_trial, hash_seed_of, inquire, sources_changed
from watch_your_back.diagnosis.rebuilding import CannotRebuild, Question, Rebuilding
from watch_your_back.diagnosis.spreading import Again, again
from watch_your_back.match.events import PlayerFailed, Reason
from watch_your_back.match.record import Record
from watch_your_back.show.text import clean, one_line

__all__ = ["Target", "command"]

SLOW = frozenset({Reason.TIME_LIMIT, Reason.WALL_CLOCK_GUARD, Reason.MEMORY_LIMIT})
"""Failures that are not tried again without need."""


class Target(NamedTuple):
    """The turn that is looked at, and how the player failed in it, if it did. `ply` is -1 for the start."""

    side: int
    ply: int
    failure: PlayerFailed | None


@click.command("debug", context_settings=HELP)
@click.argument("record", metavar="RECORD", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--match", metavar="ID", help="Which match, if RECORD is the store of a tournament.")
@click.option("--side", metavar="SIDE", help="Whose player (that of the turn, if left out).")
@click.option(
    "--at", metavar="N", type=click.IntRange(0), help="Before which turn, counted from 0 (where a player failed)."
)
@click.option(
    "--agent", metavar="SPEC", type=AgentSpec(), help="Where the player is now, if not where the record says."
)
@click.option(
    "--again", "times", metavar="K", type=click.IntRange(1, 10_000), help="Answer K times, and show the spread."
)
@click.option("--profile", is_flag=True, help="Show where the time of the turn goes.")
@click.option("--json", "as_json_object", is_flag=True, help="With --again or --profile: print one JSON object.")
def command(
    record: Path,
    match: str | None,
    side: str | None,
    at: int | None,
    agent: Agent | None,
    times: int | None,
    profile: bool,
    as_json_object: bool,
) -> int:
    """Bring a player of a recorded match back to one of its turns, and look into it.

    \b
    wyb debug match.jsonl                            where a player failed, in the debugger pdb
    wyb debug match.jsonl --side white --at 30       before another turn
    wyb debug match.jsonl --at 30 --profile          where the time of the turn goes
    wyb debug match.jsonl --at 30 --again 10         whether it always answers the same

    The player is made as in the match, with the same seed but without limits, and is told of the same actions. At the
    first turn at which it does not answer as in the record, it is found out what that depends on.
    """
    if times and profile:
        raise Mistake("--again and --profile do not go together")
    if as_json_object and not (times or profile):
        raise Mistake("--json goes with --again or --profile: the debugger talks to people")
    played = read(record, match).record
    target = _target(played, side, at)
    rebuilding = Rebuilding(played, agent or _recorded_agent(played, target.side), target.side)
    if rebuilding.agent.kind != "player":
        what = "a person" if rebuilding.agent.kind == "person" else "an external program"
        raise Mistake(f"{one_line(rebuilding.agent.name)} is {what}: only Players can be rebuilt")
    if not times:
        _take_hash_seed(hash_seed_of(played))
    try:
        with interruption() as cause:
            return _look(rebuilding, target, times, profile, as_json_object)
    except KeyboardInterrupt:
        return cause.exit_code
    except CannotRebuild as error:
        raise Mistake(str(error)) from None
    except ConfinementError as error:
        raise click.ClickException(str(error)) from None


def _look(rebuilding: Rebuilding, target: Target, times: int | None, profile: bool, as_json_object: bool) -> int:
    for note in _notes(rebuilding, target):
        click.echo(note, err=True)
    if target.ply < 0:
        if times or profile:
            raise Mistake("the player failed while it was started: there is no turn to look at")
        from watch_your_back.cli.stepping import step_into_start

        return step_into_start(rebuilding, target.failure.call if target.failure else "constructor")
    question = rebuilding.at(target.ply)
    with ProgressLine() as progress:
        progress.show("rebuilding it")
        first = first_trial(rebuilding, _asked(rebuilding, question, target.failure))
        tried = None
        if first.difference is not None and first.difference.question.turn is not None:
            tried = inquire(rebuilding, first, progress.show)
    if first.fault is not None:
        click.echo(f"It cannot be made: {clean(first.fault.detail)}", err=True)
        click.echo(clean(first.fault.traceback), err=True, nl=False)
        return FAILED
    if not as_json_object:
        _tell(rebuilding, question, first, tried, target.failure)
    if times:
        answers = _answers(rebuilding, question, times)
        if as_json_object:
            click.echo(json_form.of_answers(rebuilding, question, first, tried, answers))
        else:
            click.echo("\n".join(words.spread(answers, question)))
        return 0
    _prepare(rebuilding)
    from watch_your_back.cli import stepping

    if profile:
        return stepping.profile(rebuilding, question, first, tried, as_json_object)
    return stepping.step_into(rebuilding, question, target.failure.call if target.failure else "action")


def _target(record: Record, side: str | None, at: int | None) -> Target:
    sides = record.game.sides
    if side is not None and side not in sides:
        raise Mistake(f"{record.game.title} has no side {side!r}: it has {' and '.join(sides)}")
    number = None if side is None else sides.index(side)
    failures = [each for each in record.failures if each.call != "finish" and number in (None, each.side)]
    if at is None:
        if not failures:
            last = record.states[-1].ply
            raise Mistake(f"name a turn with --at, from {record.start.ply} to {last}: no player failed in this match")
        return Target(failures[0].side, failures[0].ply, failures[0])
    place = at - record.start.ply
    if number is None and 0 <= place < len(record.states):
        number = record.turns[place].side if place < len(record.turns) else record.states[place].to_move
    failure = next((each for each in failures if each.ply == at and each.side == number), None)
    return Target(number or 0, at, failure)


def _recorded_agent(record: Record, side: int) -> Agent:
    """The agent that the record names, seen from the current directory."""
    spec = record.agents[side].spec
    try:
        return find(spec)
    except (AgentNotFound, OSError) as error:
        raise Mistake(f"{error}; say where it is now with --agent") from None


def _take_hash_seed(seed: int) -> None:
    """Run this command again in an interpreter with this PYTHONHASHSEED, unless it has it: it cannot be changed."""
    if os.environ.get("PYTHONHASHSEED") == str(seed):
        return
    environment = {**os.environ, **player_environment(seed)}
    words = [sys.executable, *sys.orig_argv[1:]]
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    if os.name == "nt":  # where a process that is replaced leaves the terminal to the shell
        import subprocess

        sys.exit(subprocess.call(words, env=environment))
    os.execve(sys.executable, words, environment)


def _prepare(rebuilding: Rebuilding) -> None:
    """Make this process as like a player's as that matters: where it is, and what is imported before."""
    os.chdir(rebuilding.agent.root)
    if rebuilding.record.limits.profile != "official-2018":
        with suppress(ImportError):
            import numpy.random  # noqa: F401


def _notes(rebuilding: Rebuilding, target: Target) -> list[str]:
    """Who is looked at, and what is no longer as it was."""
    record, agent = rebuilding.record, rebuilding.agent
    when = "when it is started" if target.ply < 0 else f"turn {target.ply}"
    notes = [f"{record.game.sides[rebuilding.side]}: {one_line(agent.name)} ({one_line(_shown(agent.path))}), {when}"]
    if sources_changed(rebuilding):
        notes.append("note: its sources have been changed since the match")
    python = record.versions.get("python")
    if python != platform.python_version():
        notes.append(f"note: the match was played with Python {python}, this is {platform.python_version()}")
    return notes


def _shown(path: Path) -> str:
    here = Path(os.path.realpath("."))
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _asked(rebuilding: Rebuilding, question: Question, failure: PlayerFailed | None) -> tuple[Question, ...]:
    """The turns to try: up to the one that is looked at, which is left out if it would take for ever."""
    before = rebuilding.before(question.state.ply)
    worth = question.turn is not None or (failure is not None and failure.reason not in SLOW)
    return (*before, question) if worth else before


def _tell(
    rebuilding: Rebuilding, question: Question, first: Trial, tried: Inquiry | None, failure: PlayerFailed | None
) -> None:
    if tried is not None:
        assert first.difference is not None
        followed = len(rebuilding.before(first.difference.question.state.ply))
        click.echo(words.difference(first.difference, followed))
        click.echo("\n".join(words.inquiry(tried)))
        return
    click.echo(words.agreement(rebuilding.before(question.state.ply)))
    if question.turn is not None:
        click.echo(f"At this turn, too: {words.said(question.turn.action)}.")
    elif failure is not None:
        click.echo(f"In the match it failed at this turn: {failure.reason}.")
        if first.difference is not None:
            click.echo(f"Now: {words.said(first.difference.answer)}.")


def _answers(rebuilding: Rebuilding, question: Question, times: int) -> list[Again]:
    found: list[Again] = []
    with ProgressLine() as progress:
        for each in islice(again(rebuilding, question.state.ply), times):
            found.append(each)
            progress.show(f"answer {len(found)} of {times}")
    return found

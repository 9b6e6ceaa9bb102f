"""`wyb debug` in this process: the debugger and the profiler on one turn of a rebuilt player."""

from __future__ import annotations

import cProfile
import os
import pdb
import sys
import textwrap
import time
import traceback
from pathlib import Path
from typing import Any

import click

from watch_your_back.cli import debug_json as json_form
from watch_your_back.cli import debug_text as words
from watch_your_back.cli.ending import FAILED
from watch_your_back.confine.faults import PlayerFault
from watch_your_back.diagnosis.causes import Inquiry, Trial
from watch_your_back.diagnosis.here import Here, bring, profile_lines
from watch_your_back.diagnosis.questions import answer
from watch_your_back.diagnosis.rebuilding import Question, Rebuilding, seen_by
from watch_your_back.game import IllegalAction
from watch_your_back.match.local import LocalSeat
from watch_your_back.report.quantities import seconds
from watch_your_back.show.text import clean, text

__all__ = ["profile", "step_into", "step_into_start"]


def step_into(rebuilding: Rebuilding, question: Question, call: str) -> int:
    """Stop in the debugger at the first line of `call` in a turn; returns the exit code."""
    here = _brought(rebuilding, question)
    if here is None:
        return FAILED
    state = here.question.state
    click.echo(f"\n{text(state.picture())}\n")
    turn = here.question.turn
    recorded = f" In the match: {words.said(turn.action)}." if turn is not None else ""
    click.echo(f"Turn {state.ply}.{recorded} Before {call}(); n goes on by a line, c to the end, q leaves, h helps.")
    here.seat.through = _stopping(call)
    try:
        view = state.view(rebuilding.side) if "see" in here.seat.methods else None
        found = state.check(here.seat.turn(here.question.updates, state.turns, view))
    except PlayerFault as fault:
        return _failed(fault, rebuilding.agent.root)
    except IllegalAction as error:
        click.echo(f"Illegal action: {clean(error.message)}")
        return 0
    except KeyboardInterrupt:  # the debugger was left
        return 0
    click.echo(f"It answers {words.said(found)}{_compared(found, here.question)}.")
    return 0


def step_into_start(rebuilding: Rebuilding, call: str) -> int:
    """Stop in the debugger while the player is made: at the first line of its constructor or `start`."""
    os.chdir(rebuilding.agent.root)
    seat = LocalSeat(rebuilding.agent, rebuilding.setting())
    seat.through = _stopping(call)
    try:
        seat.load()
        if rebuilding.record.opening:
            seat.start(seen_by(rebuilding.side, rebuilding.record.game, rebuilding.record.opening))
    except PlayerFault as fault:
        return _failed(fault, rebuilding.agent.root)
    except KeyboardInterrupt:
        return 0
    click.echo("It is made without a fault.")
    return 0


def profile(
    rebuilding: Rebuilding, question: Question, first: Trial, tried: Inquiry | None, as_json_object: bool
) -> int:
    """Print where the time of a turn goes; returns the exit code."""
    here = _brought(rebuilding, question, quiet=as_json_object)
    if here is None:
        return FAILED
    profiler = cProfile.Profile(time.process_time)
    here.seat.through = lambda call, function, *arguments: profiler.runcall(function, *arguments)
    before = here.seat.cpu_s
    found = answer(here.seat, here.question.updates, here.question.state)
    spent = here.seat.cpu_s - before
    lines = profile_lines(profiler, rebuilding.agent.root)
    if as_json_object:
        click.echo(json_form.of_profile(rebuilding, here, first, tried, found, spent, lines))
        return 0
    turn = here.question.turn
    recorded = f", {seconds(turn.cpu_s)} in the match without it" if turn is not None else ""
    click.echo(f"\nTurn {here.question.state.ply}: {seconds(spent)} of CPU time under the profiler{recorded}.")
    click.echo(f"It answers {words.said(found)}{_compared(found, here.question)}.\n")
    click.echo("\n".join(words.profile(lines)))
    return 0


def _brought(rebuilding: Rebuilding, question: Question, quiet: bool = False) -> Here | None:
    """The player before the turn, or as near as it can be brought; None where it cannot be made."""
    try:
        here = bring(rebuilding, question.state.ply)
    except PlayerFault as fault:
        _failed(fault, rebuilding.agent.root, into=False)
        return None
    if here.left is None or quiet:
        return here
    left, wanted = here.left.question.state.ply, question.state.ply
    if here.put:
        told = (
            f"Since it leaves the record at turn {left}, it was put before turn {wanted} by its method start: what it "
        )
        told += "remembers of earlier turns may be something else."
    else:
        told = (
            f"It leaves the record at turn {left} and has no method start, so it cannot be brought to turn {wanted}: "
        )
        told += f"this is turn {left}."
    click.echo(textwrap.fill(told, words.WIDTH))
    return here


class _Debugger(pdb.Pdb):
    """Remembers whether it was left, which `runcall` does not tell."""

    left = False

    def set_quit(self) -> None:
        self.left = True
        super().set_quit()


def _stopping(at: str) -> Any:
    debugger = _Debugger()

    def through(call: str, function: Any, *arguments: Any) -> Any:
        if call != at:
            return function(*arguments)
        result = debugger.runcall(function, *arguments)
        if debugger.left:
            raise KeyboardInterrupt
        return result

    return through


def _compared(found: object, question: Question) -> str:
    if question.turn is None:
        return ""
    return ", as in the match" if question.turn.action == found else ", unlike in the match"


def _failed(fault: PlayerFault, root: Path, into: bool = True) -> int:
    """Tell of a fault, and look at it in the debugger, from the first frame of the player's."""
    click.echo(f"{fault.cause} in {fault.call}: {clean(fault.detail)}")
    if (error := fault.__cause__) is None:
        return FAILED
    trace = error.__traceback__
    while trace is not None and not Path(trace.tb_frame.f_code.co_filename).is_relative_to(root):
        trace = trace.tb_next
    click.echo(clean("".join(traceback.format_exception(error.with_traceback(trace)))), nl=False)
    if into and trace is not None:
        sys.stdout.flush()
        pdb.post_mortem(trace)
    return FAILED

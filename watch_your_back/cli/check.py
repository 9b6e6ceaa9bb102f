"""`wyb check`: what is wrong with an agent, before a match finds out."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from watch_your_back.agents import Agent
from watch_your_back.cli.check_fuzz import AmountOfMatches, Keeper, is_amount
from watch_your_back.cli.ending import FAILED, HELP, Mistake, interruption
from watch_your_back.cli.game_options import chosen_game, game_options
from watch_your_back.cli.numbers import BareCommand, BareOption
from watch_your_back.cli.play import MEGABYTES, SECONDS, AgentSpec
from watch_your_back.cli.progress_line import ProgressLine
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.confine.limits import PROFILES, Limits
from watch_your_back.diagnosis import DEFAULT_LIMITS, Finding, diagnose
from watch_your_back.diagnosis.fuzzing import Amount
from watch_your_back.diagnosis.fuzzing import fuzz as fuzzed
from watch_your_back.game import Game
from watch_your_back.show.text import clean, one_line, paint

__all__ = ["command", "typed"]

STYLES = {"error": "1;31", "warning": "1;33", "note": "36", "ok": "32"}
"""The colours of the severities, as parameters of the terminal's SGR sequence."""

INDENT = " " * 9


@click.command("check", cls=BareCommand, context_settings=HELP)
@click.argument("agent", type=AgentSpec())
@click.option(
    "-n", "--matches", metavar="N", type=click.IntRange(0, 10_000), default=10, show_default=True,
    help="How many matches to play; 0 for none.",
)  # fmt: skip
@click.option(
    "--fuzz", cls=BareOption, bare="1m", fits=is_amount, metavar="[N|TIME]", type=AmountOfMatches(),
    help="Instead, play N random matches, or for a time such as 90s or 10m (1m if left out), until it fails.",
)  # fmt: skip
@click.option(
    "--record", metavar="FILE", type=click.Path(path_type=Path),
    help="With --fuzz: where the failing match goes (AGENT-fuzz.jsonl if left out).",
)  # fmt: skip
@click.option(
    "-t", "--time-limit", "--time_limit", metavar="S", type=SECONDS, default=DEFAULT_LIMITS.cpu_s, show_default=True,
    help="Limit each player to S seconds of CPU time in a match.",
)  # fmt: skip
@click.option(
    "-s", "--space-limit", "--space_limit", metavar="MB", type=MEGABYTES, default=DEFAULT_LIMITS.memory_mb,
    show_default=True, help="Limit each player to so many MB of memory.",
)  # fmt: skip
@click.option(
    "--profile", type=click.Choice([name for name in PROFILES if name != "none"]), default="fair", show_default=True,
    help="How time and memory are counted.",
)  # fmt: skip
@click.option(
    "--seed", metavar="N", type=click.IntRange(0, 2**62), default=0, show_default=True,
    help="The seed of the first match; the next ones count on. Another seed gives other matches.",
)  # fmt: skip
@game_options
@click.option("--json", "as_json_object", is_flag=True, help="Print the findings as one JSON object.")
@click.option("-q", "--quiet", is_flag=True, help="Print only what is wrong.")
def command(
    agent: Agent,
    matches: int,
    fuzz: Amount | None,
    record: Path | None,
    time_limit: float,
    space_limit: float,
    profile: Any,
    seed: int,
    game: str,
    option: tuple[str, ...],
    as_json_object: bool,
    quiet: bool,
) -> int:
    """Find out what would lose AGENT a match, and what to change.

    \b
    wyb check my_player.py                 ten matches and some odd situations, under 60 s and 100 MB
    wyb check my_player.py -n 100 -q       many matches; print only what is wrong
    wyb check team.player -t 30 -s 50      under other limits
    wyb check my_player.py --fuzz 10m      random matches and awkward positions, until it fails

    It is started as in a match, plays by turns as each side against a random opponent and a cautious one that makes
    matches long, is told of a pass, and plays a match again with the same seed. Exit code 1 if anything would lose it a
    match.
    """
    if agent.kind == "person":
        raise Mistake(f"{agent.name} is a person at the keyboard, who cannot be checked")
    if record is not None and fuzz is None:
        raise Mistake("--record goes with --fuzz: the matches of the usual check are played again by their seeds")
    rules = chosen_game(game, option)
    limits = Limits(time_limit, space_limit, profile)
    keep = Keeper(record or Path(f"{Path(one_line(agent.name).replace(':', '-')).name}-fuzz.jsonl")) if fuzz else None
    findings: list[Finding] = []
    try:
        with interruption() as cause, ProgressLine() as progress:
            if fuzz is not None and keep is not None:
                found = fuzzed(agent, rules, limits, fuzz, save=keep, seed=seed, progress=progress.show)
            else:
                found = diagnose(agent, rules, limits, matches=matches, seed=seed, progress=progress.show)
            for finding in found:
                findings.append(finding)
                if not as_json_object and not (quiet and finding.severity in ("note", "ok")):
                    progress.clear()
                    _print(finding)
    except KeyboardInterrupt:
        return cause.exit_code
    except ConfinementError as error:
        raise click.ClickException(str(error)) from None
    errors = sum(finding.severity == "error" for finding in findings)
    if as_json_object:
        click.echo(json.dumps(_as_json(agent, rules, limits, seed, findings), indent=2))
    elif errors:
        click.echo(f"{clean(agent.name)} has {errors} {'fault' if errors == 1 else 'faults'} that would lose a match.")
    elif not quiet:
        click.echo(f"Nothing was found that would lose {clean(agent.name)} a match.")
    return FAILED if errors else 0


def _print(finding: Finding) -> None:
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 100
    label = paint(f"{finding.severity:<{len(INDENT)}}", STYLES[finding.severity], colour)
    click.echo(label + _wrapped(finding.sentence, width).lstrip())
    if finding.advice:
        click.echo(_wrapped(finding.advice, width))
    if finding.detail:
        click.echo("".join(f"{INDENT}  | {line}\n" for line in clean(finding.detail).splitlines()), nl=False)
    if finding.command:
        click.echo(f"{INDENT}again: {clean(typed(finding.command))}")


def _wrapped(words: str, width: int) -> str:
    return textwrap.fill(clean(words), max(width, 40), initial_indent=INDENT, subsequent_indent=INDENT)


def typed(command: Sequence[str]) -> str:
    """What to type: `referee.py` where it is at hand, as in the published text."""
    if command[0] == "play" and Path("referee.py").is_file():
        return shlex.join(("python", "referee.py", *command[1:]))
    return shlex.join(("wyb", *command))


def _as_json(agent: Agent, game: Game, limits: Limits, seed: int, findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "agent": agent.name,
        "spec": agent.spec,
        "fingerprint": agent.fingerprint,
        "game": game.id,
        "options": asdict(game.options),
        "limits": asdict(limits),
        "seed": seed,
        "fit": not any(finding.severity == "error" for finding in findings),
        "findings": [asdict(finding) | {"command": list(finding.command)} for finding in findings],
    }

"""`wyb gtp`: an agent for a controller that speaks the Go Text Protocol."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from typing import IO, Any

import click
from click.core import ParameterSource

from watch_your_back.agents import Agent
from watch_your_back.bridges.gtp import Session
from watch_your_back.bridges.gtp_players import Players
from watch_your_back.cli.ending import HELP, Mistake, interruption
from watch_your_back.cli.game_options import chosen_game, game_options
from watch_your_back.cli.play import MEGABYTES, SECONDS, AgentSpec, refuse_misfits
from watch_your_back.confine.capture import Captured
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.confine.limits import PROFILES, Limits
from watch_your_back.confine.tiers import TIERS
from watch_your_back.match import Confinement
from watch_your_back.match.external import GAME
from watch_your_back.show.text import clean

__all__ = ["command"]

_LINE = 65_536
"""Bytes of a command at most."""


@click.command("gtp", context_settings=HELP)
@click.argument("agent", metavar="AGENT", type=AgentSpec())
@game_options
@click.option(
    "-t", "--time-limit", "--time_limit", metavar="S", type=SECONDS, help="Limit the player of each side to S seconds."
)
@click.option(
    "-s", "--space-limit", "--space_limit", metavar="MB", type=MEGABYTES,
    help="Limit the player of each side to so many MB of memory.",
)  # fmt: skip
@click.option("--profile", type=click.Choice(PROFILES), default="fair", show_default=True, help="How they are counted.")
@click.option("--seed", metavar="N", type=click.IntRange(0, 2**63 - 1), help="What random generators are seeded from.")
@click.option(
    "--require-tier",
    metavar="TIER",
    type=click.Choice(TIERS),
    help="Refuse to play unless confined at least so strongly.",
)
@click.option("-v", "--verbose", is_flag=True, help="Print on stderr what the player prints.")
def command(
    agent: Agent,
    game: str,
    option: tuple[str, ...],
    time_limit: float | None,
    space_limit: float | None,
    profile: Any,
    seed: int | None,
    require_tier: str | None,
    verbose: bool,
) -> int:
    """Let AGENT play Go for a controller that speaks GTP version 2 on stdin and stdout.

    \b
    wyb gtp mcts -t 600
    wyb gtp my_player.py -o rules=japanese

    The player runs as in a match, confined and under limits, each side in a process of its own. The controller sets the
    size of the board, komi and handicap; -o sets what GTP has no command for. If the player fails, genmove answers with
    `?` and why, and with resign from then on.
    """
    if agent.kind == "person":
        raise Mistake(f"{agent.name} is a person at the keyboard, and here the controller has it")
    named = click.get_current_context().get_parameter_source("game") is ParameterSource.COMMANDLINE
    rules = chosen_game(game if named else GAME, option)
    if rules.id != GAME:
        raise Mistake(f"GTP is for {GAME}, not for {rules.id}")
    refuse_misfits(rules, [agent])
    colours = rules.sides

    def heed(side: int, printed: Captured) -> None:
        for line in clean(printed.text).splitlines() if verbose else ():
            click.echo(f"{colours[side]}, {printed.stream}| {line}", err=True)

    limits = Limits(time_limit, space_limit, profile)
    seed = secrets.randbits(32) if seed is None else seed
    with interruption() as cause, closing(Confinement()) as confinement:
        players = Players(agent, limits, seed, confinement, require_tier=require_tier, heed=heed)
        session = Session(agent.name, players, asdict(rules.options))
        try:
            _converse(session)
        except ConfinementError as error:
            raise click.ClickException(str(error)) from None
        except KeyboardInterrupt:
            return cause.exit_code
        finally:
            players.close()
    return 0


def _converse(session: Session) -> None:
    """Answer line by line until the controller has enough."""
    for line in _lines(sys.stdin.buffer):
        answer = "? the line is too long\n\n" if line is None else session.answer(line)
        if answer:
            click.echo(answer, nl=False)
            sys.stdout.flush()
        if session.over:
            return


def _lines(stream: IO[bytes]) -> Iterator[str | None]:
    """The lines of a stream; None in place of one that is too long to be a command."""
    while line := stream.readline(_LINE):
        long = len(line) == _LINE and not line.endswith(b"\n")
        while long and (rest := stream.readline(_LINE)) and not rest.endswith(b"\n"):
            pass
        yield None if long else line.decode(errors="replace")

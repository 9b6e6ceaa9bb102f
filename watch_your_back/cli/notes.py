"""What stderr tells of a match: who plays under which limits, what weakens the result, and what the players print."""

from __future__ import annotations

import os
from pathlib import Path

import click

from watch_your_back.agents import Agent, bundled
from watch_your_back.confine.limits import Limits
from watch_your_back.confine.tiers import MEANING, weaker
from watch_your_back.match.events import Event, MatchEnded, MatchStarted, PlayerOutput, PlayerStarted, TurnStarted
from watch_your_back.show.text import clean, one_line

__all__ = ["Notes", "introduce"]


class Notes:
    """A listener that prints on stderr what is not the result.

    `verbose` prints what the players print, `quiet` nothing but the seed.
    """

    def __init__(self, *, quiet: bool = False, verbose: bool = False) -> None:
        self._quiet, self._verbose = quiet, verbose
        self._started: MatchStarted | None = None
        self._tiers: list[str] = []
        self._printed = [0, 0]

    def __call__(self, event: Event) -> None:
        match event:
            case MatchStarted():
                self._started = event
                if self._quiet:
                    _say(f"seed {event.seed}")
                else:
                    introduce(event.game.sides, event.agents, event.limits, event.seed)
            case _ if self._quiet:
                pass
            case PlayerStarted() if self._started and self._started.agents[event.side].kind == "player":
                self._tiers.append(event.tier)
            case PlayerStarted() if self._started and event.program:
                name = f"{self._started.game.sides[event.side]} is {one_line(event.program)}"
                _say(f"{name}, tier {event.tier}: {MEANING[event.tier]}")
            case TurnStarted() if self._tiers:
                tier = weaker(self._tiers[0], self._tiers[-1])
                self._tiers.clear()
                _say("tier full" if tier == "full" else f"tier {tier}: {MEANING[tier]}")
            case PlayerOutput() if self._started:
                self._printed[event.side] += len(event.text) + event.dropped
                if self._verbose:
                    _pass_on(self._started.game.sides[event.side], event)
            case MatchEnded() if self._started and not self._verbose:
                for side, amount in zip(self._started.game.sides, self._printed, strict=True):
                    if amount:
                        _say(f"{side} printed {amount:,} characters; -v shows them")


def introduce(roles: tuple[str, str], agents: tuple[Agent, Agent], limits: Limits, seed: int) -> None:
    """Say who plays whom in which role, from which file and under which conditions."""
    for role, agent in zip(roles, agents, strict=True):
        where = agent.spec if agent.kind == "external" else _shown(agent.path)
        _say(f"{role}: {one_line(agent.name)} ({one_line(where)})")
    _say(f"seed {seed}, {_limits(limits)}")
    if _share_sources(*agents):
        _say(f"note: both agents are in {one_line(_shown(agents[0].root))} and can read each other's source")


def _limits(limits: Limits) -> str:
    given = []
    if limits.cpu_s is not None:
        given.append(f"{limits.cpu_s:g} s of CPU time")
    if limits.memory_mb is not None:
        given.append(f"{limits.memory_mb:g} MB of memory")
    return f"profile {limits.profile}, " + (" and ".join(given) + " for each player" if given else "no limits")


def _share_sources(first: Agent, second: Agent) -> bool:
    """Whether one of two agents can read the other's source, unless everybody can: that of a bundled agent."""
    if "external" in (first.kind, second.kind):
        return False  # a program can read anything, as is said elsewhere
    nested = first.root.is_relative_to(second.root) or second.root.is_relative_to(first.root)
    return nested and first.path != second.path and not {first.path, second.path} <= set(bundled().values())


def _shown(path: Path) -> str:
    """A path as seen from the current directory, if it is below."""
    relative = os.path.relpath(path) if path.is_relative_to(os.path.realpath(".")) else str(path)
    return relative.replace(os.sep, "/")


def _pass_on(side: str, output: PlayerOutput) -> None:
    turn = "start" if output.ply < 0 else f"turn {output.ply}"
    for line in clean(output.text).splitlines():
        _say(f"{side}, {turn}, {output.stream}| {line}")
    if output.dropped:
        _say(f"{side}, {turn}, {output.stream}: {output.dropped:,} more bytes were left out")


def _say(line: str) -> None:
    click.echo(line, err=True)

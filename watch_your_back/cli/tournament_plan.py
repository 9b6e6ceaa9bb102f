"""`wyb tournament plan`: what a tournament would take."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from watch_your_back.agents import Agent
from watch_your_back.cli.ending import Mistake, interruption
from watch_your_back.cli.tournament_arguments import Chosen, choices, choose, told, worker_options, workers_for
from watch_your_back.cli.tournament_progress import Live
from watch_your_back.cli.tournament_text import shown
from watch_your_back.tournament.intake import take_in
from watch_your_back.tournament.planning import Forecast, forecast, samples
from watch_your_back.tournament.schedule import pairings
from watch_your_back.tournament.settings import Settings
from watch_your_back.tournament.store import Store, StoreError, store_files
from watch_your_back.tournament.tasks import MatchResult
from watch_your_back.tournament.workers import Workers

__all__ = ["command"]

OTHERS = (8, 32, 128)
"""Numbers of workers that are looked at if none are asked for."""


@click.command("plan")
@choices
@worker_options
@click.option(
    "-w", "--workers", "sizes", metavar="N", multiple=True, type=click.IntRange(1, 1_000_000),
    help="Say how long so many workers would take; can be given several times.",
)  # fmt: skip
@click.option(
    "--samples", "sampled", metavar="N", type=click.IntRange(1, 1_000), default=10, show_default=True,
    help="How many matches to play for the estimate.",
)  # fmt: skip
@click.option("--json", "as_json_object", is_flag=True, help="Print the estimate as one JSON object.")
def command(
    entries: tuple[str, ...],
    store: Path | None,
    jobs: int | None,
    cluster: str | None,
    sizes: tuple[int, ...],
    sampled: int,
    as_json_object: bool,
    **settings: Any,
) -> int | None:
    """Say how many matches the tournament would have, and about how long and how much disk it would take.

    \b
    wyb tournament plan class.toml
    wyb tournament plan submissions --format swiss --rounds 9 -w 16

    A few matches are played, and nothing is kept of them.
    """
    chosen = choose(click.get_current_context(), entries, store, **settings)
    with told(), tempfile.TemporaryDirectory(prefix="wyb-") as folder, interruption() as cause:
        rules, agents = _agents(chosen, Path(folder).resolve())
        if len(agents) < 2:
            raise Mistake("a tournament needs two agents")
        try:
            with workers_for(jobs, cluster) as workers:
                results = _played(workers, rules, agents, sampled)
                size = workers.size
        except KeyboardInterrupt:
            return cause.exit_code
    found = forecast(rules, len(agents), results)
    looked_at = [size, *(sizes or (other for other in OTHERS if other > size))]
    if as_json_object:
        told_sizes = [
            {"workers": n, "expected_s": found.expected_s(n), "longest_s": found.longest_s(n)} for n in looked_at
        ]
        about = {"version": 1, "settings": rules.as_json(), "agents": len(agents), **asdict(found)}
        click.echo(json.dumps({**about, "disk_bytes": found.disk_bytes, "times": told_sizes}, indent=2))
    else:
        _print(found, len(agents), looked_at, "here" if cluster is None else "on the cluster")
    return None


def _agents(chosen: Chosen, folder: Path) -> tuple[Settings, list[Agent]]:
    """The settings, and the agents that would play as far as can be known without trying them."""
    if chosen.plan is None:
        with Store(chosen.store) as store:
            if store.settings is None:
                raise StoreError(f"the tournament in {chosen.store} has not begun")
            playing = [entrant.agent for entrant in store.entrants() if entrant.state == "plays"]
            return store.settings, [agent for agent in playing if agent is not None]
    agents = []
    for candidate in take_in(chosen.plan, folder, store_files(chosen.store)):
        if candidate.agent is None:
            click.echo(f"{shown(candidate.name)} cannot play: {shown(candidate.why_not)}", err=True)
        else:
            agents.append(candidate.agent)
    settings = chosen.plan.seeded(0)
    if settings.format != "swiss":
        pairings(settings, [agent.name for agent in agents])
    return settings, agents


def _played(workers: Workers, settings: Settings, agents: Sequence[Agent], number: int) -> list[MatchResult]:
    results = []
    with Live("samples", number) as live:
        for result in workers.run(samples(settings, agents, number)):
            results.append(result)
            live.step()
            for failure in result.failures:
                live.say(f"a match was lost by {failure.reason}: {shown(result.detail)}")
    return results


def _print(found: Forecast, agents: int, sizes: Sequence[int], where: str) -> None:
    click.echo(f"{found.matches:,} matches of {agents:,} agents")
    click.echo(f"a match takes {found.match_s:.2g} s on average ({found.sampled} played)")
    for place, size in enumerate(sizes):
        longest = found.longest_s(size)
        most = "" if longest is None else f", {_duration(longest)} if all players used all their time"
        at_once = f"{size:,} at a time{f' {where}' if place == 0 else ''}"
        click.echo(f"  {at_once}: about {_duration(found.expected_s(size))}{most}")
    click.echo(f"store: about {found.disk_bytes / 1_048_576:,.0f} MB")


def _duration(seconds: float) -> str:
    minutes, hours, days = seconds / 60, seconds / 3_600, seconds / 86_400
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if minutes < 90:
        return f"{minutes:.0f} min"
    return f"{hours:.1f} h" if hours < 48 else f"{days:.1f} days"

"""`wyb tournament run`: play a tournament, or go on with it."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from watch_your_back.cli.ending import FAILED, Mistake, interruption
from watch_your_back.cli.tournament_arguments import Chosen, choices, choose, told, worker_options, workers_for
from watch_your_back.cli.tournament_progress import Live
from watch_your_back.cli.tournament_text import print_standing
from watch_your_back.tournament.entering import changes, enter
from watch_your_back.tournament.exclusive import Lock, network_file_system
from watch_your_back.tournament.intake import take_in
from watch_your_back.tournament.running import Tournament
from watch_your_back.tournament.schedule import pairings
from watch_your_back.tournament.settings import Plan
from watch_your_back.tournament.store import Entrant, Store, folder_of, store_files
from watch_your_back.tournament.workers import Workers

__all__ = ["command"]


@click.command("run")
@choices
@worker_options
@click.option(
    "--accept-changes", metavar="WHAT", multiple=True,
    help="Go on although this has changed since the store was begun: the name of an agent, whose matches are then "
    "played again, settings, or all.",
)  # fmt: skip
@click.option("--allow-network-store", is_flag=True, help="Keep the store on a network file system all the same.")
@click.option("--json", "as_json_object", is_flag=True, help="Print the standing as one JSON object.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but the standing, and what went wrong.")
def command(
    entries: tuple[str, ...],
    store: Path | None,
    jobs: int | None,
    cluster: str | None,
    accept_changes: tuple[str, ...],
    allow_network_store: bool,
    as_json_object: bool,
    quiet: bool,
    **settings: Any,
) -> int:
    """Play the tournament, and print how it stands. The same command again goes on where it stopped.

    \b
    wyb tournament run greedy minimax new=v2/bot.py     everybody against everybody
    wyb tournament run -t 10 --rounds 5 submissions     each folder and archive in it is an agent
    wyb tournament run class.toml -j 8                  as a file says
    wyb tournament run class.db                         go on with what is in the store
    wyb tournament run class.toml --accept-changes alice

    Every agent is copied, tried in two matches, and plays from its copy. Ctrl-C stops at any time and loses at most the
    matches in progress.
    """
    chosen = choose(click.get_current_context(), entries, store, **settings)
    _refuse_network(chosen.store, allow_network_store)
    with told(), interruption() as cause, _locked(chosen.store):
        code = 0
        try:
            with workers_for(jobs, cluster) as workers:
                code = _play(chosen, workers, accept_changes, quiet)
        except KeyboardInterrupt:
            code = cause.exit_code
            click.echo("stopped; the same command goes on from here", err=True)
        if chosen.store.exists():
            with Store(chosen.store) as written:
                if written.settings is not None:
                    print_standing(written, as_json_object)
    return code


def _play(chosen: Chosen, workers: Workers, accepted: tuple[str, ...], quiet: bool) -> int:
    """Take in the agents and play; the exit code."""
    if chosen.plan is not None:
        _begin(chosen.plan, chosen.store, workers, accepted, quiet)
    elif accepted:
        raise Mistake("to take in what has changed, name the agents or the tournament file, and not the store")
    with Store(chosen.store, write=True) as store:
        tournament = Tournament(store)
        with Live("matches", tournament.remaining(), quiet=quiet) as live:
            for happening in tournament.play(workers):
                live.see(happening)
        left = tournament.given_up()
    if left:
        click.echo(f"{left} matches came to nothing each time they were tried, and are left out", err=True)
    return FAILED if left else 0


def _begin(plan: Plan, path: Path, workers: Workers, accepted: tuple[str, ...], quiet: bool) -> None:
    """Bring the store up to what the plan says. Raises SettingsError."""
    candidates = list(take_in(plan, folder_of(path), store_files(path)))
    names = [candidate.name for candidate in candidates]
    if plan.settings.format != "swiss":
        pairings(plan.settings, names)  # which knows the challengers
    _require_two(sum(candidate.agent is not None for candidate in candidates))
    with Store(path, write=True) as store:
        before = store.settings
        settings = plan.seeded(secrets.randbits(32) if before is None else before.seed)
        found = changes(store, settings, candidates, accepted)
        if refusal := found.refusal(accepted):
            raise Mistake(refusal)
        fresh = 0 if before is not None else len(candidates)
        with Live("trying the agents", fresh, quiet=quiet) as live:
            for entrant in enter(store, settings, candidates, found, workers):
                live.step()
                if entrant.state != "plays":
                    live.say(_unfit(entrant))
        playing = sum(entrant.state == "plays" for entrant in store.entrants())
        _require_two(playing)
        if not quiet and before is None:
            click.echo(f"{playing} of {len(candidates)} agents may play; seed {settings.seed}; store {path}", err=True)


def _unfit(entrant: Entrant) -> str:
    return f"{entrant.name} may not play: {' '.join(entrant.why.split())}"


def _require_two(playing: int) -> None:
    if playing < 2:
        raise Mistake(f"a tournament needs two agents that can play, and there is {'one' if playing else 'none'}")


def _refuse_network(path: Path, allowed: bool) -> None:
    kind = None if allowed else network_file_system(path.absolute().parent)
    if kind is not None:
        raise Mistake(
            f"{path} is on a network file system ({kind}), where a store can be damaged; choose a --store on a local "
            "disk, or add --allow-network-store if only this computer uses it"
        )


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep others from the store; whatever was put beside a store that never came to be is taken away again."""
    with Lock(path) as lock:
        try:
            yield
        finally:
            if not path.exists():
                shutil.rmtree(folder_of(path), ignore_errors=True)
                lock.remove()

"""What `wyb tournament plan` and `run` are told: agents, folders of submissions, a TOML file, or a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from watch_your_back.agents import bundled
from watch_your_back.cli.ending import Mistake
from watch_your_back.cli.game_options import chosen_game, game_options
from watch_your_back.cli.play import MEGABYTES, SECONDS
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.confine.limits import PROFILES
from watch_your_back.confine.tiers import TIERS
from watch_your_back.tournament.cluster import Cluster, ClusterError
from watch_your_back.tournament.exclusive import Busy
from watch_your_back.tournament.intake import is_folder_of_submissions
from watch_your_back.tournament.settings import DEFAULT_LIMITS, FORMATS, Plan, SettingsError, plan_of, read_plan
from watch_your_back.tournament.store import StoreError, is_store
from watch_your_back.tournament.workers import Workers

__all__ = ["DEFAULT_STORE", "Chosen", "StorePath", "choices", "choose", "told", "worker_options", "workers_for"]

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

DEFAULT_STORE = Path("tournament.db")


class Chosen(NamedTuple):
    """What was asked for: a plan, or None to go on with what is in the store; and where the store is."""

    plan: Plan | None
    store: Path


class StorePath(click.ParamType[Path]):
    """A store, or the tournament file next to it."""

    name = "store"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path of the store; refused in one line if there is none."""
        path = Path(value)
        if path.suffix == ".toml":
            path = _store_of(path, _read(path))
        if not path.is_file():
            raise Mistake(f"there is no store {path}; wyb tournament run makes one")
        return path


class _AgentOrFile(click.ParamType[str]):
    name = "agent"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        own = [CompletionItem(name) for name in bundled() if name.startswith(incomplete)]
        return [*own, CompletionItem(incomplete, type="file")]


_SETTINGS = (
    click.option("--format", type=click.Choice(FORMATS), help="Who meets whom.  [default: round robin]"),
    click.option(
        "--rounds", metavar="N", type=click.IntRange(1, 1_000_000),
        help="How often those that meet do so, each time with two matches; in a Swiss tournament its rounds.",
    ),
    click.option(
        "--challenger", "challengers", metavar="NAME", multiple=True,
        help="In a gauntlet, an agent that meets all others (the first one if left out).",
    ),
    click.option(
        "-t", "--time-limit", "--time_limit", metavar="S", type=SECONDS,
        help=f"Limit each player to S seconds of CPU time in a match.  [default: {DEFAULT_LIMITS.cpu_s:g}]",
    ),
    click.option(
        "-s", "--space-limit", "--space_limit", metavar="MB", type=MEGABYTES,
        help=f"Limit each player to so many MB of memory.  [default: {DEFAULT_LIMITS.memory_mb:g}]",
    ),
    click.option("--profile", type=click.Choice(PROFILES), help="How time and memory are counted.  [default: fair]"),
    click.option(
        "--seed", metavar="N", type=click.IntRange(0, 2**63 - 1),
        help="What all seeds are derived from (drawn once if left out, and kept in the store).",
    ),
    click.option(
        "--require-tier", metavar="TIER", type=click.Choice(TIERS),
        help="Refuse to play unless all players are confined at least so strongly; wyb doctor tells.",
    ),
    click.option(
        "--allow-external", is_flag=True,
        help="Let external programs (gtp:...) play all the same, which are not confined.",
    ),
    click.option(
        "--submissions", metavar="DIR", multiple=True, type=click.Path(file_okay=False, path_type=Path),
        help="A folder whose sub-directories, archives and Python files are an agent each.",
    ),
)  # fmt: skip


def choices(function: Decorated) -> Decorated:
    """Give a command the arguments and options that `choose` takes."""
    function = click.option(
        "--store", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
        help="Where the results go.  [default: next to the tournament file, or tournament.db]",
    )(game_options(function))  # fmt: skip
    for option in reversed(_SETTINGS):
        function = option(function)
    return click.argument("entries", metavar="[AGENT|DIR|FILE.toml|STORE]...", nargs=-1, type=_AgentOrFile())(function)


def worker_options(function: Decorated) -> Decorated:
    """Give a command the options that `workers_for` takes."""
    function = click.option(
        "--cluster", metavar="ADDRESS", help="Play on a Dask cluster, such as tcp://host:8786, and not on this machine."
    )(function)
    return click.option(
        "-j", "--jobs", metavar="N", type=click.IntRange(1, 1_000),
        help="How many matches to play at the same time.  [default: one for each processor]",
    )(function)  # fmt: skip


def workers_for(jobs: int | None, cluster: str | None) -> Workers:
    """The workers on this machine or of a cluster."""
    if cluster is None:
        return Workers(jobs)
    if jobs is not None:
        raise Mistake("-j is for this machine; a cluster plays as many matches as it has workers")
    with told():
        return Workers(Cluster(cluster))


def choose(ctx: click.Context, entries: Sequence[str], store: Path | None, **settings: Any) -> Chosen:
    """What the words on the command line come to. Raises Mistake."""
    given = [param for param in ctx.command.params if param.name in settings and _given(ctx, param.name)]
    one = Path(entries[0]) if len(entries) == 1 else None
    if one is not None and (one.suffix == ".toml" or is_store(one)):
        if given:
            raise Mistake(f"{one} says what the tournament is, so {given[0].opts[-1]} has no place beside it")
        if one.suffix == ".toml":
            plan = _read(one)
            return Chosen(plan, store or _store_of(one, plan))
        if store is not None:
            raise Mistake(f"{one} is a store itself, so --store has no place beside it")
        return Chosen(None, one)
    submissions = settings["submissions"]
    if not entries and not submissions:
        raise click.UsageError("name agents, a folder of submissions, a tournament file or a store", ctx)
    kept = ("format", "rounds", "seed", "require_tier", "allow_external")
    table: dict[str, Any] = {name: settings[name] for name in kept if settings[name] is not None}
    limits = {"cpu_s": "time_limit", "memory_mb": "space_limit", "profile": "profile"}
    table["limits"] = {name: settings[option] for name, option in limits.items() if settings[option] is not None}
    game = chosen_game(settings["game"], settings["option"])
    table |= {"game": game.id, "options": asdict(game.options), "challengers": settings["challengers"]}
    table["agents"] = [word for word in entries if not is_folder_of_submissions(Path(word))]
    table["submissions"] = [word for word in entries if word not in table["agents"]] + list(map(str, submissions))
    with told():
        return Chosen(plan_of(table, Path()), store or DEFAULT_STORE)


@contextmanager
def told() -> Iterator[None]:
    """Mistakes in the settings as wrong usage, and everything that keeps a tournament from going on as a failure."""
    try:
        yield
    except SettingsError as error:
        raise Mistake(str(error)) from None
    except (StoreError, Busy, ClusterError, ConfinementError) as error:
        raise click.ClickException(str(error)) from None


def _read(path: Path) -> Plan:
    try:
        with told():
            return read_plan(path)
    except OSError as error:
        raise Mistake(f"the tournament file {path} cannot be read: {error.strerror or error}") from None


def _store_of(path: Path, plan: Plan) -> Path:
    return plan.store or path.with_suffix(".db")


def _given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE

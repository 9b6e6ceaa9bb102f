"""`wyb doctor`: what this system can do to run players fairly, found out by starting one."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
from importlib.util import find_spec
from typing import NamedTuple

import click

import watch_your_back
from watch_your_back.agents import bundled
from watch_your_back.cli.ending import HELP
from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.confine.limits import Limits
from watch_your_back.confine.tiers import MEANING, Mechanisms

__all__ = ["command"]

PACKAGES = ("click", "numpy", "psutil", "rich")
EXTRAS = {
    "web": (("starlette", "uvicorn"), "wyb serve"),
    "notebook": (("cloudpickle",), "players that are classes of a notebook's cells"),
    "cluster": (("distributed",), "wyb tournament run --cluster"),
}
"""By the name of each extra that a user may want: the packages that it installs, and what needs them."""


class Mechanism(NamedTuple):
    """One lock of a player's process: whether it works here, why not, and what that means."""

    name: str
    works: bool
    problem: str
    meaning: str


@click.command("doctor", context_settings=HELP)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> None:
    """Say what this system can do to run players fairly: the tier, each mechanism, and why one is missing.

    At the end stand the extras, as in pip install 'watch-your-back[web]', and what they are for.

    \b
    wyb doctor
    wyb doctor --json
    """
    tier, done = _tried()
    mechanisms = _mechanisms(done)
    versions = {name: importlib.metadata.version(name) for name in PACKAGES}
    missing = {extra: [name for name in needed if find_spec(name) is None] for extra, (needed, _) in EXTRAS.items()}
    python, system = platform.python_version(), f"{platform.system()} {platform.release()} {platform.machine()}"
    if as_json:
        report = {
            "version": watch_your_back.__version__,
            "python": python,
            "system": system,
            "packages": versions,
            "extras": {extra: not names for extra, names in missing.items()},
            "tier": tier,
            "mechanisms": {each.name: {"works": each.works, "problem": each.problem or None} for each in mechanisms},
            "problems": done.problems,
        }
        click.echo(json.dumps(report, indent=2))
        return
    click.echo(f"watch-your-back {watch_your_back.__version__}")
    click.echo(", ".join([f"Python {python}", *(f"{name} {version}" for name, version in versions.items())]))
    click.echo(system)
    click.echo(f"\ntier {tier}: {MEANING[tier]}\n")
    for each in mechanisms:
        why = f" ({each.problem})" if each.problem else ""
        click.echo(f"{each.name:<12}{'works' if each.works else 'missing'}{why}: {each.meaning}")
    click.echo()
    for extra, names in missing.items():
        how = f"missing ({', '.join(names)})" if names else "installed"
        click.echo(f"{f'[{extra}]':<12}{how}, for {EXTRAS[extra][1]}")
    for problem in done.problems:
        if problem.partition(":")[0] not in {each.name for each in mechanisms}:
            click.echo(f"\n{problem}")


def _tried() -> tuple[str, Mechanisms]:
    """The tier that a bundled player reaches here, and by which mechanisms; `none` if it cannot be started."""
    path = bundled()["random"]
    confinement = Confinement()
    try:
        process = confinement.start(str(path), str(path.parent), Limits())
        try:
            return confinement.identify(process, None)
        finally:
            process.close()
    except ConfinementError as error:
        return "none", Mechanisms(problems=(f"players cannot be started: {error}",))
    finally:
        confinement.close()


def _mechanisms(done: Mechanisms) -> list[Mechanism]:
    problems = dict(problem.split(": ", 1) for problem in done.problems if ": " in problem)

    def mechanism(name: str, works: bool, with_it: str, without: str) -> Mechanism:
        return Mechanism(name, works, "" if works else problems.get(name, ""), with_it if works else without)

    found = [
        mechanism(
            "landlock",
            bool(done.landlock),
            f"players read only Python and their own directory (version {done.landlock} of the interface)",
            "players can read and write all files that you can; Linux has this lock since 5.13",
        ),
        mechanism(
            "seccomp",
            done.seccomp,
            "players cannot use the network, start programs or look into other processes",
            "players can use the network and start programs",
        ),
        mechanism(
            "privileges",
            done.unprivileged,
            "players have no special rights, so that limits bind them",
            "players keep special rights and could lift their own limits",
        ),
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        found.append(
            mechanism(
                "nobody",
                done.nobody,
                "you are root, but players are not, where their files can be read without it",
                "you are root, and so are players, since their files cannot be read otherwise; better be somebody else",
            )
        )
    return found

"""Taking in the agents of a tournament: finding, unpacking and copying each; and whether it can play at all."""

from __future__ import annotations

import errno
import os
import py_compile
import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from watch_your_back.agents import PLAYER_FILES, Agent, AgentNotFound, find
from watch_your_back.diagnosis import Finding, diagnose
from watch_your_back.game import Game
from watch_your_back.match import Limits
from watch_your_back.tournament.settings import Entry, Plan, SettingsError
from watch_your_back.tournament.staging import stage
from watch_your_back.tournament.tasks import own_confinement
from watch_your_back.tournament.unpacking import Unfit, stem, unpack

__all__ = ["Candidate", "Fitness", "Smoke", "is_folder_of_submissions", "smoke", "take_in"]

_OUR_TROUBLE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE}
"""Errors of the system that say nothing about a submission."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody's agent: staged, with the hash of its sources, or unfit, with the reason why it cannot be."""

    name: str
    spec: str
    agent: Agent | None = None
    sources: str = ""
    why_not: str = ""


def is_folder_of_submissions(path: Path) -> bool:
    """Whether a directory is not that of one agent, but has agents in it.

    One with a single file that defines a Player under an unusual name is both, and taken for what else is in it.
    """
    if not path.is_dir():
        return False
    inside = list(_submissions(path))
    try:
        agent = find(str(path))
    except AgentNotFound:
        return bool(inside)
    if agent.path.name in PLAYER_FILES or agent.path.stem == path.name:
        return False
    return any(stem(each) is not None or (each.is_dir() and _is_agent(each)) for each in inside)


def _is_agent(path: Path) -> bool:
    try:
        find(str(path))
    except AgentNotFound:
        return False
    return True


def take_in(plan: Plan, folder: Path, without: Collection[Path] = ()) -> Iterator[Candidate]:
    """All agents of a plan, each with a copy below `folder`: those that are named first, then the submissions by name.

    `without` are files that belong to the tournament and to no agent. A submission that is none is told with the
    reason. Raises SettingsError for an agent that is named but cannot be had, or two of the same name, and OSError.
    """
    names: set[str] = set()
    for candidate in (_named(entry, plan.base, folder, without) for entry in plan.entries):
        if candidate.name in names:
            raise SettingsError(
                f"two agents are called {candidate.name!r}; give one another name, as in second={candidate.spec}"
            )
        names.add(candidate.name)
        yield candidate
    for place in plan.submissions:
        if not place.is_dir():
            raise SettingsError(f"{place} is no folder of submissions")
        for path in _submissions(place):
            name = _shown(stem(path) or path.name.removesuffix(".py"))
            candidate = _submitted(path, name, folder, without)
            if candidate.name in names:
                why_not = f"there is another agent called {candidate.name!r}"
                candidate = Candidate(_shown(path.name), _shown(path), why_not=why_not)
            names.add(candidate.name)
            yield candidate


def _named(entry: Entry, base: Path, folder: Path, without: Collection[Path]) -> Candidate:
    path = base / entry.spec
    if (name := stem(path)) and path.is_file():
        return _submitted(path, entry.name or name, folder, without)
    try:
        agent = find(entry.spec, base)
        if agent.kind == "person":
            raise SettingsError(f"{agent.name} is a person at the keyboard, who cannot play in a tournament")
        if agent.kind == "external":  # which is no copy of anything
            named = replace(agent, name=entry.name or agent.name)
            return Candidate(named.name, entry.spec, named, agent.fingerprint)
        staged = stage(agent, entry.name or agent.name, folder, without)
    except (AgentNotFound, Unfit) as error:
        raise SettingsError(str(error) if isinstance(error, AgentNotFound) else f"{entry.spec}: {error}") from None
    return Candidate(staged.agent.name, entry.spec, *staged)


def _submissions(place: Path) -> Iterator[Path]:
    for path in sorted(place.iterdir(), key=lambda path: path.name):
        is_file = path.is_file() and (stem(path) is not None or path.suffix == ".py")
        if not _is_junk(path) and (is_file or path.is_dir()):
            yield path


def _submitted(path: Path, name: str, folder: Path, without: Collection[Path]) -> Candidate:
    """The candidate in a directory, an archive or a single file, which has no say in anything outside."""
    try:
        with _opened(path) as place:
            try:
                agent = find(str(place))
            except AgentNotFound as error:
                raise Unfit(str(error).replace(str(place), name)) from None
            if not agent.root.is_relative_to(place):
                raise Unfit("it imports from above its own folder")
            return Candidate(name, _shown(path), *stage(agent, name, folder, without))
    except Unfit as error:
        return Candidate(name, _shown(path), why_not=_shown(error))
    except OSError as error:
        if error.errno in _OUR_TROUBLE:
            raise
        return Candidate(name, _shown(path), why_not=f"it cannot be read: {_shown(error.strerror or error)}")


@contextmanager
def _opened(path: Path) -> Iterator[Path]:
    """The folder that was handed in, for a while: of an archive unpacked, of a single file without its neighbours."""
    if path.is_symlink():
        raise Unfit("it is a link")
    if path.is_dir():
        yield _innermost(path.resolve())
        return
    with tempfile.TemporaryDirectory(prefix="wyb-") as temporary:
        place = Path(temporary, stem(path) or path.stem).resolve()
        place.mkdir()
        if stem(path) is None:
            shutil.copyfile(path, place / path.name)
        else:
            unpack(path, place)
        yield _innermost(place)


def _shown(name: object) -> str:
    """A name that need not be text for the file system, as text."""
    return os.fsencode(str(name)).decode(errors="replace")


def _innermost(folder: Path) -> Path:
    """The folder itself, or the only one in it, and so on."""
    inside = [path for path in folder.iterdir() if not _is_junk(path)]
    if len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink():
        return _innermost(inside[0])
    return folder


def _is_junk(path: Path) -> bool:
    return path.name[0] == "." or path.name in ("__MACOSX", "__pycache__")


class Smoke(NamedTuple):
    """An agent that is to be tried, and how."""

    agent: Agent
    game: Game
    limits: Limits
    matches: int
    seed: int


class Fitness(NamedTuple):
    """Whether an agent can play as at least one side, and all that there is to say about it."""

    may_play: bool
    findings: tuple[Finding, ...]

    @property
    def why_not(self) -> str:
        """The first thing that is wrong, in one line; empty if the agent may play."""
        return "" if self.may_play else self.findings[0].sentence


def smoke(task: Smoke) -> Fitness:
    """Try an agent in a few matches, and compile its modules for those that follow.

    For a worker process: compiling what somebody wrote must not be able to hurt anything else. Raises ConfinementError.
    """
    if task.agent.kind == "player":
        for path in task.agent.root.rglob("*.py"):
            py_compile.compile(str(path), quiet=2)
    agent, game, limits, matches, seed = task
    findings = tuple(diagnose(agent, game, limits, matches=matches, seed=seed, confinement=own_confinement()))
    # A diagnosis goes no further with an agent that cannot be started as either side.
    may_play = any((finding.topic, finding.severity) != ("start", "error") for finding in findings)
    return Fitness(may_play, findings)

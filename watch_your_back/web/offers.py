"""The agents that the server offers: the bundled ones, those in the folder in which it was started, and named ones.

The browser only ever names one of these by its id; what a spec means is decided here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

from watch_your_back.agents import Agent, AgentNotFound, bundled, find, find_bundled
from watch_your_back.show.text import one_line
from watch_your_back.sources import FOREIGN_FOLDERS, defines

__all__ = ["Offer", "Offers"]

Kind: TypeAlias = Literal["bundled", "local", "named"]

MOST = 200
"""So many agents of a folder are offered."""
LOOKED_AT = 2_000
"""So many of its files and folders are looked at."""
DEPTH = 2
"""An agent is looked for in the folder and so many levels of folders below."""
PERSON = "human"


@dataclass(frozen=True, slots=True)
class Offer:
    """An agent that can be chosen: by `id` in the browser, called `name` there, found by its `spec`."""

    id: str
    name: str
    spec: str
    kind: Kind
    plays: str = ""
    """The only game that it can play, if there is only one."""

    def as_json(self) -> dict[str, Any]:
        """What the browser is told."""
        return {"id": self.id, "name": one_line(self.name), "kind": self.kind, "plays": self.plays}


class Offers:
    """What can be chosen in a folder; `named` are agents that whoever started the server added."""

    def __init__(self, folder: Path, named: Sequence[Agent] = ()) -> None:
        self.folder = folder
        self._named = {f"named-{number}": agent for number, agent in enumerate(named, 1)}

    def all(self) -> list[Offer]:
        """All of them as the folder is now."""
        own = [
            Offer(id, agent.name, agent.spec, "named", "go" if agent.kind == "external" else "")
            for id, agent in self._named.items()
        ]
        ladder = [Offer(name, name, name, "bundled") for name in bundled() if name != PERSON]
        return [*own, *ladder, *self._local()]

    def agent(self, id: str) -> Agent:
        """The agent that was offered under this id. Raises AgentNotFound, also where there is none any more."""
        if id in self._named:
            return self._named[id]
        for offer in self.all():
            if offer.id == id:
                return find_bundled(offer.spec) if offer.kind == "bundled" else find(offer.spec, self.folder)
        raise AgentNotFound("this agent is not there any more")

    def person(self, name: str) -> Agent:
        """A person of this name."""
        return replace(find_bundled(PERSON), name=name)

    def _local(self) -> Iterator[Offer]:
        ladder = {os.path.realpath(path) for path in bundled().values()}
        for path in islice(_candidates(self.folder, ladder), MOST):
            name = path.relative_to(self.folder).as_posix()
            yield Offer(f"local:{name}", name.removesuffix(".py"), f"./{name}", "local")


def _candidates(folder: Path, without: set[str]) -> Iterator[Path]:
    """The files with a Player, and the folders that are one, in alphabetical order; nothing of an agent is run."""
    left = LOOKED_AT

    def look(here: Path, depth: int) -> Iterator[Path]:
        nonlocal left
        try:
            entries = sorted(os.scandir(here), key=lambda entry: (entry.is_dir(), entry.name))
        except OSError:
            return
        for entry in entries:
            left -= 1
            if left < 0:
                return
            if entry.name[0] in "._" or entry.name in FOREIGN_FOLDERS:
                continue
            path = Path(entry.path)
            if entry.name.endswith(".py") and entry.is_file():
                if os.path.realpath(path) not in without and defines(path, "Player", itself=True):
                    yield path
            elif entry.is_dir() and not (path / "pyvenv.cfg").exists():
                if any(defines(path / name, "Player") for name in ("__init__.py", "player.py", "Player.py", "main.py")):
                    yield path
                elif depth:
                    yield from look(path, depth - 1)

    yield from look(folder, DEPTH)

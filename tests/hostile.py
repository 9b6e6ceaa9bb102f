"""Players that misbehave, written to a folder for a match: what the tests of faults and confinement share."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from pathlib import Path

from watch_your_back.agents import find
from watch_your_back.game import Game
from watch_your_back.match import Confinement, Limits, Match, run
from watch_your_back.match.events import Event, MatchEnded, PlayerFailed, PlayerOutput

GAME = Game.load("watch_your_back")

_PLAYER = """\
import os, sys, time
{top}

class Player:
    def __init__(self, colour):
        self.colour = colour
        self.placed = 0
{init}

    def action(self, turns):
{action}
        return self.legal()

    def update(self, action):
{update}

    def legal(self):
        # The twelve placements of a side that never meets the other's; then it has nothing more to say.
        self.placed += 1
        row = 0 if self.colour == "white" else 7
        squares = [(x, row) for x in range(1, 7)] + [(x, abs(row - 1) if row == 0 else 6) for x in range(1, 7)]
        return squares[self.placed - 1] if self.placed <= 12 else "resign"
"""


def player(folder: Path, name: str = "bad", **bodies: str) -> str:
    """The path of a new agent whose `top`, `init`, `action` and `update` do this before all is as it should be."""
    filled = {part: textwrap.indent(textwrap.dedent(bodies.get(part, "pass")), " " * 8) for part in _PARTS}
    return source(folder, _PLAYER.format(top=textwrap.dedent(bodies.get("top", "")), **filled), name)


_PARTS = ("init", "action", "update")


def source(folder: Path, text: str, name: str = "bad") -> str:
    """The path of a new agent with this source, alone in a folder of its own."""
    place = folder / name
    place.mkdir()
    (place / f"{name}.py").write_text(textwrap.dedent(text))
    return str(place / f"{name}.py")


@dataclass
class Played:
    """A match that was played, with what is asked of it."""

    end: MatchEnded
    failures: list[PlayerFailed] = field(default_factory=list)
    outputs: list[PlayerOutput] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @property
    def traceback(self) -> str:
        return self.failures[0].traceback


def match(white: str, black: str = "random", limits: Limits | None = None, seed: int = 1, **settings: object) -> Match:
    """A match of these agents, within a second of CPU time and 100 MB unless told otherwise."""
    return Match(GAME, (find(white), find(black)), limits or Limits(1, 100), seed, **settings)  # type: ignore[arg-type]


def played(to_play: Match, confinement: Confinement | None = None) -> Played:
    """Play it to its end."""
    events: list[Event] = []
    end = run(to_play, events.append, confinement=confinement)
    failures = [event for event in events if isinstance(event, PlayerFailed)]
    outputs = [event for event in events if isinstance(event, PlayerOutput)]
    return Played(end, failures, outputs, events)

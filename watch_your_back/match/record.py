"""The record of a match: reading it back, and making sure by the rules that it is one.

Each line is checked for its form, each action is played again: a record that loads is a match that could have happened.
`RecordWriter` writes records; `docs/records.md` describes the format.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from watch_your_back.confine.limits import Limits
from watch_your_back.game import RESIGN, Action, Game, Outcome, State
from watch_your_back.match.events import VOID, PlayerFailed, PlayerOutput, PlayerStarted
from watch_your_back.match.record_form import RecordError, read_lines
from watch_your_back.match.recording import RecordWriter
from watch_your_back.match.replaying import End, RecordedAgent, Refused, Replay, Turn

__all__ = ["End", "Record", "RecordError", "RecordWriter", "RecordedAgent", "Turn"]


@dataclass(frozen=True, repr=False)
class Record:
    """One match as it was recorded; everything in pairs is by side, in the order of `game.sides`.

    A record whose referee was killed has no `end`: it holds the match up to the last whole line.
    """

    game: Game
    start: State
    agents: tuple[RecordedAgent, RecordedAgent]
    slots: tuple[int, int]
    seed: int
    seeds: tuple[int, int]
    limits: Limits
    started: datetime
    machine: Mapping[str, Any]
    versions: Mapping[str, str | None]
    python_hash_seed: int | None
    starts: tuple[PlayerStarted, ...] = ()
    turns: tuple[Turn, ...] = ()
    outputs: tuple[PlayerOutput, ...] = ()
    failures: tuple[PlayerFailed, ...] = ()
    end: End | None = None
    opening: tuple[Action, ...] = ()

    @staticmethod
    def load(source: str | os.PathLike[str] | IO[str] | IO[bytes]) -> Record:
        """The record in a file or stream, compressed by gzip or not, replayed through the rules.

        Raises RecordError for anything but the record of a match that the rules allow, OSError for a file that cannot
        be read.
        """
        if isinstance(source, (str, os.PathLike)):
            name, data = os.fspath(source), Path(source).read_bytes()
        else:
            content = source.read()
            name = str(getattr(source, "name", "record"))
            data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        replay = Replay()
        for line in read_lines(data, name):
            try:
                replay.take(line)
            except Refused as error:
                raise RecordError(name, line.number, str(error)) from None
        return Record(**replay.fields())

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of both sides in the order in which they were taken."""
        return tuple(turn.action for turn in self.turns)

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The state before each action, and the one after the last: one more than there are actions."""
        states = [self.start]
        for action in self.actions:
            states.append(states[-1] if action == RESIGN else states[-1].play(action))
        return tuple(states)

    @property
    def complete(self) -> bool:
        """Whether the record goes to the end of the match."""
        return self.end is not None

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why; None for a record that was cut off."""
        return None if self.end is None else Outcome(self.end.winner, self.end.reason)

    @property
    def void(self) -> bool:
        """Whether the match counts for nobody, because it was interrupted or the referee failed."""
        return self.end is not None and self.end.reason in VOID

    def _repr_html_(self) -> str:
        """The replay for a notebook."""
        from watch_your_back.display import record_html

        return record_html(self)

    def __repr__(self) -> str:
        players = " v ".join(f"{agent.name} ({side})" for agent, side in zip(self.agents, self.game.sides, strict=True))
        if self.end is None:
            ending = f"cut off after {len(self.turns)} turns"
        else:
            winner = "nobody" if self.end.winner is None else self.game.sides[self.end.winner]
            ending = f"{winner} won after {len(self.turns)} turns: {self.end.reason}"
        return f"<Record of {self.game.id}: {players}, {ending}>"

"""What happens during a match, as typed events, and the reasons why one can end.

`watch_your_back.match.play` yields these in order; printing, recording, delaying and live viewing are listeners.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from watch_your_back.agents import Agent
from watch_your_back.confine.limits import Limits
from watch_your_back.game import Action, Game, State

__all__ = [
    "VOID",
    "ActionTaken",
    "Event",
    "MatchEnded",
    "MatchStarted",
    "PlayerFailed",
    "PlayerOutput",
    "PlayerStarted",
    "Reason",
    "TurnStarted",
    "Usage",
]


class Reason(StrEnum):
    """Why a match ended when it was not the game's own rules that ended it."""

    ILLEGAL_ACTION = "illegal action"
    EXCEPTION = "exception"
    TIME_LIMIT = "time limit"
    WALL_CLOCK_GUARD = "wall-clock guard"
    MEMORY_LIMIT = "memory limit"
    PLAYER_EXITED = "player exited"
    PROTOCOL = "protocol"
    COULD_NOT_START = "could not start"
    BOTH_COULD_NOT_START = "both could not start"
    TURN_LIMIT = "turn limit"
    RESIGNED = "resigned"
    INTERRUPTED = "interrupted"
    TAKEN_BACK = "taken back"
    REFEREE_ERROR = "referee error"


VOID = frozenset({Reason.INTERRUPTED, Reason.TAKEN_BACK, Reason.REFEREE_ERROR})
"""Reasons of a match that counts for nobody."""


class Usage(NamedTuple):
    """What one player has used so far: CPU seconds, elapsed seconds, peak memory in MB, and turns taken."""

    cpu_s: float = 0.0
    wall_s: float = 0.0
    memory_mb: float = 0.0
    turns: int = 0


class MatchStarted(NamedTuple):
    """The match is about to begin; both players' processes are being started.

    `seeds` is what each side's random generators are seeded with. `state` is the one to begin in, `opening` the actions
    that led to it.
    """

    game: Game
    agents: tuple[Agent, Agent]
    limits: Limits
    seed: int
    seeds: tuple[int, int]
    slots: tuple[int, int]
    state: State
    opening: tuple[Action, ...] = ()


class PlayerStarted(NamedTuple):
    """A player was imported and constructed, and is confined this strongly.

    `program` is what an external program calls itself, with its version; empty for a player.
    """

    side: int
    tier: str
    usage: Usage
    program: str = ""


class TurnStarted(NamedTuple):
    """A side is about to be asked for its action in `state` (`state.ply`, `state.turns`)."""

    side: int
    state: State


class ActionTaken(NamedTuple):
    """A side took a legal action (or `'resign'`), which led to `state`.

    `ply` counts from 0: `state.ply` before the action. `cpu_s` and `wall_s` are what this turn cost, `usage` the sums.
    """

    ply: int
    side: int
    action: Action
    state: State
    cpu_s: float
    wall_s: float
    usage: Usage


class PlayerOutput(NamedTuple):
    """What a player wrote to `stdout` or `stderr` in the turn at `ply` (-1: while it was started).

    It comes before the ActionTaken or PlayerFailed of that turn. `dropped` counts the bytes that were left out in the
    middle. The text is the player's: hostile until shown otherwise.
    """

    ply: int
    side: int
    stream: str
    text: str
    dropped: int


class PlayerFailed(NamedTuple):
    """A player broke a rule or a limit, or failed, in `call` (`import`, `constructor`, `action`, `update`, `finish`).

    `detail` is one sentence for its author; `traceback` is empty where there is none.
    """

    ply: int
    side: int
    call: str
    reason: Reason
    detail: str
    traceback: str = ""


class MatchEnded(NamedTuple):
    """The match is over. `winner` is a side's index or None; `reason` one of Reason or the game's own word.

    `ply` is the number of turns played.
    """

    winner: int | None
    reason: str
    detail: str
    ply: int
    usage: tuple[Usage, Usage]
    tiers: tuple[str, str]
    state: State

    @property
    def void(self) -> bool:
        """Whether the match counts for nobody, because it was interrupted or the referee failed."""
        return self.reason in VOID


Event: TypeAlias = MatchStarted | PlayerStarted | TurnStarted | ActionTaken | PlayerOutput | PlayerFailed | MatchEnded

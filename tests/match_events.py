"""A match as hand-made events, to test what listens to one without playing it."""

from __future__ import annotations

from pathlib import Path

from watch_your_back.agents import Agent
from watch_your_back.confine.limits import Limits
from watch_your_back.game import Action, Game
from watch_your_back.match.events import (
    ActionTaken,
    Event,
    MatchEnded,
    MatchStarted,
    PlayerFailed,
    PlayerOutput,
    PlayerStarted,
    Reason,
    TurnStarted,
    Usage,
)

GAME = Game.load("watch_your_back")
START = GAME.initial()


def agent(name: str, root: str = "somewhere") -> Agent:
    """An agent that is nowhere."""
    path = Path("/", root, f"{name}.py")
    return Agent(name, name, "player", path, path.parent, name, "Player", "0" * 64)


def started(white: str = "one", black: str = "two", limits: Limits | None = None, root: str = "somewhere") -> Event:
    """The match begins."""
    agents = (agent(white), agent(black, root))
    return MatchStarted(GAME, agents, limits or Limits(), 7, (1, 2), (0, 1), START)


def ready(*tiers: str) -> list[Event]:
    """Both players are there."""
    return [PlayerStarted(side, tier, Usage(0.1, 0.1, 1.0)) for side, tier in enumerate(tiers or ("full", "full"))]


def turns(*actions: Action) -> list[Event]:
    """The players take these actions, printing nothing."""
    events: list[Event] = []
    state = START
    for action in actions:
        events.append(TurnStarted(state.to_move, state))
        after = state.play(action)
        usage = Usage(0.25 * (after.ply + 1), 0.5, 12.5, after.ply)
        events.append(ActionTaken(state.ply, state.to_move, action, after, 0.25, 0.3, usage))
        state = after
    return events


def printed(side: int, text: str, ply: int = 0, dropped: int = 0) -> Event:
    """A player writes to its stdout."""
    return PlayerOutput(ply, side, "stdout", text, dropped)


def failed(side: int, reason: Reason, detail: str, traceback: str = "") -> Event:
    """A player fails in `action`."""
    return PlayerFailed(0, side, "action", reason, detail, traceback)


def ended(winner: int | None, reason: str, ply: int = 0, tiers: tuple[str, str] = ("full", "full")) -> MatchEnded:
    """The match is over."""
    usage = (Usage(1.5, 2.0, 12.5, ply), Usage(0.25, 0.3, 3.25, ply))
    return MatchEnded(winner, reason, "in detail", ply, usage, tiers, START)

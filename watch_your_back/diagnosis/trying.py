"""One match of an agent under diagnosis against an opponent of the referee's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256

from watch_your_back.agents import Agent, find_bundled
from watch_your_back.confine.confinement import Confinement
from watch_your_back.diagnosis.matches import Case, Fixture, Played
from watch_your_back.diagnosis.opposing import Chooser, Opponent
from watch_your_back.game import Action, State
from watch_your_back.match import Match, play
from watch_your_back.match.events import Event, MatchEnded, PlayerFailed, Reason, TurnStarted

__all__ = ["Attempt", "attempt", "likeness"]


@dataclass(frozen=True)
class Attempt:
    """A match as it went: its events, and what was seen of it. Without `played.ended` it was stopped before its end."""

    opening: tuple[Action, ...]
    events: tuple[Event, ...]
    played: Played

    @property
    def failure(self) -> PlayerFailed | None:
        """How the agent lost it, if by a failure of its own once it was started."""
        failure = self.played.failure
        return failure if failure is not None and failure.ply >= 0 else None

    @property
    def actions(self) -> tuple[Action, ...]:
        """All that led to where it ended, the opening included."""
        return (*self.opening, *self.played.actions)

    @property
    def length(self) -> int:
        return len(self.actions)


def attempt(
    case: Case,
    side: int,
    seed: int,
    choose: Chooser,
    confinement: Confinement,
    *,
    opening: Sequence[Action] = (),
    go_on: Callable[[State], bool] = lambda state: True,
) -> Attempt:
    """Play the agent as a side against an opponent, as long as `go_on` says so of the state before each turn.

    Raises KeyboardInterrupt when it is interrupted, ConfinementError.
    """
    played = Played(Fixture(side, "fuzz", seed))
    opponent = Opponent(choose)
    agents = (_opponent(), case.agent) if side else (case.agent, _opponent())
    match = Match(game=case.game, agents=agents, limits=case.limits, seed=seed, opening=tuple(opening))
    events: list[Event] = []
    with closing(play(match, confinement, seats={1 - side: opponent})) as course:
        for event in course:
            events.append(event)
            played.see(event)
            if isinstance(event, TurnStarted):
                opponent.state = event.state
                if not go_on(event.state):
                    break
            elif isinstance(event, MatchEnded) and event.reason == Reason.INTERRUPTED:
                raise KeyboardInterrupt
    return Attempt(tuple(opening), tuple(events), played)


def _opponent() -> Agent:
    """What the record calls the opponent, which is no agent that could be found again."""
    return replace(find_bundled("random"), spec="fuzz", name="fuzz", fingerprint=sha256(b"fuzz").hexdigest())


def likeness(failure: PlayerFailed) -> object:
    """What two failures have in common that are of the same cause: the reason, and where in the sources it was."""
    lines = re.findall(r'^ +File "(.*)", line (\d+)', failure.traceback, re.MULTILINE)
    if failure.reason == Reason.EXCEPTION:
        return failure.reason, failure.call, lines[-1] if lines else failure.detail
    return failure.reason

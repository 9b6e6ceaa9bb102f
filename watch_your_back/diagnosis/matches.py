"""The matches that an agent under diagnosis plays, and what is seen of each."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from watch_your_back.agents import Agent, find_bundled
from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.limits import Limits
from watch_your_back.game import Action, Game, State
from watch_your_back.match import Match, run
from watch_your_back.match.events import (
    ActionTaken,
    Event,
    MatchEnded,
    MatchStarted,
    PlayerFailed,
    PlayerOutput,
    Reason,
    TurnStarted,
)

__all__ = ["OPPONENTS", "SLOW", "Case", "Fixture", "Played", "conditions", "fixtures"]

OPPONENTS = ("random", "cautious")
"""The bundled agents to play against: one for short and wild matches, one for long and quiet ones."""

SLOW = frozenset({Reason.TIME_LIMIT, Reason.WALL_CLOCK_GUARD})
"""Failures that take as long as the limits are: seeing one of a kind is enough."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match that is to be played: the side of the agent, its opponent and the seed."""

    side: int
    opponent: str
    seed: int


def fixtures(matches: int, seed: int) -> Iterator[Fixture]:
    """So many matches: the sides by turns, and for each pair of them the next opponent."""
    for number in range(matches):
        yield Fixture(number % 2, OPPONENTS[number // 2 % len(OPPONENTS)], seed + number)


@dataclass(frozen=True, slots=True)
class Case:
    """An agent under diagnosis, and the conditions under which it plays."""

    agent: Agent
    game: Game
    limits: Limits
    seed: int

    def play(self, fixture: Fixture, confinement: Confinement) -> Played:
        """What is seen of a match. Raises KeyboardInterrupt when it is interrupted."""
        played = Played(fixture)
        opponent = find_bundled(fixture.opponent)
        agents = (opponent, self.agent) if fixture.side else (self.agent, opponent)
        match = Match(game=self.game, agents=agents, limits=self.limits, seed=fixture.seed)
        if run(match, played.see, confinement=confinement).reason == Reason.INTERRUPTED:
            raise KeyboardInterrupt
        return played

    def command(self, fixture: Fixture) -> tuple[str, ...]:
        """The `wyb` command that plays the match again."""
        names = (fixture.opponent, self.agent.spec) if fixture.side else (self.agent.spec, fixture.opponent)
        return ("play", *names, *conditions(self.game, self.limits), "--seed", str(fixture.seed))

    def command_without_matches(self) -> tuple[str, ...]:
        """The `wyb` command that diagnoses the agent again, but plays no match."""
        return ("check", self.agent.spec, "-n", "0", *conditions(self.game, self.limits), "--seed", str(self.seed))


def conditions(game: Game, limits: Limits) -> Iterator[str]:
    """The words that ask a `wyb` command for this game under these limits."""
    for name, limit in (("-t", limits.cpu_s), ("-s", limits.memory_mb)):
        if limit is not None:
            yield from (name, f"{limit:g}")
    if limits.profile != "fair":
        yield from ("--profile", limits.profile)
    if game.id != "watch_your_back":
        yield from ("--game", game.id)
    usual = Game.load(game.id).options
    for name, value in vars(game.options).items():
        if value != getattr(usual, name):
            yield from ("-o", f"{name}={value}")


@dataclass
class Played:
    """What was seen of a match: a listener that has gathered what matters about one side."""

    fixture: Fixture
    ended: MatchEnded = field(init=False)
    failure: PlayerFailed | None = None
    """How the agent failed, if it lost the match by that."""
    afterwards: PlayerFailed | None = None
    """How it failed in `finish`, which loses nothing."""
    opponent_failure: PlayerFailed | None = None
    actions: list[Action] = field(default_factory=list)
    """Those of both sides."""
    printed: int = 0
    """Characters, on stdout and stderr together."""
    slowest_s: float = 0.0
    """CPU seconds of the agent's slowest turn."""
    turns: int = 0
    """Those of the agent."""
    passes: int = 0
    """Turns in which the agent had no action but None."""
    shrinks: int = 0
    """How often squares were removed from the board."""
    recent: deque[State] = field(default_factory=lambda: deque(maxlen=3))
    """The last states: the one before each side's last turn, and the present one."""
    _removed: int = 0
    """Squares that are gone from the present state's board."""

    def see(self, event: Event) -> None:
        """Take in an event of the match."""
        side = self.fixture.side
        match event:
            case MatchStarted():
                self.recent.append(event.state)
                self._removed = removed(event.state)
            case TurnStarted():
                if event.side == side and list(event.state.legal_actions()) == [None]:
                    self.passes += 1
            case ActionTaken():
                self._see_action(event)
            case PlayerOutput():
                if event.side == side:
                    self.printed += len(event.text) + event.dropped
            case PlayerFailed():
                self._see_failure(event)
            case MatchEnded():
                self.ended = event

    def _see_action(self, event: ActionTaken) -> None:
        self.actions.append(event.action)
        before, self._removed = self._removed, removed(event.state)
        self.shrinks += self._removed > before
        self.recent.append(event.state)
        if event.side == self.fixture.side:
            self.turns += 1
            self.slowest_s = max(self.slowest_s, event.cpu_s)

    def _see_failure(self, event: PlayerFailed) -> None:
        if event.side != self.fixture.side:
            self.opponent_failure = self.opponent_failure or event
        elif self.failure or self.opponent_failure or self.recent[-1].outcome:
            self.afterwards = event
        else:
            self.failure = event


def removed(state: State) -> int:
    """How many squares are no longer on the board."""
    return sum(mark.kind == "removed" for mark in state.picture().marks)

"""The two sides of a game that a GTP controller leads: players that are started, told and asked as they are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from watch_your_back.agents import Agent
from watch_your_back.confine.capture import Captured
from watch_your_back.confine.faults import PlayerFault
from watch_your_back.game import Action, Game, IllegalAction, State
from watch_your_back.match import Confinement, Limits, Match
from watch_your_back.match.loop import seat_of
from watch_your_back.match.seats import Seat

__all__ = ["Players"]


@dataclass(slots=True)
class _Seated:
    """A player, and the actions of both sides that it knows of."""

    seat: Seat
    known: list[Action] = field(default_factory=list)


class Players:
    """One agent at either side of games of the same rules.

    A controller may take back actions, or take them for a player. Such a player is started anew and told where the game
    stands with `start`; one that has no such method takes its turns once more, and has to act as it did before.

    `heed` is called with the side and what its player has printed.
    """

    def __init__(
        self,
        agent: Agent,
        limits: Limits,
        seed: int,
        confinement: Confinement,
        *,
        require_tier: str | None = None,
        heed: Callable[[int, Captured], object] = lambda side, printed: None,
    ) -> None:
        self._agent = agent
        self._limits = limits
        self._seed = seed
        self._confinement = confinement
        self._require_tier = require_tier
        self._heed = heed
        self._seated: dict[int, _Seated] = {}

    def ask(self, game: Game, actions: Sequence[Action]) -> Action:
        """What the side whose turn it is after these actions does, checked by the rules.

        Raises PlayerFault and IllegalAction for the player's fault, ConfinementError for nobody's.
        """
        states = [game.initial()]
        for action in actions:
            states.append(states[-1].play(action))
        side = states[-1].to_move
        try:
            return self._answer(game, side, states, actions)
        except (PlayerFault, IllegalAction):
            self._end(side)
            raise

    def close(self) -> None:
        """End both players: the next game has new ones."""
        for side in list(self._seated):
            self._end(side)

    def _answer(self, game: Game, side: int, states: Sequence[State], actions: Sequence[Action]) -> Action:
        seated = self._seated.get(side)
        if seated is None or not _follows(seated.known, side, states, actions):
            self._end(side)
            seated = self._start(game, side)
            if not _follows([], side, states, actions):
                if "start" in seated.seat.methods:
                    seated.seat.start(list(actions))
                    seated.seat.settle()
                    seated.known = list(actions)
                else:
                    self._repeat(seated, side, states, actions)
        action = self._turn(seated, side, states[-1], actions[len(seated.known) :])
        seated.known = [*actions, action]
        return action

    def _start(self, game: Game, side: int) -> _Seated:
        both = (self._agent, self._agent)
        match = Match(game, both, self._limits, self._seed, (side, 1 - side), self._require_tier)
        seated = self._seated[side] = _Seated(seat_of(match, side, self._confinement))
        seated.seat.open()
        seated.seat.load()
        seated.seat.settle()
        return seated

    def _repeat(self, seated: _Seated, side: int, states: Sequence[State], actions: Sequence[Action]) -> None:
        """Let a player that has no method start take its turns once more."""
        for ply, action in enumerate(actions):
            if states[ply].to_move == side:
                again = self._turn(seated, side, states[ply], actions[len(seated.known) : ply])
                seated.known = list(actions[: ply + 1])
                if again != action:
                    detail = "it has no method start to be told of actions that others took for it or took back"
                    raise PlayerFault("exception", "start", detail)

    def _turn(self, seated: _Seated, side: int, state: State, updates: Sequence[Action]) -> Action:
        seat = seated.seat
        view = state.view(side) if "see" in seat.methods else None
        try:
            action = state.check(seat.turn(list(updates), state.turns, view))
            seat.settle()
            return action
        finally:
            for printed in seat.output():
                self._heed(side, printed)

    def _end(self, side: int) -> None:
        seated = self._seated.pop(side, None)
        if seated is not None:
            seated.seat.close()


def _follows(known: Sequence[Action], side: int, states: Sequence[State], actions: Sequence[Action]) -> bool:
    """Whether a player that knows so much has only to be told of what its opponent did since."""
    new = range(len(known), len(actions))
    return list(actions[: len(known)]) == list(known) and all(states[ply].to_move != side for ply in new)

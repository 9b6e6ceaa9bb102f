"""The seats of a match on the page that are not the usual ones: a person, and an agent that goes back a few turns."""

from __future__ import annotations

import time
from collections.abc import Sequence
from queue import SimpleQueue
from typing import Any

from watch_your_back.confine.faults import PlayerFault
from watch_your_back.game import Action, Game, IllegalAction
from watch_your_back.match.seats import Seat

__all__ = ["PersonSeat", "RebuiltSeat"]


class PersonSeat:
    """A person, whose actions arrive from another thread by `take`. Implements `Seat`.

    Only elapsed time is counted, on top of the `wall_s` that the person had used before.
    """

    tier = "none"
    program = ""
    methods: Sequence[str] = ("start",)
    cpu_s = 0.0
    memory_mb = 0.0

    def __init__(self, wall_s: float = 0.0) -> None:
        self.wall_s = wall_s
        self._actions: SimpleQueue[object] = SimpleQueue()

    def take(self, action: object) -> None:
        """The action for the next turn that is asked for."""
        self._actions.put(action)

    @property
    def spent(self) -> tuple[float, float, float]:
        return self.cpu_s, self.wall_s, self.memory_mb

    def open(self) -> None:
        """Nobody has to be started."""

    load = settle = measure = close = open

    def start(self, actions: Sequence[Action]) -> None:
        """The person sees the board."""

    def turn(self, updates: Sequence[Action], turns: int, view: Any) -> object:
        began = time.monotonic()
        action = self._actions.get()
        self.wall_s += time.monotonic() - began
        return action

    def stay_on(self, processor: int | None) -> None:
        """A person is on no processor."""

    def finish(self, updates: Sequence[Action], outcome: dict[str, Any]) -> None:
        """The page tells how it ended."""

    def output(self) -> list[Any]:
        return []


class RebuiltSeat:
    """The seat of an agent in a match that begins after an opening, which it need not have the method `start` for.

    Without it the agent plays the opening again: asked for each of its own actions, it has to answer as it did, which
    an agent does whose answers only depend on the match and its seed. Everything else is left to the seat itself.
    """

    def __init__(self, seat: Seat, game: Game, side: int, opening: Sequence[Action]) -> None:
        self._seat, self._game, self._side, self._opening = seat, game, side, opening
        self._untold: list[Action] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._seat, name)

    def start(self, actions: Sequence[Action]) -> None:
        """Tell the agent of the opening, or let it play it again. Raises PlayerFault if it plays something else."""
        if "start" in self._seat.methods:
            self._seat.start(actions)
            return
        state = self._game.initial()
        for number, action in enumerate(self._opening, 1):
            mover = state.to_move
            if mover == self._side:
                view = state.view(mover) if "see" in self._seat.methods else None
                try:
                    answer = state.check(self._seat.turn(self._untold, state.turns, view))
                except IllegalAction as error:
                    raise PlayerFault("exception", "action", f"{_OTHERWISE} turn {number} ({error})") from None
                self._seat.settle()
                self._untold = []
                if answer != action:
                    raise PlayerFault("exception", "action", f"{_OTHERWISE} turn {number}")
            state = state.play(action)
            if mover != self._side:
                self._untold.append(state.observe(action, self._side))

    def turn(self, updates: Sequence[Action], turns: int, view: Any) -> object:
        """The agent's action, after what it had not been told of at the end of the opening."""
        return self._seat.turn(self._late(updates), turns, view)

    def finish(self, updates: Sequence[Action], outcome: dict[str, Any]) -> None:
        """Tell the agent how the match ended."""
        self._seat.finish(self._late(updates), outcome)

    def _late(self, updates: Sequence[Action]) -> list[Action]:
        untold, self._untold = self._untold, []
        return [*untold, *updates]


_OTHERWISE = "it has no method start, and answers differently when it plays the match again: another action in"

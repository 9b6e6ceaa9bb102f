"""A Player that follows its match, in games with and without hidden information: the base of the bundled agents."""

from __future__ import annotations

from random import Random
from time import process_time
from typing import Any

from watch_your_back.game import Action, Game, State

__all__ = ["Follower"]

_HURRY = 0.85
"""The part of the time limit that choosing is to end within; one more turn may take as long as the longest did."""


class Follower:
    """Keeps `state` up to date in any game; a class derived from it has only to `choose`.

    Where a game hides something, `state` is what this side imagines: before each of its turns one that agrees with
    what it sees. `side` is its index into `game.sides`; `random` draws the same for the same seed.
    """

    def __init__(
        self,
        colour: str,
        game: str = "watch_your_back",
        options: dict[str, Any] | None = None,
        limits: dict[str, Any] | None = None,
        seed: int | None = None,
    ) -> None:
        """`colour` is one of the game's sides; `limits` is what the referee allows: `cpu_s` seconds, `memory_mb` MB."""
        self.game = Game.load(game, **(options or {}))
        self.side = self.game.sides.index(colour)
        self.limits = limits or {}
        self.random = Random(seed)
        self.began = process_time()
        self.asked: float | None = None  # when it was last asked for an action
        self.longest = 0.0
        self.state = self.game.initial()
        self.hidden = self.state.view(self.side) is not None

    def choose(self, state: State) -> Action:
        """The action to take in a state in which it is this side's turn."""
        raise NotImplementedError

    def follow(self, action: Action) -> None:
        """An action of either side was taken. Nothing is made of it where it may be half the truth."""
        if not self.hidden:
            self.state = self.state.play(action)

    def start(self, actions: list[Action]) -> None:
        """The match begins after these actions of both sides."""
        for action in actions:
            self.follow(action)

    def update(self, action: Action) -> None:
        """The opponent took this action: None where it passed."""
        self.follow(action)

    def see(self, view: Any) -> None:
        """This is all that the side may know before its turn, in a game with hidden information."""
        self.state = self.game.imagine(view, self.random)

    def action(self, turns: int) -> Action:
        """The action that was chosen, or any when time is running out: None where the side has to pass."""
        limit, now = self.limits.get("cpu_s"), process_time()
        if self.asked is not None and now - self.asked > self.longest:
            self.longest = now - self.asked
        self.asked = now
        if limit is not None and now - self.began + self.longest > _HURRY * limit:
            action = self.state.sample(self.random)
        else:
            action = self.choose(self.state)
        self.follow(action)
        return action

"""Plays at random, in any game: every legal action has the same chance. The lowest rung of the ladder."""

from random import Random
from typing import Any

from watch_your_back.game import Action, Game


class Player:
    """Keeps the state of the match and draws from its legal actions."""

    def __init__(
        self, colour: str, game: str = "watch_your_back", options: dict[str, Any] | None = None, seed: int | None = None
    ) -> None:
        """`colour` is one of the game's sides; with the same `seed` it draws the same."""
        self.state = Game.load(game, **(options or {})).initial()
        self.random = Random(seed)

    def start(self, actions: list[Action]) -> None:
        """The match begins after these actions of both sides."""
        for action in actions:
            self.state = self.state.play(action)

    def action(self, turns: int) -> Action:
        """Any legal action: None where the side has to pass."""
        action = self.state.sample(self.random)
        self.state = self.state.play(action)
        return action

    def update(self, action: Action) -> None:
        """The opponent took this action: None where it passed."""
        self.state = self.state.play(action)

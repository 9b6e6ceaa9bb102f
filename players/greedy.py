"""Looks one turn ahead, in any game: takes what it can, and does not walk into its own loss."""

from random import Random
from typing import Any

from watch_your_back.game import Action, Game, State


class Player:
    """Takes the action after which it is furthest ahead in pieces, or any of them where several are best."""

    def __init__(
        self, colour: str, game: str = "watch_your_back", options: dict[str, Any] | None = None, seed: int | None = None
    ) -> None:
        """`colour` is one of the game's sides; with the same `seed` it chooses the same."""
        self.state = Game.load(game, **(options or {})).initial()
        self.side = self.state.game.sides.index(colour)
        self.random = Random(seed)

    def start(self, actions: list[Action]) -> None:
        """The match begins after these actions of both sides."""
        for action in actions:
            self.state = self.state.play(action)

    def action(self, turns: int) -> Action:
        """A legal action that leads to a state of the greatest value: None where the side has to pass."""
        actions = list(self.state.legal_actions())
        values = [self.value(self.state.play(action)) for action in actions]
        best = max(values)
        action = self.random.choice([action for action, value in zip(actions, values, strict=True) if value == best])
        self.state = self.state.play(action)
        return action

    def update(self, action: Action) -> None:
        """The opponent took this action: None where it passed."""
        self.state = self.state.play(action)

    def value(self, state: State) -> float:
        """What a state is worth: a win more than anything, a loss less than anything, else the lead in pieces."""
        if state.outcome is not None and state.outcome.winner is not None:
            return float("inf") if state.outcome.winner == self.side else float("-inf")
        return state.count_pieces(self.side) - state.count_pieces(1 - self.side)

"""Stays out of trouble, in any game: neither takes nor is taken if it can help it, so that a match lasts.

A sparring partner rather than a rung of the ladder: `wyb check` plays against it to see the late turns of a match.
"""

from random import Random
from typing import Any

from watch_your_back.game import Action, Game, State

CANDIDATES = 12
"""How many actions, drawn at random, are looked at in a turn."""


class Player:
    """Takes the first action that it draws after which no piece is lost, now or by any answer, else the least bad."""

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
        """A legal action: None where the side has to pass."""
        actions = list(self.state.legal_actions())
        self.random.shuffle(actions)
        least = None
        for action in actions[:CANDIDATES]:
            trouble = self.trouble(self.state.play(action))
            if least is None or trouble < least[0]:
                least = trouble, action
            if trouble == 0:
                break
        assert least is not None
        self.state = self.state.play(least[1])
        return least[1]

    def update(self, action: Action) -> None:
        """The opponent took this action: None where it passed."""
        self.state = self.state.play(action)

    def trouble(self, state: State) -> float:
        """How much a state after an own action is to be avoided: 0 for one from which the match just goes on."""
        if state.outcome is not None:
            return float("inf")
        taken = self.theirs(self.state) - self.theirs(state)
        return max(taken, 0) + max(self.lost(answer) for answer in map(state.play, state.legal_actions()))

    def lost(self, state: State) -> float:
        """How much worse off than now a state is that the opponent can bring about."""
        if state.outcome is not None:
            return 1_000
        return 2 * max(self.mine(self.state) - self.mine(state), 0)

    def mine(self, state: State) -> int:
        """Its own pieces."""
        return state.count_pieces(self.side)

    def theirs(self, state: State) -> int:
        """The opponent's pieces."""
        return state.count_pieces(1 - self.side)

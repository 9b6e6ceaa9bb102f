"""Looks one turn ahead, in any game: takes what it can, and does not walk into its own loss."""

from watch_your_back.game import Action, State
from watch_your_back.search import Follower, candidates


class Player(Follower):
    """Takes the action after which it is furthest ahead, or any of them where several are best."""

    def choose(self, state: State) -> Action:
        """A legal action that leads to a state of the greatest value: None where the side has to pass."""
        actions = candidates(state, self.random, draws=100)
        values = [self.value(state.play(action)) for action in actions]
        best = max(values)
        return self.random.choice([action for action, value in zip(actions, values, strict=True) if value == best])

    def value(self, state: State) -> float:
        """What a state is worth: a win more than anything, a loss less than anything, else by how much it leads."""
        if state.outcome is None:
            return state.evaluate(self.side)
        if state.outcome.winner is None:
            return 0
        return float("inf") if state.outcome.winner == self.side else float("-inf")

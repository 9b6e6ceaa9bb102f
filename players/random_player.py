"""Plays at random, in any game: every legal action has the same chance. The lowest rung of the ladder."""

from watch_your_back.game import Action, State
from watch_your_back.search import Follower


class Player(Follower):
    """Draws from the legal actions of the state, which a Follower keeps up to date."""

    def choose(self, state: State) -> Action:
        """Any legal action: None where the side has to pass."""
        return state.sample(self.random)

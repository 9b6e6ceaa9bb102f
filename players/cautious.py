"""Stays out of trouble, in any game: neither takes nor is taken if it can help it, so that a match lasts.

A sparring partner rather than a rung of the ladder: `wyb check` plays against it to see the late turns of a match.
"""

from watch_your_back.game import Action, State
from watch_your_back.search import Follower, candidates

CANDIDATES = 12
"""How many actions, drawn at random, are looked at in a turn."""

ANSWERS = 100
"""How many of the opponent's answers to each are looked at."""


class Player(Follower):
    """Takes the first action that it draws after which no answer leaves anybody better off, else the least bad."""

    def choose(self, state: State) -> Action:
        """A legal action: None where the side has to pass."""
        actions = candidates(state, self.random)
        self.random.shuffle(actions)
        least = None
        for action in actions[:CANDIDATES]:
            trouble = self.trouble(state, state.play(action))
            if least is None or trouble < least[0]:
                least = trouble, action
            if trouble == 0:
                break
        assert least is not None
        return least[1]

    def trouble(self, now: State, after: State) -> float:
        """How much a state after an own action is to be avoided: 0 for one from which the match just goes on."""
        if after.outcome is not None:
            return float("inf")
        lead = now.evaluate(self.side)
        return max(self.swing(lead, after.play(answer)) for answer in candidates(after, self.random, ANSWERS))

    def swing(self, lead: float, state: State) -> float:
        """How far a state that the opponent can bring about is from the lead that there was; to be behind is worse."""
        if state.outcome is not None:
            return 1_000
        change = state.evaluate(self.side) - lead
        return max(change, -2 * change)

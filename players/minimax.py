"""Looks as many turns ahead as its time allows, in any game: alpha-beta search with iterative deepening."""

from typing import Any

from watch_your_back.game import Action, State
from watch_your_back.search import AlphaBeta, Clock, Follower

MATCH_SECONDS = 4.0
"""CPU time for a whole match where the referee sets no limit."""

DEEPEST = 60
"""Turns that are looked ahead at most, however much time there is."""


def evaluate(state: State) -> float:
    """What a state that is not over is worth to the side to move: change this to play in another style.

    What the game itself says, in pieces, and a tenth of a piece for each action to choose from, if they can be counted.
    """
    lead = state.evaluate(state.to_move)
    return lead + 0.1 * state.count_actions() if state.game.complete else lead


class Player(Follower):
    """Follows the match, and searches a 40th part of the time that is left each turn."""

    def __init__(
        self,
        colour: str,
        game: str = "watch_your_back",
        options: dict[str, Any] | None = None,
        limits: dict[str, Any] | None = None,
        seed: int | None = None,
    ) -> None:
        """`colour` is one of the game's sides; `limits` is what the referee allows: `cpu_s` seconds, `memory_mb` MB."""
        super().__init__(colour, game, options, limits, seed)
        self.clock = Clock(limits, MATCH_SECONDS)
        entries = int(1_000 * (self.limits.get("memory_mb") or 100))  # some 400 bytes each
        self.search = AlphaBeta(evaluate, entries=min(entries, 100_000), rng=self.random)

    def choose(self, state: State) -> Action:
        """The best action by the deepest search that there was time for: None where the side has to pass."""
        with self.clock.turn() as seconds:
            return self.search.search(state, seconds=seconds, depth=DEEPEST).action

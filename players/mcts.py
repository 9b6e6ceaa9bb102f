"""Plays out many matches in its head, in any game, and takes what turned out best: Monte Carlo tree search."""

from typing import Any

from watch_your_back.game import Action, State
from watch_your_back.search import Clock, Follower, MonteCarlo

MATCH_SECONDS = 4.0
"""CPU time for a whole match where the referee sets no limit."""

SIMULATIONS = 1_000_000
"""Simulations of a turn at most, however much time there is."""


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
        nodes = int(1000 * (self.limits.get("memory_mb") or 100))
        self.tree = MonteCarlo(nodes=nodes, rng=self.random)

    def choose(self, state: State) -> Action:
        """The action that the most simulations went through."""
        with self.clock.turn() as seconds:
            return self.tree.search(state, seconds=seconds, simulations=SIMULATIONS).action

    def follow(self, action: Action) -> None:
        """The tree goes along with the match."""
        super().follow(action)
        if not self.hidden:
            self.tree.advance(action)

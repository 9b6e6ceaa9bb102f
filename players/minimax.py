"""Looks as many turns ahead as its time allows, in any game: alpha-beta search with iterative deepening."""

from collections.abc import Hashable, Iterable
from random import Random
from time import process_time
from typing import Any

from watch_your_back.game import Action, Game, State

WIN = 1_000_000
"""The value of a match that is won; a point less for each turn that it takes."""

EXACT, AT_LEAST, AT_MOST = range(3)
"""What is known of a value: alpha-beta stops at an action as soon as it is good enough, or cannot be."""

TABLE_SIZE = 100_000
"""How many states' values are remembered: about 40 MB."""

MATCH_SECONDS = 4.0
"""CPU time for a whole match where the referee sets no limit."""

DEEPEST = 60
"""Turns that are looked ahead at most, however much time there is."""


def evaluate(state: State) -> int:
    """What a state that is not over is worth to the side to move: change this to play in another style.

    A piece more is worth 10 points, and a legal action more 1.
    """
    side = state.to_move
    return 10 * (state.count_pieces(side) - state.count_pieces(1 - side)) + state.count_actions()


class OutOfTime(Exception):
    """The time for this turn is used up."""


class Player:
    """Searches deeper and deeper until the time for the turn is used up, and takes the best action that it found."""

    def __init__(
        self,
        colour: str,
        game: str = "watch_your_back",
        options: dict[str, Any] | None = None,
        limits: dict[str, Any] | None = None,
        seed: int | None = None,
    ) -> None:
        """`colour` is one of the game's sides; `limits` is what the referee allows: `cpu_s` seconds, `memory_mb` MB."""
        self.state = Game.load(game, **(options or {})).initial()
        self.random = Random(seed)
        limits = limits or {}
        self.seconds = 0.8 * (limits.get("cpu_s") or MATCH_SECONDS / 0.8)
        self.table_size = min(TABLE_SIZE, int(1000 * (limits.get("memory_mb") or 100)))
        self.table: dict[Hashable, tuple[int, int, int, Action]] = {}
        self.cutoffs: dict[Action, int] = {}
        self.deadline = 0.0
        self.nodes = 0

    def start(self, actions: list[Action]) -> None:
        """The match begins after these actions of both sides."""
        for action in actions:
            self.state = self.state.play(action)

    def update(self, action: Action) -> None:
        """The opponent took this action: None where it passed."""
        self.state = self.state.play(action)

    def action(self, turns: int) -> Action:
        """The best action that is found in a 40th part of the time that is left: None where the side has to pass."""
        began = process_time()
        self.deadline = began + self.seconds / 40
        action = self.search(self.state)
        self.state = self.state.play(action)
        self.seconds -= process_time() - began
        return action

    def search(self, state: State) -> Action:
        """The best action by the deepest search that there was time for."""
        actions = list(state.legal_actions())
        self.random.shuffle(actions)
        best = actions[0]
        self.cutoffs.clear()
        try:
            for depth in range(1, DEEPEST + 1 if len(actions) > 1 else 1):
                value = -2 * WIN
                for action in self.in_order(actions, best):
                    found = self.value(state, action, depth, value, 2 * WIN)
                    if found > value:  # at once, not after the loop: a search that is cut short has its use too
                        value, best = found, action
                if abs(value) > WIN // 2:
                    break
        except OutOfTime:
            pass
        return best

    def value(self, state: State, action: Action, depth: int, low: int, high: int) -> int:
        """What an action is worth to the side that takes it, exactly if between `low` and `high`."""
        after = state.play(action)
        if after.to_move == state.to_move:  # a game in which a side may act again
            return self.alpha_beta(after, depth - 1, low, high)
        return -self.alpha_beta(after, depth - 1, -high, -low)

    def alpha_beta(self, state: State, depth: int, low: int, high: int) -> int:
        """What a state is worth to the side to move, `depth` turns ahead, exactly if between `low` and `high`."""
        if state.outcome is not None:
            if state.outcome.winner is None:
                return 0
            return (WIN - state.ply) * (1 if state.outcome.winner == state.to_move else -1)
        self.nodes += 1
        if self.nodes % 32 == 0 and process_time() > self.deadline:
            raise OutOfTime
        if depth == 0:
            return evaluate(state)
        key = state.ply, state.key()  # the turn counts too: how soon a board shrinks, for one
        known_depth, known, bound, best = self.table.get(key, (-1, 0, EXACT, None))
        if known_depth >= depth and (
            bound == EXACT or (bound == AT_LEAST and known >= high) or (bound == AT_MOST and known <= low)
        ):
            return known
        result, floor = -2 * WIN, low
        for action in self.in_order(state.legal_actions(), best):
            found = self.value(state, action, depth, floor, high)
            if found > result:
                result, best = found, action
            floor = max(floor, found)
            if floor >= high:
                self.cutoffs[action] = self.cutoffs.get(action, 0) + depth * depth
                break
        if len(self.table) >= self.table_size:
            self.table.clear()
        bound = AT_LEAST if result >= high else AT_MOST if result <= low else EXACT
        self.table[key] = depth, result, bound, best
        return result

    def in_order(self, actions: Iterable[Action], best: Action) -> list[Action]:
        """The actions, first the best one known, then those that were too good for the other side most often.

        The better the order, the more of the rest alpha-beta need not look at.
        """
        return sorted(actions, key=lambda action: WIN if action == best else self.cutoffs.get(action, 0), reverse=True)

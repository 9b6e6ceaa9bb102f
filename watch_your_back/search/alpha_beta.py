"""Alpha-beta search with iterative deepening and a table of the states that were met, in any game.

Knuth and Moore, An Analysis of Alpha-Beta Pruning, 1975; the order of actions by how often they cut off a search is the
history heuristic of Schaeffer, 1983.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random
from time import process_time

from watch_your_back.game import Action, State
from watch_your_back.search.found import Choice, Found, expected
from watch_your_back.search.playouts import candidates

__all__ = ["DEEPEST", "AlphaBeta"]

DEEPEST = 60
"""Turns that are looked ahead at most, however much time there is."""

_WIN = 1_000_000.0
"""The value of a match that is won; a point less for each turn that it takes."""

_ALL = 1_000_000
"""The depth of a value that looking further ahead would not change: every line was followed to its end."""

_EXACT, _AT_LEAST, _AT_MOST = range(3)
"""What is known of a value: alpha-beta stops at an action as soon as it is good enough, or cannot be."""

_DRAWS = 100  # actions drawn where a game does not list all of them


class _OutOfTime(Exception):
    """The time for this search is used up."""


def _lead(state: State) -> float:
    return state.evaluate(state.to_move)


class AlphaBeta:
    """Searches one turn deep, then two, then three, ..., and remembers what it met from one search to the next.

    `evaluate` is what a state that is not over is worth to the side to move, in pieces. `entries` bounds the table: one
    takes about 400 bytes. `rng` decides between equally good actions.
    """

    def __init__(
        self, evaluate: Callable[[State], float] = _lead, *, entries: int = 100_000, rng: Random | None = None
    ) -> None:
        self.evaluate = evaluate
        self.entries = entries
        self.random = rng or Random(0)
        self.table: dict[int, tuple[int, float, int, Action]] = {}
        self.cutoffs: dict[Action, int] = {}
        self.nodes = 0
        self._deadline = 0.0
        self._open = False  # whether a value depended on where the search stopped

    def search(
        self,
        state: State,
        *,
        seconds: float | None = None,
        depth: int = DEEPEST,
        every: bool = False,
        exact: Collection[Action] = (),
    ) -> Found:
        """What is found within so many seconds of CPU time (None: any number) or turns of depth, whichever is sooner.

        The value of the best action is exact for its depth, those of the others are bounds that were enough to reject
        them; with `every` all are exact, which takes longer. Those of the actions in `exact`, which must be legal, are
        so too, and then all values are of the same depth. Raises IndexError when the match is over.
        """
        self._deadline = float("inf") if seconds is None else process_time() + seconds
        actions = candidates(state, self.random, draws=_DRAWS)
        if not actions:
            raise IndexError("the match is over, there is no action to search for")
        self.random.shuffle(actions)
        actions += [action for action in exact if action not in actions]
        self.cutoffs.clear()
        self.nodes = 0
        values: dict[Action, tuple[float, int]] = {}
        best, reached, proven = actions[0], 0, False
        whole = None
        try:
            for reached in range(1, depth + 1):
                value, before = -2 * _WIN, best
                self._open = False
                for action in self._in_order(actions, before):
                    nodes = self.nodes
                    found = self._value(
                        state, action, reached, -2 * _WIN if every or action in exact else value, 2 * _WIN
                    )
                    values[action] = found, self.nodes - nodes
                    if found > value:  # at once, not after the loop: a search that is cut short has its use too
                        value, best = found, action
                proven = not self._open
                whole = best, dict(values)
                if proven or abs(value) > _WIN / 2 or (len(actions) == 1 and not every):
                    break
        except _OutOfTime:
            reached -= 1
            if exact and whole is not None:
                best, values = whole
        return self._found(state, best, values, proven, reached)

    def _value(self, state: State, action: Action, depth: int, low: float, high: float) -> float:
        """What an action is worth to the side that takes it, exactly if between `low` and `high`."""
        after = state.play(action)
        if after.to_move == state.to_move:  # a game in which a side may act again
            return self._alpha_beta(after, depth - 1, low, high)
        return -self._alpha_beta(after, depth - 1, -high, -low)

    def _alpha_beta(self, state: State, depth: int, low: float, high: float) -> float:
        """What a state is worth to the side to move, `depth` turns ahead, exactly if between `low` and `high`."""
        outcome = state.outcome
        if outcome is not None:
            if outcome.winner is None:
                return 0.0
            return (_WIN - state.ply) * (1 if outcome.winner == state.to_move else -1)
        self.nodes += 1
        if self.nodes % 32 == 0 and process_time() > self._deadline:
            raise _OutOfTime
        if depth == 0:
            self._open = True
            return self.evaluate(state)
        key = hash((state.ply, state.key()))  # the turn counts too: how soon a board shrinks, for one
        known_depth, known, bound, best = self.table.get(key, (-1, 0.0, _EXACT, None))
        if known_depth >= depth and (
            bound == _EXACT or (bound == _AT_LEAST and known >= high) or (bound == _AT_MOST and known <= low)
        ):
            self._open |= known_depth < _ALL
            return known
        before, self._open = self._open, False
        value, floor = -2 * _WIN, low
        for action in self._in_order(candidates(state, self.random), best):
            found = self._value(state, action, depth, floor, high)
            if found > value:
                value, best = found, action
            floor = max(floor, found)
            if floor >= high:
                self.cutoffs[action] = self.cutoffs.get(action, 0) + depth * depth
                break
        if len(self.table) >= self.entries:
            self.table.clear()
        bound = _AT_LEAST if value >= high else _AT_MOST if value <= low else _EXACT
        self.table[key] = depth if self._open else _ALL, value, bound, best
        self._open |= before
        return value

    def _in_order(self, actions: list[Action], best: Action) -> list[Action]:
        """The actions, first the best one known, then those that were too good for the other side most often.

        The better the order, the more of the rest alpha-beta need not look at.
        """
        cutoffs = self.cutoffs
        return sorted(actions, key=lambda action: -1_000_000_000 if action == best else -cutoffs.get(action, 0))

    def _found(
        self, state: State, best: Action, values: dict[Action, tuple[float, int]], proven: bool, depth: int
    ) -> Found:
        def result(value: float) -> float:
            return expected(value) if abs(value) < _WIN / 2 else 1.0 if value > 0 else -1.0

        value = values.get(best, (0.0, 0))[0]
        ranked = sorted(values.items(), key=lambda item: (item[0] != best, -item[1][0]))
        choices = tuple(Choice(action, result(value), nodes) for action, (value, nodes) in ranked)
        proven = (proven or abs(value) > _WIN / 2) and state.game.complete
        return Found(best, result(value), proven, self._line(state, best, depth), choices, depth, self.nodes)

    def _line(self, state: State, action: Action, depth: int) -> tuple[Action, ...]:
        """How both sides go on at best, as far as the table knows."""
        line = [action]
        state = state.play(action)
        while state.outcome is None and len(line) < depth:
            known = self.table.get(hash((state.ply, state.key())))
            if known is None or known[3] not in candidates(state, self.random):
                break
            line.append(known[3])
            state = state.play(known[3])
        return tuple(line)

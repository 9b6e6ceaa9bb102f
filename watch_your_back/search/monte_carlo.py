"""Monte Carlo tree search: simulations that go where it looks best, in any game.

Kocsis and Szepesvari, Bandit Based Monte-Carlo Planning, 2006; values that are certain are kept apart from those that
are guessed, as in Winands, Bjornsson and Saito, Monte-Carlo Tree Search Solver, 2008.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random
from time import process_time

from watch_your_back.game import Action, State
from watch_your_back.search.found import Choice, Found, result
from watch_your_back.search.playouts import candidates, playout

__all__ = ["MonteCarlo"]

_CURIOSITY = 0.5
"""How much a small number of visits speaks for an action."""

_PRIOR = 2.0
"""How many visits the evaluation right after an action is worth."""

_EXPAND = 4
"""Visits after which the actions of a state join the tree, if simulations go on at random; otherwise the first does."""

_DRAWS = 100  # actions drawn where a game does not list all of them


class _Node:
    """An action of the tree, and what is known of the state after it; values are those of side 0, from -1 to 1."""

    __slots__ = ("action", "certain", "children", "prior", "to_move", "total", "visits")

    def __init__(self, action: Action, to_move: int, prior: float, certain: float | None) -> None:
        self.action = action
        self.to_move = to_move
        self.prior = prior
        self.certain = certain
        self.visits = 0
        self.total = 0.0
        self.children: list[_Node] = []

    @property
    def value(self) -> float:
        """What is expected of the state."""
        if self.certain is not None:
            return self.certain
        return (self.total + _PRIOR * self.prior) / (self.visits + _PRIOR)

    def count(self) -> int:
        """The number of nodes from here on."""
        count, rest = 0, [self]
        while rest:
            node = rest.pop()
            count += 1
            rest += node.children
        return count


class MonteCarlo:
    """A tree of what may come, kept from one search to the next as far as the match has gone along with it.

    A simulation follows the tree, plays `turns` random turns beyond it, and takes the outcome or the evaluation of the
    state where it ends. With an evaluation that is worth something, none are best; without one, play to the end.
    `nodes` bounds the tree: a node takes about 300 bytes. With the same `rng` and number of simulations a search finds
    the same. `size` is how many nodes there are.
    """

    def __init__(self, *, turns: int = 0, nodes: int = 100_000, rng: Random | None = None) -> None:
        self.turns = turns
        self.nodes = nodes
        self.random = rng or Random(0)
        self._state: State | None = None
        self._root = _Node(None, 0, 0.0, None)
        self.size = 1

    def advance(self, action: Action) -> None:
        """The match went on with this action: what was found out about the state after it is kept."""
        if self._state is not None:
            self._state = self._state.play(action)
            kept = next((child for child in self._root.children if child.action == action), None)
            if kept is None:
                self._state = None
            else:
                self._root = kept
                self.size = kept.count()

    def search(self, state: State, *, seconds: float | None = None, simulations: int | None = None) -> Found:
        """What is found within so many seconds of CPU time or simulations, whichever is sooner.

        Raises IndexError when the match is over, ValueError when neither is bounded.
        """
        if seconds is None and simulations is None:
            raise ValueError("a search needs a number of seconds or of simulations")
        if state.outcome is not None:
            raise IndexError("the match is over, there is no action to search for")
        deadline = float("inf") if seconds is None else process_time() + seconds
        if self._state is None or self._state != state:
            self._state, self.size = state, 1
            self._root = _Node(None, state.to_move, 0.0, None)
        root = self._root
        if not root.children:
            self._expand(root, state, draws=_DRAWS)
        done = 0
        while len(root.children) > 1 and root.certain is None and done != simulations and process_time() < deadline:
            self._simulate()
            done += 1
        return self._found(done)

    def _simulate(self) -> None:
        """From the root along the tree, out of it at random, and back."""
        node, state = self._root, self._state
        assert state is not None
        path = [node]
        expand = _EXPAND if self.turns else 1
        while node.children and node.certain is None:
            node = _promising(node)
            state = state.play(node.action)
            path.append(node)
            if not node.children and node.certain is None and node.visits >= expand and self.size < self.nodes:
                self._expand(node, state)
        value = node.certain
        if value is None:
            value = result(playout(state, self.random, self.turns), 0)
        for node in reversed(path):
            node.visits += 1
            node.total += value
            if node.children and node.certain is None:
                _settle(node, state.game.complete)

    def _expand(self, node: _Node, state: State, draws: int = 0) -> None:
        for action in candidates(state, self.random, draws=draws):
            after = state.play(action)
            prior = result(after, 0)
            node.children.append(_Node(action, after.to_move, prior, None if after.outcome is None else prior))
        self.random.shuffle(node.children)
        self.size += len(node.children)

    def _found(self, done: int) -> Found:
        root = self._root
        sign = _sign(root)
        ranked = _ranked(root)
        choices = tuple(Choice(child.action, sign * child.value, child.visits) for child in ranked)
        line, node = [ranked[0].action], ranked[0]
        while node.children:
            node = _ranked(node)[0]
            line.append(node.action)
        proven = ranked[0].certain is not None and (ranked[0].certain == sign or root.certain is not None)
        return Found(ranked[0].action, choices[0].value, proven, tuple(line), choices, len(line), done)


def _sign(node: _Node) -> int:
    """What turns a value of side 0 into one of the side to move."""
    return -1 if node.to_move else 1


def _ranked(node: _Node) -> list[_Node]:
    """The children by what actions are compared by in the end: a certain win or loss, then visits, then value."""
    sign = _sign(node)

    def merit(child: _Node) -> tuple[float, int, float]:
        return 0.0 if child.certain is None else sign * child.certain, child.visits, sign * child.value

    return sorted(node.children, key=merit, reverse=True)


def _promising(node: _Node) -> _Node:
    """The child to look at next: the best, with some favour to those that were looked at little."""
    sign = _sign(node)
    curiosity = _CURIOSITY * sqrt(log(node.visits + 1))
    best, highest = node.children[0], -10.0
    for child in node.children:
        if child.certain is None:
            weight = child.visits + _PRIOR
            merit = sign * (child.total + _PRIOR * child.prior) / weight + curiosity / sqrt(weight)
        else:
            merit = sign * child.certain - 1.0
        if merit > highest:
            best, highest = child, merit
    return best


def _settle(node: _Node, complete: bool) -> None:
    """Make the value of a state certain as soon as those after it leave no doubt.

    They always do where not all actions are known, unless one of them wins.
    """
    sign = _sign(node)
    best = -1.0
    doubt = not complete
    for child in node.children:
        if child.certain is None:
            doubt = True
        elif child.certain == sign:
            node.certain = float(sign)
            return
        else:
            best = max(best, sign * child.certain)
    if not doubt:
        node.certain = sign * best

"""What a finished match looks like to a search: how it stood after each turn, and which turns were mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from watch_your_back.game import RESIGN, Action, State
from watch_your_back.search.alpha_beta import DEEPEST, AlphaBeta
from watch_your_back.search.found import Found, result

__all__ = ["BLUNDER", "MISTAKE", "Explained", "Explanation", "explain"]

MISTAKE, BLUNDER = 0.2, 0.4
"""By how much less a side can expect after a turn than it could, from -1 to 1, for a turn to be called that."""

_AHEAD = 0.2
"""What a side can expect that is ahead; less than minus that, and it is behind."""

_FIRST = 0.7
"""The part of a turn's time in which the best action is searched for; in the rest it is made sure of."""

_ENTRIES = 300_000  # of a table, for one turn


class Explained(NamedTuple):
    """A turn, searched again: what its side could expect before it and what after it, from -1 (lost) to 1 (won).

    `best` is the action with which it could have expected `before`, and `line` how both sides would go on from there at
    best. The two values come from a search of the same depth, `depth` turns ahead; 0 where there was nothing to choose
    and nothing was searched for, and where the time was too short for one. `certain` says that `before` is proven.
    """

    ply: int
    side: int
    action: Action
    best: Action
    before: float
    after: float
    line: tuple[Action, ...]
    depth: int
    visits: int
    certain: bool

    @property
    def loss(self) -> float:
        """How much the turn cost."""
        return max(0.0, self.before - self.after)

    @property
    def hasty(self) -> bool:
        """Whether there was too little time to compare the turn with others, and nothing is said against it."""
        return self.depth == 0 and self.visits > 0 and not self.certain

    @property
    def grade(self) -> str:
        """`mistake`, `blunder`, or empty where there is nothing to say."""
        return "blunder" if self.loss >= BLUNDER else "mistake" if self.loss >= MISTAKE else ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A match, turn by turn, and what its first side could expect: in `values` before each turn, and after the last.

    `turning` are the numbers, from 0, of the turns at which it turned.
    """

    turns: tuple[Explained, ...]
    values: tuple[float, ...]
    turning: tuple[int, ...]

    def cost(self, side: int) -> float:
        """What a turn of this side cost it, on average."""
        losses = [turn.loss for turn in self.turns if turn.side == side]
        return sum(losses) / len(losses) if losses else 0.0

    def count(self, side: int, grade: str) -> int:
        """How many turns of a side have this grade."""
        return sum(turn.grade == grade for turn in self.turns if turn.side == side)


def explain(
    states: Sequence[State],
    actions: Sequence[Action],
    *,
    seconds: float | None = None,
    depth: int = DEEPEST,
    progress: Callable[[int], object] = lambda done: None,
) -> Explanation:
    """Search each turn again, for so many seconds of CPU time or turns of depth, whichever is sooner.

    `states` has one more than there are actions: the one before each, and the last. Turns are searched from the last to
    the first. `progress` is called with the number of turns that are done. Where something is hidden, the search sees
    it all the same.
    """
    found: list[Explained] = []
    values = [_last(states, actions)]
    for number in range(len(actions) - 1, -1, -1):
        state = states[number]
        turn = _explained(state, actions[number], seconds, depth, values[-1])
        found.append(turn)
        values.append(turn.before if turn.side == 0 else -turn.before)
        progress(len(found))
    found.reverse()
    values.reverse()
    return Explanation(tuple(found), tuple(values), _turning(found))


def _last(states: Sequence[State], actions: Sequence[Action]) -> float:
    """What the first side can expect in the end."""
    if actions and actions[-1] == RESIGN:
        return 1.0 if states[-1].to_move == 1 else -1.0
    return result(states[-1], 0)


def _explained(state: State, action: Action, seconds: float | None, depth: int, value: float) -> Explained:
    """A turn after which the first side can expect `value`, as far as that is known by now."""
    side = state.to_move
    legal = list(islice(state.legal_actions(), 2))
    if len(legal) == 1 and action == legal[0]:
        now = value if side == 0 else -value
        return Explained(state.ply, side, action, action, now, now, (action,), 0, 0, False)
    taken = () if action == RESIGN else (action,)
    deep = AlphaBeta(entries=_ENTRIES).search(state, seconds=seconds and _FIRST * seconds, depth=depth, exact=taken)
    before, loss = deep.value, deep.value - _value_of(action, deep)
    rest = seconds and (1 - _FIRST) * seconds
    if deep.proven and deep.value == 1.0 and loss and action != RESIGN:
        loss = min(loss, 1.0 - _later(state, action, rest, depth))
    elif deep.depth == 0 and not deep.proven:
        loss = 0.0  # what was not searched for is not bad
    elif deep.depth > 1 and not deep.proven:
        # An evaluation in the middle of an exchange favours whoever acted last: at every other depth, that is the same.
        less = AlphaBeta(entries=_ENTRIES).search(state, seconds=rest, depth=deep.depth - 1, exact=taken)
        if less.depth == deep.depth - 1:
            before, loss = (before + less.value) / 2, min(loss, less.value - _value_of(action, less))
    best = action if loss <= 0 else deep.action
    line = deep.line if best == deep.action else (action,)
    loss = max(loss, 0.0)
    return Explained(state.ply, side, action, best, before, before - loss, line, deep.depth, deep.visits, deep.proven)


def _value_of(action: Action, found: Found) -> float:
    """What a search found for an action."""
    return next((choice.value for choice in found.choices if choice.action == action), -1.0)


def _later(state: State, action: Action, seconds: float | None, depth: int) -> float:
    """What an action is worth that does not win at once, but may win later."""
    after = state.play(action)
    if after.outcome is not None:
        return result(after, state.to_move)
    found = AlphaBeta(entries=_ENTRIES).search(after, seconds=seconds, depth=depth)
    return found.value if after.to_move == state.to_move else -found.value


def _turning(turns: Sequence[Explained], most: int = 5) -> tuple[int, ...]:
    """The dearest of the mistakes of a side that was not behind, and after which it was not ahead."""
    found = [
        number for number, turn in enumerate(turns) if turn.grade and turn.before >= -_AHEAD and turn.after <= _AHEAD
    ]
    return tuple(sorted(sorted(found, key=lambda number: -turns[number].loss)[:most]))

"""Awkward positions of any game to begin a match in, by the actions that lead there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import islice
from random import Random

from watch_your_back.diagnosis.matches import removed
from watch_your_back.diagnosis.opposing import BIASES, chooser
from watch_your_back.game import Action, Game, State

__all__ = ["awkward"]

_LONGEST = 2_000
"""Turns after which a playout is left alone."""
_OWN, _REPLIES, _COUNTED = 24, 8, 40
"""Actions of the cramped side, answers of the other one, and actions after that, which are looked at."""
_LOOKS, _LOOKS_S = 30_000, 2.0
"""States that are looked at for one cramped position; and CPU seconds, which only a slow game takes."""


def awkward(game: Game, side: int, bias: str, rng: Random) -> tuple[Action, ...]:
    """Legal actions that lead to a position in which it is this side's turn; none if there is no such position.

    It lies anywhere in a random match, near its end, before something happens (a phase ends, the board shrinks, a side
    has to pass), or where this side has hardly an action left, or none.
    """
    kind = rng.choice(("anywhere", "near the end", "before something", "cramped"))
    if kind == "cramped":
        return _cramped(game, side, rng)
    choose = [chooser(bias, game, rng), chooser(rng.choice(list(BIASES)), game, rng)]
    state, states = game.initial(), [game.initial()]
    actions: list[Action] = []
    while state.outcome is None and len(actions) < _LONGEST:
        actions.append(choose[state.to_move](state))
        state = state.play(actions[-1])
        states.append(state)
    own = [at for at, each in enumerate(states) if each.outcome is None and each.to_move == side and at]
    if kind == "near the end":
        own = own[-8:]
    elif kind == "before something":
        happening = _happening(states)
        own = [at for at in own if happening & {at, at + 1, at + 2}] or own
    return tuple(actions[: rng.choice(own)]) if own else ()


def _happening(states: Sequence[State]) -> set[int]:
    """The numbers of the states in which a phase has just begun, the board has just shrunk, or a side has to pass."""
    gone = [removed(state) for state in states]
    return {
        at
        for at in range(1, len(states))
        if states[at].phase != states[at - 1].phase or gone[at] != gone[at - 1] or _freedom(states[at]) == 0
    }


def _cramped(game: Game, side: int, rng: Random) -> tuple[Action, ...]:
    """The actions to the state of a match in which this side has the fewest actions, as both sides see to it."""
    least, looks = _COUNTED + 1, 0
    found: tuple[Action, ...] = ()
    end = time.process_time() + _LOOKS_S
    while looks < _LOOKS and least and time.process_time() < end:
        state = game.initial()
        actions: tuple[Action, ...] = ()
        while state.outcome is None and len(actions) < _LONGEST and looks < _LOOKS and time.process_time() < end:
            if state.to_move == side and actions and (freedom := _freedom(state)) < least:
                least, found = freedom, actions
            tightness: dict[Action, int] = {}
            for action in dict.fromkeys(state.sample(rng) for _ in range(_OWN)):
                tightness[action], more = _tightness(state.play(action), side, rng)
                looks += more
            action = min(tightness, key=lambda each: tightness[each])
            state, actions = state.play(action), (*actions, action)
    return found


def _tightness(after: State, side: int, rng: Random) -> tuple[int, int]:
    """How many actions a side may soon have left, at least, and how many states were looked at for that."""
    if after.outcome is not None:
        return 10 * _COUNTED, 1
    if after.to_move == side:
        return _freedom(after), 1
    replies = [after.play(reply) for reply in dict.fromkeys(after.sample(rng) for _ in range(_REPLIES))]
    left = [_freedom(reply) for reply in replies if reply.outcome is None and reply.to_move == side]
    return min(left, default=_COUNTED), len(replies)


def _freedom(state: State) -> int:
    """How many actions there are, up to a number; 0 where the side to move has to pass."""
    actions = list(islice(state.legal_actions(), _COUNTED))
    return 0 if actions == [None] else len(actions)

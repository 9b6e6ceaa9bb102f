"""From what went wrong, and when, to what its author might look at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from watch_your_back.diagnosis.matches import removed
from watch_your_back.game import State
from watch_your_back.match.events import Reason

__all__ = ["CALLS", "FAULTS", "advice", "circumstances", "place"]

CALLS = {
    "import": "while it is imported",
    "constructor": "in __init__()",
    "action": "in action()",
    "update": "in update()",
    "start": "in start()",
    "finish": "in finish()",
}
"""Where a player was when it failed."""

FAULTS = {
    Reason.ILLEGAL_ACTION: "takes an illegal action",
    Reason.EXCEPTION: "raises an exception",
    Reason.TIME_LIMIT: "goes over the time limit",
    Reason.WALL_CLOCK_GUARD: "keeps the match waiting",
    Reason.MEMORY_LIMIT: "goes over the memory limit",
    Reason.PLAYER_EXITED: "ends its own process",
    Reason.PROTOCOL: "writes on the channel to the referee",
    Reason.COULD_NOT_START: "cannot be started",
}
"""What a player does that fails for this reason."""

_WHAT_TO_DO = {
    Reason.TIME_LIMIT: (
        "The limit is for the whole match, __init__() and update() included: plan with what is left of it, not turn by "
        "turn. Where one call never returns, the traceback shows where it was stopped."
    ),
    Reason.WALL_CLOCK_GUARD: "A player must not sleep or wait for anything: nothing comes.",
    Reason.MEMORY_LIMIT: "Bound what it keeps (tables, trees, histories), and let go of what is of no use any more.",
    Reason.PLAYER_EXITED: "Look for os._exit(), and for code in C that crashes or runs out of memory.",
    Reason.PROTOCOL: "Leave alone the file descriptors that it has not opened itself.",
}

_OWN_WORDS = re.compile(r"(the )?action\b|.* returned ", re.DOTALL)
"""Refusals of what is no action at all: they say themselves how to mend it."""


def place(state: State) -> str:
    """Where in a match a state is."""
    return f"at turn {state.turns} of the {state.phase} phase"


def advice(reason: str, detail: str, states: Sequence[State], side: int) -> str:
    """What to look at after a failure; `states` are the last ones, the present one at the end."""
    told = list(circumstances(states, side))
    if reason == Reason.ILLEGAL_ACTION and not _OWN_WORDS.match(detail):
        told.append("Compare the player's own board with the one below after every action() and update().")
    elif reason in _WHAT_TO_DO:
        told.append(_WHAT_TO_DO[Reason(reason)])
    return " ".join(told)


def circumstances(states: Sequence[State], side: int) -> Iterator[str]:
    """What happened in the two turns before the present state that players are known to stumble over."""
    now = states[-1]
    if list(now.legal_actions()) == [None]:
        yield "It has no legal move here: action() must return None."
    if len(states) > 1:
        yield from _opponents_turn(states[-2], now, side)
    if len(states) > 2:
        yield from _own_turn(states[-3], states[-2], side)


def _opponents_turn(before: State, now: State, side: int) -> Iterator[str]:
    if list(before.legal_actions()) == [None]:
        yield "The opponent has just passed: update() was told None."
    if removed(now) > removed(before):
        yield "The board has just shrunk, after an action of the opponent: update() has to see to that."
    elif lost := before.count_pieces(side) - now.count_pieces(side):
        yield f"The opponent's last action eliminated {_pieces(lost)} of the player: update() has to remove them."
    if now.phase != before.phase and now.turns <= 1:
        yield f"The {now.phase} phase has just begun, and its turns count from 0 again."


def _own_turn(before: State, after: State, side: int) -> Iterator[str]:
    if removed(after) > removed(before):
        yield "The board has just shrunk, after its own action: it has to see to that without an update()."
        return
    if (taken := before.count_pieces(1 - side) - after.count_pieces(1 - side)) > 0:
        yield f"Its own last action eliminated {_pieces(taken)} of the opponent, which no update() tells it."
    if before.count_pieces(side) > after.count_pieces(side):
        yield "Its own last action cost it the piece that it moved, which no update() tells it."


def _pieces(count: int) -> str:
    return "a piece" if count == 1 else f"{count} pieces"

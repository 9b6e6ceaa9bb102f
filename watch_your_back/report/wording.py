"""How a match ended, in one sentence."""

from __future__ import annotations

from watch_your_back.game import Action, Game
from watch_your_back.match.events import Reason
from watch_your_back.match.record import Record
from watch_your_back.show.text import one_line

__all__ = ["NOBODY", "action", "named", "outcome", "result"]

NOBODY = frozenset({Reason.INTERRUPTED, Reason.REFEREE_ERROR, Reason.BOTH_COULD_NOT_START})
"""Reasons of a match without a winner that is no draw either."""

LOST_BY = {
    "eliminated": "{loser} was eliminated",
    "primary": "{loser} lost its primary piece",
    Reason.ILLEGAL_ACTION: "{loser} took an illegal action",
    Reason.EXCEPTION: "{loser} raised an exception",
    Reason.TIME_LIMIT: "{loser} went over the time limit",
    Reason.WALL_CLOCK_GUARD: "{loser} kept everybody waiting",
    Reason.MEMORY_LIMIT: "{loser} went over the memory limit",
    Reason.PLAYER_EXITED: "{loser} left",
    Reason.PROTOCOL: "{loser} disturbed the channel to the referee",
    Reason.COULD_NOT_START: "{loser} could not start",
    Reason.RESIGNED: "{loser} resigned",
}


def named(side: str, name: str) -> str:
    """A side and its agent, for people: `White (minimax)`."""
    return f"{side.capitalize()} ({one_line(name)})"


def action(taken: Action, arrow: str = "\N{RIGHTWARDS ARROW}") -> str:
    """An action in words, as `diagram.js` writes it: `(3, 2)`, `(3, 2) → (3, 3)`, `pass`."""
    if taken is None:
        return "pass"
    if not isinstance(taken, tuple):
        return str(taken)
    if taken and all(isinstance(part, tuple) for part in taken):
        return f" {arrow} ".join(action(part, arrow) for part in taken)
    parts = ["null" if part is None else action(part, arrow) for part in taken]
    return f"({', '.join(parts)})"


def outcome(game: Game, names: tuple[str, str], winner: int | None, reason: str, turns: int) -> str:
    """`White (minimax) wins: Black was eliminated (131 turns)`, `Draw between ...`, `No winner between ...`."""
    first, second = map(named, game.sides, names)
    many = f"({turns} turn{'' if turns == 1 else 's'})"
    if winner is not None:
        why = LOST_BY.get(reason, reason).format(loser=game.sides[1 - winner].capitalize())
        return f"{(first, second)[winner]} wins: {why} {many}"
    what = "No winner" if reason in NOBODY else "Draw"
    return f"{what} between {first} and {second}: {reason} {many}"


def result(record: Record) -> str:
    """How a recorded match ended, or that the record was cut off."""
    names = record.agents[0].name, record.agents[1].name
    if record.end is None:
        first, second = map(named, record.game.sides, names)
        turns = f"{len(record.turns)} turn{'' if len(record.turns) == 1 else 's'}"
        return f"{first} against {second}: the record breaks off after {turns}"
    return outcome(record.game, names, record.end.winner, record.end.reason, record.end.ply)

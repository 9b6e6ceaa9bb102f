"""How a match ended: as a line, as a sentence, and as a JSON object."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from watch_your_back.confine.tiers import weaker
from watch_your_back.match.events import MatchEnded, MatchStarted, Reason
from watch_your_back.show.text import clean, one_line

__all__ = ["as_json", "indented", "initial", "named", "sentence", "winner_line"]

NOBODY = frozenset({Reason.INTERRUPTED, Reason.REFEREE_ERROR, Reason.BOTH_COULD_NOT_START})
"""Reasons of a match without a winner that is no draw either."""

LOST_BY = {
    "eliminated": "{loser} was eliminated",
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


def initial(side: str) -> str:
    """The letter of a side in the published text format: `W` for `white`."""
    return side[:1].upper()


def indented(detail: str) -> str:
    """What a player failed by, its further lines indented: none of its words may pass for a line of ours."""
    return clean(detail).replace("\n", "\n  ")


def named(started: MatchStarted, side: int) -> str:
    """A side and its agent, for people: `White (minimax)`."""
    return f"{started.game.sides[side].capitalize()} ({one_line(started.agents[side].name)})"


def winner_line(started: MatchStarted, ended: MatchEnded) -> str:
    """The last line of the published text format, `winner: W!`, and one of our own where nobody won and none drew."""
    if ended.reason in NOBODY:
        return f"no winner: {ended.reason}"
    return f"winner: {'draw' if ended.winner is None else initial(started.game.sides[ended.winner])}!"


def sentence(started: MatchStarted, ended: MatchEnded) -> str:
    """The result in one sentence: `White (minimax) wins: Black was eliminated (131 turns)`."""
    turns = f"({ended.ply} turn{'' if ended.ply == 1 else 's'})"
    if ended.winner is not None:
        loser = started.game.sides[1 - ended.winner].capitalize()
        why = LOST_BY.get(ended.reason, ended.reason).format(loser=loser)
        return f"{named(started, ended.winner)} wins: {why} {turns}"
    what = "No winner" if ended.reason in NOBODY else "Draw"
    return f"{what} between {named(started, 0)} and {named(started, 1)}: {ended.reason} {turns}"


def as_json(started: MatchStarted, ended: MatchEnded) -> dict[str, Any]:
    """The result as `--json` prints it; `docs/command-line.md` says what each member is."""
    game, sides = started.game, started.game.sides
    return {
        "game": game.id,
        "options": asdict(game.options),
        "winner": None if ended.winner is None else sides[ended.winner],
        "reason": str(ended.reason),
        "detail": ended.detail,
        "ply": ended.ply,
        "seed": started.seed,
        "profile": started.limits.profile,
        "limits": {"cpu_s": started.limits.cpu_s, "memory_mb": started.limits.memory_mb},
        "tier": weaker(*ended.tiers),
        "sides": {
            sides[side]: {
                "agent": started.agents[side].name,
                "spec": started.agents[side].spec,
                "tier": ended.tiers[side],
                "cpu_s": round(ended.usage[side].cpu_s, 6),
                "memory_mb": round(ended.usage[side].memory_mb, 3),
                "turns": ended.usage[side].turns,
            }
            for side in (0, 1)
        },
    }

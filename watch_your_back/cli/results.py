"""How a match ended: as a line, as a sentence, and as a JSON object."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from watch_your_back.confine.tiers import weaker
from watch_your_back.match.events import MatchEnded, MatchStarted
from watch_your_back.report import wording
from watch_your_back.show.text import clean

__all__ = ["as_json", "indented", "initial", "named", "sentence", "winner_line"]


def initial(side: str) -> str:
    """The letter of a side in the published text format: `W` for `white`."""
    return side[:1].upper()


def indented(detail: str) -> str:
    """What a player failed by, its further lines indented: none of its words may pass for a line of ours."""
    return clean(detail).replace("\n", "\n  ")


def named(started: MatchStarted, side: int) -> str:
    """A side and its agent, for people: `White (minimax)`."""
    return wording.named(started.game.sides[side], started.agents[side].name)


def winner_line(started: MatchStarted, ended: MatchEnded) -> str:
    """The last line of the published text format, `winner: W!`, and one of our own where nobody won and none drew."""
    if ended.reason in wording.NOBODY:
        return f"no winner: {ended.reason}"
    return f"winner: {'draw' if ended.winner is None else initial(started.game.sides[ended.winner])}!"


def sentence(started: MatchStarted, ended: MatchEnded) -> str:
    """The result in one sentence: `White (minimax) wins: Black was eliminated (131 turns)`."""
    names = started.agents[0].name, started.agents[1].name
    return wording.outcome(started.game, names, ended.winner, ended.reason, ended.ply)


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

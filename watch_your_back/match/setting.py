"""What decides how a match goes, as far as the players are reproducible."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from watch_your_back.agents import Agent
from watch_your_back.confine.limits import NO_LIMITS, Limits
from watch_your_back.game import Action, Game

__all__ = ["Match", "slot_seed"]


@dataclass(frozen=True, slots=True)
class Match:
    """A match to be played: everything that decides how it goes, as far as the players are reproducible.

    `agents` are in the order of the game's sides; `slots` says which of a series' two agents each is, whatever side it
    plays, and so which seed it gets. `require_tier` refuses weaker confinement, that of external programs too unless
    `allow_external`. With `debug` both players run in this process, without limits, so that a debugger can stop in
    them. After an `opening`, actions in normal form that the match begins after, both players need the method `start`.
    """

    game: Game
    agents: tuple[Agent, Agent]
    limits: Limits = NO_LIMITS
    seed: int = 0
    slots: tuple[int, int] = (0, 1)
    require_tier: str | None = None
    debug: bool = False
    opening: tuple[Action, ...] = ()
    allow_external: bool = False


def slot_seed(seed: int, slot: int) -> int:
    """What the random generators of the agent in this slot are seeded with: 63 bits from the match's seed."""
    digest = hashlib.sha256(f"{seed}:{slot}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1

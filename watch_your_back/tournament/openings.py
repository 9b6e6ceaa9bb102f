"""Openings: random legal actions that a match begins after, for agents that can be told of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from watch_your_back.agents import Agent
from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.faults import PlayerFault
from watch_your_back.game import Action, Game, State
from watch_your_back.match import Limits, Match
from watch_your_back.match.loop import seat_of

__all__ = ["can_start_after", "openings"]

TRIES = 100
"""How often an opening is drawn until it leaves the game going on, and until it is a new one."""


def openings(game: Game, length: int, seed: int) -> Iterator[tuple[Action, ...]]:
    """Endless openings of so many actions, each drawn uniformly from the legal ones: a function of the seed.

    None leads to the position of an earlier one or to its mirror image, until there seem to be no more of them; then
    they come again. Raises ValueError if after so many actions the game is over.
    """
    rng = Random(f"openings {seed}")
    seen: set[int] = set()
    while True:
        for _ in range(TRIES):
            actions, state = _drawn(game, length, rng)
            if (position := _position(state)) not in seen:
                break
        else:
            seen.clear()
        seen.add(position)
        yield actions


def can_start_after(
    agent: Agent,
    game: Game,
    limits: Limits,
    confinement: Confinement,
    *,
    require_tier: str | None = None,
    allow_external: bool = False,
) -> bool | None:
    """Whether an agent has the optional method `start`; None if it cannot be started as either side.

    Its own confined process is asked, since nothing of an agent is ever executed in this one. Raises ConfinementError.
    """
    match = Match(game, (agent, agent), limits, require_tier=require_tier, allow_external=allow_external)
    for side in (0, 1):
        seat = seat_of(match, side, confinement)
        try:
            seat.open()
            seat.load()
        except PlayerFault:
            continue
        else:
            return "start" in seat.methods
        finally:
            seat.close()
    return None


def _drawn(game: Game, length: int, rng: Random) -> tuple[tuple[Action, ...], State]:
    for _ in range(TRIES):
        state = game.initial()
        actions: list[Action] = []
        while state.outcome is None and len(actions) < length:
            action = state.sample(rng)
            actions.append(action)
            state = state.play(action)
        if state.outcome is None:
            return tuple(actions), state
    raise ValueError(f"after {length} actions the game is over, so there is no opening of that length")


def _position(state: State) -> int:
    """A hash of the position that is the same for its images under the symmetries of the game."""
    key = state.key()
    return hash(min([key, *(image(key) for image in state.game.symmetries())], key=repr))

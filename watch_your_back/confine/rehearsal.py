"""What a process that waits to become a player's does meanwhile: all that a player's process does, once.

A forked process copies each page of memory when it first touches it. Rehearsed, that has happened before the match
begins, and is part of no player's time or memory.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from random import Random
from typing import Any

from watch_your_back.confine import importing, protocol, runner

__all__ = ["Player", "rehearse"]

_TURNS = 12


class Player:
    """Plays at random by the rules of the game that is rehearsed, where it has been imported."""

    def __init__(self, colour: str, game: str = "", seed: int | None = None) -> None:
        module: Any = sys.modules.get(game)
        self.state = module.GAME().initial() if module else None
        self.random = Random(seed)

    def action(self, turns: int) -> Any:
        """A legal action, or a move of no game."""
        if self.state is None or self.state.outcome is not None:
            return ((turns, 0), (0, turns))
        action = self.state.sample(self.random)
        self.state = self.state.play(action)
        return action

    def update(self, action: Any) -> None:
        """Nothing: it plays both sides."""


def rehearse(rules: str | None) -> None:
    """Import this module as if it were an agent's, and answer a few questions; nothing of it stays but memory."""
    path = list(sys.path)
    with contextlib.suppress(Exception):
        root = os.path.dirname(__file__)
        made: Any = importing.import_beside(__file__, root, "rehearsal", "Player")
        player = made("white", **importing.player_arguments(made, {"game": rules or "", "seed": 0}))
        action: Any = None
        for turn in range(_TURNS):
            question = json.loads(protocol.encode({"id": turn, "updates": [action], "turns": turn})[4:])
            reply = runner.answer(player, question, [""])
            action = protocol.decode(protocol.encode(reply)[4:])["action"]
    importing.forget()
    sys.path[:] = path

"""What a player can do wrong, as the exception that carries it to the match."""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = ["Cause", "ConfinementError", "PlayerFault", "TierUnavailable"]

Cause: TypeAlias = Literal[
    "illegal action",
    "exception",
    "time limit",
    "wall-clock guard",
    "memory limit",
    "player exited",
    "protocol",
]


class PlayerFault(Exception):
    """A player broke a limit, failed or fell silent in `call`; `detail` is one sentence for its author."""

    def __init__(self, cause: Cause, call: str, detail: str, traceback: str = "") -> None:
        super().__init__(detail)
        self.cause = cause
        self.call = call
        self.detail = detail
        self.traceback = traceback


class ConfinementError(Exception):
    """A player's process could not be started or confined as asked: nobody's fault but the system's or ours."""


class TierUnavailable(ConfinementError):
    """Players cannot be confined here as strongly as was required."""

"""What a player can do wrong, as the exception that carries it to the match."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

__all__ = ["CALLS", "Cause", "ConfinementError", "PlayerFault", "TierUnavailable", "reported_fault"]

CALLS = ("import", "constructor", "start", "update", "see", "action", "finish")
"""What a player can be called for."""

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


def reported_fault(fault: Any, call: str) -> PlayerFault:
    """The fault that a player's process told of itself: believed, since it loses by it, but not its types."""
    fault = fault if type(fault) is dict else {}
    said = {key: value[:20_000] if type(value) is str else "" for key, value in fault.items()}
    told, kind, text, hint, trace = (said.get(key, "") for key in ("call", "type", "text", "hint", "traceback"))
    call = told if told in CALLS else call
    if fault.get("memory") is True:
        return PlayerFault("memory limit", call, "it ran out of memory (MemoryError)", trace)
    if fault.get("no_player") is True:
        return PlayerFault("exception", call, text)
    kind = kind or "an exception without a name"
    what = f"{kind}: {text}" if text else kind
    return PlayerFault("exception", call, f"{what}. {hint}" if hint else what, trace)

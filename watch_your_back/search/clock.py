"""How a player divides the CPU time of a match among its turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import process_time
from typing import Any

__all__ = ["Clock"]

_SAFE = 0.8
"""The part of the limit that is used; the rest is for starting, for taking in the opponent's actions, and for luck."""


class Clock:
    """Gives each turn the same part of what is left of a match's time: `left` seconds of CPU time."""

    def __init__(self, limits: Mapping[str, Any] | None, usual: float, part: int = 40) -> None:
        """`limits` are those that a Player is given (`cpu_s`); where there is none, `usual` seconds are used.

        Each turn gets 1 / `part` of what is left.
        """
        limit = (limits or {}).get("cpu_s")
        self.left: float = usual if limit is None else _SAFE * limit
        self.part = part

    @contextmanager
    def turn(self) -> Iterator[float]:
        """The seconds that this turn may take; what it does take is measured."""
        began = process_time()
        yield max(self.left, 0.0) / self.part
        self.left -= process_time() - began

"""What a diagnosis finds out about an agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Finding", "Severity"]

Severity: TypeAlias = Literal["error", "warning", "note", "ok"]
"""`error`: it loses matches. `warning`: it may do so elsewhere. `note`: good to know. `ok`: as it should be."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found out.

    The sentence says what happens, the advice what to change. `detail` is for reading with care: the board and the
    traceback. `command` is the `wyb` command that shows it again. All text may contain words of the player's, which are
    hostile until shown otherwise.
    """

    severity: Severity
    topic: str
    sentence: str
    advice: str = ""
    detail: str = ""
    command: tuple[str, ...] = ()

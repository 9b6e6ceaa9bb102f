"""What a page of a match tells of one turn, where the match has been explained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from watch_your_back.show.text import clean

__all__ = ["Judgement"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """How the match stood after a turn, and how good the turn was.

    `value` is what the first side could expect then, from -1 (lost) to 1 (won). `grade` is empty for a turn with which
    nothing is wrong, else a word such as `mistake` or `blunder`; `words` are a sentence on it, such as what would have
    been better; `turning` says whether the match turned there.
    """

    value: float
    grade: str = ""
    words: str = ""
    turning: bool = False

    def told(self) -> dict[str, Any]:
        """The same as a JSON value."""
        return {
            "value": round(self.value, 3),
            "grade": clean(self.grade),
            "words": clean(self.words),
            "turning": self.turning,
        }

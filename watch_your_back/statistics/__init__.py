"""What results mean: Elo, intervals, sequential tests, joint ratings; nothing is read, printed or kept."""

from typing import TYPE_CHECKING, Any

from watch_your_back.statistics.elo import Estimate, elo_of, elo_text, score_of
from watch_your_back.statistics.repeats import Repeats, repeats
from watch_your_back.statistics.results import Pentanomial, Results, Tally, count
from watch_your_back.statistics.score import Strength, strength, wilson
from watch_your_back.statistics.sprt import Decision, Sprt, SprtState
from watch_your_back.statistics.verdict import Finding, Verdict, judge, judge_sprt

if TYPE_CHECKING:
    from watch_your_back.statistics.ratings import Rating, Ratings, Result, rate

__all__ = [
    "Decision",
    "Estimate",
    "Finding",
    "Pentanomial",
    "Rating",
    "Ratings",
    "Repeats",
    "Result",
    "Results",
    "Sprt",
    "SprtState",
    "Strength",
    "Tally",
    "Verdict",
    "count",
    "elo_of",
    "elo_text",
    "judge",
    "judge_sprt",
    "rate",
    "repeats",
    "score_of",
    "strength",
    "wilson",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import joint ratings, and numpy for them, only for who asks: everything else starts much faster without."""
        if name not in ("Rating", "Ratings", "Result", "rate"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from watch_your_back.statistics import ratings

        return getattr(ratings, name)

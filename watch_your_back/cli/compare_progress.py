"""A line on the terminal that shows how far a series has come; rich draws it, and is imported only for that."""

from __future__ import annotations

import sys
import time
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from watch_your_back.report.quantities import percent
from watch_your_back.statistics import Sprt
from watch_your_back.tournament.series import Series

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["progress"]


def progress(series: Series, test: Sprt | None) -> AbstractContextManager[Any]:
    """While it lasts, show the state of the series on stderr, if that is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.live import Live

    line = _Line(series, test)
    console = Console(stderr=True, highlight=False)
    return Live(get_renderable=line.draw, console=console, refresh_per_second=4, transient=True)


class _Line:
    def __init__(self, series: Series, test: Sprt | None) -> None:
        self._series = series
        self._test = test
        self._began = time.monotonic()

    def draw(self) -> Table:
        """The line as it is now."""
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        series, passed_s = self._series, time.monotonic() - self._began
        tally, share = series.totals.results.tally, self._share(passed_s)
        of = "" if series.pairs is None else f" of {2 * series.pairs}"
        words = [f"{tally.matches}{of} matches"]
        if tally.score is not None:
            words.append(f"score {percent(tally.score)}")
            if self._test is not None:
                state = self._test.state(series.totals.pentanomial)
                words.append(f"LLR {state.llr:.2f} ({state.lower:.2f} to {state.upper:.2f})")
        clock = _clock(passed_s)
        words.append(f"{clock}, {_clock(passed_s * (1 - share) / share)} left" if share else clock)
        line = Table.grid(padding=(0, 2))
        line.add_column()
        line.add_column(no_wrap=True)
        line.add_row("" if share is None else ProgressBar(total=1.0, completed=share, width=10), "  ".join(words))
        return line

    def _share(self, passed_s: float) -> float | None:
        """How much of the series is over, as far as that can be known."""
        series = self._series
        shares = []
        if series.pairs is not None:
            shares.append(series.read / series.pairs)
        if series.seconds is not None:
            shares.append(passed_s / series.seconds)
        return min(1.0, max(shares)) if shares else None


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

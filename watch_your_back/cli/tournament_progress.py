"""How far a tournament has come, live on stderr: a bar on a terminal, otherwise only what somebody has to know."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING

import click

from watch_your_back.show.text import clean
from watch_your_back.tournament.running import Benched, Happening, MatchPlayed, RoundPaired

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["Live"]


class Live:
    """A context manager that shows steps of a known number; `rich` draws it, and is imported only on a terminal."""

    def __init__(self, what: str, total: int, *, quiet: bool = False) -> None:
        self._what, self._total = what, total
        self._quiet = quiet
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Live:
        if sys.stderr.isatty() and not self._quiet and self._total:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
            )
            console = Console(stderr=True, highlight=False, markup=False)
            left = TimeRemainingColumn(elapsed_when_finished=True)
            self._bar = Progress(*columns, left, console=console, refresh_per_second=2, speed_estimate_period=120)
            self._bar.start()
            self._task = self._bar.add_task(self._what, total=self._total, rate="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def step(self, what: str | None = None) -> None:
        """One more is done."""
        if self._bar is None or self._task is None:
            return
        self._bar.advance(self._task)
        speed = self._bar.tasks[0].speed
        rate = "" if not speed else f"{speed:.1f} a second" if speed > 1 else f"{60 * speed:.1f} a minute"
        self._bar.update(self._task, rate=rate, description=what or self._what)

    def say(self, words: str) -> None:
        """A line that stays, above the bar."""
        if self._bar is not None:
            self._bar.console.print(clean(words))
        else:
            click.echo(clean(words), err=True)

    def see(self, happening: Happening) -> None:
        """Show what happens in a tournament."""
        match happening:
            case MatchPlayed(fixture, result):
                self.step(f"round {fixture.round}")
                if result.void:
                    self.say(f"{fixture.id} counts for nobody ({result.reason}): {result.detail.strip()}")
            case Benched(name, why):
                self.say(f"{name} is benched, since it could not start in its first matches: {why}")
            case RoundPaired(round, pairs):
                if not self._quiet:
                    self.say(f"round {round}: {pairs} pairs")

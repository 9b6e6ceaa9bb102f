"""What a command is about to do, on one line of stderr that the next step takes the place of."""

from __future__ import annotations

import sys

import click

__all__ = ["ProgressLine"]


class ProgressLine:
    """A line on stderr that says what is going on, where somebody looks at it."""

    def __init__(self) -> None:
        self._seen = sys.stderr.isatty()

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, step: str) -> None:
        """Show the next step in place of the last one."""
        if self._seen:
            click.echo(f"\r\x1b[K{step} ...", err=True, nl=False)

    def clear(self) -> None:
        """Take the line away."""
        if self._seen:
            click.echo("\r\x1b[K", err=True, nl=False)

"""A record as an argument of a command."""

from __future__ import annotations

import os
from typing import Any

import click

from watch_your_back.cli.ending import Mistake
from watch_your_back.match.record import Record, RecordError

__all__ = ["RecordFile"]


class RecordFile(click.Path):
    """The record of a match in a file, loaded and replayed through the rules."""

    name = "record"

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The record; refused in one line if the file is none."""
        if isinstance(value, Record):
            return value
        path = os.fsdecode(super().convert(value, param, ctx))
        try:
            return Record.load(path)
        except RecordError as error:
            raise Mistake(str(error), ctx) from None
        except OSError as error:
            raise Mistake(f"{path} cannot be read: {error.strerror or error}", ctx) from None

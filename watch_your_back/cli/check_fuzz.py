"""`wyb check --fuzz`: how much of it, and where the failing match goes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from watch_your_back.cli.ending import Mistake
from watch_your_back.cli.numbers import Duration
from watch_your_back.diagnosis.fuzzing import Amount
from watch_your_back.match.events import Event
from watch_your_back.match.record import RecordWriter

__all__ = ["AmountOfMatches", "Keeper", "is_amount"]

_AMOUNT = re.compile(r"\d+|(?=\d)(\d+h)?(\d+m)?(\d+s)?", re.IGNORECASE)


def is_amount(word: str) -> bool:
    """Whether a word may be an amount of matches, and so is no agent."""
    return _AMOUNT.fullmatch(word) is not None


class AmountOfMatches(click.ParamType[Amount]):
    """A number of matches, such as `200`, or a time, such as `90s`, `10m` or `1h30m`."""

    name = "amount"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Amount:
        """The amount that the text means; refused in one line if it is none."""
        if isinstance(value, Amount):
            return value
        if re.fullmatch(r"\d{1,7}", str(value)) and int(value):
            return Amount(matches=int(value))
        if re.fullmatch(r"\d+", str(value)):
            self.fail(f"{value} is not a number of matches from 1 to 9,999,999", param, ctx)
        return Amount(seconds=Duration().convert(value, param, ctx))


class Keeper:
    """Writes the events of a match as a record to a path, which it returns. Raises Mistake if that cannot be."""

    def __init__(self, path: Path) -> None:
        try:
            self._writer, self._path = RecordWriter(path), path
        except OSError as error:
            raise Mistake(f"the record cannot be written to {path}: {error.strerror or error}") from None

    def __call__(self, events: Sequence[Event]) -> str:
        """The name of the file with the record of these events."""
        for event in events:
            self._writer(event)
        return str(self._path)

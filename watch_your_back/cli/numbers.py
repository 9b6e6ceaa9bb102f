"""Options that take a number, and those among them whose value may be left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import click

__all__ = ["BareCommand", "BareOption", "Duration", "Number"]


class Number(click.ParamType[float]):
    """A number above `low` (or from `low` on, if `closed`) and at most `high`; never infinite or not a number."""

    name = "number"

    def __init__(self, unit: str, low: float, high: float, *, closed: bool = False) -> None:
        self.unit, self.low, self.high, self.closed = unit, low, high, closed

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number that the text means; refused with the range, in one line, if there is none or it is outside."""
        number = self.meant(str(value))
        if number is not None and (self.low < number <= self.high or (self.closed and number == self.low)):
            return number
        above = "from" if self.closed else "above"
        self.fail(
            f"{str(value)!r} is not a number of {self.unit} {above} {self.low:g} up to {self.high:,.0f}", param, ctx
        )

    def meant(self, word: str) -> float | None:
        """The number that a word means, None if it means none."""
        return _number(word)


class Duration(click.ParamType[float]):
    """A time in whole hours, minutes and seconds, such as `90s`, `10m` or `1h30m`: above 0, in seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The seconds that the text means; refused in one line if it is no duration."""
        parts = re.fullmatch(r"(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?", str(value).lower())
        hours, minutes, seconds = (int(part or 0) for part in parts.groups()) if parts else (0, 0, 0)
        if total := 3600 * hours + 60 * minutes + seconds:
            return float(total)
        self.fail(f"{str(value)!r} is not a time such as 90s, 10m or 1h30m", param, ctx)


def _is_number(word: str) -> bool:
    return _number(word) is not None


class BareOption(click.Option):
    """An option whose value may be left out, and then is `bare`.

    `-t 5`, `-t5`, `--time-limit 5`, `--time-limit=5` give it, `-t` leaves it out. In `-t white black` it is left out as
    well: the next word is the option's value only if it is a number, or what else `fits`. This works in a BareCommand.
    """

    def __init__(
        self, declarations: Sequence[str], *, bare: float | str, fits: Callable[[str], bool] = _is_number, **rest: Any
    ) -> None:
        super().__init__(declarations, **rest)
        self.bare = bare
        self.fits = fits


class BareCommand(click.Command):
    """A command whose BareOptions can stand without their value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words with the values put in that were left out."""
        bare = {name: option for option in self.params if isinstance(option, BareOption) for name in option.opts}
        return super().parse_args(ctx, list(_complete(args, bare)))


def _complete(words: Sequence[str], bare: Mapping[str, BareOption]) -> Iterator[str]:
    for index, word in enumerate(words):
        if word == "--":
            yield from words[index:]
            return
        yield word
        name = f"-{word[-1]}" if re.fullmatch("-[a-zA-Z]+", word) else word  # -qt is -q -t
        if name in bare and (index + 1 == len(words) or not bare[name].fits(words[index + 1])):
            yield str(bare[name].bare)


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None

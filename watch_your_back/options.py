"""The options of a game: frozen dataclasses whose values are checked, with mistakes told in one line each."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

__all__ = ["OptionError", "Options", "nearest", "option", "shown"]

_LONG = 80
"""Characters of a wrong value that are shown."""
_SHORT = 40
"""Characters of the value of an option, which may be a whole file, where only a few words are wanted."""
_LARGE = 1 << 1023
"""From about here on, no float is so large."""


class OptionError(ValueError):
    """An option of a game that does not exist, has the wrong type or is out of its range; the message says which."""


def option(
    default: Any,
    help: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: Collection[Any] | None = None,
    file: bool = False,
) -> Any:
    """A field of an `Options` dataclass: its default, a sentence for people and the range that is checked.

    A person gives the value of an option that is a `file` as the path of one; the option itself is what it holds.
    """
    about = {"help": help, "minimum": minimum, "maximum": maximum, "choices": choices, "file": file}
    return field(default=default, metadata=about)


@dataclass(frozen=True)
class Options:
    """The options that every game has; a game adds its own in a frozen dataclass derived from this one.

    Raises OptionError when a value has the wrong type or is out of its range.
    """

    turn_cap: int = option(0, "turns after which the referee ends the match as a draw; 0 for no cap", minimum=0)

    def __post_init__(self) -> None:
        for each in fields(self):
            value: Any = getattr(self, each.name)
            kind: Any = type(each.default)
            if type(value) is int and kind is float:
                value = float(value) if abs(value) < _LARGE else math.inf
                object.__setattr__(self, each.name, value)
            if fault := _fault(value, kind, each.metadata):
                raise OptionError(f"option {each.name} is {fault}")

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Options:
        """The options with these values and the defaults for the rest. Raises OptionError for a name that none has."""
        names = [each.name for each in fields(cls)]
        for name in values:
            if name not in names:
                raise OptionError(f"the game has no option {shown(name)} ({nearest(name, names)})")
        return cls(**values)

    def changed(self) -> list[str]:
        """The options that do not have their defaults, each as its name and its value, which is cut short if long."""
        values = [(each.name, getattr(self, each.name), each.default) for each in fields(self)]
        return [f"{name} {_written(value)}" for name, value, default in values if value != default]


def nearest(name: str, known: Sequence[str]) -> str:
    """The question whether the nearest of the known names was meant, or a list of them if none is near."""
    from difflib import get_close_matches

    folded = {each.casefold(): each for each in known}
    near = get_close_matches(name.casefold(), folded, 1)
    return f"did you mean {folded[near[0]]}?" if near else f"known: {', '.join(known)}"


def shown(value: object) -> str:
    """A value as it is written in Python, cut short where it is long."""
    try:
        written = repr(value)
    except ValueError:  # the interpreter refuses to write a number of thousands of digits
        return "a number of thousands of digits"
    return written if len(written) <= _LONG else f"{written[: _LONG - 3]}..."


def _written(value: object) -> str:
    """A value as a person gives it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    written = str(value)
    return written if len(written) <= _SHORT else f"{written[: _SHORT - 3]}..."


def _fault(value: Any, kind: type, about: Mapping[str, Any]) -> str | None:
    """What a value has to be and is not, if anything."""
    if type(value) is not kind:
        return f"{'an' if kind is int else 'a'} {kind.__name__}, not {shown(value)} ({type(value).__name__})"
    if isinstance(value, float) and not math.isfinite(value):
        return f"a finite number, not {value}"
    if about.get("choices") is not None and value not in about["choices"]:
        return f"one of {', '.join(map(str, about['choices']))}, not {shown(value)}"
    low, high = about.get("minimum"), about.get("maximum")
    if low is not None and value < low:
        return f"at least {low}, not {shown(value)}"
    if high is not None and value > high:
        return f"at most {high}, not {shown(value)}"
    return None

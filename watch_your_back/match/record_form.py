"""The form of a record: which lines and fields it has, before the rules are asked whether they make sense.

`record.schema.json` says the same as JSON Schema.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

from watch_your_back.match.recording import FORMAT, VERSION

__all__ = ["FIELDS", "Line", "RecordError", "read_line", "read_lines"]


class RecordError(ValueError):
    """A file that is not the record of a match. The message names the file, the line and what is wrong with it."""

    def __init__(self, source: str, line: int, why: str) -> None:
        super().__init__(f"{source}, line {line}: {why}")
        self.line = line
        self.why = why


class Line(NamedTuple):
    """One line: its number from 1, the event that it tells of, and the fields."""

    number: int
    event: str
    fields: dict[str, Any]


class _Kind(NamedTuple):
    what: str
    accepts: Callable[[Any], bool]


def _object(fields: Mapping[str, _Kind]) -> _Kind:
    def accepts(value: Any) -> bool:
        return type(value) is dict and all(name in value and kind.accepts(value[name]) for name, kind in fields.items())

    listed = ", ".join(f"{name} ({kind.what})" for name, kind in fields.items())
    return _Kind(f"an object with {listed}" if fields else "an object", accepts)


def _per_side(kind: _Kind) -> _Kind:
    def accepts(value: Any) -> bool:
        return type(value) is dict and len(value) == 2 and all(map(kind.accepts, value.values()))

    return _Kind(f"an object that gives for each of the two sides {kind.what}", accepts)


def _or_null(kind: _Kind) -> _Kind:
    return _Kind(f"{kind.what} or null", lambda value: value is None or kind.accepts(value))


_ANYTHING = _Kind("anything", lambda value: True)
_TEXT = _Kind("a string", lambda value: type(value) is str)
_INTEGER = _Kind("an integer", lambda value: type(value) is int)
_COUNT = _Kind("an integer not below 0", lambda value: type(value) is int and value >= 0)
_SLOT = _Kind("0 or 1", lambda value: type(value) is int and value in (0, 1))
_PLY = _Kind("an integer not below -1", lambda value: type(value) is int and value >= -1)
_NUMBER = _Kind("a number not below 0", lambda value: type(value) in (int, float) and 0 <= value < math.inf)
_NAMES = _Kind(
    "a list of two different strings",
    lambda value: type(value) is list and [type(name) for name in value] == [str, str] and value[0] != value[1],
)
_COST = {"cpu_s": _NUMBER, "wall_s": _NUMBER, "memory_mb": _NUMBER}
_AGENT = {name: _TEXT for name in ("name", "spec", "kind", "class", "fingerprint")}
_LIMITS = {"profile": _TEXT, "cpu_s": _or_null(_NUMBER), "memory_mb": _or_null(_NUMBER)}

FIELDS: dict[str, dict[str, _Kind]] = {
    "header": {
        "game": _TEXT,
        "rules_version": _COUNT,
        "options": _object({}),
        "sides": _NAMES,
        "agents": _per_side(_object(_AGENT)),
        "slots": _per_side(_SLOT),
        "seed": _INTEGER,
        "seeds": _per_side(_INTEGER),
        "limits": _object(_LIMITS),
        "start": _or_null(_TEXT),
        "started": _TEXT,
        "machine": _object({"system": _TEXT, "release": _TEXT, "machine": _TEXT, "cpus": _COUNT}),
        "versions": _object({"watch_your_back": _TEXT, "python": _TEXT, "numpy": _or_null(_TEXT)}),
        "python_hash_seed": _or_null(_COUNT),
    },
    "started": {"side": _TEXT, "tier": _TEXT, **_COST},
    "action": {"ply": _COUNT, "side": _TEXT, "action": _ANYTHING, **_COST},
    "output": {"ply": _PLY, "side": _TEXT, "stream": _TEXT, "text": _TEXT, "dropped": _COUNT},
    "failure": {"ply": _PLY, "side": _TEXT, "call": _TEXT, "reason": _TEXT, "detail": _TEXT, "traceback": _TEXT},
    "end": {
        "winner": _or_null(_TEXT),
        "reason": _TEXT,
        "detail": _TEXT,
        "ply": _COUNT,
        "tiers": _per_side(_TEXT),
        "usage": _per_side(_object({**_COST, "turns": _COUNT})),
        "state": _TEXT,
    },
}
"""The fields that a line of each event has; it may have others, which are not looked at."""


LARGEST = 256 << 20
"""Bytes that a record may have, unpacked: many times what the longest match with the most output comes to."""


def read_lines(data: bytes, source: str) -> Iterator[Line]:
    """The lines of a record, compressed by gzip or not, each with all its fields and the header first.

    A last line that was cut off is left out. Raises RecordError for the first line that is not of the form.
    """
    *whole, last = _decompressed(data, source).split(b"\n")
    previous = ""
    for number, text in enumerate([*whole, last], 1):
        if not text.strip():
            continue
        try:
            line = _parse(text)
        except ValueError as error:
            if number > len(whole) and previous != "end":
                break
            raise RecordError(source, number, f"this is not a line of a record: {error}") from None
        try:
            checked = _checked(number, line, not previous)
        except ValueError as error:
            raise RecordError(source, number, str(error)) from None
        previous = checked.event
        yield checked
    if not previous:
        raise RecordError(source, 1, "there is no header: the file is empty, or was cut off within its first line")


def read_line(number: int, text: bytes) -> Line:
    """The line with this number, from 1, of a record that is still being written. Raises ValueError."""
    return _checked(number, _parse(text), number == 1)


def _decompressed(data: bytes, source: str) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data.removeprefix(b"\xef\xbb\xbf")
    parts, left = list[bytes](), LARGEST
    while data:  # a file that was closed and appended to consists of several members
        member = zlib.decompressobj(wbits=31)
        try:
            parts.append(member.decompress(data, left + 1))
        except zlib.error as error:
            raise RecordError(source, 1, f"the compressed file is damaged: {error}") from None
        left -= len(parts[-1])
        if left < 0:
            raise RecordError(source, 1, f"unpacked it is larger than {LARGEST >> 20} MB, which no record is")
        data = member.unused_data
    return b"".join(parts)


def _parse(text: bytes) -> dict[str, Any]:
    def refuse(name: str) -> NoReturn:
        raise ValueError(f"{name} is no number of JSON")

    try:
        line = json.loads(text.decode(), parse_constant=refuse)
    except UnicodeDecodeError as error:
        raise ValueError(f"its byte {error.start + 1} is not UTF-8") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if type(line) is not dict:
        raise ValueError("it is no JSON object")
    return line


def _checked(number: int, line: dict[str, Any], is_first: bool) -> Line:
    event = line.get("event")
    if is_first:
        if event != "header" or line.get("format") != FORMAT:
            raise ValueError(f"this is no record of a match: its first line is not a header of format {FORMAT!r}")
        if line.get("version") != VERSION:
            found = line.get("version")
            raise ValueError(
                f"the record has version {found!r} of the format, and this program reads version {VERSION}"
            )
    elif event == "header":
        raise ValueError("a second header; one record holds one match")
    if type(event) is not str or event not in FIELDS:
        raise ValueError(f"there is no event {event!r} (there are {', '.join(FIELDS)})")
    for name, kind in FIELDS[event].items():
        if name not in line:
            raise ValueError(f"the {event} has no {name}")
        if not kind.accepts(line[name]):
            raise ValueError(f"{name} is to be {kind.what}")
    return Line(number, event, line)

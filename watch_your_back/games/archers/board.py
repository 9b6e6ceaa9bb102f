"""Boards of points and lines: the usual one, and those that somebody wrote as JSON, with all their faults named."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from watch_your_back.games._forms import Square

__all__ = ["STANDARD", "Plan", "normal_board", "plan_of"]

STANDARD = "standard"
"""The value of the option `board` that stands for the usual board."""

MOST = 400
"""Points, and lines, of a board at most."""
LARGEST = 99
"""Coordinates go from 0 to this."""
LONGEST = 1_048_576
"""Characters of the JSON text at most."""
TOLD = 8
"""Faults of a board that are named in one message; of more, the number."""

_FORM = '{"points": [[x, y], ...], "lines": [[[x, y], ...], ...], "start": {"white": [[x, y], ...], "black": [...]}}'


class Plan(NamedTuple):
    """A board in its one spelling.

    Points are sorted row by row; lines run downwards or to the right, are sorted and there once; `start` holds the
    sorted starting points of White and of Black.
    """

    points: tuple[Square, ...]
    lines: tuple[tuple[Square, ...], ...]
    start: tuple[tuple[Square, ...], tuple[Square, ...]]

    def written(self) -> str:
        """The board as JSON without blanks."""
        start = {"white": self.start[0], "black": self.start[1]}
        return json.dumps({"points": self.points, "lines": self.lines, "start": start}, separators=(",", ":"))


def normal_board(text: str) -> str:
    """The one spelling of a board: `standard`, or its JSON text without blanks and in a fixed order.

    Raises ValueError naming the faults of what is no board.
    """
    if text == STANDARD:
        return text
    written = _read(text).written()
    return STANDARD if written == _STANDARD_TEXT else written


def plan_of(board: str) -> Plan:
    """The board that `normal_board` wrote."""
    return _STANDARD_PLAN if board == STANDARD else _read(board)


def _read(text: str) -> Plan:
    if len(text) > LONGEST:
        raise ValueError(f"a board has at most {LONGEST:,} characters, not {len(text):,}")
    repeated: list[str] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        repeated.extend(sorted({name for name in names if names.count(name) > 1}))
        return dict(pairs)

    try:
        told = json.loads(text, object_pairs_hook=members)
    except json.JSONDecodeError as error:
        begin = text if len(text) <= 30 else f"{text[:27]}..."
        raise ValueError(
            f"it is '{STANDARD}' or a board in JSON, but in {begin!r} line {error.lineno}, column {error.colno} is no "
            f"JSON ({error.msg})"
        ) from None
    except (ValueError, RecursionError):
        raise ValueError("the board is JSON with a number or a nesting that is far too large") from None
    reader = _Reader()
    plan = reader.plan(told)
    faults = [f"{name!r} is there twice" for name in repeated] + reader.faults
    if plan is None or faults:
        more = f"; and {len(faults) - TOLD} faults more" if len(faults) > TOLD else ""
        raise ValueError("; ".join(faults[:TOLD]) + more)
    return plan


class _Reader:
    """One walk through what JSON made of a board, keeping the faults that it meets."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def plan(self, told: Any) -> Plan | None:
        table = self.members(told, ("points", "lines", "start"), "the board", _FORM)
        if table is None:
            return None
        points = set(self.squares(table["points"], "points"))
        if not isinstance(table["lines"], list):
            self.faults.append("lines is a list of lines, each a list of points [x, y] in order")
            lines = []
        else:
            self.few(table["lines"], "lines")
            lines = [self.line(each, number, points) for number, each in enumerate(table["lines"][: MOST + 1])]
        sides = self.members(table["start"], ("white", "black"), "start", '{"white": [...], "black": [...]}')
        if sides is None:
            return None
        white, black = (self.start(sides[side], side, points) for side in ("white", "black"))
        self.faults += [f"{list(point)} is a starting point of both sides" for point in white if point in black]
        return Plan(tuple(sorted(points, key=_reading)), tuple(sorted(set(lines))), (tuple(white), tuple(black)))

    def members(self, told: Any, names: tuple[str, ...], what: str, form: str) -> dict[str, Any] | None:
        """The object, if its members are these."""
        if not isinstance(told, dict):
            self.faults.append(f"{what} is an object, {form}")
            return None
        missing = [name for name in names if name not in told]
        self.faults += [f"{what} has no {name!r}" for name in missing]
        self.faults += [f"{what} has a member {name[:40]!r} that no board has" for name in told if name not in names]
        return None if missing else told

    def few(self, told: list[Any], what: str) -> None:
        if len(told) > MOST:
            self.faults.append(f"there are at most {MOST} {what}, not {len(told):,}")

    def squares(self, told: Any, what: str, fewest: int = 1) -> list[Square]:
        """The points of a list that are points, each once."""
        if not isinstance(told, list) or len(told) < fewest:
            self.faults.append(f"{what} is a list of at least {fewest} point{'s' if fewest > 1 else ''} [x, y]")
            return []
        self.few(told, what)
        found: dict[Square, None] = {}
        for number, each in enumerate(told[: MOST + 1]):
            if not isinstance(each, list) or len(each) != 2 or any(type(part) is not int for part in each):
                self.faults.append(f"{what}[{number}] is a point [x, y] of two whole numbers, not {_short(each)}")
            elif not all(0 <= part <= LARGEST for part in each):
                self.faults.append(f"{what}[{number}]: x and y go from 0 to {LARGEST}, not {_short(each)}")
            elif (each[0], each[1]) in found:
                self.faults.append(f"{what}[{number}]: {each} is there twice")
            else:
                found[each[0], each[1]] = None
        return list(found)

    def known(self, told: Any, what: str, points: Collection[Square], fewest: int = 1) -> list[Square]:
        found = self.squares(told, what, fewest)
        self.faults += [f"{what}: {list(point)} is not among the points" for point in found if point not in points]
        return found

    def line(self, told: Any, number: int, points: Collection[Square]) -> tuple[Square, ...]:
        what = f"lines[{number}]"
        line = self.known(told, what, points, fewest=2)
        if isinstance(told, list) and len(line) == len(told) and not _straight(line):
            self.faults.append(f"{what} is not straight, with its points in order: {_short(told)}")
        return tuple(line if not line or _reading(line[0]) < _reading(line[-1]) else reversed(line))

    def start(self, told: Any, side: str, points: Collection[Square]) -> list[Square]:
        return sorted(self.known(told, f"start.{side}", points), key=_reading)


def _reading(point: Square) -> tuple[int, int]:
    """Row by row from the top left."""
    return point[1], point[0]


def _straight(line: list[Square]) -> bool:
    """Whether each point lies beyond the one before it, in one direction."""
    (left, top), (x, y) = line[:2]
    across, down = x - left, y - top
    steps = [(after[0] - before[0], after[1] - before[1]) for before, after in pairwise(line)]
    return all(dx * down == dy * across and dx * across + dy * down > 0 for dx, dy in steps)


def _short(told: Any) -> str:
    words = json.dumps(told)
    return words if len(words) <= 40 else f"{words[:37]}..."


def _standard_lines() -> Iterator[tuple[Square, ...]]:
    for y in range(9):
        yield tuple((x, y) for x in range(5))
    for x in range(5):
        cuts = (0, 2, 6, 8) if x % 2 else (0, 4, 8)
        for top, bottom in pairwise(cuts):
            yield tuple((x, y) for y in range(top, bottom + 1))
    for left in (0, 2):
        for top in (0, 2, 4, 6):
            yield tuple((left + k, top + k) for k in range(3))
            yield tuple((left + 2 - k, top + k) for k in range(3))


_STANDARD_PLAN = Plan(
    tuple((x, y) for y in range(9) for x in range(5)),
    tuple(sorted(_standard_lines())),
    (tuple((x, 8) for x in range(5)), tuple((x, 0) for x in range(5))),
)
_STANDARD_TEXT = _STANDARD_PLAN.written()

"""Numbers as people read them; `elements.js` writes the same ones in the same way."""

from __future__ import annotations

import math
from datetime import datetime

from watch_your_back.statistics import Estimate

__all__ = ["count", "ends_of", "megabytes", "moment", "percent", "points", "seconds", "signed", "span"]


def count(number: int, one: str, many: str = "") -> str:
    """`1 match`, `1,104 matches`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def ends_of(estimate: Estimate) -> str:
    """`+240 to +370`, `at least +240`, or nothing: rounded outwards, so that it claims no more than is known."""
    low = None if estimate.low is None else signed(math.floor(estimate.low))
    high = None if estimate.high is None else signed(math.ceil(estimate.high))
    if low is not None and high is not None:
        return f"{low} to {high}"
    return f"at least {low}" if low is not None else f"at most {high}" if high is not None else ""


def seconds(value: float) -> str:
    """`85 µs`, `12 ms`, `3.4 s`, `120 s`."""
    for factor, unit in ((1e6, "µs"), (1e3, "ms")):
        if round(value * factor) < 1000:
            return f"{_short(value * factor)} {unit}" if value else "0 s"
    return f"{_short(value)} s"


def megabytes(value: float) -> str:
    """`0.0 MB`, `0.4 MB`, `38 MB`; whole numbers as such."""
    return f"{value:.1f} MB" if value < 0.95 and value else f"{_short(value)} MB"


def moment(time: datetime) -> str:
    """`1 March 2026, 14:05`."""
    return f"{time.day} {time:%B %Y, %H:%M}"


def percent(share: float | None) -> str:
    """`54 %`, and nothing for None."""
    return "" if share is None else f"{100 * share:.0f} %"


def points(value: float) -> str:
    """`3`, `2½`, `½`."""
    whole = int(value)
    return f"{whole or ''}½" if value != whole else f"{whole}"


def signed(value: float) -> str:
    """A rating: `+120`, `0`, `-85` with the sign for minus."""
    number = round(value)
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0"


def span(first: int, last: int) -> str:
    """`2`, `2 to 4`."""
    return f"{first}" if first == last else f"{first}\N{EN DASH}{last}"


def _short(value: float) -> str:
    """Two significant digits below 10 unless it is a whole number, and whole numbers above."""
    if value >= 9.95 or abs(value - round(value)) < 1e-9:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 0.95 else f"{value:.2g}"

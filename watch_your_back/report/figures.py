"""Small drawings for tables: scales, bars of intervals and ranges, and lines, as SVG that stretches with its cell.

Everything that they show is also in the cells beside them, so they are hidden from screen readers. Positions are
percentages: no style attribute is needed, which the page's content security policy would not let pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from watch_your_back.report.markup import Markup, element, join
from watch_your_back.statistics import Estimate

__all__ = ["Scale", "axis", "interval_bar", "linear", "logarithmic", "range_bar", "side_bar", "sparkline"]

MIDDLE = 9
"""Half of the height of a bar's drawing, in pixels."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Where values lie between 0 and 100 %. `ticks` are values that the axis names."""

    low: float
    high: float
    ticks: tuple[float, ...]
    logarithm: bool = False

    def at(self, value: float) -> float:
        """Where this value lies; at an end if beyond it."""
        low, high, value = self.low, self.high, min(max(value, self.low), self.high)
        if self.logarithm:
            low, high, value = math.log(low), math.log(high), math.log(value)
        return 100 * (value - low) / (high - low)


def linear(low: float, high: float, count: int = 4) -> Scale:
    """A scale that spans these values, with about so many round intervals."""
    if high <= low:
        high = low + 1
    step = 10.0 ** math.floor(math.log10((high - low) / count))
    step = next(step * factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= count)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return Scale(low, high, tuple(number * step for number in range(first, last + 1)))


def logarithmic(low: float, high: float) -> Scale:
    """A scale of whole powers of ten that spans these values, which are above 0."""
    first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    last = max(last, first + 1)
    return Scale(10.0**first, 10.0**last, tuple(10.0**power for power in range(first, last + 1)), logarithm=True)


def axis(scale: Scale, label: Callable[[float], str]) -> Markup:
    """The ticks of a scale, to stand above bars."""
    marks = []
    for tick in scale.ticks:
        at = scale.at(tick)
        anchor = "start" if at < 2 else "end" if at > 98 else "middle"
        marks.append(element("text", label(tick), x=_percent(at), y=11, text_anchor=anchor))
    return _drawing("axis", 14, *marks)


def interval_bar(scale: Scale, estimate: Estimate) -> Markup:
    """An estimate and its interval; one without an end goes to that of the scale, and has an arrow there."""
    low, high = estimate.low, estimate.high
    arrows = []
    if low is None:
        arrows.append(element("text", "\N{LEFTWARDS ARROW}", class_="open", x=0, y=MIDDLE, text_anchor="start"))
    if high is None:
        arrows.append(element("text", "\N{RIGHTWARDS ARROW}", class_="open", x="100%", y=MIDDLE, text_anchor="end"))
    value = (scale.low + scale.high) / 2 if estimate.value is None else estimate.value
    ends = scale.low if low is None else low, scale.high if high is None else high
    dot = element("circle", class_="estimate", cx=_percent(scale.at(value)), cy=MIDDLE, r=5)
    return _drawing("bar", 2 * MIDDLE, *_grid(scale), _bar("interval", scale, *ends, 3), *arrows, dot)


def range_bar(scale: Scale, values: Sequence[float], top: float, limit: float | None = None) -> Markup:
    """The spread of values: a line from the least to `top`, the middle half, the median, and the limit."""
    ordered = sorted(values)
    quarter, median, three_quarters = (ordered[round((len(ordered) - 1) * share)] for share in (0.25, 0.5, 0.75))
    return _drawing(
        "bar",
        2 * MIDDLE,
        *_grid(scale),
        _bar("spread", scale, ordered[0], top, 1),
        _bar("half", scale, quarter, three_quarters, 5),
        element("circle", class_="estimate", cx=_percent(scale.at(median)), cy=MIDDLE, r=4),
        _upright("worst", scale.at(top), MIDDLE - 5, MIDDLE + 5),
        None if limit is None else _upright("limit", scale.at(limit), 0, 2 * MIDDLE),
    )


def side_bar(scale: Scale, values: Sequence[float | None]) -> Markup:
    """The value of each of the two sides: a ring, and a disc that is smaller, so that both are seen in one place."""
    places = [None if value is None else scale.at(100 * value) for value in values]
    ends = [_percent(place) for place in places if place is not None]
    joint = element("line", class_="joint", x1=ends[0], x2=ends[-1], y1=MIDDLE, y2=MIDDLE) if ends else None
    discs = [
        element("circle", class_=f"side{side}", cx=_percent(place), cy=MIDDLE, r=(6, 3.5)[side])
        for side, place in enumerate(places)
        if place is not None
    ]
    return _drawing("bar", 2 * MIDDLE, *_grid(scale), joint, *discs)


def sparkline(scale: Scale, values: Sequence[float | None]) -> Markup:
    """Values over time, evenly spaced from left to right; None is a gap."""
    path, pen = [], "M"
    for number, value in enumerate(values):
        if value is None:
            pen = "M"
            continue
        x = 100 * number / max(len(values) - 1, 1)
        path.append(f"{pen}{x:.1f} {100 - scale.at(value):.1f}")
        pen = "L"
    line = element("path", d="".join(path), vector_effect="non-scaling-stroke")
    return element(
        "svg", line, class_="spark", viewBox="0 0 100 100", preserveAspectRatio="none", aria_hidden="true"
    )  # fmt: skip


def _drawing(kind: str, height: int, *content: Markup | None) -> Markup:
    return element("svg", join(*content), class_=kind, width="100%", height=height, aria_hidden="true")


def _grid(scale: Scale) -> list[Markup]:
    return [_upright("grid", scale.at(tick), 0, 2 * MIDDLE) for tick in scale.ticks]


def _upright(kind: str, at: float, top: int, bottom: int) -> Markup:
    return element("line", class_=kind, x1=_percent(at), x2=_percent(at), y1=top, y2=bottom)


def _bar(kind: str, scale: Scale, low: float, high: float, half: int) -> Markup:
    start, end = scale.at(low), scale.at(high)
    return element(
        "rect", class_=kind, x=_percent(start), y=MIDDLE - half, width=_percent(end - start), height=2 * half, rx=1
    )  # fmt: skip


def _percent(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") + "%"

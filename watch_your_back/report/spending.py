"""The sections of a report on what agents used: CPU time of turns and of matches, and memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from watch_your_back.report.content import Report
from watch_your_back.report.courses import Course
from watch_your_back.report.figures import Scale, axis, linear, logarithmic, range_bar, sparkline
from watch_your_back.report.markup import Content, Markup, element, join
from watch_your_back.report.quantities import megabytes, percent, seconds
from watch_your_back.report.standings import agent_link, scrolling

__all__ = ["spending"]

LEAST_S = 1e-5
"""The shortest turn that is told apart, in seconds."""


class Used(NamedTuple):
    """What an agent used in each of its matches: CPU seconds, mean CPU seconds of a turn, MB; and its longest turn."""

    cpu_s: list[float]
    turn_s: list[float]
    memory_mb: list[float]
    slowest_s: float


def spending(report: Report, courses: Mapping[int, Course]) -> Markup:
    """Time by turn and by match, and memory, of each agent; `courses` draw the time by turn over the match."""
    used = _used(report)
    if not any(each.cpu_s for each in used):
        return join(element("p", "Nothing has been played yet."))
    time = _by_match(report, [each.cpu_s for each in used], report.limits.cpu_s, seconds, "Time in a match")
    memory = _by_match(
        report, [each.memory_mb for each in used], report.limits.memory_mb, megabytes, "Peak of memory in a match"
    )
    return join(_turns(report, used, courses), element("div", time, memory, class_="pair"))


def _used(report: Report) -> list[Used]:
    cpu_s: list[list[float]] = [[] for _ in report.contestants]
    turn_s: list[list[float]] = [[] for _ in report.contestants]
    memory_mb: list[list[float]] = [[] for _ in report.contestants]
    slowest_s = [0.0 for _ in report.contestants]
    for match in report.counted:
        for agent, usage, slowest in zip(match.agents, match.usage, match.slowest_s, strict=True):
            cpu_s[agent].append(usage.cpu_s)
            memory_mb[agent].append(usage.memory_mb)
            if usage.turns:
                turn_s[agent].append(usage.cpu_s / usage.turns)
                slowest_s[agent] = max(slowest_s[agent], slowest)
    return list(map(Used, cpu_s, turn_s, memory_mb, slowest_s))[: len(report.playing)]


def _turns(report: Report, used: Sequence[Used], courses: Mapping[int, Course]) -> Markup:
    every = [max(value, LEAST_S) for each in used for value in (*each.turn_s, each.slowest_s) if each.turn_s]
    if not every:
        return Markup("")
    every += [turn for course in courses.values() for turn in course.median_s(LEAST_S) if turn is not None]
    scale = logarithmic(min(every), max(every))
    head = [element("th", "Agent", scope="col"), element("th", axis(scale, seconds), scope="col", class_="plot wide")]
    head += [element("th", words, scope="col", class_="number") for words in ("Typical", "Slowest")]
    if courses:
        head.append(element("th", "Over the match", scope="col", class_="course"))
    rows = []
    for agent, each in enumerate(used):
        cells = [element("th", agent_link(report, agent), scope="row")]
        if each.turn_s:
            turns = [max(value, LEAST_S) for value in each.turn_s]
            cells.append(element("td", range_bar(scale, turns, max(each.slowest_s, LEAST_S)), class_="plot wide"))
            cells += _numbers(each.turn_s, each.slowest_s, seconds)
        else:
            cells += [element("td"), element("td"), element("td")]
        if courses:
            line = sparkline(scale, courses[agent].median_s(LEAST_S)) if agent in courses else None
            cells.append(element("td", line, class_="course"))
        rows.append(element("tr", *cells))
    table = element("table", element("thead", element("tr", *head)), element("tbody", *rows))
    told = (
        "CPU time; each step of the scale is ten times the one before. Dot: the mean turn of the middle match; bar: "
        "the middle half of the matches; line: up to the slowest turn of all."
    )
    if courses:
        told += " On the right: the median turn from the start of the matches to their end, on the same scale."
    return _figure("Time of a turn", told, table)


def _by_match(
    report: Report,
    amounts: Sequence[Sequence[float]],
    limit: float | None,
    label: Callable[[float], str],
    title: str,
) -> Markup:
    most = max(value for values in amounts for value in values)
    scale = linear(0, most, 2) if limit is None else Scale(0, max(most, limit), (0, limit / 2, limit))
    head = [element("th", "Agent", scope="col"), element("th", axis(scale, label), scope="col", class_="plot")]
    head += [element("th", words, scope="col", class_="number") for words in ("Median", "Most")]
    if limit is not None:
        head.append(element("th", "Of the limit", scope="col", class_="number"))
    rows = [_match_row(report, agent, values, scale, limit, label) for agent, values in enumerate(amounts)]
    table = element("table", element("thead", element("tr", *head)), element("tbody", *rows))
    told = "Dot: the median; bar: the middle half of the matches; line: from the least to the most."
    if limit is not None:
        told += f" The limit is {label(limit)}."
    return _figure(title, told, table)


def _match_row(
    report: Report,
    agent: int,
    values: Sequence[float],
    scale: Scale,
    limit: float | None,
    label: Callable[[float], str],
) -> Markup:
    name = element("th", agent_link(report, agent), scope="row")
    if not values:
        return element("tr", name, *[element("td")] * (3 if limit is None else 4))
    most = max(values)
    cells = [element("td", range_bar(scale, values, most, limit), class_="plot"), *_numbers(values, most, label)]
    if limit is not None:
        kind = "number over" if most > limit else "number"
        cells.append(element("td", percent(most / limit), class_=kind))
    return element("tr", name, *cells)


def _numbers(values: Sequence[float], most: float, label: Callable[[float], str]) -> list[Markup]:
    middle = sorted(values)[len(values) // 2]
    return [element("td", label(value), class_="number") for value in (middle, most)]


def _figure(title: str, told: Content, table: Markup) -> Markup:
    return element("div", element("h3", title), element("p", told), scrolling(table, title))

"""The section of a report on failures: how often each agent failed for which reason, and where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from watch_your_back.match.events import PlayerFailed, Reason
from watch_your_back.report.content import Report
from watch_your_back.report.markup import Content, Markup, element, join
from watch_your_back.report.quantities import count
from watch_your_back.report.standings import agent_link, scrolling

__all__ = ["failing"]

KINDS = 8
"""So many kinds of failure are told of each agent, the most frequent ones."""
LINKS = 12
"""So many matches are named for each kind."""
CALLS = frozenset({"action", "update", "finish", "start", "see"})
CHARACTERS = 6_000
"""The most that is shown of a traceback."""


class _Case(NamedTuple):
    number: int
    failure: PlayerFailed


def failing(report: Report) -> Markup:
    """The table of failures by agent and reason, and for each agent what happened, with tracebacks."""
    by_agent: dict[int, list[_Case]] = {}
    for number, match in enumerate(report.matches):
        for failure in match.failures:
            by_agent.setdefault(match.agents[failure.side], []).append(_Case(number, failure))
    if not by_agent:
        return element("p", "No player failed.")
    agents = sorted(by_agent)
    details = [_agent(report, agent, by_agent[agent]) for agent in agents]
    return join(_table(report, {agent: by_agent[agent] for agent in agents}), *details)


def _table(report: Report, by_agent: dict[int, list[_Case]]) -> Markup:
    reasons = [
        reason
        for reason, _ in Counter(
            str(case.failure.reason) for cases in by_agent.values() for case in cases
        ).most_common()
    ]
    head = [element("th", "Agent", scope="col")]
    head += [element("th", reason, scope="col", class_="number") for reason in reasons]
    rows = []
    for agent, cases in by_agent.items():
        told = Counter(str(case.failure.reason) for case in cases)
        cells = [element("td", told[reason] or None, class_="number") for reason in reasons]
        rows.append(element("tr", element("th", agent_link(report, agent), scope="row"), *cells))
    table = element("table", element("thead", element("tr", *head)), element("tbody", *rows))
    return scrolling(table, "Failures by agent and reason")


def _agent(report: Report, agent: int, cases: list[_Case]) -> Markup:
    kinds: dict[tuple[str, ...], list[_Case]] = {}
    for case in cases:
        kinds.setdefault(_kind(case.failure), []).append(case)
    ordered = sorted(kinds.values(), key=len, reverse=True)
    folds = [_fold(report, cases) for cases in ordered[:KINDS]]
    rest = sum(map(len, ordered[KINDS:]))
    more = (
        element("p", f"And {count(rest, 'failure')} of {count(len(ordered) - KINDS, 'other kind')}.") if rest else None
    )
    return element("div", element("h3", report.contestants[agent].name), *folds, more, class_="failing")


def _kind(failure: PlayerFailed) -> tuple[str, ...]:
    """What failures have in common that are told together: numbers in the sentence do not matter."""
    lines = [line for line in failure.traceback.splitlines() if line.lstrip().startswith("File ")]
    return failure.reason, failure.call, re.sub(r"-?\d+(\.\d+)?", "0", failure.detail), *lines[-1:]


def _fold(report: Report, cases: list[_Case]) -> Markup:
    failure = cases[0].failure
    summary = element(
        "summary",
        element("span", f"{len(cases)}\N{MULTIPLICATION SIGN}", class_="times"),
        element("b", failure.reason),
        None if failure.reason == Reason.ILLEGAL_ACTION else f" in {failure.call}{'()' * (failure.call in CALLS)}",
        ": ",
        element("span", failure.detail, class_="detail"),
    )
    content: list[Content] = []
    if failure.traceback:
        content.append(element("pre", _shortened(failure.traceback), tabindex=0))
    content.append(element("p", "Matches: ", *_links(report, cases)))
    return element("details", summary, *content)


def _links(report: Report, cases: list[_Case]) -> Iterable[Content]:
    for position, (number, failure) in enumerate(cases[:LINKS]):
        side = report.game.sides[failure.side]
        when = "at the start" if failure.ply < 0 else f"turn {failure.ply + 1}"
        yield from (", " if position else None, element("a", f"#{number + 1}", href=f"#match-{number + 1}"))
        yield f" ({side}, {when})"
    yield f" and {len(cases) - LINKS} more." if len(cases) > LINKS else "."


def _shortened(traceback: str) -> str:
    if len(traceback) <= CHARACTERS:
        return traceback
    head = CHARACTERS // 4
    return f"{traceback[:head]}\n[...]\n{traceback[head - CHARACTERS :]}"

"""A comparison as HTML for a notebook: the verdict, the scores by side, the figures, time and memory, failures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from watch_your_back.report.markup import Content, Markup, element, join
from watch_your_back.report.quantities import megabytes, percent, seconds
from watch_your_back.statistics.elo import elo_text

if TYPE_CHECKING:
    from watch_your_back.api.comparing import Comparison

__all__ = ["comparison_html"]


def comparison_html(comparison: Comparison) -> Markup:
    """The whole of it, with no style but the notebook's."""
    found = comparison.conclusion
    notes = (element("p", element("i", "Note: "), each.sentence) for each in found.findings)
    parts = [element("p", element("b", comparison.sentence))]
    if comparison.played:
        parts += [_scores(comparison), _figures(comparison), _spendings(comparison)]
    return element("div", *parts, *_failures(comparison), *notes)


def _scores(comparison: Comparison) -> Markup:
    totals, sides = comparison.series.totals, comparison.series.setting.game.sides
    tallies = (*totals.by_side, comparison.tally)
    labels = (f"as {sides[0]}", f"as {sides[1]}", "in all")
    rows: list[list[Content]] = [
        [label, tally.wins, tally.draws, tally.losses, percent(tally.score)]
        for label, tally in zip(labels, tallies, strict=True)
    ]
    return _table([comparison.names[0], "won", "drawn", "lost", "score"], rows)


def _figures(comparison: Comparison) -> Markup:
    totals = comparison.series.totals
    distinct = totals.distinct_matches()
    rows: list[list[Content]] = [
        ["Elo", elo_text(comparison.elo)],
        ["chance that it is the stronger one", percent(comparison.los) or "unknown"],
        ["pairs with 0, ½, 1, 1½ and 2 points", str(totals.pentanomial)],
        ["different matches", f"{distinct.distinct} of {distinct.total}"],
        ["ended by", ", ".join(f"{reason} {number}" for reason, number in totals.reasons.most_common())],
        ["confinement", totals.tier],
        ["seed", str(comparison.seed)],
    ]
    return _table([], rows)


def _spendings(comparison: Comparison) -> Markup:
    totals = comparison.series.totals
    rows: list[list[Content]] = [
        [
            name,
            seconds(totals.cpu_s[slot].median),
            seconds(totals.cpu_s[slot].worst),
            seconds(totals.slowest_turn_s[slot]),
            megabytes(totals.memory_mb[slot].median),
            megabytes(totals.memory_mb[slot].worst),
        ]
        for slot, name in enumerate(comparison.names)
    ]
    head = ["in a match", "CPU time, median", "worst", "slowest turn", "memory, median", "worst"]
    return _table(head, rows)


def _failures(comparison: Comparison) -> Iterator[Markup]:
    for name, failures in zip(comparison.names, comparison.series.totals.failures, strict=True):
        for each in failures:
            times = f"{each.count} match{'es' * (each.count != 1)}"
            told = (
                f"{name} failed by {each.reason} in {times}, the first time in {each.first.call}: {each.first.detail}"
            )
            yield element("p", told)
            if each.first.traceback:
                yield element("pre", each.first.traceback)


def _table(head: list[str], rows: list[list[Content]]) -> Markup:
    top = element("thead", element("tr", *(element("th", words) for words in head))) if head else None
    body = (element("tr", element("th", first), *(element("td", each) for each in rest)) for first, *rest in rows)
    return element("table", top, element("tbody", join(*body)))

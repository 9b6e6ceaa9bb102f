"""The report of a tournament as one HTML file, which needs no network and runs no script but its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from string import Template
from typing import Any

from watch_your_back import __version__
from watch_your_back.report.assets import REPLAY_SCRIPTS, policy, scripts, styles, text
from watch_your_back.report.content import Records, Report
from watch_your_back.report.courses import Course
from watch_your_back.report.failing import failing
from watch_your_back.report.markup import Markup, data_block, element, join
from watch_your_back.report.quantities import count, ends_of, moment, signed
from watch_your_back.report.replays import Replays
from watch_your_back.report.scores import Scores
from watch_your_back.report.spending import spending
from watch_your_back.report.standings import agent_link, crosstable, ratings, scrolling, sides
from watch_your_back.show.text import clean

__all__ = ["REPLAYS", "page"]

REPLAYS = 2_000
"""So many matches can be replayed in the page unless more or fewer are asked for."""
REPLAY_CHARACTERS = 11_000_000
"""What all replays together may take up, as far as their boards and times allow."""
LONGEST_REPLAY = 100_000

SCRIPTS = (
    "report/elements.js",
    "report/matches.js",
    "report/tables.js",
    *REPLAY_SCRIPTS,
    "report/following.js",
)
KEYS = Markup(", <kbd>Esc</kbd> back to the report")


def page(
    report: Report,
    records: Records,
    *,
    replays: int = REPLAYS,
    printed: bool = True,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> str:
    """The whole file. At most so many `replays` are in it: then of a match of each kind of failure first, and of each
    pairing in turn. `printed` says whether what players printed is told. `progress` is told how many replays are done.
    """
    scores = Scores(report.counted)
    chosen = _worth_replaying(report, replays)
    packing = Replays(min(LONGEST_REPLAY, REPLAY_CHARACTERS // max(len(chosen), 1)), report.anonymous)
    courses: dict[int, Course] = {}
    blocks = []
    for done, number in enumerate(chosen):
        progress(done, len(chosen))
        match = report.matches[number]
        if (record := records(match)) is not None:
            for side, agent in enumerate(match.agents):
                courses.setdefault(agent, Course()).add(record, side)
            if not printed:
                record = replace(record, outputs=())
            packed = packing.packed(record)
            blocks.append(element("script", Markup(packed), type="text/plain", id=f"replay-{number + 1}"))
    progress(len(chosen), len(chosen))
    sections = {
        "ratings": ("Ratings", ratings(report, scores)),
        "crosstable": ("Crosstable", crosstable(report, scores)),
        "sides": ("Score by side", sides(report, scores)),
        "spending": ("Time and memory", spending(report, courses)),
        "failures-by-agent": ("Failures", failing(report)),
    }
    links = [(id, title) for id, (title, _) in sections.items()] + [("matches", "Matches"), ("settings", "Settings")]
    style, script = styles(), scripts(SCRIPTS)
    return Template(text("report/template.html")).substitute(
        policy=policy(style, script),
        version=__version__,
        title=join(report.title),
        style=style,
        lead=join(_lead(report)),
        notes=_notes(report),
        links=join(*(element("li", element("a", title, href=f"#{id}")) for id, title in links)),
        sections=join(*(_section(id, title, content) for id, (title, content) in sections.items())),
        replay=Template(text("report/replay.html")).substitute(keys=KEYS),
        settings=_section("settings", "Settings", _settings(report)),
        footer=join(f"Made by Watch Your Back! {__version__} on {moment(report.made)}."),
        data=join(data_block("data", {**_data(report), "board": packing.board(report.game)}), *blocks),
        script=script,
    )


def _worth_replaying(report: Report, most: int) -> list[int]:
    """The numbers of the matches to replay, in their order."""
    numbers = range(len(report.matches))
    if len(numbers) <= most:
        return list(numbers)
    met: Counter[object] = Counter()
    urgency = []
    for number in numbers:
        match = report.matches[number]
        failures = [(match.agents[each.side], each.reason, each.call) for each in match.failures]
        pairing = frozenset(match.agents)
        urgency.append(min([(met[key], 0) for key in failures] + [(met[pairing], 1)]))
        met.update([*failures, pairing])
    return sorted(sorted(numbers, key=lambda number: urgency[number])[:most])


def _section(id: str, title: str, content: Markup) -> Markup:
    return element(
        "section", element("h2", title, id=f"{id}-title"), content, id=id, aria_labelledby=f"{id}-title"
    )  # fmt: skip


def _lead(report: Report) -> str:
    matches = count(len(report.counted), "match", "matches")
    if (left := report.planned - len(report.counted)) > 0:
        matches += f" played, {left:,} to go"
    absent = len(report.contestants) - len(report.playing)
    agents = count(len(report.playing), "agent") + (
        f" ({absent} more {'take' if absent > 1 else 'takes'} no part)" if absent else ""
    )
    told = f"{agents}, {matches}. "
    first = [each for each in report.contestants if each.ranks is not None and each.ranks[0] == 1]
    if not first or first[0].rating is None:
        return told
    if len(first) > 1:
        named, others = (
            (first[:-1], first[-1].name) if len(first) < 6 else (first[:3], f"one of {len(first) - 3} others")
        )
        names = ", ".join(each.name for each in named) + f" or {others}"
        return told + f"First place is not decided: it may be {names} (with 95 % confidence)."
    rating = first[0].rating
    worth = f"{signed(rating.value or 0)} ({ends_of(rating)}, with 95 % confidence)"
    return told + f"{first[0].name} is the strongest, with a rating of {worth}."


def _notes(report: Report) -> Markup:
    if not report.notes:
        return Markup("")
    return element("div", element("ul", *(element("li", note) for note in report.notes)), class_="notes", role="note")


def _settings(report: Report) -> Markup:
    pairs = (join(element("dt", label), element("dd", value)) for label, value in report.settings)
    facts = element("dl", *pairs, class_="facts")
    if report.anonymous:
        return facts
    head = element("tr", *(element("th", words, scope="col") for words in ("Agent", "Given as", "Sources (SHA-256)")))
    rows = [
        element(
            "tr",
            element("th", agent_link(report, agent), scope="row"),
            element("td", each.spec, class_="spec"),
            element("td", element("code", each.fingerprint[:16])),
        )
        for agent, each in enumerate(report.contestants)
    ]
    table = element("table", element("thead", head), element("tbody", *rows))
    return join(facts, element("h3", "Agents"), scrolling(table, "Agents"))


def _data(report: Report) -> dict[str, Any]:
    """What the scripts know of the matches, column by column."""
    matches = report.matches
    reasons = sorted({match.reason for match in matches})
    place = {reason: number for number, reason in enumerate(reasons)}

    return {
        "agents": [clean(each.name) for each in report.contestants],
        "sides": report.game.sides,
        "limits": {"cpu_s": report.limits.cpu_s, "memory_mb": report.limits.memory_mb},
        "reasons": [clean(reason) for reason in reasons],
        "ids": [clean(match.id) for match in matches],
        "seats": [[match.agents[side] for match in matches] for side in (0, 1)],
        "winner": [-1 if match.winner is None else match.winner for match in matches],
        "reason": [place[match.reason] for match in matches],
        "excluded": {number: clean(match.excluded) for number, match in enumerate(matches) if match.excluded},
        "turns": [match.turns for match in matches],
        "cpu": [_short(match.usage[side].cpu_s for match in matches) for side in (0, 1)],
        "slowest": [_short(match.slowest_s[side] for match in matches) for side in (0, 1)],
        "memory": [_short(match.usage[side].memory_mb for match in matches) for side in (0, 1)],
    }


def _short(values: Iterable[float]) -> list[float]:
    """The values with three digits that count."""
    return [float(f"{value:.3g}") for value in values]

"""A report in which nobody can tell who an agent is: names, and what else tells them, give way to pseudonyms."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import replace

from watch_your_back.match.events import PlayerFailed
from watch_your_back.match.record import Record
from watch_your_back.report.content import Played, Records, Report
from watch_your_back.report.scrubbing import Scrubber

__all__ = ["anonymous", "draw"]

PSEUDONYM = "Agent {}"
TELLING = frozenset({"Seed", "Store"})
"""Settings that an anonymous report does not have: from the seed and the names follows who met whom."""


def draw(names: Iterable[str], known: Mapping[str, str]) -> dict[str, str]:
    """A pseudonym for each name: the known one, or one that is drawn by chance."""
    new = [name for name in names if name not in known]
    taken = set(known.values())
    numbers = (PSEUDONYM.format(number) for number in range(1, len(taken) + len(new) + 1))
    free = [pseudonym for pseudonym in numbers if pseudonym not in taken][: len(new)]
    secrets.SystemRandom().shuffle(free)
    return {**known, **dict(zip(new, free, strict=True))}


def anonymous(report: Report, records: Records, pseudonyms: Mapping[str, str]) -> tuple[Report, Records]:
    """The report and the records without anything that tells who an agent is.

    The matches are put into another order, since that of the schedule goes by the names. What an agent prints about
    itself is recognised only where it is its name, a part of that or of its path, or the path of a file.
    """
    scrub = Scrubber(report.contestants, pseudonyms)

    def place(match: Played) -> list[tuple[int, str]]:
        names = [pseudonyms[report.contestants[agent].name] for agent in match.agents]
        return [(len(name), name) for name in names]

    def record(match: Played) -> Record | None:
        original = records(match)
        return None if original is None else _scrubbed(original, scrub)

    matches = [
        match._replace(id="", failures=_failures(match.failures, scrub), excluded=scrub(match.excluded))
        for match in sorted(report.matches, key=place)
    ]
    contestants = [
        replace(each, name=pseudonyms[each.name], spec="", fingerprint="", note=scrub(each.note))
        for each in report.contestants
    ]
    settings = [(label, scrub(value)) for label, value in report.settings if label not in TELLING]
    notes = [scrub(note) for note in report.notes]
    hidden = replace(report, contestants=contestants, matches=matches, settings=settings, notes=notes, anonymous=True)
    return hidden, record


def _scrubbed(record: Record, scrub: Scrubber) -> Record:
    """A record whose texts, as far as they are shown, tell nothing."""
    outputs = tuple(each._replace(text=scrub(each.text)) for each in record.outputs)
    return replace(record, outputs=outputs, failures=_failures(record.failures, scrub))


def _failures(failures: Iterable[PlayerFailed], scrub: Scrubber) -> tuple[PlayerFailed, ...]:
    return tuple(
        each._replace(detail=scrub(each.detail), traceback=scrub(each.traceback)) for each in failures
    )  # fmt: skip

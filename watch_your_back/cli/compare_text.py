"""What a series came to, as text: the verdict first, then what it rests on."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator

from watch_your_back.cli.check import typed
from watch_your_back.diagnosis.advice import CALLS, FAULTS
from watch_your_back.diagnosis.matches import conditions
from watch_your_back.report.quantities import count, megabytes, percent, seconds
from watch_your_back.show.text import clean, one_line, paint
from watch_your_back.statistics import Sprt, SprtState, elo_text
from watch_your_back.tournament.conclusions import Conclusion
from watch_your_back.tournament.series import Ending, Series
from watch_your_back.tournament.tasks import MatchTask
from watch_your_back.tournament.totals import Failures, Spent

__all__ = ["command_for", "report"]

NAME = 20
"""Columns for the name of an agent in a table."""
MEANING = 36
"""The column from which on the meaning of a figure is told."""

STOPPED = {
    Ending.TIME_IS_UP: " until the time was up",
    Ending.INTERRUPTED: " until it was interrupted",
    Ending.VOID: " until the referee had failed too often",
}


def command_for(task: MatchTask) -> tuple[str, ...]:
    """The `wyb` command that plays a match of a series again."""
    specs = [task.agents[slot].spec for slot in task.slots]
    words = ["play", *specs, *conditions(task.game, task.limits), "--seed", str(task.seed)]
    if task.first == 1:
        words.append("--swap-seeds")
    if task.opening:
        words += ["--opening", json.dumps(task.opening, separators=(",", ":"))]
    return tuple(words)


def report(series: Series, found: Conclusion, test: Sprt | None, *, width: int, colour: bool) -> Iterator[str]:
    """The lines of the report, of at most so many columns."""
    for line in _wrapped(found.sentence, width):
        yield paint(line, "1", colour)
    totals = series.totals
    named = [_short(label) for label in found.labels]
    if totals.pairs and series.ending != Ending.COULD_NOT_START:
        yield ""
        pairs = f"{count(2 * totals.pairs, 'match', 'matches')}, {count(totals.pairs, 'pair')} with the sides swapped"
        yield from _wrapped(f"{pairs}, in {_clock(series.wall_s)}{STOPPED.get(series.ending, '')}:", width)
        yield ""
        yield from _scores(series, named[0])
        yield ""
        for name, value, meaning in _figures(series, found, test, named[0]):
            head = f"  {name:<11}{value}"
            yield from _wrapped(f"{head:<{MEANING}} {meaning}" if value else f"{head}{meaning}", width, " " * MEANING)
        yield ""
        yield from _spendings(series, named)
    for label, failures in zip(named, totals.failures, strict=True):
        for each in failures:
            yield ""
            yield from _failure(series, label, each, width)
    for finding in found.findings:
        yield ""
        yield from _wrapped(f"Note: {finding.sentence}", width)


def _scores(series: Series, name: str) -> Iterator[str]:
    sides, totals = series.setting.game.sides, series.totals
    rows = (f"as {sides[0]}", f"as {sides[1]}", "in all"), (*totals.by_side, totals.results.tally)
    yield f"  {name:<{NAME}}{'won':>8}{'drawn':>8}{'lost':>8}{'score':>10}"
    for label, tally in zip(*rows, strict=True):
        yield f"  {label:<{NAME}}{tally.wins:>8}{tally.draws:>8}{tally.losses:>8}{percent(tally.score):>10}"


def _figures(series: Series, found: Conclusion, test: Sprt | None, name: str) -> Iterator[tuple[str, str, str]]:
    """Each figure with its name and what it means."""
    totals, strength = series.totals, found.strength
    if series.ending != Ending.DETERMINISTIC:
        yield "Elo", elo_text(strength.elo), f"for {name}, with the 95 % interval"
        yield "LOS", _likelihood(strength.los), "chance that it is the stronger one"
    if test is not None and found.sprt is not None:
        yield "SPRT", *_test(test, found.sprt)
    yield "pairs", str(totals.pentanomial), "those with 0, 1/2, 1, 1 1/2 and 2 points"
    matches = totals.distinct_matches()
    yield "distinct", f"{matches.distinct} of {matches.total}", "different matches"
    yield "ended by", "", ", ".join(f"{reason} {number}" for reason, number in totals.reasons.most_common())


def _test(test: Sprt, state: SprtState) -> tuple[str, str]:
    hypotheses = f"{test.elo0:g} Elo at {state.lower:.2f}, {test.elo1:g} Elo at {state.upper:.2f}"
    outcome = {"accept H0": f"{test.elo0:g} Elo it is", "accept H1": f"{test.elo1:g} Elo it is"}
    return f"LLR {state.llr:.2f}: {outcome.get(state.decision, 'open')}", hypotheses


def _likelihood(los: float | None) -> str:
    if los is None:
        return "unknown"
    return "over 99.9 %" if los > 0.999 else "under 0.1 %" if los < 0.001 else f"{100 * los:.1f} %"


def _spendings(series: Series, named: list[str]) -> Iterator[str]:
    totals, limits = series.totals, series.setting.limits
    time, memory = (
        f"{what} (limit {limit:g} {unit})" if limit is not None else what
        for what, limit, unit in (("CPU time", limits.cpu_s, "s"), ("memory", limits.memory_mb, "MB"))
    )
    yield f"  {'in a match':<{NAME}}{time:^24}{memory:^24}{'slowest':>9}"
    yield f"  {'':<{NAME}}{'median':>9}{'worst':>15}{'median':>9}{'worst':>15}{'turn':>9}"
    for slot, name in enumerate(named):
        cpu = _spent(totals.cpu_s[slot], limits.cpu_s, seconds)
        mb = _spent(totals.memory_mb[slot], limits.memory_mb, megabytes)
        yield f"  {name:<{NAME}}{cpu}{mb}{seconds(totals.slowest_turn_s[slot]):>9}"


def _spent(spent: Spent, limit: float | None, words: Callable[[float], str]) -> str:
    share = "" if limit is None else percent(spent.worst / limit)
    return f"{words(spent.median):>9}{words(spent.worst):>9}{share:>6}"


def _failure(series: Series, label: str, failures: Failures, width: int) -> Iterator[str]:
    sides, first = series.setting.game.sides, failures.first
    how_often = " and ".join(f"{times} as {side}" for side, times in zip(sides, failures.by_side, strict=True) if times)
    does = FAULTS.get(failures.reason, failures.reason)
    where = CALLS.get(first.call, "") + (f" at ply {first.ply}" if first.ply >= 0 else "")
    of = count(failures.count, "match", "matches")
    yield from _wrapped(f"{label} {does} in {of} ({how_often}), the first time {where}: {first.detail}", width)
    for line in clean(first.traceback).splitlines():
        yield f"  | {line}"
    yield f"  again: {one_line(typed(command_for(failures.task)))}"


def _clock(duration_s: float) -> str:
    minutes, rest = divmod(round(duration_s), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _wrapped(words: str, width: int, indent: str = "") -> list[str]:
    whole = clean(words).replace(" %", "\0%")  # a number and its sign stay on one line
    return [line.replace("\0", " ") for line in textwrap.wrap(whole, max(width, 40), subsequent_indent=indent)]


def _short(label: str) -> str:
    """A name that fits into a table: the end of it, which tells files in different folders apart."""
    name = one_line(label)
    return name if len(name) < NAME else f"...{name[-(NAME - 4) :]}"

"""What a series shows: a verdict in one plain sentence, estimates, and what the reader must know beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from watch_your_back.agents import Agent
from watch_your_back.confine.tiers import TIERS
from watch_your_back.statistics.elo import elo_text
from watch_your_back.statistics.results import Results
from watch_your_back.statistics.score import Strength, strength
from watch_your_back.statistics.sprt import Sprt, SprtState
from watch_your_back.statistics.verdict import Finding as Judgement
from watch_your_back.statistics.verdict import judge, judge_sprt
from watch_your_back.tournament.series import Ending, Series
from watch_your_back.tournament.totals import Pair, Totals

__all__ = ["Conclusion", "Finding", "Verdict", "conclude", "labels"]

FEW = 3
"""So many pairs it takes for a verdict by the interval: of two equals, one wins the first two in one case of eight."""
CLOSE = 0.85
"""The share of a limit from which on a slower machine is a danger."""


class Verdict(StrEnum):
    """What is concluded of the first agent."""

    BETTER = "better"
    WORSE = "worse"
    NOT_BETTER = "not better"
    NOT_WORSE = "not worse"
    CANNOT_TELL = "cannot tell yet"
    DETERMINISTIC = "always the same"
    COULD_NOT_START = "could not start"
    NOTHING_PLAYED = "nothing played"


class Finding(NamedTuple):
    """Something about a series that a reader of its numbers must know: its kind and a sentence or two."""

    kind: str
    sentence: str


class Conclusion(NamedTuple):
    """What a series shows, from the point of view of its first agent.

    `more` is about how many matches more would decide, None where it is decided or that cannot be said. `strength` is
    unknown where the matches are always the same or an agent could not start. `once` is the strength if pairs that went
    the same way are counted once, None where there are none.
    """

    labels: tuple[str, str]
    verdict: Verdict
    sentence: str
    more: int | None
    strength: Strength
    once: Strength | None
    sprt: SprtState | None
    findings: Sequence[Finding]


def labels(agents: tuple[Agent, Agent]) -> tuple[str, str]:
    """What to call the two agents: their names, with as many folders in front as it takes to tell them apart."""
    names = [agent.name for agent in agents]
    folders = [_folder(agent).parts for agent in agents]
    for depth in range(1, max(map(len, folders)) + 1):
        if names[0] != names[1]:
            break
        names = ["/".join((*parts[-depth:], agent.name)) for parts, agent in zip(folders, agents, strict=True)]
    if names[0] == names[1]:
        names = [f"{agent.name} ({letter})" for agent, letter in zip(agents, "AB", strict=True)]
    return names[0], names[1]


def conclude(series: Series, test: Sprt | None = None, *, without_start: Sequence[str] = ()) -> Conclusion:
    """What a series shows so far, which may be nothing yet.

    `test` is what decides it, if one does; `without_start` are the labels of agents for whose sake there were no
    openings although they were asked for.
    """
    named = labels(series.setting.agents)
    totals = series.totals
    once = totals.once() if totals.distinct_pairs().distinct < totals.pairs else None
    state = None if test is None else test.state(totals.pentanomial)
    verdict, sentence, more = _verdict(series, named, test, state, once)
    told = verdict not in (Verdict.DETERMINISTIC, Verdict.COULD_NOT_START)
    return Conclusion(
        labels=named,
        verdict=verdict,
        sentence=sentence,
        more=more,
        strength=strength(totals.results if told else Results()),
        once=strength(once) if told and once is not None else None,
        sprt=state,
        findings=tuple(_findings(series, named, without_start)),
    )


def _folder(agent: Agent) -> Path:
    """The folder that an agent is in, which is not the one that it is called after."""
    folder = agent.path.parent
    return folder.parent if folder.name == agent.name else folder


def _verdict(
    series: Series, named: tuple[str, str], test: Sprt | None, state: SprtState | None, once: Results | None
) -> tuple[Verdict, str, int | None]:
    totals = series.totals
    if not totals.pairs:
        return Verdict.NOTHING_PLAYED, _nothing(series), None
    if series.ending == Ending.COULD_NOT_START:
        return Verdict.COULD_NOT_START, _not_started(series, named), None
    if series.ending == Ending.DETERMINISTIC:
        return Verdict.DETERMINISTIC, _always_the_same(series, named), None
    found = _judge(totals.results) if test is None or state is None else judge_sprt(test, state)
    settled = found.verdict != "cannot tell yet"
    if settled and once is not None and _judge(once).verdict == "cannot tell yet":
        sentence = "Cannot tell yet: too many of the matches are the same ones again."
        return Verdict.CANNOT_TELL, f"{sentence} {_score(totals, named[0])}", None
    words = [found.sentence(*named)]
    if not settled and found.more is None:
        even = totals.results.tally.score == 0.5
        words = [f"Cannot tell yet: {'the points are shared equally' if even else 'these are too few matches'}."]
    if settled and test is not None and state is not None:
        accepted, rejected = (test.elo0, test.elo1) if state.decision == "accept H0" else (test.elo1, test.elo0)
        words.append(f"The test accepts a difference of {accepted:g} Elo and rejects {rejected:g}.")
    return Verdict(found.verdict), " ".join((*words, _score(totals, named[0]))), found.more


def _judge(results: Results) -> Judgement:
    return judge(results) if results.pairs.pairs >= FEW else judge(results)._replace(verdict="cannot tell yet")


def _score(totals: Totals, first: str) -> str:
    score = strength(totals.results).score
    low, high = math.floor(100 * (score.low or 0.0)), math.ceil(100 * (score.high or 0.0))
    return f"{first} got {_percent(score.value or 0.0)} of the points ({low} % to {high} % in the long run, 95 % sure)."


def _nothing(series: Series) -> str:
    if series.void:
        return f"No match counts, since each was void: {_why(series.void[0])}."
    if series.ending == Ending.TIME_IS_UP:
        return "Nothing is known yet: no pair of matches was over when the time was up."
    return "Nothing is known yet: no pair of matches was over."


def _why(void: Pair) -> str:
    first = next(result for result in void.results if result.void)
    return f"{first.reason}: {first.detail.splitlines()[-1].rstrip('.')}" if first.detail else first.reason


def _not_started(series: Series, named: tuple[str, str]) -> str:
    sides = series.setting.game.sides
    parts = []
    for label, failures in zip(named, series.totals.failures, strict=True):
        failed = [sum(each.by_side[side] for each in failures) for side in (0, 1)]
        if all(failed):
            parts.append(f"{label} could not start")
        elif any(failed):
            parts.append(f"{label} could not start as {sides[failed.index(max(failed))]}")
    return f"{' and '.join(parts)}, so they cannot be compared."


def _always_the_same(series: Series, named: tuple[str, str]) -> str:
    sides = series.setting.game.sides
    does = ["wins" if each.wins else "loses" if each.losses else "draws" for each in series.totals.by_side]
    differently = f"{does[0]} as {sides[0]} and {does[1]} as {sides[1]}"
    what = f"{does[0]} both of them" if does[0] == does[1] else differently
    return f"{named[0]} and {named[1]} play the same two matches under every seed: {named[0]} {what}."


def _findings(series: Series, named: tuple[str, str], without_start: Sequence[str]) -> Iterator[Finding]:
    totals, agents = series.totals, series.setting.agents
    if series.ending == Ending.DETERMINISTIC:
        yield Finding(
            "always the same",
            "Three pairs went the same way under different seeds. More matches would only repeat these two, which say "
            "little about strength. Let a player choose at random among equally good actions, or give both the method "
            "start() and use --openings 4.",
        )
    elif totals.distinct_matches().distinct < 2 * totals.pairs:
        yield Finding("repeats", _repeats(totals))
    if (agents[0].fingerprint, agents[0].class_name) == (agents[1].fingerprint, agents[1].class_name):
        yield Finding("same sources", "Both agents have the same sources, so that any difference is chance.")
    if without_start:
        yield Finding(
            "no openings",
            f"The matches begin without an opening, since {' and '.join(without_start)} "
            f"{'has' if len(without_start) == 1 else 'have'} no method start() to be told of one.",
        )
    if series.reproducible is False:
        yield Finding(
            "not reproducible",
            "The first match went another way when it was played again with the same seed: a player goes by the clock "
            "or has random numbers of its own. So another series with this seed can come out differently.",
        )
    if series.void and totals.pairs:
        yield Finding("void", f"{_count(len(series.void), 'pair')} did not count: {_why(series.void[0])}.")
    for slot, label in enumerate(named):
        yield from _of_agent(series, slot, label)
    if totals.pairs and totals.tier != TIERS[-1]:
        external = [name for name, agent in zip(named, agents, strict=True) if agent.kind == "external"]
        if totals.tier == "external":
            told = f"{' and '.join(external)} {'are external programs' if external[1:] else 'is an external program'}"
            yield Finding("tier", f"{told}, measured and limited but not confined.")
        else:
            yield Finding("tier", f"Players were confined at the tier {totals.tier} only; wyb doctor tells why.")


def _of_agent(series: Series, slot: int, label: str) -> Iterator[Finding]:
    totals, limits = series.totals, series.setting.limits
    tally = totals.results.tally if slot == 0 else totals.results.tally.reversed()
    failed = sum(each.count for each in totals.failures[slot])
    if failed and series.ending != Ending.COULD_NOT_START:
        lost = _count(tally.losses, "match", "es")
        yield Finding("failures", f"{failed} of the {lost} that {label} lost were lost by a fault, not by play.")
    for limit, spent, what in (
        (limits.cpu_s, totals.cpu_s[slot], "time"),
        (limits.memory_mb, totals.memory_mb[slot], "memory"),
    ):
        if limit is not None and CLOSE <= spent.worst / limit <= 1:
            yield Finding(
                "close to a limit",
                f"{label} came to {_percent(spent.worst / limit)} of the {what} limit: elsewhere it may go over it.",
            )


def _repeats(totals: Totals) -> str:
    matches, pairs = totals.distinct_matches(), totals.distinct_pairs()
    sentence = (
        f"Only {matches.distinct} of {_count(matches.total, 'match', 'es')} are distinct. One that goes just like an "
        "earlier one says nothing new about strength"
    )
    if pairs.distinct == pairs.total:
        return f"{sentence}."
    return (
        f"{sentence}: each distinct pair counted once, the difference is {elo_text(strength(totals.once()).elo)} Elo."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _count(number: int, word: str, plural: str = "s") -> str:
    return f"{number} {word if number == 1 else word + plural}"

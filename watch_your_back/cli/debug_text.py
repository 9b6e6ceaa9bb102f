"""What `wyb debug` prints: how a rebuilt player answered, what was tried, and where its time went."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Sequence
from statistics import median

from watch_your_back.diagnosis.causes import Inquiry, Trial
from watch_your_back.diagnosis.here import ProfileLine
from watch_your_back.diagnosis.questions import Trouble
from watch_your_back.diagnosis.rebuilding import Difference, Question
from watch_your_back.diagnosis.spreading import Again
from watch_your_back.game import Action
from watch_your_back.show.text import clean

__all__ = ["agreement", "difference", "inquiry", "profile", "said", "spread", "turns"]

WIDTH = 100
MOST_LINES = 25
"""Functions that a profile shows; the rest has little of the time."""

COST = 11
"""Characters of a column of milliseconds: up to 100 seconds and more fit into it."""


def said(answer: Action | Trouble) -> str:
    """An answer in a few words."""
    if not isinstance(answer, Trouble):
        return "None, a pass" if answer is None else repr(answer)
    call = "" if answer.reason == "illegal action" else f" in {answer.call}()"
    return f"{answer.reason}{call}: {clean(answer.detail)}"


def turns(count: int) -> str:
    """So many turns of a player's own."""
    return "1 turn" if count == 1 else f"{count} turns"


def agreement(followed: Sequence[Question]) -> str:
    """That the player did what it did in the match."""
    if not followed:
        return "This is its first turn."
    every = "its only turn" if len(followed) == 1 else f"all of its {len(followed)} turns"
    return f"It answers as in the record in {every} before this one."


def difference(found: Difference, followed: int) -> str:
    """Where it did something else, after so many turns."""
    question, answer = found
    assert question.turn is not None
    before = f"after {turns(followed)} as in the record" if followed else "its first"
    now = said(answer)
    recorded = said(question.turn.action)
    return f"It first answers differently at turn {question.state.ply}, {before}: {now}; in the record, {recorded}."


def inquiry(found: Inquiry) -> Iterator[str]:
    """What was tried, a line each, and what that means."""
    width = max(len(trial.changed) for trial in found.trials)
    for trial in found.trials:
        yield f"  with {trial.changed:<{width}}  {_result(trial)}"
    for number, cause in enumerate(found.causes):
        head = "Likely cause: " if number == 0 else "or: "
        yield from textwrap.wrap(f"{head}{cause}.", WIDTH, subsequent_indent="  ")


def _result(trial: Trial) -> str:
    if trial.fault is not None:
        return f"cannot be made: {clean(trial.fault.detail)}"
    if trial.difference is None:
        return "as in the record"
    if trial.out_of_time:
        return "takes too long"
    question, answer = trial.difference
    return f"turn {question.state.ply}: {said(answer)}"


def profile(lines: Sequence[ProfileLine]) -> Iterator[str]:
    """A table of functions: how often called, milliseconds in itself and in all."""
    yield f"{'calls':>10} {'own ms':>{COST}} {'total ms':>{COST}}  function"
    shown = lines[:MOST_LINES]
    for line, before in zip(shown, (None, *shown), strict=False):
        if before is not None and before.own and not line.own:
            yield f"{'':>{12 + 2 * COST}}  not its own:"
        where = f"  ({_short(line)})" if line.file else ""
        yield f"{line.calls:>10,} {_ms(line.self_s)} {_ms(line.total_s)}  {clean(line.name)}{where}"
    if rest := lines[MOST_LINES:]:
        calls, self_s = sum(line.calls for line in rest), sum(line.self_s for line in rest)
        yield f"{calls:>10,} {_ms(self_s)} {'':>{COST}}  in {len(rest)} more functions"


def _ms(cost_s: float) -> str:
    """Seconds as a column of milliseconds: quick players answer in a few hundredths of one."""
    return f"{1000 * cost_s:>{COST},.3f}"


def _short(line: ProfileLine) -> str:
    """The file, without the way to it if it is not the player's, and the line."""
    return f"{clean(line.file if line.own else os.path.basename(line.file))}:{line.line}"


def spread(answers: Sequence[Again], question: Question) -> Iterator[str]:
    """A table of the answers, the most frequent first, and of what they cost."""
    groups: dict[str, list[Again]] = {}
    for each in answers:
        groups.setdefault(_answered(each), []).append(each)
    recorded = said(question.turn.action) if question.turn is not None else None
    yield f"{'times':>6} {'least':>{COST}} {'median':>{COST}} {'most':>{COST}}  answer (milliseconds of CPU time)"
    for answer, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        spent = [each.cpu_s for each in group]
        cost = f"{_ms(min(spent))} {_ms(median(spent))} {_ms(max(spent))}"
        if group[0].left is not None and not group[0].put:
            cost = f"{'-':>{COST}} {'-':>{COST}} {'-':>{COST}}"
        yield f"{len(group):>6} {cost}  {answer}{'  (as in the record)' if answer == recorded else ''}"


def _answered(each: Again) -> str:
    if each.left is not None and not each.put:
        question, answer = each.left
        return f"left the record at turn {question.state.ply}: {said(answer)}"
    return said(each.answer)

"""What `wyb debug` found, as a JSON object; `docs/debugging.md` says what each member is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from watch_your_back.diagnosis.causes import Inquiry, Trial, sources_changed
from watch_your_back.diagnosis.here import Here, ProfileLine
from watch_your_back.diagnosis.questions import Trouble
from watch_your_back.diagnosis.rebuilding import Difference, Question, Rebuilding
from watch_your_back.diagnosis.spreading import Again
from watch_your_back.game import Action

__all__ = ["of_answers", "of_profile"]


def of_answers(
    rebuilding: Rebuilding, question: Question, first: Trial, tried: Inquiry | None, answers: Sequence[Again]
) -> str:
    """All of `--again`, as text."""
    return json.dumps(
        _about(rebuilding, question, first, tried) | {"answers": [_again(each) for each in answers]}, indent=2
    )


def of_profile(
    rebuilding: Rebuilding,
    here: Here,
    first: Trial,
    tried: Inquiry | None,
    found: Action | Trouble,
    cpu_s: float,
    lines: Sequence[ProfileLine],
) -> str:
    """All of `--profile`, as text."""
    told = {**_answered(found), "cpu_s": round(cpu_s, 6), "functions": [line._asdict() for line in lines]}
    return json.dumps(_about(rebuilding, here.question, first, tried) | told, indent=2)


def _about(rebuilding: Rebuilding, question: Question, first: Trial, tried: Inquiry | None) -> dict[str, Any]:
    record, turn = rebuilding.record, question.turn
    return {
        "agent": rebuilding.agent.name,
        "spec": rebuilding.agent.spec,
        "changed": sources_changed(rebuilding),
        "game": record.game.id,
        "side": record.game.sides[rebuilding.side],
        "at": question.state.ply,
        "recorded": None if turn is None else {"action": turn.action, "cpu_s": turn.cpu_s},
        "differs": _difference(first.difference),
        "causes": [] if tried is None else tried.causes,
        "trials": [] if tried is None else [_trial(trial) for trial in tried.trials],
    }


def _trial(trial: Trial) -> dict[str, Any]:
    fault = None if trial.fault is None else trial.fault.detail
    return {"changed": trial.changed, "differs": _difference(trial.difference), "fault": fault}


def _difference(found: Difference | None) -> dict[str, Any] | None:
    return None if found is None else {"at": found.question.state.ply, **_answered(found.answer)}


def _again(each: Again) -> dict[str, Any]:
    if each.left is not None and not each.put:
        return {"left": _difference(each.left)}
    return {**_answered(each.answer), "cpu_s": round(each.cpu_s, 6), "left": _difference(each.left)}


def _answered(found: Action | Trouble) -> dict[str, Any]:
    if isinstance(found, Trouble):
        return {"failure": {"reason": str(found.reason), "call": found.call, "detail": found.detail}}
    return {"action": found}

"""What a series came to, as a JSON object; `docs/comparing.md` says what each member is."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from watch_your_back.cli.compare_text import command_for
from watch_your_back.statistics import Estimate, Sprt, Strength, Tally
from watch_your_back.tournament.conclusions import Conclusion
from watch_your_back.tournament.series import Series
from watch_your_back.tournament.totals import Failures, Spent

__all__ = ["FORMAT", "as_json"]

FORMAT = 1
"""Raised when a member goes away or changes its meaning."""


def as_json(series: Series, found: Conclusion, test: Sprt | None) -> dict[str, Any]:
    """All of it, from the point of view of the first agent; None for what is not known or not bounded."""
    setting, totals = series.setting, series.totals
    sides = setting.game.sides
    matches, pairs = totals.distinct_matches(), totals.distinct_pairs()
    return {
        "format": FORMAT,
        "verdict": str(found.verdict),
        "sentence": found.sentence,
        "more_matches": found.more,
        "ending": str(series.ending),
        "game": setting.game.id,
        "options": asdict(setting.game.options),
        "seed": setting.seed,
        "opening": setting.opening,
        "profile": setting.limits.profile,
        "limits": {"cpu_s": setting.limits.cpu_s, "memory_mb": setting.limits.memory_mb},
        "tier": totals.tier if totals.pairs else None,
        "wall_s": round(series.wall_s, 3),
        "agents": [_agent(series, found, slot) for slot in (0, 1)],
        "matches": totals.results.tally.matches,
        "pairs": totals.pairs,
        "void_pairs": len(series.void),
        "results": {
            "total": _tally(totals.results.tally),
            "sides": {side: _tally(tally) for side, tally in zip(sides, totals.by_side, strict=True)},
        },
        "reasons": dict(totals.reasons.most_common()),
        "pentanomial": list(totals.pentanomial),
        **_strength(found.strength),
        "sprt": None if test is None or found.sprt is None else asdict(test) | found.sprt._asdict(),
        "distinct": {
            "matches": matches.distinct,
            "pairs": pairs.distinct,
            "effective_pairs": round(pairs.effective, 3),
            "once": None if found.once is None else _strength(found.once),
        },
        "reproducible": series.reproducible,
        "findings": [finding._asdict() for finding in found.findings],
    }


def _agent(series: Series, found: Conclusion, slot: int) -> dict[str, Any]:
    setting, totals = series.setting, series.totals
    agent = setting.agents[slot]
    return {
        "label": found.labels[slot],
        "agent": agent.name,
        "spec": agent.spec,
        "fingerprint": agent.fingerprint,
        "cpu_s": _spent(totals.cpu_s[slot], setting.limits.cpu_s),
        "memory_mb": _spent(totals.memory_mb[slot], setting.limits.memory_mb),
        "slowest_turn_s": round(totals.slowest_turn_s[slot], 6),
        "failures": [_failure(each, setting.game.sides) for each in totals.failures[slot]],
    }


def _failure(failures: Failures, sides: tuple[str, str]) -> dict[str, Any]:
    first = failures.first
    return {
        "reason": str(failures.reason),
        "matches": failures.count,
        "sides": dict(zip(sides, failures.by_side, strict=True)),
        "ply": first.ply,
        "call": first.call,
        "detail": first.detail,
        "traceback": first.traceback,
        "command": list(command_for(failures.task)),
    }


def _tally(tally: Tally) -> dict[str, Any]:
    return {**tally._asdict(), "score": tally.score}


def _strength(strength: Strength) -> dict[str, Any]:
    return {
        "score": _estimate(strength.score),
        "elo": _estimate(strength.elo),
        "nelo": _estimate(strength.nelo),
        "los": strength.los,
    }


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return estimate._asdict()


def _spent(spent: Spent, limit: float | None) -> dict[str, float | None]:
    share = None if limit is None else round(spent.worst / limit, 4)
    return {"median": round(spent.median, 6), "worst": round(spent.worst, 6), "share_of_limit": share}

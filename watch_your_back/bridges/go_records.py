"""Records of Go as SGF, and games that other programs have written as records."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from watch_your_back.agents import Agent
from watch_your_back.bridges.go_sgf import GoGame, read_game, write_game
from watch_your_back.game import RESIGN, Action
from watch_your_back.games.go import Go, Position, score
from watch_your_back.match import Limits
from watch_your_back.match.events import (
    VOID,
    ActionTaken,
    Event,
    MatchEnded,
    MatchStarted,
    PlayerFailed,
    PlayerStarted,
    Reason,
    Usage,
)
from watch_your_back.match.record import Record, RecordWriter, Turn

__all__ = ["Converted", "NotGo", "record_of", "sgf_of"]

_COST = re.compile(r"([0-9]+\.[0-9]+) s of CPU time, ([0-9]+\.[0-9]+) s elapsed, ([0-9]+\.[0-9]+) MB")
_FAILURE = re.compile(r"^(black|white) failed in (\w+) by ([\w -]+): (.*)$", re.MULTILINE)
_RESULT = re.compile(r"([BW])\+(.*)", re.IGNORECASE)
_NO_END = "the record has no end, since its actions do not say how the game ended (RE[{}])"
_OTHERWISE = "the file says RE[{}], but here every stone that is left on the board counts as alive"
_OF_TIME = (Reason.TIME_LIMIT, Reason.WALL_CLOCK_GUARD)


class NotGo(ValueError):
    """A record of another game, which SGF has no words for here."""


class Converted(NamedTuple):
    """A record made of an SGF file, and what could not be told in it; empty if everything could."""

    record: str
    note: str


def sgf_of(record: Record) -> str:
    """The text of an SGF file with the match: what each turn cost as comments, its options, names, date and result.

    Raises NotGo.
    """
    if not isinstance(record.game, Go) or not isinstance(record.start, Position):
        raise NotGo(f"this is a record of {record.game.id}, and SGF is written for go only")
    start = record.game.initial() if record.opening else record.start
    assert isinstance(start, Position)
    turns = [turn for turn in record.turns if turn.action != RESIGN]
    before = len(record.opening)
    limit = record.limits.cpu_s
    about = {"PB": record.agents[0].name, "PW": record.agents[1].name, "DT": record.started.date().isoformat()}
    if limit is not None:
        about["TM"] = f"{limit:g}"
    if record.end is not None:
        ended = f"{record.end.reason} after {record.end.ply} turns"
        about["GC"] = f"{ended}: {record.end.detail}" if record.end.detail else ended
    closing = [_cost(turn) for turn in record.turns if turn.action == RESIGN]
    for failure in record.failures:
        side = record.game.sides[failure.side]
        closing.append(f"{side} failed in {failure.call} by {failure.reason}: {' '.join(failure.detail.split())}")
    return write_game(
        GoGame(
            game=record.game,
            start=start,
            actions=(*record.opening, *(turn.action for turn in turns)),
            comments=("",) * before + tuple(map(_cost, turns)),
            left_s=(None,) * before + tuple(_left_s(record.turns, limit)),
            closing="\n".join(closing),
            about=about,
            result=_result(record),
        )
    )


def record_of(data: bytes | str) -> Converted:
    """The record of a match that went as the game in an SGF file, by players of whom nothing but the names is known.

    It has no end where the actions do not say how the game ended: when it was resigned out of turn, or the players
    agreed on a score. Raises SgfError.
    """
    found = read_game(data)
    game = found.game
    names = [found.about.get(name) or side for name, side in zip(("PB", "PW"), game.sides, strict=True)]
    black, white = (Agent(name, name, "player", Path(), Path(), "", "", "") for name in names)
    events: list[Event] = [MatchStarted(game, (black, white), Limits(), 0, (0, 0), (0, 1), found.start)]
    events += [PlayerStarted(side, "none", Usage()) for side in (0, 1)]
    usage = [Usage(), Usage()]
    state = found.start
    for ply, action in enumerate(found.actions):
        after = state.play(action)
        events.append(_taken(state, action, after, found.comments[ply], usage))
        state = after
    events += _ending(found, state, usage)
    end = events[-1]
    note = _NO_END.format(found.result or "?")
    if isinstance(end, MatchEnded):
        note = "" if state.outcome is None else end.detail
    text = io.StringIO()
    writer = RecordWriter(text, python_hash_seed=None)
    for event in events:
        writer(event)
    head, _, rest = text.getvalue().partition("\n")
    header = json.loads(head)
    if day := _day(found.about.get("DT", "")):
        header["started"] = day.isoformat(timespec="milliseconds")
    for agent in header["agents"].values():
        agent["kind"] = "unknown"
    return Converted(json.dumps(header, separators=(",", ":")) + "\n" + rest, note)


def _cost(turn: Turn) -> str:
    return f"{turn.cpu_s:.6f} s of CPU time, {turn.wall_s:.6f} s elapsed, {turn.memory_mb:.3f} MB"


def _left_s(turns: Sequence[Turn], limit: float | None) -> list[float | None]:
    """The seconds that each side has left after each of its turns, so far as turns have used them."""
    used = [0.0, 0.0]
    left: list[float | None] = []
    for turn in turns:
        used[turn.side] += turn.cpu_s
        if turn.action != RESIGN:
            left.append(None if limit is None else max(0.0, limit - used[turn.side]))
    return left


def _result(record: Record) -> str:
    """What RE says of the end of a match."""
    end, last = record.end, record.states[-1]
    if end is None:
        return "?"
    if end.winner is None:
        return "Void" if end.reason in VOID or end.reason == Reason.BOTH_COULD_NOT_START else "0"
    if end.reason == Reason.RESIGNED:
        how = "R"
    elif end.reason in _OF_TIME:
        how = "T"
    elif record.failures and end.reason in {failure.reason for failure in record.failures}:
        how = "F"
    else:
        assert isinstance(last, Position)
        black, white = score(last)
        how = f"{abs(black - white):g}"
    return f"{'BW'[end.winner]}+{how}"


def _taken(state: Position, action: Action, after: Position, comment: str, usage: list[Usage]) -> ActionTaken:
    side = state.to_move
    told = _COST.search(comment)
    cpu_s, wall_s, memory_mb = map(float, told.groups()) if told else (0.0, 0.0, 0.0)
    before = usage[side]
    peak_mb = max(before.memory_mb, memory_mb)
    usage[side] = Usage(before.cpu_s + cpu_s, before.wall_s + wall_s, peak_mb, before.turns + 1)
    return ActionTaken(state.ply, side, action, after, cpu_s, wall_s, usage[side])


def _ending(found: GoGame, state: Position, usage: list[Usage]) -> list[Event]:
    """The last events, as far as they follow from the actions and the result that the file names."""
    events: list[Event] = []
    ply = len(found.actions)

    def ended(winner: int | None, reason: str, detail: str = "") -> list[Event]:
        both = usage[0], usage[1]
        turns = sum(used.turns for used in both)
        return [*events, MatchEnded(winner, str(reason), detail, turns, both, _NONE, state)]

    result = _RESULT.fullmatch(found.result)
    if state.outcome is not None:
        if result is not None and "BW".index(result[1].upper()) != state.outcome.winner:
            return ended(*state.outcome, _OTHERWISE.format(found.result))
        return ended(*state.outcome)
    if result is None:
        return ended(None, Reason.INTERRUPTED) if found.result.lower() == "void" else []
    winner, how = "BW".index(result[1].upper()), result[2].strip().lower()[:1]
    if how == "r" and state.to_move != winner:
        events.append(_taken(state, RESIGN, state, found.closing, usage))
        return ended(winner, Reason.RESIGNED)
    if how in ("t", "f"):
        told = _FAILURE.search(found.closing)
        reason, call, detail = Reason.TIME_LIMIT if how == "t" else Reason.PLAYER_EXITED, "action", "as the file says"
        if told is not None and told[1] == found.game.sides[1 - winner] and told[3] in _FAULTS:
            call, reason, detail = told[2], Reason(told[3]), told[4]
        events.append(PlayerFailed(state.ply if ply else -1, 1 - winner, call, reason, detail))
        return ended(winner, reason, f"{found.game.sides[1 - winner]} in {call}: {detail}")
    return []


_NONE = ("none", "none")
_FAULTS = frozenset(Reason) - VOID - {Reason.BOTH_COULD_NOT_START, Reason.TURN_LIMIT, Reason.RESIGNED}


def _day(said: str) -> datetime | None:
    """The first date that DT names, if it is a whole one, at midnight."""
    found = re.match(r"\s*([0-9]{4})-([0-9]{2})-([0-9]{2})", said)
    try:
        return datetime(*map(int, found.groups()), tzinfo=UTC) if found else None  # type: ignore[arg-type, misc]
    except ValueError:
        return None

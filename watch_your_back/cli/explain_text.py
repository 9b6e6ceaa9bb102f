"""An explained match in lines, as judgements for its replay, and as a JSON object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from watch_your_back.match.record import Record
from watch_your_back.report.judgement import Judgement
from watch_your_back.report.wording import action as in_words
from watch_your_back.search.explaining import Explained, Explanation
from watch_your_back.show.terminal import Terminal
from watch_your_back.show.text import SIDE_STYLES, paint

__all__ = ["as_json", "balance", "chart", "judgements", "turning_points"]

_ROWS = 4
"""Lines of the chart above its middle, and as many below."""
_MARGIN = 14
"""What stands to the left of the chart."""
_LONGEST_LINE = 5
"""Turns that are shown of how it would have gone on."""
_MARKS = {"blunder": "!", "mistake": "?"}


def chart(found: Explanation, record: Record, terminal: Terminal) -> Iterator[str]:
    """How the match stood: above the middle the first side is ahead, below it the second; and where mistakes were."""
    room = (terminal.width or 100) - _MARGIN - 2
    count = len(found.values)
    wide = max(1, min(4, room // count))
    per = max(1, -(-count // room))
    columns = [found.values[at : at + per] for at in range(0, count, per) for _ in range(wide)]
    levels = [sum(values) / len(values) for values in columns]
    names = [f"{side} ahead" if len(side) < 8 else side[: _MARGIN - 2] for side in record.game.sides]
    bar, middle = ("│", "─") if terminal.unicode else ("|", "-")
    for row in range(_ROWS, -_ROWS - 1, -1):
        label = {_ROWS: names[0], 0: "even", -_ROWS: names[1]}.get(row, "")
        style = SIDE_STYLES[0 if row > 0 else 1]
        drawn = "".join(_letter(level, row, terminal.unicode, middle) for level in levels).rstrip()
        yield f"{label:>{_MARGIN - 2}} {bar}{paint(drawn, style, terminal.colour and row != 0 and bool(drawn))}"
    marks = "".join(_mark(found, at, per, wide) for at in range(0, count, per)).rstrip()
    if marks:
        yield f"{'mistakes':>{_MARGIN - 2}} {bar}{marks}"
    first, last = str(record.start.ply), str(record.start.ply + len(found.turns))
    yield f"{'turn':>{_MARGIN - 2}} {bar}{first}{last:>{max(len(levels) - len(first), len(last) + 1)}}"


def _letter(level: float, row: int, unicode: bool, middle: str) -> str:
    """What stands in a line of the chart where a value is: whole or half a letter, or nothing."""
    if row == 0:
        return middle
    filled = (level if row > 0 else -level) * _ROWS - (abs(row) - 1)
    if filled >= 0.75:
        return "█" if unicode else "#"
    if filled >= 0.25:
        return ("▄" if row > 0 else "▀") if unicode else ("." if row > 0 else "'")
    return " "


def _mark(found: Explanation, at: int, per: int, wide: int) -> str:
    """The worst of the turns that led to the positions of a column."""
    grades = [found.turns[number - 1].grade for number in range(at, at + per) if 0 < number <= len(found.turns)]
    letter = next((mark for grade, mark in _MARKS.items() if grade in grades), " ")
    return letter + " " * (wide - 1)


def turning_points(found: Explanation, record: Record, terminal: Terminal, file: str) -> Iterator[str]:
    """Where the match turned: the action that was taken, and the better one."""
    arrow = "→" if terminal.unicode else "->"
    if not found.turning:
        yield "It did not turn at any one turn: as far as the search sees, nobody gave away a lead."
    for number in found.turning:
        turn = found.turns[number]
        side = record.game.sides[turn.side].capitalize()
        head = f"Turn {turn.ply + 1}, {side}: {in_words(turn.action, arrow)}, a {turn.grade}"
        yield paint(head, "1", terminal.colour)
        yield f"  better: {_line(turn, arrow)}"
        yield f"  {side} could expect {turn.before:+.2f} before it, and {turn.after:+.2f} after it"
        yield f"  look: wyb debug {file} --at {turn.ply}"


def _line(turn: Explained, arrow: str) -> str:
    shown = [in_words(action, arrow) for action in turn.line[:_LONGEST_LINE]]
    return ", then ".join((shown[0], ", ".join(shown[1:]))) if len(shown) > 1 else in_words(turn.best, arrow)


def balance(found: Explanation, record: Record) -> Iterator[str]:
    """How well each side played."""
    width = max(map(len, record.game.sides))
    for side, name in enumerate(record.game.sides):
        counts = [_counted(found.count(side, grade), grade) for grade in ("mistake", "blunder")]
        turns = sum(turn.side == side for turn in found.turns)
        yield (
            f"{name.capitalize():<{width}}  {' and '.join(counts)} in {_counted(turns, 'turn')}, "
            f"{found.cost(side):.3f} lost in a turn on average"
        )


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def judgements(found: Explanation) -> Sequence[Judgement]:
    """What a replay shows beside each turn."""
    told = []
    for number, turn in enumerate(found.turns):
        words = ""
        if turn.grade:
            words = (
                f"Better: {in_words(turn.best)}, with which it could expect {turn.before:+.2f}, now {turn.after:+.2f}."
            )
        told.append(Judgement(found.values[number + 1], turn.grade, words, number in found.turning))
    return told


def as_json(found: Explanation, record: Record, budget_s: float) -> dict[str, Any]:
    """All of it; `docs/debugging.md` says what each member is."""
    sides = record.game.sides
    return {
        "game": record.game.id,
        "options": asdict(record.game.options),
        "agents": {side: agent.name for side, agent in zip(sides, record.agents, strict=True)},
        "budget_s": budget_s,
        "values": [round(value, 4) for value in found.values],
        "turning": [found.turns[number].ply for number in found.turning],
        "sides": {
            name: {
                "mistakes": found.count(side, "mistake"),
                "blunders": found.count(side, "blunder"),
                "lost_per_turn": round(found.cost(side), 4),
            }
            for side, name in enumerate(sides)
        },
        "turns": [
            {
                **turn._asdict(),
                "side": sides[turn.side],
                "before": round(turn.before, 4),
                "after": round(turn.after, 4),
                "grade": turn.grade or None,
            }
            for turn in found.turns
        ],
    }

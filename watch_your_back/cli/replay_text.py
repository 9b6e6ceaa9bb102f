"""A position of a match in lines: for `wyb replay`, on a terminal as in a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from watch_your_back.cli.replay_course import Course
from watch_your_back.report.quantities import megabytes, seconds
from watch_your_back.report.wording import result
from watch_your_back.show.terminal import Terminal
from watch_your_back.show.text import SIDE_STYLES, clean, glyphs, one_line, paint, text

__all__ = ["arrow", "as_json", "board", "caption", "costs", "details", "heading", "position"]

_GRADE, _FAILURE, _QUIET = "1;31", "1;31", "2"


def arrow(terminal: Terminal) -> str:
    """What stands between the two cells of a move."""
    return "\N{RIGHTWARDS ARROW}" if terminal.unicode else "->"


def heading(course: Course, terminal: Terminal) -> str:
    """The game and its players."""
    record = course.record
    names = (f"{one_line(a.name)} ({side})" for a, side in zip(record.agents, record.game.sides, strict=True))
    seen = "" if course.viewpoint.side is None else f", as {record.game.sides[course.viewpoint.side]} saw it"
    return f"{paint(record.game.title, '1', terminal.colour)}: {' v '.join(names)}{seen}"


def caption(course: Course, at: int, terminal: Terminal) -> str:
    """Where it is and what happened."""
    return paint(course.caption(at, arrow(terminal)), "1", terminal.colour)


def costs(course: Course, at: int, terminal: Terminal) -> str:
    """What both players have used until there, in one line."""
    picture, told = course.board(at), []
    for side in (0, 1):
        used = course.usage(at, side)
        disc = paint(glyphs(terminal.unicode, picture.layout.dark)[side], SIDE_STYLES[side], terminal.colour)
        told.append(f"{disc} {seconds(used.cpu_s)} {megabytes(used.memory_mb)}")
    line = "  ".join(told)
    return line if terminal.unicode else line.replace("µ", "u")


def board(course: Course, at: int, terminal: Terminal, width: int | None, *, notes: bool = True) -> list[str]:
    """The board, with the cells of the last action in brackets, and its notes."""
    seen = course.board(at)
    seen = seen if notes else replace(seen, notes=())
    last = course.touched(at)
    return text(seen, last=last, colour=terminal.colour, unicode=terminal.unicode, width=width).splitlines()


def details(course: Course, at: int, terminal: Terminal, *, notes: bool = False) -> Iterator[str]:
    """What stands beside the board: both players' time and memory, what was said, failures, what was printed; and the
    notes of the board, if they are not with it.
    """
    yield from _players(course, at, terminal)
    if notes and (told := course.board(at).notes):
        yield ""
        yield from told
    judged = course.judgement(at)
    said = list(course.said(at))
    if judged is not None and (judged.grade or judged.words):
        grade = paint(f"{clean(judged.grade).capitalize()}.", _GRADE, terminal.colour) if judged.grade else ""
        said.insert(0, f"{grade} {clean(judged.words)}".strip())
    for words in said:
        yield ""
        yield from (words if words.startswith("\x1b") else clean(words)).splitlines()
    for failure in course.failures(at):
        who = course.record.game.sides[failure.side].capitalize()
        yield ""
        yield paint(f"{who}, {failure.reason} in {failure.call}:", _FAILURE, terminal.colour)
        yield from _quoted(failure.detail)
        yield from _quoted(failure.traceback)
    for output in course.outputs(at):
        side = course.record.game.sides[output.side]
        yield ""
        yield paint(f"Printed by {side} to {output.stream}:", _QUIET, terminal.colour)
        yield from _quoted(output.text)
        if output.dropped:
            yield f"  ({output.dropped:,} more bytes were left out)"
    if at == course.last:
        yield ""
        yield paint(f"{result(course.record)}.", "1", terminal.colour)


def _players(course: Course, at: int, terminal: Terminal) -> Iterator[str]:
    record, turn = course.record, course.turn(at)
    limits, picture = record.limits, course.board(at)
    neutral = bool(picture.pieces) and all(piece.side is None for piece in picture.pieces)
    for side, role in enumerate(record.game.sides):
        disc = glyphs(terminal.unicode, picture.layout.dark)[side]
        who = paint(f"{disc} {role.capitalize()}", SIDE_STYLES[side], terminal.colour)
        count = course.pieces(at, side)
        pieces = "" if neutral else f"  {count} piece{'s' * (count != 1)}"
        yield f"{who}  {one_line(record.agents[side].name)}{pieces}"
        used = course.usage(at, side)
        time = seconds(used.cpu_s) + ("" if limits.cpu_s is None else f" of {seconds(limits.cpu_s)}")
        memory = megabytes(used.memory_mb) + ("" if limits.memory_mb is None else f" of {megabytes(limits.memory_mb)}")
        now = ""
        if turn is not None and turn.side == side:
            slept = turn.wall_s > 0.5 and turn.wall_s > 2 * turn.cpu_s
            now = f"  {seconds(turn.cpu_s)} this turn" + (f" ({seconds(turn.wall_s)} elapsed)" if slept else "")
        line = f"  {time}  {memory}{now}"
        yield line if terminal.unicode else line.replace("µ", "u")


def _quoted(words: str) -> Iterator[str]:
    """Words of a player, none of which may pass for a line of ours."""
    return (f"  | {line}" for line in clean(words).expandtabs(4).splitlines())


def position(course: Course, at: int, terminal: Terminal) -> Iterator[str]:
    """A whole position, for a pipe or a file: as long and wide as it is."""
    yield caption(course, at, terminal)
    yield ""
    yield from board(course, at, terminal, None)
    yield ""
    yield from details(course, at, terminal)


def as_json(course: Course, at: int) -> dict[str, Any]:
    """A position as `--json` prints it."""
    state, turn, sides = course.state(at), course.turn(at), course.record.game.sides
    judged = course.judgement(at)
    return {
        "ply": course.ply(at) if at <= len(course.record.turns) else state.ply,
        "phase": state.phase,
        "to_move": None if state.outcome else sides[state.to_move],
        "board": text(course.board(at)).splitlines(),
        "side": None if turn is None else sides[turn.side],
        "action": None if turn is None else course.viewpoint.action(at - 1),
        "cpu_s": None if turn is None else turn.cpu_s,
        "wall_s": None if turn is None else turn.wall_s,
        "memory_mb": None if turn is None else turn.memory_mb,
        "outputs": [{**each._asdict(), "side": sides[each.side]} for each in course.outputs(at)],
        "failures": [{**each._asdict(), "side": sides[each.side]} for each in course.failures(at)],
        "comments": list(course.said(at)),
        "judgement": None if judged is None else judged.told(),
    }

"""A match on a terminal: one board, drawn anew in its place after every turn."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

import click

from watch_your_back.cli.results import sentence
from watch_your_back.confine.limits import Limits
from watch_your_back.game import Action, Board, State
from watch_your_back.match.events import (
    ActionTaken,
    Event,
    MatchEnded,
    MatchStarted,
    PlayerFailed,
    TurnStarted,
    Usage,
)
from watch_your_back.show.text import SIDE_STYLES, clean, glyphs, paint, text

__all__ = ["Screen"]


class Screen:
    """A listener that draws the match on the terminal that stdout is.

    Colours are left out where NO_COLOR is set or the terminal is dumb. The board is drawn `in_place` where the terminal
    can do that and has the room, and below the one before otherwise.
    """

    def __init__(self, *, in_place: bool = True) -> None:
        able = os.environ.get("TERM") != "dumb"
        self._colour = able and not os.environ.get("NO_COLOR")
        self._unicode = _takes("○●·", sys.stdout.encoding)
        self._in_place = able and in_place
        self._above = 0
        self._started: MatchStarted | None = None
        self._usage = [Usage(), Usage()]

    def __call__(self, event: Event) -> None:
        match event:
            case MatchStarted():
                self._started = event
            case TurnStarted() if event.state.ply == 0:
                self._draw(event.state, None)
            case ActionTaken():
                self._usage[event.side] = event.usage
                self._draw(event.state, event.action)
            case PlayerFailed() if self._started:
                name = self._started.game.sides[event.side].capitalize()
                click.echo(f"{name}, {event.reason} in {event.call}: {clean(event.detail)}")
                if event.traceback:
                    click.echo(clean(event.traceback).rstrip("\n"))
            case MatchEnded() if self._started:
                click.echo(paint(sentence(self._started, event), "1", self._colour))

    def _draw(self, state: State, action: Action) -> None:
        assert self._started is not None
        frame = list(_frame(self._started, state, action, self._usage, self._colour, self._unicode))
        size = shutil.get_terminal_size()
        fits = len(frame) < size.lines and all(len(click.unstyle(line)) < size.columns for line in frame)
        up = f"\x1b[{self._above}F\x1b[J" if self._above and fits else ""
        self._above = len(frame) if self._in_place and fits else 0
        click.echo(up + "\n".join(frame), color=self._colour or bool(up) or None)


def _frame(
    started: MatchStarted, state: State, action: Action, usage: list[Usage], colour: bool, unicode: bool
) -> Iterator[str]:
    sides = started.game.sides
    moment = "the end"
    if state.outcome is None:
        moment = f"{state.phase} phase, turn {state.turns + 1}, {sides[state.to_move].capitalize()} to act"
    yield f"{paint(started.game.title, '1', colour)}: {moment}"
    yield ""
    board = state.picture()
    if board.shape == "square":
        yield from text(board, last=_cells(action, board), colour=colour, unicode=unicode).splitlines()
    else:
        yield from state.text().splitlines()
    yield ""
    names = [f"{clean(started.agents[side].name)[:30]}" for side in (0, 1)]
    for side in (0, 1):
        who = f"{glyphs(unicode)[side]} {sides[side].capitalize():<{max(map(len, sides))}}"
        pieces = sum(piece.side == side for piece in board.pieces)
        word = "piece " if pieces == 1 else "pieces"
        what = f"{names[side]:<{max(map(len, names))}}  {pieces:>2} {word}  {_cost(usage[side], started.limits)}"
        yield f" {paint(who, SIDE_STYLES[side], colour)}  {what}"


def _cost(usage: Usage, limits: Limits) -> str:
    time, memory = f"{usage.cpu_s:8.2f} s", f"{usage.memory_mb:7.1f} MB"
    if limits.cpu_s is not None:
        time += f" of {limits.cpu_s:g} s"
    if limits.memory_mb is not None:
        memory += f" of {limits.memory_mb:g} MB"
    return f"{time}  {memory}"


def _cells(action: Action, board: Board) -> set[tuple[int, int]]:
    """The cells of a board that an action names: its pairs of ints that are coordinates."""
    if not isinstance(action, tuple):
        return set()
    match action:
        case (int(x), int(y)):
            return {(x, y)} if 0 <= x < board.columns and 0 <= y < board.rows else set()
    return set().union(*(_cells(part, board) for part in action))


def _takes(letters: str, encoding: str | None) -> bool:
    try:
        letters.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True

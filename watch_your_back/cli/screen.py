"""A match on a terminal: one board, drawn anew in its place after every turn."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Literal, TypeAlias

import click

from watch_your_back.cli.results import indented, sentence
from watch_your_back.confine.limits import Limits
from watch_your_back.game import Action, State
from watch_your_back.match.events import (
    ActionTaken,
    Event,
    MatchEnded,
    MatchStarted,
    PlayerFailed,
    PlayerStarted,
    TurnStarted,
    Usage,
)
from watch_your_back.show.terminal import Terminal
from watch_your_back.show.text import SIDE_STYLES, glyphs, one_line, paint, text

__all__ = ["Boards", "Screen"]

Boards: TypeAlias = Literal["in place", "each", "last"]
"""Which boards are drawn: one that changes in its place, each below the one before, or only the last."""


class Screen:
    """A listener that draws the match on the terminal that stdout is.

    Colours are left out where NO_COLOR is set or the terminal is dumb. A terminal that cannot draw in place or has not
    the room for it gets each board below the one before.
    """

    def __init__(self, boards: Boards = "in place") -> None:
        terminal = Terminal.of(sys.stdout)
        self._colour = terminal.colour
        self._boards: Boards = "each" if boards == "in place" and not terminal.movable else boards
        self._above = 0
        self._started: MatchStarted | None = None
        self._usage = [Usage(), Usage()]
        self._last: tuple[State, Action] | None = None

    def __call__(self, event: Event) -> None:
        match event:
            case MatchStarted():
                self._started = event
            case PlayerStarted():
                self._usage[event.side] = event.usage
            case TurnStarted() if self._last is None:
                self._show(event.state, None)
            case ActionTaken():
                self._usage[event.side] = event.usage
                self._show(event.state, event.action)
            case PlayerFailed() if self._started:
                name = self._started.game.sides[event.side].capitalize()
                self._draw_last()
                click.echo(f"\n{name}, {event.reason} in {event.call}: {indented(event.detail)}")
                if event.traceback:
                    click.echo(f"  {indented(event.traceback.rstrip())}")
            case MatchEnded() if self._started:
                self._draw_last()
                click.echo("\n" + paint(sentence(self._started, event), "1", self._colour))

    def _show(self, state: State, action: Action) -> None:
        self._last = state, action
        if self._boards != "last":
            self._draw(state, action)

    def _draw_last(self) -> None:
        if self._boards == "last" and self._last:
            self._draw(*self._last)
            self._last = None

    def _draw(self, state: State, action: Action) -> None:
        assert self._started is not None
        terminal = Terminal.of(sys.stdout)
        frame = list(_frame(self._started, state, action, self._usage, terminal))
        height, width = terminal.height or 0, terminal.width or 0
        fits = len(frame) < height and all(len(click.unstyle(line)) < width for line in frame)
        up = f"\x1b[{self._above}F\x1b[J" if self._above and fits else ""
        self._above = len(frame) if self._boards == "in place" and fits else 0
        click.echo(up + "\n".join(frame), color=self._colour or bool(up) or None)


def _frame(
    started: MatchStarted, state: State, action: Action, usage: list[Usage], terminal: Terminal
) -> Iterator[str]:
    colour, unicode, _, width, _ = terminal
    sides = started.game.sides
    moment = "the end"
    if state.outcome is None:
        moment = f"{state.phase} phase, turn {state.turns + 1}, {sides[state.to_move].capitalize()} to act"
    yield f"{paint(started.game.title, '1', colour)}: {moment}"
    yield ""
    board = state.picture()
    last = started.game.cells(action)
    yield from text(board, last=last, colour=colour, unicode=unicode, width=width and width - 1).splitlines()
    yield ""
    names = [f"{one_line(started.agents[side].name)[:30]}" for side in (0, 1)]
    neutral = bool(board.pieces) and all(piece.side is None for piece in board.pieces)
    for side in (0, 1):
        who = f"{glyphs(unicode, board.layout.dark)[side]} {sides[side].capitalize():<{max(map(len, sides))}}"
        count = state.count_pieces(side)
        pieces = "" if neutral else f"  {count:>2} {'piece ' if count == 1 else 'pieces'}"
        what = f"{names[side]:<{max(map(len, names))}}{pieces}  {_cost(usage[side], started.limits)}"
        yield f" {paint(who, SIDE_STYLES[side], colour)}  {what}"


def _cost(usage: Usage, limits: Limits) -> str:
    time, memory = f"{usage.cpu_s:8.2f} s", f"{usage.memory_mb:7.1f} MB"
    if limits.cpu_s is not None:
        time += f" of {limits.cpu_s:g} s"
    if limits.memory_mb is not None:
        memory += f" of {limits.memory_mb:g} MB"
    return f"{time}  {memory}"

"""A match as plain text on stdout: the published format, for pipes, files and programs that read it."""

from __future__ import annotations

import click

from watch_your_back.cli.results import indented, initial, sentence, winner_line
from watch_your_back.game import State
from watch_your_back.match.events import ActionTaken, Event, MatchEnded, MatchStarted, PlayerFailed, Reason, TurnStarted
from watch_your_back.show.text import clean, text

__all__ = ["Plain"]


class Plain:
    """A listener that prints the board before the first turn and after every action, what failed, and the winner line.

    `verbose` adds the published line of each turn's time; `quiet` leaves out all but the winner line. The sentence that
    says why goes to stderr, since the published format has no place for it.
    """

    def __init__(self, *, quiet: bool = False, verbose: bool = False) -> None:
        self._quiet, self._verbose = quiet, verbose
        self._started: MatchStarted | None = None
        self._begun = False

    def __call__(self, event: Event) -> None:
        match event:
            case MatchStarted():
                self._started = event
            case MatchEnded() if self._started:
                if not self._quiet:
                    click.echo(sentence(self._started, event), err=True)
                click.echo(winner_line(self._started, event))
            case _ if self._quiet:
                pass
            case TurnStarted() if not self._begun:
                self._begun = True
                _print_board(event.state)
            case ActionTaken():
                if self._verbose:
                    click.echo(f"time: {event.cpu_s:.3f}s (this turn), {event.usage.cpu_s:.3f}s (total)")
                _print_board(event.state)
            case PlayerFailed() if self._started:
                side, detail = initial(self._started.game.sides[event.side]), indented(event.detail)
                if event.reason == Reason.ILLEGAL_ACTION:
                    click.echo(f"invalid action ({side}): {detail}")
                else:
                    click.echo(f"{event.reason} ({side}): in {event.call}: {detail}")
                if event.traceback:
                    click.echo("".join(f"  {line}\n" for line in clean(event.traceback).splitlines()), nl=False)


def _print_board(state: State) -> None:
    if state.game.published:
        board = state.text().rstrip("\n")
        click.echo(board if state.outcome is None else board.partition(" (after ")[0])  # the rest is for `Game.parse`
        return
    turns = f"{state.ply} turn{'' if state.ply == 1 else 's'}"
    on_turn = f"{turns}, {state.game.sides[state.to_move]} to act"
    click.echo(f"{text(state.picture())}\n{on_turn if state.outcome is None else f'game over! ({turns})'}\n")

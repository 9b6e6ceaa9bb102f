"""A match in which a person may take turns back: it goes on as another one that begins after the turns before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from watch_your_back.game import Action
from watch_your_back.match import Match, run
from watch_your_back.match.events import ActionTaken, Event, MatchEnded, Reason
from watch_your_back.match.record import RecordWriter

__all__ = ["played"]


def played(match: Match, listeners: Callable[[], Sequence[Callable[[Event], None]]]) -> MatchEnded:
    """Play the match, each time that a turn is taken back once more from there; returns how it ended in the end.

    `listeners` makes those of one match. What was taken back is in no record: the record of the next match, which takes
    its place, begins with the actions before.
    """
    while True:
        actions = list(match.opening)

        def remember(event: Event, actions: list[Action] = actions) -> None:
            if isinstance(event, ActionTaken):
                actions.append(event.action)

        ended = run(match, remember, *map(_unbothered, listeners()))
        if ended.reason != Reason.TAKEN_BACK:
            return ended
        match = replace(match, opening=_before_last_turn(match, actions, ended.state.to_move))


def _unbothered(listener: Callable[[Event], None]) -> Callable[[Event], None]:
    """A listener that is not told of a match's end by a turn that is taken back, unless it keeps the record."""
    if isinstance(listener, RecordWriter):
        return listener

    def listen(event: Event) -> None:
        if not isinstance(event, MatchEnded) or event.reason != Reason.TAKEN_BACK:
            listener(event)

    return listen


def _before_last_turn(match: Match, actions: Sequence[Action], side: int) -> tuple[Action, ...]:
    """The actions before the last one of this side."""
    state, last = match.game.initial(), 0
    for number, action in enumerate(actions):
        if state.to_move == side:
            last = number
        state = state.play(action)
    return tuple(actions[:last])

"""How states and records show themselves in a notebook.

What draws them stands above them in the house, so it is imported only when something is to be shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watch_your_back.game import State
    from watch_your_back.match.record import Record

__all__ = ["record_html", "state_html"]

_GROUND = "color-scheme: light dark; background: Canvas; color: CanvasText"
"""The light or dark ground that the system prefers, by which the drawing goes as well."""


def state_html(state: State) -> str:
    """A state as HTML: its board and whose turn it is."""
    from html import escape

    from watch_your_back.show.svg import svg

    moment = f"{state.phase} phase, turn {state.turns + 1}, {state.game.sides[state.to_move].capitalize()} to act"
    if (outcome := state.outcome) is not None:
        winner = "nobody" if outcome.winner is None else state.game.sides[outcome.winner]
        moment = f"{winner.capitalize()} won: {outcome.reason}"
    drawn = svg(state.picture())
    words = f"<figcaption>{escape(state.game.title)}: {escape(moment)}</figcaption>"
    return f'<figure style="display: inline-block; margin: 0; padding: .5em; {_GROUND}">{drawn}{words}</figure>'


def record_html(record: Record) -> str:
    """A record as HTML: a sentence on how it ended, and its replay in a frame."""
    from html import escape

    from watch_your_back.report.single import frame, single
    from watch_your_back.report.wording import result

    told = result(record)
    return f"<p>{escape(told)}.</p>\n{frame(single(record, framed=True, start=len(record.turns)), told)}"

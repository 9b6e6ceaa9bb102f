"""`wyb tournament`: many agents, every match safe in one file."""

from __future__ import annotations

from importlib.util import find_spec

import click

from watch_your_back.cli import Commands
from watch_your_back.cli.ending import HELP

__all__ = ["command"]

PREFIX = "watch_your_back.cli.tournament_"

SUMMARIES = {
    "plan": "Say how many matches there would be, and how long they would take.",
    "run": "Play the tournament, or go on with it.",
    "status": "Say how it stands.",
    "report": "Write one HTML file with everything that there is to see.",
    "export": "Write the results as CSV or JSON, or the records.",
    "disqualify": "Let an agent play no more, and count none of its matches.",
}


@click.command(
    "tournament",
    cls=Commands,
    summaries={name: summary for name, summary in SUMMARIES.items() if find_spec(PREFIX + name)},
    prefix=PREFIX,
    no_args_is_help=True,
    context_settings=HELP,
)
def command() -> None:
    """Let many agents play each other, each match under the same limits as in wyb play.

    \b
    wyb tournament run greedy minimax cautious   everybody against everybody, both sides
    wyb tournament run class.toml                as a file says; the same command again goes on
    wyb tournament run submissions --format swiss --rounds 9
    wyb tournament status class.db               how it stands, also while it runs

    Results and records go to one file, the store, as each match ends: whatever happens, at most the matches in progress
    are lost.
    """

"""`wyb tournament status`: how a tournament stands, also while it runs."""

from __future__ import annotations

from pathlib import Path

import click

from watch_your_back.cli.tournament_arguments import DEFAULT_STORE, StorePath, told
from watch_your_back.cli.tournament_text import print_standing
from watch_your_back.tournament.store import Store

__all__ = ["command"]


@click.command("status")
@click.argument("store", metavar="[STORE]", type=StorePath(), default=str(DEFAULT_STORE))
@click.option("--json", "as_json_object", is_flag=True, help="Print everything as one JSON object.")
def command(store: Path, as_json_object: bool) -> None:
    """Print how the tournament in STORE stands, also while it runs.

    \b
    wyb tournament status                  of tournament.db
    wyb tournament status class.toml       of the store next to a tournament file
    wyb tournament status class.db --json
    """
    with told(), Store(store) as opened:
        print_standing(opened, as_json_object)

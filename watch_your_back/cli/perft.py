"""`wyb perft`: how many sequences of legal actions a game has, the usual test of its rules."""

from __future__ import annotations

import json

import click

from watch_your_back.cli.ending import HELP
from watch_your_back.cli.game_options import chosen_game, game_options
from watch_your_back.game import perft

__all__ = ["command"]


@click.command("perft", context_settings=HELP)
@click.argument("depth", type=click.IntRange(0))
@game_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(depth: int, game: str, option: tuple[str, ...], as_json: bool) -> None:
    """Count the action sequences of a game, for every depth from 0 to DEPTH.

    \b
    wyb perft 2
    wyb perft 2 --game go -o size=9
    """
    state = chosen_game(game, option).initial()
    counts = []
    for each in range(depth + 1):
        counts.append(perft(state, each))
        if not as_json:
            click.echo(f"{each} {counts[-1]}")
    if as_json:
        click.echo(json.dumps({"game": game, "leaves": counts}))

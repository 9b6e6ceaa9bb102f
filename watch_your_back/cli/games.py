"""`wyb games`: which games there are, and what each can be told."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import click

from watch_your_back.cli.ending import HELP, Mistake
from watch_your_back.cli.game_options import GAME_ID, chosen_game
from watch_your_back.cli.game_page import described, markdown, plain
from watch_your_back.game import BrokenGame, Game
from watch_your_back.show.terminal import Terminal
from watch_your_back.show.text import one_line

__all__ = ["command"]


@click.command("games", context_settings=HELP)
@click.argument("game", metavar="[ID]", type=GAME_ID, required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list of games, or one game as an object.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the page of one game for a document.")
def command(game: str | None, as_json: bool, as_markdown: bool) -> None:
    """List the games, or describe one: its rules in short, its sides, actions and options, and a board.

    \b
    wyb games
    wyb games watch_your_back
    """
    if as_markdown and (as_json or game is None):
        raise Mistake("--markdown is for one game, whose id is to be named, and not for JSON")
    found = [chosen_game(game, ())] if game else list(_all())
    if as_json:
        told = [described(each) for each in found]
        click.echo(json.dumps(told[0] if game else told, indent=2))
    elif as_markdown:
        click.echo(markdown(found[0]), nl=False)
    elif game:
        terminal = Terminal.of(sys.stdout)
        click.echo("\n".join(plain(found[0], terminal)), color=terminal.colour)
    else:
        width = max(len(each.id) for each in found)
        for each in found:
            click.echo(f"{each.id:<{width}}  {each.title} ({', '.join(each.sides)})")


def _all() -> Iterator[Game]:
    """All games but those that cannot be loaded, of which it is said why."""
    for id in Game.ids():
        try:
            yield Game.load(id)
        except BrokenGame as error:
            click.echo(f"wyb games: {one_line(str(error))}", err=True)

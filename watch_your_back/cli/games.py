"""`wyb games`: which games there are, and what each can be told."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from dataclasses import Field, fields
from typing import Any

import click

from watch_your_back.cli.ending import HELP
from watch_your_back.cli.game_options import GAME_ID, chosen_game
from watch_your_back.game import BrokenGame, Game
from watch_your_back.show.text import one_line

__all__ = ["command"]


@click.command("games", context_settings=HELP)
@click.argument("game", metavar="[ID]", type=GAME_ID, required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list of games, or one game as an object.")
def command(game: str | None, as_json: bool) -> None:
    """List the games, or describe one: its sides, its options and its rules in short.

    \b
    wyb games
    wyb games watch_your_back
    """
    found = [chosen_game(game, ())] if game else list(_all())
    if as_json:
        described = [_described(each) for each in found]
        click.echo(json.dumps(described[0] if game else described, indent=2))
    elif game:
        click.echo("\n".join(_page(found[0])))
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


def _page(game: Game) -> Iterator[str]:
    yield f"{game.title} ({game.id})"
    yield ""
    yield f"sides: {', '.join(game.sides)}, the first to act first"
    yield "options:"
    for each in fields(game.options):
        yield f"  {each.name}={_written(each.default)}  {each.metadata['help']}{_range(each)}"
    yield ""
    yield inspect.cleandoc(sys.modules[type(game).__module__].__doc__ or "")


def _described(game: Game) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "sides": list(game.sides),
        "rules_version": game.rules_version,
        "options": {
            each.name: {
                "default": each.default,
                **{key: value if key == "help" else _plain(value) for key, value in each.metadata.items()},
            }
            for each in fields(game.options)
        },
    }


def _range(option: Field[Any]) -> str:
    about = option.metadata
    if about["choices"] is not None:
        return f" ({', '.join(map(_written, about['choices']))})"
    low, high = about["minimum"], about["maximum"]
    if low is None and high is None:
        return ""
    return f" (from {low})" if high is None else f" (up to {high})" if low is None else f" ({low} to {high})"


def _written(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _plain(value: Any) -> Any:
    return list(value) if value is not None and not isinstance(value, (int, float, str)) else value

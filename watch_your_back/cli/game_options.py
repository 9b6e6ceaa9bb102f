"""The options with which a command lets the user choose a game and its options."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import Field, fields
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from watch_your_back.cli.ending import Mistake
from watch_your_back.game import Action, Game, IllegalAction, OptionError, UnknownGame, normal_form
from watch_your_back.option_files import read_files
from watch_your_back.options import shown

__all__ = ["chosen_game", "chosen_opening", "game_options"]

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class _GameId(click.ParamType[str]):
    name = "id"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(id) for id in Game.ids() if id.startswith(incomplete)]


GAME_ID = _GameId()


def game_options(function: Decorated) -> Decorated:
    """Give a command the options `--game` and `-o`, as its parameters `game` and `option`; see `chosen_game`."""
    function = click.option(
        "-o", "--option", metavar="KEY=VALUE", multiple=True, help="An option of the game; wyb games ID lists them."
    )(function)
    return click.option(
        "--game", metavar="ID", type=GAME_ID, default="watch_your_back", show_default=True, help="The game to play."
    )(function)


def chosen_game(id: str, settings: Sequence[str], **more: Any) -> Game:
    """The game with this id, its options set by words of the form `key=value` and then by `more`.

    The value of an option that is a file is the path of one; see `watch_your_back.option_files`. Raises Mistake for a
    game, a key, a value or a file that there is not.
    """
    try:
        defaults = Game.load(id).options
        known = {each.name: each for each in fields(defaults)}
        values = read_files(defaults, dict(_setting(word, known) for word in settings), Path())
        return Game.load(id, **values | more)
    except (UnknownGame, OptionError) as error:
        raise Mistake(str(error.args[0])) from error


def chosen_opening(game: Game, text: str) -> tuple[Action, ...]:
    """The actions of a JSON list, after which a match of the game is to begin.

    Raises Mistake unless all of them are legal in turn and the game then goes on.
    """
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        listed = None
    if type(listed) is not list:
        raise Mistake(f"an opening is a JSON list of actions, such as [[2, 3], [5, 4]], not {text!r}")
    state = game.initial()
    actions: list[Action] = []
    for number, listed_action in enumerate(listed, 1):
        try:
            actions.append(state.check_form(normal_form(listed_action)))
        except IllegalAction as error:
            raise Mistake(f"action {number} of the opening cannot be taken: {error.message}") from None
        state = state.play(actions[-1])
        if state.outcome is not None:
            raise Mistake(f"the game is over after action {number} of the opening")
    return tuple(actions)


def _setting(word: str, known: dict[str, Field[Any]]) -> tuple[str, Any]:
    key, equals, value = word.partition("=")
    if not equals:
        raise Mistake(f"an option of the game is written key=value, not {shown(word)}")
    if key not in known:
        return key, value  # the game refuses it and knows what is near
    kind = type(known[key].default)
    try:
        return key, _READERS.get(kind, kind)(value)
    except (KeyError, ValueError):
        expected = {bool: "yes or no", int: "a whole number", float: "a number"}.get(kind, kind.__name__)
        raise Mistake(f"the option {key} takes {expected}, not {shown(value)}") from None


def _yes_or_no(word: str) -> bool:
    return {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}[
        word.lower()
    ]


_READERS: dict[type, Callable[[str], Any]] = {bool: _yes_or_no}

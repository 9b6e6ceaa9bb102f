"""What there is to know of a game before one plays it, as text for a terminal and as a page of the documents."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import Field, fields
from random import Random
from typing import Any, NamedTuple

from watch_your_back.game import Action, Game, State
from watch_your_back.show.svg import svg
from watch_your_back.show.terminal import Terminal
from watch_your_back.show.text import paint, text
from watch_your_back.show.typed import said

__all__ = ["Example", "described", "example", "markdown", "picture", "plain"]

LONGEST = 120
"""Turns of the random match whose middle is shown."""
WIDTH = 100


class Example(NamedTuple):
    """A state of a random match, and the action that led to it."""

    state: State
    action: Action

    @property
    def caption(self) -> str:
        """What it shows, in words."""
        state = self.state
        turns = f"after {state.ply} turn{'' if state.ply == 1 else 's'} of a random match"
        return f"{state.game.title} {turns}: {state.game.sides[state.to_move]} to act"


def example(game: Game) -> Example:
    """A state past the middle of a short random match, always the same one of a game."""
    rng, state = Random(game.id), game.initial()
    passed = [Example(state, None)]
    while state.outcome is None and state.ply < LONGEST:
        action = state.sample(rng)
        state = state.play(action)
        passed.append(Example(state, action))
    return passed[3 * len(passed) // 5]


def picture(shown: Example) -> str:
    """The example as SVG."""
    game = shown.state.game
    return svg(shown.state.picture(), last=game.cells(shown.action), title=shown.caption) + "\n"


def plain(game: Game, terminal: Terminal) -> Iterator[str]:
    """The lines that `wyb games ID` prints."""
    width = min(terminal.width or WIDTH, WIDTH)
    yield paint(f"{game.title} ({game.id})", "1", terminal.colour)
    yield ""
    yield rules(game)
    yield ""
    yield f"sides: {', '.join(game.sides)}, the first to act first"
    yield "actions:"
    for form in game.forms:
        yield from textwrap.wrap(
            f"{form.pattern}  {form.meaning}", width, initial_indent="  ", subsequent_indent="    "
        )
        yield f"    such as {form.example!r}, typed: {said(form)}"
    yield "options:"
    for each in fields(game.options):
        about = f"{each.name}={_written(each.default)}  {each.metadata['help']}{_range(each)}"
        yield from textwrap.wrap(about, width, initial_indent="  ", subsequent_indent="    ")
    shown = example(game)
    yield ""
    yield f"{shown.caption}."
    yield ""
    last = game.cells(shown.action)
    yield text(shown.state.picture(), last=last, colour=terminal.colour, unicode=terminal.unicode, width=terminal.width)


def markdown(game: Game) -> str:
    """The page of the documents, which stands beside the picture `ID.svg`."""
    shown = example(game)
    first, _, more = rules(game).partition("\n\n")
    return "\n".join(
        [
            f"# {game.title}",
            "",
            _sentence(first.partition(": ")[2] or first),
            "",
            f"![{shown.caption}]({game.id}.svg)",
            "",
            f"{shown.caption}. The last action was `{shown.action!r}`.",
            "",
            "## Rules",
            "",
            more or first,
            "",
            "## Actions",
            "",
            f"The sides are {' and '.join(f'`{side}`' for side in game.sides)}; the first to act comes first.",
            "",
            *_table(
                ("action", "meaning", "example", "typed by a person"),
                [(f"`{form.pattern}`", form.meaning, f"`{form.example!r}`", f"`{said(form)}`") for form in game.forms],
            ),
            "",
            "## Options",
            "",
            *_table(
                ("option", "default", "values", "meaning"),
                [
                    (f"`{each.name}`", _written(each.default), _range(each).strip(" ()"), each.metadata["help"])
                    for each in fields(game.options)
                ],
            ),
            "",
            "## At the terminal",
            "",
            "```console",
            f"$ wyb games {game.id}",
            f"$ wyb play human random --game {game.id}",
            "```",
            "",
        ]
    )


def described(game: Game) -> dict[str, Any]:
    """The game as `wyb games ID --json` prints it."""
    return {
        "id": game.id,
        "title": game.title,
        "sides": list(game.sides),
        "rules_version": game.rules_version,
        "actions": [
            {"pattern": form.pattern, "meaning": form.meaning, "example": form.example, "typed": said(form)}
            for form in game.forms
        ],
        "options": {
            each.name: {
                "default": each.default,
                **{key: value if key == "help" else _plain(value) for key, value in each.metadata.items()},
            }
            for each in fields(game.options)
        },
    }


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def rules(game: Game) -> str:
    """The rules in short, which are the docstring of the game's module."""
    return inspect.cleandoc(sys.modules[type(game).__module__].__doc__ or "")


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def _range(option: Field[Any]) -> str:
    about = option.metadata
    if about["choices"] is not None:
        return f" ({', '.join(map(_written, about['choices']))})"
    low, high = about["minimum"], about["maximum"]
    if low is None and high is None:
        return " (yes, no)" if isinstance(option.default, bool) else ""
    return f" (from {low})" if high is None else f" (up to {high})" if low is None else f" ({low} to {high})"


def _written(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _plain(value: Any) -> Any:
    return list(value) if value is not None and not isinstance(value, (int, float, str)) else value

"""What the browser asks for, made sure of: the game and its options, who plays, under which limits, from where on."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import Field, fields
from typing import Any

from watch_your_back.agents import Agent, AgentNotFound
from watch_your_back.game import Action, BrokenGame, Game, OptionError, UnknownGame
from watch_your_back.match import Limits, Match
from watch_your_back.options import Options, shown
from watch_your_back.show.text import clean, one_line
from watch_your_back.web.offers import Offers

__all__ = ["Refusal", "games", "match_of"]

LONGEST_NAME = 40
MOST_CPU_S, MOST_MEMORY_MB = 86_400.0, 65_536.0


class Refusal(Exception):
    """What is wrong with what was asked for: for each field its error; the field `""` stands for all of it."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors = {field: clean(error) for field, error in errors.items()}


def games() -> list[dict[str, Any]]:
    """All games that can be loaded, with their options, as a JSON value."""
    found = []
    for id in Game.ids():
        try:
            game = Game.load(id)
        except (BrokenGame, OptionError):
            continue
        found.append(
            {
                "id": id,
                "title": game.title,
                "sides": list(game.sides),
                "rules": clean((_module(game) or "").strip()),
                "options": [_described(each) for each in fields(game.options)],
            }
        )
    return sorted(found, key=lambda each: (each["id"] != "watch_your_back", each["title"]))


def _module(game: Game) -> str | None:
    import sys

    return sys.modules[type(game).__module__].__doc__


def _described(each: Field[Any]) -> dict[str, Any]:
    about = each.metadata
    return {
        "name": each.name,
        "kind": type(each.default).__name__,
        "default": each.default,
        "help": about.get("help", ""),
        "minimum": about.get("minimum"),
        "maximum": about.get("maximum"),
        "choices": None if about.get("choices") is None else list(about["choices"]),
        "file": bool(about.get("file")),
    }


def match_of(asked: Mapping[str, Any], offers: Offers, opening: tuple[Game, tuple[Action, ...]] | None = None) -> Match:
    """The match that is asked for; an `opening` brings its game with it. Raises Refusal."""
    errors: dict[str, str] = {}
    game = opening[0] if opening else _game(asked, errors)
    seats = asked.get("seats")
    agents: list[Agent] = []
    if type(seats) is not list or len(seats) != 2:
        raise Refusal({"": "two seats are to be taken"})
    for side, seat in enumerate(seats):
        if (agent := _agent(seat, f"seat-{side}", game, offers, errors)) is not None:
            agents.append(agent)
    limits = _limits(asked.get("limits"), errors)
    if errors or game is None or limits is None:
        raise Refusal(errors)
    return Match(
        game=game,
        agents=(agents[0], agents[1]),
        limits=limits,
        seed=secrets.randbits(32),
        opening=opening[1] if opening else (),
    )


def _game(asked: Mapping[str, Any], errors: dict[str, str]) -> Game | None:
    id, values = asked.get("game"), asked.get("options", {})
    if type(id) is not str or type(values) is not dict:
        errors["game"] = "choose a game"
        return None
    try:
        game = Game.load(id)
    except (UnknownGame, OptionError) as error:
        errors["game"] = str(error.args[0])
        return None
    options, read = type(game.options), {}
    known = {each.name: each for each in fields(game.options)}
    for name, value in values.items():
        try:
            read[name] = _read(known, name, value)
            options.of({name: read[name]})
        except OptionError as error:
            errors[f"option-{name}"] = _at_field(str(error), name)
    if errors:
        return None
    return _loaded(id, read, options, errors)


def _loaded(id: str, values: dict[str, Any], options: type[Options], errors: dict[str, str]) -> Game | None:
    """The game with all options together, which may not fit each other."""
    try:
        return Game.load(id, **values)
    except OptionError as error:
        found = re.match(r"option (\w+)", str(error))
        names = [each.name for each in fields(options)]
        field = f"option-{found[1]}" if found and found[1] in names else "game"
        errors[field] = _at_field(str(error), found[1] if found else "")
        return None


def _at_field(error: str, name: str) -> str:
    """The error without the name of the option, which stands beside it."""
    return re.sub(rf"^option {re.escape(name)}(:| is)? (is )?", "", error)


def _read(known: Mapping[str, Field[Any]], name: str, value: Any) -> Any:
    """A value as the option has it, whose words were typed. Raises OptionError."""
    if name not in known:
        raise OptionError("there is no such option")
    default = known[name].default
    if known[name].metadata.get("file"):
        if type(value) is str and (value == default or value.lstrip().startswith("{")):
            return value
        raise OptionError("a JSON file, which begins with a brace")
    if type(value) is not str or type(default) is str:
        return value
    words = value.strip()
    try:
        if type(default) is int:
            return int(words)
        return float(words) if type(default) is float else value
    except ValueError:
        expected = "a whole number" if type(default) is int else "a number"
        raise OptionError(f"{expected}, not {shown(words)}" if words else expected) from None


def _agent(seat: Any, field: str, game: Game | None, offers: Offers, errors: dict[str, str]) -> Agent | None:
    match seat:
        case {"kind": "person", "name": str(name)}:
            return offers.person(one_line(name)[:LONGEST_NAME] or "Person")
        case {"kind": "agent", "agent": str(id)}:
            try:
                agent = offers.agent(id)
            except (AgentNotFound, OSError) as error:
                errors[field] = str(error)
                return None
            if agent.kind == "external" and game is not None and game.id != "go":
                errors[field] = f"{agent.name} speaks GTP, so it plays Go only"
            return agent
    errors[field] = "choose a person or an agent"
    return None


def _limits(asked: Any, errors: dict[str, str]) -> Limits | None:
    given = asked if type(asked) is dict else {}
    read: dict[str, float | None] = {}
    for name, most, unit in (("cpu_s", MOST_CPU_S, "seconds"), ("memory_mb", MOST_MEMORY_MB, "MB")):
        value = given.get(name)
        words = "" if value is None else str(value).strip()[:40]
        try:
            number = float(words) if words else None
        except ValueError:
            number = float("nan")
        if number is not None and not 0 < number <= most:
            errors[f"limit-{name}"] = f"a number of {unit} above 0, at most {most:,.0f}, or nothing for no limit"
        read[name] = number
    return None if errors else Limits(read["cpu_s"], read["memory_mb"])

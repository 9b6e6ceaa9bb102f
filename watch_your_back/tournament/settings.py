"""What a tournament is to be: its settings, and the agents that are entered, from a TOML file or the command line."""

from __future__ import annotations

import difflib
import json
import math
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from watch_your_back.agents import GTP
from watch_your_back.confine.tiers import TIERS
from watch_your_back.game import Game, OptionError, UnknownGame
from watch_your_back.match import Limits
from watch_your_back.option_files import read_files

__all__ = ["DEFAULT_LIMITS", "FORMATS", "Entry", "Plan", "Settings", "SettingsError", "plan_of", "read_plan"]

FORMATS = ("round robin", "gauntlet", "swiss")
DEFAULT_LIMITS = Limits(60.0, 100.0)
"""What marking allowed a player in 2018."""


class SettingsError(ValueError):
    """A setting that there is not, or not with this value; the message is one line that says what to write."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides which matches are played, and how.

    A round is a pair of matches, with the sides exchanged, of each two agents (`round robin`), of each challenger and
    each other agent (`gauntlet`), or of agents with like scores (`swiss`). `challengers` are names; without any, the
    first agent is the one.
    """

    game: Game
    format: str = "round robin"
    rounds: int = 1
    challengers: tuple[str, ...] = ()
    limits: Limits = DEFAULT_LIMITS
    seed: int = 0
    require_tier: str | None = None
    allow_external: bool = False
    rules_version: int | None = None
    """Of the rules that it was begun with: those of the game, unless told."""

    def __post_init__(self) -> None:
        if self.rules_version is None:
            object.__setattr__(self, "rules_version", self.game.rules_version)

    def as_json(self) -> dict[str, Any]:
        """The settings as a JSON object; tournaments with equal ones have the same schedule."""
        return {
            "format": self.format,
            "rounds": self.rounds,
            "challengers": list(self.challengers),
            "game": self.game.id,
            "rules_version": self.rules_version,
            "options": json.loads(json.dumps(asdict(self.game.options))),
            "limits": asdict(self.limits),
            "seed": self.seed,
            "require_tier": self.require_tier,
            "allow_external": self.allow_external,
        }

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Settings:
        """The inverse of `as_json`. Raises SettingsError for a game that there is no more."""
        return cls(
            game=_game(told["game"], told["options"]),
            format=told["format"],
            rounds=told["rounds"],
            challengers=tuple(told["challengers"]),
            limits=Limits(**told["limits"]),
            seed=told["seed"],
            require_tier=told["require_tier"],
            allow_external=told.get("allow_external", False),
            rules_version=told["rules_version"],
        )


class Entry(NamedTuple):
    """An agent that is entered: what it is called, and the spec or path that names it."""

    name: str | None
    spec: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament before it begins: its settings, the agents that are entered, and where results are to go.

    `seed` is None where it is left to chance. `base` is the directory that specs and paths are seen from.
    """

    settings: Settings
    entries: tuple[Entry, ...]
    submissions: tuple[Path, ...]
    store: Path | None
    seed: int | None
    base: Path

    def seeded(self, seed: int) -> Settings:
        """The settings with this seed, unless the plan has one."""
        return replace(self.settings, seed=seed if self.seed is None else self.seed)


def read_plan(path: Path, **more: Any) -> Plan:
    """The plan in a TOML file, the settings given beside it going first.

    An option of the game that is a file is the path of one, seen from where the TOML file is.

    Raises SettingsError, naming the file, or OSError.
    """
    try:
        table = tomllib.loads(path.read_bytes().decode())
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is no text in UTF-8 (byte {error.start + 1})") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is no TOML: {error}") from None
    except RecursionError:
        raise SettingsError(f"{path} is nested too deeply") from None
    try:
        return plan_of(_with_files(table, path.parent) | more, path.parent)
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None


def plan_of(table: Mapping[str, Any], base: Path) -> Plan:
    """The plan that these settings make: the keys are those of the TOML file, documented in `docs/tournaments.md`.

    Raises SettingsError.
    """
    _check(table, _KEYS, "")
    limits, submissions = table.get("limits", {}), table.get("submissions", [])
    _check(limits, _LIMITS, "limits.")
    seed = table.get("seed")
    try:
        settings = Settings(
            game=_game(table.get("game", "watch_your_back"), table.get("options", {})),
            format=table.get("format", "round robin"),
            rounds=table.get("rounds", 1),
            challengers=tuple(table.get("challengers", ())),
            limits=Limits(**{**asdict(DEFAULT_LIMITS), **limits}),
            seed=seed or 0,
            require_tier=table.get("require_tier"),
            allow_external=table.get("allow_external", False),
        )
    except ValueError as error:
        raise SettingsError(str(error)) from None
    if settings.challengers and settings.format != "gauntlet":
        raise SettingsError("challengers are for the format gauntlet only")
    return Plan(
        settings,
        tuple(_entries(table.get("agents", []), base)),
        tuple(base / folder for folder in ([submissions] if isinstance(submissions, str) else submissions)),
        base / table["store"] if "store" in table else None,
        seed,
        base,
    )


def _game(id: str, options: Mapping[str, Any]) -> Game:
    try:
        return Game.load(id, **{name: _tuples(value) for name, value in options.items()})
    except (UnknownGame, OptionError) as error:
        raise SettingsError(str(error.args[0])) from None


def _with_files(table: Mapping[str, Any], base: Path) -> dict[str, Any]:
    """The settings with what files hold in place of their paths; `plan_of` finds fault with all else."""
    id, options = table.get("game", "watch_your_back"), table.get("options")
    if type(id) is not str or not isinstance(options, Mapping):
        return dict(table)
    try:
        return dict(table) | {"options": read_files(_game(id, {}).options, options, base)}
    except OptionError as error:
        raise SettingsError(str(error)) from None


def _entries(agents: Any, base: Path) -> Iterator[Entry]:
    named = agents.items() if isinstance(agents, Mapping) else (_name_and_spec(word, base) for word in agents)
    for name, spec in named:
        if name is not None and ("/" in name or not name.strip()):
            raise SettingsError(f"an agent cannot be called {name!r}: a name has something in it, and no slash")
        yield Entry(name, spec)


def _name_and_spec(word: str, base: Path) -> tuple[str | None, str]:
    name, equals, spec = word.partition("=")
    return (
        (name, spec)
        if equals and "/" not in name and not word.startswith(GTP) and not (base / word).exists()
        else (None, word)
    )


class _Kind(NamedTuple):
    what: str
    accepts: Callable[[Any], bool]


def _texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(type(each) is str and each for each in value)


def _number(value: Any) -> bool:
    return type(value) in (int, float) and 0 < value < math.inf


_NAMES = _Kind("a list of strings", _texts)
_TEXT = _Kind("a string", lambda value: type(value) is str and value != "")
_TABLE = _Kind("a table", lambda value: isinstance(value, Mapping))
_KEYS = {
    "format": _Kind(f"one of {', '.join(map(repr, FORMATS))}", lambda value: value in FORMATS),
    "rounds": _Kind("a whole number from 1 to 1,000,000", lambda value: type(value) is int and 0 < value <= 1_000_000),
    "challengers": _NAMES,
    "game": _TEXT,
    "options": _TABLE,
    "limits": _TABLE,
    "seed": _Kind("a whole number from 0 to 2^63 - 1", lambda value: type(value) is int and 0 <= value < 1 << 63),
    "require_tier": _Kind(f"one of {', '.join(map(repr, TIERS))}", lambda value: value in TIERS),
    "allow_external": _Kind("true or false", lambda value: type(value) is bool),
    "agents": _Kind(
        "a list of specs, or a table with a spec for each name",
        lambda value: _texts(list(value.values()) if isinstance(value, Mapping) else value),
    ),
    "submissions": _Kind("a folder, or a list of folders", lambda value: type(value) is str or _texts(value)),
    "store": _TEXT,
}
_LIMITS = {
    "cpu_s": _Kind("a number of seconds above 0", _number),
    "memory_mb": _Kind("a number of MB above 0", _number),
    "profile": _TEXT,
}


def _check(table: Mapping[str, Any], kinds: Mapping[str, _Kind], prefix: str) -> None:
    for key, value in table.items():
        if key not in kinds:
            raise SettingsError(_unknown(key, kinds, prefix))
        if not kinds[key].accepts(value):
            kind = type(value).__name__
            shown = f"{value!r:.60} ({_TOML_NAMES.get(kind, kind)})"
            raise SettingsError(f"{prefix}{key} is to be {kinds[key].what}, not {shown}")


_TOML_NAMES = {"str": "a string", "int": "an integer", "float": "a float", "bool": "a boolean", "list": "an array"}
_TOML_NAMES |= {"dict": "a table"}


def _unknown(key: str, known: Iterable[str], prefix: str) -> str:
    near = difflib.get_close_matches(key, known, 1)
    hint = f"did you mean {prefix}{near[0]}?" if near else f"there are {', '.join(prefix + name for name in known)}"
    return f"there is no setting {prefix}{key} ({hint})"


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value

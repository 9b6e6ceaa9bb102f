"""Which games there are: the built-in ones, and those that installed packages announce."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

from watch_your_back.game import BrokenGame, Game, Options

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["ENTRY_POINTS", "game_class", "ids"]

ENTRY_POINTS = "watch_your_back.games"
"""The entry point group in which other packages announce their games: `id = module:GAME`."""

_DEFINED = ("id", "title", "rules_version", "sides", "Options")


def ids() -> list[str]:
    """The ids of all games, sorted."""
    return sorted({*_built_in(), *_announced()})


def game_class(id: str) -> Any:
    """The class of the game with this id, which is made with an instance of its `Options`; None if there is none.

    Raises BrokenGame.
    """
    if id in _built_in():
        return importlib.import_module(f"watch_your_back.games.{id}").GAME
    point = _announced().get(id)
    if point is None:
        return None
    package = f" of the package {point.dist.name}" if point.dist else ""
    try:
        made = point.load()
        fault = _fault(made, id)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        fault = f"{type(error).__name__}: {error}"
    if fault:
        raise BrokenGame(f"the game {id!r}{package} cannot be loaded: {point.value}: {fault}")
    return made


@functools.cache
def _built_in() -> frozenset[str]:
    import watch_your_back.games

    names = (module.name for module in pkgutil.iter_modules(watch_your_back.games.__path__))
    return frozenset(name for name in names if not name.startswith("_"))


def _announced() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # 20 ms that most commands need not spend

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _fault(made: Any, id: str) -> str | None:
    """What keeps an object that a package announces as a game from being one."""
    if not isinstance(made, type) or Game not in made.__mro__:
        return "this is no subclass of watch_your_back.game.Game"
    missing = [name for name in _DEFINED if not hasattr(made, name)]
    missing += [name for name in ("initial", "parse") if getattr(made, name) is getattr(Game, name)]
    if missing:
        return f"the class does not define {', '.join(missing)}"
    kind: Any = made
    if kind.id != id:
        return f"the class has the id {kind.id!r}, not the one that it is announced by"
    if not isinstance(kind.Options, type) or not issubclass(kind.Options, Options):
        return "its Options is no subclass of watch_your_back.game.Options"
    kind(kind.Options())
    return None

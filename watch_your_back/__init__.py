"""Watch Your Back!: a fair referee for matches of two Player classes.

For programs and notebooks there are `play` and `compare`, which `docs/python-api.md` describes. What they need is
imported when it is first asked for.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from watch_your_back.agents import AgentNotFound
    from watch_your_back.api.comparing import Comparison, compare
    from watch_your_back.api.playing import Result, Unconfined, play
    from watch_your_back.confine.limits import Limits
    from watch_your_back.game import Game
    from watch_your_back.match.record import Record

__all__ = [
    "AgentNotFound",
    "Comparison",
    "Game",
    "Limits",
    "Record",
    "Result",
    "Unconfined",
    "__version__",
    "compare",
    "play",
]

__version__ = "0.1.0"

_HOME = {
    "AgentNotFound": "agents",
    "Comparison": "api.comparing",
    "Game": "game",
    "Limits": "confine.limits",
    "Record": "match.record",
    "Result": "api.playing",
    "Unconfined": "api.playing",
    "compare": "api.comparing",
    "play": "api.playing",
}
"""The module that each name comes from."""


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

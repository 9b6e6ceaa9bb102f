"""How a player's interpreter is started: its command line and the environment variables that it may know."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["HASH_SEED", "command", "player_environment"]

HASH_SEED = 0
"""PYTHONHASHSEED of every player's process that was not asked for another."""

_PACKAGE = str(Path(__file__).resolve().parents[2])

_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "OPENBLAS_CORETYPE")
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def command(module: str, *arguments: object) -> list[str]:
    """The command that runs `main(*arguments)` of a module of this package, installed or not.

    The package's folder goes last on the path, so that a clone's other folders hide nothing.
    """
    name = f"{__package__}.{module}"
    call = f"main({', '.join(map(repr, arguments))})"
    program = f"import sys; sys.path.append({_PACKAGE!r}); from {name} import main; {call}"
    return [sys.executable, "-P", "-c", program]


def player_environment(hash_seed: int) -> dict[str, str]:
    """A few of the referee's variables, and the settings that keep a player's clocks and memory honest.

    One thread for linear algebra and one arena for malloc: more would reserve address space and hide CPU time.
    """
    return {
        **{name: os.environ[name] for name in _KEPT if name in os.environ},
        **dict.fromkeys(_THREADS, "1"),
        "MALLOC_ARENA_MAX": "1",
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONIOENCODING": "utf-8:backslashreplace",
    }

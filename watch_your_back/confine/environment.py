"""How an interpreter of ours is started: its command line, and the environment variables that a player's may know."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["HASH_SEED", "command", "player_environment"]

HASH_SEED = 0
"""PYTHONHASHSEED of every player's process that was not asked for another."""

_PACKAGE = Path(__file__).resolve().parents[1]

_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "OPENBLAS_CORETYPE")
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def command(module: str, *arguments: object) -> list[str]:
    """The command that runs `main(*arguments)` of a module of this package, installed or not.

    It is this one even where another version is installed. The folder around it goes last on the path, so that a
    clone's other folders hide nothing.
    """
    package, init = _PACKAGE.name, str(_PACKAGE / "__init__.py")
    program = (
        f"import sys; from importlib import util; sys.path.append({str(_PACKAGE.parent)!r}); "
        f"spec = util.spec_from_file_location({package!r}, {init!r}); "
        f"sys.modules[{package!r}] = util.module_from_spec(spec); spec.loader.exec_module(sys.modules[{package!r}]); "
        f"from {package}.{module} import main; main({', '.join(map(repr, arguments))})"
    )
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

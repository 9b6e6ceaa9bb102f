"""The seeds of the global random generators of `random` and of NumPy."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

__all__ = ["seed_generators", "seed_numpy_once_imported"]


def seed_generators(seed: int) -> None:
    """Seed the global generators of `random` and, where it has been imported, of NumPy."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % (1 << 32))


def seed_numpy_once_imported(seed: int) -> None:
    """Have NumPy's global generator seeded in the moment in which it is imported, unless it has been already."""
    if "numpy.random" not in sys.modules:
        sys.meta_path.insert(0, _SeedingNumPy(seed))


class _SeedingNumPy:
    """Finds numpy.random where it is found anyway, and seeds it when it has been executed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed % (1 << 32)

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        if name != "numpy.random":
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path)
        loader: Any = spec and spec.loader
        if loader is not None and spec is not None and spec.submodule_search_locations:
            execute = loader.exec_module

            def execute_and_seed(module: ModuleType) -> None:
                execute(module)
                if hasattr(module, "RandomState"):  # else it is something else of that name
                    module.seed(self._seed)

            loader.exec_module = execute_and_seed
        return spec

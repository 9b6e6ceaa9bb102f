"""Agents as programs name them: by a spec, or by the class itself, which may never have been in a file.

A class that can be found in a file is played from there. Any other one, of a notebook's cell for example, is pickled by
cloudpickle, together with what it uses, and is unpickled in the process of its player and nowhere else: it is as
untrusted there, and as confined, as any agent's file. Forking the player from the program itself would be no way: its
memory, in which the opponent may be, would be the player's to read, and no program with threads can be forked safely.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import linecache
import marshal
import os
import pickle
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, ModuleType
from typing import Any, TypeAlias

from watch_your_back.agents import Agent, AgentNotFound, find

__all__ = ["Given", "agents_of"]

Given: TypeAlias = "str | os.PathLike[str] | type | Agent"
"""An agent as a program may give it: a spec as on the command line, a path, or a class."""

LOADER = '''"""Written by watch_your_back: the class {name}, which was in no file, and its source for tracebacks."""

import json
import linecache
import pickle
from pathlib import Path

_here = Path(__file__).parent
for _name, _text in json.loads((_here / "sources.json").read_text(encoding="utf-8")).items():
    linecache.cache[_name] = (len(_text), None, _text.splitlines(True), _name)
{name} = pickle.loads((_here / "class.pickle").read_bytes())
'''


@contextlib.contextmanager
def agents_of(*given: Given) -> Iterator[tuple[Agent, ...]]:
    """The agents, for as long as this lasts: what classes were written to is then deleted.

    Raises AgentNotFound for a spec that names none and a class that cannot be sent to a process of its own, TypeError
    for what is neither.
    """
    with contextlib.ExitStack() as files:
        yield tuple(_agent(each, files) for each in given)


def _agent(given: Given, files: contextlib.ExitStack) -> Agent:
    if isinstance(given, Agent):
        return given
    if isinstance(given, (str, os.PathLike)):
        return find(os.fspath(given))
    if not isinstance(given, type):
        hint = "; name the class itself, without calling it" if hasattr(given, "action") else ""
        raise TypeError(f"an agent is a spec such as 'greedy' or 'my_bot.py', or a class, not {given!r:.80}{hint}")
    file = _file_of(given)
    if file is not None:
        return replace(find(f"{file}:{given.__name__}"), name=given.__name__)
    folder = Path(files.enter_context(TemporaryDirectory(prefix="wyb-class-")))
    return _written(given, folder.resolve())


def _file_of(player: type) -> Path | None:
    """The file from which a class can be imported by its own name; None if there is none.

    A program that is being run is no such file where cloudpickle is at hand: imported, it would begin anew.
    """
    module = sys.modules.get(player.__module__)
    file = getattr(module, "__file__", None)
    if file is None or not file.endswith(".py") or getattr(module, player.__name__, None) is not player:
        return None
    if player.__module__ == "__main__" and find_spec("cloudpickle") is not None:
        return None
    path = Path(file).absolute()
    return path if "." not in player.__qualname__ and path.is_file() else None


def _written(player: type, folder: Path) -> Agent:
    """The agent of a class that is in no file, written to a folder.

    It may read that, and the folder of the program that is being run, or else the current directory.
    """
    data, sources = _pickled(player)
    name = player.__name__
    (folder / "class.pickle").write_bytes(data)
    (folder / "sources.json").write_text(json.dumps(sources), encoding="utf-8")
    loader = folder / "player.py"
    loader.write_text(LOADER.format(name=name), encoding="utf-8")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        folder.chmod(0o755)  # so that a player of root's can be nobody's, as others are
    code = "".join(sources.values()).encode() if sources else data
    return replace(
        find(f"{loader}:{name}"),
        numpy=True,  # it may be among what the class uses, which no source tells
        spec=f"class {player.__qualname__}",
        name=name,
        root=_surroundings(),
        fingerprint=hashlib.sha256(f"{player.__qualname__}\n".encode() + code).hexdigest(),
    )


def _surroundings() -> Path:
    """Where modules and data of a class that is in no file are looked for."""
    program = getattr(sys.modules.get("__main__"), "__file__", None)
    return Path(os.path.realpath(os.path.dirname(program or "") or "."))


def _pickled(player: type) -> tuple[bytes, dict[str, str]]:
    """A class by value, and the sources of its code by the names that tracebacks will tell."""
    try:
        import cloudpickle
    except ImportError:
        raise AgentNotFound(
            f"the class {player.__name__} is in no file, and to play it all the same takes cloudpickle: "
            "pip install cloudpickle, or write it to a file (in a notebook with %%writefile)"
        ) from None
    sources: dict[str, str] = {}

    def renamed(code: CodeType) -> CodeType:
        name = _cell_name(code.co_filename)
        sources.setdefault(name, "".join(linecache.getlines(code.co_filename)))
        inner = (renamed(each) if isinstance(each, CodeType) else each for each in code.co_consts)
        return code.replace(co_filename=name, co_consts=tuple(inner))

    def reduced(code: CodeType) -> Any:  # cloudpickle would forget the name of the file, and the same Python reads it
        return marshal.loads, (marshal.dumps(renamed(code)),)

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        dispatch_table = {**cloudpickle.Pickler.dispatch_table, CodeType: reduced}  # noqa: RUF012

    file = BytesIO()
    with _by_value(player, cloudpickle):
        try:
            Pickler(file).dump(player)
        except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
            raise AgentNotFound(
                f"the class {player.__name__} is in no file, and cannot be sent to a process of its own: {error}"
            ) from None
    return file.getvalue(), sources


@contextlib.contextmanager
def _by_value(player: type, cloudpickle: ModuleType) -> Iterator[None]:
    """While it lasts, what belongs to the modules of a class and its bases goes along, not only its name."""
    names = {base.__module__ for base in player.__mro__} - {"__main__", "builtins"}
    modules = [sys.modules[name] for name in names if name in sys.modules and not _is_installed(sys.modules[name])]
    with contextlib.ExitStack() as undoing:
        for module in modules:
            if module.__name__ not in cloudpickle.list_registry_pickle_by_value():
                cloudpickle.register_pickle_by_value(module)
                undoing.callback(cloudpickle.unregister_pickle_by_value, module)
        yield


def _is_installed(module: ModuleType) -> bool:
    """Whether a player's process finds a module by itself: one of the standard library, a package, or of ours."""
    top = module.__name__.partition(".")[0]
    file = str(getattr(module, "__file__", None) or "")
    return top in sys.stdlib_module_names or top == "watch_your_back" or "site-packages" in file


def _cell_name(filename: str) -> str:
    """What a traceback calls the cell of a notebook whose code has this file name: `In[3]`; else its last part."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    numbers = getattr(getattr(shell, "compile", None), "_filename_map", {})
    return f"In[{numbers[filename]}]" if filename in numbers else os.path.basename(filename)

"""Import an agent inside its own process.

Modules are loaded from their files, so that nothing outside the agent's root need be listed; the folder of the agent's
file comes first on the path and its root second, so that siblings can be imported as `board`, `.board` or
`package.board` alike. This module imports only the standard library (and `hints`, which does too): an agent that brings
a `watch_your_back` of its own must get that one.
"""

from __future__ import annotations

import difflib
import inspect
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from types import FunctionType, ModuleType
from typing import Any

from watch_your_back.confine.hints import agent_folders, hint

__all__ = [
    "OPTIONAL_ARGUMENTS",
    "OPTIONAL_METHODS",
    "ImportFault",
    "MissingMethod",
    "NoSuchClass",
    "NotAClass",
    "WrongSignature",
    "forget",
    "hint",
    "import_beside",
    "import_player",
    "player_arguments",
]

OPTIONAL_ARGUMENTS = ("game", "options", "limits", "seed")
"""What a Player's constructor may take besides the colour: passed by keyword when its signature names it."""

OPTIONAL_METHODS = ("start", "see", "finish")
"""What a Player may have besides `action` and `update`."""

METHODS = {"action": "the number of turns", "update": "the opponent's action"}
"""The methods of a Player and the one argument that the referee passes to each."""

COLLECTING = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

_imported: list[str] = []  # the names of the agent's own modules


class ImportFault(Exception):
    """The agent was imported, but there is no Player in it that can be played; the message says why."""


class NoSuchClass(ImportFault):
    """The module has no class of this name."""


class NotAClass(ImportFault):
    """What has the name of the class is something else."""


class MissingMethod(ImportFault):
    """The class lacks `action` or `update`."""


class WrongSignature(ImportFault):
    """The constructor or a method cannot take what the referee passes."""


def import_player(path: str, root: str, module: str, class_name: str) -> type:
    """The class `class_name` of the file `path`, imported as `module` (see `agents.Agent`); it is fit to be played.

    Changes `sys.path`, `sys.meta_path` and `sys.modules` of this process. Raises ImportFault; whatever the agent's own
    code raises (SyntaxError, ImportError, SystemExit, ...) comes through unchanged.
    """
    places = _places(path, root)
    agent_folders[:] = places
    sys.path[:] = places + [entry for entry in sys.path if entry not in places]
    sys.meta_path.append(_OwnFolder(places))
    _give_way(places)
    player = _class_of(_load(path, module), class_name)
    _check_methods(player)
    _check_constructor(player)
    return player


def player_arguments(cls: type, available: Mapping[str, Any]) -> dict[str, Any]:
    """Which of the available optional arguments (`OPTIONAL_ARGUMENTS`) the constructor of `cls` names."""
    plain = _plain_constructor(cls)
    if plain is not None:
        code = plain.__code__
        named = set(code.co_varnames[2 : code.co_argcount + code.co_kwonlyargcount])
    else:
        named = _parameters_after_the_first(cls)
    return {name: available[name] for name in OPTIONAL_ARGUMENTS if name in named and name in available}


def _plain_constructor(cls: type) -> FunctionType | None:
    """The `__init__` that alone decides how the class is called, which saves `inspect` and its time."""
    init = cls.__init__  # type: ignore[misc]
    usual = type(cls) is type and cls.__new__ is object.__new__ and "__signature__" not in vars(cls)  # type: ignore[comparison-overlap]
    return init if usual and type(init) is FunctionType and not hasattr(init, "__wrapped__") else None


def _parameters_after_the_first(cls: type) -> set[str]:
    try:
        parameters = list(inspect.signature(cls).parameters.values())
    except (TypeError, ValueError):
        return set()
    if parameters and parameters[0].kind is not inspect.Parameter.KEYWORD_ONLY:
        del parameters[0]  # the colour, whatever it is called
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {each.name for each in parameters if each.kind in by_name}


def import_beside(path: str, root: str, module: str, class_name: str) -> type:
    """As `import_player`, where several agents are imported: each gets its own modules. `forget` undoes the last."""
    forget()
    before = set(sys.modules)
    try:
        return import_player(path, root, module, class_name)
    finally:
        places = _places(path, root)
        _imported[:] = [name for name in sys.modules.keys() - before if _is_below(sys.modules[name], places)]


def forget() -> None:
    """Take the modules of the agent imported last out of `sys.modules`, and its folder out of `sys.meta_path`."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder) is not _OwnFolder]
    for name in _imported:
        sys.modules.pop(name, None)
    _imported.clear()


def _places(path: str, root: str) -> list[str]:
    folder = os.path.dirname(path)
    return [folder, root] if folder != root else [folder]


class _OwnFolder:
    """Finds a folder of the agent under its own name, after everything else: `import team.board` in `team/player.py`.

    Without it that would need the folder above to be on the path, which the player may not read.
    """

    def __init__(self, folders: Sequence[str]) -> None:
        self.folders = {os.path.basename(folder): folder for folder in reversed(folders)}

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        return _package_spec(name, self.folders[name]) if path is None and name in self.folders else None


def _give_way(places: Sequence[str]) -> None:
    """Forget our own package if the agent comes with one of that name."""
    ours = os.path.dirname(os.path.dirname(__file__))
    for place in places:
        theirs = os.path.join(place, "watch_your_back")
        if os.path.isfile(f"{theirs}.py") or (os.path.isdir(theirs) and not os.path.samefile(theirs, ours)):
            for name in [name for name in sys.modules if name.partition(".")[0] == "watch_your_back"]:
                del sys.modules[name]
            return


def _is_below(module: ModuleType, places: Sequence[str]) -> bool:
    file = str(getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", ())), ""))
    return "site-packages" not in file and any((file + os.sep).startswith(place + os.sep) for place in places)


def _package_spec(name: str, folder: str) -> ModuleSpec | None:
    init = os.path.join(folder, "__init__.py")
    if os.path.isfile(init):
        return spec_from_file_location(name, init, submodule_search_locations=[folder])
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = [folder]
    return spec


def _load(path: str, name: str) -> ModuleType:
    """The module in a file, after the packages around it; never under the name of another module."""
    first, _, rest = name.partition(".")
    while first in sys.modules or first in sys.stdlib_module_names:
        first += "_"
    name = f"{first}.{rest}" if rest else first
    package = os.path.basename(path) == "__init__.py"
    folder = os.path.dirname(path)
    chain = [_package_spec(name, folder) if package else spec_from_file_location(name, path)]
    folder = os.path.dirname(folder) if package else folder
    while "." in name:
        name = name.rpartition(".")[0]
        chain.append(_package_spec(name, folder))
        folder = os.path.dirname(folder)
    for spec in reversed(chain):
        if spec is None:
            raise ImportError(f"{path} is not a Python file", path=path)
        module = _execute(spec)
    return module


def _execute(spec: ModuleSpec) -> ModuleType:
    if spec.name in sys.modules:  # the package around it has imported it already
        return sys.modules[spec.name]
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    if spec.loader is not None:
        try:
            spec.loader.exec_module(module)
        except BaseException:
            sys.modules.pop(spec.name, None)
            raise
        module = sys.modules.get(spec.name, module)
    parent, _, last = spec.name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], last, module)
    return module


def _class_of(module: ModuleType, name: str) -> type:
    try:
        found = getattr(module, name)
    except AttributeError:
        classes = {key: value for key, value in vars(module).items() if isinstance(value, type)}
        fit = [key for key, value in classes.items() if all(hasattr(value, method) for method in METHODS)]
        near = [key for key in classes if key.casefold() == name.casefold()]
        near += difflib.get_close_matches(name, classes, 1)
        where = os.path.basename(getattr(module, "__file__", None) or module.__name__)
        message = f"{where} has no class {name}"
        if fit:
            message += f"; with the methods of a player it has {', '.join(fit)}: name it after a colon, as in :{fit[0]}"
        elif near:
            message += f"; did you mean {near[0]}?"
        else:
            message += f"; its classes are {', '.join(classes)}" if classes else ", nor any other"
        raise NoSuchClass(message) from None
    if not isinstance(found, type):
        kind = "a function" if isinstance(found, FunctionType) else f"an object of type {type(found).__name__}"
        raise NotAClass(f"{name} is {kind}, not a class")
    return found


def _check_methods(player: type) -> None:
    for method in METHODS:
        if not hasattr(player, method):
            own = [name for name in dir(player) if not name.startswith("__")]
            near = difflib.get_close_matches(method, own, 1)
            instead = f"; it has {near[0]}: rename it" if near else ""
            raise MissingMethod(f"class {player.__name__} has no method {method}{instead}")
        if not callable(getattr(player, method)):
            raise MissingMethod(f"{player.__name__}.{method} is not a method")
    for method, argument in METHODS.items():
        found = inspect.getattr_static(player, method)
        _check_call(found, f"{player.__name__}.{method}", argument, bound=isinstance(found, FunctionType))


def _surely_takes(function: object, count: int) -> bool:
    """Whether a plain function takes so many arguments: the quick answer for most, which `inspect` takes long for."""
    if not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        return False
    code = function.__code__
    required = code.co_argcount - len(function.__defaults__ or ())
    return required <= count <= code.co_argcount and not code.co_kwonlyargcount


def _check_constructor(player: type) -> None:
    plain = _plain_constructor(player)
    if plain is not None and _surely_takes(plain, 2):
        return
    optional = player_arguments(player, dict.fromkeys(OPTIONAL_ARGUMENTS))
    _check_call(player, f"{player.__name__}.__init__", "the colour", optional=optional)


def _check_call(
    function: object, name: str, argument: str, *, bound: bool = False, optional: Mapping[str, object] | None = None
) -> None:
    """Raises WrongSignature unless `function` takes one positional argument (after `self` where it has one)."""
    if isinstance(function, (staticmethod, classmethod)):
        bound = isinstance(function, classmethod)
        function = function.__func__
    if not callable(function) or _surely_takes(function, bound + 1):
        return
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # written in C, or a callable without a signature: calling it will tell
    try:
        signature.bind(*(None,) * (bound + 1), **(optional or {}))
    except TypeError:
        parameters = list(signature.parameters.values())[bound:]
        needed = [each.name for each in parameters if each.default is each.empty and each.kind not in COLLECTING]
        takes = f"needs {len(needed)} arguments ({', '.join(needed)})" if len(needed) > 1 else "takes no argument"
        raise WrongSignature(f"{name} {takes} besides self; the referee passes one, {argument}") from None

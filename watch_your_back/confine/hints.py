"""One more sentence for the author of a player about an error whose cause is a common one.

Runs inside the player's process and imports only the standard library.
"""

from __future__ import annotations

import os
import re
import sys
from types import FrameType

__all__ = ["agent_folders", "hint"]

agent_folders: list[str] = []
"""Where this process's agent has its modules and data; set by `importing.import_player`."""

REMOVED = {
    "numpy": {
        **{name: name for name in ("bool", "int", "float", "complex", "object", "str")},
        "long": "int",
        "alltrue": "np.all",
        "bool8": "np.bool_",
        "cumproduct": "np.cumprod",
        "float_": "np.float64",
        "in1d": "np.isin",
        "Inf": "np.inf",
        "Infinity": "np.inf",
        "infty": "np.inf",
        "NaN": "np.nan",
        "product": "np.prod",
        "round_": "np.round",
        "row_stack": "np.vstack",
        "sometrue": "np.any",
        "trapz": "np.trapezoid",
    },
    "collections": {
        name: f"collections.abc.{name}" for name in ("Callable", "Hashable", "Iterable", "Mapping", "Sequence", "Set")
    },
    "fractions": {"gcd": "math.gcd"},
    "time": {"clock": "time.process_time"},
}
"""What to write for names that are gone from a module (release notes of NumPy 1.24 to 2.4, Python 3.8 to 3.10)."""

SIGNATURES = {
    "__init__": "The referee makes the player with one argument, its colour: def __init__(self, colour).",
    "action": "The referee calls action(turns): def action(self, turns).",
    "update": "The referee calls update(action): def update(self, action).",
}


def hint(error: BaseException) -> str:
    """One sentence on how to mend an error that a player raised, or "" where there is nothing to add.

    Looks at the frames of its traceback and into `agent_folders`.
    """
    try:
        return _hint(error)
    except Exception:  # the error is an object of the player's: its attributes may be anything
        return ""


def _hint(error: BaseException) -> str:
    if isinstance(error, ImportError):
        return _import(error)
    if isinstance(error, EOFError):
        return "Players have no keyboard: input() finds the end of the file at once."
    if isinstance(error, FileNotFoundError):
        return _missing_file(error)
    if isinstance(error, PermissionError):
        return _denied(error)
    if isinstance(error, RecursionError):
        return f"Calls were nested {sys.getrecursionlimit():,} deep: is there a recursion that never ends?"
    if isinstance(error, MemoryError):
        return "The player asked for more memory than its limit leaves."
    if isinstance(error, SystemExit):
        return "A player must not end its process: sys.exit(), exit() or quit() was called."
    if isinstance(error, (TypeError, ValueError, AttributeError, LookupError)) and _passed(_frames(error)):
        return "update(None) says that the opponent had no legal move and passed: handle None before anything else."
    if isinstance(error, AttributeError):
        return _attribute(str(error))
    if isinstance(error, (IndexError, ValueError)) and re.search(r"empty (sequence|range)", str(error)):
        return "There was nothing to choose from; action() returns None where the player has no legal move."
    if isinstance(error, TypeError):
        return _call(str(error))
    return ""


def _frames(error: BaseException) -> list[FrameType]:
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    return frames


def _passed(frames: list[FrameType]) -> bool:
    """Whether this happened below `update(None)`."""
    for frame in frames:
        code = frame.f_code
        if code.co_name == "update" and code.co_argcount == 2:
            return frame.f_locals.get(code.co_varnames[1], "") is None
    return False


def _import(error: ImportError) -> str:
    text, name = str(error), (error.name or "").partition(".")[0]
    if "no known parent package" in text:
        return "This module was imported by its plain name and so has no package: import its siblings without the dot."
    if "relative import" in text:
        return "Name the agent as a dotted module (package.module), seen from the folder that holds the package."
    if not isinstance(error, ModuleNotFoundError):
        return _attribute(text)
    if "is not a package" in text:
        return f"{name} is a single file here: is another module of that name in the way?"
    for folder in agent_folders:
        for entry in os.listdir(folder):
            stem = entry.removesuffix(".py")
            if stem.casefold() == name.casefold() and stem != name:
                return f"There is {entry}: upper and lower case count in the name of a module on this system."
    if name in sys.stdlib_module_names:
        return f"{name} is a part of Python that this installation leaves out."
    version = ".".join(map(str, sys.version_info[:2]))
    return (
        f"{name} is neither next to the player nor installed for the Python {version} that runs it; a module in a "
        "folder above is found when the agent is named as a dotted module from there."
    )


def _missing_file(error: FileNotFoundError) -> str:
    name = os.path.basename(str(error.filename or ""))
    for folder in agent_folders:
        if name and os.path.exists(os.path.join(folder, name)):
            return (
                f"{name} is next to the player: open it as os.path.join(os.path.dirname(__file__), {name!r}), which "
                "does not depend on the current directory."
            )
    return f"The current directory of the player is {os.getcwd()}."


def _denied(error: PermissionError) -> str:
    if error.filename is None:
        return "A confined player may start no processes, open no connections and change no file's mode or times."
    return (
        "A confined player may read the folder of its agent and Python's own files, and write only in the directory "
        "that tempfile.gettempdir() names."
    )


def _attribute(text: str) -> str:
    """For a name that a module does not have."""
    found = (
        re.match(r"(?:partially initialized )?module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'", text)
        or re.match(r"cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'", text)
        or re.match(r"`np\.(?P<name>\w+)` was removed", text)
    )
    if not found:
        return ""
    module, name = found.groupdict().get("module", "numpy"), found["name"]
    if name in REMOVED.get(module, {}):
        return f"{module}.{name} is gone since: write {REMOVED[module][name]} instead."
    if module in sys.stdlib_module_names:
        for folder in agent_folders:
            if os.path.isfile(os.path.join(folder, f"{module}.py")):
                return f"{module}.py is also the name of a module of the standard library: give it another."
    return ""


def _call(text: str) -> str:
    """For a function of the player's that does not take what it is passed."""
    called = re.match(r"(?:[\w.<>]+\.)?(\w+)\(\) (?:takes|missing|got an unexpected|got some positional)", text)
    return SIGNATURES.get(called[1], "") if called else ""

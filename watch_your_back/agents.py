"""Agent specs: where the Player class is that the user means.

A spec is a `.py` file, a directory, a dotted module looked up from the current directory, or the bare name of a bundled
agent; each may end in `:Class`. It is looked up in this order: a path, a module under the current directory, a bundled
agent; never the standard library or an installed package. `gtp:` and a command line is a program that speaks GTP.
Nothing of the agent is executed here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from watch_your_back.sources import command_fingerprint, defines, relative_level, survey

__all__ = ["GTP", "Agent", "AgentNotFound", "bundled", "find", "find_bundled"]

PLAYER_FILES = ("__init__.py", "player.py", "Player.py", "main.py")
"""Where a Player is looked for in a directory, before `<directory>.py` and the only other file that defines it."""

GTP = "gtp:"
"""What the spec of an external program begins with."""

_INTERPRETER = re.compile(r"(python|pypy|java|node|perl|ruby|php|lua|dotnet|wine|sh|bash)[\d.]*(\.exe)?", re.IGNORECASE)


class AgentNotFound(ValueError):
    """No agent is where the spec says; the message is one line on what was looked for and what is near."""


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent that was found, but not yet imported.

    `kind` is `person` for the bundled `human`, which talks to the terminal and is not confined, and `external` for a
    program, whose executable is `path`. `root` is the directory that the player may read and that is its current
    directory. `module` is the dotted name to import `path` under; its parent packages are the directories above `path`.
    `fingerprint` is that of its sources (`sources.survey`), or of the command and the files that it names; `numpy` is
    whether they may import NumPy.
    """

    spec: str
    name: str
    kind: Literal["player", "person", "external"]
    path: Path
    root: Path
    module: str
    class_name: str
    fingerprint: str
    numpy: bool = True

    @property
    def command(self) -> list[str]:
        """The words that start an external program."""
        import shlex

        return [str(self.path), *shlex.split(self.spec.removeprefix(GTP))[1:]]


def bundled() -> Mapping[str, Path]:
    """The bundled agents: the file of each by its bare name (`random`, `greedy`, ...)."""
    package = Path(os.path.realpath(__file__)).parent
    installed = package / "players"
    folder = installed if installed.is_dir() else package.parent / "players"
    files = sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))
    return {path.stem.removesuffix("_player"): path for path in files}


def find(spec: str, cwd: Path | None = None) -> Agent:
    """The agent that `spec` names, as seen from the directory `cwd` (the current one).

    Raises AgentNotFound.
    """
    here = Path(os.path.realpath(cwd or "."))
    if spec.startswith(GTP):
        return _program(spec, here)
    target, class_name = _split(spec, here)
    place = _locate(target, class_name, here)
    bare = {path: bare for bare, path in bundled().items()}.get(place.path)
    if bare is not None:
        place, folder = _file(place.path)._replace(name=bare), None
    else:
        folder = place.path.parent if place.dotted else place.root
    sources = survey(place.path, folder)
    return Agent(
        spec=spec,
        name=place.name if class_name == "Player" else f"{place.name}:{class_name}",
        kind="person" if bare == "human" else "player",
        path=place.path,
        root=place.root,
        module=place.module,
        class_name=class_name,
        fingerprint=sources.fingerprint,
        numpy=sources.numpy,
    )


def find_bundled(name: str) -> Agent:
    """The bundled agent of this name, whatever the current directory calls so. Raises KeyError."""
    return replace(find(str(bundled()[name])), spec=name)


def _program(spec: str, here: Path) -> Agent:
    import shlex
    import shutil

    try:
        words = shlex.split(spec.removeprefix(GTP))
    except ValueError as error:
        raise AgentNotFound(f"{spec!r} is no command line: {error}") from None
    if not words or "\0" in spec:
        raise AgentNotFound(f"{spec!r} names no program; a command line comes after gtp:, as in 'gtp:gnugo --mode gtp'")
    if os.name != "posix":
        raise AgentNotFound(f"{spec!r}: external programs are for POSIX systems only")
    wanted = os.path.expanduser(words[0])
    found = shutil.which(str(here / wanted) if os.sep in wanted else wanted)
    if found is None:
        where = "" if os.sep in wanted else " on the PATH"
        raise AgentNotFound(f"{spec!r}: there is no program {words[0]!r}{where} that can be run")
    path = here / found  # links are kept: what a program does may depend on the name that it is called by
    name = path.stem
    if _INTERPRETER.fullmatch(path.name):
        name = next((Path(word).stem for word in words[1:] if os.path.isfile(here / word)), name)
    return Agent(
        spec=spec,
        name=name,
        kind="external",
        path=path,
        root=here,
        module="",
        class_name="",
        fingerprint=command_fingerprint([str(path), *words[1:]], here),
    )


class _Place(NamedTuple):
    path: Path
    root: Path
    module: str
    name: str
    dotted: bool = False


def _split(spec: str, here: Path) -> tuple[str, str]:
    target, colon, class_name = spec.rpartition(":")
    if not colon or os.path.exists(_path(spec, here)):
        target, class_name = spec, "Player"
    elif not class_name.isidentifier():
        if re.match(r"[A-Za-z]:[\\/]", spec) and len(target) == 1:
            return spec, "Player"  # the colon belongs to a Windows drive
        raise AgentNotFound(f"{spec!r}: the name of a class comes after the colon, as in my_bot.py:Bot")
    if not target.strip() or "\0" in target:
        raise AgentNotFound(f"{spec!r} names no agent; give a file such as my_bot.py, or one of {_list(bundled())}")
    return target, class_name


def _path(target: str, here: Path) -> Path:
    return here / os.path.expanduser(target)


def _locate(target: str, class_name: str, here: Path) -> _Place:
    path = _path(target, here)
    source = Path(f"{path}.py")
    plain = not re.search(r"[/\\]", target)
    other = None
    if os.path.isfile(path):
        return _file(path)
    if os.path.isdir(path):
        # As in an import, a plain folder gives way to a module of the same name.
        if plain and os.path.isfile(source) and not os.path.isfile(path / "__init__.py"):
            return _file(source)
        try:
            return _file(_in_directory(path, class_name))._replace(name=Path(os.path.realpath(path)).name)
        except AgentNotFound as error:
            other = error
    elif os.path.isfile(source):
        return _file(source)
    if plain:
        place = _module(target, class_name, here) or _bundled(target)
        if place:
            return place
    raise other or AgentNotFound(_not_found(target, here))


def _module(target: str, class_name: str, here: Path) -> _Place | None:
    parts = target.split(".")
    if not all(parts):
        return None
    below = here.joinpath(*parts)
    package = below / "__init__.py"
    for path in (package, Path(f"{below}.py")):
        if os.path.isfile(path) and not (path == package and not defines(path, class_name)):
            return _Place(_readable(path), here, target, target, dotted=True)
    if len(parts) > 1 and os.path.isdir(below):
        path = _in_directory(below, class_name)
        return _Place(path, here, f"{target}.{_identifier(path.stem)}", target, dotted=True)
    return None


def _bundled(target: str) -> _Place | None:
    folder, _, last = target.rpartition(".")
    path = bundled().get(last.removesuffix("_player"))
    return _file(path) if path and folder in ("", "players", "watch_your_back.players") else None


def _file(place: Path) -> _Place:
    path = _readable(place)
    if path.suffix != ".py":
        raise AgentNotFound(f"{path} is not a Python file: its name does not end in .py")
    package = path.name == "__init__.py"
    name = path.parent.name if package else path.stem
    level = relative_level(path)
    if not level and not package:
        return _Place(path, path.parent, _identifier(path.stem), name)
    # A file that imports relatively belongs to the package around it, and is imported as a part of it.
    top = list(path.parents)[: max(level, 1)][-1]
    while level and top != top.parent and os.path.isfile(top.parent / "__init__.py"):
        top = top.parent
    parts = [top.name, *path.relative_to(top).with_suffix("").parts]
    return _Place(path, top, ".".join(map(_identifier, parts[:-1] if package else parts)), name)


def _readable(path: Path) -> Path:
    path = Path(os.path.realpath(path))
    try:
        with path.open("rb"):
            return path
    except OSError as error:
        raise AgentNotFound(f"{path} cannot be read: {error.strerror}") from None


def _identifier(name: str) -> str:
    """A name that can be a part of a dotted one; never `__main__`, which would run what is not meant for an import."""
    return {"": "_", "__main__": "main_"}.get(name, name.replace(".", "_"))


def _in_directory(place: Path, class_name: str) -> Path:
    """The file of a directory that defines the class."""
    folder = Path(os.path.realpath(place))
    try:
        present = sorted(name for name in os.listdir(folder) if name.endswith(".py") and name[0] != ".")
    except OSError as error:
        raise AgentNotFound(f"{place} cannot be read: {error.strerror}") from None
    usual = [name for name in dict.fromkeys((*PLAYER_FILES, f"{folder.name}.py")) if name in present]
    for name in usual:
        if defines(folder / name, class_name):
            return folder / name
    found = [name for name in present if defines(folder / name, class_name, itself=True)]
    if len(found) == 1:
        return folder / found[0]
    if found:
        raise AgentNotFound(f"{place} has several files with a class {class_name}: name one of {_list(found)}")
    looked = (
        f"looked in {_list(usual + [name for name in present if name not in usual])}" if present else "no .py files"
    )
    raise AgentNotFound(f"{place} is a directory, but no file in it defines a class {class_name} ({looked})")


def _not_found(target: str, here: Path) -> str:
    """What was looked for, and the nearest name that would have been found."""
    import difflib

    ending = ".py" if target.endswith(".py") else ""
    stem = target.removesuffix(ending)
    if re.search(r"[/\\]", target):
        before, wanted = os.path.split(stem)
        before, folder = os.path.join(before, ""), _path(before, here)
    else:
        before, dot, wanted = stem.rpartition(".")
        before, folder = before + dot, here.joinpath(*before.split("."))
    offered = {bare: bare for bare in bundled()}
    for name in sorted(os.listdir(folder)) if os.access(folder, os.R_OK) else ():
        if name[0] not in "._" and (name.endswith(".py") or os.path.isdir(folder / name)):
            near = name.removesuffix(".py")
            offered[near.casefold()] = before + near + (ending if near != name else "")
    close = difflib.get_close_matches(wanted.casefold(), offered, 1)
    if wanted[:1].isupper() and os.path.isfile(f"{folder}.py"):
        hint = f"did you mean {before[:-1]}:{wanted}?"
    else:
        hint = f"did you mean {offered[close[0]]}?" if close else f"the bundled agents are {_list(bundled())}"
    return f"there is no agent {target!r}: no file or folder, no module under {here}, no bundled agent ({hint})"


def _list(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join(shown[:8]) + (f" and {len(shown) - 8} more" if len(shown) > 8 else "")

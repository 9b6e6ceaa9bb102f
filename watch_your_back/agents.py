"""Agent specs: where the Player class is that the user means.

A spec is a `.py` file, a directory, a dotted module looked up from the current directory, or the bare name of a bundled
agent; each may end in `:Class`. It is looked up in this order: a path, a module under the current directory, a bundled
agent; never the standard library or an installed package. Nothing of the agent is executed here.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import ast

__all__ = ["Agent", "AgentNotFound", "bundled", "find"]

PLAYER_FILES = ("__init__.py", "player.py", "Player.py", "main.py")
"""Where a Player is looked for in a directory, before `<directory>.py` and the only other file that defines it."""

MAX_FILES, MAX_BYTES, MAX_ENTRIES = 1_000, 32 * 1_048_576, 20_000
"""Beyond so many files, bytes or directory entries a fingerprint covers the agent's folder without those below it."""

FOREIGN_FOLDERS = frozenset({"__pycache__", "site-packages", "node_modules"})
LEFT_BEHIND = frozenset(
    {".csv", ".db", ".html", ".jsonl", ".log", ".pyc", ".sgf", ".sqlite", ".sqlite3", ".svg", ".tmp"}
)
"""Files that matches leave next to an agent: they are no part of its fingerprint."""


class AgentNotFound(ValueError):
    """No agent is where the spec says; the message is one line on what was looked for and what is near."""


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent that was found, but not yet imported.

    `kind` is `person` for the bundled `human`, which talks to the terminal and is not confined. `root` is the directory
    that the player may read and that is its current directory. `module` is the dotted name to import `path` under; its
    parent packages are the directories above `path`. `fingerprint` is the SHA-256 in hex of the agent's sources:
    a bundled agent's file; otherwise the Python files in and below the agent's folder (its package's, if it has one)
    and the other files directly in it, without hidden files, virtual environments and what matches leave behind.
    """

    spec: str
    name: str
    kind: Literal["player", "person"]
    path: Path
    root: Path
    module: str
    class_name: str
    fingerprint: str


def bundled() -> Mapping[str, Path]:
    """The bundled agents: the file of each by its bare name (`random`, `greedy`, ...)."""
    package = Path(__file__).resolve().parent
    installed = package / "players"
    folder = installed if installed.is_dir() else package.parent / "players"
    files = sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))
    return {path.stem.removesuffix("_player"): path for path in files}


def find(spec: str, cwd: Path | None = None) -> Agent:
    """The agent that `spec` names, as seen from the directory `cwd` (the current one).

    Raises AgentNotFound.
    """
    here = Path(os.path.realpath(cwd or "."))
    target, class_name = _split(spec, here)
    path, root, module, name = _locate(target, class_name, here)
    own = {file: bare for bare, file in bundled().items()}.get(path)
    if own is not None:
        name, root, module = own, path.parent, path.stem
    sources = [path] if own is not None else _sources(path, path.parent if root == here else root)
    return Agent(
        spec=spec,
        name=name if class_name == "Player" else f"{name}:{class_name}",
        kind="person" if own == "human" else "player",
        path=path,
        root=root,
        module=module,
        class_name=class_name,
        fingerprint=_fingerprint(sources, path.parent),
    )


def _split(spec: str, here: Path) -> tuple[str, str]:
    target, colon, class_name = spec.rpartition(":")
    if not colon or _exists(here, spec):
        target, class_name = spec, "Player"
    elif not class_name.isidentifier():
        if not _exists(here, target) and target:
            return spec, "Player"  # perhaps a Windows path such as C:\bot.py
        raise AgentNotFound(f"{spec!r}: the name of a class comes after the colon, as in my_bot.py:Bot")
    if not target or "\0" in target:
        raise AgentNotFound(f"{spec!r} names no agent; try a file such as my_bot.py or one of {_list(bundled())}")
    return target, class_name


def _exists(here: Path, target: str) -> bool:
    return os.path.exists(here / os.path.expanduser(target))


def _locate(target: str, class_name: str, here: Path) -> tuple[Path, Path, str, str]:
    """The file, the root, the module to import it as, and a name for people."""
    place = here / os.path.expanduser(target)
    plain = not re.search(r"[/\\]", target)
    excuse = None
    if os.path.isfile(place):
        return _file(place)
    if os.path.isdir(place) and not (
        plain and os.path.isfile(f"{place}.py") and not os.path.isfile(place / "__init__.py")
    ):
        try:
            return _file(_in_directory(place, class_name))
        except AgentNotFound as error:
            if not plain:
                raise
            excuse = error  # a folder that happens to have the name of a module or of a bundled agent
    if target[-1] not in "/\\" and os.path.isfile(f"{place}.py"):
        return _file(Path(f"{place}.py"))
    if plain:
        below = here.joinpath(*target.split("."))
        for file in (below / "__init__.py", Path(f"{below}.py")):
            if os.path.isfile(file):
                return _readable(file), here, target, target
        if os.path.isdir(below):
            file = _in_directory(below, class_name)
            return _readable(file), here, f"{target}.{_identifier(file.stem)}", target
        folder, _, last = target.rpartition(".")
        own, bare = bundled(), last.removesuffix("_player")
        if bare in own and folder in ("", "players", "watch_your_back.players"):
            return _file(own[bare])
    raise excuse or AgentNotFound(_nothing(target, here))


def _readable(path: Path) -> Path:
    path = Path(os.path.realpath(path))
    try:
        with path.open("rb"):
            return path
    except OSError as error:
        raise AgentNotFound(f"{path} cannot be read: {error.strerror}") from None


def _file(place: Path) -> tuple[Path, Path, str, str]:
    path = _readable(place)
    if path.suffix != ".py":
        raise AgentNotFound(f"{path} is not a Python file: its name does not end in .py")
    package = path.name == "__init__.py"
    name = path.parent.name if package else path.stem
    level = _relative_level(path)
    if not level and not package:
        return path, path.parent, _identifier(path.stem), name
    # A file that imports relatively belongs to the package around it, which it is then imported with.
    top = ([path.parent, *path.parent.parents])[: max(level, 1)][-1]
    while level and top != top.parent and os.path.isfile(top.parent / "__init__.py"):
        top = top.parent
    parts = [top.name, *path.relative_to(top).with_suffix("").parts]
    return path, top, ".".join(map(_identifier, parts[:-1] if package else parts)), name


def _identifier(name: str) -> str:
    """A name that can be a part of a dotted one; `__main__` would run code that is not meant for an import."""
    return {"": "_", "__main__": "main_"}.get(name, name.replace(".", "_"))


def _relative_level(path: Path) -> int:
    """How many dots the relative imports of a file begin with at most; 0 for a file that has none."""
    source = path.read_bytes()
    if not re.search(rb"\bfrom[\s\\]*\.", source):
        return 0
    import ast

    tree = _parse(source)
    found = [node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)] if tree else []
    return max(found, default=0)


def _parse(source: bytes) -> ast.Module | None:
    """The syntax tree of a source, or None if it has none (importing it will say why)."""
    import ast
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _in_directory(place: Path, class_name: str) -> Path:
    """The file of a directory that defines the class."""
    folder = Path(os.path.realpath(place))
    present = _names(folder)
    usual = [name for name in dict.fromkeys((*PLAYER_FILES, f"{folder.name}.py")) if name in present]
    for name in usual:
        if _defines(folder / name, class_name):
            return folder / name
    others = sorted(name for name in present if name.endswith(".py") and name not in usual and name[0] != ".")
    found = [name for name in others if _defines(folder / name, class_name, certain=True)]
    if len(found) == 1:
        return folder / found[0]
    if found:
        raise AgentNotFound(f"{place} has several files with a class {class_name}: name one of {_list(found)}")
    looked = "no Python files in it"
    if usual or others:
        looked = f"looked in {_list((*usual, *others))}"
    raise AgentNotFound(f"{place} is a directory, but no file in it defines a class {class_name} ({looked})")


def _names(directory: Path) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _defines(path: Path, class_name: str, certain: bool = False) -> bool:
    """Whether a file binds a name at its top level; a file that cannot be parsed may, unless `certain`."""
    import ast

    try:
        tree = _parse(path.read_bytes())
    except OSError:
        return False
    if tree is None:
        return not certain

    def bound(statements: list[ast.stmt]) -> Iterator[str]:
        for each in statements:
            if isinstance(each, (ast.ClassDef, ast.FunctionDef)):
                yield each.name
            elif isinstance(each, (ast.Import, ast.ImportFrom)) and not certain:
                yield from (alias.asname or alias.name for alias in each.names)
            elif isinstance(each, ast.Assign):
                yield from (target.id for target in each.targets if isinstance(target, ast.Name))
            elif isinstance(each, (ast.If, ast.Try, ast.With)):
                yield from bound(each.body)
                yield from bound(getattr(each, "orelse", []))

    return class_name in bound(tree.body)


def _nothing(target: str, here: Path) -> str:
    import difflib

    parent = (here / os.path.expanduser(target)).parent
    nearby = [name for name in _names(parent) if name.endswith(".py") or (parent / name).is_dir()]
    offered = {name: os.path.join(os.path.dirname(target), name) for name in nearby if name[0] not in "._"}
    offered |= {name.removesuffix(".py"): path.removesuffix(".py") for name, path in offered.items()}
    offered |= {name: name for name in bundled()}
    folded = {name.casefold(): path for name, path in reversed(offered.items())}
    near = difflib.get_close_matches(os.path.basename(target).casefold(), folded, 1)
    module, _, last = target.rpartition(".")
    if module and last[:1].isupper() and os.path.isfile(here / (module.replace(".", "/") + ".py")):
        hint = f"did you mean {module}:{last}?"
    else:
        hint = f"did you mean {folded[near[0]]}?" if near else f"bundled are {_list(bundled())}"
    return f"there is no agent {target!r}: no such file or folder, no module under {here}, not bundled ({hint})"


def _list(names: Mapping[str, object] | tuple[str, ...] | list[str]) -> str:
    shown = list(names)
    return ", ".join(shown[:8]) + (", ..." if len(shown) > 8 else "")


def _sources(path: Path, folder: Path) -> list[Path]:
    """The files that a fingerprint covers, bounded."""
    found: list[Path] = []
    size = entries = 0
    for directory, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in FOREIGN_FOLDERS)
        if "pyvenv.cfg" in files:
            folders.clear()
            continue
        entries += len(folders) + len(files)
        for name in sorted(files):
            file = Path(directory, name)
            data = directory == str(folder) and file.suffix not in LEFT_BEHIND and name[-1] != "~"
            if name[0] != "." and (name.endswith(".py") or data) and file.is_file():
                found.append(file)
                size += file.stat().st_size
        if len(found) > MAX_FILES or size > MAX_BYTES or entries > MAX_ENTRIES:
            return [path, *(file for file in sorted(path.parent.glob("*.py")) if file != path and file.is_file())]
    return found


def _fingerprint(files: list[Path], folder: Path) -> str:
    digest = hashlib.sha256()
    for file in files:
        try:
            content = file.read_bytes()
        except OSError:
            content = b"(unreadable)"
        name = os.path.relpath(file, folder).replace(os.sep, "/").encode(errors="surrogateescape")
        digest.update(b"%d %s %d\n" % (len(name), name, len(content)))
        digest.update(content)
    return digest.hexdigest()

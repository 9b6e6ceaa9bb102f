"""What the text of an agent's sources says: what it imports and how, which names it defines, and a fingerprint of it.

Nothing is executed, and a file that cannot be parsed is no error here: importing it will say what is wrong.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ast

__all__ = ["Sources", "command_fingerprint", "defines", "relative_level", "survey"]

MAX_FILES, MAX_BYTES, MAX_ENTRIES = 1_000, 32 * 1_048_576, 20_000
"""Beyond so many files, bytes or directory entries a fingerprint leaves out the folders below and the data."""

MAX_DEPTH = 64
"""How many levels below the agent its folders are looked into."""

FOREIGN_FOLDERS = frozenset({"__pycache__", "site-packages", "node_modules"})
LEFT_BEHIND = frozenset(
    {
        ".db",
        ".db-shm",
        ".db-wal",
        ".html",
        ".jsonl",
        ".lock",
        ".log",
        ".pyc",
        ".sgf",
        ".sqlite",
        ".sqlite3",
        ".svg",
        ".tmp",
    }
)
"""Files that matches leave next to an agent: they are no part of its fingerprint."""


_IMPORT = re.compile(rb"(?:^|[\r;:'\"])[ \t\f]*(?:from[ \t]+(\w+)|import[ \t]+([^\r\n#;'\"]+))", re.MULTILINE)
_CONTINUED = re.compile(rb"\\\r?\n")
_TELLING = (b"numpy", b"__import__", b"import_module")


class Sources(NamedTuple):
    """What `survey` found: the SHA-256 (hex) of an agent's sources, and whether they may import NumPy.

    `numpy` is true where its name or a function that imports by name occurs, and where any package is imported that is
    neither Python's nor ours nor the agent's, since many of those import NumPy themselves.
    """

    fingerprint: str
    numpy: bool


def survey(path: Path, folder: Path | None) -> Sources:
    """Read an agent's sources. The fingerprint is one of names and contents, in a fixed order.

    Without a folder it covers the file alone. Otherwise the Python files in and below the folder and the other files
    directly in it (opening books, weights), but no hidden files, virtual environments, installed packages, or what
    matches leave behind. Above `MAX_FILES`, `MAX_BYTES` or `MAX_ENTRIES` only the Python files next to the agent count.
    """
    digest = hashlib.sha256()
    imported, own, named = set[str](), set[str](), False
    for file in _covered(path, folder) if folder else [path]:
        try:
            content = file.read_bytes()
        except OSError:
            content = b"(unreadable)"
        name = os.path.relpath(file, folder or path.parent).replace(os.sep, "/")
        encoded = name.encode(errors="surrogateescape")
        digest.update(b"%d %s %d\n" % (len(encoded), encoded, len(content)))
        digest.update(content)
        if name.endswith(".py"):
            own.update(name.removesuffix(".py").split("/"))
            imported.update(_imported(content))
            named = named or any(word in content for word in _TELLING)
    known = own | sys.stdlib_module_names | {"watch_your_back"}
    return Sources(digest.hexdigest(), named or not imported <= known)


def _imported(source: bytes) -> Iterator[str]:
    """The top-level names of what a source imports, but for what it imports relatively or by calling a function.

    What only looks like an import, in a sentence say, may be among them.
    """
    for package, several in _IMPORT.findall(_CONTINUED.sub(b" ", source.removeprefix(codecs.BOM_UTF8))):
        for each in [package] if package else several.split(b","):
            yield each.split(b".")[0].split(b" as ")[0].strip().decode(errors="replace")


def command_fingerprint(words: list[str], folder: Path) -> str:
    """The SHA-256 (hex) of a command line and of the files that its words name, the program itself first.

    `folder` is where it would be run. A file above `MAX_BYTES` (a network's weights) counts by its size and time.
    """
    digest = hashlib.sha256()
    for number, word in enumerate(words):
        said = os.path.basename(word) if number == 0 else word  # the same program elsewhere is the same
        path = folder / word
        content = b""
        try:
            if path.is_file():
                about = path.stat()
                large = about.st_size > MAX_BYTES
                content = b"%d %d" % (about.st_size, about.st_mtime_ns) if large else path.read_bytes()
        except (OSError, ValueError):
            content = b"(unreadable)"
        encoded = said.encode(errors="surrogateescape")
        digest.update(b"%d %s %d\n" % (len(encoded), encoded, len(content)))
        digest.update(content)
    return digest.hexdigest()


def _covered(path: Path, folder: Path) -> list[Path]:
    found: list[Path] = []
    size = entries = 0
    for directory, folders, files in os.walk(folder):
        here = Path(directory)
        if "pyvenv.cfg" in files:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in FOREIGN_FOLDERS)
        if len(here.parts) - len(folder.parts) >= MAX_DEPTH:
            folders.clear()
        entries += len(folders) + len(files)
        for name in sorted(name for name in files if name[0] != "."):
            file = here / name
            data = here == folder and Path(name.removesuffix(".gz")).suffix not in LEFT_BEHIND and name[-1] != "~"
            if (name.endswith(".py") or data) and file.is_file():
                found.append(file)
                size += file.stat().st_size
        if len(found) > MAX_FILES or size > MAX_BYTES or entries > MAX_ENTRIES:
            return sorted(file for file in path.parent.glob("*.py") if file.is_file())
    return found


def relative_level(path: Path) -> int:
    """How many dots the relative imports of a file begin with at most; 0 for a file that has none."""
    source = path.read_bytes()
    if not re.search(rb"\bfrom[\s\\]*\.", source):
        return 0
    import ast

    tree = _parse(source)
    found = [node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)] if tree else []
    return max(found, default=0)


def defines(path: Path, name: str, *, itself: bool = False) -> bool:
    """Whether a file binds `name` at its top level, or may, because it cannot be parsed or imports everything.

    With `itself` only a definition or an assignment in a file that can be parsed counts, not an import.
    """
    try:
        source = path.read_bytes() if path.is_file() else b""  # not a pipe, which would be waited for
    except OSError:
        return False
    if name.encode() not in source and b"*" not in source:
        return False
    tree = _parse(source)
    if tree is None:
        return not itself
    found = set(_bound(tree.body, imports=not itself))
    return name in found or "*" in found


def _bound(statements: list[ast.stmt], imports: bool) -> Iterator[str]:
    import ast

    for each in statements:
        if isinstance(each, (ast.ClassDef, ast.FunctionDef)):
            yield each.name
        elif isinstance(each, (ast.Import, ast.ImportFrom)) and imports:
            yield from (alias.asname or alias.name for alias in each.names)
        elif isinstance(each, ast.Assign):
            yield from (target.id for target in each.targets if isinstance(target, ast.Name))
        elif isinstance(each, (ast.If, ast.Try, ast.With)):
            yield from _bound(each.body, imports)
            yield from _bound(getattr(each, "orelse", []), imports)


def _parse(source: bytes) -> ast.Module | None:
    import ast

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

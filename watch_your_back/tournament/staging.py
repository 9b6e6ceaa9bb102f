"""A copy of its own for each agent of a tournament.

An agent plays from the copy, so nothing that happens to its sources changes a tournament that is going on, and no agent
can read another one's. The copy's folder is named after a hash of its contents.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from watch_your_back.agents import Agent, bundled
from watch_your_back.sources import FOREIGN_FOLDERS, LEFT_BEHIND
from watch_your_back.tournament.unpacking import MAX_BYTES, MAX_ENTRIES, Unfit

__all__ = ["Staged", "files_of", "hash_of", "stage"]


class Staged(NamedTuple):
    """An agent in its copy, and the hash of what is in there."""

    agent: Agent
    sources: str


def stage(agent: Agent, name: str, folder: Path, without: Collection[Path] = ()) -> Staged:
    """The agent under this name, in a copy below `folder` of all that it may read.

    Left out are hidden files, virtual environments, compiled modules, the folder itself and the files `without`. Raises
    Unfit, or OSError if something cannot be read or written.
    """
    alone = agent.path in bundled().values()
    left_out = {folder, *without}
    files = [agent.path.relative_to(agent.root)] if alone else list(files_of(agent.root, left_out))
    sources = hash_of(agent.root, files)
    root = folder / f"{_slug(name)}-{sources[:16]}" / (agent.root.name or "root")
    if not root.is_dir():
        _copy(agent.root, files, root)
    staged = replace(agent, name=name, path=root / agent.path.relative_to(agent.root), root=root)
    return Staged(staged, sources)


def files_of(root: Path, without: Collection[Path] = ()) -> Iterator[Path]:
    """The files below a directory that belong to an agent, as paths from there. Raises Unfit."""
    entries = size = 0
    for directory, folders, names in os.walk(root, onerror=_unreadable):
        here = Path(directory)
        if "pyvenv.cfg" in names:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in FOREIGN_FOLDERS)
        folders[:] = [name for name in folders if here / name not in without]
        for name in (*folders, *sorted(name for name in names if name[0] != "." and not name.endswith(".pyc"))):
            path = here / name
            if path in without:
                continue
            about = path.lstat()
            if stat.S_ISLNK(about.st_mode):
                raise Unfit(f"{path.relative_to(root)} is a link; put what it leads to in its place")
            if not (stat.S_ISREG(about.st_mode) or stat.S_ISDIR(about.st_mode)):
                raise Unfit(f"{path.relative_to(root)} is neither a file nor a folder")
            entries += 1
            if name not in folders:
                size += about.st_size
                yield path.relative_to(root)
        if entries > MAX_ENTRIES or size > MAX_BYTES:
            raise Unfit(
                f"there are more than {MAX_ENTRIES:,} files or {MAX_BYTES / 1_048_576:.0f} MB in and below its folder, "
                f"{root.name}; put the agent in a folder of its own"
            )


def hash_of(root: Path, files: list[Path]) -> str:
    """The SHA-256 (hex) of the names and contents of files below a directory, but for what matches leave behind."""
    digest = hashlib.sha256()
    for file in files:
        if Path(file.name.removesuffix(".gz")).suffix in LEFT_BEHIND:
            continue
        name = os.fsencode(file.as_posix())
        content = hashlib.sha256((root / file).read_bytes()).digest()
        digest.update(b"%d %s %s" % (len(name), name, content))
    return digest.hexdigest()


def _copy(source: Path, files: list[Path], root: Path) -> None:
    """Copy the files; the folder appears with all of them or not at all."""
    folder = root.parent
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    try:
        for file in files:
            target = draft / root.name / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / file, target, follow_symlinks=False)
            target.chmod(0o644)
        (draft / root.name).mkdir(exist_ok=True)
        for place in (draft, *(path for path in draft.rglob("*") if path.is_dir())):
            place.chmod(0o755)  # as root, players run as nobody, who must be able to read
        shutil.rmtree(folder, ignore_errors=True)  # of a copy that somebody has taken apart
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)[:60].lstrip(".") or "_"


def _unreadable(error: OSError) -> None:
    raise Unfit(f"{Path(error.filename).name} cannot be read: {error.strerror}")

"""The one directory that a player may write to. What is in it counts as the player's memory."""

from __future__ import annotations

import os
from contextlib import suppress

__all__ = ["MOST_KB", "Scratch", "make", "remove", "size_kb"]

MOST_KB = 256 * 1024
"""What a player may write at most, whatever memory it may have: this protects the disk."""
_ENTRY_KB = 4
"""What each file and directory is charged at least, as a block on disk."""
_DEPTH = 32
"""How many levels of directories are looked into."""


def make(parent: str) -> str:
    """The path of a new directory there, into which only this user can look. Raises OSError."""
    while True:  # by hand, since what the module tempfile imports would be in every player's memory
        path = os.path.join(os.path.abspath(parent), f"wyb-{_word()}")
        with suppress(FileExistsError):
            os.mkdir(path, 0o700)
            return path


class Scratch:
    """A scratch directory as the referee sees it."""

    def __init__(self, path: str) -> None:
        self.path = path

    def size_kb(self) -> int:
        """What its files take, in kB; each entry counts as 4 kB at least.

        Above `MOST_KB` it is not counted to the end. A directory that cannot be looked into, because of its mode or
        because it is nested too deep, counts as more than that.
        """
        total, folders, deepest = 0, [self.path], self.path.count(os.sep) + _DEPTH
        while folders and total <= MOST_KB:
            try:
                with os.scandir(folders.pop()) as entries:
                    for entry in entries:
                        total += _ENTRY_KB
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
                            total += MOST_KB if entry.path.count(os.sep) > deepest else 0
                        else:
                            with suppress(FileNotFoundError):
                                total += size_kb(entry.stat(follow_symlinks=False))
                        if total > MOST_KB:
                            break
            except FileNotFoundError:
                continue  # deleted in the meantime
            except OSError:
                total += MOST_KB
        return total


def size_kb(file: os.stat_result) -> int:
    """What a file takes, in kB."""
    return max(file.st_size, 512 * getattr(file, "st_blocks", 0)) // 1024


def remove(path: str) -> None:
    """Delete a directory in which nobody writes any more, however deep it is nested and whatever its modes are.

    What cannot be deleted stays; nothing is raised.
    """
    with suppress(OSError):
        os.rmdir(path)  # most players write nothing
        return
    if os.path.islink(path):  # a player put it there, where no Landlock forbade that
        with suppress(OSError):
            os.unlink(path)
        return
    # What is two levels down is moved up first, so that neither the depth nor the length of a path can matter.
    level = [path]
    while level:
        below: list[str] = []
        for folder in level:
            for inner in _emptied(folder):
                moved = os.path.join(path, _word())
                with suppress(OSError):
                    os.chmod(inner, 0o700)
                    os.rename(inner, moved)
                    below.append(moved)
            if folder != path:
                with suppress(OSError):
                    os.rmdir(folder)
        level = below
    with suppress(OSError):
        os.rmdir(path)


def _word() -> str:
    return os.urandom(8).hex()


def _emptied(folder: str) -> list[str]:
    """The directories in a directory, from which all files are deleted."""
    folders = []
    with suppress(OSError):
        os.chmod(folder, 0o700)
        with os.scandir(folder) as entries:
            for entry in list(entries):
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    with suppress(OSError):
                        os.unlink(entry.path)
    return folders

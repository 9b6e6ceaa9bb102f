"""The one directory that a player may write to. What is in it counts as the player's memory."""

from __future__ import annotations

import os
import shutil
import tempfile

__all__ = ["Scratch"]

_ENTRY_KB = 4
"""What each file and directory is charged at least, as a block on disk."""


class Scratch:
    """A private temporary directory, removed with `remove`."""

    def __init__(self) -> None:
        self.path = tempfile.mkdtemp(prefix="wyb-")
        os.utime(self.path, (0, 0))  # so that any change shows

    def size_kb(self) -> int:
        """What its files take, in kB; each entry counts as 4 kB at least."""
        try:
            if os.stat(self.path).st_mtime == 0:
                return 0
        except OSError:
            return 0
        total = 0
        for folder, folders, files in os.walk(self.path):
            total += _ENTRY_KB * (len(folders) + len(files))
            for name in files:
                try:
                    total += os.lstat(os.path.join(folder, name)).st_size // 1024
                except OSError:
                    continue
        return total

    def remove(self) -> None:
        """Delete it with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)

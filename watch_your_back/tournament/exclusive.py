"""One tournament, one run: a lock on its store that ends with the process, and what is no place for a store."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

import psutil

__all__ = ["Busy", "Lock", "network_file_system"]

_NETWORK = (
    "nfs", "cifs", "smb", "9p", "afs", "ceph", "lustre", "gpfs", "beegfs", "glusterfs", "ocfs2", "gfs2", "davfs",
    "webdav", "sshfs", "fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.s3fs", "fuse.rclone", "fuse.gcsfuse",
)  # fmt: skip
"""What the names of file systems begin with whose locks do not hold everywhere, or that SQLite must not trust."""


class Busy(Exception):
    """Another run has the store; the message says which process."""


class Lock:
    """A lock next to a file, held until `release` or the end of this process, however that comes. A context manager.

    Raises Busy at once when another process has it, and OSError.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(f"{path.name}.lock")
        self._file: IO[str] = open(self._path, "a+", encoding="ascii")  # noqa: SIM115
        try:
            _lock(self._file)
        except OSError:
            self._file.seek(0)
            holder = self._file.read(20).strip()
            self._file.close()
            by = f" (process {holder})" if holder.isdigit() else ""
            raise Busy(
                f"{path} is being written by another run{by}; wyb tournament status shows how far it is"
            ) from None
        self._file.truncate(0)
        self._file.write(f"{os.getpid()}\n")
        self._file.flush()

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Let others have it. The file stays: removing it would let two processes lock two files of the same name."""
        self._file.close()

    def remove(self) -> None:
        """Take the file away, where there is nothing to protect after all."""
        with suppress(OSError):
            self._path.unlink()


def network_file_system(path: Path) -> str | None:
    """The kind of network file system that a path is on, or None."""
    place = path.resolve()
    best, kind = "", ""
    for partition in psutil.disk_partitions(all=True):
        point = partition.mountpoint
        if len(point) >= len(best) and place.is_relative_to(point):
            remote = "remote" in partition.opts.split(",")  # a network drive of Windows
            best, kind = point, f"network drive {partition.fstype}" if remote else partition.fstype
    found = kind.lower().startswith(_NETWORK) or kind.startswith("network drive")
    return kind if found else None


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> None:
        file.seek(1 << 30)  # beyond the text, which others may read
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

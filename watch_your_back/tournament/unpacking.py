"""Unpacking an archive that somebody handed in, as if it were meant to do harm.

Nothing is written outside the target; links, devices and everything else but files and directories are refused; the
number of files, the bytes that they take and how much an archive expands are bounded while it is read, whatever it
says of itself.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple

__all__ = ["ARCHIVES", "MAX_BYTES", "MAX_ENTRIES", "Unfit", "stem", "unpack"]

ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar")
"""What the names of archives end in."""

MAX_ENTRIES, MAX_BYTES = 5_000, 128 * 1_048_576
"""How many files and directories a submission may have, and how many bytes together."""
MAX_RATIO, RATIO_FROM = 200, 4 * 1_048_576
"""How many times its own size an archive may expand to, once that is so many bytes: more is a bomb, not a player."""

_CHUNK = 65_536
_TAR_OVERHEAD = 4_096  # bytes of headers and padding for each entry, with long names
_JUNK = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"}


class Unfit(ValueError):
    """A submission that cannot be taken in; the message says why, in one line for its author."""


class _Entry(NamedTuple):
    name: str
    is_directory: bool
    open: Callable[[], IO[bytes]]


def stem(path: Path) -> str | None:
    """The name of an archive without what says that it is one; None for any other file."""
    for ending in ARCHIVES:
        if path.name.lower().endswith(ending) and len(path.name) > len(ending):
            return path.name[: -len(ending)]
    return None


def unpack(archive: Path, target: Path) -> None:
    """Unpack a zip or tar archive into the directory `target`, which is there and empty. Raises Unfit, or OSError."""
    reader = _read_zip if archive.name.lower().endswith(".zip") else _read_tar
    budget = _Budget(archive.stat().st_size)
    try:
        for entry in reader(archive, budget):
            _write(entry, target, budget)
    except (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, UnicodeError) as error:
        raise Unfit(f"it is damaged, or no archive of the kind that its name says: {_line(error)}") from None
    except NotImplementedError as error:
        raise Unfit(f"it is packed in a way that is not supported: {_line(error)}") from None
    except RuntimeError as error:  # encrypted
        raise Unfit(f"it cannot be unpacked: {_line(error)}") from None
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise Unfit("two of its entries have the same name, or one of a file and one of a directory") from None
    except OSError as error:
        if error.errno is not None:  # the system's, not the decompressors'
            raise
        raise Unfit(f"it is damaged: {_line(error)}") from None


class _Budget:
    """What may still be unpacked."""

    def __init__(self, size: int) -> None:
        if size > MAX_BYTES:
            raise Unfit(f"it is larger than {MAX_BYTES / 1_048_576:,.0f} MB")
        self._most = min(MAX_BYTES, max(RATIO_FROM, MAX_RATIO * size))
        self._entries = self._bytes = 0

    def spend_entry(self) -> None:
        self._entries += 1
        if self._entries > MAX_ENTRIES:
            raise Unfit(f"it has more than {MAX_ENTRIES:,} files and folders")

    def spend_bytes(self, count: int) -> None:
        self._bytes += count
        if self._bytes > self._most:
            why = "" if self._most == MAX_BYTES else f", {MAX_RATIO} times the archive"
            raise Unfit(f"it expands to more than {self._most / 1_048_576:,.0f} MB{why}")


def _read_zip(archive: Path, budget: _Budget) -> Iterator[_Entry]:
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            budget.spend_entry()
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise Unfit(f"{_shown(info.filename)} in it is neither a file nor a folder (a link, perhaps)")
            yield _Entry(info.filename, info.is_dir(), lambda info=info: opened.open(info))  # type: ignore[misc]


def _read_tar(archive: Path, budget: _Budget) -> Iterator[_Entry]:
    # Read as a stream, whose every byte counts: a header can be as large as it likes, too.
    with archive.open("rb") as file, _decompressed(file, archive.name.lower()) as stream:
        counted: Any = _Counted(stream, MAX_BYTES + MAX_ENTRIES * _TAR_OVERHEAD)
        with tarfile.open(fileobj=counted, mode="r|") as opened:
            for info in opened:
                budget.spend_entry()
                if not (info.isfile() or info.isdir()):
                    raise Unfit(f"{_shown(info.name)} in it is neither a file nor a folder (a link, perhaps)")
                yield _Entry(info.name, info.isdir(), lambda info=info: opened.extractfile(info))  # type: ignore


def _decompressed(file: IO[bytes], name: str) -> Any:
    if name.endswith((".gz", ".tgz")):
        return gzip.open(file)
    return bz2.open(file) if name.endswith(".bz2") else lzma.open(file) if name.endswith(".xz") else file


class _Counted:
    """A stream that ends in Unfit after so many bytes."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream, self._left = stream, most

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise Unfit(f"it expands to more than {MAX_BYTES / 1_048_576:,.0f} MB")
        return data


def _write(entry: _Entry, target: Path, budget: _Budget) -> None:
    parts = _parts(entry.name.replace("\\", "/"))  # which some programs for Windows write
    if not parts or _JUNK & set(parts):
        return
    path = target.joinpath(*parts)
    if entry.is_directory:
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with entry.open() as source, path.open("xb") as file:
        while chunk := source.read(_CHUNK):
            budget.spend_bytes(len(chunk))
            file.write(chunk)


def _parts(name: str) -> tuple[str, ...]:
    """The parts of a path that stays inside whatever it is put into, on every system."""
    path = PurePosixPath(name)
    parts = path.parts
    if path.is_absolute() or ".." in parts or re.search(r"^[A-Za-z]:|[\0-\x1f]", name) or len(name) > 1_000:
        raise Unfit(f"{_shown(name)} in it is no path inside the submission")
    return parts


def _shown(name: str) -> str:
    return f"{name!r:.80}"


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__

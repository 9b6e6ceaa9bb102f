"""Writing the record of a match while it is played: JSON Lines, one event a line, flushed at once.

The format is described in `docs/records.md` and in `record.schema.json` beside this module;
`watch_your_back.match.record` reads it back.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import gzip
import hashlib
import importlib.metadata
import json
import os
import platform
import re
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from watch_your_back import __version__
from watch_your_back.agents import Agent
from watch_your_back.game import State
from watch_your_back.match.events import (
    ActionTaken,
    Event,
    MatchEnded,
    MatchStarted,
    PlayerFailed,
    PlayerOutput,
    PlayerStarted,
    TurnStarted,
    Usage,
)

__all__ = ["FORMAT", "VERSION", "RecordWriter", "digest"]

FORMAT = "watch-your-back record"
VERSION = 1

_json = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def digest(state: State) -> str:
    """16 hexadecimal digits that tell this state's diagram from any other: the start of its SHA-256."""
    return hashlib.sha256(state.text().encode("utf-8", "surrogatepass")).hexdigest()[:16]


class RecordWriter:
    """A listener of match events that writes the record of one match.

    The target is a text stream, which is left open, or a path (compressed when it ends in `.gz`). At a path, the file
    appears complete with its header when the match starts and grows line by line. A record that was there before is
    replaced in that moment and not earlier; any other file is never replaced.

    `python_hash_seed` is the PYTHONHASHSEED of the players' processes; None where it is drawn afresh.

    Raises OSError when the file cannot be made (on construction) or written (on the event), FileExistsError for a path
    that holds something that is no record.
    """

    def __init__(self, target: TextIO | str | os.PathLike[str], *, python_hash_seed: int | None = 0) -> None:
        self._hash_seed = python_hash_seed
        self._file: _File | None = None
        self._sides: list[str] = []
        self._names: tuple[str, str] = ("", "")
        if not isinstance(target, (str, os.PathLike)):
            self._stream = target
            return
        try:
            self._file = _File(Path(target))
        except OSError as error:
            if error.errno is None:
                raise
            raise OSError(error.errno, error.strerror, os.fspath(target)) from error
        self._stream = self._file.stream

    def __call__(self, event: Event) -> None:
        """Write the line of this event, if it has one. Raises OSError."""
        if type(event) is ActionTaken:  # the one line that is written hundreds of times, so it is put together by hand
            line = (
                f'{{"event":"action","ply":{event.ply},"side":{self._sides[event.side]},"action":{_json(event.action)}'
                f',"cpu_s":{event.cpu_s:.6f},"wall_s":{event.wall_s:.6f},"memory_mb":{event.usage.memory_mb:.3f}}}\n'
            )
        elif isinstance(event, TurnStarted):
            return
        else:
            line = _json(self._describe(event)) + "\n"
        try:
            self._stream.write(line)
            self._stream.flush()
            if self._file is not None and isinstance(event, MatchStarted):
                self._stream = self._file.publish()
            elif isinstance(event, MatchEnded):
                self.close()
        except OSError as error:
            if self._file is None or error.errno is None:
                raise
            with contextlib.suppress(OSError):
                self.close()
            why = f"the record cannot be written: {error.strerror}"
            raise OSError(error.errno, why, str(self._file.path)) from error

    def close(self) -> None:
        """Close the file that was opened for a path; without a match there is none. Closing twice does no harm."""
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _describe(self, event: Event) -> dict[str, Any]:
        match event:
            case MatchStarted():
                self._names = event.game.sides
                self._sides = [_json(name) for name in event.game.sides]
                return {**_header(event), "python_hash_seed": self._hash_seed}
            case PlayerStarted():
                return {
                    "event": "started",
                    "side": self._names[event.side],
                    "tier": event.tier,
                    **_rounded(event.usage),
                }
            case PlayerOutput():
                return {"event": "output", **event._asdict(), "side": self._names[event.side]}
            case PlayerFailed():
                return {"event": "failure", **event._asdict(), "side": self._names[event.side]}
            case MatchEnded():
                return self._end(event)
            case _:
                raise TypeError(f"not an event of a match: {type(event).__name__}")

    def _end(self, event: MatchEnded) -> dict[str, Any]:
        usage = [{**_rounded(used), "turns": used.turns} for used in event.usage]
        return {
            "event": "end",
            "winner": None if event.winner is None else self._names[event.winner],
            "reason": event.reason,
            "detail": event.detail,
            "ply": event.ply,
            "tiers": dict(zip(self._names, event.tiers, strict=True)),
            "usage": dict(zip(self._names, usage, strict=True)),
            "state": digest(event.state),
        }


class _File:
    """The file at a path: written beside it until it has a header, then moved there and appended to."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()  # through a symbolic link, so that the link stays one
        self._draft: Path | None = None
        if path.exists() and not path.is_file():  # a terminal, a pipe, /dev/null: there is nothing to replace
            self.stream = _open(path, "w")
            return
        if path.exists() and not _is_record(path):
            raise FileExistsError(errno.EEXIST, "this file is no record of a match and is not overwritten", str(path))
        draft = self.path.with_name(f".part-{os.getpid()}-{self.path.name}")
        self.stream = _open(draft, "w")
        self._draft = draft

    def publish(self) -> TextIO:
        """Move the file to its path and return the stream to go on writing to."""
        if self._draft is not None:
            self.stream.close()  # before it is moved: some systems do not move an open file
            os.replace(self._draft, self.path)
            self._draft = None
            self.stream = _open(self.path, "a")
        return self.stream

    def close(self) -> None:
        self.stream.close()
        if self._draft is not None:
            self._draft.unlink(missing_ok=True)
            self._draft = None


def _open(path: Path, mode: str) -> TextIO:
    opening: Any = gzip.open if path.suffix == ".gz" else open
    stream: TextIO = opening(path, mode + "t", encoding="ascii", newline="\n")
    return stream


def _is_record(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(2)
        file.seek(0)
        if start == b"\x1f\x8b":
            try:
                with gzip.open(file) as inside:
                    start = inside.read(100)
            except (OSError, EOFError):
                return False
        else:
            start = file.read(100)
    return not start or start.startswith(b'{"event":"header","format":"%s"' % FORMAT.encode())


def _header(event: MatchStarted) -> dict[str, Any]:
    game, sides = event.game, event.game.sides
    return {
        "event": "header",
        "format": FORMAT,
        "version": VERSION,
        "game": game.id,
        "rules_version": game.rules_version,
        "options": asdict(game.options),
        "sides": list(sides),
        "agents": dict(zip(sides, map(_agent, event.agents), strict=True)),
        "slots": dict(zip(sides, event.slots, strict=True)),
        "seed": event.seed,
        "seeds": dict(zip(sides, event.seeds, strict=True)),
        "limits": {
            "profile": event.limits.profile,
            "cpu_s": event.limits.cpu_s,
            "memory_mb": event.limits.memory_mb,
        },
        "start": None if event.state == game.initial() else event.state.text(),
        "started": datetime.now().astimezone().isoformat(timespec="milliseconds"),
        **_surroundings(),
    }


def _agent(agent: Agent) -> dict[str, Any]:
    return {
        "name": agent.name,
        "spec": _portable(agent.spec),
        "kind": agent.kind,
        "class": agent.class_name,
        "fingerprint": agent.fingerprint,
    }


def _portable(spec: str) -> str:
    """The spec with absolute paths in it cut down to what lies below the current directory, or to their last part."""

    def shorten(found: re.Match[str]) -> str:
        path = Path(found[0]).expanduser()
        return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.name

    return re.sub(r"(?:^|(?<=[\s:=]))(?:[/~]|[A-Za-z]:[\\/])[^\s:=]+", shorten, spec)


def _rounded(usage: Usage) -> dict[str, float]:
    return {
        "cpu_s": round(usage.cpu_s, 6),
        "wall_s": round(usage.wall_s, 6),
        "memory_mb": round(usage.memory_mb, 3),
    }


@functools.cache
def _surroundings() -> dict[str, Any]:
    return {
        "machine": {
            "system": platform.system(),
            "release": platform.release(),
            "machine": platform.machine(),
            "cpus": os.cpu_count() or 1,
        },
        "versions": {
            "watch_your_back": __version__,
            "python": platform.python_version(),
            "numpy": _installed("numpy"),
        },
    }


def _installed(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None

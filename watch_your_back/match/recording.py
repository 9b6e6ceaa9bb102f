"""Writing the record of a match while it is played: JSON Lines, one event a line, flushed at once.

The format is described in `docs/records.md` and in `record.schema.json` beside this module;
`watch_your_back.match.record` reads it back.
"""

from __future__ import annotations

import errno
import functools
import gzip
import hashlib
import importlib.metadata
import json
import os
import platform
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from watch_your_back import __version__
from watch_your_back.agents import Agent
from watch_your_back.confine.environment import HASH_SEED
from watch_your_back.confine.protocol import dump
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

__all__ = ["FORMAT", "VERSION", "RecordWriter", "digest", "portable"]

FORMAT = "watch-your-back record"
VERSION = 1

_json = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def digest(state: State) -> str:
    """16 hexadecimal digits that tell this state's diagram from any other: the start of its SHA-256."""
    return hashlib.sha256(state.text().encode("utf-8", "surrogatepass")).hexdigest()[:16]


def portable(text: str, agents: Iterable[Agent]) -> str:
    """The text with the files of the agents named as seen from their roots, so that it tells nothing of the machine."""
    for agent in agents:
        if len(agent.root.parts) > 1:
            text = text.replace(f"{agent.root}{os.sep}", "")
    return text


class RecordWriter:
    """A listener of match events that writes the record of one match.

    The target is a text stream, which is left open, or a path (compressed when it ends in `.gz`). At a path, the file
    appears complete with its header when the match starts and grows line by line. A record that was there before is
    replaced in that moment and not earlier; any other file is never replaced.

    `python_hash_seed` is the PYTHONHASHSEED of the players' processes; None where it is drawn afresh.

    Raises OSError when a file cannot be made at the path (on construction, with FileExistsError for a path that holds
    something that is no record) or cannot be written (on the event).
    """

    def __init__(self, target: TextIO | str | os.PathLike[str], *, python_hash_seed: int | None = HASH_SEED) -> None:
        self._hash_seed = python_hash_seed
        self._sides: list[str] = []
        self._names: tuple[str, str] = ("", "")
        self._agents: Sequence[Agent] = ()
        self._path: Path | None = None
        self._stream: TextIO | None = None
        if isinstance(target, (str, os.PathLike)):
            self._path = Path(target)
            _refuse_unfit(self._path)
        else:
            self._stream = target

    def __call__(self, event: Event) -> None:
        """Write the line of this event, if it has one. Raises OSError.

        Where the start of the match was missed, because it was interrupted in that moment, nothing is written.
        """
        stream = self._stream
        if (stream is None or not self._sides) and not isinstance(event, MatchStarted):
            return
        if type(event) is ActionTaken:  # the one line that is written hundreds of times, so it is put together by hand
            line = (
                f'{{"event":"action","ply":{event.ply},"side":{self._sides[event.side]},"action":{dump(event.action)}'
                f',"cpu_s":{event.cpu_s:.6f},"wall_s":{event.wall_s:.6f},"memory_mb":{event.usage.memory_mb:.3f}}}\n'
            )
        elif isinstance(event, TurnStarted):
            return
        else:
            line = _json(self._describe(event)) + "\n"
        try:
            if stream is None:
                assert self._path is not None
                self._stream = _begin(self._path, line)
                return
            stream.write(line)
            stream.flush()
            if self._path is not None and isinstance(event, MatchEnded):
                stream.close()
        except OSError as error:
            if self._path is None or error.errno is None:
                raise
            why = f"the record cannot be written: {error.strerror}"
            raise OSError(error.errno, why, str(self._path)) from error

    def _describe(self, event: Event) -> dict[str, Any]:
        match event:
            case MatchStarted():
                self._names = event.game.sides
                self._sides = [_json(name) for name in event.game.sides]
                self._agents = event.agents
                return {**_header(event), "python_hash_seed": self._hash_seed}
            case PlayerStarted():
                return {
                    "event": "started",
                    "side": self._names[event.side],
                    "tier": event.tier,
                    **_rounded(event.usage),
                    **({"program": event.program} if event.program else {}),
                }
            case PlayerOutput():
                return {"event": "output", **event._asdict(), "side": self._names[event.side]}
            case PlayerFailed():
                told = {name: portable(getattr(event, name), self._agents) for name in ("detail", "traceback")}
                return {"event": "failure", **event._asdict(), "side": self._names[event.side], **told}
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
            "detail": portable(event.detail, self._agents),
            "ply": event.ply,
            "tiers": dict(zip(self._names, event.tiers, strict=True)),
            "usage": dict(zip(self._names, usage, strict=True)),
            "state": digest(event.state),
        }


def _refuse_unfit(path: Path) -> None:
    """Raise the OSError that writing a record to this path would run into, as far as can be seen beforehand."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "this is a directory", str(path))
    if path.is_file() and not _is_record(path):
        raise FileExistsError(errno.EEXIST, "this file is no record of a match and is not overwritten", str(path))
    if path.is_file() or not path.exists():
        draft = _draft(path)
        try:
            _open(draft, "w").close()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from error
        draft.unlink()


def _begin(path: Path, header: str) -> TextIO:
    """The open file at this path with the header in it, which takes the place of an older one all at once."""
    if path.exists() and not path.is_file():  # a terminal, a pipe, /dev/null: there is nothing to replace
        draft = path
    else:
        path = path.resolve()  # through a symbolic link, so that the link stays one
        draft = _draft(path)
    file = _open(draft, "w")
    try:
        file.write(header)
        file.flush()
        if draft != path and os.name == "nt":  # where an open file cannot be moved
            file.close()
            os.replace(draft, path)
            return _open(path, "a")
        if draft != path:  # kept open, since another referee may put its own record there in the next moment
            os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            file.close()
        if draft != path:
            draft.unlink(missing_ok=True)
        raise
    return file


def _draft(path: Path) -> Path:
    return path.resolve().with_name(f".part-{os.getpid()}-{path.name}")


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
        "opening": event.opening,
        "started": datetime.now().astimezone().isoformat(timespec="milliseconds"),
        **_surroundings(),
    }


def _agent(agent: Agent) -> dict[str, Any]:
    return {
        "name": agent.name,
        "spec": _without_absolute_paths(agent.spec),
        "kind": agent.kind,
        "class": agent.class_name,
        "fingerprint": agent.fingerprint,
    }


def _without_absolute_paths(spec: str) -> str:
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

"""How a tournament stands, told again whenever its store has changed."""

from __future__ import annotations

import os
import threading
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from watch_your_back.report.failing import failing
from watch_your_back.report.gathering import gather
from watch_your_back.report.scores import Scores
from watch_your_back.report.standings import crosstable, ratings, sides
from watch_your_back.show.text import clean
from watch_your_back.tournament.store import Store, StoreError, store_files

__all__ = ["Standings", "overview", "stamp"]

SHARE = 4
"""After the standing has been worked out, it rests for so many times as long as that took."""


def stamp(path: Path) -> tuple[tuple[int, int], ...]:
    """What is different as soon as anything was written to the store."""
    found = []
    for file in store_files(path)[:2]:
        try:
            about = os.stat(file)
            found.append((about.st_mtime_ns, about.st_size))
        except OSError:
            found.append((0, 0))
    return tuple(found)


def overview(name: str, path: Path) -> dict[str, Any]:
    """A tournament in one line of a list, as a JSON value."""
    try:
        with Store(path) as store:
            settings = store.settings
            ((matches,),) = store.rows("SELECT count(*) FROM counted")
            ((agents,),) = store.rows("SELECT count(*) FROM agents")
    except StoreError as error:
        return {"of": name, "error": clean(str(error))}
    return {
        "of": name,
        "game": settings.game.title if settings else "",
        "agents": agents,
        "matches": matches,
        "error": "",
    }


class Standings:
    """The standings of tournaments, worked out once for all that look at them."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[object, dict[str, Any]]] = {}
        self._rest: dict[Path, float] = {}
        self._lock = threading.Lock()

    def of(self, path: Path) -> dict[str, Any]:
        """The standing as a JSON value, as new as may be. Raises StoreError."""
        with self._lock:
            return self._of(path)

    def _of(self, path: Path) -> dict[str, Any]:
        now = stamp(path)
        known = self._known.get(path)
        if known is not None and (known[0] == now or time.monotonic() < self._rest[path]):
            return known[1]
        began = time.monotonic()
        told = _told(path)
        self._known[path] = now, told
        self._rest[path] = time.monotonic() + SHARE * (time.monotonic() - began)
        return told


def _told(path: Path) -> dict[str, Any]:
    with Store(path) as store:
        if store.settings is None:
            return {"waiting": True}
        report, _ = gather(store, path.stem, datetime.now().astimezone())
    scores = Scores(report.counted)
    return {
        "waiting": False,
        "agents": [clean(each.name) for each in report.contestants],
        "playing": len(report.playing),
        "played": len(report.counted),
        "planned": report.planned,
        "notes": [clean(note) for note in report.notes],
        "settings": [[label, clean(value)] for label, value in report.settings],
        "parts": {
            "ratings": ratings(report, scores),
            "crosstable": crosstable(report, scores),
            "sides": sides(report, scores),
            "failures": failing(report),
        },
    }

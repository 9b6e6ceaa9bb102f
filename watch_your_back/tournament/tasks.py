"""One match as a worker gets it, and what comes back: both can be pickled and are small."""

from __future__ import annotations

import gzip
import hashlib
import io
import platform
import threading
import time
from dataclasses import dataclass
from typing import NamedTuple

from watch_your_back.agents import Agent
from watch_your_back.game import Action, Game
from watch_your_back.match import Confinement, Limits, Match, run
from watch_your_back.match.events import ActionTaken, Event, MatchEnded, PlayerFailed, Reason, Usage
from watch_your_back.match.record import RecordWriter
from watch_your_back.match.recording import portable
from watch_your_back.tournament.trail import Trail

__all__ = ["WORKER_LOST", "MatchResult", "MatchTask", "own_confinement", "pair_seed", "play_task"]

WORKER_LOST = "worker lost"
"""The reason of a match whose worker died each time that it was tried: void, like an interrupted one."""


@dataclass(frozen=True, slots=True)
class MatchTask:
    """A match to be played by a worker.

    `id` is stable: the same match of the same series has the same one whenever it is tried. `agents` are by slot, in
    the order in which they were named; the one in slot `first` plays the first side. The match begins after the
    `opening`, which players without the method `start` cannot. `keep_record` asks for the record.
    """

    id: str
    game: Game
    agents: tuple[Agent, Agent]
    first: int
    limits: Limits
    seed: int
    require_tier: str | None = None
    opening: tuple[Action, ...] = ()
    keep_record: bool = True
    allow_external: bool = False

    @property
    def slots(self) -> tuple[int, int]:
        """The slot that sits at each side."""
        return self.first, 1 - self.first

    @property
    def match(self) -> Match:
        """What is to be played."""
        seated = self.agents[self.first], self.agents[1 - self.first]
        setting = (self.game, seated, self.limits, self.seed, self.slots, self.require_tier)
        return Match(*setting, opening=self.opening, allow_external=self.allow_external)


class MatchResult(NamedTuple):
    """How a match went.

    `winner` is a slot or None. `slots`, `usage`, `tiers` and `slowest_s` (CPU seconds of the longest turn) are by side.
    `void` means that it counts for nobody. `record` is the record, compressed by gzip, or empty. `trail` is the same
    text for two matches that went the same way (see `Trail`). `wall_s` is what the match took, `machine` where.
    """

    id: str
    winner: int | None
    reason: str
    detail: str
    void: bool
    ply: int
    slots: tuple[int, int]
    usage: tuple[Usage, Usage]
    tiers: tuple[str, str]
    slowest_s: tuple[float, float]
    failures: tuple[PlayerFailed, ...]
    record: bytes
    trail: str
    wall_s: float
    machine: str

    @classmethod
    def lost(cls, task: MatchTask, detail: str) -> MatchResult:
        """The void result of a match that no worker survived."""
        unused, none = (Usage(), Usage()), ("none", "none")
        why = (WORKER_LOST, detail, True, 0)
        return cls(task.id, None, *why, task.slots, unused, none, (0.0, 0.0), (), b"", "", 0.0, "")

    def portable(self, agents: tuple[Agent, Agent]) -> MatchResult:
        """The result with the files of its agents named as seen from their roots, as a record has them."""
        failures = (
            failure._replace(detail=portable(failure.detail, agents), traceback=portable(failure.traceback, agents))
            for failure in self.failures
        )
        return self._replace(detail=portable(self.detail, agents), failures=tuple(failures))

    def usage_of(self, slot: int) -> Usage:
        """What the agent in this slot used."""
        return self.usage[self.slots.index(slot)]


def pair_seed(seed: int, number: int, *names: str) -> int:
    """The seed of both matches of the pair with this number in a series, 63 bits.

    In a tournament the names of the two agents go in as well, so that no two pairings see the same chances.
    """
    words = "\0".join((str(seed), str(number), *names))
    digest = hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") >> 1


_own = threading.local()  # a Confinement plays one match at a time, so every thread has its own


def own_confinement() -> Confinement:
    """The confinement of this thread, which is kept for whatever it plays next."""
    if not hasattr(_own, "confinement"):
        _own.confinement = Confinement()
    confinement: Confinement = _own.confinement
    return confinement


def play_task(task: MatchTask) -> MatchResult:
    """Play the match in this process, on a confinement that is kept for the next one.

    Raises TierUnavailable when the players cannot be confined as the task requires.
    """
    began = time.perf_counter()
    confinement = own_confinement()
    witness = _Witness(task)
    text = io.StringIO()
    listeners = (RecordWriter(text), witness) if task.keep_record else (witness,)
    ended = run(task.match, *listeners, confinement=confinement)
    if ended.reason == Reason.REFEREE_ERROR:  # maybe the zygote's, so the next match gets another one
        confinement.close()
        del _own.confinement
    record = gzip.compress(text.getvalue().encode(), 6, mtime=0) if task.keep_record else b""
    return witness.result(ended, record, time.perf_counter() - began)


class _Witness:
    """A listener that keeps what a result tells beside the end."""

    def __init__(self, task: MatchTask) -> None:
        self._task = task
        self._trail = Trail(task.game)
        self._failures: list[PlayerFailed] = []
        self._slowest_s = [0.0, 0.0]

    def __call__(self, event: Event) -> None:
        if isinstance(event, ActionTaken):
            self._trail.add(event.action, event.state)
            if event.cpu_s > self._slowest_s[event.side]:
                self._slowest_s[event.side] = event.cpu_s
        elif isinstance(event, PlayerFailed):
            self._failures.append(event)

    def result(self, ended: MatchEnded, record: bytes, wall_s: float) -> MatchResult:
        slots = self._task.slots
        return MatchResult(
            id=self._task.id,
            winner=None if ended.winner is None else slots[ended.winner],
            reason=ended.reason,
            detail=ended.detail,
            void=ended.void,
            ply=ended.ply,
            slots=slots,
            usage=ended.usage,
            tiers=ended.tiers,
            slowest_s=(self._slowest_s[0], self._slowest_s[1]),
            failures=tuple(self._failures),
            record=record,
            trail=self._trail.digest(),
            wall_s=wall_s,
            machine=platform.node(),
        )

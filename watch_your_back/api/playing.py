"""`watch_your_back.play`: one match, and what it came to as a value."""

from __future__ import annotations

import atexit
import io
import os
import secrets
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from watch_your_back.api.classes import Given, agents_of
from watch_your_back.confine import runner
from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.confine.limits import NO_LIMITS, Limits
from watch_your_back.confine.tiers import MEANING, weaker
from watch_your_back.game import Action, Game, Outcome, State
from watch_your_back.match.events import Event, MatchEnded, PlayerFailed, Reason
from watch_your_back.match.loop import Match, run
from watch_your_back.match.record import Record, RecordWriter
from watch_your_back.report.wording import result as sentence

__all__ = ["Result", "Unconfined", "game_of", "no_player", "play", "warn_unconfined"]


class Unconfined(UserWarning):
    """The players were confined less strongly than the strongest tier; the message says what they could do."""


@dataclass(frozen=True, repr=False)
class Result:
    """How a match went.

    In a notebook it shows itself as a replay: board, scrubber, charts, time and memory.
    """

    record: Record
    """Everything: states, actions, costs, what players printed and how they failed."""
    text: str
    """The record as its file has it."""

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.record.game

    @property
    def outcome(self) -> Outcome:
        """The index of the winner in `game.sides`, None for nobody, and the reason."""
        return self.record.outcome or Outcome(None, Reason.INTERRUPTED)

    @property
    def winner(self) -> str | None:
        """The side that won; None if nobody did."""
        return None if self.outcome.winner is None else self.game.sides[self.outcome.winner]

    @property
    def reason(self) -> str:
        """Why the match ended: a word of the game, or one of `watch_your_back.match.events.Reason`."""
        return self.outcome.reason

    @property
    def failures(self) -> tuple[PlayerFailed, ...]:
        """How players failed, with tracebacks."""
        return self.record.failures

    @property
    def states(self) -> tuple[State, ...]:
        """The state before each action, and the one after the last."""
        return self.record.states

    @property
    def tier(self) -> str:
        """How strongly the players were confined, the weaker of the two."""
        return weaker(*self.record.end.tiers) if self.record.end else "none"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, for `wyb replay` and the other commands. A name in `.gz` compresses it."""
        import gzip

        data = self.text.encode("ascii")
        Path(path).write_bytes(gzip.compress(data, mtime=0) if os.fspath(path).endswith(".gz") else data)

    def html(self, **options: Any) -> str:
        """A page with the replay that needs nothing else, as `wyb replay --html` writes it."""
        from watch_your_back.report.single import single

        return single(self.record, **options)

    def __repr__(self) -> str:
        return f"<{sentence(self.record)}, seed {self.record.seed}, tier {self.tier}>"

    def _repr_html_(self) -> str:
        return self.record._repr_html_()


def play(
    white: Given,
    black: Given,
    *,
    game: str | Game = "watch_your_back",
    limits: Limits = NO_LIMITS,
    seed: int | None = None,
    opening: Sequence[Action] = (),
    require_tier: str | None = None,
    allow_external: bool = False,
    listen: Callable[[Event], object] | None = None,
) -> Result:
    """Play one match and return how it went.

    The agents are named in the order of the game's sides: by a spec as on the command line (`"greedy"`, `"my_bot.py"`),
    by a path, or by a class, also of a notebook's cell. Each plays in a confined process of its own, as in `wyb play`.
    `game` is an id, or `Game.load(id, option=...)`. Without a `seed` one is drawn, which the record tells. `listen` is
    called with each event of the match. What a player does wrong is in the result; it is no exception here.

    Raises AgentNotFound, UnknownGame, IllegalAction for an opening, TierUnavailable, and ConfinementError when the
    referee itself failed; Ctrl-C is a KeyboardInterrupt. Warns with Unconfined.
    """
    no_player("play")
    text = io.StringIO()
    with agents_of(white, black) as (first, second):
        match = Match(
            game=game_of(game),
            agents=(first, second),
            limits=limits,
            seed=secrets.randbits(32) if seed is None else seed,
            opening=tuple(opening),
            require_tier=require_tier,
            allow_external=allow_external,
        )
        listeners: list[Callable[[Event], object]] = [RecordWriter(text), *([listen] if listen else [])]
        with _one_zygote() as confinement:
            ended = run(match, *listeners, confinement=confinement)
            _raise_if_void(ended)
    kinds = [agent.kind for agent in (first, second)]
    warn_unconfined([tier for tier, kind in zip(ended.tiers, kinds, strict=True) if kind == "player"])
    return Result(Record.load(io.StringIO(text.getvalue())), text.getvalue())


_kept_lock = threading.Lock()
_kept: list[tuple[int, Confinement]] = []
"""The process that made it, and what the last match was played on; the next one need not wait for another zygote."""


@contextmanager
def _one_zygote() -> Iterator[Confinement]:
    """A confinement that no other match uses; kept for the next one, unless something goes wrong."""
    if not _kept_lock.acquire(blocking=False):  # a match within a match, or in another thread
        own = Confinement()
        try:
            yield own
        finally:
            own.close()
        return
    try:
        if not _kept or _kept[0][0] != os.getpid():
            _kept[:] = [(os.getpid(), Confinement())]
        try:
            yield _kept[0][1]
        except BaseException:
            _close_kept()
            raise
    finally:
        _kept_lock.release()


@atexit.register
def _close_kept() -> None:
    for _, confinement in _kept:
        confinement.close()
    _kept.clear()


def _raise_if_void(ended: MatchEnded) -> None:
    """A match that was interrupted, or in which the referee failed, has no result."""
    if ended.reason == Reason.INTERRUPTED:
        raise KeyboardInterrupt
    if ended.reason == Reason.REFEREE_ERROR:
        raise ConfinementError(ended.detail)


def game_of(game: str | Game) -> Game:
    """The game that is meant. Raises UnknownGame."""
    return Game.load(game) if isinstance(game, str) else game


def no_player(name: str) -> None:
    """Raise RuntimeError in the process of a player: whose file plays matches while it is imported."""
    if runner.is_player():
        raise RuntimeError(
            f"this file calls watch_your_back.{name} while it is imported as an agent; put the call below "
            'if __name__ == "__main__":'
        )


def warn_unconfined(tiers: Sequence[str]) -> None:
    """Warn where players were confined less strongly than they can be on some system."""
    if tiers and (tier := weaker(tiers[0], tiers[-1])) != "full":
        warnings.warn(f"the players were confined at the tier {tier} only: {MEANING[tier]}", Unconfined, stacklevel=3)

"""Why a player answers differently from the record of its match: found out by trying, one condition at a time."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.environment import HASH_SEED
from watch_your_back.confine.faults import PlayerFault
from watch_your_back.confine.limits import Limits
from watch_your_back.diagnosis.questions import Trouble
from watch_your_back.diagnosis.rebuilding import Difference, Question, Rebuilding
from watch_your_back.match.events import Reason
from watch_your_back.match.record import Record
from watch_your_back.match.seats import ConfinedSeat

__all__ = ["Inquiry", "Trial", "first_trial", "hash_seed_of", "inquire", "seat_for", "sources_changed"]

CLOCK = (
    "the clock: it answers according to how much time has passed, so that the speed of the computer and what else runs "
    "on it matter"
)
NOT_SEEDED = (
    "random numbers that the referee does not seed: random.Random(), random.seed() and numpy.random.default_rng() "
    "without an argument, os.urandom, secrets; or else threads, id(), the order of a set of objects without a hash of "
    "their own, datetime"
)
CLOCK_OR_NOT_SEEDED = (
    "the clock, or random numbers that the referee does not seed: nothing else changes from run to run"
)
HASH_ORDER = "the order of a set or of strings, which changes with PYTHONHASHSEED"
SEEDED = "its random numbers: it draws them otherwise than in the match, or more or fewer of them before this turn"
SOURCES = "its sources, which have been changed since the match"
SURROUNDINGS = "what is around it: files that it reads, environment variables, another computer"


class Trial(NamedTuple):
    """A rebuild under one condition that was changed, in words, and how it differed from the record.

    `fault` is what kept the player from being made, `out_of_time` whether it was stopped because it took too long.
    """

    changed: str
    difference: Difference | None = None
    fault: PlayerFault | None = None

    @property
    def out_of_time(self) -> bool:
        answer = self.difference and self.difference.answer
        return isinstance(answer, Trouble) and answer.reason in (Reason.TIME_LIMIT, Reason.WALL_CLOCK_GUARD)

    @property
    def result(self) -> object:
        """The same for two trials that went the same way."""
        if self.fault is not None or self.difference is None:
            return self.fault and self.fault.detail
        question, answer = self.difference
        return question.state.ply, (answer.reason, answer.call) if isinstance(answer, Trouble) else (answer,)


class Inquiry(NamedTuple):
    """What was tried, and the likely causes of a difference, each a clause, the likeliest first."""

    trials: tuple[Trial, ...]
    causes: tuple[str, ...]


def sources_changed(rebuilding: Rebuilding) -> bool:
    """Whether the player's sources are others than in the match, as far as their fingerprints tell."""
    return rebuilding.agent.fingerprint != rebuilding.record.agents[rebuilding.side].fingerprint


def hash_seed_of(record: Record) -> int:
    """The PYTHONHASHSEED to rebuild a player with: the recorded one, if there is one."""
    return HASH_SEED if record.python_hash_seed is None else record.python_hash_seed


def seat_for(rebuilding: Rebuilding, confinement: Confinement, limits: Limits, **changed: Any) -> ConfinedSeat:
    """A confined seat for the player under these limits, with what `Rebuilding.setting` takes changed."""
    rules, setting = type(rebuilding.record.game).__module__, rebuilding.setting(**changed)
    return ConfinedSeat(rebuilding.agent, setting, limits, confinement, require_tier=None, rules=rules)


def first_trial(rebuilding: Rebuilding, questions: Sequence[Question]) -> Trial:
    """The player under the conditions of the match, as far as they are recorded. Raises ConfinementError."""
    return _attempt("nothing changed", rebuilding, questions, hash_seed_of(rebuilding.record))


def inquire(rebuilding: Rebuilding, first: Trial, progress: Callable[[str], object] = lambda step: None) -> Inquiry:
    """Why the first trial differed from the record: the player is rebuilt up to that turn again and again.

    Raises ConfinementError.
    """
    record, usual = rebuilding.record, hash_seed_of(rebuilding.record)
    assert first.difference is not None
    last = first.difference.question.state.ply
    questions = [question for question in rebuilding.questions if question.state.ply <= last and question.turn]

    def attempt(changed: str, hash_seed: int = usual, **setting: Any) -> Trial:
        progress(f"rebuilding it with {changed}")
        return _attempt(changed, rebuilding, questions, hash_seed, **setting)

    trials = [first, attempt("nothing changed, again"), attempt("nothing changed, once more")]
    even = attempt("a clock that goes on evenly", even_clock=True)
    trials.append(even)
    if len({trial.result for trial in trials[:3]}) > 1:
        even_again = attempt("a clock that goes on evenly, again", even_clock=True)
        trials.append(even_again)
        if even.out_of_time or even_again.out_of_time:
            return Inquiry(tuple(trials), (CLOCK_OR_NOT_SEEDED,))
        return Inquiry(tuple(trials), (CLOCK if even.result == even_again.result else NOT_SEEDED,))
    hashed = attempt("another PYTHONHASHSEED", usual + 1)
    seeded = attempt("another seed", seed=record.seeds[rebuilding.side] + 1)
    causes = tuple(_of_a_steady_player(rebuilding, first, even, hashed, seeded))
    return Inquiry((*trials, hashed, seeded), causes)


def _attempt(
    changed: str, rebuilding: Rebuilding, questions: Sequence[Question], hash_seed: int, **setting: Any
) -> Trial:
    with closing(Confinement(hash_seed=hash_seed)) as confinement:  # afresh: addresses change with the process too
        seat = seat_for(rebuilding, confinement, _patience(rebuilding), **setting)
        try:
            return Trial(changed, rebuilding.follow(seat, questions))
        except PlayerFault as fault:
            return Trial(changed, fault=fault)
        finally:
            seat.close()


def _patience(rebuilding: Rebuilding) -> Limits:
    """Limits for a player that, under a strange clock, may never stop to think."""
    record = rebuilding.record
    spent = sum(turn.cpu_s for turn in record.turns if turn.side == rebuilding.side)
    profile = record.limits.profile
    return Limits(cpu_s=20 + 5 * spent, profile="fair" if profile == "none" else profile)


def _of_a_steady_player(
    rebuilding: Rebuilding, first: Trial, even: Trial, hashed: Trial, seeded: Trial
) -> Iterator[str]:
    """The causes for a player that always answers the same when nothing is changed."""
    record = rebuilding.record
    if sources_changed(rebuilding):
        yield SOURCES
    if hashed.result != first.result:
        known = "" if record.python_hash_seed is not None else "; the record does not tell that of the match"
        yield HASH_ORDER + known
    if even.result != first.result and not even.out_of_time:
        yield CLOCK
    if seeded.result != first.result:
        yield SEEDED
    python = record.versions.get("python")
    if python != platform.python_version():
        yield f"the version of Python: {platform.python_version()} here, {python} in the match"
    if not sources_changed(rebuilding):
        yield SURROUNDINGS

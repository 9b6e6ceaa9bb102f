"""Random matches and awkward positions, until an agent fails.

The opponents are random ones with a bias (see `opposing`). A player that has the method `start` begins half of its
matches in the middle of others, preferably close to where something is about to happen: a phase to end, squares to be
removed, a side to be without an action (see `positions`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from random import Random

from watch_your_back.agents import Agent
from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.faults import PlayerFault
from watch_your_back.confine.limits import Limits
from watch_your_back.diagnosis.advice import CALLS, FAULTS, advice, place
from watch_your_back.diagnosis.findings import Finding
from watch_your_back.diagnosis.matches import Case
from watch_your_back.diagnosis.opposing import BIASES, chooser
from watch_your_back.diagnosis.positions import awkward
from watch_your_back.diagnosis.questions import after_pass, seated
from watch_your_back.diagnosis.questions import start as make
from watch_your_back.diagnosis.shrinking import Shrinking
from watch_your_back.diagnosis.trying import Attempt, attempt
from watch_your_back.diagnosis.verdicts import of_starts
from watch_your_back.game import Game, State
from watch_your_back.match.events import Event, Reason

__all__ = ["Amount", "fuzz"]

_SHRINKING_S = 60.0
"""Seconds after which no more is tried to shorten a match."""


@dataclass(frozen=True, slots=True)
class Amount:
    """When to stop although nothing was found: after so many matches or seconds."""

    matches: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        return f"{self.matches} matches" if self.seconds is None else f"{self.seconds:g} s"


@dataclass
class _Seen:
    """What the matches brought up so far."""

    matches: int = 0
    begun_within: int = 0
    turns: int = 0
    passes: int = 0
    shrinks: int = 0
    longest: int = 0
    last: list[State] = field(default_factory=list)

    def add(self, found: Attempt) -> None:
        played = found.played
        self.matches += 1
        self.begun_within += bool(found.opening)
        self.turns += played.turns
        self.passes += played.passes
        self.shrinks += played.shrinks
        self.longest = max(self.longest, found.length)
        self.last.append(played.recent[-1])


def fuzz(
    agent: Agent,
    game: Game,
    limits: Limits,
    amount: Amount,
    *,
    save: Callable[[Sequence[Event]], str],
    seed: int = 0,
    progress: Callable[[str], object] = lambda step: None,
) -> Iterator[Finding]:
    """What comes of it: one finding, and notes on it. `save` keeps the events of a match as a record in a file, and
    returns its name.

    Raises KeyboardInterrupt, ConfinementError.
    """
    case = Case(agent, game, limits, seed)
    end = time.monotonic() + amount.seconds if amount.seconds is not None else None
    seen = _Seen()
    with closing(Confinement()) as confinement:
        progress("starting it")
        starts = [make(case, side, confinement) for side in (0, 1)]
        able = [side for side in (0, 1) if starts[side].fault is None]
        if len(able) < 2:
            yield from of_starts(case, starts)
        if not able:
            return
        can_start = _can_start(case, able[0], confinement)
        while not (end and time.monotonic() > end) and seen.matches != amount.matches:
            number = seen.matches
            progress(f"match {number + 1}, {seen.turns:,} turns of its own so far")
            rng = Random(f"{seed}/{number}")
            round, kind = divmod(number // 2, len(BIASES))
            bias = list(BIASES)[kind]
            side = able[number % len(able)]
            opening = awkward(game, side, bias, rng) if can_start and (round + kind) % 2 else ()
            found = attempt(
                case,
                side,
                seed + number,
                chooser(bias, game, rng),
                confinement,
                opening=opening,
                go_on=lambda state: not (end and time.monotonic() > end),
            )
            seen.add(found)
            if found.failure is not None:
                yield _failure(case, found, seen, can_start, confinement, save, progress)
                return
            if not hasattr(found.played, "ended"):
                break
    yield from _nothing(case, seen, can_start)


def _can_start(case: Case, side: int, confinement: Confinement) -> bool:
    with seated(case, side, confinement) as seat:
        try:
            seat.load()
        except PlayerFault:
            return False
        return "start" in seat.methods


def _failure(
    case: Case,
    found: Attempt,
    seen: _Seen,
    can_start: bool,
    confinement: Confinement,
    save: Callable[[Sequence[Event]], str],
    progress: Callable[[str], object],
) -> Finding:
    began = time.monotonic()
    shrinking = Shrinking(
        case, confinement, can_start, stop=lambda: time.monotonic() - began > _SHRINKING_S, progress=progress
    )
    progress("playing it again")
    same = shrinking.again(found)
    shortest = found if same is None else shrinking.shortest(same)
    failure, state, side = shortest.failure, shortest.played.recent[-1], shortest.played.fixture.side
    assert failure is not None
    what = FAULTS[failure.reason]
    if failure.reason != Reason.ILLEGAL_ACTION:
        what += f" {CALLS.get(failure.call, '')}"
    which = "the first of the random matches" if seen.matches == 1 else f"random match {seen.matches}"
    sentence = f"It {' '.join(what.split())} as {case.game.sides[side]}, {place(state)}, in {which}"
    hints = [advice(failure.reason, failure.detail, tuple(shortest.played.recent), side)]
    file = save(shortest.events)
    if same is None:
        hints.append(
            f"When the same actions came again with the same seed, it did not fail: {file} is the match as it was."
        )
    elif shortest.length < found.length:
        hints.append(f"{file} is a match of {_turns(shortest.length)}, shrunk from {found.length}.")
    else:
        hints.append(f"{file} is the match, of {_turns(found.length)}; no shorter one was found.")
    return Finding(
        "error",
        str(failure.reason),
        f"{sentence}: {failure.detail.rstrip('.')}.",
        " ".join(hint for hint in hints if hint),
        "\n".join(part for part in (state.text(), failure.traceback) if part),
        ("debug", file, "--side", case.game.sides[side], "--at", str(failure.ply)),
    )


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"


def _nothing(case: Case, seen: _Seen, can_start: bool) -> Iterator[Finding]:
    if not seen.matches:
        return
    matches = "1 random match" if seen.matches == 1 else f"{seen.matches} random matches"
    within = f", {seen.begun_within} of which began in the middle of others" if seen.begun_within else ""
    yield Finding(
        "ok", "fuzz", f"It acts legally and without a fault in {matches}{within}: {seen.turns:,} turns of its own."
    )
    facts = [f"the longest had {_turns(seen.longest)}"]
    if seen.passes:
        facts.append(f"it had to pass {seen.passes} times")
    if seen.shrinks:
        facts.append(f"the board shrank {seen.shrinks} times")
    yield Finding("note", "matches", f"Of these matches {', '.join(facts)}.")
    if not can_start:
        yield Finding(
            "note",
            "untested",
            "It has no method start(actions), so it could not be put into awkward positions at once.",
            "With one, more is found in the same time, and failing matches become shorter.",
        )
    if not seen.passes and any(after_pass(state) for state in seen.last[-50:] if state.outcome is None):
        yield Finding(
            "note",
            "untested",
            "It never came into a position without a legal move, so that is not tested.",
            "Make sure that action() returns None there.",
        )

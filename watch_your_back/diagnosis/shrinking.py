"""From a match in which an agent fails to a shorter one in which it fails in the same way.

A player that has the method `start` is put right before the failing turn, and then actions that the failure does not
need are left out of what came before. Any other has to get there by its own actions, always with the same seed: the
opponent keeps a beginning of what it did, and then tries to provoke the failure sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from watch_your_back.confine.confinement import Confinement
from watch_your_back.diagnosis.matches import Case
from watch_your_back.diagnosis.opposing import BIASES, Chooser, Scripted, chooser
from watch_your_back.diagnosis.trying import Attempt, attempt, likeness
from watch_your_back.game import Action, IllegalAction, State

__all__ = ["Shrinking"]

_CANDIDATES = 4_000
"""Openings that are looked at, most of which are not legal."""


@dataclass(frozen=True)
class Shrinking:
    """How the matches of an agent in which it fails are shortened.

    `tries` is how many matches it may take. `stop` says that there is no time for another one.
    """

    case: Case
    confinement: Confinement
    can_start: bool
    tries: int = 80
    stop: Callable[[], bool] = lambda: False
    progress: Callable[[str], object] = lambda step: None

    def again(self, found: Attempt) -> Attempt | None:
        """The same match once more: None where the agent does not fail in the same way at the same turn."""
        tried = self._play(found, found.opening, Scripted(_others(self.case, found), _sampled(found)))
        return tried if _alike(tried, found) and tried.length == found.length else None

    def shortest(self, found: Attempt) -> Attempt:
        """The shortest match that was found in which the agent fails in the same way."""
        if not self.can_start:
            return self._provoked(found, self.tries)
        started = self._play(found, found.actions, _sampled(found), most=found.length)
        if not _alike(started, found):
            return self._provoked(found, self.tries)
        sooner = self._provoked(started, self.tries // 2, from_start=True)
        if sooner.length < started.length:
            again = self._play(sooner, sooner.actions, _sampled(sooner), most=sooner.length)
            started = again if _alike(again, sooner) else sooner
        return self._without_needless(started, self.tries // 2)

    def _without_needless(self, found: Attempt, tries: int) -> Attempt:
        """Leave out of the opening what the failure does not need: stretches first, then any few actions."""
        rng = Random(found.played.fixture.seed)
        candidates = 0
        whole, states = found.opening, _states(self.case, found.opening)
        stretches = _stretches(len(whole))
        while found.opening and tries and candidates < _CANDIDATES and not self.stop():
            candidates += 1
            left_out = next(stretches, None) or _few(len(whole), rng)
            opening = _without(whole, states, left_out, found.played.fixture.side)
            if opening is None:
                continue
            tries -= 1
            self.progress(f"shrinking the match: {len(whole)} turns")
            tried = self._play(found, opening, _sampled(found), most=len(opening))
            if _alike(tried, found):
                found, whole, states = tried, opening, _states(self.case, opening)
                stretches = _stretches(len(whole))
        return found

    def _provoked(self, found: Attempt, tries: int, from_start: bool = False) -> Attempt:
        """Let the opponent do for a while what it did, and then try everything to make the agent fail sooner.

        `from_start`: without what the match began after.
        """
        rng = Random(found.played.fixture.seed)
        names = list(BIASES)
        for number in range(tries):
            if self.stop() or found.length <= 1:
                break
            self.progress(f"shrinking the match: {found.length} turns")
            others = _others(self.case, found, from_start)
            kept = others[: rng.randrange(len(others) + 1) if number % 4 else 0]
            then = chooser(names[number % len(names)], self.case.game, rng)
            opening = () if from_start else found.opening
            tried = self._play(found, opening, Scripted(kept, then), most=found.length - 1)
            if _alike(tried, found):
                found = tried
        return found

    def _play(self, found: Attempt, opening: Sequence[Action], choose: Chooser, most: int | None = None) -> Attempt:
        fixture = found.played.fixture

        def go_on(state: State) -> bool:
            return most is None or state.ply <= most

        return attempt(self.case, fixture.side, fixture.seed, choose, self.confinement, opening=opening, go_on=go_on)


def _alike(tried: Attempt, found: Attempt) -> bool:
    assert found.failure is not None
    return tried.failure is not None and likeness(tried.failure) == likeness(found.failure)


def _others(case: Case, found: Attempt, from_start: bool = False) -> list[Action]:
    """What the opponent did after the opening, or in it too."""
    state = case.game.initial()
    others = []
    for number, action in enumerate(found.actions):
        if (from_start or number >= len(found.opening)) and state.to_move != found.played.fixture.side:
            others.append(action)
        state = state.play(action)
    return others


def _sampled(found: Attempt) -> Chooser:
    rng = Random(found.played.fixture.seed)
    return lambda state: state.sample(rng)


def _states(case: Case, actions: Sequence[Action]) -> list[State]:
    """The states before and after each of these legal actions."""
    return list(accumulate(actions, lambda state, action: state.play(action), initial=case.game.initial()))


def _without(
    actions: Sequence[Action], states: Sequence[State], left_out: Collection[int], side: int
) -> tuple[Action, ...] | None:
    """The actions but for those in some places, if they can be taken in turn and then it is the turn of this side."""
    first = min(left_out)
    state = states[first]
    rest = [actions[at] for at in range(first, len(actions)) if at not in left_out]
    for action in rest:
        try:
            state = state.play(state.check_form(action))
        except IllegalAction:
            return None
    return (*actions[:first], *rest) if state.outcome is None and state.to_move == side else None


def _stretches(length: int) -> Iterator[range]:
    """Places of actions that follow each other, the longest stretches first."""
    size = length // 2
    while size:
        yield from (range(at, at + size) for at in range(0, length - size + 1, max(size // 2, 1)))
        size //= 2


def _few(length: int, rng: Random) -> set[int]:
    """Places of two or four actions that are not far from each other: there and back again, say."""
    first = rng.randrange(length)
    near = range(max(first - 12, 0), min(first + 13, length))
    return set(rng.sample(near, min(rng.choice((2, 4)), len(near))))

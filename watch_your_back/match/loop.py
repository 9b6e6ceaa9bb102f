"""One match: two seats, the rules between them, and what happens as a stream of events."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, nullcontext
from dataclasses import asdict
from typing import Any

from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.faults import ConfinementError, PlayerFault, TierUnavailable
from watch_your_back.confine.limits import Limits
from watch_your_back.confine.processors import one_processor
from watch_your_back.game import RESIGN, Action, Game, IllegalAction, State
from watch_your_back.match.events import (
    ActionTaken,
    Event,
    MatchEnded,
    MatchStarted,
    PlayerFailed,
    PlayerOutput,
    PlayerStarted,
    Reason,
    TurnStarted,
    Usage,
)
from watch_your_back.match.seats import ConfinedSeat, Seat, takes_back
from watch_your_back.match.setting import Match, slot_seed

__all__ = ["Match", "play", "run", "seat_of", "setting_of", "slot_seed"]

_new = tuple.__new__  # what the constructor of a named tuple calls in the end
_AT_START = frozenset({"exception", "player exited", "protocol"})
"""Faults that mean `could not start` when the agent is being imported or constructed."""


def run(match: Match, *listeners: Callable[[Event], object], confinement: Confinement | None = None) -> MatchEnded:
    """Play the match and call each listener with each event; returns the last one.

    Ctrl-C at any moment, also in a listener, ends the match with the reason `interrupted`; one more while it is being
    ended is raised as KeyboardInterrupt. Raises TierUnavailable.
    """
    events = play(match, confinement)
    event = next(events)
    try:
        while True:
            try:
                for listener in listeners:
                    listener(event)
                if isinstance(event, MatchEnded):
                    return event
                event = next(events)
            except KeyboardInterrupt:
                if isinstance(event, MatchEnded):
                    return event
                event = events.throw(KeyboardInterrupt())
    finally:
        events.close()


def play(
    match: Match, confinement: Confinement | None = None, *, seats: Mapping[int, Seat] | None = None
) -> Generator[Event, None, None]:
    """The events of a match as it is played, from MatchStarted to MatchEnded.

    Many matches run faster on one Confinement, which the caller then closes. Closing the generator ends the players.
    `seats` take the place of those that the match would give these sides; see `seat_of`.
    Raises TierUnavailable when a player cannot be confined as the match requires, IllegalAction for an illegal opening.
    """
    own = Confinement() if confinement is None else None
    course = _Course(match, confinement or own, seats or {})  # type: ignore[arg-type]
    try:
        yield course.beginning()
        course.open()
        # What a player that is debugged starts in this process, such as NumPy's threads, would be kept there for good.
        with nullcontext() if match.debug else one_processor() as processor:
            course.stay_on(processor)
            if (yield from course.load()):
                course.stay_on(processor)
                yield from course.turns()
    except KeyboardInterrupt:
        yield from course.ended(None, Reason.INTERRUPTED, "the match was stopped before its end")
    except TierUnavailable:
        raise
    except ConfinementError as error:
        yield from course.ended(None, Reason.REFEREE_ERROR, str(error))
    except Exception:
        yield from course.ended(None, Reason.REFEREE_ERROR, f"please report this:\n{traceback.format_exc()}")
    finally:
        try:
            course.close()
        finally:
            if own is not None:
                own.close()


def seat_of(match: Match, side: int, confinement: Confinement) -> Seat:
    """The seat of one side of a match, still to be opened.

    Raises TierUnavailable when the match requires a tier that it cannot have.
    """
    agent, seed = match.agents[side], slot_seed(match.seed, match.slots[side])
    if agent.kind == "external":
        from watch_your_back.match.external import ExternalSeat  # which most matches do without

        if match.require_tier not in (None, "none", ExternalSeat.tier) and not match.allow_external:
            raise TierUnavailable(
                f"{agent.name} is an external program, which is not confined, and the tier {match.require_tier} is "
                "required; --allow-external makes an exception of programs"
            )
        return ExternalSeat(agent, match.game, side, match.limits, seed)
    setting = setting_of(match.game, side, match.limits, seed)
    if match.debug and match.require_tier not in (None, "none"):
        raise TierUnavailable(f"a player that is debugged is not confined, so not at the tier {match.require_tier}")
    if match.debug or agent.kind == "person":
        from watch_your_back.match.local import LocalSeat

        return LocalSeat(agent, setting)
    rules = type(match.game).__module__
    return ConfinedSeat(agent, setting, match.limits, confinement, require_tier=match.require_tier, rules=rules)


def setting_of(game: Game, side: int, limits: Limits, seed: int) -> dict[str, Any]:
    """What the player of a side is made with: its colour, the arguments that its constructor may ask for, its seed."""
    arguments = {"game": game.id, "options": asdict(game.options), "limits": asdict(limits), "seed": seed}
    return {"colour": game.sides[side], "seed": seed, "arguments": arguments, "booleans": game.booleans}


class _Course:
    """How far a match has come."""

    def __init__(self, match: Match, confinement: Confinement, seats: Mapping[int, Seat]) -> None:
        self.match = match
        self.state: State = match.game.initial()
        self.told: tuple[list[Action], list[Action]] = ([], [])
        self.acted: set[int] = set()
        for action in match.opening:
            self.acted.add(self.state.to_move)
            self.state = self.state.play(self.state.check_form(action))
            for side in (0, 1):
                self.told[side].append(self.state.observe(action, side))
        self.taken = [0, 0]
        self.pending: tuple[list[Action], list[Action]] = ([], [])
        self.seeds = (slot_seed(match.seed, match.slots[0]), slot_seed(match.seed, match.slots[1]))
        first, second = (seats.get(side) or seat_of(match, side, confinement) for side in (0, 1))
        self.seats: tuple[Seat, Seat] = (first, second)

    def beginning(self) -> MatchStarted:
        """The first event."""
        match = self.match
        setting = (match.game, match.agents, match.limits, match.seed, self.seeds, match.slots)
        return MatchStarted(*setting, self.state, match.opening)

    def open(self) -> None:
        """Start both players' processes, which lock themselves down at the same time."""
        for seat in self.seats:
            seat.open()

    def load(self) -> Generator[Event, None, bool]:
        """Import and construct both players, one after the other; returns whether there is a match to play now."""
        failures = []
        for side in (0, 1):
            failure = yield from self._load(side)
            if failure is not None:
                failures.append(failure)
        if len(failures) == 2:
            detail = "; ".join(self._told(failure) for failure in failures)
            yield from self.ended(None, Reason.BOTH_COULD_NOT_START, detail)
        elif failures:
            yield from self._lost(failures[0])
        return not failures

    def stay_on(self, processor: int | None) -> None:
        """Keep both players on the referee's processor, also one that has had to leave it."""
        for seat in self.seats:
            seat.stay_on(processor)

    def _load(self, side: int) -> Generator[Event, None, PlayerFailed | None]:
        seat, failure = self.seats[side], None
        try:
            seat.load()
            seat.settle()
            if self.match.opening:
                seat.start(self.told[side])
                seat.settle()
        except PlayerFault as fault:
            reason = Reason.COULD_NOT_START if fault.cause in _AT_START else Reason(fault.cause)
            failure = PlayerFailed(-1, side, fault.call, reason, fault.detail, fault.traceback)
        yield from self._outputs(side, -1)
        started = PlayerStarted(side, seat.tier, self.usage(side), seat.program)
        yield started if failure is None else failure
        return failure

    def turns(self) -> Iterator[Event]:
        """Ask for one action after the other, until the match has ended."""
        state, match, limits = self.state, self.match, self.match.limits
        shares_memory = limits.profile == "official-2018" and limits.memory_mb is not None
        usage = [self.usage(0), self.usage(1)]
        see = ["see" in seat.methods for seat in self.seats]
        while state.outcome is None:
            side = state.to_move
            seat = self.seats[side]
            ply = state.ply
            yield _new(TurnStarted, (side, state))
            before = usage[side]
            view = state.view(side) if see[side] else None
            failure = None
            try:
                answer = seat.turn(self.pending[side], state.turns, view)
                while type(answer) is str and takes_back(answer, match.agents[side]):
                    if self._may_go_back(side):
                        yield from self.ended(None, Reason.TAKEN_BACK, f"{match.game.sides[side]} took a turn back")
                        return
                    answer = seat.turn([], state.turns, view)
                action = state.check(answer)
                seat.settle()
            except IllegalAction as error:
                failure = PlayerFailed(ply, side, "action", Reason.ILLEGAL_ACTION, error.message)
            except PlayerFault as fault:
                failure = PlayerFailed(ply, side, fault.call, Reason(fault.cause), fault.detail, fault.traceback)
            self.pending[side].clear()
            for printed in seat.output():
                yield PlayerOutput(ply, side, *printed)
            if shares_memory and failure is None:
                failure = self._shared_memory_limit(ply)
            if failure is not None:
                yield failure
                yield from self._lost(failure)
                return
            if action == RESIGN:
                self.taken[side] += 1
                used = self.usage(side)
                yield ActionTaken(
                    ply, side, action, state, used.cpu_s - before.cpu_s, used.wall_s - before.wall_s, used
                )
                yield from self._won(1 - side, Reason.RESIGNED, f"{match.game.sides[side]} resigned")
                return
            state = self.state = state.play(action)
            self.taken[side] += 1
            self.acted.add(side)
            self.pending[1 - side].append(state.observe(action, 1 - side))
            used = usage[side] = _new(Usage, (*seat.spent, self.taken[side]))
            spent = used.cpu_s - before.cpu_s, used.wall_s - before.wall_s
            yield _new(ActionTaken, (ply, side, action, state, *spent, used))
        yield from self._won(state.outcome.winner, state.outcome.reason, "")

    def _may_go_back(self, side: int) -> bool:
        """Whether a turn of this side can be taken back: both players then begin in the midst of a match."""
        begin_anywhere = all("start" in seat.methods for seat in self.seats)
        return side in self.acted and not self.match.game.competitive and begin_anywhere

    def _shared_memory_limit(self, ply: int) -> PlayerFailed | None:
        """The larger player, when both together are over twice the limit (profile `official-2018`)."""
        limit = 2 * (self.match.limits.memory_mb or math.inf)
        used = [seat.memory_mb for seat in self.seats]
        if sum(used) <= limit:
            return None
        side = used.index(max(used))
        detail = f"it grew to {used[side]:.0f} MB and its opponent to {used[1 - side]:.0f} MB; the limit for both "
        detail += f"together is {limit:g} MB, and the larger one loses"
        return PlayerFailed(ply, side, "action", Reason.MEMORY_LIMIT, detail)

    def _outputs(self, side: int, ply: int) -> Iterator[Event]:
        for printed in self.seats[side].output():
            yield PlayerOutput(ply, side, *printed)

    def _lost(self, failure: PlayerFailed) -> Iterator[Event]:
        yield from self._won(1 - failure.side, failure.reason, self._told(failure))

    def _told(self, failure: PlayerFailed) -> str:
        return f"{self.match.game.sides[failure.side]} in {failure.call}: {failure.detail}"

    def _won(self, winner: int | None, reason: str, detail: str) -> Iterator[Event]:
        """Tell the players that want to know, then everybody else. A fault in `finish` changes nothing."""
        sides = self.match.game.sides
        outcome = {"winner": None if winner is None else sides[winner], "reason": str(reason)}
        for side, seat in enumerate(self.seats):
            if "finish" not in seat.methods:
                continue
            failed = None
            try:
                seat.finish(self.pending[side], outcome)
                seat.settle()
            except PlayerFault as fault:
                failed = PlayerFailed(
                    self.state.ply, side, fault.call, Reason(fault.cause), fault.detail, fault.traceback
                )
            yield from self._outputs(side, self.state.ply)
            if failed is not None:
                yield failed
        yield from self.ended(winner, reason, detail)

    def ended(self, winner: int | None, reason: str, detail: str) -> Iterator[Event]:
        for seat in self.seats:
            seat.measure()
        usage = self.usage(0), self.usage(1)
        tiers = self.seats[0].tier, self.seats[1].tier
        yield MatchEnded(winner, str(reason), detail, sum(self.taken), usage, tiers, self.state)

    def usage(self, side: int) -> Usage:
        return Usage(*self.seats[side].spent, self.taken[side])

    def close(self) -> None:
        with ExitStack() as closing:
            for seat in self.seats:
                closing.callback(seat.close)

"""What is asked of an agent outside of a match, through the same confined process as in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.faults import PlayerFault
from watch_your_back.diagnosis.matches import Case, Played
from watch_your_back.game import RESIGN, Action, IllegalAction, State
from watch_your_back.match.events import Reason
from watch_your_back.match.loop import Match, seat_of
from watch_your_back.match.seats import Seat

__all__ = ["Again", "Pass", "Start", "Trouble", "after_pass", "answer", "play_again", "seated", "start", "tell_of_pass"]

_ANSWERS = 2
"""How many turns a player takes after it was told of a pass."""
_OPENING = 30
"""Turns after which a pass can happen in a game whose phase does not change."""


@dataclass(frozen=True, slots=True)
class Start:
    """What it took to import and construct the player of one side, or how that failed."""

    cpu_s: float
    memory_mb: float
    fault: PlayerFault | None


@dataclass(frozen=True, slots=True)
class Trouble:
    """An answer that would have lost a match: why, in which call, and the state that the player was to act in."""

    reason: Reason
    call: str
    detail: str
    traceback: str
    state: State


@dataclass(frozen=True, slots=True)
class Pass:
    """How a player took a pass of its opponent; not `told` of one where it failed before or the rules know none."""

    told: bool
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True)
class Again:
    """How a match went when it was played again from the player's side.

    `differs` is the ply of the first action that was another one. `end` is the fault in an `update` that told of the
    last action; whether there was such an action to tell of says `told`.
    """

    differs: int | None = None
    trouble: Trouble | None = None
    told: bool = False
    end: PlayerFault | None = None


def start(case: Case, side: int, confinement: Confinement) -> Start:
    """Import and construct the player of a side. Raises ConfinementError."""
    with seated(case, side, confinement) as seat:
        fault = None
        try:
            seat.load()
            seat.settle()
        except PlayerFault as error:
            fault = error
        return Start(seat.cpu_s, seat.memory_mb, fault)


def tell_of_pass(case: Case, side: int, confinement: Confinement) -> Pass:
    """How the player takes it that the opponent passes at its first turn after the opening phase.

    Raises ConfinementError.
    """
    rng = Random(f"{case.seed}/{side}")
    answers = 0
    updates: list[Action] = []
    state = case.game.initial()
    opening = state.phase
    with seated(case, side, confinement) as seat:
        try:
            seat.load()
        except PlayerFault:
            return Pass(told=False)
        passed = False
        while state.outcome is None and answers < _ANSWERS:
            if state.to_move == side:
                action = answer(seat, updates, state)
                if isinstance(action, Trouble):
                    return Pass(told=passed, trouble=action if passed else None)
                if action == RESIGN:
                    break
                answers += passed
                updates.clear()
                state = state.play(action)
            elif not passed and not _in_opening(state, opening):
                after = after_pass(state)
                if after is None:
                    break
                passed = True
                updates.append(None)
                state = after
            else:
                action = state.sample(rng)
                state = state.play(action)
                updates.append(state.observe(action, side))
    return Pass(told=passed)


def _in_opening(state: State, phase: str) -> bool:
    return state.phase == phase and state.ply < _OPENING


def after_pass(state: State) -> State | None:
    """The state if the side to move could pass here, in a game in which that can happen elsewhere; None otherwise."""
    try:
        state.check(None)
    except IllegalAction as error:
        if error.kind != "may_not_pass":
            return None
        try:
            after = state.play(None)
        except Exception:  # nobody promises that an illegal action can be played
            return None
        return after if after.to_move != state.to_move and after.outcome is None else None
    return None


def play_again(case: Case, played: Played, confinement: Confinement) -> Again:
    """Take the player through a match that it has played, the opponent acting as it did. Raises ConfinementError."""
    side, sides = played.fixture.side, case.game.sides
    state = case.game.initial()
    updates: list[Action] = []
    with seated(case, side, confinement, played.fixture.seed) as seat:
        try:
            seat.load()
        except PlayerFault as fault:
            return Again(trouble=_trouble(fault, state))
        for action in played.actions:
            if state.to_move == side:
                found = answer(seat, updates, state)
                if isinstance(found, Trouble):
                    return Again(trouble=found)
                if found != action:
                    return Again(differs=state.ply)
                updates.clear()
            if action == RESIGN:
                return Again()
            acted, state = state.to_move, state.play(action)
            if acted != side:
                updates.append(state.observe(action, side))
        if state.outcome is None or not updates:
            return Again()
        winner = state.outcome.winner
        outcome = {"winner": None if winner is None else sides[winner], "reason": state.outcome.reason}
        try:
            seat.finish(updates, outcome)
        except PlayerFault as fault:
            if fault.call != "finish" or "finish" in seat.methods:
                return Again(told=True, end=fault)
    return Again(told=True)


@contextmanager
def seated(case: Case, side: int, confinement: Confinement, seed: int | None = None) -> Iterator[Seat]:
    """An open seat for the agent at a side, with the seed of the case or another one."""
    match = Match(
        game=case.game, agents=(case.agent, case.agent), limits=case.limits, seed=case.seed if seed is None else seed
    )
    seat = seat_of(match, side, confinement)
    try:
        seat.open()
        yield seat
    finally:
        seat.close()


def answer(seat: Seat, updates: Sequence[Action], state: State) -> Action | Trouble:
    """The legal action of the player in a seat, whose turn it is, or what is wrong with its answer."""
    try:
        view = state.view(state.to_move) if "see" in seat.methods else None
        action = state.check(seat.turn(list(updates), state.turns, view))
        seat.settle()
    except PlayerFault as fault:
        return _trouble(fault, state)
    except IllegalAction as error:
        return Trouble(Reason.ILLEGAL_ACTION, "action", error.message, "", state)
    return action


def _trouble(fault: PlayerFault, state: State) -> Trouble:
    return Trouble(Reason(fault.cause), fault.call, fault.detail, fault.traceback, state)

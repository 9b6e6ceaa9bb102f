"""The same turn of a recorded match, answered again and again by a player that is rebuilt each time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.limits import NO_LIMITS
from watch_your_back.diagnosis.causes import hash_seed_of, seat_for
from watch_your_back.diagnosis.questions import Trouble, answer
from watch_your_back.diagnosis.rebuilding import Difference, Rebuilding
from watch_your_back.game import Action

__all__ = ["Again", "again"]


class Again(NamedTuple):
    """One answer, with what it cost in CPU seconds, updates included; or where the player `left` the record before.

    `put`: it left the record, and was then put before the turn by its method `start`.
    """

    answer: Action | Trouble = None
    cpu_s: float = 0.0
    left: Difference | None = None
    put: bool = False


def again(rebuilding: Rebuilding, ply: int) -> Iterator[Again]:
    """Answers to the turn at this ply, without end, each by the player rebuilt in a process of its own.

    Raises CannotRebuild, PlayerFault where the player cannot be made, ConfinementError.
    """
    question = rebuilding.at(ply)
    while True:
        with closing(Confinement(hash_seed=hash_seed_of(rebuilding.record))) as confinement:
            seat = seat_for(rebuilding, confinement, NO_LIMITS)
            try:
                updates = question.updates
                left = rebuilding.follow(seat, rebuilding.before(ply))
                if left is not None and "start" in seat.methods:
                    seat.close()
                    seat, updates = seat_for(rebuilding, confinement, NO_LIMITS), ()
                    rebuilding.put_before(seat, question)
                elif left is not None:
                    yield Again(left=left)
                    continue
                seat.measure()
                before = seat.cpu_s
                found = answer(seat, updates, question.state)
                seat.measure()
                yield Again(found, seat.cpu_s - before, left, left is not None)
            finally:
                seat.close()

"""The process in which a match on the page is played: it gets what people do, and tells its record line by line.

It ends with its input, so it cannot outlive the server, and the confined players cannot outlive it.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import sys
import threading
from collections.abc import Sequence
from typing import Any, BinaryIO, cast

from watch_your_back.confine.environment import command
from watch_your_back.confine.faults import TierUnavailable
from watch_your_back.match import Confinement, Match, play
from watch_your_back.match.loop import seat_of
from watch_your_back.match.record import RecordWriter
from watch_your_back.match.seats import Seat
from watch_your_back.web.seats import PersonSeat, RebuiltSeat

__all__ = ["COMMAND", "main", "order"]

COMMAND = tuple(command("web.worker"))
"""What starts the process."""


def order(match: Match, wall_s: Sequence[float] = (0.0, 0.0)) -> bytes:
    """The first line of its input: the match, and the time that people at its sides have used before.

    Each other line is an action of a person, as a JSON object with `side` and `action`.
    """
    return base64.b64encode(pickle.dumps((match, tuple(wall_s)))) + b"\n"


def main() -> None:
    """Play the match that is ordered."""
    told = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # what the rules of a game may print is no part of the record
    match, wall_s = pickle.loads(base64.b64decode(sys.stdin.buffer.readline()))
    people = {side: PersonSeat(wall_s[side]) for side in (0, 1) if match.agents[side].kind == "person"}
    threading.Thread(target=_listen, args=(sys.stdin.buffer, people), daemon=True).start()
    writer = RecordWriter(told)
    confinement = Confinement()
    try:
        seats = {side: people.get(side) or _agent_seat(match, side, confinement) for side in (0, 1)}
        for event in play(match, confinement, seats=seats):
            writer(event)
    except TierUnavailable as error:
        told.write(json.dumps({"event": "refused", "detail": str(error)}) + "\n")
    finally:
        confinement.close()
        told.close()


def _agent_seat(match: Match, side: int, confinement: Confinement) -> Seat:
    seat = seat_of(match, side, confinement)
    return cast(Seat, RebuiltSeat(seat, match.game, side, match.opening)) if match.opening else seat


def _listen(orders: BinaryIO, people: dict[int, PersonSeat]) -> None:
    for line in orders:
        said: dict[str, Any] = json.loads(line)
        people[said["side"]].take(said["action"])
    os._exit(0)  # whatever is going on: the zygotes and the players see it, and end too

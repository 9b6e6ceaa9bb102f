"""A player of a recorded match in this process, just before a turn: for debuggers and profilers."""

from __future__ import annotations

import cProfile
import os
import pstats
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from watch_your_back.diagnosis.rebuilding import Difference, Question, Rebuilding
from watch_your_back.match.local import LocalSeat

__all__ = ["Here", "ProfileLine", "bring", "profile_lines"]


class Here(NamedTuple):
    """A player in this process, and the question that it is to be asked next.

    Where it `left` the record before the turn that was asked for, it is either before the turn at which it did so, or
    it was `put` before the right turn by its method `start`.
    """

    seat: LocalSeat
    question: Question
    left: Difference | None = None
    put: bool = False


def bring(rebuilding: Rebuilding, ply: int) -> Here:
    """The player before its turn at this ply, or as near to that as it can be brought.

    What it prints on the way is dropped. Raises CannotRebuild, PlayerFault.
    """
    wanted = question = rebuilding.at(ply)
    left = None
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        seat = LocalSeat(rebuilding.agent, rebuilding.setting())
        while (found := rebuilding.follow(seat, rebuilding.before(question.state.ply))) is not None:
            left, question, can_start = found, found.question, "start" in seat.methods
            seat.close()
            seat = LocalSeat(rebuilding.agent, rebuilding.setting())
            if can_start:
                rebuilding.put_before(seat, wanted)
                return Here(seat, wanted._replace(updates=()), left, put=True)
    return Here(seat, question, left)


class ProfileLine(NamedTuple):
    """What a profiler saw of one function: seconds in itself, and in all with those that it called.

    `own` is whether it is the player's; `file` is named as seen from the agent's folder then.
    """

    own: bool
    calls: int
    self_s: float
    total_s: float
    name: str
    file: str
    line: int


def profile_lines(profile: cProfile.Profile, root: Path) -> list[ProfileLine]:
    """The functions of an agent below `root` and then all others, in both groups those with the most time of their own
    first.
    """
    found = []
    seen: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, line, name), (_, calls, self_s, total_s, _) in seen.items():
        own = Path(file).is_relative_to(root) and "site-packages" not in file
        shown = str(Path(file).relative_to(root)) if own else file
        found.append(ProfileLine(own, calls, self_s, total_s, name, "" if file == "~" else shown, line))
    return sorted(found, key=lambda each: (not each.own, -each.self_s))

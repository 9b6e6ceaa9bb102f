"""When a player that has answered is stopped: at once, or not before somebody takes long.

To stop a process and let it go on costs a quick turn a tenth of its time. A player waits for the next question anyway,
unless it has threads that go on; those may for a thousandth of a second where all others are quick, and are charged.
"""

from __future__ import annotations

from typing import Protocol

__all__ = ["SOON_S", "Resting"]

SOON_S = 0.001
"""Less than this is quick, in seconds: an answer, and what happens between an answer and the next question."""


class Restless(Protocol):
    """A process that can be stopped."""

    def halt(self) -> None: ...


class Resting:
    """Sees to it that of the players of a match only the one that is asked runs for longer than `SOON_S`.

    `answered` is the moment of the last answer: a question that comes later than `SOON_S` after it shows that the
    processes have to be stopped as soon as they have answered. So they are before the first turn, which may be that of
    a person.
    """

    def __init__(self) -> None:
        self.answered = 0.0
        self.processes: list[Restless] = []

    def stop(self, asked: Restless | None = None) -> None:
        """Stop all but the process that is being asked."""
        for process in self.processes:
            if process is not asked:
                process.halt()

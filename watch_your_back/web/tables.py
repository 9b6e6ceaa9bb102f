"""The matches that are played on the page: each at a table, so many at once, and ended when nobody looks."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from watch_your_back.game import RESIGN, Action
from watch_your_back.match import Match
from watch_your_back.web.bell import Bell
from watch_your_back.web.course import Course
from watch_your_back.web.running import Running

__all__ = ["Hall", "NoRoom", "Table", "Unable"]

KEPT = 30
"""So many tables may be there in all, those of ended matches included, whose pages may still be open."""


class NoRoom(Exception):
    """As many matches are being played as may be."""


class Unable(Exception):
    """What was asked for cannot be done now; the message says why."""


@dataclass
class Table:
    """A match that is played here, and may be taken back: then it is begun again after fewer turns.

    `bell` rings whenever there is something new. `taken_back` counts how often turns were taken back.
    """

    id: str
    match: Match
    running: Running
    bell: Bell
    taken_back: int = 0
    watching: int = 0
    """How many pages show it."""
    left: bool = False
    """Whether a page has shown it, and none does now."""
    closed: bool = False
    wall_s: tuple[float, float] = (0.0, 0.0)
    first_opening: tuple[Action, ...] = ()
    going_back: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a turn is taken back."""

    @property
    def course(self) -> Course:
        """How far the match has come."""
        return self.running.course

    @property
    def people(self) -> tuple[bool, bool]:
        """Which sides are people."""
        first, second = (agent.kind == "person" for agent in self.match.agents)
        return first, second

    @property
    def occupied(self) -> bool:
        """Whether a match is being played."""
        return not self.closed and not self.running.ended

    def head(self) -> dict[str, Any]:
        """What stays the same, as a JSON value."""
        return {"id": self.id, "taken_back": self.taken_back, "people": self.people, **self.course.head()}

    def position(self) -> dict[str, Any]:
        """What there is to see now, as a JSON value."""
        back = self.back_to()
        return {
            **self.course.position(self.people, self.wall_s),
            "back": back,
            "closed": self.closed,
            "refused": self.course.refused,
        }

    def act(self, turn: int, action: object) -> None:
        """Take an action for the person who is to act. Raises IllegalAction, and Unable unless it is that turn."""
        side = self._person(turn)
        self._hand_over(turn, side, self.course.check(action))

    def resign(self, turn: int) -> None:
        """Give up, for the person who is to act. Raises Unable."""
        self._hand_over(turn, self._person(turn), RESIGN)

    def _hand_over(self, turn: int, side: int, action: Action) -> None:
        """Once a turn: what comes from another page before it is taken would be taken for the next turn."""
        if turn == self.running.acted_at:
            raise Unable("the match has gone on since then")
        self.running.act(turn, side, action)

    def _person(self, turn: int) -> int:
        side = self.course.acts() if self.course.begun else None
        if side is None or not self.occupied:
            raise Unable("the match is not waiting for an action")
        if turn != len(self.course.actions):
            raise Unable("the match has gone on since then")
        if not self.people[side]:
            raise Unable(f"it is the turn of {self.match.game.sides[side]}, which is an agent")
        return side

    def back_to(self) -> int | None:
        """After how many turns the match goes on if a person takes back a turn; None where that cannot be."""
        if not self.course.begun or not any(self.people) or self.closed or self.match.game.competitive:
            return None
        return previous_turn(self.course.actions, self.match, self.people)

    async def take_back(self, to: object) -> None:
        """Go back to before the last turn of a person, which is the one after `to` turns. Raises Unable and OSError."""
        async with self.going_back:
            await self._take_back(to)

    async def _take_back(self, to: object) -> None:
        turn = self.back_to()
        if turn is None:
            raise Unable("there is no turn to take back")
        if turn != to:  # as when it is asked for twice
            raise Unable("the match has gone on, or back, since then")
        course = self.course
        spent = (self.wall_s[0] + course.wall_s(0), self.wall_s[1] + course.wall_s(1))
        match = replace(self.match, opening=tuple(course.actions[:turn]))
        again = Running(match, spent, self.bell.ring)
        try:
            await again.start()
            async with self.bell.listening() as news:
                while not (again.course.going or again.course.over or again.course.failed or self.closed):
                    await news.wait()
            if self.closed:
                raise Unable("the match has been stopped")
            if again.course.failed:
                raise Unable(f"the turn cannot be taken back: {again.course.failed}")
        except BaseException:
            await again.close()
            raise
        before, self.running = self.running, again
        self.match, self.wall_s = match, spent
        self.taken_back += 1
        await before.close()
        self.bell.ring()

    def anew(self) -> Match:
        """The same match with another seed; one that took over an opening begins after it again."""
        return replace(self.match, seed=secrets.randbits(32), opening=self.first_opening)

    async def close(self) -> None:
        """End the match, if it is still going on."""
        self.closed = True
        await self.running.close()
        self.bell.ring()


def previous_turn(actions: Sequence[Action], match: Match, people: Sequence[bool]) -> int | None:
    """The number of turns before the last one that a person took; None if there is none."""
    state, found = match.game.initial(), None
    for turn, action in enumerate(actions):
        if people[state.to_move]:
            found = turn
        state = state.play(action)
    return found


class Hall:
    """All tables. At most `most` matches are played at once; a table that nobody looks at for `grace_s` is closed."""

    def __init__(self, most: int, grace_s: float = 15.0) -> None:
        self.most = most
        self.stopping = asyncio.Event()
        self.bell = Bell()
        """Rings when there is something new at any table."""
        self._grace_s = grace_s
        self._tables: dict[str, Table] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def table(self, id: str) -> Table | None:
        """The table with this id."""
        return self._tables.get(id)

    @property
    def tables(self) -> list[Table]:
        """All tables that are not closed, the newest first."""
        return [table for table in reversed(self._tables.values()) if not table.closed]

    async def seat(self, match: Match) -> Table:
        """A new table at which this match begins. Raises NoRoom and OSError."""
        if self._busy() >= self.most:
            for table in [each for each in self._tables.values() if each.left]:
                await self._remove(table)
        if (busy := self._busy()) >= self.most:
            raise NoRoom(
                f"{busy} {'match is' if busy == 1 else 'matches are'} being played here already, and more would disturb"
                " each other: end one of them first"
            )
        while len(self._tables) >= KEPT:
            oldest = next(table for table in self._tables.values() if not table.occupied)
            await self._remove(oldest)
        bell = Bell(self.bell)
        table = Table(
            secrets.token_urlsafe(9), match, Running(match, (0.0, 0.0), bell.ring), bell, first_opening=match.opening
        )
        self._tables[table.id] = table
        try:
            await table.running.start()
        except BaseException:
            del self._tables[table.id]
            raise
        self._when_nobody_looks(table)
        return table

    def _busy(self) -> int:
        return sum(table.occupied for table in self._tables.values())

    @asynccontextmanager
    async def watching(self, table: Table) -> AsyncIterator[None]:
        """Somebody looks at a table as long as this goes on."""
        table.watching += 1
        table.left = False
        try:
            yield
        finally:
            table.watching -= 1
            table.left = table.watching == 0
            self._when_nobody_looks(table)

    def _when_nobody_looks(self, table: Table) -> None:
        async def wait() -> None:
            await asyncio.sleep(self._grace_s)
            if table.watching == 0:
                await self._remove(table)

        if table.watching == 0 and not self.stopping.is_set():
            task = asyncio.get_running_loop().create_task(wait())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _remove(self, table: Table) -> None:
        self._tables.pop(table.id, None)
        await table.close()

    def stop(self) -> None:
        """Let all streams end."""
        self.stopping.set()
        self.bell.ring()
        for table in self._tables.values():
            table.bell.ring()

    async def close(self) -> None:
        """End all matches."""
        self.stop()
        for task in list(self._tasks):
            task.cancel()
        for table in list(self._tables.values()):
            await self._remove(table)

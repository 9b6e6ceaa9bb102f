"""What a report tells, as plain data: `page` makes it a file, `gathering` takes it from the store of a tournament."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeAlias

from watch_your_back.confine.limits import Limits
from watch_your_back.game import Game
from watch_your_back.match.events import PlayerFailed, Usage
from watch_your_back.match.record import Record
from watch_your_back.statistics import Estimate

__all__ = ["Contestant", "Played", "Records", "Report"]


@dataclass(frozen=True, slots=True)
class Contestant:
    """An agent of the tournament.

    `rating` is in Elo, `ranks` the best and the worst rank (1 is first) that it may have with 95 % confidence; both are
    None for an agent that no match counts of. `note` says why it takes no part (any more), if so. `bye_points` are what
    it was given for rounds without an opponent.
    """

    name: str
    spec: str = ""
    fingerprint: str = ""
    rating: Estimate | None = None
    ranks: tuple[int, int] | None = None
    note: str = ""
    bye_points: float = 0.0


class Played(NamedTuple):
    """One match.

    `agents` are indices into `Report.contestants`, by side, like `usage` and `slowest_s` (CPU seconds of the longest
    turn); `winner` is a side or None. `excluded` says why the match counts for nobody, if so: it was void, or one of
    the agents takes no part any more. `id` is what the tournament calls it, `key` what `Records` know it by.
    """

    key: int
    id: str
    agents: tuple[int, int]
    winner: int | None
    reason: str
    turns: int
    usage: tuple[Usage, Usage]
    slowest_s: tuple[float, float]
    failures: tuple[PlayerFailed, ...] = ()
    excluded: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """A tournament, as far as it has been played.

    `contestants` are in the order of their rank, those that take no part at the end. `settings` are shown as they are,
    a label and a value each; `notes` are sentences on what weakens the results. `advantage` is what moving first is
    worth, in Elo. `planned` is how many matches there are to be in all. Of an `anonymous` report nothing is shown that
    could tell who an agent is.
    """

    title: str
    game: Game
    limits: Limits
    contestants: Sequence[Contestant]
    matches: Sequence[Played]
    planned: int
    made: datetime
    settings: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()
    advantage: Estimate | None = None
    anonymous: bool = False

    @property
    def playing(self) -> range:
        """The indices of the contestants that take part."""
        return range(sum(not each.note for each in self.contestants))

    @property
    def counted(self) -> list[Played]:
        """The matches that count."""
        return [match for match in self.matches if not match.excluded]


Records: TypeAlias = Callable[[Played], Record | None]
"""Where the record of a match is to be had, if there is one."""

"""A match as the positions that `wyb replay` shows: what led to each, what it cost, and what was said and printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from watch_your_back.game import Action, Board, State
from watch_your_back.match.events import PlayerFailed, PlayerOutput, Usage
from watch_your_back.match.record import Record, Turn
from watch_your_back.report.judgement import Judgement
from watch_your_back.report.viewpoint import Viewpoint
from watch_your_back.report.wording import action as in_words

__all__ = ["Course"]


class Course:
    """The positions of a match, numbered from 0: before the first action, after each, and a failure that ended it.

    `judged` is what an explanation says of each turn, `comments` are words on positions.
    """

    def __init__(
        self,
        viewpoint: Viewpoint,
        judged: Sequence[Judgement | None] = (),
        comments: Sequence[tuple[int, str]] = (),
    ) -> None:
        self.viewpoint = viewpoint
        self.record: Record = viewpoint.record
        self.judged = judged
        self.comments = comments
        played = len(self.record.turns)
        after = self.record.start.ply + played
        self.failure: PlayerFailed | None = next(
            (each for each in viewpoint.failures if not played or each.ply >= after), None
        )
        self.last = played + (self.failure is not None)

    def state(self, position: int) -> State:
        """The state there."""
        return self.record.states[min(position, len(self.record.turns))]

    def board(self, position: int) -> Board:
        """What is seen of it."""
        return self.viewpoint.board(min(position, len(self.record.turns)))

    def pieces(self, position: int, side: int) -> int:
        """How many pieces of a side are seen there."""
        return self.viewpoint.pieces(min(position, len(self.record.turns)), side)

    def turn(self, position: int) -> Turn | None:
        """The turn that led there; None at the start, and where a failure did."""
        return self.record.turns[position - 1] if 0 < position <= len(self.record.turns) else None

    def touched(self, position: int) -> Sequence[Action]:
        """The cells of the action that led there."""
        return self.viewpoint.cells(position - 1) if self.turn(position) else ()

    def judgement(self, position: int) -> Judgement | None:
        """What an explanation says of the turn that led there."""
        return self.judged[position - 1] if 0 < position <= len(self.judged) else None

    def ply(self, position: int) -> int:
        """The turns taken from the start of the game, an opening's among them."""
        return self.record.start.ply + position

    def position(self, ply: int) -> int:
        """The position after so many turns, the nearest one there is."""
        return min(max(ply - self.record.start.ply, 0), self.last)

    def caption(self, position: int, arrow: str) -> str:
        """Where that is and what happened: `Turn 17, White: (1, 3), placing phase`."""
        sides = self.record.game.sides
        turn = self.turn(position)
        if turn is not None:
            what = f"{sides[turn.side].capitalize()}: {in_words(self.viewpoint.action(position - 1), arrow)}"
            parts = [f"Turn {self.ply(position)}", what]
        elif position and self.failure is not None:
            call = "" if self.failure.reason == "illegal action" else f" in {self.failure.call}"
            what = f"{sides[self.failure.side].capitalize()}: {self.failure.reason}{call}"
            parts = [f"Turn {self.ply(position)}" if self.failure.ply >= 0 else "At the start", what]
        else:
            opening = len(self.record.opening)
            parts = [f"After an opening of {opening} action{'s' * (opening != 1)}" if opening else "The start"]
        phase = f"{self.state(position).phase} phase"
        ending = "the end" if self.record.complete else "where the record breaks off"
        return ", ".join([*parts, ending if position == self.last else phase])

    def usage(self, position: int, side: int) -> Usage:
        """What a side has used until there."""
        used = next((start.usage for start in self.record.starts if start.side == side), Usage())
        for turn in self.record.turns[:position]:
            if turn.side == side:
                used = Usage(used.cpu_s + turn.cpu_s, used.wall_s + turn.wall_s, turn.memory_mb, used.turns + 1)
        return used

    def outputs(self, position: int) -> Iterator[PlayerOutput]:
        """What was printed in the turn that led there, or at the start."""
        return (each for each in self.viewpoint.outputs if self._shown_at(each.ply) == position)

    def failures(self, position: int) -> Iterator[PlayerFailed]:
        """How players failed there."""
        return (each for each in self.viewpoint.failures if self._shown_at(each.ply) == position)

    def said(self, position: int) -> Iterator[str]:
        """The comments on it."""
        return (words for at, words in self.comments if at == position)

    def _shown_at(self, ply: int) -> int:
        return 0 if ply < 0 and self.record.turns else self.position(ply + 1)

    # Where there is something to see

    @property
    def spoken(self) -> list[int]:
        """The positions at which something was printed."""
        return sorted({self._shown_at(each.ply) for each in self.viewpoint.outputs})

    @property
    def failing(self) -> list[int]:
        """Those at which a player failed."""
        return sorted({self._shown_at(each.ply) for each in self.viewpoint.failures})

    @property
    def turning(self) -> list[int]:
        """Those at which the match turned."""
        return self._judged_as(lambda judged: judged.turning)

    @property
    def erring(self) -> list[int]:
        """Those after a turn with which something is wrong."""
        return self._judged_as(lambda judged: bool(judged.grade))

    @property
    def slowest(self) -> list[int]:
        """All but the first, the one after the slowest turn in front."""
        turns = self.record.turns
        return sorted(range(1, len(turns) + 1), key=lambda position: -turns[position - 1].cpu_s)

    def _judged_as(self, fits: Callable[[Judgement], bool]) -> list[int]:
        return [position for position, each in enumerate(self.judged, 1) if each is not None and fits(each)]

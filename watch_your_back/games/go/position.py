"""A state of Go: what may be played, what follows, and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from watch_your_back.game import Action, Board, Mark, Outcome, Piece, State, grid
from watch_your_back.games.go.diagram import draw
from watch_your_back.games.go.refusals import refusal
from watch_your_back.games.go.scoring import outcome as result
from watch_your_back.games.go.seen import Seen
from watch_your_back.games.go.stones import Stones

if TYPE_CHECKING:
    from random import Random

    from watch_your_back.games.go import Go

__all__ = ["Key", "Position"]

Key: TypeAlias = tuple[int, int, int]
"""The sets of black and of white stones, and the side to move."""


class _Fields(NamedTuple):
    game: Go
    stones: Stones
    to_move: int = 0
    ply: int = 0
    passed: bool = False
    ko: int = -1
    used: int = 0
    seen: Seen | None = None
    line: tuple[Action, Any] | None = None
    outcome: Outcome | None = None


class Position(_Fields, State):
    """A state of the game.

    `to_move` is 0 for Black, 1 for White; `passed` tells whether one more pass ends the game. Under a superko rule
    `seen` has the boards that may not come back (with a bit more where White is to move, if that counts), `used` is the
    board of all stones that ever stood, and `line` the actions so far: the last one and the `line` before it. Under the
    basic ko rule `ko` is the number of the point that may not be retaken at once, or -1, and the rest is forgotten.
    """

    __slots__ = ()

    @property
    def phase(self) -> str:
        """Always `playing`."""
        return "playing"

    @property
    def turns(self) -> int:
        """Turns taken by both sides together, passes included."""
        return self.ply

    def actions(self) -> list[Action]:
        """The actions that led here from the start, under a superko rule; the basic ko rule remembers none."""
        actions, line = list[Action](), self.line
        while line is not None:
            action, line = line
            actions.append(action)
        return actions[::-1]

    def legal_actions(self) -> list[Action]:
        """The points that may be played on, row by row, and then the pass."""
        if self.outcome is not None:
            return []
        points = self._playable()
        shape = self.stones.geometry
        return [*[point for point, bit in zip(shape.points, shape.bits, strict=True) if points & bit], None]

    def count_actions(self) -> int:
        """How many legal actions there are."""
        return 0 if self.outcome is not None else self._playable().bit_count() + 1

    def _playable(self) -> int:
        """The set of the points that may be played on."""
        stones = self.stones
        shape = stones.geometry
        points = stones.vacant()
        # Elsewhere a stone has a liberty at once and makes a new board.
        doubtful = points & ~shape.beside(points) | points & (self.used >> shape.count if self.to_move else self.used)
        if self.ko >= 0:
            doubtful |= shape.bits[self.ko]
        while doubtful:
            bit = doubtful & -doubtful
            doubtful ^= bit
            if self.fault(bit.bit_length() - 1) is not None:
                points ^= bit
        return points

    def fault(self, point: int) -> str | None:
        """Why the side to move may not play on this empty point (by its number): `suicide`, `ko` or `superko`.

        None if it may.
        """
        stones, side = self.stones, self.to_move
        if stones.lives(point, side):
            if point == self.ko:
                return "ko"
            # Without a suicide, a board can come back only by a stone where that side had one before.
            if not self.used & stones.geometry.placed[side][point]:
                return None
        elif self.game.options.rules != "tromp-taylor" or not stones.joins(point, side):
            return "suicide"
        if self.seen is None:
            return None
        board = stones.board_after(point, side) | self.game.options.marks[1 - side]
        return "superko" if self.seen.holds(board) else None

    def check_form(self, form: Action) -> Action:
        """What `check` returns for an action in normal form."""
        if self.outcome is None:
            if form is None:
                return form
            shape, chain_of = self.stones.geometry, self.stones.chain_of
            point = shape.index.get(form)
            if point is not None and chain_of[point] == shape.count and self.fault(point) is None:
                return form
        raise refusal(self, form)

    def play(self, action: Action) -> Position:
        """The state after a legal action."""
        game, stones, side, ply, passed, ko, used, seen, line, outcome = self
        ply += 1
        ko = -1
        after = stones
        if action is not None:
            point = stones.geometry.index[action]
            after = stones.play(point, side)
            if seen is None:
                ko = _ko(stones, after, point, side)
            else:
                used |= after.board
        elif passed:
            outcome = result(game, stones, "two passes")
        if ply == game.options.last_turn and outcome is None:
            outcome = result(game, after, "turn limit")
        if seen is not None:
            seen = seen.add(after.board | game.options.marks[1 - side])
            line = action, line
        return Position(game, after, 1 - side, ply, action is None and outcome is None, ko, used, seen, line, outcome)

    def key(self) -> Key:
        """The sets of black and of white stones, and the side to move."""
        return self.stones.of(0), self.stones.of(1), self.to_move

    def text(self) -> str:
        """The board with coordinates, and lines on the turn and what went before; see `diagram`."""
        return draw(self)

    def picture(self) -> Board:
        """The board with its stones and its star points; prisoners and komi in the notes."""
        shape, stones = self.stones.geometry, self.stones
        pieces = [
            Piece(shape.points[number], side, "stone") for side in (0, 1) for number in shape.numbers(stones.of(side))
        ]
        notes = [f"{name}: prisoners {stones.lost[1 - side]}" for side, name in enumerate(self.game.sides)]
        notes.append(f"komi: {self.game.options.komi:g}")
        if self.passed:
            notes.append(f"{self.game.sides[1 - self.to_move]} has passed")
        stars = [Mark(point, "star") for point in shape.stars]
        return Board(grid(shape.size, shape.size, "point", dark=0), pieces, stars, notes)

    def count_pieces(self, side: int) -> int:
        """How many stones Black (0) or White (1) has on the board."""
        return self.stones.of(side).bit_count()

    def evaluate(self, side: int) -> float:
        """The lead in stones and in points that are nearer to own stones, two steps away at most.

        Komi makes up for the first play, so it counts the more, the fuller the board is.
        """
        stones = self.stones
        shape, black, white, vacant = stones.geometry, stones.of(0), stones.of(1), stones.vacant()
        played = shape.count - vacant.bit_count()
        for _ in range(2):
            near_black, near_white = shape.beside(black) & vacant, shape.beside(white) & vacant
            black |= near_black & ~near_white
            white |= near_white & ~near_black
            vacant &= ~(near_black | near_white)
        options = self.game.options
        lead = black.bit_count() - white.bit_count() - (options.komi + options.handicap) * played / shape.count
        return -lead if side else lead

    def sample(self, rng: Random) -> Action:
        """One legal action, each with the same chance. Raises IndexError when the game is over.

        Points and the pass are drawn until one of them is legal: faster than to list them all.
        """
        if self.outcome is not None:
            raise IndexError("the game is over, there is no action to sample")
        shape, chain_of, random = self.stones.geometry, self.stones.chain_of, rng.random
        empty = shape.count
        ways = empty + 1
        while True:
            point = int(random() * ways)
            if point == empty:
                return None
            if chain_of[point] == empty and self.fault(point) is None:
                return shape.points[point]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        if self._facts() != other._facts():
            return False
        mine, theirs = self.line, other.line
        while mine is not theirs:
            if mine is None or theirs is None or mine[0] != theirs[0]:
                return False
            mine, theirs = mine[1], theirs[1]
        return True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def _facts(self) -> tuple[Any, ...]:
        return self.stones.board, self.ply, self.passed, self.ko, self.stones.lost, self.game

    def __hash__(self) -> int:
        # Of the line the last action alone: two that differ further back are rarely met together.
        return hash((self.stones.board, self.ply, self.passed, self.ko, self.line and self.line[0]))

    def __reduce__(self) -> tuple[Any, ...]:
        return self.game.parse, (self.text(),)

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({self.text()!r})"


def _ko(before: Stones, after: Stones, point: int, side: int) -> int:
    """The point whose recapture would bring back the board before a play on `point`, or -1."""
    single = after.lost[1 - side] == before.lost[1 - side] + 1
    chain = after.chain_of[point]
    if not single or chain == after.geometry.count or len(after.members[chain]) > 1:
        return -1
    freed = after.liberties[chain]
    return -1 if freed & freed - 1 else freed.bit_length() - 1

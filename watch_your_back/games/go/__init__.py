"""Go: surround more of the board than the other side.

Rules: traditional; area scoring in the manner of Tromp and Taylor, territory scoring with prisoners. Black and White
place a stone in turn on any empty point, Black first. Stones of a side that are joined along the lines are a chain; the
empty points next to a chain are its liberties. A chain without liberties is captured, the opponent's first: its stones
leave the board as prisoners. A play that leaves its own chain without liberties is illegal, but for the suicide of two
stones or more under `rules=tromp-taylor`.

No play may bring an earlier board back (`superko=positional`), nor one with the same side to move (`situational`), nor
the board before the opponent's last action (`simple`: the basic ko). Passing is always allowed. Two passes in a row end
the game, and so does the turn cap.

Then every stone on the board counts as alive: play on until you have captured those that are dead. An empty region that
touches the stones of one side only is that side's. `chinese` and `tromp-taylor` count a side's stones and its regions,
and White gets a point for each handicap stone; `japanese` counts its regions and its prisoners. White adds komi. More
points win; equal points are a draw. Handicap stones stand on the usual points from the start, and White is the first to
act then.

An action is `(x, y)`, a stone on that point, or None, a pass. Columns are counted from the left, rows from the top,
both from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from watch_your_back import game as base
from watch_your_back.game import (
    Action,
    ActionForm,
    Board,
    Game,
    Mark,
    OptionError,
    Outcome,
    Piece,
    State,
    grid,
    option,
)
from watch_your_back.games.go.diagram import draw, read
from watch_your_back.games.go.geometry import HANDICAP_SIZES, Geometry, geometry
from watch_your_back.games.go.refusals import refusal
from watch_your_back.games.go.scoring import outcome as result
from watch_your_back.games.go.scoring import score
from watch_your_back.games.go.seen import Seen
from watch_your_back.games.go.stones import Stones, empty

if TYPE_CHECKING:
    from random import Random

__all__ = ["GAME", "Go", "Position", "score"]

Key = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Go(Game):
    """Go on a square board; the options are `Go.Options`."""

    @dataclass(frozen=True)
    class Options(base.Options):
        """The options of the game.

        Raises OptionError also for a komi that is not a multiple of 0.5, for a handicap of 1, and for any on a board
        that has no usual points for it.
        """

        turn_cap: int = option(
            -1,
            "turns after which the board is scored as it stands; -1 for 3 x size x size, 0 for no cap",
            minimum=-1,
        )
        size: int = option(9, "points on a side of the board; 9, 13 and 19 are usual", minimum=5, maximum=19)
        komi: float = option(
            7.5, "points that White is given, a multiple of 0.5; a draw needs a whole number", minimum=-361, maximum=361
        )
        rules: str = option(
            "chinese",
            "chinese and tromp-taylor count stones and area, japanese territory and prisoners; tromp-taylor allows the "
            "suicide of two stones or more",
            choices=("chinese", "japanese", "tromp-taylor"),
        )
        handicap: int = option(
            0, "black stones on the board at the start, 0 or 2 to 9, on sizes 9, 13 and 19", minimum=0, maximum=9
        )
        superko: str = option(
            "positional",
            "what no play may repeat: a board, a board with the same side to move, or the board before the last action",
            choices=("positional", "situational", "simple"),
        )

        def __post_init__(self) -> None:
            base.Options.__post_init__(self)
            if self.komi % 0.5:
                raise OptionError(f"option komi is a multiple of 0.5, not {self.komi}")
            object.__setattr__(self, "komi", self.komi + 0.0)  # of the two zeros the one without a sign
            if self.handicap == 1:
                raise OptionError(
                    "option handicap is 0 or from 2 to 9, not 1 (for what is called one stone, set komi=0.5)"
                )
            if self.handicap and self.size not in HANDICAP_SIZES:
                raise OptionError(
                    f"option handicap is 0 on a board of size {self.size}: only 9, 13 and 19 have points for it"
                )

        @cached_property
        def last_turn(self) -> int:
            """The turn after which the board is scored as it stands, or 0 for no cap."""
            return 3 * self.size * self.size if self.turn_cap < 0 else self.turn_cap

        @cached_property
        def marks(self) -> tuple[int, int]:
            """By side to move the bit beyond those of a board that tells its repetition apart, if that counts."""
            return (0, 1 << 2 * self.size * self.size) if self.superko == "situational" else (0, 0)

    id: ClassVar[str] = "go"
    title: ClassVar[str] = "Go"
    rules_version: ClassVar[int] = 1
    forms = (
        ActionForm("(x, y)", "place a stone on an empty point", (2, 6)),
        ActionForm("None", "pass", None),
    )
    sides = ("black", "white")
    options: Options = Options()

    def initial(self) -> Position:
        """The empty board, Black to play; or the handicap stones, White to play."""
        shape = geometry(self.options.size)
        stones = empty(shape)
        for point in shape.handicap(self.options.handicap):
            stones = stones.play(shape.index[point], 0)
        first = int(self.options.handicap > 0)
        if self.options.superko == "simple":
            return Position(self, stones, first)
        seen = Seen().add(stones.board | self.options.marks[first])
        return Position(self, stones, first, used=stones.board, seen=seen)

    def symmetries(self) -> list[Callable[[Key], Key]]:
        """The other seven symmetries of the square, or those of them that leave the handicap stones as they are."""
        shape, start = geometry(self.options.size), self.initial().key()
        maps = [_image(shape, images) for images in shape.turned()]
        return [each for each in maps if each(start) == start]

    def parse(self, text: str) -> Position:
        """The state that `Position.text` wrote. Raises ValueError, naming the line, for what it cannot have written."""
        return read(self, text)


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
        notes = [
            f"prisoners: black has taken {stones.lost[1]}, white {stones.lost[0]}",
            f"komi: {self.game.options.komi:g}",
        ]
        if self.passed:
            notes.append(f"{self.game.sides[1 - self.to_move]} has passed")
        stars = [Mark(point, "star") for point in shape.stars]
        return Board(grid(shape.size, shape.size, "point"), pieces, stars, notes)

    def count_pieces(self, side: int) -> int:
        """How many stones Black (0) or White (1) has on the board."""
        return self.stones.of(side).bit_count()

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


def _image(shape: Geometry, images: Sequence[int]) -> Callable[[Key], Key]:
    def image(key: Key) -> Key:
        black, white = (sum(shape.bits[images[number]] for number in shape.numbers(stones)) for stones in key[:2])
        return black, white, key[2]

    return image


GAME = Go

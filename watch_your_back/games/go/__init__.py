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
from typing import ClassVar

from watch_your_back import game as base
from watch_your_back.game import ActionForm, Game, OptionError, option
from watch_your_back.games.go.diagram import read
from watch_your_back.games.go.geometry import HANDICAP_SIZES, Geometry, geometry
from watch_your_back.games.go.position import Key, Position
from watch_your_back.games.go.scoring import score
from watch_your_back.games.go.seen import Seen
from watch_your_back.games.go.stones import empty

__all__ = ["GAME", "Go", "Position", "score"]


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
        size: int = option(9, "points along a side of the board; 9, 13 and 19 are usual", minimum=5, maximum=19)
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


def _image(shape: Geometry, images: Sequence[int]) -> Callable[[Key], Key]:
    def image(key: Key) -> Key:
        black, white = (sum(shape.bits[images[number]] for number in shape.numbers(stones)) for stones in key[:2])
        return black, white, key[2]

    return image


GAME = Go

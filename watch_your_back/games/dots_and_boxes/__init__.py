"""Dots and Boxes: draw edges in turn; whoever closes a box owns it and draws again.

Rules: the pencil-and-paper game, as Squares 1. The board is a grid of dots, `height` x `width` boxes large. On a turn a
side draws one edge between two neighbouring dots that is not there yet. Whoever draws the fourth edge of a box owns it,
and one edge may close two. Who has closed a box must draw another edge (not without the option `extra_turn`). Nobody
has to close a box. When all edges are drawn, more boxes win, and equal ones are a draw.

An action is `('h', x, y)`, the top edge of the box (x, y), or `('v', x, y)`, its left edge. Columns are counted from
the left, rows from the top, both from 0; the bottom edges of the board are the top edges of a row below it, its right
edges the left edges of a column beside it. The turns are the edges that are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from watch_your_back import game as base
from watch_your_back.game import Action, ActionForm, Board, Game, Outcome, Piece, State, option
from watch_your_back.games.dots_and_boxes.diagram import draw, read
from watch_your_back.games.dots_and_boxes.edges import Edges, edges_of
from watch_your_back.games.dots_and_boxes.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["GAME", "DotsAndBoxes", "Position"]

_MOST = 12  # boxes across and down

_ALL_DRAWN = (Outcome(0, "all edges drawn"), Outcome(1, "all edges drawn"), Outcome(None, "all edges drawn"))
_TURN_LIMIT = Outcome(None, "turn limit")


@dataclass(frozen=True, slots=True)
class DotsAndBoxes(Game):
    """Dots and Boxes; the options are `DotsAndBoxes.Options`."""

    @dataclass(frozen=True)
    class Options(base.Options):
        """The options of the game."""

        width: int = option(5, "boxes across", minimum=1, maximum=_MOST)
        height: int = option(5, "boxes down", minimum=1, maximum=_MOST)
        extra_turn: bool = option(True, "who closes a box acts again")

    id: ClassVar[str] = "dots_and_boxes"
    title: ClassVar[str] = "Dots and Boxes"
    rules_version: ClassVar[int] = 1
    forms = (
        ActionForm("('h', x, y)", "draw the top edge of the box (x, y)", ("h", 2, 1)),
        ActionForm("('v', x, y)", "draw the left edge of the box (x, y)", ("v", 0, 3)),
    )
    sides = ("first", "second")
    options: Options = Options()
    edges: Edges = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "edges", edges_of(self.options.width, self.options.height))

    def initial(self) -> Position:
        """No edge is drawn, `first` to act."""
        return Position(self, 0, 0, 0, 0)

    def symmetries(self) -> list[Callable[[tuple[int, int, int, int]], tuple[int, int, int, int]]]:
        """Left and right exchanged, top and bottom, both; on a square board also with columns for rows."""
        return [partial(_mirrored, bits) for bits in self.edges.mirrors]

    def parse(self, text: str) -> Position:
        """The state that `Position.text` wrote.

        Raises ValueError, naming the line, for what is no diagram or contradicts itself.
        """
        drawn, boxes, to_move = read(text, self.edges, self.sides)
        ply = drawn.bit_count()
        if to_move != ply & 1 and not (self.options.extra_turn and boxes[0] | boxes[1]):
            raise ValueError(f"line {2 * self.options.height + 2}: after {ply} edges {self.sides[ply & 1]} is to act")
        return Position(self, drawn, *boxes, to_move, self.outcome(drawn, *boxes))

    def outcome(self, drawn: int, first: int, second: int) -> Outcome | None:
        """The end with these edges and each side's boxes, if it is one."""
        if drawn == self.edges.all:
            lead = first.bit_count() - second.bit_count()
            return _ALL_DRAWN[0 if lead > 0 else 1 if lead else 2]
        return _TURN_LIMIT if drawn.bit_count() >= self.options.turn_cap > 0 else None


class _Fields(NamedTuple):
    game: DotsAndBoxes
    drawn: int
    first: int
    second: int
    to_move: int
    outcome: Outcome | None = None


class Position(_Fields, State):
    """A state of the game.

    `drawn` is the bitboard of the edges, as `game.edges` numbers them; `first` and `second` are those of the boxes that
    each side owns (bit `width` y + x is the box (x, y)). Future play depends on how many they own, not on which: states
    that differ in no more are equal.
    """

    __slots__ = ()

    phase = "playing"

    @property
    def turns(self) -> int:
        """Edges that are drawn."""
        return self.drawn.bit_count()

    @property
    def ply(self) -> int:
        """Edges that are drawn."""
        return self.drawn.bit_count()

    def legal_actions(self) -> list[Action]:
        """The edges that are not drawn: the horizontal ones row by row from the top, then the vertical ones."""
        if self.outcome is not None:
            return []
        edges, drawn = self.game.edges.actions, self.drawn
        return [edge for number, edge in enumerate(edges) if not drawn >> number & 1]

    def count_actions(self) -> int:
        """How many legal actions there are."""
        return 0 if self.outcome is not None else len(self.game.edges.actions) - self.drawn.bit_count()

    def sample(self, rng: Random) -> Action:
        """One legal action, each with the same chance. Raises IndexError when the game is over.

        Edges are drawn until there is one that is not yet on the board: faster than to list them all.
        """
        if self.outcome is not None:
            raise IndexError("the game is over, there is no action to sample")
        edges, drawn, random = self.game.edges.actions, self.drawn, rng.random
        while True:
            number = int(random() * len(edges))
            if not drawn >> number & 1:
                return edges[number]

    def check_form(self, form: Action) -> Action:
        """What `check` returns for an action in normal form."""
        change = self.game.edges.changes.get(form)
        if change is None or self.drawn & change[0] or self.outcome is not None:
            raise refusal(self, form)
        return form

    def play(self, action: Action) -> Position:
        """The state after a legal action."""
        game, drawn, first, second, to_move, _ = self
        edge, beside = game.edges.changes[action]
        drawn |= edge
        closed = 0
        for around, box in beside:
            if drawn & around == around:
                closed |= box
        if to_move:
            second |= closed
        else:
            first |= closed
        if not (closed and game.options.extra_turn):
            to_move = 1 - to_move
        return Position(game, drawn, first, second, to_move, game.outcome(drawn, first, second))

    def boxes(self, side: int) -> int:
        """The bitboard of the boxes that `first` (0) or `second` (1) owns."""
        return self.second if side else self.first

    def key(self) -> tuple[int, int, int, int]:
        """The edges, how many boxes each side owns, and the side to move."""
        return self.drawn, self.first.bit_count(), self.second.bit_count(), self.to_move

    def text(self) -> str:
        """The edges as lines between the dots `+`, in each box 1 or 2 for its owner, and who is to act."""
        return draw(self.drawn, (self.first, self.second), self.to_move, self.game.edges, self.game.sides)

    def picture(self) -> Board:
        """The edges, which belong to nobody, the boxes with their owners, and the score."""
        game = self.game
        lines = [
            Piece(edge, None, "edge") for number, edge in enumerate(game.edges.actions) if self.drawn >> number & 1
        ]
        owned = [
            Piece(("box", x, y), side)
            for side in (0, 1)
            for number, (x, y) in enumerate(game.edges.boxes)
            if self.boxes(side) >> number & 1
        ]
        return Board(
            game.edges.layout,
            owned + lines,
            notes=[f"{name}: boxes {self.count_pieces(side)}" for side, name in enumerate(game.sides)],
        )

    def count_pieces(self, side: int) -> int:
        """How many boxes `first` (0) or `second` (1) owns."""
        return self.boxes(side).bit_count()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key() == other.key() and self.game == other.game

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({self.text()!r})"


def _mirrored(bits: tuple[int, ...], key: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    drawn, first, second, to_move = key
    return sum(bit for number, bit in enumerate(bits) if drawn >> number & 1), first, second, to_move


GAME = DotsAndBoxes

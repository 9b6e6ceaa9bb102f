"""Watch Your Back!: place twelve pieces each, then surround the enemy's on a board that shrinks.

Rules: the project of COMP30024 Artificial Intelligence, The University of Melbourne, 2018, as its published referee
plays them. White and Black place in turn, each in its own zone, then move in turn: a step, or a jump over a piece. A
piece between two hostile squares (enemies or corners) is eliminated when an enemy arrives beside it, or when it arrives
there itself. The outermost ring of the board goes after 128 and again after 192 turns of the moving phase. Fewer than
two pieces lose; fewer than two on both sides are a tie.

An action is `(x, y)`, a placement; `((a, b), (c, d))`, a move; or None, a turn forfeited because no piece can move.
Columns are counted from the left, rows from the top, both from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from watch_your_back import game as base
from watch_your_back.game import Action, ActionForm, Board, Game, Mark, Outcome, Piece, grid, option
from watch_your_back.games._turns import PlacingFirst
from watch_your_back.games.watch_your_back.actions import CHANGES, REACH, WAYS
from watch_your_back.games.watch_your_back.bitboards import (
    BIT,
    PLACEMENTS,
    SHRINK_TURNS,
    SQUARES,
    STAGES,
    ZONES,
    captured,
    enclosed,
    mirror,
    movable,
    placeable,
    shrink,
    squares_of,
)
from watch_your_back.games.watch_your_back.diagram import Diagram, contradiction, draw, read
from watch_your_back.games.watch_your_back.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["GAME", "Position", "WatchYourBack"]

_ZONE_SQUARES = tuple(map(squares_of, ZONES))
_MARKS = tuple(
    tuple(
        [Mark(square, "corner") for square in squares_of(stage.corners)]
        + [Mark(square, "removed") for square in squares_of(~(stage.squares | stage.corners))]
    )
    for stage in STAGES
)
"""What a picture marks, by how often the board has shrunk."""
_LAYOUT = grid(8, 8)
_new = tuple.__new__  # what a named tuple's own constructor calls in the end
_PIECES = tuple({square: Piece(square, side) for square in SQUARES} for side in (0, 1))
_DRAWS = 50  # of moves that may not be there, before they are listed after all

_ELIMINATED = (Outcome(0, "eliminated"), Outcome(1, "eliminated"))
_BOTH_ELIMINATED = Outcome(None, "both eliminated")
_TURN_LIMIT = Outcome(None, "turn limit")


@dataclass(frozen=True, slots=True)
class WatchYourBack(Game):
    """Watch Your Back! on its 8x8 board; the options are `WatchYourBack.Options`."""

    @dataclass(frozen=True)
    class Options(base.Options):
        """The options of the game."""

        turn_cap: int = option(
            512, "turns of the moving phase after which the match is a draw; 0 for no cap", minimum=0
        )

    id: ClassVar[str] = "watch_your_back"
    title: ClassVar[str] = "Watch Your Back!"
    rules_version: ClassVar[int] = 1
    published: ClassVar[bool] = True
    booleans: ClassVar[bool] = True  # as the published referee took them
    forms = (
        ActionForm("(x, y)", "place a piece on an empty square of your zone", (3, 4)),
        ActionForm(
            "((a, b), (c, d))", "move a piece of yours to a neighbouring square, or over a piece", ((3, 4), (3, 5))
        ),
        ActionForm("None", "forfeit the turn, only when no piece of yours can move", None),
    )
    sides = ("white", "black")
    options: Options = Options()

    def initial(self) -> Position:
        """The empty board, White to place."""
        return Position(self, 0, 0, 0)

    def symmetries(self) -> list[Callable[[tuple[int, int, int, int]], tuple[int, int, int, int]]]:
        """Left and right exchanged."""
        return [_mirrored]

    def parse(self, text: str) -> Position:
        """The state that `Position.text` wrote.

        Raises ValueError, naming the line, for what is no diagram or contradicts itself.
        """
        seen = read(text)
        placing = seen.phase == "placing"
        ply = seen.turns if placing else PLACEMENTS + seen.turns
        mine, theirs = (seen.black, seen.white) if ply & 1 else (seen.white, seen.black)
        outcome = None if placing else _outcome(mine, theirs, ply, self.options.turn_cap)
        if why := contradiction(seen, outcome):
            raise ValueError(f"line 9: {why}")
        return Position(self, mine, theirs, ply, seen.shrinks, outcome)


class _Fields(NamedTuple):
    game: WatchYourBack
    mine: int
    theirs: int
    ply: int
    shrinks: int = 0
    outcome: Outcome | None = None


class Position(_Fields, PlacingFirst):
    """A state of the game.

    `mine` and `theirs` are the bitboards of the side to move and of the other (bit 8y + x is the square (x, y)),
    `shrinks` how often the board has shrunk. A named tuple, since no other immutable object is made as fast.
    """

    __slots__ = ()

    placements = PLACEMENTS

    def legal_actions(self) -> list[Action]:
        """The squares to place on, or the moves, or None alone where there is no move.

        Sorted by the number 8y + x of the square that is placed on or moved from, then of the one moved to.
        """
        if self.outcome is not None:
            return []
        pieces = self.mine | self.theirs
        if self.ply < PLACEMENTS:
            return [*squares_of(placeable(ZONES[self.ply & 1], pieces))]
        actions: list[Action] = []
        reach = REACH[self.shrinks]
        mine = self.mine
        while mine:
            origin = mine & -mine
            near, moves = reach[origin]
            actions += moves[pieces & near]
            mine ^= origin
        return actions or [None]

    def check_form(self, form: Action) -> Action:
        """What `check` returns for an action in normal form, found without a list of all that are legal."""
        _, mine, theirs, ply, shrinks, outcome = self
        change = CHANGES.get(form)
        if change is not None and outcome is None:
            flipped, target, middle = change
            origin, pieces = flipped ^ target, mine | theirs
            if ply < PLACEMENTS:
                if not origin and target & placeable(ZONES[ply & 1], pieces):
                    return form
            elif origin & mine:
                if target & STAGES[shrinks].squares & ~pieces and middle & pieces == middle:
                    return form
            elif form is None and self.legal_actions() == [None]:
                return form
        raise refusal(self, form, self.legal_actions())

    def play(self, action: Action) -> Position:
        """The state after a legal action."""
        game, mine, theirs, ply, shrinks, outcome = self
        flipped, target, _ = CHANGES[action]
        corners = STAGES[shrinks].corners
        mine ^= flipped
        theirs ^= captured(target, theirs, mine | corners)
        mine ^= enclosed(target, theirs | corners)
        ply += 1
        if ply >= PLACEMENTS:
            if ply - PLACEMENTS in SHRINK_TURNS and _outcome(theirs, mine, ply, 0) is None:
                shrinks += 1
                mine, theirs = shrink(mine, theirs, STAGES[shrinks])
            outcome = _outcome(theirs, mine, ply, game.options.turn_cap)
        return _new(Position, (game, theirs, mine, ply, shrinks, outcome))

    def pieces(self, side: int) -> int:
        """The bitboard of White (0) or Black (1)."""
        return self.mine if side == self.ply & 1 else self.theirs

    def key(self) -> tuple[int, int, int, int]:
        """The board (pieces, and how often it has shrunk) and the side to move."""
        return self.mine, self.theirs, self.shrinks, self.ply & 1

    def text(self) -> str:
        """The board as the published referee printed it; see `watch_your_back.games.watch_your_back.diagram`."""
        over = self.outcome is not None
        return draw(Diagram(self.pieces(0), self.pieces(1), self.shrinks, self.phase, self.turns, over))

    def picture(self) -> Board:
        """The board with its pieces, its corners and the squares that are removed."""
        pieces = [*_drawn(0, self.pieces(0)), *_drawn(1, self.pieces(1))]
        return Board(_LAYOUT, pieces, _MARKS[self.shrinks])

    def count_actions(self) -> int:
        """How many legal actions there are."""
        if self.outcome is not None:
            return 0
        pieces = self.mine | self.theirs
        if self.ply < PLACEMENTS:
            board: int = placeable(ZONES[self.ply & 1], pieces)
            return board.bit_count()
        boards = movable(self.mine, pieces, STAGES[self.shrinks].squares & ~pieces)
        return sum(board.bit_count() for board in boards) or 1

    def count_pieces(self, side: int) -> int:
        """How many pieces White (0) or Black (1) has on the board."""
        return self.pieces(side).bit_count()

    def sample(self, rng: Random) -> Action:
        """One legal action, each with the same chance. Raises IndexError when the game is over.

        Squares of the zone, or a piece and one of the four moves that it may have, are drawn until there is such a
        placement or move: faster than to list them all.
        """
        if self.outcome is not None:
            raise IndexError("the game is over, there is no action to sample")
        pieces, random = self.mine | self.theirs, rng.random
        if self.ply < PLACEMENTS:
            zone = _ZONE_SQUARES[self.ply & 1]
            while True:
                square = zone[int(random() * len(zone))]
                if not pieces & BIT[square]:
                    return square
        ways, most = WAYS[self.shrinks], 4 * self.mine.bit_count()
        for _ in range(_DRAWS):
            number = int(random() * most)
            mine = self.mine
            for _ in range(number >> 2):
                mine &= mine - 1
            left = number & 3
            for near, far, step, jump in ways[mine & -mine]:
                if not pieces & near or far & ~pieces:
                    if not left:
                        return jump if pieces & near else step
                    left -= 1
        return rng.choice(self.legal_actions())

    def __hash__(self) -> int:
        return hash((self.mine, self.theirs, self.ply, self.shrinks))

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({self.text()!r})"


@lru_cache(maxsize=16)
def _drawn(side: int, board: int) -> tuple[Piece, ...]:
    """The pieces of a side: of two boards in a row one is nearly always the same."""
    return tuple(_PIECES[side][square] for square in squares_of(board))


def _mirrored(key: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    mine, theirs, shrinks, to_move = key
    return mirror(mine), mirror(theirs), shrinks, to_move


def _outcome(mine: int, theirs: int, ply: int, turn_cap: int) -> Outcome | None:
    """The end in the moving phase: a side with fewer than two pieces, or the safety cap, which is looked at last.

    `ply` tells whose turn it would be.
    """
    if mine & mine - 1 and theirs & theirs - 1:
        return _TURN_LIMIT if ply - PLACEMENTS >= turn_cap > 0 else None
    if mine & mine - 1:
        return _ELIMINATED[ply & 1]
    if theirs & theirs - 1:
        return _ELIMINATED[1 - (ply & 1)]
    return _BOTH_ELIMINATED


GAME = WatchYourBack

"""Five in a Row, with moves: place twelve men each, then move them, and score for every new five in a line.

Rules: traditional, five in a row played on a draughtboard with draughtsmen that move on once all are placed. The sides
first place their men in turn, White first, on any empty square; after 24 turns they move in turn, each time one man to
one of the up to eight neighbouring squares that is empty. A side none of whose men can move passes.

Five squares in a straight line (a row, a column or a diagonal) that all hold men of one side are a combination. When an
action completes a combination, or several, its side scores a point for each that it has not had before; a combination
that is broken up and formed again scores no more. Six in a row hold two combinations. Placements score as well.

The side that has ten points (the option `target`) wins at once. After 1000 turns of the moving phase more points win,
and equal ones are a draw.

An action is `(x, y)`, a placement; `((a, b), (c, d))`, a move; or None, a turn passed because no man can move. Columns
are counted from the left, rows from the top, both from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from watch_your_back import game as base
from watch_your_back.game import Action, ActionForm, Board, Game, Outcome, Piece, grid, option
from watch_your_back.games._turns import PlacingFirst
from watch_your_back.games.five_in_a_row.diagram import PLACEMENTS, Diagram, contradiction, draw, read
from watch_your_back.games.five_in_a_row.geometry import Geometry, geometry
from watch_your_back.games.five_in_a_row.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["GAME", "FiveInARow", "Position"]

_DRAWS = 50  # of actions that may not be legal, before they are listed after all

_TARGET = (Outcome(0, "target"), Outcome(1, "target"))
_TURN_LIMIT = {winner: Outcome(winner, "turn limit") for winner in (0, 1, None)}


@dataclass(frozen=True, slots=True)
class FiveInARow(Game):
    """Five in a Row, with moves; the options are `FiveInARow.Options`."""

    @dataclass(frozen=True)
    class Options(base.Options):
        """The options of the game."""

        size: int = option(8, "squares along a side of the board", minimum=6, maximum=19)
        target: int = option(10, "points that win", minimum=1)
        turn_cap: int = option(1000, "turns of the moving phase after which more points win; 0 for no cap", minimum=0)

    id: ClassVar[str] = "five_in_a_row"
    title: ClassVar[str] = "Five in a Row"
    rules_version: ClassVar[int] = 1
    forms = (
        ActionForm("(x, y)", "place a man on any empty square", (3, 4)),
        ActionForm("((a, b), (c, d))", "move a man of yours to an empty square next to it", ((3, 4), (4, 5))),
        ActionForm("None", "pass, only when no man of yours can move", None),
    )
    sides = ("white", "black")
    options: Options = Options()
    geometry: Geometry = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "geometry", geometry(self.options.size))

    def initial(self) -> Position:
        """The empty board, White to place."""
        return Position(self, 0, 0, 0, 0, 0)

    def symmetries(self) -> list[Callable[[tuple[int, ...]], tuple[int, ...]]]:
        """The turns and reflections of the square."""
        return self.geometry.symmetries()

    def parse(self, text: str) -> Position:
        """The state that `Position.text` wrote.

        Raises ValueError, naming the line, for what is no diagram or contradicts itself.
        """
        seen = read(text, self.geometry)
        if why := contradiction(seen, self.geometry):
            raise ValueError(why)
        ply = seen.turns if seen.phase == "placing" else PLACEMENTS + seen.turns
        outcome = _outcome(self.options, seen.lines, ply)
        mine, theirs = (0, 1) if ply % 2 == 0 else (1, 0)
        return Position(self, seen.men[mine], seen.men[theirs], ply, seen.lines[mine], seen.lines[theirs], outcome)


class _Fields(NamedTuple):
    game: FiveInARow
    mine: int
    theirs: int
    ply: int
    my_lines: int
    their_lines: int
    outcome: Outcome | None = None


class Position(_Fields, PlacingFirst):
    """A state of the game.

    `mine` and `theirs` are the bitboards of the side to move and of the other, `my_lines` and `their_lines` the sets of
    the combinations that they have scored; see `Geometry`.
    """

    __slots__ = ()

    placements = PLACEMENTS

    def legal_actions(self) -> list[Action]:
        """The squares to place on, or the moves, or None alone where there is no move.

        Sorted by the square that is placed on or moved from, then by the one moved to, row by row from the top left.
        """
        if self.outcome is not None:
            return []
        board = self.game.geometry
        free = board.all & ~(self.mine | self.theirs)
        if self.ply < PLACEMENTS:
            return [*board.squares_of(free)]
        moves = board.moves
        actions = [action for man in board.bits(self.mine) for action, target in moves[man] if target & free]
        return actions or [None]

    def check_form(self, form: Action) -> Action:
        """What `check` returns for an action in normal form."""
        legal = self.legal_actions()
        if form not in legal:
            raise refusal(self, form, legal)
        return form

    def play(self, action: Action) -> Position:
        """The state after a legal action."""
        game, mine, theirs, ply, my_lines, their_lines, _ = self
        flipped, lines = game.geometry.changes[action]
        mine ^= flipped
        scored = my_lines
        for squares, combinations in lines:
            if (mine & squares).bit_count() >= 4:
                for five, number in combinations:
                    if mine & five == five:
                        my_lines |= number
        ply += 1
        outcome = None
        if my_lines != scored or 0 < game.options.turn_cap <= ply - PLACEMENTS:
            lines_by_side = (my_lines, their_lines) if ply & 1 else (their_lines, my_lines)
            outcome = _outcome(game.options, lines_by_side, ply)
        return Position(game, theirs, mine, ply, their_lines, my_lines, outcome)

    def men(self, side: int) -> int:
        """The bitboard of White (0) or Black (1)."""
        return self.mine if side == self.ply & 1 else self.theirs

    def lines(self, side: int) -> int:
        """The set of the combinations that White (0) or Black (1) has scored."""
        return self.my_lines if side == self.ply & 1 else self.their_lines

    def points(self, side: int) -> int:
        """The points of White (0) or Black (1)."""
        return self.lines(side).bit_count()

    def key(self) -> tuple[int, int, int, int, int]:
        """The board, the combinations that were scored, and the side to move."""
        return self.mine, self.theirs, self.my_lines, self.their_lines, self.ply & 1

    def text(self) -> str:
        """The board, the turn and the combinations that were scored; see `games.five_in_a_row.diagram`."""
        men, lines = (self.men(0), self.men(1)), (self.lines(0), self.lines(1))
        return draw(Diagram(men, lines, self.phase, self.turns), self.game.geometry)

    def picture(self) -> Board:
        """The board with its men, and the points of both sides beside it."""
        geometry, target = self.game.geometry, self.game.options.target
        men = [Piece(square, side, "man") for side in (0, 1) for square in geometry.squares_of(self.men(side))]
        notes = [f"{name}: points {self.points(side)} of {target}" for side, name in enumerate(self.game.sides)]
        return Board(grid(geometry.size, geometry.size), men, (), notes)

    def count_actions(self) -> int:
        """How many legal actions there are."""
        if self.outcome is not None:
            return 0
        board = self.game.geometry
        free = board.all & ~(self.mine | self.theirs)
        if self.ply < PLACEMENTS:
            return free.bit_count()
        return sum((board.near[man] & free).bit_count() for man in board.bits(self.mine)) or 1

    def count_pieces(self, side: int) -> int:
        """How many men White (0) or Black (1) has on the board."""
        return self.men(side).bit_count()

    def evaluate(self, side: int) -> float:
        """The lead in points, four men in five squares being worth a quarter of one where it has not been scored."""
        board, mine, theirs = self.game.geometry, self.mine, self.theirs
        fours = board.fours(mine, self.my_lines) - board.fours(theirs, self.their_lines)
        lead = self.my_lines.bit_count() - self.their_lines.bit_count() + fours / 4
        return lead if side == self.ply & 1 else -lead

    def sample(self, rng: Random) -> Action:
        """One legal action, each with the same chance. Raises IndexError when the game is over.

        Squares, or a man and one of its up to eight moves, are drawn until there is a legal one: faster than to list
        them all.
        """
        if self.outcome is not None:
            raise IndexError("the game is over, there is no action to sample")
        board, men, random = self.game.geometry, self.mine | self.theirs, rng.random
        if self.ply < PLACEMENTS:
            while True:
                number = int(random() * len(board.squares))
                if not men >> number & 1:
                    return board.squares[number]
        for _ in range(_DRAWS):
            number = int(random() * 4 * PLACEMENTS)
            mine = self.mine
            for _ in range(number >> 3):
                mine &= mine - 1
            moves = board.moves[mine & -mine]
            if number & 7 < len(moves):
                action, target = moves[number & 7]
                if not target & men:
                    return action
        return rng.choice(self.legal_actions())

    def __hash__(self) -> int:
        return hash((self.mine, self.theirs, self.ply, self.my_lines, self.their_lines))

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({self.text()!r})"


def _outcome(options: FiveInARow.Options, lines: tuple[int, int], ply: int) -> Outcome | None:
    """How the game has ended, if so: the target looked at first. `lines` are the scored combinations by side."""
    white, black = lines[0].bit_count(), lines[1].bit_count()
    ahead = 0 if white > black else 1 if black > white else None
    if ahead is not None and max(white, black) >= options.target:
        return _TARGET[ahead]
    return _TURN_LIMIT[ahead] if 0 < options.turn_cap <= ply - PLACEMENTS else None


GAME = FiveInARow

"""Archers: two hordes meet on a board of points and lines, where who arrives in a line of fire shoots first.

Rules: traditional; the usual board, and what the rules leave open, are settled by this project. Each side has five
archers on its starting line. White and Black move in turn, one archer along a line to the next point, which must be
free. Two archers are in each other's line of fire when they stand on one line with no archer between them. The archer
that moved at once shoots every enemy in its line of fire, and what is shot leaves the board. Only on the enemy's
starting line it cannot shoot: there every enemy that has it in its line of fire shoots it, except from the mover's own
starting line. You win when all your archers on the board stand on the enemy's starting points after your turn, or when
the enemy has no archer left.

An archer that comes onto the enemy's line with a shot to its name brings one shot archer of its horde back, to the free
own starting point with the smallest (x, y); each shot does so once. No side may move to and fro between the same two
points more than three turns running.

An action is `((a, b), (c, d))`, a move from one point to another, or None, a pass, when there is no legal move.
Columns are counted from the left, rows from the top, both from 0. The usual board has 5 columns and 9 rows, White at
the bottom. Its lines are all rows; columns 0, 2 and 4, each cut in two at row 4; columns 1 and 3, cut at rows 2 and 6;
and both diagonals of each block of 3 x 3 points around (1, 1), (3, 1), (1, 3), ... (3, 7). No line goes on into the
next.

Another board is given as JSON: {"points": [[x, y], ...], "lines": [[[x, y], ...], ...], "start": {"white": [[x, y],
...], "black": [[x, y], ...]}}. A line is straight and names its points in order; coordinates go from 0 to 99.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from watch_your_back import game as base
from watch_your_back.game import Action, ActionForm, Board, Game, OptionError, Outcome, Piece, option
from watch_your_back.games._symmetries import image
from watch_your_back.games._turns import OnePhase
from watch_your_back.games.archers.board import STANDARD, normal_board
from watch_your_back.games.archers.diagram import Diagram, draw, read
from watch_your_back.games.archers.ground import Ground, ground_of
from watch_your_back.games.archers.refusals import refusal
from watch_your_back.games.archers.shooting import bring_back, shoot

if TYPE_CHECKING:
    from random import Random

__all__ = ["GAME", "Archers", "Position"]

_DRAWS = 50  # of moves that may not be there, before they are listed after all

Habit = tuple[Action, int]
"""The move that would undo a side's last one, and how many moves running, up to 3, it has gone to and fro."""
_NO_HABIT: Habit = (None, 0)
_SHUTTLES = 3

Key = tuple[int, int, tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class Archers(Game):
    """Archers; the options are `Archers.Options`."""

    @dataclass(frozen=True)
    class Options(base.Options):
        """The options of the game; `board` is kept in one spelling, so that equal boards are equal options."""

        turn_cap: int = option(
            400,
            "turns after which the side with more archers on the enemy's line wins, then the one with more archers; "
            "0 for no cap",
            minimum=0,
        )
        board: str = option(
            STANDARD, "standard, or a JSON file with points, lines, start.white, start.black", file=True
        )

        def __post_init__(self) -> None:
            super().__post_init__()
            try:
                object.__setattr__(self, "board", normal_board(self.board))
            except ValueError as error:
                raise OptionError(f"option board: {error}") from None

    id: ClassVar[str] = "archers"
    title: ClassVar[str] = "Archers"
    rules_version: ClassVar[int] = 1
    forms = (
        ActionForm("((a, b), (c, d))", "an archer of yours moves to the next point along a line", ((2, 8), (2, 7))),
        ActionForm("None", "pass, only when no archer of yours can move", None),
    )
    sides = ("white", "black")
    options: Options = Options()
    ground: Ground = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ground", ground_of(self.options.board))

    def initial(self) -> Position:
        """Both hordes on their starting points, White to move."""
        return Position(self, *self.ground.starts, 0)

    def symmetries(self) -> list[Callable[[Key], Key]]:
        """The mirror images of the board that leave both camps in place; on the usual one, left and right exchanged."""
        return [partial(_image, table) for table in self.ground.symmetries()]

    def parse(self, text: str) -> Position:
        """The state that `Position.text` wrote.

        Raises ValueError, naming the line, for what is no diagram or contradicts itself.
        """
        told = read(text, self.ground)
        after = 1 if told.turns & 1 else 0
        mine, theirs = told.archers[after], told.archers[1 - after]
        outcome = _end(self.ground, mine, theirs, told.turns) or _ruling(self, mine, theirs, told.turns)
        if told.over != (outcome is not None):
            end = f"is over ({outcome.reason})" if outcome else "goes on"
            raise ValueError(f"the last line: with these archers after {told.turns} turns the game {end}")
        return Position(self, mine, theirs, told.turns, told.shots, told.habits[after], told.habits[1 - after], outcome)


class _Fields(NamedTuple):
    game: Archers
    mine: int
    theirs: int
    ply: int
    shots: tuple[int, ...] = ()
    habit: Habit = _NO_HABIT
    their_habit: Habit = _NO_HABIT
    outcome: Outcome | None = None


class Position(_Fields, OnePhase):
    """A state of the game.

    `mine` and `theirs` are the bitboards of the side to move and of the other, and so are the habits. `shots` has, for
    each shot that is not used up, the bit of the point where the archer stands that has it to its name, sorted.
    """

    __slots__ = ()

    @property
    def shuttle(self) -> Action:
        """The move that is illegal because it would go to and fro for the fourth time, or None."""
        move, running = self.habit
        return move if running == _SHUTTLES else None

    def legal_actions(self) -> list[Action]:
        """The moves, or None alone where there is none; row by row from the top left, by their origin first."""
        if self.outcome is not None:
            return []
        steps, shuttle = self.game.ground.steps, self.shuttle
        archers = self.mine | self.theirs
        actions: list[Action] = []
        mine = self.mine
        while mine:
            origin = mine & -mine
            mine ^= origin
            actions += [move for target, move in steps[origin] if not target & archers]
        if shuttle in actions:
            actions.remove(shuttle)
        return actions or [None]

    def check_form(self, form: Action) -> Action:
        """What `check` returns for an action in normal form."""
        legal = self.legal_actions()
        if form not in legal:
            raise refusal(self, form, legal)
        return form

    def play(self, action: Action) -> Position:
        """The state after a legal action."""
        game, mine, theirs, ply, shots, (expected, running), their_habit, _ = self
        ground = game.ground
        camp, ply = ground.starts[1 - (ply & 1)], ply + 1
        if action is None:
            outcome = _end(ground, theirs, mine, ply) or _ruling(game, theirs, mine, ply)
            return Position(game, theirs, mine, ply, shots, their_habit, _NO_HABIT, outcome)
        origin, target, back = ground.changes[action]
        habit = (back, min(running + 1, _SHUTTLES) if action == expected else 1)
        mine ^= origin | target
        if origin in shots:
            shots = tuple(sorted([target if each == origin else each for each in shots]))
        if ground.sight[target] & theirs:
            mine, theirs, shots = shoot(ground, target, mine, theirs, shots, 1 - (ply & 1))
        outcome = _end(ground, theirs, mine, ply)
        if outcome is None:
            if target in shots and target & camp & ~origin and not origin & camp:
                mine, shots = bring_back(ground, target, mine, mine | theirs, shots, 1 - (ply & 1))
            outcome = _ruling(game, theirs, mine, ply)
        return Position(game, theirs, mine, ply, shots, their_habit, habit, outcome)

    def archers(self, side: int) -> int:
        """The bitboard of White (0) or Black (1)."""
        return self.mine if side == self.ply & 1 else self.theirs

    def key(self) -> Key:
        """The archers of White and of Black, the shots to their names, and the side to move."""
        return self.archers(0), self.archers(1), self.shots, self.ply & 1

    def text(self) -> str:
        """The board as a diagram; see `watch_your_back.games.archers.diagram`."""
        habits = (self.habit, self.their_habit) if not self.ply & 1 else (self.their_habit, self.habit)
        archers = self.archers(0), self.archers(1)
        return draw(Diagram(archers, self.shots, habits, self.ply, self.outcome is not None), self.game.ground)

    def picture(self) -> Board:
        """The board with its archers, and on each the number of its shots that are not used up."""
        ground, pieces, notes = self.game.ground, [], []
        for side, name in enumerate(self.game.sides):
            archers = self.archers(side)
            for point in ground.points_of(archers):
                unused = self.shots.count(ground.bit[point])
                pieces.append(Piece(point, side, "man", str(unused) if unused else ""))
            shot = len(ground.homes[side]) - archers.bit_count()
            unused = sum(1 for each in self.shots if each & archers)
            notes.append(f"{name}: archers shot {shot}, shots unused {unused}")
        return Board(ground.layout, pieces, notes=notes)

    def count_pieces(self, side: int) -> int:
        """How many archers White (0) or Black (1) has on the board."""
        return self.archers(side).bit_count()

    def count_actions(self) -> int:
        """How many legal actions there are."""
        return len(self.legal_actions())

    def evaluate(self, side: int) -> float:
        """The lead in archers, each worth up to a half more the nearer it is to the enemy's line."""
        return self.game.ground.lead(side, self.archers(side), self.archers(1 - side))

    def sample(self, rng: Random) -> Action:
        """One legal action, each with the same chance. Raises IndexError when the game is over.

        Archers and ways from their points are drawn until there is such a move: faster than to list them all.
        """
        if self.outcome is not None:
            raise IndexError("the game is over, there is no action to sample")
        ground, random, mine, shuttle = self.game.ground, rng.random, self.mine, self.shuttle
        ways, steps, archers = ground.ways, ground.steps, mine | self.theirs
        many = ways * mine.bit_count()
        for _ in range(_DRAWS):
            number, way = divmod(int(random() * many), ways)
            left = mine
            for _ in range(number):
                left &= left - 1
            moves = steps[left & -left]
            if way < len(moves):
                target, move = moves[way]
                if not target & archers and move != shuttle:
                    return move
        return rng.choice(self.legal_actions())

    def __hash__(self) -> int:
        return hash((self.mine, self.theirs, self.ply, self.shots, self.habit, self.their_habit))

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({self.text()!r})"


def _end(ground: Ground, mine: int, theirs: int, ply: int) -> Outcome | None:
    """The end by the rules, if it has come; it is `mine`'s turn, and `theirs` have just had theirs."""
    side = ply & 1
    if not mine or not theirs:
        return Outcome(1 - side if theirs else side, "no archers left")
    if ply and not theirs & ~ground.starts[side]:
        return Outcome(1 - side, "on the enemy's line")
    return None


def _ruling(game: Archers, mine: int, theirs: int, ply: int) -> Outcome | None:
    """The end by the safety cap."""
    if not ply >= game.options.turn_cap > 0:
        return None
    side, starts = ply & 1, game.ground.starts
    mine_there, theirs_there = (mine & starts[1 - side]).bit_count(), (theirs & starts[side]).bit_count()
    lead = mine_there - theirs_there or mine.bit_count() - theirs.bit_count()
    return Outcome(None if lead == 0 else side if lead > 0 else 1 - side, "turn limit")


def _image(table: dict[int, int], key: Key) -> Key:
    white, black, shots, to_move = key
    return image(white, table), image(black, table), tuple(sorted([table[each] for each in shots])), to_move


GAME = Archers

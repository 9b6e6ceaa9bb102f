"""A state of the game between two turns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from watch_your_back.game import Action, IllegalAction, OptionError, Outcome, State
from watch_your_back.game import Board as Picture
from watch_your_back.games.weaponized_chess import diagram, drawing, turns
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.options import SHAPING
from watch_your_back.games.weaponized_chess.rules import rules_of
from watch_your_back.games.weaponized_chess.setup import written
from watch_your_back.games.weaponized_chess.shapes import check_shape
from watch_your_back.games.weaponized_chess.steps import Step, legal_steps
from watch_your_back.games.weaponized_chess.tactics import promising
from watch_your_back.games.weaponized_chess.urn import draw_turn
from watch_your_back.games.weaponized_chess.views import UNSEEN_MOVE, view
from watch_your_back.games.weaponized_chess.worth import lead

if TYPE_CHECKING:
    from watch_your_back.games.weaponized_chess import WeaponizedChess

__all__ = ["LISTED", "Position"]

LISTED = 400
"""How many turns `legal_actions` yields at most."""


class _Fields(NamedTuple):
    game: WeaponizedChess
    board: Board
    ply: int = 0
    outcome: Outcome | None = None
    told: tuple[Step, ...] | None = None


class Position(_Fields, State):
    """A state of the game: a board, which is not to be changed, the turns taken and how the game has ended.

    `told` are the steps of the last turn that its opponent is told of; a state that was read from a text has none.
    """

    __slots__ = ()

    @property
    def to_move(self) -> int:
        """0 for Black, 1 for White; when the game is over, whose turn it would be."""
        return self.board.to_move if self.outcome is None else 1 - self.board.to_move

    @property
    def phase(self) -> str:
        """Always `playing`."""
        return "playing"

    @property
    def turns(self) -> int:
        """Turns taken by both sides together."""
        return self.ply

    def legal_steps(self, partial: Sequence[Action] = ()) -> Iterator[Action]:
        """Every step with which a turn that begins with these steps can go on, then None if it can end there."""
        if self.outcome is None:
            seen = turns.follow(self.board, check_shape(tuple(partial)))
            yield from legal_steps(seen)
            if turns.may_end(seen):
                yield None

    def touching(self, partial: Sequence[Action] = ()) -> Callable[[Action], Sequence[Action]]:
        """Which cells of the picture a person touches to take a step with which a turn that begins so can go on."""
        seen = turns.follow(self.board, check_shape(tuple(partial)))
        return lambda step: drawing.touched_by(seen, cast(Any, step))

    def legal_actions(self) -> Iterator[Action]:
        """Complete turns, those of fewer steps first; of very many the first `LISTED`.

        Among turns of as many steps, in the order of `legal_steps`. Every legal turn can be made by `legal_steps`.
        """
        return turns.complete_turns(self.board, LISTED) if self.outcome is None else iter(())

    def check_form(self, form: Action) -> Action:
        """What `check` returns for an action in normal form; a refusal says which step is wrong and why."""
        if self.outcome is not None:
            raise IllegalAction("over", "the game is over, where no turn is legal")
        return turns.check_turn(self.board, form)

    def sample(self, rng: Random) -> Action:
        """A legal turn drawn step by step: every legal next step, and the end of the turn, with the same chance."""
        if self.outcome is not None:
            raise IndexError("the game is over")
        return draw_turn(self.board, rng)

    def play(self, action: Action) -> Position:
        """The state after a legal turn."""
        board, done, outcome = turns.carried_out(self.board, cast(Any, action), self.ply + 1)
        return Position(self.game, board, self.ply + 1, outcome, done)

    def observe(self, action: Action, side: int) -> Action:
        """What a side is told of the turn that led to this state.

        To its own side it is the turn. To the other one it is what has been carried out of it, and in a competitive
        game only what that side could see: an unseen Move is `("MV", "?")`.
        """
        if side == self.board.to_move ^ (self.outcome is None):
            return action
        return (UNSEEN_MOVE,) if self.told is None else self.told

    def view(self, side: int) -> dict[str, Any]:
        """All that a side may know, as a JSON value; see `views.view`."""
        return view(self.board, side, self.ply, self.outcome)

    def position(self) -> str:
        """The board as a position file, to be edited and begun from; see `setup.written` for what it leaves out."""
        return written(self.board)

    def under(self, **options: Any) -> Position:
        """The same state with these options changed, as they may be between two turns unless the game is competitive.

        Raises OptionError for a game that is competitive, and for options that take effect with a new game only.
        """
        before = self.game.options
        if before.competitive:
            raise OptionError("in a competitive game no option can be changed")
        for name in options:
            if name in SHAPING:
                raise OptionError(f"option {name} takes effect with a new game only")
        game = type(self.game)(type(before).of({**vars(before), **options}))
        board = self.board.copy()
        board.rules = rules_of(game.options)
        board.changed()
        return self._replace(game=game, board=board)

    def key(self) -> Hashable:
        """Everything on the board, and the side to move."""
        return self.board.key()

    def text(self) -> str:
        """The three levels, and a line for each piece, article, projectile and reinforcement; see `diagram`."""
        return diagram.draw(self)

    def picture(self) -> Picture:
        """The levels side by side: pieces with their codes, articles and projectiles; see `drawing`."""
        return drawing.picture(self.board, drawing.notes(self.board))

    def count_pieces(self, side: int) -> int:
        """How many pieces a side has on the board."""
        cell = self.board.cell
        return sum([each == side and cell[p] >= 0 for p, each in enumerate(self.board.side)])

    def evaluate(self, side: int) -> float:
        """How far a side seems to be ahead, in pawns; see `worth`."""
        return lead(self.board, side)

    def promising(self, rng: Random, most: int) -> list[Action]:
        """So many legal turns at most that seem to be worth a look, the best first; see `tactics`."""
        return [] if self.outcome is not None else [*promising(self.board, rng, most)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self.ply, self.outcome, self.game, self.key()) == (other.ply, other.outcome, other.game, other.key())

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.ply, self.key()))

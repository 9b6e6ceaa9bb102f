"""Squares: place counters, complete squares of any size and tilt, and make your opponent pay for them.

Rules: Squares 2, the game of priced squares, as published. Each side has 32 counters in stock and the 8 x 8 board is
empty. White first, the sides place a counter in turn on any empty cell, where it stays. No turn may be passed.

Four counters of one side on the corners of a square, straight or tilted, are a square of that side; the counter that
completes it may announce it, then or never. The opponent loses as many counters of its stock as all squares announced
at once cost together. A straight square costs the length of its sides; a tilted one, whose sides go so many columns one
way and so many rows the other, the smaller of the two numbers. A stock never goes below nothing.

The side whose stock is empty first has lost, whether it paid or placed its last counter; payment comes first. If the
board is full before that, the larger stock wins.

An action is `(x, y)`, a counter placed; or `((x, y), claims)`, the same with squares announced: a sorted tuple of
squares, each of them a sorted tuple of its four corners, such as `((3, 3), (3, 4), (4, 3), (4, 4))`. With the option
`announce=auto` all squares are announced without being named. Columns are counted from the left, rows from the top,
both from 0. A person types `3 4`, or `3 4 all` to announce every square that the counter completes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from watch_your_back import game as base
from watch_your_back.game import Action, ActionForm, Board, Game, Outcome, Piece, grid, option
from watch_your_back.games._symmetries import image
from watch_your_back.games._turns import OnePhase
from watch_your_back.games.squares.counting import CHOICES, Cell, Side, Square, choices, grid_of, price
from watch_your_back.games.squares.diagram import Diagram, draw, read
from watch_your_back.games.squares.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

__all__ = ["GAME", "Position", "Squares"]

_Key: TypeAlias = "tuple[int, int, int, int, int]"

_STOCK_EMPTY = (Outcome(0, "stock empty"), Outcome(1, "stock empty"))
_BOARD_FULL = (Outcome(0, "board full"), Outcome(1, "board full"))
_BOARD_FULL_DRAW = Outcome(None, "board full")
_TURN_LIMIT = Outcome(None, "turn limit")


@dataclass(frozen=True, slots=True)
class Squares(Game):
    """Squares; the options are `Squares.Options`."""

    @dataclass(frozen=True)
    class Options(base.Options):
        """The options of the game."""

        size: int = option(8, "cells along a side of the board", minimum=2, maximum=19)
        counters: int = option(32, "counters that each side has at the start", minimum=1)
        announce: str = option(
            "manual", "whether players announce their squares or all are announced", choices=("manual", "auto")
        )

    id: ClassVar[str] = "squares"
    title: ClassVar[str] = "Squares"
    rules_version: ClassVar[int] = 1
    complete: ClassVar[bool] = False
    forms = (
        ActionForm("(x, y)", "place a counter on an empty cell", (3, 4)),
        ActionForm(
            "((x, y), (square, ...))",
            "place it and announce squares that it completes, each of them its four corners",
            ((3, 4), (((3, 3), (3, 4), (4, 3), (4, 4)),)),
            "3 4 all",
        ),
    )
    sides = ("white", "black")
    options: Options = Options()

    def initial(self) -> Position:
        """The empty board, White to place."""
        side = Side.of(grid_of(self.options.size), 0, self.options.counters, 0)
        return Position(self, side, side)

    def symmetries(self) -> Sequence[Callable[[_Key], _Key]]:
        """The seven turns and reflections of the board."""
        return [partial(_image, table) for table in grid_of(self.options.size).symmetries()]

    def cells(self, action: Action) -> Sequence[Action]:
        """The cell that the counter is placed on."""
        if not isinstance(action, tuple):
            return ()
        return (action[0] if isinstance(action[0], tuple) else action,)

    def parse(self, text: str) -> Position:
        """The state that `Position.text` wrote.

        Raises ValueError, naming the line, for what is no diagram or contradicts itself.
        """
        size, board = self.options.size, grid_of(self.options.size)
        seen = read(text, board, size, self.options.counters)
        sides = [Side.of(board, seen.counters[n], seen.stocks[n], seen.counters[1 - n]) for n in (0, 1)]
        ply = seen.counters[0].bit_count() + seen.counters[1].bit_count()
        mine, theirs = sides[ply & 1], sides[1 - (ply & 1)]
        outcome = _outcome(self, theirs, mine, ply)
        if seen.over != (outcome is not None):
            end = f"is over ({outcome.reason})" if outcome else "goes on"
            raise ValueError(f"line {size + 1}: with these counters and stocks the game {end}")
        return Position(self, mine, theirs, ply, outcome)


class _Fields(NamedTuple):
    game: Squares
    mine: Side
    theirs: Side
    ply: int = 0
    outcome: Outcome | None = None


class Position(_Fields, OnePhase):
    """A state of the game: what the side to move has, and what the other one has."""

    __slots__ = ()

    def side(self, number: int) -> Side:
        """What White (0) or Black (1) has."""
        return self.mine if number == self.ply & 1 else self.theirs

    def owner(self, cell: Cell) -> int | None:
        """The side whose counter is on a cell of the board, if any."""
        bit = grid_of(self.game.options.size).bit[cell]
        return next((number for number in (0, 1) if self.side(number).counters & bit), None)

    def completed(self, cell: Cell) -> tuple[Square, ...]:
        """The squares that a counter of the side to move on this empty cell would complete, sorted."""
        return self.mine.chances.get(grid_of(self.game.options.size).bit[cell], ())

    def legal_actions(self) -> list[Action]:
        """The empty cells, row by row from the top left, each followed by the choices of squares to announce there.

        Those are all choices, the smallest first, where a counter completes at most six squares; where more, each
        square alone and all of them.
        """
        if self.outcome is not None:
            return []
        actions: list[Action] = []
        taken, manual = self.mine.counters | self.theirs.counters, self.game.options.announce == "manual"
        for cell, bit in grid_of(self.game.options.size).bit.items():
            if not taken & bit:
                actions.append(cell)
                if manual and bit in self.mine.chances:
                    actions += [(cell, claims) for claims in choices(self.mine.chances[bit])]
        return actions

    def check_form(self, form: Action) -> Action:
        """What `check` returns for an action in normal form."""
        if wrong := refusal(self, form):
            raise wrong
        return form

    def play(self, action: Action) -> Position:
        """The state after a legal action."""
        game, mine, theirs, ply, _ = self
        board = grid_of(game.options.size)
        form: Any = action
        cell, claims = form if isinstance(form[0], tuple) else (form, ())
        bit = board.bit[cell]
        if game.options.announce == "auto":
            claims = mine.chances.get(bit, ())
        cost = sum(map(price, claims)) if claims else 0
        after = mine.placing(bit, board, theirs)
        theirs = theirs.suffering(bit, cost)
        return Position(game, theirs, after, ply + 1, _outcome(game, after, theirs, ply + 1))

    def read(self, words: Sequence[int | str]) -> Action | None:
        """The action of `x y all`: a counter placed, and every square announced that it completes."""
        match words:
            case [int(x), int(y), "all"]:
                cell = (x, y)
                known = self.game.options.announce == "manual" and cell in grid_of(self.game.options.size).bit
                return (cell, squares) if known and (squares := self.completed(cell)) else cell
        return None

    def key(self) -> _Key:
        """The board (both sides' counters), both stocks, White's first, and the side to move."""
        white, black = self.side(0), self.side(1)
        return white.counters, black.counters, white.stock, black.stock, self.ply & 1

    def text(self) -> str:
        """The board and the stocks; see `watch_your_back.games.squares.diagram`."""
        white, black, stock_of_white, stock_of_black, _ = self.key()
        stocks, over = (stock_of_white, stock_of_black), self.outcome is not None
        return draw(Diagram(self.game.options.size, (white, black), stocks, over))

    def picture(self) -> Board:
        """The board with its counters, and the stocks beside it."""
        size, pieces, notes = self.game.options.size, list[Piece](), list[str]()
        for number, name in enumerate(self.game.sides):
            side = self.side(number)
            pieces += [Piece(cell, number) for cell, bit in grid_of(size).bit.items() if side.counters & bit]
            notes.append(f"{name}: stock {side.stock}")
        return Board(grid(size, size), pieces, notes=notes)

    def count_actions(self) -> int:
        """How many legal actions there are."""
        if self.outcome is not None:
            return 0
        quiet = self.game.options.size**2 - self.ply
        return quiet if self.game.options.announce == "auto" else quiet + self.mine.announcing

    def count_pieces(self, side: int) -> int:
        """How many counters White (0) or Black (1) has on the board."""
        return self.side(side).counters.bit_count()

    def evaluate(self, side: int) -> float:
        """The lead in counters that are left in stock, as if both had placed as many."""
        lead = self.mine.stock - self.theirs.stock - (self.ply & 1)
        return lead if side == self.to_move else -lead

    def sample(self, rng: Random) -> Action:
        """One legal action, each with the same chance. Raises IndexError when the game is over.

        First whether it announces squares, by the numbers of actions that do and do not. If not, cells are drawn until
        one is empty: faster than to list them all.
        """
        if self.outcome is not None:
            raise IndexError("the game is over, there is no action to sample")
        board = grid_of(self.game.options.size)
        cells, random = board.cells, rng.random
        announcing = self.mine.announcing
        if announcing and self.game.options.announce == "manual":
            quiet = len(cells) - self.ply
            number = int(random() * (quiet + announcing)) - quiet
            if number >= 0:
                return self._announcement(number)
        taken = self.mine.counters | self.theirs.counters
        while True:
            number = int(random() * len(cells))
            if not taken >> number & 1:
                return cells[number]

    def _announcement(self, number: int) -> Action:
        """One of the actions that announce squares, counted from 0; equal states count them in the same order."""
        chances = self.mine.chances
        for bit in sorted(chances):
            count = CHOICES[len(chances[bit])]
            if number < count:
                return grid_of(self.game.options.size).cell(bit), choices(chances[bit])[number]
            number -= count
        raise IndexError(number)

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({self.text()!r})"


def _outcome(game: Squares, placer: Side, other: Side, ply: int) -> Outcome | None:
    """The end after `ply` turns, if it is one; `placer` took the last of them."""
    if not other.stock:
        return _STOCK_EMPTY[ply - 1 & 1]
    if not placer.stock:
        return _STOCK_EMPTY[ply & 1]
    if ply == game.options.size**2:
        if placer.stock == other.stock:
            return _BOARD_FULL_DRAW
        return _BOARD_FULL[ply - 1 & 1 if placer.stock > other.stock else ply & 1]
    return _TURN_LIMIT if ply >= game.options.turn_cap > 0 else None


def _image(table: dict[int, int], key: _Key) -> _Key:
    white, black, stock_of_white, stock_of_black, to_move = key
    return image(white, table), image(black, table), stock_of_white, stock_of_black, to_move


GAME = Squares

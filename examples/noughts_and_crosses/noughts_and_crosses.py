"""Noughts and crosses: the first with a whole line of their own marks wins.

Rules: traditional. Crosses and noughts take turns, crosses first, and put their mark on an empty cell of a square
board. Whoever fills a row, a column or a diagonal has won; a full board without such a line is a draw.

An action is `(x, y)`, the cell to mark. Columns are counted from the left, rows from the top, both from 0.
"""

from dataclasses import dataclass
from functools import lru_cache

from watch_your_back import game as base
from watch_your_back.game import ActionForm, Board, Game, IllegalAction, Outcome, Piece, State, grid, option

MARKS = "XO"
"""The marks of the two sides, as they are in `Position.marks`, where `-` is an empty cell."""


@dataclass(frozen=True, slots=True)
class NoughtsAndCrosses(Game):
    """Noughts and crosses; the options are `NoughtsAndCrosses.Options`."""

    @dataclass(frozen=True)
    class Options(base.Options):
        """The options of the game."""

        size: int = option(3, "cells along each side of the board", minimum=3, maximum=9)

    id = "noughts_and_crosses"
    title = "Noughts and crosses"
    rules_version = 1
    sides = ("crosses", "noughts")
    forms = (ActionForm("(x, y)", "mark an empty cell", (1, 1)),)
    options: Options = Options()

    def initial(self):
        """The empty board, crosses to move."""
        return Position(self, "-" * self.options.size**2)

    def parse(self, text):
        """The state that `Position.text` wrote. Raises ValueError."""
        size, rows = self.options.size, [line.split() for line in text.splitlines()]
        marks = "".join(mark for row in rows for mark in row)
        if [len(row) for row in rows] != [size] * size or len(marks) != size * size or not set(marks) <= {*MARKS, "-"}:
            raise ValueError(f"a diagram has {size} lines of {size} marks X, O or - with a blank between them")
        if marks.count("X") - marks.count("O") not in (0, 1):
            raise ValueError("crosses begin and they take turns, so there are as many X as O, or one more")
        return Position(self, marks)


@dataclass(frozen=True, slots=True)
class Position(State):
    """A state of the game: the marks on the board, a letter a cell, row by row."""

    game: NoughtsAndCrosses
    marks: str

    @property
    def ply(self):
        """The number of marks on the board."""
        return len(self.marks) - self.marks.count("-")

    @property
    def turns(self):
        """The same, since there is only one phase."""
        return self.ply

    @property
    def phase(self):
        """`marking`, always."""
        return "marking"

    @property
    def to_move(self):
        """0 for crosses, 1 for noughts."""
        return self.ply % 2

    @property
    def outcome(self):
        """The end of the game, if this is one."""
        for line in lines(self.game.options.size):
            marks = {self.marks[cell] for cell in line}
            if marks in ({"X"}, {"O"}):
                return Outcome(MARKS.index(marks.pop()), "a whole line")
        if "-" not in self.marks:
            return Outcome(None, "board full")
        cap = self.game.options.turn_cap
        return Outcome(None, "turn limit") if self.ply >= cap > 0 else None

    def legal_actions(self):
        """The empty cells, row by row."""
        if self.outcome is not None:
            return []
        size = self.game.options.size
        return [(cell % size, cell // size) for cell, mark in enumerate(self.marks) if mark == "-"]

    def check_form(self, form):
        """The action, which is in normal form already. Raises IllegalAction."""
        side, size = self.game.sides[self.to_move].capitalize(), self.game.options.size
        if self.outcome is not None:
            raise IllegalAction("over", f"{side} acted after the end of the game")
        match form:
            case (int(x), int(y)):
                if not (0 <= x < size and 0 <= y < size):
                    why = f"x and y go from 0 to {size - 1}"
                    raise IllegalAction("off_board", f"{side} marked {form}, which is not on the board: {why}")
                if self.marks[size * y + x] != "-":
                    raise IllegalAction("occupied", f"{side} marked {form}, but that cell has a mark already")
                return form
        raise IllegalAction("form", f"{side} returned {str(form)[:80]}; return (x, y), an empty cell")

    def play(self, action):
        """The state after a legal action."""
        x, y = action
        cell = self.game.options.size * y + x
        return Position(self.game, self.marks[:cell] + MARKS[self.to_move] + self.marks[cell + 1 :])

    def key(self):
        """The board, which tells the side to move as well."""
        return (self.marks,)

    def text(self):
        """A line of marks for each row, with a blank between them."""
        size = self.game.options.size
        return "\n".join(" ".join(self.marks[start : start + size]) for start in range(0, size * size, size))

    def picture(self):
        """The board and its marks."""
        size = self.game.options.size
        pieces = [
            Piece((cell % size, cell // size), MARKS.index(mark), text=mark)
            for cell, mark in enumerate(self.marks)
            if mark != "-"
        ]
        return Board(grid(size, size), pieces)


@lru_cache
def lines(size):
    """The rows, columns and diagonals of a board, as tuples of the numbers of their cells."""
    along = range(size)
    rows = [tuple(size * y + x for x in along) for y in along]
    columns = [tuple(size * y + x for y in along) for x in along]
    diagonals = [tuple(size * n + n for n in along), tuple(size * n + size - 1 - n for n in along)]
    return rows + columns + diagonals


GAME = NoughtsAndCrosses

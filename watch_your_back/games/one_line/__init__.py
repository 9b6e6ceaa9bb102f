"""One-Line Chess: ten pieces on a line belong to both sides, and whoever brings the last one to its end wins.

Rules: One-Line Chess (yi zi qi), rule sets 1, 2 and 3, as published. The line has the positions 0 to 10, and 0 is the
terminal. Any number of pieces may stand on one position. On a turn a side takes one or more pieces of one position and
moves them together to one position nearer to the terminal, as far as it likes, whether or not pieces stand there.
Pieces on the terminal never move again. When all ten are there the game is over, and whoever moved last has won, or has
lost with the option `misere`. Until then there is always a move.

At the start one piece stands on each of the positions 1 to 10 (rules 1), or two on each of 6 to 10 (rules 2). In rules
3 the line is empty, and the sides first place the pieces in turn, each time one or more of them on one of the positions
1 to 10; whoever placed the last one moves second, and the count of turns begins anew.

An action is `(position, count)`, pieces placed; or `(origin, target, count)`, pieces moved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from watch_your_back import game as base
from watch_your_back.game import (
    Action,
    ActionForm,
    Board,
    Cell,
    Game,
    Label,
    Layout,
    Outcome,
    Piece,
    State,
    option,
)
from watch_your_back.games.one_line.actions import CHANGES, MOVES, PIECES, PLACEMENTS, STOCK
from watch_your_back.games.one_line.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

__all__ = ["GAME", "OneLine", "Position"]

_STARTS = {1: (0, *[1] * 10), 2: (0, *[0] * 5, *[2] * 5), 3: (0,) * 11}
"""How many pieces stand on the positions 0 to 10 at the start, by rule set."""

_LAYOUT = Layout(
    tuple(Cell(position, position, 0, "square", "" if position else "dark") for position in range(11)),
    labels=tuple(Label(position, -0.8, str(position)) for position in range(11)),
)
_LAST_PIECE = (Outcome(0, "all pieces on the terminal"), Outcome(1, "all pieces on the terminal"))
_TURN_LIMIT = Outcome(None, "turn limit")
_LAST_LINE = re.compile(
    r"([0-9]{1,4}) turns into the (?:(placing) phase|moving phase(?:, after ([0-9]{1,2}) of placing)?)"
)


@dataclass(frozen=True, slots=True)
class OneLine(Game):
    """One-Line Chess; the options are `OneLine.Options`."""

    @dataclass(frozen=True)
    class Options(base.Options):
        """The options of the game."""

        rules: int = option(
            1, "the set-up: a piece on each position, two on each of the far five, or placed", choices=(1, 2, 3)
        )
        misere: bool = option(False, "whoever moves last loses")

    id: ClassVar[str] = "one_line"
    title: ClassVar[str] = "One-Line Chess"
    rules_version: ClassVar[int] = 1
    forms = (
        ActionForm("(origin, target, count)", "move pieces from one position to one with a smaller number", (7, 3, 1)),
        ActionForm("(position, count)", "place pieces of the stock on a position, in rules 3", (10, 2)),
    )
    sides = ("first", "second")
    options: Options = Options()

    def initial(self) -> Position:
        """The set-up of the rules, `first` to act."""
        return self._position(_STARTS[self.options.rules], 0, 0)

    def cells(self, action: Action) -> Sequence[Action]:
        """The position that is placed on; or the origin, then the target."""
        return action[:-1] if isinstance(action, tuple) else ()

    def parse(self, text: str) -> Position:
        """The state that `Position.text` wrote.

        Raises ValueError, naming the line, for what is no diagram or contradicts itself.
        """
        lines = text.splitlines()
        if len(lines) != 3:
            raise ValueError(f"a diagram has 3 lines, not {len(lines)}")
        if lines[0].split() != [*map(str, range(11))]:
            raise ValueError("line 1: expected the positions 0 to 10")
        words = lines[1].replace("-", "0").split()
        heights = [int(word) for word in words if word.isdecimal() and word.isascii() and len(word) <= 2]
        if len(heights) != 11 or len(words) != 11:
            raise ValueError("line 2: expected 11 numbers of pieces, with - for none")
        found = _LAST_LINE.fullmatch(lines[2])
        if found is None:
            raise ValueError("line 3: expected the turns, such as '4 turns into the moving phase'")
        turns, placing, placed = int(found[1]), found[2], int(found[3] or 0)
        total, by_hand = sum(heights), self.options.rules == 3
        if placing:
            if not by_hand:
                raise ValueError(f"line 3: there is no placing phase in rules {self.options.rules}")
            if heights[0] or total >= PIECES:
                raise ValueError(
                    "line 2: while pieces are placed the terminal is empty and fewer than ten are on the line"
                )
            placed, turns = turns, 0
        elif total != PIECES:
            raise ValueError(f"line 2: in the moving phase ten pieces are on the line, not {total}")
        if not (min(total, 1) <= placed <= total if by_hand else placed == 0):
            raise ValueError(f"line 3: {total} pieces were not placed in {placed} turns")
        return self._position(heights, placed, turns)

    def _position(self, heights: Sequence[int], placed: int, turns: int) -> Position:
        line = sum(height << 4 * position for position, height in enumerate([*heights, PIECES - sum(heights)]))
        steps = sum(position * height for position, height in enumerate(heights))
        return Position(self, line, steps, placed, turns, _outcome(self.options, line, placed + turns))


class _Fields(NamedTuple):
    game: OneLine
    line: int
    steps: int
    placed: int
    moved: int
    outcome: Outcome | None = None


class Position(_Fields, State):
    """A state of the game.

    The hexadecimal digits of `line` are the numbers of pieces on 0 (the lowest digit) to 10 and in the stock, so that
    every action makes it smaller. `steps` are those that all pieces on the line are away from the terminal together;
    `placed` and `moved` count the turns of the two phases.
    """

    __slots__ = ()

    @property
    def to_move(self) -> int:
        """0 for `first`, 1 for `second`."""
        return self.placed + self.moved & 1

    @property
    def stock(self) -> int:
        """Pieces that are still to be placed."""
        return self.line >> STOCK

    @property
    def heights(self) -> tuple[int, ...]:
        """How many pieces stand on the positions 0 to 10."""
        return tuple([self.line >> 4 * position & 15 for position in range(11)])

    @property
    def phase(self) -> str:
        """`placing` as long as there are pieces in the stock, then `moving`."""
        return "placing" if self.stock else "moving"

    @property
    def turns(self) -> int:
        """Turns taken in this phase by both sides together."""
        return self.placed if self.stock else self.moved

    @property
    def ply(self) -> int:
        """Turns taken since the match began."""
        return self.placed + self.moved

    def legal_actions(self) -> list[Action]:
        """The placements or moves, in ascending order."""
        if self.outcome is not None:
            return []
        if self.stock:
            return [*PLACEMENTS[self.stock]]
        actions: list[Action] = []
        for stacks, height in zip(MOVES, self.heights, strict=True):
            actions += stacks[height]
        return actions

    def count_actions(self) -> int:
        """How many legal actions there are: a piece on 5 is the topmost of those that leave in 5 moves."""
        if self.outcome is not None:
            return 0
        return 10 * self.stock or self.steps

    def sample(self, rng: Random) -> Action:
        """One legal action, each with the same chance. Raises IndexError when the game is over."""
        if self.outcome is not None:
            raise IndexError("the game is over, there is no action to sample")
        stock = self.line >> STOCK
        if stock:
            placements = PLACEMENTS[stock]
            return placements[int(rng.random() * len(placements))]
        number, line = int(rng.random() * self.steps), self.line
        for stacks in MOVES:
            moves = stacks[line & 15]
            if number < len(moves):
                return moves[number]
            number -= len(moves)
            line >>= 4
        raise AssertionError("there are as many moves as steps")

    def check_form(self, form: Action) -> Action:
        """What `check` returns for an action in normal form."""
        change = CHANGES.get(form)
        if change is not None and self.outcome is None:
            placed = change.shift == STOCK
            if change.pieces <= self.line >> change.shift & 15 and placed == (self.line >> STOCK > 0):
                return form
        raise refusal(self, form)

    def play(self, action: Action) -> Position:
        """The state after a legal action."""
        game, line, steps, placed, moved, _ = self
        change, further, _, _ = CHANGES[action]
        if line >> STOCK:
            placed += 1
        else:
            moved += 1
        line += change
        return Position(game, line, steps + further, placed, moved, _outcome(game.options, line, placed + moved))

    def key(self) -> tuple[int, int]:
        """The line with the stock, and the side to move."""
        return self.line, self.to_move

    def text(self) -> str:
        """The positions, the pieces on each and the turns, on three lines."""
        after = f", after {self.placed} of placing" if self.placed and not self.stock else ""
        return "\n".join(
            (
                " ".join(f"{position:>2}" for position in range(11)),
                " ".join(f"{height or '-':>2}" for height in self.heights),
                f"{self.turns} turns into the {self.phase} phase{after}",
            )
        )

    def picture(self) -> Board:
        """The line with its stacks, and the stock beside it while there is one."""
        stacks = [Piece(at, None, text=str(height), height=height) for at, height in enumerate(self.heights) if height]
        return Board(_LAYOUT, stacks, notes=[f"stock: {self.stock}"] if self.stock else ())

    def count_pieces(self, side: int) -> int:
        """No piece belongs to a side."""
        return 0

    def evaluate(self, side: int) -> float:
        """The side to move wins when all pieces stand together, in misère nearly always; nothing else is plain to see.

        In misère it has lost when only the last step is left.
        """
        standing = [height for height in self.heights[1:] if height]
        if len(standing) > 1 or self.stock:
            return 0
        wins = -5 if self.game.options.misere and self.steps == 1 else 5
        return wins if side == self.to_move else -wins

    def __hash__(self) -> int:
        return hash((self.line, self.placed, self.moved))

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({self.text()!r})"


def _outcome(options: OneLine.Options, line: int, ply: int) -> Outcome | None:
    """The end, if it is one, after so many turns."""
    if line == PIECES:  # all of them on 0
        return _LAST_PIECE[(ply & 1) ^ (not options.misere)]
    return _TURN_LIMIT if ply >= options.turn_cap > 0 else None


GAME = OneLine

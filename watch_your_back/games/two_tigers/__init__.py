"""Two Tigers: two tigers hunt sixteen dogs, who try to hem them in.

Rules: Er Hu Qi, a traditional hunt game of China. The board has 25 points, 5 x 5, joined along rows and columns and by
six diagonals: the two long ones and the four between the middles of neighbouring sides. So a diagonal leads only from a
point where x + y is even. At the start four dogs are stacked on each of (1, 1), (3, 1), (1, 3) and (3, 3), and the
tigers are on (2, 1) and (2, 3). The tigers act first, then the sides in turn.

A dog, of a stack the top one, steps along a line to a neighbouring empty point; stacks are never built again. A tiger
steps in the same way, or jumps along a line over a neighbouring point with dogs to the empty point right behind it and
takes one of those dogs, however many are there. No tiger has to take, and one jump is a turn. Dogs without a step pass.

Tigers win when they have taken six dogs, dogs when it is the tigers' turn and neither of them can step or jump. It is a
draw after 100 turns of both sides together without a capture, and when the same position with the same side to move
is there for the third time (the option `repetition`).

An action is `((a, b), (c, d))`, a step or a jump from one point to another; or None, a turn passed because no dog can
step. Columns are counted from the left, rows from the top, both from 0.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from watch_your_back import game as base
from watch_your_back.game import Action, ActionForm, Board, Game, OptionError, Outcome, Piece, option
from watch_your_back.games._turns import OnePhase
from watch_your_back.games.two_tigers.diagram import DOGS, QUIET_TURNS, TO_TAKE, Diagram, contradiction, draw, read
from watch_your_back.games.two_tigers.lines import (
    ALL,
    BIT,
    CHANGES,
    LAYOUT,
    MOVES,
    NEAR,
    REACH,
    STACKS,
    STEPS,
    WAYS,
    height,
    points_of,
    position_number,
    reflection,
    stacked,
    ways_open,
)
from watch_your_back.games.two_tigers.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["GAME", "Position", "TwoTigers"]

_DRAWS = 60  # of actions that may not be legal, before they are listed after all

_TAKEN = Outcome(0, "six dogs taken")
_TRAPPED = Outcome(1, "tigers trapped")
_NO_CAPTURE = Outcome(None, "no capture")
_REPETITION = Outcome(None, "repetition")
_TURN_LIMIT = Outcome(None, "turn limit")


@dataclass(frozen=True, slots=True)
class TwoTigers(Game):
    """Two Tigers; the options are `TwoTigers.Options`."""

    @dataclass(frozen=True)
    class Options(base.Options):
        """The options of the game."""

        repetition: int = option(3, "times that a position must occur to be a draw, 2 or more; 0 for never", minimum=0)
        turn_cap: int = option(1000, "turns after which the referee ends the match as a draw; 0 for no cap", minimum=0)

        def __post_init__(self) -> None:
            super().__post_init__()
            if self.repetition == 1:
                raise OptionError("option repetition is at least 2, or 0 for no such rule, not 1")

    id: ClassVar[str] = "two_tigers"
    title: ClassVar[str] = "Two Tigers"
    rules_version: ClassVar[int] = 1
    forms = (
        ActionForm(
            "((a, b), (c, d))", "step to a neighbouring empty point, or jump with a tiger over dogs", ((2, 1), (2, 2))
        ),
        ActionForm("None", "pass, only when no dog can step", None),
    )
    sides = ("tigers", "dogs")
    options: Options = Options()

    def initial(self) -> Position:
        """The four stacks with the tigers between them, the tigers to act."""
        return _position(self, Diagram(BIT[2, 1] | BIT[2, 3], sum(STACKS), 0b11111111, 0, 0, ()))

    def symmetries(self) -> list[Callable[[tuple[int, ...]], tuple[int, ...]]]:
        """Left and right exchanged, top and bottom exchanged, and both: those that keep the set-up."""
        return [reflection(True, False), reflection(False, True), reflection(True, True)]

    def parse(self, text: str) -> Position:
        """The state that `Position.text` wrote.

        Raises ValueError, naming the line, for what is no diagram or contradicts itself.
        """
        seen = read(text)
        if why := contradiction(seen, self.options.repetition):
            raise ValueError(why)
        return _position(self, seen)


class _Fields(NamedTuple):
    game: TwoTigers
    tigers: int
    dogs: int
    below: int
    ply: int
    quiet: int
    seen: tuple[int, ...]
    outcome: Outcome | None = None


class Position(_Fields, OnePhase):
    """A state of the game.

    `tigers` and `dogs` are the bitboards of the points that hold any (bit 5y + x is the point (x, y)), `below` how many
    dogs are under the top one of each stack, see `STACKS`; `quiet` counts the turns since the last capture. `seen` are
    the positions, sorted, that have been there since one can come again (none can after a capture or after a stack
    became lower), this one included; it is empty when repetition ends nothing.
    """

    __slots__ = ()

    @property
    def taken(self) -> int:
        """How many dogs the tigers have taken."""
        return DOGS - self.dogs.bit_count() - stacked(self.below)

    def legal_actions(self) -> list[Action]:
        """Every step and jump, or None alone where no dog can step.

        Sorted by the piece, row by row from the top left; a tiger's steps come before its jumps.
        """
        if self.outcome is not None:
            return []
        tigers, dogs = self.tigers, self.dogs
        free = ALL & ~(tigers | dogs)
        if not self.ply & 1:
            return [
                action for action, middle, target in WAYS[tigers] if target & free and (not middle or middle & dogs)
            ]
        actions: list[Action] = []
        while dogs:
            dog = dogs & -dogs
            actions += MOVES[dog][free & NEAR[dog]]
            dogs ^= dog
        return actions or [None]

    def check_form(self, form: Action) -> Action:
        """What `check` returns for an action in normal form."""
        legal = self.legal_actions()
        if form not in legal:
            raise refusal(self, form, legal)
        return form

    def play(self, action: Action) -> Position:
        """The state after a legal action."""
        game, tigers, dogs, below, ply, quiet, seen, _ = self
        flipped, target, middle, under, one = CHANGES[action]
        lasting = below
        quiet += 1
        if ply & 1:
            if below & under:
                below -= one
                dogs |= target
            else:
                dogs ^= flipped
        else:
            tigers ^= flipped
            if middle:
                quiet = 0
                if below & under:
                    below -= one
                else:
                    dogs ^= middle
        ply += 1
        repeated = False
        if times := game.options.repetition:
            number = position_number(tigers, dogs, ply)
            if below != lasting or not quiet:
                seen = (number,)
            else:
                index = bisect_right(seen, number)
                repeated = index >= times - 1 and seen[index - times + 1] == number
                seen = (*seen[:index], number, *seen[index:])
        outcome = _outcome(game, tigers, dogs, below, ply, quiet, repeated)
        return Position(game, tigers, dogs, below, ply, quiet, seen, outcome)

    def key(self) -> tuple[int, int, int, int]:
        """The board (tigers, dogs, and how many are under the top ones) and the side to move."""
        return self.tigers, self.dogs, self.below, self.ply & 1

    def text(self) -> str:
        """The board, the turn and the positions that can come again; see `games.two_tigers.diagram`."""
        before = list(self.seen)
        if before:
            before.remove(position_number(self.tigers, self.dogs, self.ply))
        return draw(Diagram(self.tigers, self.dogs, self.below, self.ply, self.quiet, tuple(before)))

    def picture(self) -> Board:
        """The board with tigers and dogs, those of a stack as one piece with their number on it."""
        pieces = [Piece(point, 0, "tiger") for point in points_of(self.tigers)]
        for point in points_of(self.dogs):
            dogs = height(BIT[point], self.below)
            pieces.append(Piece(point, 1, "dog", str(dogs), dogs))
        notes = (
            f"dogs taken: {self.taken} of {TO_TAKE}",
            f"no capture: {self.quiet} of {QUIET_TURNS} turns",
        )
        return Board(LAYOUT, pieces, (), notes)

    def count_actions(self) -> int:
        """How many legal actions there are."""
        return len(self.legal_actions())

    def count_pieces(self, side: int) -> int:
        """How many tigers (0) or dogs (1) are on the board; each dog of a stack counts."""
        return DOGS - self.taken if side else 2

    def evaluate(self, side: int) -> float:
        """The tigers' lead: the dogs taken, one that can be taken now, and a quarter for each way to go above eight."""
        ways = ways_open(self.tigers, self.dogs)
        lead = self.taken + (any(ways) and not self.ply & 1) + len(ways) / 4 - 2
        return -lead if side else lead

    def sample(self, rng: Random) -> Action:
        """One legal action, each with the same chance. Raises IndexError when the game is over.

        Steps of all points, or steps and jumps of both tigers, are drawn until there is a legal one: faster than to
        list them all.
        """
        if self.outcome is not None:
            raise IndexError("the game is over, there is no action to sample")
        tigers, dogs, random = self.tigers, self.dogs, rng.random
        free = ALL & ~(tigers | dogs)
        if self.ply & 1:
            for _ in range(_DRAWS):
                action, origin, target = STEPS[int(random() * len(STEPS))]
                if origin & dogs and target & free:
                    return action
        else:
            ways = WAYS[tigers]
            for _ in range(_DRAWS):
                action, middle, target = ways[int(random() * len(ways))]
                if target & free and (not middle or middle & dogs):
                    return action
        return rng.choice(self.legal_actions())

    def __hash__(self) -> int:
        return hash((self.tigers, self.dogs, self.below, self.ply, self.quiet, self.seen))

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({self.text()!r})"


def _position(game: TwoTigers, seen: Diagram) -> Position:
    """The state that a diagram is of."""
    tigers, dogs, below, ply, quiet, before = seen
    times, number = game.options.repetition, position_number(tigers, dogs, ply)
    repeated = times > 0 and before.count(number) + 1 >= times
    outcome = _outcome(game, tigers, dogs, below, ply, quiet, repeated)
    return Position(game, tigers, dogs, below, ply, quiet, tuple(sorted((*before, number))) if times else (), outcome)


def _outcome(
    game: TwoTigers, tigers: int, dogs: int, below: int, ply: int, quiet: int, repeated: bool
) -> Outcome | None:
    """How the game has ended, if so, in the order in which the rules look at it."""
    if not quiet and DOGS - dogs.bit_count() - stacked(below) >= TO_TAKE:
        return _TAKEN
    if not ply & 1 and not REACH[tigers] & ~(tigers | dogs) and not ways_open(tigers, dogs):
        return _TRAPPED
    if quiet >= QUIET_TURNS:
        return _NO_CAPTURE
    if repeated:
        return _REPETITION
    return _TURN_LIMIT if 0 < game.options.turn_cap <= ply else None


GAME = TwoTigers

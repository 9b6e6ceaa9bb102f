"""Hexagon: grow and jump over a field of hexagonal cells, and turn the men that you come next to.

Rules: the computer game Hexxagon (1993), also played as Hexagon. Each side begins with three men, on alternating
corners of a hexagon of 61 cells, three of which around the centre are missing. White and Black act in turn: grow a new
man on an empty cell next to a man of your own, or let a man of your own jump to an empty cell at a distance of exactly
two, over whatever lies between. Then every enemy man next to the new place changes to your side. A side that can do
neither passes. The game ends when no cell is empty or a side has no man left, and the side with more men wins.

An action is `(q, r)`, a man grown on that cell; `((q, r), (q, r))`, a jump; or None, a pass. The centre is (0, 0): r
counts the rows, downwards, and q the cells along a row, to the right. So the neighbours of (q, r) are (q + 1, r),
(q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1) and (q - 1, r + 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from watch_your_back import game as base
from watch_your_back.game import Action, ActionForm, Board, Game, Outcome, Piece, option
from watch_your_back.games._symmetries import image
from watch_your_back.games._turns import OnePhase
from watch_your_back.games.hexxagon.cells import Field, field_of
from watch_your_back.games.hexxagon.diagram import Diagram, draw, read
from watch_your_back.games.hexxagon.refusals import refusal

if TYPE_CHECKING:
    from random import Random

__all__ = ["GAME", "Hexxagon", "Position"]

_DRAWS = 100  # of actions that may not be legal, before they are listed after all

Key = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Hexxagon(Game):
    """Hexagon; the options are `Hexxagon.Options`."""

    @dataclass(frozen=True)
    class Options(base.Options):
        """The options of the game."""

        turn_cap: int = option(600, "turns after which the side with more men wins; 0 for no cap", minimum=0)
        size: int = option(5, "cells along a side of the hexagon", minimum=3, maximum=9)
        holes: int = option(3, "cells around the centre that are missing", choices=(0, 3))

    id: ClassVar[str] = "hexxagon"
    title: ClassVar[str] = "Hexagon"
    rules_version: ClassVar[int] = 1
    forms = (
        ActionForm("(q, r)", "grow a man on an empty cell next to a man of yours", (3, 0)),
        ActionForm("((q, r), (q, r))", "a man of yours jumps to an empty cell at distance two", ((4, 0), (2, 0))),
        ActionForm("None", "pass, only when you can neither grow nor jump", None),
    )
    sides = ("white", "black")
    options: Options = Options()
    field: Field = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "field", field_of(self.options.size, self.options.holes))

    def initial(self) -> Position:
        """Three men each on alternating corners, White to act."""
        return Position(self, *self.field.starts, 0)

    def symmetries(self) -> list[Callable[[Key], Key]]:
        """The turns by a third, and the reflections in a line between two opposite corners."""
        return [partial(_image, table) for table in self.field.symmetries()]

    def parse(self, text: str) -> Position:
        """The state that `Position.text` wrote.

        Raises ValueError, naming the line, for what is no diagram or contradicts itself.
        """
        white, black, turns, over = read(text, self.field)
        mine, theirs = (black, white) if turns & 1 else (white, black)
        outcome = _outcome(self, mine, theirs, turns)
        if over != (outcome is not None):
            end = f"is over ({outcome.reason})" if outcome else "goes on"
            raise ValueError(f"the last line: with these men after {turns} turns the game {end}")
        return Position(self, mine, theirs, turns, outcome)


class _Fields(NamedTuple):
    game: Hexxagon
    mine: int
    theirs: int
    ply: int
    outcome: Outcome | None = None


class Position(_Fields, OnePhase):
    """A state of the game: `mine` and `theirs` are the bitboards of the side to act and of the other."""

    __slots__ = ()

    def legal_actions(self) -> list[Action]:
        """The cells to grow on, then the jumps, or None alone where there is neither.

        Row by row from the top left, jumps by their origin first.
        """
        if self.outcome is not None:
            return []
        field = self.game.field
        near, jumps_from = field.near, field.jumps
        empty = field.full ^ self.mine ^ self.theirs
        grow, jumps = 0, list[Action]()
        men = self.mine
        while men:
            man = men & -men
            men ^= man
            grow |= near[man]
            first, second = jumps_from[man]
            jumps += first[first.targets & empty]
            jumps += second[second.targets & empty]
        actions: list[Action] = []
        grow &= empty
        while grow:
            cell = grow & -grow
            grow ^= cell
            actions.append(field.grown[cell])
        return actions + jumps or [None]

    def check_form(self, form: Action) -> Action:
        """What `check` returns for an action in normal form."""
        if not self._allows(form):
            raise refusal(self, form, self.legal_actions())
        return form

    def _allows(self, form: Action) -> bool:
        change = self.game.field.changes.get(form)
        if change is None or self.outcome is not None:
            return False
        if form is None:
            return self.legal_actions() == [None]
        return bool(change.need & self.mine) and not change.target & (self.mine | self.theirs)

    def play(self, action: Action) -> Position:
        """The state after a legal action."""
        game, mine, theirs, ply, _ = self
        _, _, flipped, around = game.field.changes[action]
        turned = theirs & around
        mine = mine ^ flipped | turned
        theirs ^= turned
        ply += 1
        return Position(game, theirs, mine, ply, _outcome(game, theirs, mine, ply))

    def men(self, side: int) -> int:
        """The bitboard of White (0) or Black (1)."""
        return self.mine if side == self.ply & 1 else self.theirs

    def key(self) -> Key:
        """The men of White and of Black, and the side to act."""
        return self.men(0), self.men(1), self.ply & 1

    def text(self) -> str:
        """The field as a diagram; see `watch_your_back.games.hexxagon.diagram`."""
        return draw(Diagram(self.men(0), self.men(1), self.ply, self.outcome is not None), self.game.field)

    def picture(self) -> Board:
        """The field with its men."""
        field = self.game.field
        pieces = [Piece(cell, side, "man") for side in (0, 1) for cell in field.cells_of(self.men(side))]
        notes = [f"{name}: men {self.men(side).bit_count()}" for side, name in enumerate(self.game.sides)]
        return Board(field.layout, pieces, notes=notes)

    def count_actions(self) -> int:
        """How many legal actions there are."""
        if self.outcome is not None:
            return 0
        field = self.game.field
        near, far = field.near, field.far
        empty = field.full ^ self.mine ^ self.theirs
        grow = jumps = 0
        men = self.mine
        while men:
            man = men & -men
            men ^= man
            grow |= near[man]
            jumps += (far[man] & empty).bit_count()
        return (grow & empty).bit_count() + jumps or 1

    def count_pieces(self, side: int) -> int:
        """How many men White (0) or Black (1) has."""
        return self.men(side).bit_count()

    def sample(self, rng: Random) -> Action:
        """One legal action, each with the same chance. Raises IndexError when the game is over.

        Drawn from all the actions that there could ever be until one of them is legal: faster than to list the legal
        ones.
        """
        if self.outcome is not None:
            raise IndexError("the game is over, there is no action to sample")
        draws, random, mine = self.game.field.draws, rng.random, self.mine
        empty = self.game.field.full ^ mine ^ self.theirs
        many = len(draws)
        for _ in range(_DRAWS):
            need, target, action = draws[int(random() * many)]
            if need & mine and target & empty:
                return action
        return rng.choice(self.legal_actions())

    def __hash__(self) -> int:
        return hash((self.mine, self.theirs, self.ply))

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({self.text()!r})"


def _outcome(game: Hexxagon, mine: int, theirs: int, ply: int) -> Outcome | None:
    """The end of the game, if it has; `ply` tells whose turn it would be."""
    if mine | theirs == game.field.full:
        reason = "board full"
    elif not mine or not theirs:
        reason = "no men left"
    elif ply >= game.options.turn_cap > 0:
        reason = "turn limit"
    else:
        return None
    lead = mine.bit_count() - theirs.bit_count()
    return Outcome(None if lead == 0 else ply & 1 if lead > 0 else 1 - (ply & 1), reason)


def _image(table: dict[int, int], key: Key) -> Key:
    white, black, to_move = key
    return image(white, table), image(black, table), to_move


GAME = Hexxagon

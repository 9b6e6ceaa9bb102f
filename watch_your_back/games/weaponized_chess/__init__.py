"""Weaponized Chess: destroy or convert the enemy's primary piece, on a board with three levels.

Rules: the game's published manual; where it is silent, decisions of this project. Black acts first. The board has 10x10
squares (row, column), rows counted from Black's side, each with ground, air and sub level. In a turn a side makes one
Move and, in any order, up to two Fires, one pick-up, one drop, one exchange and one Reinforce: the action is the tuple
of these steps. Pieces are named by ids such as `B-TA-1`. At the end of the turn journeys and
projectiles go one square on, hits count, and articles of the fallen lie about.

Kings (K) step in all directions, and so do Dozers (DO, which shift what is around them), Destroyers (DS) and AAAs,
which do not take. Tanks (TA) and Clerics (CL) follow bent paths of up to seven squares, the Queen (Q) all of these.
Choppers (CH) jump between ground and air, Jets (JE) fly, Subs (SU) dive; Choppers and Subs carry a friendly piece of
their square along, which in the air or below is lost without them. Pawns go diagonally forward, two squares from where
they began, and take straight ahead and sideways. All enemies on the level that is entered are taken. Two friendly
pieces share a square's level if one of them is a SU, CH, DO, DS or AAA.

Weapons: flamethrower FL (next square), stunner ST (first piece in a line: three turns without action), conversion CS
(next square, changes sides), launchers of rockets RL (ground), SAMs SL (air) and torpedoes TL (below). A hit works if
a piece gets more of the kind in a turn than it has defences (AFL, AST, ...). Articles on the ground add weapons,
defences, transport (BI, JP, SC), room (XXX), stealth (SH) and anti-stealth (ASH); a piece carries one of them, and
gives it to a neighbour in an exchange. Pieces with stealth, and those in the sub level, are unseen until detected or
they give themselves away. A reinforcement enters on its square in the enemy's row of pawns, which a piece of yours has
held at the end of a turn and left in a later one. Who loses a primary piece loses; in the own turn also when the enemy
loses his.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from random import Random
from typing import Any, ClassVar

from watch_your_back import game as base
from watch_your_back.game import Action, Game
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.canonical import canonical
from watch_your_back.games.weaponized_chess.diagram import read
from watch_your_back.games.weaponized_chess.drawing import touched
from watch_your_back.games.weaponized_chess.imagining import imagined
from watch_your_back.games.weaponized_chess.options import Options
from watch_your_back.games.weaponized_chess.setup import board_of, emptied, setup_of
from watch_your_back.games.weaponized_chess.shapes import FORMS
from watch_your_back.games.weaponized_chess.squares import SIDES
from watch_your_back.games.weaponized_chess.state import Position

__all__ = ["GAME", "WeaponizedChess", "canonical"]


_STANDARD = Options()


@dataclass(frozen=True, slots=True)
class WeaponizedChess(Game):
    """Weaponized Chess; the options are `WeaponizedChess.Options`."""

    Options: ClassVar[type[base.Options]] = Options
    id: ClassVar[str] = "weaponized_chess"
    title: ClassVar[str] = "Weaponized Chess"
    rules_version: ClassVar[int] = 1
    complete: ClassVar[bool] = False
    forms = FORMS
    sides = SIDES
    options: Any = _STANDARD

    @property
    def competitive(self) -> bool:
        """The option of this name."""
        return bool(self.options.competitive)

    def initial(self) -> Position:
        """The standard set-up, Black to act, or that of the option `position`."""
        return Position(self, _beginning(self.options))

    def parse(self, text: str) -> Position:
        """The state that `Position.text` wrote. Raises ValueError saying which line is wrong."""
        board, ply, outcome = read(text, emptied(_beginning(self.options)))
        state = Position(self, board, ply, outcome)
        written = state.text().split("\n")
        for number, (line, expected) in enumerate(zip_longest(text.split("\n"), written), 1):
            if line != expected:
                raise ValueError(f"line {number}: expected {expected!r}, not {line!r}")
        return state

    def imagine(self, view: Any, rng: Random) -> Position:
        """A state that shows this view to its side; see `imagining`."""
        start = _beginning(self.options)
        return Position(self, *imagined(view, start, emptied(start), rng))

    def cells(self, action: Action) -> list[Action]:
        """Where Moves end, journeys lead and reinforcements enter; the other steps name pieces, not cells."""
        return touched(action)


@lru_cache(maxsize=64)
def _beginning(options: Any) -> Board:
    """The board that matches with these options begin with; boards of states are never changed."""
    return board_of(setup_of(options), options)


GAME = WeaponizedChess

"""Games whose sides take turns strictly: whose turn it is, and the line on that below a diagram."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from watch_your_back.game import State

__all__ = ["OnePhase", "PlacingFirst", "read_turn", "turn_line"]

_LINE = re.compile(r"([0-9]{1,9}) turns taken, (\w+) to act|game over after ([0-9]{1,9}) turns")


class OnePhase(State):
    """A state of a game that has no phases; passes are turns."""

    __slots__ = ()

    phase = "playing"

    @property
    def to_move(self) -> int:
        """Index into `game.sides` of the side whose turn it is."""
        return self.ply & 1

    @property
    def turns(self) -> int:
        """Turns taken by both sides together."""
        return self.ply


class PlacingFirst(State):
    """A state of a game in which the pieces are placed in `placements` turns, and then moved."""

    __slots__ = ()

    placements: ClassVar[int]

    @property
    def to_move(self) -> int:
        """Index into `game.sides` of the side whose turn it is."""
        return self.ply & 1

    @property
    def phase(self) -> str:
        """`placing` as long as there are pieces to place, then `moving`."""
        return "placing" if self.ply < self.placements else "moving"

    @property
    def turns(self) -> int:
        """Turns taken in this phase by both sides together."""
        return self.ply if self.ply < self.placements else self.ply - self.placements


def turn_line(turns: int, over: bool, sides: Sequence[str]) -> str:
    """`N turns taken, white to act`, or `game over after N turns`."""
    return f"game over after {turns} turns" if over else f"{turns} turns taken, {sides[turns & 1]} to act"


def read_turn(line: str, number: int, sides: Sequence[str]) -> tuple[int, bool]:
    """The turns, and whether the game is over, of a line of `turn_line`; `number` is the line's in the diagram.

    Raises ValueError, naming the line, for what is no such line or has the wrong side to act.
    """
    found = _LINE.fullmatch(line.rstrip())
    if found is None or found[2] not in (None, *sides):
        raise ValueError(
            f"line {number}: expected 'N turns taken, {sides[0]} to act' (or {sides[1]}) or 'game over after N turns', "
            f"not {line!r}"
        )
    turns = int(found[1] or found[3])
    if found[2] and found[2] != sides[turns & 1]:
        raise ValueError(f"line {number}: after {turns} turns it is not the turn of {found[2]}")
    return turns, found[2] is None

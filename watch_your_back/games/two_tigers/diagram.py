"""A state of Two Tigers as text: five lines of points between single blanks, and a line on the turn.

`T` is a tiger, a number a point with so many dogs, `-` an empty point. The sixth line is `N turns taken, M since the
last capture`. Where earlier positions can come again, and repetition ends the game, lines of them follow after `seen
before:`, as the hexadecimal numbers of `lines.position_number`, from the least to the greatest.
"""

from __future__ import annotations

import re
from textwrap import wrap
from typing import NamedTuple

from watch_your_back.games.two_tigers.lines import ALL, BIT, STACKS, height, stacked

__all__ = ["DOGS", "QUIET_TURNS", "TO_TAKE", "Diagram", "contradiction", "draw", "read"]

DOGS = 16
TO_TAKE = 6
"""Dogs that the tigers have to take."""
QUIET_TURNS = 100
"""Turns without a capture that are a draw."""

_SEEN = "seen before:"
_TURN = re.compile(r"([0-9]{1,9}) turns taken, ([0-9]{1,9}) since the last capture")


class Diagram(NamedTuple):
    """What a diagram says, in the numbers of a state; `before` are the earlier positions that can come again."""

    tigers: int
    dogs: int
    below: int
    ply: int
    quiet: int
    before: tuple[int, ...]


def draw(diagram: Diagram) -> str:
    """The diagram as text, without a newline at its end; `read` is its inverse."""
    tigers, dogs, below, ply, quiet, before = diagram
    cells = ["T" if bit & tigers else str(height(bit, below)) if bit & dogs else "-" for bit in BIT.values()]
    lines = [" ".join(cells[start : start + 5]) for start in range(0, 25, 5)]
    lines.append(f"{ply} turns taken, {quiet} since the last capture")
    if before:
        lines.append(_SEEN)
        lines += wrap(" ".join(f"{number:013x}" for number in before), 110)
    return "\n".join(lines)


def read(text: str) -> Diagram:
    """What a diagram says. Raises ValueError, naming the line, for what is none."""
    lines = [line.rstrip() for line in text.splitlines()]
    if len(lines) < 6:
        raise ValueError(f"a diagram has 5 lines of the board and a line on the turn, not {len(lines)} lines")
    tigers = dogs = below = 0
    for y, line in enumerate(lines[:5]):
        if len(line) != 9 or line[1::2].strip():
            raise ValueError(f"line {y + 1}: expected 5 points with a blank between them, not {line!r}")
        for x, cell in enumerate(line[::2]):
            bit = BIT[x, y]
            if cell == "T":
                tigers |= bit
            elif cell in "1234":
                dogs |= bit
                if cell != "1":
                    if bit not in STACKS:
                        raise ValueError(f"line {y + 1}: there is never more than one dog on ({x}, {y}), not {cell}")
                    below |= int(cell) - 1 << STACKS[bit]
            elif cell != "-":
                raise ValueError(f"line {y + 1}: the point ({x}, {y}) is T, a number from 1 to 4 or -, not {cell!r}")
    turn = _TURN.fullmatch(lines[5])
    if turn is None:
        raise ValueError(f"line 6: expected 'N turns taken, M since the last capture', not {lines[5]!r}")
    return Diagram(tigers, dogs, below, int(turn[1]), int(turn[2]), _positions(lines[6:]))


def contradiction(diagram: Diagram, repetition: int) -> str | None:
    """What in a diagram cannot be, with the line; `repetition` is the option of the game."""
    tigers, dogs, below, ply, quiet, before = diagram
    if tigers.bit_count() != 2:
        return f"lines 1 to 5: there are 2 tigers T, not {tigers.bit_count()}"
    taken = DOGS - dogs.bit_count() - stacked(below)
    if not 0 <= taken <= TO_TAKE:
        return f"lines 1 to 5: there are {DOGS - TO_TAKE} to {DOGS} dogs, not {DOGS - taken}"
    if not quiet <= min(ply, QUIET_TURNS):
        return f"line 6: the turns since the last capture are at most all turns and {QUIET_TURNS}, not {quiet}"
    if taken == 0 and quiet != ply:
        return f"line 6: no dog has been taken, so {ply} turns are without a capture, not {quiet}"
    if taken and ((ply - quiet) % 2 == 0 or taken > (ply - quiet + 1) // 2):
        return f"line 6: {taken} dogs cannot have been taken by the tigers' turns up to turn {ply - quiet}"
    if before and not repetition:
        return "line 7: no earlier positions are kept where repetition ends nothing"
    if len(before) > quiet:
        return f"line 7: {len(before)} positions cannot have been there in {quiet} turns"
    for number in before:
        if (number >> 26).bit_count() != 2 or (number >> 1 & ALL).bit_count() != dogs.bit_count():
            return f"line 7: {number:013x} is no position with the tigers and stacks of this one"
        if before.count(number) >= repetition or number >> 26 & number >> 1:
            return f"line 7: {number:013x} cannot have been there {before.count(number)} times"
    return None


def _positions(lines: list[str]) -> tuple[int, ...]:
    if not lines:
        return ()
    if lines[0] != _SEEN:
        raise ValueError(f"line 7: expected '{_SEEN}' or the end, not {lines[0]!r}")
    words = " ".join(lines[1:]).split()
    for word in words:
        if not re.fullmatch("[0-9a-f]{13}", word):
            raise ValueError(f"line 8: a position is a number of 13 hexadecimal digits, not {word!r}")
    return tuple(sorted(int(word, 16) for word in words))

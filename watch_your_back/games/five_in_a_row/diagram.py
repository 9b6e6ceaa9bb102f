"""A state of Five in a Row as text: the lines of the board, a line on the turn and one on the points of each side.

`O` is White, `@` Black and `-` an empty square, with single blanks between them. Then follow `N turns into the placing
phase`, or `moving phase`, and for White and Black `white has 2 points: (0,1)-(4,1) (1,1)-(5,1)`, the first and the last
square of each combination that was scored, or `white has 0 points`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from watch_your_back.games.five_in_a_row.geometry import Geometry

__all__ = ["MEN", "PLACEMENTS", "Diagram", "contradiction", "draw", "read"]

MEN = 12
"""Men of each side."""
PLACEMENTS = 2 * MEN
"""Turns of the placing phase."""

_SIDES = ("white", "black")
_TURN = re.compile(r"([0-9]{1,9}) turns into the (placing|moving) phase")
_POINTS = re.compile(r"(white|black) has ([0-9]+) points?(?:: (.+))?")
_LINE = re.compile(r"\(([0-9]{1,2}),([0-9]{1,2})\)-\(([0-9]{1,2}),([0-9]{1,2})\)")


class Diagram(NamedTuple):
    """What a diagram says: men and scored combinations of White and Black, the phase and the turns taken in it."""

    men: tuple[int, int]
    lines: tuple[int, int]
    phase: str
    turns: int


def draw(diagram: Diagram, board: Geometry) -> str:
    """The diagram as text, without a newline at its end; `read` is its inverse."""
    white, black = diagram.men
    cells = ["O" if bit & white else "@" if bit & black else "-" for bit in board.bit.values()]
    lines = [" ".join(cells[start : start + board.size]) for start in range(0, len(cells), board.size)]
    lines.append(f"{diagram.turns} turns into the {diagram.phase} phase")
    for name, scored in zip(_SIDES, diagram.lines, strict=True):
        ends = [board.ends[bit.bit_length() - 1] for bit in board.bits(scored)]
        listed = " ".join(f"({a},{b})-({c},{d})" for (a, b), (c, d) in ends)
        lines.append(f"{name} has {len(ends)} point{'' if len(ends) == 1 else 's'}{': ' if ends else ''}{listed}")
    return "\n".join(lines)


def read(text: str, board: Geometry) -> Diagram:
    """What a diagram says. Raises ValueError, naming the line, for what is none."""
    lines, size = [line.rstrip() for line in text.splitlines()], board.size
    if len(lines) != size + 3:
        raise ValueError(
            f"a diagram has {size} lines of the board, a line on the turn and two on points, not {len(lines)} lines"
        )
    men = {"O": 0, "@": 0}
    for y, line in enumerate(lines[:size]):
        if len(line) != 2 * size - 1 or line[1::2].strip():
            raise ValueError(f"line {y + 1}: expected {size} squares with a blank between them, not {line!r}")
        for x, cell in enumerate(line[::2]):
            if cell in men:
                men[cell] |= board.bit[x, y]
            elif cell != "-":
                raise ValueError(f"line {y + 1}: the square ({x}, {y}) is O, @ or -, not {cell!r}")
    turn = _TURN.fullmatch(lines[size])
    if turn is None:
        raise ValueError(
            f"line {size + 1}: expected 'N turns into the placing phase' or 'N turns into the moving phase', "
            f"not {lines[size]!r}"
        )
    white, black = (_points(size + 2 + side, lines[size + 1 + side], side, board) for side in (0, 1))
    return Diagram((men["O"], men["@"]), (white, black), turn[2], int(turn[1]))


def contradiction(diagram: Diagram, board: Geometry) -> str | None:
    """What in the diagram cannot be, with the line."""
    moving = diagram.phase == "moving"
    if not moving and diagram.turns >= PLACEMENTS:
        return (
            f"line {board.size + 1}: the moving phase begins after {PLACEMENTS} turns, so they are not {diagram.turns}"
        )
    for side, name in enumerate(_SIDES):
        placed = MEN if moving else (diagram.turns + 1 - side) // 2
        if (count := diagram.men[side].bit_count()) != placed:
            return f"lines 1 to {board.size}: {name} has placed {placed} men by then, but {count} are on the board"
        if unscored := board.complete(diagram.men[side]) & ~diagram.lines[side]:
            start, end = board.ends[(unscored & -unscored).bit_length() - 1]
            return f"line {board.size + 2 + side}: {name} has five men from {start} to {end}, which score a point"
    return None


def _points(number: int, line: str, side: int, board: Geometry) -> int:
    """The set of the combinations on a line about points."""
    found = _POINTS.fullmatch(line)
    if found is None or found[1] != _SIDES[side]:
        raise ValueError(f"line {number}: expected '{_SIDES[side]} has N points: ' and its combinations, not {line!r}")
    scored = 0
    for word in (found[3] or "").split():
        ends = _LINE.fullmatch(word)
        a, b, c, d = map(int, ends.groups()) if ends else (0, 0, 0, 0)
        if ((a, b), (c, d)) not in board.ends:
            raise ValueError(f"line {number}: {word!r} is no combination of five squares, such as (0,1)-(4,1)")
        scored |= 1 << board.ends.index(((a, b), (c, d)))
    if scored.bit_count() != int(found[2]):
        raise ValueError(f"line {number}: {found[2]} points are for {found[2]} combinations, not {scored.bit_count()}")
    return scored

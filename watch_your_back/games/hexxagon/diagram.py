"""The field as text: rows of cells, shifted against each other as they lie, and a last line on the turn.

`O` is White, `@` Black, `-` an empty cell and `#` a hole. The last line is `N turns taken, white to act` (or black), or
`game over after N turns`.
"""

from __future__ import annotations

from typing import NamedTuple

from watch_your_back.games._turns import read_turn, turn_line
from watch_your_back.games.hexxagon.cells import Field

__all__ = ["Diagram", "draw", "read"]

_SIDES = ("white", "black")


class Diagram(NamedTuple):
    """What a diagram says: both sides' bitboards, the turns taken, and whether the game is over."""

    white: int
    black: int
    turns: int
    over: bool


def draw(diagram: Diagram, field: Field) -> str:
    """The diagram as text, without a newline at its end; `read` is its inverse."""
    rows: dict[int, list[str]] = {}
    for place in field.places:
        bit = field.bit.get(place, 0)
        cell = "#" if not bit else "O" if bit & diagram.white else "@" if bit & diagram.black else "-"
        rows.setdefault(place[1], []).append(cell)
    lines = [" " * abs(r) + " ".join(cells) for r, cells in rows.items()]
    return "\n".join([*lines, turn_line(diagram.turns, diagram.over, _SIDES)])


def read(text: str, field: Field) -> Diagram:
    """What a diagram of this field says. Raises ValueError, naming the line."""
    lines = text.splitlines()
    height = 2 * field.edge + 1
    if len(lines) != height + 1:
        raise ValueError(f"a diagram has {height} rows of cells and a line on the turn, not {len(lines)} lines")
    boards = {"O": 0, "@": 0}
    for number, line in enumerate(lines[:height], 1):
        r = number - 1 - field.edge
        row = [place for place in field.places if place[1] == r]
        cells = line.split()
        if line.rstrip() != " " * abs(r) + " ".join(cells) or len(cells) != len(row):
            raise ValueError(
                f"line {number}: expected {abs(r)} blanks and {len(row)} cells with a blank between them, not {line!r}"
            )
        for place, cell in zip(row, cells, strict=True):
            hole = place not in field.bit
            if (cell != "#") if hole else cell not in ("O", "@", "-"):
                expected = "a hole, #" if hole else "O, @ or -"
                raise ValueError(f"line {number}: the cell {place} is {expected}, not {cell!r}")
            if cell in boards:
                boards[cell] |= field.bit[place]
    turns, over = read_turn(lines[height], height + 1, _SIDES)
    return Diagram(boards["O"], boards["@"], turns, over)

"""A state as text: a line a row of cells, `O` for White, `@` for Black and `-` for none, and a line on the stocks.

That line is `stock: white 20, black 15; white to place`, or ends with `; game over`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from watch_your_back.games.squares.counting import Grid, price

__all__ = ["Diagram", "draw", "read"]

_PIECES = "O@-"
_LAST_LINE = re.compile(r"stock: white ([0-9]+), black ([0-9]+); (white to place|black to place|game over)")


class Diagram(NamedTuple):
    """What a diagram says: the bits of both sides' counters (see `counting.Grid`), and their stocks."""

    size: int
    counters: tuple[int, int]
    stocks: tuple[int, int]
    over: bool


def draw(diagram: Diagram) -> str:
    """The diagram as text, without a newline at its end; `read` is its inverse."""
    size, (white, black), stocks, over = diagram
    cells = [_PIECES[0 if white >> bit & 1 else 1 if black >> bit & 1 else 2] for bit in range(size * size)]
    rows = [" ".join(cells[start : start + size]) for start in range(0, size * size, size)]
    turn = "game over" if over else f"{_to_place(diagram)} to place"
    return "\n".join([*rows, f"stock: white {stocks[0]}, black {stocks[1]}; {turn}"])


def read(text: str, board: Grid, size: int, counters: int) -> Diagram:
    """What a diagram of this board says, where both sides began with so many counters.

    Raises ValueError, naming the line, for what is no diagram or contradicts itself.
    """
    lines = [line.rstrip() for line in text.rstrip().splitlines()]
    if len(lines) != size + 1:
        raise ValueError(f"a diagram has {size} lines of the board and a line on the stocks, not {len(lines)} lines")
    cells = [cell for number, line in enumerate(lines[:size], 1) for cell in _cells(number, line, size)]
    found = _LAST_LINE.fullmatch(lines[size])
    if found is None:
        raise ValueError(
            f"line {size + 1}: expected 'stock: white N, black N; white to place' (or 'black to place', or 'game "
            f"over'), not {lines[size]!r}"
        )
    white, black = (sum(1 << bit for bit, cell in enumerate(cells) if cell == piece) for piece in _PIECES[:2])
    diagram = Diagram(size, (white, black), (int(found[1]), int(found[2])), found[3] == "game over")
    if why := _contradiction(diagram, board, counters, found[3]):
        raise ValueError(f"line {size + 1}: {why}")
    return diagram


def _to_place(diagram: Diagram) -> str:
    white, black = diagram.counters
    return "white" if white.bit_count() == black.bit_count() else "black"


def _cells(number: int, line: str, size: int) -> str:
    if len(line) != 2 * size - 1 or line[1::2].strip() or not set(line[::2]) <= set(_PIECES):
        raise ValueError(f"line {number}: expected {size} cells O, @ or - with a blank between them, not {line!r}")
    return line[::2]


def _contradiction(diagram: Diagram, board: Grid, counters: int, turn: str) -> str | None:
    """What in the diagram cannot be; whether the game is over is for the rules to say."""
    white, black = (bits.bit_count() for bits in diagram.counters)
    if white - black not in (0, 1):
        return f"White places first and they take turns, so there are not {white} counters of White, {black} of Black"
    for side, (name, placed) in enumerate((("White", white), ("Black", black))):
        paid = counters - placed - diagram.stocks[side]
        if paid < 0:
            return f"{name} began with {counters} counters and has placed {placed}, which leaves {counters - placed}"
        owed = sum(map(price, board.squares_of(diagram.counters[1 - side])))
        if paid > owed:
            return f"{name} has paid {paid} counters, but the squares of its opponent cost {owed} together"
    if turn not in ("game over", f"{_to_place(diagram)} to place"):
        return f"with {white} counters of White and {black} of Black it is {_to_place(diagram)}'s turn to place"
    return None

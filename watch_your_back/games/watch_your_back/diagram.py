"""The board as the published referee printed it: eight lines of cells between single blanks, and a line on the turn.

`O` is White, `@` Black, `X` a corner, `-` an empty square and a blank a removed one. The last line is `N turns into the
placing phase`, `N turns into the moving phase` or, where the published referee had `game over!` alone, `game over!
(after N turns of the moving phase)`, so that a finished state can be read back too.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from watch_your_back.game import Outcome
from watch_your_back.games.watch_your_back.bitboards import BIT, PLACEMENTS, SHRINK_TURNS, SQUARES, STAGES

__all__ = ["Diagram", "contradiction", "draw", "read"]

_WIDTH = 15
_LAST_LINE = re.compile(
    r"([0-9]{1,9}) turns into the (placing|moving) phase|game over! \(after ([0-9]{1,9}) turns of the moving phase\)"
)


class Diagram(NamedTuple):
    """What a diagram says: both sides' bitboards, how often the board has shrunk, the phase and turns taken in it."""

    white: int
    black: int
    shrinks: int
    phase: str
    turns: int
    over: bool


def _empty(squares: int, corners: int) -> list[str]:
    return ["-" if bit & squares else "X" if bit & corners else " " for bit in BIT.values()]


_EMPTY = tuple(_empty(stage.squares, stage.corners) for stage in STAGES)


def draw(diagram: Diagram) -> str:
    """The diagram as text, without a newline at its end; `read` is its inverse."""
    cells = _EMPTY[diagram.shrinks].copy()
    for board, piece in ((diagram.white, "O"), (diagram.black, "@")):
        while board:
            cells[board.bit_length() - 1] = piece
            board ^= 1 << board.bit_length() - 1
    lines = [" ".join(cells[start : start + 8]) for start in range(0, 64, 8)]
    if diagram.over:
        lines.append(f"game over! (after {diagram.turns} turns of the moving phase)")
    else:
        lines.append(f"{diagram.turns} turns into the {diagram.phase} phase")
    return "\n".join(lines)


def read(text: str) -> Diagram:
    """What a diagram says; blanks at the end of a line may be missing. Raises ValueError, naming the line."""
    lines = text.splitlines()
    if len(lines) != 9:
        raise ValueError(f"a diagram has 8 lines of the board and a line on the turn, not {len(lines)} lines")
    found = _LAST_LINE.fullmatch(lines[8].rstrip())
    if found is None:
        raise ValueError(
            f"line 9: expected 'N turns into the placing phase', 'N turns into the moving phase' or 'game over! (after "
            f"N turns of the moving phase)', not {lines[8]!r}"
        )
    phase, over = found[2] or "moving", found[3] is not None
    turns = int(found[1] or found[3])
    cells = [cell for number, line in enumerate(lines[:8], 1) for cell in _cells(number, line)]
    shrinks = next((k for k in range(3) if cells[9 * k] == "X"), None)
    if shrinks is None:
        raise ValueError("no corner X at the top left: (0, 0), (1, 1) or (2, 2) is one")
    white, black = _pieces(cells, shrinks)
    return Diagram(white, black, shrinks, phase, turns, over)


def contradiction(diagram: Diagram, outcome: Outcome | None) -> str | None:
    """What in the diagram cannot be; `outcome` is how a game with its pieces after its turns has ended, if it has."""
    white, black, shrinks, phase, turns, over = diagram
    moving = phase == "moving"
    if not moving and turns >= PLACEMENTS:
        return f"the moving phase begins after {PLACEMENTS} turns of the placing phase, so they are not {turns}"
    for name, board, first in (("White", white, 1), ("Black", black, 0)):
        placed = (PLACEMENTS if moving else turns + first) // 2
        if board.bit_count() > placed:
            return f"{name} has placed {placed} pieces by then, but {board.bit_count()} are on the board"
    if over != (outcome is not None):
        end = f"is over ({outcome.reason})" if outcome else "goes on"
        return f"with these pieces after {turns} turns of the {phase} phase the game {end}"
    due = sum(moving and turns >= each for each in SHRINK_TURNS)
    ended_before = turns in SHRINK_TURNS and outcome is not None and "eliminated" in outcome.reason
    if shrinks != due and not (ended_before and shrinks == due - 1):
        return f"after {turns} turns of the {phase} phase the board has shrunk {due} times, not {shrinks}"
    return None


def _cells(number: int, line: str) -> str:
    if len(line.rstrip()) > _WIDTH or line[1:_WIDTH:2].strip():
        raise ValueError(f"line {number}: expected 8 cells with a blank between them, not {line!r}")
    return line.ljust(_WIDTH)[0:_WIDTH:2]


def _pieces(cells: list[str], shrinks: int) -> tuple[int, int]:
    boards = {"O": 0, "@": 0}
    for (x, y), cell, empty in zip(SQUARES, cells, _EMPTY[shrinks], strict=True):
        if empty == "-" and cell in boards:
            boards[cell] |= BIT[x, y]
        elif cell != empty:
            expected = {"X": "a corner, X", " ": "removed, a blank", "-": "O, @ or -"}[empty]
            raise ValueError(f"line {y + 1}: the square ({x}, {y}) is {expected}, not {cell!r}")
    return boards["O"], boards["@"]

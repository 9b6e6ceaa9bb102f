"""The board as text: a row of points a line, three lines on what has been, and a last one on the turn.

`O` is White, `@` Black, `-` a free point and a blank no point. Then come the shots that are not used up, with the
archers that have them to their names (twice for two), the last moves of both sides with how often they have gone to and
fro, and `N turns taken, white to act` (or black), or `game over after N turns`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from watch_your_back.game import Action
from watch_your_back.games._turns import read_turn, turn_line
from watch_your_back.games.archers.ground import Ground

__all__ = ["Diagram", "draw", "read"]

_SIDES = ("white", "black")
_POINT = r"\(([0-9]{1,2}), ([0-9]{1,2})\)"
_SHOTS = re.compile(rf"shots not used: (none|{_POINT}(?: {_POINT})*)")
_HABIT = re.compile(rf"last move of (white|black): (?:none|{_POINT} to {_POINT}, ([123]) running)")


class Diagram(NamedTuple):
    """What a diagram says: the bitboards of White and Black, and see `Position` for shots and habits, White's first."""

    archers: tuple[int, int]
    shots: tuple[int, ...]
    habits: tuple[tuple[Action, int], tuple[Action, int]]
    turns: int
    over: bool


def draw(diagram: Diagram, ground: Ground) -> str:
    """The diagram as text, without a newline at its end; `read` is its inverse."""
    white, black = diagram.archers
    width, height = _size(ground)
    lines = []
    for y in range(height):
        bits = [ground.bit.get((x, y), 0) for x in range(width)]
        cells = [" " if not bit else "O" if bit & white else "@" if bit & black else "-" for bit in bits]
        lines.append(" ".join(cells).rstrip())
    shots = " ".join(str(ground.points[bit.bit_length() - 1]) for bit in diagram.shots)
    lines.append(f"shots not used: {shots or 'none'}")
    for side, (back, running) in zip(_SIDES, diagram.habits, strict=True):
        move = f"{back[1]} to {back[0]}, {running} running" if isinstance(back, tuple) else "none"
        lines.append(f"last move of {side}: {move}")
    return "\n".join([*lines, turn_line(diagram.turns, diagram.over, _SIDES)])


def read(text: str, ground: Ground) -> Diagram:
    """What a diagram of this board says. Raises ValueError, naming the line."""
    width, height = _size(ground)
    lines = text.splitlines()
    if len(lines) != height + 4:
        raise ValueError(f"a diagram has {height} rows of points and four lines more, not {len(lines)} lines")
    boards = {"O": 0, "@": 0}
    for y, line in enumerate(lines[:height]):
        row = line.ljust(2 * width - 1)
        if len(row) > 2 * width - 1 or row[1::2].strip():
            raise ValueError(f"line {y + 1}: expected {width} points with a blank between them, not {line!r}")
        for x, cell in enumerate(row[::2]):
            bit = ground.bit.get((x, y), 0)
            if cell not in ("O@-" if bit else " "):
                expected = "a point: O, @ or -" if bit else "no point, a blank"
                raise ValueError(f"line {y + 1}: ({x}, {y}) is {expected}, not {cell!r}")
            if cell in boards:
                boards[cell] |= bit
    archers = boards["O"], boards["@"]
    for side, board, homes in zip(_SIDES, archers, ground.homes, strict=True):
        if board.bit_count() > len(homes):
            raise ValueError(f"{side} has {len(homes)} archers at most, and {board.bit_count()} are on the board")
    number = height + 1
    shots = _shots(lines[height], number, ground, archers)
    white = _habit(lines[height + 1], number + 1, "white", ground)
    black = _habit(lines[height + 2], number + 2, "black", ground)
    turns, over = read_turn(lines[height + 3], number + 3, _SIDES)
    return Diagram(archers, shots, (white, black), turns, over)


def _size(ground: Ground) -> tuple[int, int]:
    """Columns and rows from 0 to the last point."""
    xs, ys = zip(*ground.points, strict=True)
    return max(xs) + 1, max(ys) + 1


def _shots(line: str, number: int, ground: Ground, archers: tuple[int, int]) -> tuple[int, ...]:
    found = _SHOTS.fullmatch(line.rstrip())
    if found is None:
        raise ValueError(
            f"line {number}: expected 'shots not used: none' or 'shots not used: (x, y) ...', not {line!r}"
        )
    points = [(int(x), int(y)) for x, y in re.findall(_POINT, found[1])]
    for point in points:
        if not ground.bit.get(point, 0) & (archers[0] | archers[1]):
            raise ValueError(f"line {number}: there is no archer on {point} to have shot anybody")
    return tuple(sorted(ground.bit[point] for point in points))


def _habit(line: str, number: int, side: str, ground: Ground) -> tuple[Action, int]:
    found = _HABIT.fullmatch(line.rstrip())
    if found is None or found[1] != side:
        raise ValueError(
            f"line {number}: expected 'last move of {side}: none' or 'last move of {side}: (x, y) to (x, y), N "
            f"running' with N from 1 to 3, not {line!r}"
        )
    if found[6] is None:
        return None, 0
    left, top, x, y, running = map(int, found.groups()[1:])
    back = (x, y), (left, top)
    if back not in ground.changes:
        raise ValueError(f"line {number}: no line leads from {back[1]} to {back[0]} as the next point")
    return back, running

"""A board of boxes as text: dots `+`, edges `--` and `|`, and in each box 1 or 2 for its owner.

+--+  +
|1 |
+--+  +
second to act
"""

from __future__ import annotations

from collections.abc import Sequence

from watch_your_back.games.dots_and_boxes.edges import Edges

__all__ = ["draw", "read"]


def draw(drawn: int, boxes: tuple[int, int], to_move: int, edges: Edges, sides: Sequence[str]) -> str:
    """The diagram of these edges and of each side's boxes."""
    width, height = edges.width, edges.height
    there = {edge for number, edge in enumerate(edges.actions) if drawn >> number & 1}
    owners = [1 if boxes[0] >> number & 1 else 2 if boxes[1] >> number & 1 else " " for number in range(width * height)]
    lines = []
    for y in range(height + 1):
        lines.append("+" + "".join(f"{'--' if ('h', x, y) in there else '  '}+" for x in range(width)))
        if y < height:
            row = [*owners[width * y : width * (y + 1)], ""]
            line = "".join(f"{'|' if ('v', x, y) in there else ' '}{row[x]} " for x in range(width + 1))
            lines.append(line.rstrip())
    return "\n".join([*lines, f"{sides[to_move]} to act"])


def read(text: str, edges: Edges, sides: Sequence[str]) -> tuple[int, tuple[int, int], int]:
    """The edges, each side's boxes and the side to move of a diagram.

    Raises ValueError, naming the line, for what is no diagram or has an owner for a box that is not closed.
    """
    lines = text.splitlines()
    rows = 2 * edges.height + 1
    if len(lines) != rows + 1:
        raise ValueError(f"a diagram of {edges.height} rows of boxes has {rows + 1} lines, not {len(lines)}")
    last = {f"{name} to act": side for side, name in enumerate(sides)}
    if lines[rows] not in last:
        raise ValueError(f"line {rows + 1}: expected {' or '.join(map(repr, last))}, not {lines[rows]!r}")
    length = 3 * edges.width + 1
    for number, line in enumerate(lines[:rows], 1):
        if len(line.rstrip()) > length:
            raise ValueError(f"line {number}: expected {length} characters at most, not {len(line.rstrip())}")
    grid = [line.ljust(length) for line in lines[:rows]]
    drawn = 0
    for number, (kind, x, y) in enumerate(edges.actions):
        row, place, sign = (2 * y, 3 * x + 1, "--") if kind == "h" else (2 * y + 1, 3 * x, "|")
        found = grid[row][place : place + len(sign)]
        if found != sign and found.strip():
            raise ValueError(f"line {row + 1}: expected an edge {sign} or a gap, not {found!r}")
        drawn |= (found == sign) << number
    for row in range(0, rows, 2):
        if grid[row][::3] != "+" * (edges.width + 1):
            raise ValueError(f"line {row + 1}: expected a dot + at every third place")
    boxes = [0, 0]
    for number, ((x, y), around) in enumerate(zip(edges.boxes, edges.around, strict=True)):
        found = grid[2 * y + 1][3 * x + 1 : 3 * x + 3]
        if drawn & around != around:
            if found.strip():
                raise ValueError(f"line {2 * y + 2}: the box ({x}, {y}) is not closed, so nobody owns it")
        elif found not in ("1 ", "2 "):
            raise ValueError(f"line {2 * y + 2}: the box ({x}, {y}) is closed, so its owner 1 or 2 stands in it")
        else:
            boxes[int(found) - 1] |= 1 << number
    return drawn, (boxes[0], boxes[1]), last[lines[rows]]

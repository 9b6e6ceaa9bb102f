"""Hand-made boards of every kind, to test what draws them."""

from __future__ import annotations

import math

from watch_your_back.game import Board, Cell, Label, Layout, Mark, Piece, grid

__all__ = ["ALL", "EDGES", "GO", "HEXES", "LEVELS", "LINE", "LINED", "SQUARES"]

_POINTS = grid(5, 5, "point")
_DIAGONALS = tuple(
    ((float(a), float(b)), (float(c), float(d)))
    for a, b, c, d in [(0, 0, 4, 4), (4, 0, 0, 4), (2, 0, 0, 2), (2, 0, 4, 2), (0, 2, 2, 4), (4, 2, 2, 4)]
)
LINED = Board(
    Layout(_POINTS.cells, _POINTS.lines + _DIAGONALS, _POINTS.labels),
    [
        *(Piece(cell, 1, "dog") for cell in ((1, 1), (3, 1), (1, 3)) for _ in range(4)),
        Piece((3, 3), 1, "dog"),
        Piece((2, 1), 0, "tiger"),
        Piece((2, 3), 0, "tiger"),
    ],
)
"""Points with lines of all directions, letters and stacks."""

GO = Board(grid(3, 3, "point"), [Piece((2, 1), 1, "stone"), Piece((2, 2), 0, "stone")], [Mark((1, 1), "star")])
"""Points whose lines join all neighbours."""

_ROW = math.sqrt(3) / 2
HEXES = Board(
    Layout(
        tuple(
            Cell((q, r), q + (r % 2) / 2 - (r % 2), (r + 2) * _ROW, "hex")
            for r, columns in ((-2, 3), (-1, 4), (0, 3))
            for q in range(columns)
        ),
        labels=(
            *(Label(-1.2, (r + 2) * _ROW, str(r)) for r in (-2, -1, 0)),
            *(Label(q - 0.5, 3 * _ROW, str(q)) for q in range(4)),
        ),
    ),
    [Piece((2, -2), 0, "man"), Piece((2, 0), 1, "man")],
)
"""Hexes in rows that are shifted by half."""

EDGES = Board(
    Layout(
        (
            *(Cell(("h", x, y), x + 0.5, y, "horizontal") for y in range(3) for x in range(2)),
            *(Cell(("v", x, y), x, y + 0.5, "vertical") for y in range(2) for x in range(3)),
            *(Cell(("box", x, y), x + 0.5, y + 0.5) for y in range(2) for x in range(2)),
        ),
        labels=(
            *(Label(x + 0.5, -0.5, str(x)) for x in range(2)),
            *(Label(-0.5, y + 0.5, str(y)) for y in range(2)),
        ),
    ),
    [
        Piece(("h", 0, 0), 0, "edge"),
        Piece(("h", 0, 1), 0, "edge"),
        Piece(("v", 0, 0), 1, "edge"),
        Piece(("v", 1, 0), 1, "edge"),
        Piece(("h", 1, 1), 0, "edge"),
        Piece(("v", 1, 1), None, "edge"),
        Piece(("box", 0, 0), 1, "box"),
    ],
    notes=["second has 1 box"],
)
"""Edges between dots, and the boxes that they enclose."""

LINE = Board(
    Layout(tuple(Cell(x, x, 0) for x in range(5)), labels=tuple(Label(x, 0.8, str(x)) for x in range(5))),
    [*(Piece(x, None) for x in (0, 0, 0, 2, 2, 3)), Piece(4, 1, "dog")],
)
"""A line of cells with stacks that belong to nobody."""

LEVELS = Board(
    Layout(
        tuple(
            Cell((level, x, y), 5 * place + x, y, "square", ("dark " if (x + y) % 2 else "") + level)
            for place, level in enumerate(("air", "sub"))
            for y in range(2)
            for x in range(3)
        ),
        labels=tuple(
            label
            for left, level in ((0.0, "air"), (5.0, "sub"))
            for label in (
                Label(left + 1, -1.6, level),
                *(Label(left + x, -0.8, str(x)) for x in range(3)),
                *(Label(left - 0.8, y, str(y)) for y in range(2)),
            )
        ),
    ),
    [
        Piece(("sub", 0, 0), 0, "piece", "DS"),
        Piece(("sub", 0, 0), 0, "piece", "RP"),
        Piece(("air", 2, 1), 1, "tank", "TA"),
    ],
)
"""Two boards side by side, with several different pieces on a cell."""

SQUARES = Board(
    grid(4, 3),
    [Piece((1, 0), 0), Piece((2, 1), 1), Piece((3, 2), 1, "tiger"), Piece((2, 2), 0, "tiger")],
    [Mark((0, 0), "corner"), Mark((0, 2), "removed")],
)
"""Plain squares, with marks."""

ALL = {
    "squares": SQUARES,
    "lined": LINED,
    "lattice": GO,
    "hexes": HEXES,
    "edges": EDGES,
    "line": LINE,
    "levels": LEVELS,
}

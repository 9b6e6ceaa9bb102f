"""Which lines of a board must be drawn to be seen."""

from __future__ import annotations

from watch_your_back.game import Layout

__all__ = ["drawn_lines", "is_lattice"]


def is_lattice(layout: Layout) -> bool:
    """Whether the lines join each point with its neighbours beside, above and below, and no others: as on a Go board.

    Where the points stand tells them then, too.
    """
    places = {(cell.x, cell.y) for cell in layout.cells if cell.shape == "point"}
    pairs = sum((x + 1, y) in places for x, y in places) + sum((x, y + 1) in places for x, y in places)
    lengths = 0.0
    for (x1, y1), (x2, y2) in layout.lines:
        if x1 != x2 and y1 != y2:
            return False
        lengths += abs(x2 - x1) + abs(y2 - y1)
    return lengths == pairs


def drawn_lines(layout: Layout) -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    """The lines of the layout, or none where the points alone tell them."""
    return () if is_lattice(layout) else layout.lines

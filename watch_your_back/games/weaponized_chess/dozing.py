"""Dozing: a Dozer shifts its own square and chosen neighbouring ones by one step (section 5.10)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.chronicle import note
from watch_your_back.games.weaponized_chess.squares import NEIGHBOURS, distance, offset, place

__all__ = ["MOST", "choices", "companion", "doze", "dozes", "obstacle"]

MOST = 4
"""Pieces that a Dozer shifts besides itself and its companion, as far as its player sees them."""


def companion(board: Board, dozer: int) -> int | None:
    """The friendly piece that shares the Dozer's square, without which it cannot doze."""
    cell = board.cell[dozer]
    if cell >= 100:
        return None
    others = [q for q in board.at[cell] if q != dozer]
    return others[0] if len(others) == 1 and board.side[others[0]] == board.side[dozer] else None


def choices(board: Board, dozer: int) -> list[tuple[int, int]]:
    """The squares that the Dozer may choose, in ascending order, and how many seen pieces are on each."""
    side = board.side[dozer]
    at = board.seen_at(side)
    found = []
    for square in _NEXT[board.cell[dozer]]:
        there = at[square]
        if there and (board.rules.doze_enemy or all([board.side[q] == side for q in there])):
            found.append((square, len(there)))
    return found


_NEXT = tuple(tuple(sorted(square for _, _, square in neighbours)) for neighbours in NEIGHBOURS)
_AROUND = tuple(tuple(square for square in range(100) if 0 < distance(start, square) <= 2) for start in range(100))


def dozes(board: Board, dozer: int) -> tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...]:
    """Every legal doze of a Dozer that may act: the step in rows and columns, and rows and columns of those chosen."""
    if companion(board, dozer) is None:
        return ()
    at, start = board.seen_at(board.side[dozer]), board.cell[dozer]
    return _dozes(start, tuple(choices(board, dozer)), tuple([square for square in _AROUND[start] if at[square]]))


@lru_cache(4096)  # pieces near a Dozer stand for many turns as they stood, and all their sets are many
def _dozes(
    start: int, options: tuple[tuple[int, int], ...], occupied: tuple[int, ...]
) -> tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...]:
    """`dozes` of a Dozer on this square, among occupied squares of which these may be chosen."""
    found = []
    for rows, columns, arrival in NEIGHBOURS[start]:
        movable, needs = [], {}
        for square, count in options:
            there = offset(square, rows, columns)
            if there < 0:
                continue
            if there in occupied:
                needs[square] = there
            movable.append((square, count))
        needed = arrival if arrival in occupied else -1
        for chosen in _subsets(movable, MOST):
            if (needed < 0 or needed in chosen) and all(needs.get(each, each) in chosen for each in chosen):
                found.append((rows, columns, tuple([place(square) for square in chosen])))
    return tuple(found)


def _subsets(options: Sequence[tuple[int, int]], room: int) -> list[tuple[int, ...]]:
    """The sets of squares, in ascending order, with at most so many pieces."""
    found: list[tuple[tuple[int, ...], int]] = [((), room)]
    for square, count in options:
        found += [((*chosen, square), left - count) for chosen, left in found if left >= count]
    return [chosen for chosen, _ in found]


def obstacle(board: Board, dozer: int, rows: int, columns: int, chosen: Sequence[int]) -> int | None:
    """A square of the group that cannot be shifted this way, as the Dozer's side sees the board; None if all can."""
    at, group = board.seen_at(board.side[dozer]), {board.cell[dozer], *chosen}
    for square in sorted(group):
        there = offset(square, rows, columns)
        if there < 0 or (at[there] and there not in group):
            return square
    return None


def doze(board: Board, dozer: int, rows: int, columns: int, chosen: Sequence[int]) -> None:
    """Carry out a legal doze on a board that may hold pieces which its player does not see."""
    start = board.cell[dozer]
    squares = [start, *chosen]
    group = [p for square in squares for p in board.at[square]]
    arrivals = [offset(square, rows, columns) for square in squares]
    met = [q for square in arrivals for q in board.at[square] if q not in group]
    board.moved = True
    board.journeys.pop(dozer, None)
    if met:
        note(board, "at", dozer, "DO", start, 0, 0)
        for q in met:
            board.show(q)
        return
    targets = [(p, offset(board.cell[p], rows, columns)) for p in group]
    for p, there in targets:
        board.journeys.pop(p, None)
        board.shift(p, there)

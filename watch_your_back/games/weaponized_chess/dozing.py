"""Dozing: a Dozer shifts its own square and chosen neighbouring ones by one step (section 5.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.chronicle import note
from watch_your_back.games.weaponized_chess.squares import DIRECTIONS, NEIGHBOURS, offset

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
    for square in sorted(each for _, _, each in NEIGHBOURS[board.cell[dozer]]):
        there = at[square]
        if there and (board.rules.doze_enemy or all(board.side[q] == side for q in there)):
            found.append((square, len(there)))
    return found


def dozes(board: Board, dozer: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Every legal doze of a Dozer that may act: the step in rows and columns, and the squares chosen."""
    if companion(board, dozer) is None:
        return
    at, start = board.seen_at(board.side[dozer]), board.cell[dozer]
    options = choices(board, dozer)
    for rows, columns in DIRECTIONS:
        arrival = offset(start, rows, columns)
        if arrival < 0:
            continue
        movable, needs = [], {}
        for square, count in options:
            there = offset(square, rows, columns)
            if there < 0:
                continue
            if at[there] and there != start:
                needs[square] = there
            movable.append((square, count))
        needed = arrival if at[arrival] else -1
        for chosen in _subsets(movable, MOST):
            if (needed < 0 or needed in chosen) and all(needs.get(each, each) in chosen for each in chosen):
                yield rows, columns, chosen


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

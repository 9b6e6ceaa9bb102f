"""Transport articles: the ways that they can take a piece, and one step a turn along them (sections 6.4 and 8.1)."""

from __future__ import annotations

from functools import cache

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.chronicle import note, note_fate
from watch_your_back.games.weaponized_chess.squares import AIR, GROUND, SUB, offset, place, sign
from watch_your_back.games.weaponized_chess.support import has_carrier

__all__ = ["WAYS", "cells_of", "direct", "fall", "in_use", "may_launch", "set_out", "travel", "vehicle"]

WAYS = ("straight", "port", "starboard")
_LEVEL = {"BI": GROUND, "JP": AIR, "SC": SUB}


def in_use(board: Board, piece: int) -> int:
    """The article that the piece travels with; -1 for none."""
    journey = board.journeys.get(piece)
    return -1 if journey is None else journey[0]


def vehicle(board: Board, piece: int, transport: str) -> int:
    """The article of this type that the piece would fire, the lowest id of those that have not fired; -1 for none."""
    types = board.cast.article_types
    found = [a for a in board.carried[piece] if types[a] == transport and a not in board.fired]
    return min(found, default=-1)


def may_launch(board: Board, piece: int, transport: str) -> bool:
    """Whether the level, the company and the options let the piece fire a transport of this type."""
    rules, level = board.rules, board.cell[piece] // 100
    if transport != "BI" and board.cast.kinds[piece].primary and not rules.primary_off_ground:
        return False
    if level == GROUND:
        return True
    return rules.launch_carried and level == _LEVEL[transport] and has_carrier(board, piece)


def direct(start: int, end: int) -> bool:
    """Whether the way from one square to another is straight, so that there is no choice of it."""
    rows, columns = abs(start // 10 - end // 10), abs(start % 10 - end % 10)
    return rows == 0 or columns == 0 or rows == columns


@cache
def _squares(start: int, end: int, way: str) -> tuple[int, ...]:
    """The squares of a way. Left and right are the same for both sides: a half turn of the board keeps them."""
    (row, column), (end_row, end_column) = place(start), place(end)
    a, b = end_row - row, end_column - column
    few, many = sorted((abs(a), abs(b)))
    diagonal = (sign(a), sign(b))
    straight = (sign(a), 0) if abs(a) > abs(b) else (0, sign(b))
    if few in (0, many):
        steps = [diagonal] * many
    else:
        first, second = [diagonal] * few, [straight] * (many - few)
        starboard = a * diagonal[1] - b * diagonal[0] > 0
        steps = first + second if starboard == (way == "starboard") else second + first
    squares = []
    for rows, columns in steps:
        start = offset(start, rows, columns)
        squares.append(start)
    return tuple(squares)


def cells_of(cell: int, transport: str, end: int, way: str) -> tuple[int, ...]:
    """The cells of a journey from a cell to a square."""
    base = 100 * _LEVEL[transport]
    over = tuple(base + square for square in _squares(cell % 100, end, way))
    if transport == "BI":
        return over
    launch = (cell + base,) if cell < 100 else ()
    return (*launch, *over, end)


def set_out(board: Board, piece: int, transport: str, end: int, way: str) -> None:
    """Fire a transport article (a legal Fire): the journey begins in this turn's results."""
    article = vehicle(board, piece, transport)
    board.fired.add(article)
    board.journeys[piece] = article, cells_of(board.cell[piece], transport, end, way)


def travel(board: Board, piece: int) -> int:
    """One step of a journey; returns the cell where the piece crashed and was destroyed, or -1."""
    article, (there, *rest) = board.journeys[piece]
    here = board.cell[piece]
    if board.accepts(board.at, there, piece):
        board.shift(piece, there)
        (row, column), (old_row, old_column) = place(there), place(here)
        note(board, "at", piece, board.cast.kinds[piece].code, there, row - old_row, column - old_column)
        if rest:
            board.journeys[piece] = article, tuple(rest)
        else:
            del board.journeys[piece]
        return -1
    del board.journeys[piece]
    return -1 if here < 100 else fall(board, piece, "XK")


def fall(board: Board, piece: int, killed_by: str) -> int:
    """Let a piece whose journey has ended off the ground go to the ground of its square.

    Returns the cell where it was if it is destroyed because there is no room, or -1. Its articles are not scattered.
    """
    here, ground = board.cell[piece], board.cell[piece] % 100
    if board.accepts(board.at, ground, piece):
        board.shift(piece, ground)
        note(board, "falls", piece, board.cast.kinds[piece].code, ground)
        return -1
    note_fate(board, piece, killed_by)
    board.remove(piece)
    return here

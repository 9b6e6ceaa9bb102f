"""Pieces that are taken, and articles that fall (sections 5.1 and 7.8)."""

from __future__ import annotations

from collections.abc import Iterable

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.chronicle import note, note_fate
from watch_your_back.games.weaponized_chess.squares import rings

__all__ = ["scatter", "take"]


def scatter(board: Board, piece: int, cell: int, side: int) -> None:
    """Let all articles of the piece fall to the ground near this cell, as `side` looks at it."""
    for article in board.carried[piece]:
        board.take_away(piece, article)
        square = next(each for each in rings(cell % 100, side) if len(board.ground[each]) < 2)
        board.lay(article, square)
        note(board, "article", -1, board.cast.article_types[article], square)
    board.expose(piece)


def take(board: Board, pieces: Iterable[int], taker: int) -> None:
    """Take pieces by a Move, the one with the lower id first."""
    for p in sorted(pieces):
        cell, side = board.cell[p], board.side[p]
        note_fate(board, p, board.cast.kinds[taker].code, told=True)
        board.remove(p)
        scatter(board, p, cell, side)

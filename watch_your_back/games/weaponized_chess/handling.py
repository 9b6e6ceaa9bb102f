"""Picking up, dropping, exchanging articles, and reinforcing (section 10)."""

from __future__ import annotations

from collections.abc import Iterable

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.cast import NONE
from watch_your_back.games.weaponized_chess.journeys import in_use
from watch_your_back.games.weaponized_chess.sight import make_lock

__all__ = ["after_swap", "carried", "drop", "exchange", "lowest", "on_ground", "pick_up", "reinforce", "reserve"]


def lowest(board: Board, articles: Iterable[int], kind: str, but: int = -1) -> int:
    """The article of a type with the lowest countdown, then the lowest id; -1 for none (section 4.2)."""
    types, countdown = board.cast.article_types, board.countdown
    found = [(countdown.get(a, (0,))[0], a) for a in articles if types[a] == kind and a != but]
    return min(found)[1] if found else -1


def on_ground(board: Board, piece: int, kind: str) -> int:
    """The article of a type that the piece would pick up; -1 for none."""
    return lowest(board, board.ground[board.cell[piece] % 100], kind)


def carried(board: Board, piece: int, kind: str) -> int:
    """The article of a type that the piece would drop or give away, never the one in use; -1 for none."""
    return lowest(board, board.carried[piece], kind, in_use(board, piece))


def pick_up(board: Board, piece: int, kind: str) -> None:
    """Carry out a legal pick-up."""
    square, article = board.cell[piece] % 100, on_ground(board, piece, kind)
    board.ground[square] = tuple([a for a in board.ground[square] if a != article])
    _acquire(board, piece, article)
    board.done.add("PU")


def drop(board: Board, piece: int, kind: str) -> None:
    """Carry out a legal drop."""
    square, article = board.cell[piece] % 100, carried(board, piece, kind)
    board.take_away(piece, article)
    board.expose(piece)
    board.lay(article, square)
    board.done.add("DR")


def after_swap(board: Board, piece: int, lost: int, gained: int) -> bool:
    """Whether the piece holds no more than it can when it has given one article and received another (-1: none)."""
    left = [a for a in board.carried[piece] if a != lost]
    if gained >= 0:
        left.append(gained)
    return len(left) <= 1 or len(left) <= board.capacity(piece, left)


def exchange(board: Board, giver: int, kind: str, taker: int, swap: str | None) -> None:
    """Carry out a legal exchange; the piece named second locks first (section 9.2).

    Whether a piece has stealth is looked at after a swap, so one that swaps it for another stays locked.
    """
    article = carried(board, giver, kind)
    back = -1 if swap is None else carried(board, taker, swap)
    board.take_away(giver, article)
    if back >= 0:
        board.take_away(taker, back)
    _acquire(board, taker, article)
    if back >= 0:
        _acquire(board, giver, back)
    board.expose(giver)
    board.expose(taker)
    board.done.add("EX")


def _acquire(board: Board, piece: int, article: int) -> None:
    if board.cast.article_types[article] == "ASH":
        make_lock(board, piece, article)
    board.give(piece, article)


def reserve(board: Board, square: int, kind: str) -> int:
    """The reinforcement of a type with the lowest id that waits at a square of the side to move; -1 for none."""
    seat, cast = 100 * board.to_move + square, board.cast
    return min((p for p in board.waiting if cast.homes[p] == seat and cast.kinds[p].code == kind), default=-1)


def reinforce(board: Board, square: int, kind: str) -> None:
    """Carry out a legal Reinforce on a board that may hold an unseen piece there."""
    seat = 100 * board.to_move + square
    board.done.add("RE")
    if board.at[square]:
        for p in board.at[square]:
            board.show(p)
        return
    piece = reserve(board, square, kind)
    board.waiting.discard(piece)
    board.enter(piece, square)
    if any(board.cast.homes[p] == seat for p in board.waiting):
        board.seats[seat] = NONE
    else:
        del board.seats[seat]

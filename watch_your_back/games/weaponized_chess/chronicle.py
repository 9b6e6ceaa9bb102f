"""What happens in a turn, written down for the notation while it happens."""

from __future__ import annotations

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.squares import place

__all__ = ["described", "note", "note_fate"]

_LEVELS = ("", "^", "v")
_HANDS = {None: "", "right": ">", "left": "<"}


def described(board: Board, piece: int) -> str:
    """A piece in the notation: type, level, location, articles and hand (section 13.1)."""
    cast, cell, held = board.cast, board.cell[piece], board.carried[piece]
    row, column = place(cell)
    articles = f"{len(held)}{''.join(cast.article_types[a] for a in held)}" if held else ""
    return f"{cast.kinds[piece].code}{_LEVELS[cell // 100]}({row},{column}){articles}{_HANDS[cast.hands[piece]]}"


def note(board: Board, what: str, piece: int, *more: object) -> None:
    """Write into the log, if there is one, something about a piece (-1: none), its side and whether it is seen."""
    if board.log is not None:
        seen = piece < 0 or piece not in board.hidden(1 - board.side[piece])
        board.log.append((board.side[piece] if piece >= 0 else -1, seen, what, *more))


def note_fate(board: Board, piece: int, cause: str, *, told: bool = False) -> None:
    """Write into the log what happened to a piece; `told` if its enemy knows in any case."""
    if board.log is not None:
        side = board.side[piece]
        seen = told or piece not in board.hidden(1 - side)
        board.log.append((side, seen, "fate", cause, described(board, piece), board.stun.get(piece, 0)))

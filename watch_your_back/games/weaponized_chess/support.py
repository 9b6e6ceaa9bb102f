"""What keeps a piece in the air or below (section 5.9)."""

from __future__ import annotations

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.squares import AIR, GROUND, SUB

__all__ = ["has_carrier", "stands"]

_CARRIER = {AIR: "CH", SUB: "SU"}


def stands(board: Board, piece: int) -> bool:
    """Whether the piece needs no carrier where it is."""
    level = board.cell[piece] // 100
    if level == GROUND:
        return True
    code = board.cast.kinds[piece].code
    if level == AIR:
        return code in ("JE", "CH") or _travels_by(board, piece, "JP")
    return code == "SU" or _travels_by(board, piece, "SC")


def _travels_by(board: Board, piece: int, transport: str) -> bool:
    journey = board.journeys.get(piece)
    return journey is not None and board.cast.article_types[journey[0]] == transport


def has_carrier(board: Board, piece: int) -> bool:
    """Whether a friendly Chopper in the air or Sub below shares the piece's cell."""
    cell, kinds, side = board.cell[piece], board.cast.kinds, board.side
    code = _CARRIER.get(cell // 100)
    return any(q != piece and kinds[q].code == code and side[q] == side[piece] for q in board.at[cell])

"""What a board seems to be worth: a quick guess for agents, in pawns. No rule depends on it."""

from __future__ import annotations

from watch_your_back.games.weaponized_chess import movement, steps, weapons
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.kinds import KINDS
from watch_your_back.games.weaponized_chess.squares import NEIGHBOURS, distance, offset

__all__ = ["PRIMARY", "danger", "lead", "value_of"]

PRIMARY = 40.0
"""What it is worth to win a primary piece, and with it the game."""

_VALUES = {"TA": 4.0, "CL": 5.0, "CH": 3.5, "JE": 3.0, "SU": 3.0, "DO": 1.5, "DS": 1.5, "AAA": 1.5}
_BY_ROLE = {"primary": PRIMARY, "secondary": 8.0, "pawn": 1.0}
_WORTH = {code: _BY_ROLE[kind.role] if kind.role else _VALUES[code] for code, kind in KINDS.items()}
_ARTICLE = 0.25
_STUNNED = 0.3
"""The part of its value that a stunned piece has lost."""
_THREATENED = 0.5
"""The part of its value that a piece has lost which the side to move can take or hit."""
_EVADED = 0.1
"""The same of a piece that can still get out of the way of a projectile."""


def value_of(board: Board, piece: int) -> float:
    """What a piece on the board is worth, with what it carries."""
    return _WORTH[board.cast.kinds[piece].code] + _ARTICLE * len(board.carried[piece])


def lead(board: Board, side: int) -> float:
    """How far a side is ahead: its pieces, less the other's, less what the side to move threatens to win."""
    mover = board.to_move
    ahead = _THREATENED * danger(board)
    for p, cell in enumerate(board.cell):
        if cell >= 0:
            value = value_of(board, p)
            if p in board.stun:
                value *= 1 - _STUNNED
            ahead += value if board.side[p] == mover else -value
    ahead += _in_flight(board)
    return ahead if side == mover else -ahead


def danger(board: Board) -> float:
    """The most that the side to move can win with one of its pieces: by taking, or by fire after a Move or without."""
    mover, most = board.to_move, 0.0
    primaries = [p for p, cell in enumerate(board.cell) if cell >= 0 and _is_enemy_primary(board, p)]
    for p in steps.able(board):
        if p in board.journeys and board.cell[p] >= 100:
            continue
        arms = [(weapon, len(found)) for weapon, found in weapons.arsenal(board, p).items() if weapon in ("FL", "CS")]
        for weapon, strength in arms:
            most = max(most, _beside(board, p, weapon, strength))
        if not arms and not board.cast.kinds[p].combat:
            continue
        for cell in movement.destinations(board, p):
            there = board.at[cell]
            if there and board.side[there[0]] != mover:
                most = max(most, sum(value_of(board, q) for q in there))
            for q in primaries if arms else ():
                near = cell // 100 == board.cell[q] // 100 and distance(cell, board.cell[q]) == 1
                if near and any(strength > board.defences(q, weapon) for weapon, strength in arms):
                    most = max(most, PRIMARY)
    return most


def _is_enemy_primary(board: Board, piece: int) -> bool:
    return board.side[piece] != board.to_move and board.cast.kinds[piece].primary


def _beside(board: Board, piece: int, weapon: str, strength: int) -> float:
    """The most that a weapon of short range wins from where its piece is."""
    base, square = board.cell[piece] // 100 * 100, board.cell[piece] % 100
    most = 0.0
    for _, _, near in NEIGHBOURS[square]:
        there = board.at[base + near]
        if there and board.side[there[0]] != board.side[piece]:
            hit = [q for q in there if strength > board.defences(q, weapon)]
            most = max(most, sum(value_of(board, q) for q in hit))
    return most


def _in_flight(board: Board) -> float:
    """What projectiles are about to hit, as the side to move sees it: own pieces can still get out of the way."""
    hits: dict[tuple[int, str], int] = {}
    for kind, square, rows, columns, target, _ in board.missiles:
        base = 100 * weapons.LEVEL[kind]
        there = square if board.at[base + square] else offset(square, rows, columns)
        if target >= 0 and board.cell[target] >= 0 and distance(board.cell[target], square) <= 1:
            there = board.cell[target] % 100
        for q in board.at[base + there] if there >= 0 else ():
            hits[q, kind] = hits.get((q, kind), 0) + 1
    ahead = 0.0
    for (q, kind), count in hits.items():
        if count > board.defences(q, weapons.LAUNCHER[kind]):
            mine = board.side[q] == board.to_move
            ahead += value_of(board, q) * (-_EVADED if mine else 1.0)
    return ahead

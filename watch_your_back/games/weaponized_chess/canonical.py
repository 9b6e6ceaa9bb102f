"""The canonical form of a state between two turns, by which implementations of the rules are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.cast import INHERENT
from watch_your_back.games.weaponized_chess.squares import LEVELS, SIDES, place

if TYPE_CHECKING:
    from watch_your_back.games.weaponized_chess.state import Position

__all__ = ["STATUSES", "canonical", "canonical_piece", "projectiles"]

STATUSES = ("none", "primed", "ready")


def canonical(state: Position) -> dict[str, Any]:
    """The state as a JSON object: all that happens on the board, not who has locked on whom or for how long.

    Rows and columns count from 1; sides, levels and types are words.
    """
    board, outcome = state.board, state.outcome
    cast = board.cast
    winner = None if outcome is None else "draw" if outcome.winner is None else SIDES[outcome.winner]
    return {
        "articles": [
            [cast.article_ids[a], cast.article_types[a], *place(square), *_countdown(board, a)]
            for a, square in sorted((a, square) for square in range(100) for a in board.ground[square])
        ],
        "outcome": None if outcome is None else [winner, outcome.reason],
        "pieces": [canonical_piece(board, p) for p, cell in enumerate(board.cell) if cell >= 0],
        "projectiles": projectiles(board),
        "reinforcements": [[cast.ids[p], STATUSES[board.seats[cast.homes[p]]]] for p in sorted(board.waiting)],
        "to_move": None if outcome else SIDES[board.to_move],
    }


def projectiles(board: Board) -> list[list[Any]]:
    """The canonical form of the projectiles."""
    ids = board.cast.ids
    found = [
        [kind, *place(square), rows, columns, None if target < 0 else ids[target]]
        for kind, square, rows, columns, target, _ in board.missiles
    ]
    return sorted(found, key=lambda entry: ["" if part is None else part for part in entry])


def _countdown(board: Board, weapon: int) -> tuple[int, str | None]:
    turns, side = board.countdown.get(weapon, (0, None))
    return turns, None if side is None else SIDES[side]


def canonical_piece(board: Board, p: int) -> list[Any]:
    """The canonical form of a piece on the board."""
    cast, cell, side = board.cast, board.cell[p], board.side[p]
    kind, journey = cast.kinds[p], board.journeys.get(p)
    inherent = sorted((weapon, INHERENT + 4 * p + w) for w, weapon in enumerate(kind.weapons))
    return [
        cast.ids[p],
        SIDES[side],
        kind.code,
        cast.hands[p],
        *place(cell),
        LEVELS[cell // 100],
        [[cast.article_ids[a], cast.article_types[a], *_countdown(board, a)] for a in board.carried[p]],
        p in board.origin,
        board.stun.get(p, 0),
        [[weapon, *_countdown(board, key)] for weapon, key in inherent if key in board.countdown],
        None
        if journey is None
        else [cast.article_ids[journey[0]], [[*place(each), LEVELS[each // 100]] for each in journey[1]]],
        p not in board.hidden(1 - side),
    ]

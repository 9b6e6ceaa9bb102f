"""What a side may know: the board as it sees it, and what it is told of the other side's turns (section 9.5)."""

from __future__ import annotations

from typing import Any

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.canonical import STATUSES, canonical_piece, projectiles
from watch_your_back.games.weaponized_chess.cast import INHERENT
from watch_your_back.games.weaponized_chess.squares import SIDES, place, square_of
from watch_your_back.games.weaponized_chess.steps import Step

__all__ = ["UNSEEN_MOVE", "Witness", "view"]

UNSEEN_MOVE: Step = ("MV", "?")
"""What a side is told of a Move or doze that it did not see."""


def view(board: Board, side: int, ply: int, outcome: Any) -> dict[str, Any]:
    """All that a side may know of a state, as a JSON value.

    `pieces` are its own and the enemy's seen ones, `[id, side, type, hand, row, column, level, articles, at_origin,
    stun, countdowns, journey, revealed]`: articles `[type, countdown, set_by]`, a journey `[type, cells]`, `revealed`
    for how many more turns of the side an enemy piece is revealed. Whether a pawn is at its origin is known of own ones
    only. `articles` on the ground are `[type, row, column, countdown, set_by]`, `projectiles` as in the canonical form.
    `reinforcements` are the own ones, `[id, type, hand, row, column, status]`, `enemy_reinforcements` the squares where
    others wait, `locks` the own ones, `[locker, article or None, target]`.
    """
    cast, unseen = board.cast, board.hidden(side)
    pieces = [_piece(board, p, side) for p, cell in enumerate(board.cell) if cell >= 0 and p not in unseen]
    lying = sorted(
        [cast.article_types[a], *place(square), *_pause(board, a)]
        for square, articles in enumerate(board.ground)
        for a in articles
    )  # sorted by what is seen of them, not by their numbers
    waiting = sorted(board.waiting)
    return {
        "side": SIDES[side],
        "to_move": SIDES[board.to_move] if outcome is None else None,
        "turns": ply,
        "outcome": None
        if outcome is None
        else [None if outcome.winner is None else SIDES[outcome.winner], outcome.reason],
        "pieces": pieces,
        "articles": lying,
        "projectiles": projectiles(board),
        "reinforcements": [
            [
                cast.ids[p],
                cast.kinds[p].code,
                cast.hands[p],
                *place(cast.homes[p]),
                STATUSES[board.seats[cast.homes[p]]],
            ]
            for p in waiting
            if cast.homes[p] // 100 == side
        ],
        "enemy_reinforcements": sorted(list(place(cast.homes[p])) for p in waiting if cast.homes[p] // 100 != side),
        "locks": sorted(
            _lock(board, locker, target) for locker, target in board.lock.items() if board.side[target] != side
        ),
    }


def _pause(board: Board, weapon: int) -> tuple[int, str | None]:
    turns, side = board.countdown.get(weapon, (0, None))
    return turns, None if side is None else SIDES[side]


def _piece(board: Board, p: int, side: int) -> list[Any]:
    form = canonical_piece(board, p)
    form[7] = [each[1:] for each in form[7]]
    if form[11] is not None:
        form[11][0] = board.cast.article_types[board.journeys[p][0]]
    if board.side[p] == side:
        form[12] = 0
    else:
        form[8] = False
        form[12] = board.reveal.get(p, 0)
    return form


def _lock(board: Board, locker: int, target: int) -> list[Any]:
    cast = board.cast
    if locker >= INHERENT:
        return [cast.ids[locker - INHERENT], "", cast.ids[target]]
    holder = next(p for p, articles in enumerate(board.carried) if locker in articles)
    return [cast.ids[holder], "ASH", cast.ids[target]]


class Witness:
    """Looks on while a turn is carried out, for the enemy of the side that takes it, in a competitive game.

    Whether a piece was seen is judged after each action. Of a Move the passenger, and of a doze the squares, are left
    out where the enemy sees no piece there.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._squares: dict[tuple[int, int], tuple[int, ...]] = {}

    def before(self, step: Step) -> None:
        """A step is about to be carried out."""
        if step[0] == "DZ":
            self._squares = {square: self._board.at[square_of(*square)] for square in step[4]}

    def after(self, step: Step) -> Step | None:
        """What the enemy is told of a step that has been carried out; None for nothing."""
        board, numbers = self._board, self._board.cast.numbers
        unseen = board.hidden(1 - board.to_move)
        code = step[0]
        if code == "RE":
            return None if any(p in unseen for p in board.at[square_of(step[1], step[2])]) else step
        if numbers[step[1]] in unseen:
            return UNSEEN_MOVE if code in ("MV", "DZ") else None
        if code == "MV" and step[5] is not None and numbers[step[5]] in unseen:
            return (*step[:5], None)
        if code == "DZ":
            return (*step[:4], tuple(square for square in step[4] if not unseen.issuperset(self._squares[square])))
        if code == "EX" and numbers[step[3]] in unseen:
            return None
        return step

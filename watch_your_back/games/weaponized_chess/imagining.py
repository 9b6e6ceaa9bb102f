"""A board that agrees with what a side sees: unseen enemy pieces are put where they may be."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from watch_your_back.game import Outcome
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.canonical import STATUSES
from watch_your_back.games.weaponized_chess.cast import INHERENT, NONE, Projectile
from watch_your_back.games.weaponized_chess.squares import LEVELS, SIDES, SUB, distance, square_of

__all__ = ["imagined"]

_TRIES = 12
"""Places that are tried for an unseen piece."""
_BELOW = 0.5
"""How often a missing Sub is taken to be below rather than gone."""


def imagined(view: dict[str, Any], start: Board, board: Board, rng: Random) -> tuple[Board, int, Outcome | None]:
    """The board, the turns taken and the outcome of a state that shows this view.

    `start` is the board that the match began with, `board` one of the same cast without pieces, which is filled. What
    the enemy knows, and which of several equal articles is which, is made up; so is what unseen pieces carry of the
    articles that are missing, as far as it finds room.
    """
    return _Imagination(view, start, board, rng).run()


class _Imagination:
    def __init__(self, view: dict[str, Any], start: Board, board: Board, rng: Random) -> None:
        self.view, self.start, self.board, self.random = view, start, board, rng
        self.side = SIDES.index(view["side"])
        types = board.cast.article_types
        self.missing: dict[str, list[int]] = {}
        for a, kind in enumerate(types):
            self.missing.setdefault(kind, []).append(a)
        for numbers in self.missing.values():
            rng.shuffle(numbers)

    def run(self) -> tuple[Board, int, Outcome | None]:
        view, board = self.view, self.board
        board.to_move = SIDES.index(view["to_move"] or view["side"])
        for piece in view["pieces"]:
            self.place(piece)
        for kind, row, column, turns, by in view["articles"]:
            board.lay(self.article(kind, turns, by), square_of(row, column))
        for locker, article, target in view["locks"]:
            self.lock(board.cast.numbers[locker], article, board.cast.numbers[target])
        self.reinforcements()
        for kind, row, column, rows, columns, target in view["projectiles"]:
            self.projectile(kind, square_of(row, column), rows, columns, target)
        board.missiles.sort()
        self.hide()
        self.enemy_locks()
        board.changed()
        outcome = view["outcome"]
        if outcome is not None:
            winner, reason = outcome
            return board, view["turns"], Outcome(None if winner is None else SIDES.index(winner), reason)
        return board, view["turns"], None

    def article(self, kind: str, turns: int, by: str | None) -> int:
        number = self.missing[kind].pop()
        if turns:
            self.board.countdown[number] = turns, SIDES.index(by or "")
        return number

    def place(self, piece: list[Any]) -> None:
        id, side, _, _, row, column, level, articles, origin, stun, countdowns, journey, revealed = piece
        board = self.board
        p = board.cast.numbers[id]
        board.side[p] = SIDES.index(side)
        cell = 100 * LEVELS.index(level) + square_of(row, column)
        board.enter(p, cell)
        for each in articles:
            board.give(p, self.article(*each))
        if origin or (board.side[p] != self.side and board.cast.kinds[p].pawn and self.start.cell[p] == cell):
            board.origin.add(p)
        if stun:
            board.stun[p] = stun
        for weapon, turns, by in countdowns:
            board.countdown[INHERENT + 4 * p + board.cast.kinds[p].weapons.index(weapon)] = turns, SIDES.index(by)
        if journey is not None:
            transport, cells = journey
            used = next(a for a in board.carried[p] if board.cast.article_types[a] == transport)
            way = tuple(100 * LEVELS.index(each[2]) + square_of(each[0], each[1]) for each in cells)
            board.journeys[p] = used, way
        if revealed:
            board.reveal[p] = revealed

    def lock(self, locker: int, article: str, target: int) -> None:
        board = self.board
        board.side[target] = 1 - self.side
        if not article:
            board.lock[INHERENT + locker] = target
            return
        types = board.cast.article_types
        free = next(a for a in board.carried[locker] if types[a] == article and a not in board.lock)
        board.lock[free] = target

    def reinforcements(self) -> None:
        board, cast = self.board, self.board.cast
        for id, _, _, row, column, status in self.view["reinforcements"]:
            board.waiting.add(cast.numbers[id])
            board.seats[100 * self.side + square_of(row, column)] = STATUSES.index(status)
        enemy = 1 - self.side
        reserves = [p for p, home in enumerate(cast.homes) if home // 100 == enemy and home >= 0 and board.cell[p] < 0]
        for row, column in self.view["enemy_reinforcements"]:
            seat = 100 * enemy + square_of(row, column)
            p = next(p for p in reserves if cast.homes[p] == seat and p not in board.waiting)
            board.waiting.add(p)
            board.seats[seat] = NONE
        board.seats = dict(sorted(board.seats.items()))

    def projectile(self, kind: str, square: int, rows: int, columns: int, target: str | None) -> None:
        p = -1 if target is None else self.board.cast.numbers[target]
        firer = -1 if p < 0 else 1 - self.board.side[p] if self.board.cell[p] >= 0 else self.side
        self.board.missiles.append(Projectile(kind, square, rows, columns, p, firer))

    def hide(self) -> None:
        """Put pieces that are missing where they are not seen, with articles that are missing."""
        board, cast = self.board, self.board.cast
        stealthy: list[int] = []
        others: list[int] = []
        for p, side in enumerate(self.start.side):
            if side != self.side and board.cell[p] < 0 and p not in board.waiting:
                (stealthy if cast.kinds[p].stealth or cast.kinds[p].code == "SU" else others).append(p)
        self.random.shuffle(others)
        others.sort(key=lambda p: cast.kinds[p].primary)  # which is on the board in any case, so it comes first
        for p in stealthy:
            if cast.kinds[p].code != "SU":
                self.put(p, self.any_missing())
            elif self.random.random() < _BELOW:
                self.put(p, self.any_missing(), SUB)
        for a in list(self.missing.get("SH", ())):
            if others:
                self.put(others.pop(), a)

    def any_missing(self) -> int:
        """An article that is missing and that an unseen piece may carry; -1 for none."""
        found = [a for kind, numbers in self.missing.items() if kind != "SH" for a in numbers]
        return self.random.choice(found) if found else -1

    def put(self, p: int, article: int, level: int = 0) -> bool:
        """Put a piece somewhere out of sight; whether that was possible."""
        board, locks = self.board, dict(self.board.lock)
        board.side[p] = 1 - self.side
        for square in self.squares(p):
            cell = 100 * level + square
            if board.at[cell] and not board.accepts(board.at, cell, p):
                continue
            board.enter(p, cell)
            if article >= 0:
                board.give(p, article)
            if p in board.hidden(self.side):
                if article >= 0 and article in self.missing[board.cast.article_types[article]]:
                    self.missing[board.cast.article_types[article]].remove(article)
                return True
            board.remove(p)
            board.lock = dict(locks)
            if article >= 0:
                board.take_away(p, article)
        return False

    def squares(self, p: int) -> Iterable[int]:
        """Where a piece may be: near the place where it began first, then anywhere."""
        home = self.start.cell[p] if self.start.cell[p] >= 0 else self.board.cast.homes[p] % 100
        near = [square for square in range(100) if distance(square, home) <= 3]
        yield from self.random.sample(near, min(_TRIES, len(near)))
        yield from self.random.sample(range(100), 2 * _TRIES)

    def enemy_locks(self) -> None:
        """The enemy still has the locks that it began with, as far as can be seen."""
        board = self.board
        for locker, target in self.start.lock.items():
            holder = locker - INHERENT
            mine = board.side[target] == self.side and target in board.shy
            if mine and board.side[holder] != self.side and board.cell[holder] >= 0:
                board.lock[locker] = target

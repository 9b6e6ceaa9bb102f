"""The rules of Archers once more, in dictionaries: slow, obviously right, and the judge of the fast ones.

Written from the rules alone, step by step in their words, and sharing no code with the package.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

ENEMY = {"white": "black", "black": "white"}


def usual_board() -> dict[str, Any]:
    """The usual board in the form of a board file."""
    lines = [[(x, y) for x in range(5)] for y in range(9)]
    for x in (0, 2, 4):
        lines += [[(x, y) for y in range(0, 5)], [(x, y) for y in range(4, 9)]]
    for x in (1, 3):
        lines += [[(x, y) for y in range(a, b + 1)] for a, b in ((0, 2), (2, 6), (6, 8))]
    for x, y in ((0, 0), (2, 0), (0, 2), (2, 2), (0, 4), (2, 4), (0, 6), (2, 6)):
        lines += [[(x, y), (x + 1, y + 1), (x + 2, y + 2)], [(x, y + 2), (x + 1, y + 1), (x + 2, y)]]
    start = {"white": [(x, 8) for x in range(5)], "black": [(x, 0) for x in range(5)]}
    return {"points": [(x, y) for x in range(5) for y in range(9)], "lines": lines, "start": start}


class Archer:
    """An archer on the board and the shots to its name that have not been used for a return."""

    def __init__(self, side: str) -> None:
        self.side = side
        self.shots = 0


class PlainArchers:
    """A game under way, changed in place.

    `board` maps each point (x, y) to an archer or None. `winner` is None while the game goes on, then a side or 'draw',
    and `reason` says why.
    """

    def __init__(self, board: dict[str, Any] | None = None, turn_cap: int = 400) -> None:
        board = board or usual_board()
        self.lines = [[tuple(point) for point in line] for line in board["lines"]]
        self.start = {side: [tuple(point) for point in points] for side, points in board["start"].items()}
        self.board: dict[Any, Archer | None] = {tuple(point): None for point in board["points"]}
        for side, points in self.start.items():
            for point in points:
                self.board[point] = Archer(side)
        self.taken: dict[str, list] = {"white": [], "black": []}
        self.turn_cap = turn_cap
        self.winner: str | None = None
        self.reason: str | None = None

    @property
    def turns(self) -> int:
        return len(self.taken["white"]) + len(self.taken["black"])

    @property
    def mover(self) -> str:
        return ("white", "black")[self.turns % 2]

    def points_of(self, side: str) -> list:
        return [point for point, archer in self.board.items() if archer and archer.side == side]

    def legal(self) -> list:
        """All legal actions, in no particular order."""
        if self.winner:
            return []
        moves = {
            (one, other)
            for line in self.lines
            for pair in pairwise(line)
            for one, other in (pair, pair[::-1])
            if one in self.points_of(self.mover) and self.board[other] is None
        }
        return [move for move in moves if not self.is_shuttle(*move)] or [None]

    def is_shuttle(self, origin: Any, target: Any) -> bool:
        """Whether the last three turns of the mover went to and fro between the same points."""
        back, forth = (target, origin), (origin, target)
        return self.taken[self.mover][-3:] == [back, forth, back]

    def in_line_of_fire(self, one: Any, other: Any) -> bool:
        """Whether two points lie on one line with no archer between them."""
        for line in self.lines:
            if one in line and other in line and one != other:
                first, last = sorted((line.index(one), line.index(other)))
                if all(self.board[point] is None for point in line[first + 1 : last]):
                    return True
        return False

    def play(self, action: Any) -> None:
        """Take a turn with a legal action."""
        side = self.mover
        other = ENEMY[side]
        target = None
        if action is not None:
            origin, target = action
            self.board[target], self.board[origin] = self.board[origin], None
            self.shoot(side, target)
        self.taken[side].append(action)
        if not self.points_of(side):
            self.end(other, "no archers left")
        elif not self.points_of(other):
            self.end(side, "no archers left")
        elif all(point in self.start[other] for point in self.points_of(side)):
            self.end(side, "on the enemy's line")
        elif action is not None and target in self.start[other] and origin not in self.start[other]:
            self.bring_back(side, target)
        if self.turn_cap and self.turns >= self.turn_cap and not self.winner:
            self.rule()

    def shoot(self, side: str, target: Any) -> None:
        other = ENEMY[side]
        seen = [point for point in self.points_of(other) if self.in_line_of_fire(target, point)]
        mover = self.board[target]
        assert mover is not None
        if target not in self.start[other]:
            for point in seen:
                self.board[point] = None
                mover.shots += 1
            return
        for point in seen:
            archer = self.board[point]
            assert archer is not None
            if point not in self.start[side]:
                archer.shots += 1
                self.board[target] = None

    def bring_back(self, side: str, target: Any) -> None:
        archer = self.board[target]
        free = sorted(point for point in self.start[side] if self.board[point] is None)
        if archer and archer.shots and free and len(self.points_of(side)) < len(self.start[side]):
            archer.shots -= 1
            self.board[free[0]] = Archer(side)

    def rule(self) -> None:
        """End the game by the safety cap."""
        there = {side: sum(point in self.start[ENEMY[side]] for point in self.points_of(side)) for side in ENEMY}
        count = {side: len(self.points_of(side)) for side in ENEMY}
        white, black = ((there[side], count[side]) for side in ("white", "black"))
        self.end("white" if white > black else "black" if black > white else "draw", "turn limit")

    def end(self, winner: str, reason: str) -> None:
        self.winner, self.reason = winner, reason

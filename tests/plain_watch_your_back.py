"""The rules of Watch Your Back! once more, in dictionaries: slow, obviously right, and the judge of the fast ones.

Written from the rules alone, step by step in their words, and sharing no code with the package.
"""

from __future__ import annotations

NEIGHBOURS = ((0, -1), (-1, 0), (1, 0), (0, 1))
ENEMY = {"W": "B", "B": "W"}
START_ROWS = {"W": range(0, 6), "B": range(2, 8)}


class PlainGame:
    """A game under way, changed in place.

    `board` maps each square (x, y) to 'W', 'B', '-' (empty) or 'X' (corner); a removed square is not in it. `winner` is
    None while the game goes on, then 'W', 'B', 'tie' or, by the safety cap, 'cap'.
    """

    def __init__(self, turn_cap: int = 512) -> None:
        self.board = {(x, y): "-" for x in range(8) for y in range(8)}
        for corner in ((0, 0), (7, 0), (0, 7), (7, 7)):
            self.board[corner] = "X"
        self.phase = "placing"
        self.turns = 0
        self.turn_cap = turn_cap
        self.winner: str | None = None

    @property
    def mover(self) -> str:
        return "WB"[self.turns % 2]

    def rows(self) -> list[str]:
        return ["".join(self.board.get((x, y), " ") for x in range(8)) for y in range(8)]

    def count(self, piece: str) -> int:
        return list(self.board.values()).count(piece)

    def legal(self) -> list:
        """All legal actions, in no particular order."""
        if self.winner:
            return []
        if self.phase == "placing":
            return [(x, y) for (x, y), cell in self.board.items() if cell == "-" and y in START_ROWS[self.mover]]
        moves = []
        for (x, y), cell in self.board.items():
            if cell != self.mover:
                continue
            for dx, dy in NEIGHBOURS:
                step, jump = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
                if self.board.get(step) == "-":
                    moves.append(((x, y), step))
                elif self.board.get(step) in ("W", "B") and self.board.get(jump) == "-":
                    moves.append(((x, y), jump))
        return moves or [None]

    def play(self, action: tuple | None) -> None:
        """Take a turn with a legal action."""
        mover = self.mover
        if self.phase == "placing":
            self.board[action] = mover
            self.eliminate_around(action)
        elif action is not None:
            origin, target = action
            self.board[origin] = "-"
            self.board[target] = mover
            self.eliminate_around(target)
        self.turns += 1
        if self.phase == "placing":
            if self.turns < 24:
                return
            self.phase, self.turns = "moving", 0
        self.look_for_the_end()
        if self.turns in (128, 192) and not self.winner:
            self.shrink(1 if self.turns == 128 else 2)
            self.look_for_the_end()
        if self.turn_cap and self.turns >= self.turn_cap and not self.winner:
            self.winner = "cap"

    def is_hostile(self, square: tuple[int, int], piece: str) -> bool:
        return self.board.get(square) in (ENEMY[piece], "X")

    def eliminate_around(self, square: tuple[int, int]) -> None:
        x, y = square
        piece = self.board[square]
        for dx, dy in NEIGHBOURS:
            neighbour, far_side = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if self.board.get(neighbour) == ENEMY[piece] and self.is_hostile(far_side, ENEMY[piece]):
                self.board[neighbour] = "-"
        left_and_right = self.is_hostile((x - 1, y), piece) and self.is_hostile((x + 1, y), piece)
        above_and_below = self.is_hostile((x, y - 1), piece) and self.is_hostile((x, y + 1), piece)
        if left_and_right or above_and_below:
            self.board[square] = "-"

    def shrink(self, ring: int) -> None:
        low, high = ring, 7 - ring
        for x, y in list(self.board):
            if not (low <= x <= high and low <= y <= high):
                del self.board[x, y]
        for corner in ((low, low), (low, high), (high, high), (high, low)):
            self.board[corner] = "X"
            x, y = corner
            for dx, dy in ((-1, 0), (1, 0), (0, 1), (0, -1)):
                neighbour, far_side = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
                piece = self.board.get(neighbour)
                if piece in ENEMY and self.is_hostile(far_side, piece):
                    self.board[neighbour] = "-"

    def look_for_the_end(self) -> None:
        few = {piece: self.count(piece) < 2 for piece in "WB"}
        if few["W"] and few["B"]:
            self.winner = "tie"
        elif few["W"] or few["B"]:
            self.winner = "B" if few["W"] else "W"

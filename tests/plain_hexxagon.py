"""The rules of Hexagon once more, in dictionaries: slow, obviously right, and the judge of the fast ones.

Written from the rules alone, step by step in their words, and sharing no code with the package.
"""

from __future__ import annotations

ENEMY = {"white": "black", "black": "white"}


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    dq, dr = one[0] - other[0], one[1] - other[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


class PlainHexxagon:
    """A game under way, changed in place.

    `board` maps each cell (q, r) to 'white', 'black' or None; a hole is not in it. `winner` is None while the game goes
    on, then a side or 'draw', and `reason` says why.
    """

    def __init__(self, size: int = 5, holes: int = 3, turn_cap: int = 600) -> None:
        n = size - 1
        reach = range(-n, n + 1)
        self.board: dict[tuple[int, int], str | None] = {
            (q, r): None for r in reach for q in reach if distance((0, 0), (q, r)) <= n
        }
        if holes == 3:
            for hole in ((1, 0), (-1, 1), (0, -1)):
                del self.board[hole]
        for cell in ((n, 0), (-n, n), (0, -n)):
            self.board[cell] = "white"
        for cell in ((n, -n), (-n, 0), (0, n)):
            self.board[cell] = "black"
        self.turns = 0
        self.turn_cap = turn_cap
        self.winner: str | None = None
        self.reason: str | None = None

    @property
    def mover(self) -> str:
        return ("white", "black")[self.turns % 2]

    def count(self, side: str | None) -> int:
        return list(self.board.values()).count(side)

    def actions_of(self, side: str) -> list:
        """Where a side could grow or jump."""
        men = [cell for cell, man in self.board.items() if man == side]
        empty = [cell for cell, man in self.board.items() if man is None]
        growths = [cell for cell in empty if any(distance(cell, man) == 1 for man in men)]
        return growths + [(man, cell) for man in men for cell in empty if distance(man, cell) == 2]

    def legal(self) -> list:
        """All legal actions, in no particular order."""
        return [] if self.winner else self.actions_of(self.mover) or [None]

    def play(self, action: tuple | None) -> None:
        """Take a turn with a legal action."""
        if action is not None:
            target = action
            if isinstance(action[0], tuple):
                origin, target = action
                self.board[origin] = None
            self.board[target] = self.mover
            for cell, man in self.board.items():
                if distance(cell, target) == 1 and man == ENEMY[self.mover]:
                    self.board[cell] = self.mover
        self.turns += 1
        if self.count(None) == 0:
            self.end("board full")
        elif self.count("white") == 0 or self.count("black") == 0:
            self.end("no men left")
        elif not self.actions_of("white") and not self.actions_of("black"):
            self.end("neither can act")
        elif self.turn_cap and self.turns >= self.turn_cap:
            self.end("turn limit")

    def end(self, reason: str) -> None:
        lead = self.count("white") - self.count("black")
        self.winner = "white" if lead > 0 else "black" if lead < 0 else "draw"
        self.reason = reason

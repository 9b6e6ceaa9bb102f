"""The rules of Squares once more, in dictionaries: slow, obviously right, and the judge of the fast ones.

Written from the rules alone, step by step in their words, and sharing no code with the package.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations


@lru_cache
def all_squares(size: int) -> set:
    """For each two cells the square with the way from one to the other as a side, and another side to the right of it.

    Each has its corners sorted.
    """
    cells = {(x, y) for x in range(size) for y in range(size)}
    squares = set()
    for ax, ay in cells:
        for bx, by in cells - {(ax, ay)}:
            across, down = bx - ax, by - ay
            square = [(ax, ay), (bx, by), (bx - down, by + across), (ax - down, ay + across)]
            if cells.issuperset(square):
                squares.add(tuple(sorted(square)))
    return squares


class PlainSquares:
    """A game under way, changed in place.

    `board` maps each cell (x, y) to 'white', 'black' or None. `winner` is None while the game goes on, then a side or
    'draw', and `reason` says why.
    """

    def __init__(self, size: int = 8, counters: int = 32, announce: str = "manual") -> None:
        self.board: dict[tuple[int, int], str | None] = {(x, y): None for x in range(size) for y in range(size)}
        self.stock = {"white": counters, "black": counters}
        self.automatic = announce == "auto"
        self.mover, self.opponent = "white", "black"
        self.winner: str | None = None
        self.reason: str | None = None
        self.squares = all_squares(size)

    @staticmethod
    def price(corners: tuple) -> int:
        """The smallest non-zero number of columns between two neighbouring corners."""
        pairs = list(combinations(corners, 2))
        length = {pair: (pair[0][0] - pair[1][0]) ** 2 + (pair[0][1] - pair[1][1]) ** 2 for pair in pairs}
        side = min(length.values())
        columns = [abs(a[0] - b[0]) for a, b in pairs if length[a, b] == side]
        return min(each for each in columns if each)

    def completed(self, cell: tuple[int, int]) -> list:
        """The squares that a counter of the mover on an empty cell would complete, sorted."""
        mine = {each for each, side in self.board.items() if side == self.mover} | {cell}
        return sorted(square for square in self.squares if cell in square and mine.issuperset(square))

    def legal(self) -> list:
        """The listed actions, in no particular order."""
        if self.winner:
            return []
        actions: list = []
        for cell, side in self.board.items():
            if side is not None:
                continue
            actions.append(cell)
            squares = [] if self.automatic else self.completed(cell)
            if len(squares) <= 6:
                for number in range(1, len(squares) + 1):
                    actions += [(cell, chosen) for chosen in combinations(squares, number)]
            else:
                actions += [(cell, (square,)) for square in squares]
                actions.append((cell, tuple(squares)))
        return actions

    def play(self, action: tuple) -> None:
        """Take a turn with a legal action."""
        cell, announced = action if isinstance(action[0], tuple) else (action, ())
        if self.automatic:
            announced = self.completed(cell)
        self.board[cell] = self.mover
        self.stock[self.mover] -= 1
        self.stock[self.opponent] = max(0, self.stock[self.opponent] - sum(map(self.price, announced)))
        if self.stock[self.opponent] == 0:
            self.winner, self.reason = self.mover, "stock empty"
        elif self.stock[self.mover] == 0:
            self.winner, self.reason = self.opponent, "stock empty"
        elif None not in self.board.values():
            larger = [side for side in self.stock if self.stock[side] > min(self.stock.values())]
            self.winner, self.reason = (larger or ["draw"])[0], "board full"
        self.mover, self.opponent = self.opponent, self.mover

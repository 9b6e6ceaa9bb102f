"""The rules of Five in a Row once more, in dictionaries: slow, obviously right, and the judge of the fast ones.

Written from the rules alone, step by step in their words, and sharing no code with the package.
"""

from __future__ import annotations

AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
LINES = ((1, 0), (0, 1), (1, 1), (1, -1))


class PlainGame:
    """A game under way, changed in place.

    `men` maps each occupied square to its side, `scored` has the combinations that each side has written down. `end` is
    None while the game goes on, then who won ('white', 'black' or 'draw') and why.
    """

    def __init__(self, size: int = 8, target: int = 10, turn_cap: int = 1000) -> None:
        self.squares = [(x, y) for x in range(size) for y in range(size)]
        self.men: dict[tuple[int, int], str] = {}
        self.scored: dict[str, set] = {"white": set(), "black": set()}
        self.target = target
        self.turn_cap = turn_cap
        self.phase = "placing"
        self.turns = 0
        self.end: tuple[str, str] | None = None

    @property
    def mover(self) -> str:
        return ("white", "black")[self.turns % 2]

    def points(self, side: str) -> int:
        return len(self.scored[side])

    def legal(self) -> list:
        """All legal actions, in no particular order."""
        if self.end:
            return []
        empty = [square for square in self.squares if square not in self.men]
        if self.phase == "placing":
            return empty
        moves = []
        for (x, y), side in self.men.items():
            if side == self.mover:
                moves += [((x, y), (x + dx, y + dy)) for dx, dy in AROUND if (x + dx, y + dy) in empty]
        return moves or [None]

    def play(self, action: tuple | None) -> None:
        """Take a turn with a legal action."""
        mover = self.mover
        if self.phase == "placing":
            self.men[action] = mover
        elif action is not None:
            origin, target = action
            del self.men[origin]
            self.men[target] = mover
        self.scored[mover] |= self.combinations(mover)
        self.turns += 1
        if self.phase == "placing" and self.turns == 24:
            self.phase, self.turns = "moving", 0
        if self.points(mover) >= self.target:
            self.end = mover, "target"
        elif self.phase == "moving" and self.turn_cap and self.turns >= self.turn_cap:
            white, black = self.points("white"), self.points("black")
            self.end = "draw" if white == black else "white" if white > black else "black", "turn limit"

    def combinations(self, side: str) -> set:
        """Those that a side has on the board."""
        found = set()
        for x, y in self.squares:
            for dx, dy in LINES:
                five = [(x + step * dx, y + step * dy) for step in range(5)]
                if all(self.men.get(square) == side for square in five):
                    found.add(frozenset(five))
        return found

"""The rules of Two Tigers once more, in dictionaries: slow, obviously right, and the judge of the fast ones.

Written from the rules alone, step by step in their words, and sharing no code with the package.
"""

from __future__ import annotations

from itertools import pairwise

LINES = [
    *([(x, y) for x in range(5)] for y in range(5)),
    *([(x, y) for y in range(5)] for x in range(5)),
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)],
    [(4, 0), (3, 1), (2, 2), (1, 3), (0, 4)],
    [(2, 0), (1, 1), (0, 2)],
    [(2, 0), (3, 1), (4, 2)],
    [(0, 2), (1, 3), (2, 4)],
    [(4, 2), (3, 3), (2, 4)],
]
"""The 5 + 5 + 6 lines, each as its points in order."""

BOTH_WAYS = [*LINES, *(line[::-1] for line in LINES)]
STEPS = {pair for line in BOTH_WAYS for pair in pairwise(line)}
JUMPS = {three for line in BOTH_WAYS for three in zip(line, line[1:], line[2:], strict=False)}


class PlainGame:
    """A game under way, changed in place.

    `dogs` maps each point that has dogs to their number, `tigers` is a set of points. `end` is None while the game goes
    on, then who won ('tigers', 'dogs' or 'draw') and why.
    """

    def __init__(self, repetition: int = 3, turn_cap: int = 1000) -> None:
        self.tigers = {(2, 1), (2, 3)}
        self.dogs = dict.fromkeys([(1, 1), (3, 1), (1, 3), (3, 3)], 4)
        self.turns = 0
        self.quiet = 0
        self.repetition = repetition
        self.turn_cap = turn_cap
        self.positions = [self.position()]
        self.end: tuple[str, str] | None = None

    @property
    def mover(self) -> str:
        return ("tigers", "dogs")[self.turns % 2]

    @property
    def taken(self) -> int:
        return 16 - sum(self.dogs.values())

    def position(self) -> tuple:
        return self.mover, sorted(self.tigers), sorted(self.dogs.items())

    def is_empty(self, point: tuple[int, int]) -> bool:
        return point not in self.tigers and point not in self.dogs

    def jumps(self) -> dict:
        """The point that each jump of a tiger goes over, by the jump."""
        return {
            (start, end): middle
            for start, middle, end in JUMPS
            if start in self.tigers and middle in self.dogs and self.is_empty(end)
        }

    def legal(self) -> list:
        """All legal actions, in no particular order."""
        if self.end:
            return []
        movers = self.tigers if self.mover == "tigers" else self.dogs
        steps = [(start, end) for start, end in STEPS if start in movers and self.is_empty(end)]
        if self.mover == "tigers":
            return [*steps, *self.jumps()]
        return steps or [None]

    def play(self, action: tuple | None) -> None:
        """Take a turn with a legal action."""
        jumps = self.jumps()
        self.quiet += 1
        if action is not None:
            start, end = action
            if self.mover == "tigers":
                if action in jumps:
                    self.remove_dog(jumps[action])
                    self.quiet = 0
                self.tigers.remove(start)
                self.tigers.add(end)
            else:
                self.remove_dog(start)
                self.dogs[end] = 1
        self.turns += 1
        self.positions.append(self.position())
        self.look_for_the_end()

    def remove_dog(self, point: tuple[int, int]) -> None:
        self.dogs[point] -= 1
        if self.dogs[point] == 0:
            del self.dogs[point]

    def look_for_the_end(self) -> None:
        if self.taken == 6:
            self.end = "tigers", "six dogs taken"
        elif self.mover == "tigers" and not self.legal():
            self.end = "dogs", "tigers trapped"
        elif self.quiet == 100:
            self.end = "draw", "no capture"
        elif self.repetition and self.positions.count(self.position()) >= self.repetition:
            self.end = "draw", "repetition"
        elif self.turn_cap and self.turns >= self.turn_cap:
            self.end = "draw", "turn limit"

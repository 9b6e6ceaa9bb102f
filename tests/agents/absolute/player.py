"""Imports its sibling absolutely, as most students' players do."""

from board import SIZE, squares


class Player:
    def __init__(self, colour):
        self.colour = colour
        self.size = SIZE
        self.free = squares()

    def action(self, turns):
        return self.free[turns]

    def update(self, action):
        self.free.remove(action)


if __name__ == "__main__":
    raise SystemExit("the referee ran what is for the command line only")

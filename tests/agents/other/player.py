"""Another student's player, whose sibling has the same name."""

from board import NAME


class Player:
    def __init__(self, colour):
        self.size = NAME

    def action(self, turns):
        return None

    def update(self, action):
        pass

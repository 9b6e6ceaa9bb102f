"""Calls its own board module `watch_your_back`."""

from watch_your_back import SIZE


class Player:
    def __init__(self, colour):
        self.size = SIZE

    def action(self, turns):
        return None

    def update(self, action):
        pass

from .board import SIZE


class Player:
    def __init__(self, colour):
        self.size = SIZE

    def action(self, turns):
        return None

    def update(self, action):
        pass

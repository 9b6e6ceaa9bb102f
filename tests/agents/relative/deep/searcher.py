"""Goes up to the package above, although its own folder has no `__init__.py`."""

from .. import STARTED
from ..board import SIZE
from .depth import DEPTH


class Player:
    def __init__(self, colour):
        self.size = (SIZE, DEPTH, STARTED)

    def action(self, turns):
        return None

    def update(self, action):
        pass

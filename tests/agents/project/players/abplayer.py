"""Named as `players.abplayer` from the project's folder: every way to import works."""

from beside import BESIDE
from players.tools.deeper import DEEPER
from settings import SETTING

from .beside import BESIDE as RELATIVE
from .tools import TOOL


class Player:
    def __init__(self, colour):
        self.size = (BESIDE, SETTING, RELATIVE, TOOL, DEEPER)

    def action(self, turns):
        return None

    def update(self, action):
        pass

"""A file whose name is no identifier, in a folder with a space."""

from dataclasses import dataclass

from numpy import *  # noqa: F403


@dataclass
class Player:
    colour: str

    def action(self, turns):
        return tuple(int(each) for each in zeros(2))  # noqa: F405

    def update(self, action):
        pass

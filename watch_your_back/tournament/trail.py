"""Telling matches apart that went differently, so that identical ones are not taken for more evidence."""

from __future__ import annotations

import hashlib
from typing import Any

from watch_your_back.game import Action, Game, State

__all__ = ["Trail"]


class Trail:
    """The way that one match takes.

    Two matches have the same digest if they went through the same positions or through those of a mirror image, where
    the game declares its `symmetries`; otherwise if they consist of the same actions. Positions are compared after each
    turn and not only actions, because rules need not be symmetric all the way: the mirror image of a match counts as
    the same only as long as it is one.
    """

    def __init__(self, game: Game) -> None:
        self._symmetries = game.symmetries()
        self._steps: list[Any] = []

    def add(self, action: Action, state: State) -> None:
        """Go on with an action that led to this state."""
        self._steps.append(state.key() if self._symmetries else action)

    def digest(self) -> str:
        """24 hexadecimal digits, the same ones for the same way."""
        images = [self._steps, *(list(map(image, self._steps)) for image in self._symmetries)]
        return min(hashlib.blake2b(repr(steps).encode(), digest_size=12).hexdigest() for steps in images)

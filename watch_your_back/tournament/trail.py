"""Telling matches apart that went differently, so that identical ones are not taken for more evidence."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable

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
        self._images: list[Callable[[Hashable], Hashable]] = [_itself, *game.symmetries()]
        self._digests = [hashlib.blake2b(digest_size=12) for _ in self._images]

    def add(self, action: Action, state: State) -> None:
        """Go on with an action that led to this state."""
        if len(self._images) == 1:
            self._digests[0].update(f"{action!r};".encode())
            return
        key = state.key()
        for image, digest in zip(self._images, self._digests, strict=True):
            digest.update(f"{image(key)!r};".encode())

    def digest(self) -> str:
        """24 hexadecimal digits, the same ones for the same way."""
        return min(digest.hexdigest() for digest in self._digests)


def _itself(key: Hashable) -> Hashable:
    return key

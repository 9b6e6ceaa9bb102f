"""A package whose players import relatively."""

from .player import Player

STARTED = True

__all__ = ["STARTED", "Player"]

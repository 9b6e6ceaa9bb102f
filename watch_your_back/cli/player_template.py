"""A player that takes any legal action. `wyb new` wrote it for you to make it better."""

import random

from watch_your_back.game import Game


class Player:
    """Keeps the state of the match up to date and chooses among the legal actions."""

    def __init__(self, colour, game="watch_your_back", options=None):
        """The match is about to begin, and you are the side called `colour`.

        The referee also passes `game` and `options`, because they are named here, so that this player can play every
        game. You may name `seed` and `limits` as well.
        """
        self.colour = colour
        self.state = Game.load(game, **(options or {})).initial()

    def action(self, turns):
        """It is your turn: return your action. `turns` counts the turns of both sides in this phase.

        In Watch Your Back! an action is `(x, y)` while pieces are placed, `((x1, y1), (x2, y2))` when they move, and
        None when you cannot move; `(0, 0)` is the top left.
        """
        choices = list(self.state.legal_actions())
        action = max(choices, key=self.value)
        self.state = self.state.play(action)
        return action

    def update(self, action):
        """The opponent has taken this action."""
        self.state = self.state.play(action)

    def value(self, action):
        """How good you think an action is. This is the place to start: look at the state that it leads to.

        `self.state.play(action)` is that state. Its `picture().pieces` lists all pieces with their `cell` and `side`,
        `outcome` says whether the match is over, and `legal_actions()` what the opponent could do then.
        """
        return random.random()

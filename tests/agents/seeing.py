"""Sees what it may, in a game with hidden information, and checks that it is told nothing else."""

from random import Random

from watch_your_back.game import Game


class Player:
    """Draws a turn from a state that agrees with what it has been shown."""

    def __init__(self, colour, game="weaponized_chess", options=None, seed=0):
        """`colour` is one of the game's sides."""
        self.game = Game.load(game, **(options or {}))
        self.colour = colour
        self.random = Random(seed)
        self.state = None

    def see(self, view):
        """All that this side may know."""
        assert view["side"] == self.colour
        self.state = self.game.imagine(view, self.random)

    def action(self, turns):
        """Any turn that is legal in what it imagines."""
        return self.state.sample(self.random)

    def update(self, action):
        """The opponent's turn, as far as it was seen: no action of a piece that is not."""
        assert type(action) is tuple
        if self.colour == "white":
            assert all(
                step == ("MV", "?") or not str(step[1]).startswith("B-AAA") or step[0] == "FI" for step in action
            )

"""A first Player for Watch Your Back!: copy this file and make `choose` cleverer.

python referee.py examples/first_player.py random
"""

import random

from watch_your_back.game import Game


class Player:
    def __init__(self, colour):  # 'white' or 'black'
        self.colour = colour
        self.state = Game.load("watch_your_back").initial()  # the empty board

    def action(self, turns):  # your turn, after so many turns of this phase: return your action
        actions = list(self.state.legal_actions())  # squares (x, y), later moves ((x, y), (x, y)), or only None
        action = self.choose(actions)
        self.state = self.state.play(action)  # a new state: the old one does not change
        return action

    def update(self, action):  # the opponent took this action: None if it could not move
        self.state = self.state.play(action)

    def choose(self, actions):
        return random.choice(actions)  # self.state.play(each) would show what each action leads to

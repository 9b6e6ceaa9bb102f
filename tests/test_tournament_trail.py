"""Which matches count as the same, and which games declare symmetries."""

from random import Random

import pytest

from watch_your_back.game import Game
from watch_your_back.games.watch_your_back.bitboards import BIT, mirror
from watch_your_back.tournament.trail import Trail

GAME = Game.load("watch_your_back")


class Asymmetric(type(GAME)):
    """The game without its mirror."""

    def symmetries(self):
        return ()


def played(seed, plies=60):
    """Random legal actions."""
    rng, state, actions = Random(seed), GAME.initial(), []
    while state.outcome is None and state.ply < plies:
        actions.append(state.sample(rng))
        state = state.play(actions[-1])
    return actions


def mirrored(action):
    """The action with left and right exchanged."""
    if type(action[0]) is tuple:
        return tuple(map(mirrored, action))
    return 7 - action[0], action[1]


def digest(actions, game=GAME):
    """Of the match that consists of these actions."""
    state, trail = GAME.initial(), Trail(game)
    for action in actions:
        state = state.play(state.check(action))
        trail.add(action, state)
    return trail.digest()


def test_the_mirror_exchanges_left_and_right():
    """Every square goes to the one opposite in its row, and back."""
    for (x, y), bit in BIT.items():
        assert mirror(bit) == BIT[7 - x, y]
    board = Random(1).getrandbits(64)
    assert mirror(mirror(board)) == board


@pytest.mark.parametrize("seed", range(5))
def test_a_match_and_its_mirror_image_count_once(seed):
    """They are the same evidence."""
    actions = played(seed)
    assert digest(actions) == digest(map(mirrored, actions))
    assert digest(actions) == digest(actions)


def test_matches_that_part_late_are_different():
    """One other action in the end is enough."""
    actions = played(1)
    last = played(2, len(actions) - 1)
    assert digest(actions) != digest(actions[:-1])
    assert digest(last) != digest(actions)


def test_without_symmetries_the_actions_decide():
    """A game that declares none has each of its mirror images counted."""
    game = Asymmetric()
    actions = played(3)
    assert digest(actions, game) == digest(actions, game)
    assert digest(actions, game) != digest(map(mirrored, actions), game)


ROWS = ["X----X", "--O@--", "------", "--O-@-", "--O---", "X----X"]
"""What a board that has shrunk once holds before it shrinks again."""


def diagram(rows):
    """The state with these rows, Black to take the last action before the board shrinks."""
    removed = " " * 15
    lines = [removed, *(f"  {' '.join(row)}  " for row in rows), removed]
    return GAME.parse("\n".join([*lines, "191 turns into the moving phase"]))


def test_where_the_rules_are_not_symmetric_images_of_a_match_stop_being_the_same():
    """The corners of a shrinking board eliminate in an order, so here a mirror image saves the other piece."""
    before, image = diagram(ROWS), diagram([row[::-1] for row in ROWS])
    action = ((5, 4), (4, 4))
    one, other = Trail(GAME), Trail(GAME)
    one.add(action, before.play(action))
    other.add(mirrored(action), image.play(mirrored(action)))
    assert before.play(action).count_pieces(0) == image.play(mirrored(action)).count_pieces(0) - 1
    assert one.digest() != other.digest()

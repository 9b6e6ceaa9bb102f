"""What an explanation says of a match is true where it can be known, and its mistakes are mistakes."""

from random import Random

import pytest

from watch_your_back.game import Game
from watch_your_back.search.alpha_beta import AlphaBeta
from watch_your_back.search.explaining import BLUNDER, MISTAKE, explain


def random_match(game, seed):
    """The states and actions of a match at random."""
    rng = Random(seed)
    states, actions = [game.initial()], []
    while states[-1].outcome is None:
        actions.append(states[-1].sample(rng))
        states.append(states[-1].play(actions[-1]))
    return states, actions


def solved(state, known):
    """What the first side can expect with best play: 1, 0 or -1."""
    if state.outcome is not None:
        return 0 if state.outcome.winner is None else 1 - 2 * state.outcome.winner
    key = state.key()
    if key not in known:
        values = [solved(state.play(action), known) for action in state.legal_actions()]
        known[key] = min(values) if state.to_move else max(values)
    return known[key]


@pytest.mark.parametrize(("width", "extra"), [(1, True), (2, True), (2, False)])
def test_a_small_game_is_explained_perfectly(width, extra):
    """Every value is that of perfect play, and an action that gives away the result is told, with one that keeps it."""
    game = Game.load("dots_and_boxes", width=width, height=2, extra_turn=extra)
    known = {}
    for seed in range(3):
        states, actions = random_match(game, seed)
        found = explain(states, actions)
        assert list(found.values) == [solved(state, known) for state in states]
        for turn, state, action in zip(found.turns, states[:-1], actions, strict=True):
            sign = 1 - 2 * turn.side
            assert (turn.ply, turn.side, turn.action) == (state.ply, state.to_move, action)
            assert turn.before == sign * solved(state, known)
            assert turn.after == sign * solved(state.play(action), known)
            assert sign * solved(state.play(turn.best), known) == turn.before
            assert turn.line[0] == turn.best
            assert turn.grade == ("blunder" if turn.after < turn.before else "")


def test_turning_points_are_where_the_result_changed():
    """A match turns where a side that was not behind threw that away, and nowhere else."""
    game = Game.load("dots_and_boxes", width=2, height=2)
    states, actions = random_match(game, 1)
    found = explain(states, actions)
    changed = [number for number, turn in enumerate(found.turns) if turn.after < turn.before]
    assert changed
    assert list(found.turning) == changed[:5]


def test_the_better_player_makes_fewer_mistakes():
    """Against a search that looks two turns ahead, a random player loses much more in a turn."""
    game = Game.load("watch_your_back")
    rng, search = Random(3), AlphaBeta(rng=Random(3))
    states, actions = [game.initial()], []
    while states[-1].outcome is None and len(actions) < 60:
        state = states[-1]
        actions.append(state.sample(rng) if state.to_move else search.search(state, depth=2).action)
        states.append(state.play(actions[-1]))
    found = explain(states, actions, depth=2)
    assert found.cost(1) > 2 * found.cost(0)


def test_a_resignation_that_was_not_needed_is_a_blunder():
    """Who resigns loses what it could still expect."""
    state = Game.load("watch_your_back").initial()
    found = explain([state, state], ["resign"], depth=1)
    turn = found.turns[0]
    assert (turn.grade, turn.after) == ("blunder", -1.0)
    assert turn.best != "resign"
    assert found.values[-1] == -1.0
    assert found.turning == (0,)


def test_a_turn_without_a_choice_is_no_mistake():
    """Where there is only one action, nothing is searched and nothing is wrong."""
    game = Game.load("dots_and_boxes", width=1, height=1)
    states, actions = random_match(game, 0)
    last = explain(states, actions).turns[-1]
    assert (last.depth, last.grade, last.best) == (0, "", actions[-1])


def test_nothing_is_said_against_a_turn_without_time_to_search():
    """An action that the search did not come to is not taken for a lost one."""
    states, actions = random_match(Game.load("go", size=9), 1)
    found = explain(states[:9], actions[:8], seconds=1e-9)
    assert all(turn.hasty and not turn.grade for turn in found.turns)
    assert found.turning == ()


def test_the_same_depth_gives_the_same_explanation():
    """Without a clock it can be repeated."""
    states, actions = random_match(Game.load("hexxagon"), 2)
    states, actions = states[:13], actions[:12]
    assert explain(states, actions, depth=2) == explain(states, actions, depth=2)


@pytest.mark.parametrize("game", sorted(set(Game.ids()) - {"weaponized_chess"}))
def test_any_game_can_be_explained(game):
    """In every game values lie between a loss and a win, and what is called better is legal."""
    states, actions = random_match(Game.load(game, turn_cap=30), 4)
    states, actions = states[:9], actions[:8]
    done = []
    found = explain(states, actions, depth=1, progress=done.append)
    assert done == list(range(1, 9))
    assert len(found.values) == 9
    for turn, state in zip(found.turns, states, strict=False):
        assert -1 <= turn.after <= turn.before <= 1
        assert state.check(turn.best) == turn.best
        assert bool(turn.grade) == (turn.loss >= MISTAKE)
        assert (turn.grade == "blunder") == (turn.loss >= BLUNDER)


def test_exact_values_are_those_of_searches_of_their_own():
    """An action that alpha-beta would only reject has the value that a search without a window gives it."""
    states, _ = random_match(Game.load("watch_your_back"), 5)
    state = states[30]
    legal = list(state.legal_actions())
    whole = {each.action: each.value for each in AlphaBeta().search(state, depth=2, every=True).choices}
    for action in legal[:5]:
        found = AlphaBeta().search(state, depth=2, exact=(action,))
        values = {each.action: each.value for each in found.choices}
        assert values[action] == whole[action]
        assert found.value == max(whole.values())

"""Go in lock-step with OpenSpiel's `go`, an implementation by others.

OpenSpiel allows no suicide, forbids by itself only the basic ko, and ends a game as a draw once a board has come back;
it scores by area, and takes no handicap stones but those of a board of size 19.
"""

from random import Random

import pytest

from watch_your_back.games.go import Go, score

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install .[test-openspiel]")


def go(**options):
    return Go(Go.Options(turn_cap=0, **options))


def theirs(size, komi=7.5, handicap=0):
    """OpenSpiel's game at its start; its own cap on turns is as far off as may be."""
    options = {"board_size": size, "komi": komi, "handicap": handicap, "max_game_length": 100_000}
    return pyspiel.load_game("go", options).new_initial_state()


def number(size, action):
    """OpenSpiel's name for an action: points are counted from the bottom left, row by row."""
    return size * size if action is None else (size - 1 - action[1]) * size + action[0]


def rows(state):
    """The board as OpenSpiel prints it."""
    stones = {piece.cell: "XO"[piece.side] for piece in state.picture().pieces}
    size = state.game.options.size
    return ["".join(stones.get((x, y), "+") for x in range(size)) for y in range(size)]


def printed(other):
    return [line.split()[1] for line in str(other).splitlines() if line[:2].strip().isdigit()]


def compare(state, other):
    """Both have the same board, side to move and legal actions."""
    assert rows(state) == printed(other)
    assert other.is_terminal() or state.to_move == other.current_player()
    assert sorted(number(state.game.options.size, action) for action in state.legal_actions()) == other.legal_actions()


def chosen(state, rng, passes):
    """A random action: the pass only where there is no other, or with the probability `passes`."""
    *points, _ = state.legal_actions()
    return rng.choice(points) if points and rng.random() >= passes else None


@pytest.mark.parametrize(("size", "games"), [(5, 8), (7, 4), (9, 2), (19, 1)])
def test_the_basic_ko_rule(size, games):
    """The same boards and legal actions on the way, the same captures, and no board comes back unnoticed."""
    rng = Random(size)
    for _ in range(games):
        state, other = go(size=size, superko="simple").initial(), theirs(size)
        boards = {tuple(rows(state))}
        while not other.is_terminal():
            compare(state, other)
            action = chosen(state, rng, passes=0.02)
            state = state.play(action)
            other.apply_action(number(size, action))
            if action is not None and tuple(rows(state)) in boards:
                assert other.is_terminal()
            boards.add(tuple(rows(state)))
        assert rows(state) == printed(other)
        assert (state.outcome is not None) == (other.returns() != [0, 0])


@pytest.mark.parametrize(("size", "games"), [(5, 8), (7, 1), (9, 1)])
def test_positional_superko(size, games):
    """Illegal are the plays after which OpenSpiel finds a board that has been there before, and no others."""
    rng, again = Random(size), 0
    for _ in range(games):
        state, other = go(size=size).initial(), theirs(size)
        while not other.is_terminal():
            legal = {number(size, action) for action in state.legal_actions()}
            ends = {each for each in other.legal_actions()[:-1] if other.child(each).is_terminal()}
            assert legal == {*other.legal_actions()} - ends
            again += len(ends)
            action = chosen(state, rng, passes=0.02)
            state = state.play(action)
            other.apply_action(number(size, action))
        assert state.outcome.reason == "two passes"
    assert again or size > 5


@pytest.mark.parametrize(("size", "handicap"), [(5, 0), (9, 0), (13, 0), (19, 4)])
def test_the_final_score(size, handicap):
    """Black wins in OpenSpiel with half a point less komi than the score says, White with half a point more."""
    rng = Random(size)
    for _ in range(6 if size < 13 else 2):
        state, actions = go(size=size, handicap=handicap, komi=0).initial(), []
        while state.outcome is None:
            actions.append(chosen(state, rng, passes=0.05))
            state = state.play(actions[-1])
        black, white = score(state)
        for komi, returns in ((-0.5, [1, -1]), (0, [0, 0]), (0.5, [-1, 1])):
            other = theirs(size, black - white + komi, handicap)
            for action in actions:
                other.apply_action(number(size, action))
            assert other.is_terminal()
            assert other.returns() == returns


@pytest.mark.parametrize("handicap", range(2, 10))
def test_handicap_stones(handicap):
    """They stand on the same points, and White is to move."""
    compare(go(size=19, handicap=handicap).initial(), theirs(19, handicap=handicap))

"""The rules of Go: recorded games and facts, perft, the plain rule book as judge, and what must always hold."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from cases import for_each
from hypothesis import given
from hypothesis import strategies as st
from plain_go import PlainGo
from vectors import read_vectors, recorded

from watch_your_back.game import Game, IllegalAction, Outcome, perft
from watch_your_back.games.go import Go, score
from watch_your_back.games.go.stones import Stones
from watch_your_back.testing import check_game

RULES = ("chinese", "japanese", "tromp-taylor")
SUPERKO = ("positional", "situational", "simple")


def action_of(value):
    """An action as it is written in JSON, with tuples for the arrays."""
    return tuple(action_of(item) for item in value) if isinstance(value, list) else value


def is_square(value):
    return type(value) is list and list(map(type, value)) == [int, int]


def go(**options):
    return Go(Go.Options(**options))


def state_after(game, actions):
    state = game.initial()
    for action in actions:
        state = state.play(state.check(action_of(action)))
    return state


def winner(state):
    """The winner as the vectors name it."""
    if state.outcome is None:
        return None
    return "draw" if state.outcome.winner is None else state.game.sides[state.outcome.winner]


def facts(kind):
    """A test of each fact of this kind that the vectors tell."""
    return for_each(lambda: [fact for fact in read_vectors("go")["facts"] if fact["kind"] == kind])


@recorded("go", "perft")
def test_perft(entry):
    """The number of sequences of legal actions is the one that the reference counted."""
    state = state_after(go(**entry["options"]), entry.get("prefix", ()))
    assert perft(state, entry["depth"]) == entry["leaves"]


@recorded("go", "games")
def test_recorded_games(record):
    """Before each action the turn, the side to move and the number of legal actions agree; then winner and score do."""
    game = go(**record["options"])
    state = game.initial()
    columns = (record[name] for name in ("actions", "turns_passed_to_action", "to_move", "legal_counts"))
    for action, turns, side, count in zip(*columns, strict=True):
        assert (state.turns, game.sides[state.to_move]) == (turns, side)
        assert state.count_actions() == len(state.legal_actions()) == count
        state = state.play(state.check(action_of(action)))
    assert (winner(state), state.outcome and state.outcome.reason) == (record["winner"], record["reason"])
    assert list(score(state)) == record["score"]


@recorded("go", "illegal")
def test_recorded_refusals(entry):
    """What the reference refused is refused, and what has the wrong form is told so."""
    state = state_after(go(**entry["options"]), entry["prefix"])
    with pytest.raises(IllegalAction) as refused:
        state.check(action_of(entry["action"]))
    assert (refused.value.kind == "form") == (not is_square(entry["action"]))


@facts("legality")
def test_legality_under_every_rule(fact):
    """The action is legal under exactly those rules under which it should be."""
    for expected in fact["expect"]:
        game = go(size=fact["size"], rules=expected["rules"], superko=expected["superko"])
        state = game.initial()
        for action in fact["actions"]:
            state = state.play(action_of(action))
        assert (action_of(fact["action"]) in state.legal_actions()) == expected["legal"], expected


@facts("board")
def test_boards(fact):
    """The stones are where they should be, and each side has taken as many as it should have."""
    for rules in fact["rules"]:
        state = state_after(go(size=fact["size"], rules=rules), fact["actions"])
        stones = [[piece.cell for piece in state.picture().pieces if piece.side == side] for side in (0, 1)]
        assert [sorted(cells) for cells in stones] == [
            sorted(map(action_of, fact[side])) for side in ("black", "white")
        ]
        assert state.stones.lost == (fact["prisoners_taken_by"]["white"], fact["prisoners_taken_by"]["black"])


@facts("score")
def test_scores(fact):
    """The points of both sides are right, and so is the winner."""
    for expected in fact["expect"]:
        options = {name: fact[name] for name in ("size", "komi", "handicap") if name in fact}
        state = state_after(go(rules=expected["rules"], **options), fact["actions"])
        assert list(score(state)) == expected["score"]
        assert winner(state) == expected["winner"]


@facts("handicap")
def test_handicap(fact):
    """The stones stand on the usual points, White is to move, and no turn has been taken."""
    state = go(size=fact["size"], handicap=fact["handicap"]).initial()
    assert sorted(piece.cell for piece in state.picture().pieces) == sorted(map(action_of, fact["black"]))
    assert {piece.side for piece in state.picture().pieces} == {0}
    assert (state.game.sides[state.to_move], state.turns, state.ply) == (fact["to_move"], 0, 0)


@facts("resign")
def test_resigning(fact):
    """Either side may always resign while the game goes on; it is not listed."""
    *actions, last = fact["actions"]
    state = state_after(go(**fact["options"]), actions)
    assert state.check(last) == "resign"
    assert last not in state.legal_actions()


def agree(state, plain):
    """Whether the rules and the plain rule book have the same board, actions, prisoners, score and end."""
    stones = {piece.cell: state.game.sides[piece.side] for piece in state.picture().pieces}
    legal = plain.legal()
    return (
        stones == plain.stones
        and state.legal_actions() == legal
        and state.count_actions() == len(legal)
        and (state.game.sides[state.to_move], state.turns) == (plain.to_move, plain.turns)
        and state.stones.lost == (plain.lost["black"], plain.lost["white"])
        and score(state) == plain.score()
        and (state.outcome and state.outcome.reason) == plain.over
        and (state.outcome is None or winner(state) == (plain.winner() or "draw"))
    )


def follow(options, seed, turns):
    """Play at random, with few passes, in the rules and in the plain rule book, and compare each state."""
    rng = Random(seed)
    state, plain = go(**options).initial(), PlainGo(**options)
    while state.outcome is None and state.turns < turns:
        assert agree(state, plain), state.text()
        *points, _ = state.legal_actions()
        action = rng.choice(points) if points and rng.random() < 0.98 else None
        state = state.play(action)
        plain.play(action)
    assert agree(state, plain), state.text()


@pytest.mark.parametrize("options", [*product(RULES, SUPERKO)], ids=" ".join)
def test_random_games_agree_with_the_plain_rule_book(options):
    """On small boards, where stones are taken and boards come back all the time, and to the end of the game."""
    rules, superko = options
    for size, turns in ((5, 75), (6, 80)):
        follow({"size": size, "rules": rules, "superko": superko, "komi": size / 2}, size, turns)


@pytest.mark.parametrize("size", [7, 8, 9])
def test_larger_boards_agree_with_the_plain_rule_book(size):
    """Rules of every kind on the boards on which people begin."""
    follow({"size": size, "rules": RULES[size % 3], "superko": SUPERKO[size % 3]}, size, 90)


@pytest.mark.parametrize(("size", "handicap"), [(9, stones) for stones in range(2, 10)] + [(13, 6), (13, 9), (19, 7)])
def test_handicap_games_agree_with_the_plain_rule_book(size, handicap):
    """With handicap stones, under rules that change with their number."""
    rules, superko = RULES[handicap % 3], SUPERKO[handicap // 3 % 3]
    follow(
        {"size": size, "handicap": handicap, "rules": rules, "superko": superko, "komi": 0.5},
        handicap,
        8 if size < 19 else 2,
    )


@given(
    seed=st.integers(0, 2**32),
    size=st.integers(5, 9),
    rules=st.sampled_from(RULES),
    superko=st.sampled_from(SUPERKO),
    turns=st.integers(0, 120),
)
def test_chains_and_liberties_are_those_of_the_board(seed, size, rules, superko, turns):
    """What a state carries along from play to play is what one would find by looking at its board."""
    rng, state = Random(seed), go(size=size, rules=rules, superko=superko).initial()
    while state.outcome is None and state.turns < turns:
        state = state.play(state.sample(rng))
    stones, plain = state.stones, PlainGo(size=size)
    plain.stones = {piece.cell: piece.side for piece in state.picture().pieces}
    shape = stones.geometry
    for number, point in enumerate(shape.points):
        chain = stones.chain_of[number]
        if point not in plain.stones:
            assert chain == shape.count
            continue
        group, border = plain.group(plain.stones, point)
        assert (chain < 0) == plain.stones[point]
        assert {shape.points[each] for each in stones.members[chain]} == group
        assert len(stones.members[chain]) == len(group)
        free = {near for near in border if near not in plain.stones}
        assert {shape.points[each] for each in shape.numbers(stones.liberties[chain])} == free
        assert free


@given(seed=st.integers(0, 2**32), size=st.integers(5, 9), superko=st.sampled_from(SUPERKO[:2]))
def test_no_board_comes_back_under_superko(seed, size, superko):
    """Of all boards that plays have led to, with the side to move if that counts, each is met once."""
    rng, state = Random(seed), go(size=size, superko=superko, rules="tromp-taylor").initial()
    met = [state.key()]
    while state.outcome is None:
        action = state.sample(rng)
        state = state.play(action)
        if action is not None:
            met.append(state.key())
    boards = [key if superko == "situational" else key[:2] for key in met]
    assert len({*boards}) == len(boards)


@pytest.mark.parametrize("superko", SUPERKO)
def test_samples_are_uniform(superko):
    """Each legal action, the pass too, is drawn as often as any other: a chi-square test with a fixed seed."""
    rng = Random(5)
    state = go(size=5, superko=superko, rules="tromp-taylor").initial()
    while state.turns < 60 and len(state.legal_actions()) != 7:
        *points, _ = state.legal_actions()
        state = state.play(rng.choice(points or [None]))
    legal = state.legal_actions()
    assert len(legal) == 7
    drawn = Counter(state.sample(rng) for _ in range(7000))
    assert {*drawn} == {*legal}
    assert sum((drawn[action] - 1000) ** 2 / 1000 for action in legal) < 22.5  # 0.1 % of all seeds are above, with 6


def test_two_passes_at_the_turn_cap():
    """They are what ends the game, though the cap would have."""
    state = state_after(go(size=5, turn_cap=2, komi=0), [None, None])
    assert state.outcome == Outcome(None, "two passes")


@pytest.mark.parametrize(("turn_cap", "last"), [(-1, 75), (4, 4), (0, None)])
def test_the_turn_cap(turn_cap, last):
    """By default three times as many turns as points, or the number that is set; 0 switches it off."""
    rng, state = Random(3), go(size=5, turn_cap=turn_cap, rules="tromp-taylor").initial()
    while state.outcome is None and state.turns < 200:
        *points, _ = state.legal_actions()
        state = state.play(rng.choice(points or [None]))
    if last is None:
        assert state.outcome is None or state.outcome.reason == "two passes"
    else:
        assert (state.turns, state.outcome.reason) == (last, "turn limit")


@pytest.mark.parametrize(
    "options",
    [
        {"size": 5},
        {"size": 6, "rules": "tromp-taylor", "superko": "situational"},
        {"size": 9, "superko": "simple", "rules": "japanese", "handicap": 3},
        {"size": 5, "superko": "simple", "rules": "tromp-taylor", "komi": 0},
        {"size": 13, "handicap": 9, "turn_cap": 30},
        {"size": 19, "turn_cap": 12},
    ],
    ids=str,
)
def test_the_game_keeps_its_promises(options):
    """The conformance tests pass under options of every kind."""
    check_game(Game.load("go", **options), seed=4, matches=2)


def test_playing_leaves_the_stones_of_the_old_state():
    """A state that has been played on can be played on again."""
    state = state_after(go(size=5), [(1, 0), (0, 0)])
    before = state.stones
    kept = Stones(*(part.copy() if isinstance(part, list) else part for part in before))
    assert state.play((0, 1)).stones.lost == (0, 1)
    assert before == kept

"""A state of Go beside its rules: options, refusals, text, equality, symmetries and the picture."""

import copy
import pickle
from random import Random

import pytest

from watch_your_back.game import Game, IllegalAction, OptionError
from watch_your_back.games.go import Go, score

DIAGRAM = """\
  0 1 2 3 4
0 . @ O . .
1 @ . @ O .
2 . @ O . .
3 . . . . .
4 . . . . @
turns: 9, white to play
prisoners: black has taken 1, white 0
"""
"""After the first capture of a ko, without the last line."""

KO = [(1, 0), (2, 0), (0, 1), (3, 1), (1, 2), (2, 2), (4, 4), (1, 1), (2, 1)]


def go(**options):
    return Go(Go.Options(**options))


def after(game, actions):
    state = game.initial()
    for action in actions:
        state = state.play(state.check(action))
    return state


def seen(state):
    """The lines of a text without the last one."""
    return state.text().rpartition("\n")[0]


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"komi": 6.25}, "option komi is a multiple of 0.5, not 6.25"),
        ({"komi": 400}, "option komi is at most 361, not 400.0"),
        ({"komi": float("nan")}, "option komi is a finite number, not nan"),
        ({"size": 4}, "option size is at least 5, not 4"),
        ({"size": 20}, "option size is at most 19, not 20"),
        ({"handicap": 10}, "option handicap is at most 9, not 10"),
        ({"turn_cap": -2}, "option turn_cap is at least -1, not -2"),
        (
            {"size": 11, "handicap": 2},
            "option handicap is 0 on a board of size 11: only 9, 13 and 19 have points for it",
        ),
        (
            {"handicap": 1},
            "option handicap is 0 or from 2 to 9, not 1 (for what is called one stone, set komi=0.5)",
        ),
        ({"rules": "aga"}, "option rules is one of chinese, japanese, tromp-taylor, not 'aga'"),
        ({"superko": "yes"}, "option superko is one of positional, situational, simple, not 'yes'"),
    ],
)
def test_options_out_of_range_are_one_line(options, line):
    """Each says what is allowed."""
    with pytest.raises(OptionError) as refused:
        Game.load("go", **options)
    assert str(refused.value) == line


@pytest.mark.parametrize("komi", [0, 6, 6.5, -3.5, 361])
def test_komi_in_half_points(komi):
    """Whole and half points of either sign are White's; minus nothing is nothing."""
    assert score(go(komi=komi).initial()) == (0, komi)
    assert go(komi=-0.0) == go(komi=0)
    assert repr(go(komi=-0.0)) == repr(go(komi=0))


@pytest.mark.parametrize(
    ("actions", "action", "kind", "message"),
    [
        ([], "pass", "form", "Black returned 'pass', a string: a pass is None; {}"),
        ([], ((0, 0), (0, 1)), "form", "Black returned ((0, 0), (0, 1)), two points, but a play names one; {}"),
        ([], 3, "form", "Black returned 3, a single number; {}"),
        (
            [],
            (5, 0),
            "off_board",
            "Black played on (5, 0), but (5, 0) is not on the board, where x and y go from 0 to 4; {}",
        ),
        ([(1, 2)], (1, 2), "occupied", "White played on (1, 2), but a stone of Black is there; {}"),
        (
            [(1, 0), None, (0, 1)],
            (0, 0),
            "suicide",
            "White played on (0, 0), but its chain would have no liberty there, and nothing is captured; {}",
        ),
        (KO, (1, 1), "superko", "White played on (1, 1), but that would bring back an earlier board; {}"),
        ([None, None], None, "over", "Black acted after the end of the game, where no action is legal"),
    ],
)
def test_refusals_explain(actions, action, kind, message):
    """The author of a player is told what was done, why it may not be and what may."""
    with pytest.raises(IllegalAction) as refused:
        after(go(size=5), actions).check(action)
    assert refused.value.kind == kind
    assert refused.value.message == message.format("return (x, y), an empty point, or None to pass")


@pytest.mark.parametrize(
    ("superko", "kind", "words"),
    [
        ("simple", "ko", "bring back the board before the opponent's last action; play elsewhere first"),
        ("situational", "superko", "bring back an earlier board with the same side to move"),
    ],
)
def test_repetition_is_explained_by_its_rule(superko, kind, words):
    """What may not be repeated depends on the option."""
    with pytest.raises(IllegalAction, match=words) as refused:
        after(go(size=5, superko=superko), KO).check((1, 1))
    assert refused.value.kind == kind


def test_the_text_of_a_state():
    """The board, whose turn it is, prisoners, and what went before as far as the rule about repetition needs it."""
    assert after(go(size=5, superko="simple"), KO).text() == DIAGRAM + "ko: 1,1"
    actions = "actions: 1,0 2,0 0,1 3,1 1,2 2,2 4,4 1,1 2,1"
    assert after(go(size=5), KO).text() == DIAGRAM + actions
    assert (
        after(go(size=5), [None])
        .text()
        .endswith("turns: 1, white to play after a pass\nprisoners: black has taken 0, white 0\nactions: pass")
    )
    assert "turns: 2, over: two passes" in after(go(size=5), [None, None]).text()


def test_texts_of_the_basic_ko_rule_can_be_written_by_hand():
    """The diagram is all that there is to know, so one may begin anywhere."""
    state = go(size=5, superko="simple").parse(DIAGRAM + "ko: none")
    assert state.check((1, 1)) == (1, 1)
    assert state.play((1, 1)).stones.lost == (1, 1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0 . @ O . .\n", "", "a diagram has 6 lines of the board and 3 lines below it, not 8 lines"),
        ("0 . @", "0 . ?", "lines 2 to 6: expected 5 of @, O and . after the number of the row"),
        ("0 . @", "1 . @", "line 2: expected '0 . @ O . .', not '1 . @ O . .'"),
        ("0 . @", "0  . @", "line 2: expected '0 . @ O . .', not '0  . @ O . .'"),
        ("3 . . . . .", "3 O O @ . .", None),
        ("0 . @ O", "0 O @ O", "the board has a chain without liberties"),
        ("white to play", "black to play", "line 7: expected 'turns: 9, white to play', not 'turns: 9, black to play'"),
        ("turns: 9, white", "turns: 8, black", "line 7: black has played at most 4 stones by then, not 5"),
        ("turns: 9", "turns: 99", "line 7: the board is scored after 75 turns"),
        (
            "turns: 9, white to play",
            "turns: 9, over: turn limit",
            "line 7: the turn limit is 75, so it is not met at 9",
        ),
        ("turns: 9, white to play", "turns: 9, over: tired", "line 7: expected 'turns: N, black to play'"),
        ("black has taken 1", "black took 1", "line 8: expected 'prisoners: black has taken N, white N'"),
        ("black has taken 1", "black has taken 2", "line 7: white has played at most 4 stones by then, not 5"),
        ("black has taken 1", "black has taken 0", "line 9: no stone can have been taken from 1,1 by the last action"),
        ("ko: 1,1", "ko: 3,0", "line 9: no stone can have been taken from 3,0 by the last action"),
        ("ko: 1,1", "ko: 7,7", "line 9: no stone can have been taken from 7,7 by the last action"),
        ("ko: 1,1", "ko: here", "line 9: expected 'ko: none' or 'ko: x,y', not 'ko: here'"),
    ],
)
def test_diagrams_that_contradict_themselves(old, new, message):
    """Each names the line and what was expected there."""
    text = DIAGRAM + "ko: 1,1"
    assert old in text
    game = go(size=5, superko="simple")
    if message is None:
        message = "line 7: black has played at most 5 stones by then, not 6"
    with pytest.raises(ValueError, match=r"\w") as refused:
        game.parse(text.replace(old, new, 1))
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2,1", "1,0", "line 9: action 9, '1,0': Black played on (1, 0), but a stone of Black is there"),
        ("2,1", "c4", "line 9: action 9, 'c4': an action is x,y or pass"),
        ("actions:", "moves:", "line 9: expected 'actions:' and the actions from the start"),
        ("2,1", "2,1 pass", "line 7: expected 'turns: 10, black to play after a pass', not 'turns: 9, white to play'"),
        ("0 . @ O", "0 . @ .", "line 2: expected '0 . @ O . .', not '0 . @ . . .'"),
    ],
)
def test_actions_that_cannot_have_been(old, new, message):
    """Under superko the actions tell everything, and the rest has to agree with them."""
    text = after(go(size=5), KO).text()
    head, sep, tail = text.rpartition(old)
    with pytest.raises(ValueError, match=r"^line \d: ") as refused:
        go(size=5).parse(head + new + tail)
    assert sep
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize("superko", ["positional", "situational", "simple"])
def test_any_state_is_read_back(superko):
    """Text, pickle and deep copies of random states, at the start, in the middle and at the end."""
    game = go(size=6, superko=superko, rules="tromp-taylor")
    rng, state = Random(8), game.initial()
    while True:
        assert game.parse(state.text()) == state
        if state.outcome is not None:
            break
        state = state.play(state.sample(rng))
    assert state.turns > 30
    assert pickle.loads(pickle.dumps(state)) == state
    assert copy.deepcopy(state) == state


def test_long_games_can_be_copied():
    """A game of a thousand turns is not too deep for pickle."""
    rng, state = Random(2), go(size=19, turn_cap=0, superko="situational").initial()
    for _ in range(1000):
        *points, _ = state.legal_actions()
        state = state.play(rng.choice(points) if points else None)
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert hash(again) == hash(state)


def test_states_are_equal_when_the_same_may_follow():
    """Under the basic ko rule however one came there; under superko by the same way."""
    one, other = [(0, 0), (1, 1), (2, 2), (3, 3)], [(2, 2), (1, 1), (0, 0), (3, 3)]
    basic = go(size=5, superko="simple")
    assert after(basic, one) == after(basic, other)
    assert hash(after(basic, one)) == hash(after(basic, other))
    strict = go(size=5)
    assert after(strict, one) != after(strict, other)
    assert after(strict, one).key() == after(strict, other).key()
    assert after(strict, one) == after(strict, list(one))
    assert after(strict, one) != after(go(size=5, komi=0), one)
    assert after(basic, KO) != after(basic, [*KO[:-2], None, KO[-1]])


@pytest.mark.parametrize(("handicap", "count"), [(0, 7), (2, 3), (3, 1), (4, 7), (6, 3), (9, 7)])
def test_symmetries_of_the_set_up(handicap, count):
    """A match and its image count as the same where the handicap stones allow it."""
    game = go(size=9, handicap=handicap)
    maps = game.symmetries()
    assert len(maps) == count
    assert all(each(game.initial().key()) == game.initial().key() for each in maps)


def test_symmetries_turn_the_board():
    """The seven images of a stone that is on no axis are seven more points."""
    game = go(size=5)
    state = game.initial().play((1, 0))
    images = {each(state.key()) for each in game.symmetries()} | {state.key()}
    corner = {(1, 0), (3, 0), (0, 1), (4, 1), (0, 3), (4, 3), (1, 4), (3, 4)}
    assert images == {game.initial().play(point).key() for point in corner}


@pytest.mark.parametrize(
    ("size", "stars"),
    [
        (5, [(2, 2)]),
        (6, []),
        (9, [(2, 2), (6, 2), (4, 4), (2, 6), (6, 6)]),
        (13, [(3, 3), (9, 3), (6, 6), (3, 9), (9, 9)]),
        (19, [(x, y) for y in (3, 9, 15) for x in (3, 9, 15)]),
    ],
)
def test_the_picture_has_its_star_points(size, stars):
    """They are where they are on a wooden board."""
    assert [mark.cell for mark in go(size=size).initial().picture().marks] == stars


def test_the_picture_tells_what_the_board_does_not():
    """Prisoners, komi and a pass are in the notes."""
    board = after(go(size=5, komi=0.5), [*KO, None]).picture()
    assert board.notes == ["black: prisoners 1", "white: prisoners 0", "komi: 0.5", "white has passed"]
    assert {piece.kind for piece in board.pieces} == {"stone"}
    assert {cell.shape for cell in board.layout.cells} == {"point"}


def test_cells_to_touch():
    """A point for a play, none for a pass."""
    assert go().cells((3, 4)) == ((3, 4),)
    assert go().cells(None) == ()

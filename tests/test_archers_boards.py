"""Boards of Archers that somebody wrote as JSON: their one spelling, and what is said about their faults."""

import json
import pickle
from pathlib import Path

import pytest
from plain_archers import usual_board

from watch_your_back.game import Game, OptionError

SMALL = json.loads((Path(__file__).parent.parent / "examples" / "archers_small.json").read_text(encoding="utf-8"))


def test_two_spellings_of_a_board_are_one_game():
    """Blanks, the order of points and lines, lines told from the other end, and the usual board in full."""
    other = {
        "start": {side: SMALL["start"][side][::-1] for side in ("black", "white")},
        "lines": [line[::-1] for line in SMALL["lines"]][::-1] + SMALL["lines"][:1],
        "points": SMALL["points"][::-1],
    }
    one, two = Game.load("archers", board=json.dumps(SMALL)), Game.load("archers", board=json.dumps(other, indent=8))
    assert (one, hash(one), one.options.board) == (two, hash(two), two.options.board)
    assert one.initial() == two.initial()
    usual = Game.load("archers", board=json.dumps(usual_board()))
    assert (usual, usual.options.board) == (Game.load("archers"), "standard")
    assert Game.load("archers", board=one.options.board) == one
    assert pickle.loads(pickle.dumps(one.initial())) == one.initial()


def spoilt(**changes):
    return json.dumps(SMALL | changes)


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("chess", "it is 'standard' or a board in JSON, but in 'chess' line 1, column 1 is no JSON"),
        ("[1, 2]", 'the board is an object, {"points": [[x, y], ...], '),
        ("[" * 100_000, "a number or a nesting that is far too large"),
        ('{"points": [[1' + "0" * 5000 + ", 0]]}", "a number or a nesting that is far too large"),
        ("{}" + " " * 1_048_576, "a board has at most 1,048,576 characters"),
        ("{}", "the board has no 'points'; the board has no 'lines'; the board has no 'start'"),
        (spoilt(name="fort"), "the board has a member 'name' that no board has"),
        ('{"points": [], ' + spoilt()[1:], "'points' is there twice"),
        (spoilt(points=7), "points is a list of at least 1 point [x, y]"),
        (spoilt(points=[[0, 0], [0, 0]]), "points[1]: [0, 0] is there twice"),
        (spoilt(points=[[0, 1.0], [True, 1], "a"]), "points[0] is a point [x, y] of two whole numbers, not [0, 1.0]; "
         "points[1] is a point [x, y] of two whole numbers, not [true, 1]; points[2]"),
        (spoilt(points=[[0, 100], [-1, 0]]), "points[0]: x and y go from 0 to 99, not [0, 100]; points[1]: x and y"),
        (spoilt(points=[[x, y] for x in range(21) for y in range(20)]), "there are at most 400 points, not 420"),
        (spoilt(lines={}), "lines is a list of lines, each a list of points [x, y] in order"),
        (spoilt(lines=[[[0, 0]]]), "lines[0] is a list of at least 2 points [x, y]"),
        (spoilt(lines=[[[0, 0], [9, 9]]]), "lines[0]: [9, 9] is not among the points"),
        (spoilt(lines=[[[0, 0], [0, 1], [1, 2]]]), "lines[0] is not straight, with its points in order: [[0, 0], "),
        (spoilt(lines=[[[0, 0], [0, 2], [0, 1]]]), "lines[0] is not straight, with its points in order"),
        (spoilt(start={"white": [[0, 0]]}), "start has no 'black'"),
        (spoilt(start={"white": [[9, 0]], "black": []}), "start.white: [9, 0] is not among the points; start.black is"),
        (spoilt(start={"white": [[0, 0]], "black": [[0, 0]]}), "[0, 0] is a starting point of both sides"),
        (spoilt(points=[["x"]] * 50), "; and "),
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_a_board_with_faults_is_refused(board, words):
    """Each fault is named, all in one line."""
    with pytest.raises(OptionError) as refused:
        Game.load("archers", board=board)
    assert str(refused.value).startswith("option board: ")
    assert words in str(refused.value)
    assert str(refused.value).isprintable()


def test_a_board_is_text():
    """Not the object that the text stands for."""
    with pytest.raises(OptionError, match="option board is a str"):
        Game.load("archers", board=SMALL)

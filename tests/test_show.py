"""Boards as text, and players' words made harmless."""

import re

import layouts
import pytest

from watch_your_back.game import Board, Cell, Label, Layout, Mark, Piece, grid
from watch_your_back.show.text import clean, text

BOARD = Board(
    grid(4, 3),
    pieces=[Piece((1, 0), 0), Piece((2, 1), 1), Piece((3, 2), 1, "tiger"), Piece((2, 2), 0, "tiger")],
    marks=[Mark((0, 0), "corner"), Mark((0, 2), "removed")],
)


def test_a_board_is_drawn_with_coordinates():
    """Columns are numbered above, rows on the left, from the top left as in the actions."""
    expected = """\
    0  1  2  3
 0  X  O  -  -
 1  -  -  @  -
 2     -  T  t"""
    assert text(BOARD) == expected


def test_the_last_action_is_in_brackets():
    """The cells of the last action stand out without colour."""
    assert text(BOARD, last={(1, 0), (1, 1)}).splitlines()[1:3] == [" 0  X [O] -  -", " 1  - [-] @  -"]


def test_large_boards_keep_their_columns_aligned():
    """Two-digit coordinates move nothing."""
    lines = text(Board(grid(19, 19), pieces=[Piece((18, 18), 1)])).splitlines()
    assert lines[0].endswith("16 17 18")
    assert {len(line) for line in lines[1:]} == {59}
    assert lines[-1].endswith("@")


def test_colour_adds_nothing_but_colour():
    """Without its escape sequences the coloured board is the plain one."""
    coloured = text(BOARD, last={(2, 1)}, colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == text(BOARD, last={(2, 1)})


def test_unicode_is_used_only_when_asked_for():
    """The default is pure ASCII."""
    assert text(BOARD).isascii()
    assert "○" in text(BOARD, unicode=True)


LINED = """\
      0     1     2     3     4
 0    +-----+-----+-----+-----+
      |  \\  |  /  |  \\  |  /  |
 1    +----d4-----T----d4-----+
      |  /  |  \\  |  /  |  \\  |
 2    +-----+----[+]----+-----+
      |  \\  |  /  |  \\  |  /  |
 3    +----d4----[T]----d-----+
      |  /  |  \\  |  /  |  \\  |
 4    +-----+-----+-----+-----+"""
HEXES = """\
-2    -   -   O
-1  -   -   -   -
 0    -   -  [@]
    0   1   2   3"""
EDGES = """\
     0   1
   +---+   +
 0 | @ |
   +---+[-]+
 1     |
   +   +   +

 second has 1 box"""
LINE = """\
[3] -  2  #  d
 0  1  2  3  4"""
GO = """\
    0  1  2
 0  .  .  .
 1  .  + [@]
 2  .  .  O"""


@pytest.mark.parametrize(
    ("board", "last", "expected"),
    [
        (layouts.LINED, [(2, 2), (2, 3)], LINED),
        (layouts.HEXES, [(2, 0)], HEXES),
        (layouts.EDGES, [("h", 1, 1)], EDGES),
        (layouts.LINE, [0], LINE),
        (layouts.GO, [(2, 1)], GO),
    ],
    ids=["lines", "hexes", "edges", "stacks", "lattice"],
)
def test_every_kind_of_board_can_be_drawn(board, last, expected):
    """Points with lines, hexes, edges with boxes, a line of stacks; a lattice needs no lines."""
    assert text(board, last=last) == expected


def test_several_boards_stand_side_by_side_where_there_is_room():
    """Otherwise each below the one before, with its own coordinates."""
    wide = text(layouts.LEVELS)
    assert wide.splitlines() == [
        "        air                 sub",
        "     0   1   2           0   1   2",
        " 0   -   -   -        0 RP   -   -",
        "                        DS",
        " 1   -   -  ta        1  -   -   -",
    ]
    assert text(layouts.LEVELS, width=100) == wide
    narrow = text(layouts.LEVELS, width=24).splitlines()
    assert [line.strip() for line in narrow if line.strip() in ("air", "sub")] == ["air", "sub"]
    assert max(map(len, narrow)) <= 24


def test_notes_stand_beside_the_board_where_there_is_room():
    """Otherwise below it, as when nothing is known of the width."""
    assert text(layouts.EDGES, width=60).splitlines()[1] == "   +---+   +    second has 1 box"
    assert text(layouts.EDGES, width=20) == text(layouts.EDGES)


@pytest.mark.parametrize("board", layouts.ALL.values(), ids=layouts.ALL)
def test_colour_and_unicode_change_only_the_signs(board):
    """Every board has the same form in ASCII, in Unicode and in colour."""
    plain, coloured = text(board), text(board, colour=True, unicode=True)
    assert plain.isascii()
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [len(line) for line in bare.splitlines()] == [len(line) for line in plain.splitlines()]
    assert bare == text(board, unicode=True)


def test_a_side_is_told_without_colour():
    """By the case of a letter where there is one, and otherwise by a disc before what is written on the piece."""
    cells = tuple(Cell(x, x, 0) for x in range(7))
    pieces = [
        Piece(0, 0, "king"), Piece(1, 1, "king"), Piece(2, 0, "man", "3"), Piece(3, 1, "dog", "4"),
        Piece(4, 1, "piece", "AAA"), Piece(5, None, "ball"),
        Piece(6, 1, "man", height=12),
    ]  # fmt: skip
    board = Board(Layout(cells, labels=(Label(0, -1, "a"),)), pieces)
    assert text(board).split() == ["a", "K", "k", "O3", "d4", "aaa", "*b", "@12"]


@pytest.mark.parametrize(
    ("words", "harmless"),
    [
        ("plain\n\ttext", "plain\n\ttext"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[1;1Hgone", "gone"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPdevice\x1b\\after", "after"),
        ("\x1bcreset", "reset"),
        ("\x1b]0;never ended", "0;never ended"),
        ("\x9b31mred", "31mred"),
        ("a\x00b\x07c\x08d\x7fe", "abcde"),
        ("10%\r20%\r\n", "10%\n20%\n"),
        ("user\u202egnp.exe\u2066", "usergnp.exe"),
        ("no\u00a0break\u2028line", "no break line"),
        ("\ud800lone", "lone"),
        ("grün 王", "grün 王"),
    ],
    ids=repr,
)
def test_words_of_players_cannot_command_a_terminal(words, harmless):
    """Escape sequences go whole, other control characters alone, and what can be read stays."""
    assert clean(words) == harmless

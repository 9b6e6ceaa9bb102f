"""Boards as text, and players' words made harmless."""

import re

import pytest

from watch_your_back.game import Board, Mark, Piece, grid
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

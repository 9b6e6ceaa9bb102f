"""Games of Go as SGF: what is written is read back, and what files say is understood or refused."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watch_your_back.bridges.go_sgf import GoGame, read_game, write_game
from watch_your_back.bridges.sgf import SgfError, normal
from watch_your_back.game import Game

WORDS = st.text(st.characters(codec="utf-8"), max_size=12).map(normal)
OPTIONS = st.fixed_dictionaries(
    {
        "size": st.sampled_from([5, 9, 13, 19]),
        "komi": st.integers(-20, 20).map(lambda halves: halves / 2),
        "rules": st.sampled_from(["chinese", "japanese", "tromp-taylor"]),
        "superko": st.sampled_from(["positional", "situational", "simple"]),
        "turn_cap": st.sampled_from([-1, 0, 40]),
    }
)


@st.composite
def games(draw):
    """A random game, with words and times beside its actions."""
    options = draw(OPTIONS)
    if options["size"] != 5:
        options["handicap"] = draw(st.sampled_from([0, 2, 9]))
    game = Game.load("go", **options)
    state, rng, actions = game.initial(), Random(draw(st.integers(0, 99))), []
    for _ in range(draw(st.integers(0, 30))):
        if state.outcome is None:
            actions.append(state.sample(rng))
            state = state.play(actions[-1])
    comments = tuple(draw(WORDS) for _ in actions)
    left_s = tuple(draw(st.none() | st.integers(0, 99_999).map(lambda number: number / 1_000)) for _ in actions)
    about = {name: word for name in ("PB", "PW", "DT", "GC") if (word := draw(WORDS))}
    closing = draw(WORDS)
    result = draw(st.sampled_from(["", "B+R", "W+3.5", "0", "Void"]))
    return GoGame(game, game.initial(), tuple(actions), comments, left_s, closing, about, result)


@given(games())
def test_a_game_that_is_written_is_read_back(game):
    """With its options, actions, comments, times and everything about it."""
    assert read_game(write_game(game)) == game
    assert read_game(write_game(game).encode()) == game


def test_a_game_of_another_program_is_understood():
    """Handicap, passes in both forms, other variations, properties that nobody knows, and times."""
    game = read_game(
        "(;GM[1]FF[4]SZ[9]HA[2]KM[0.5]RU[Japanese]PB[Honinbo]PW[Guest]DT[1846-09-11]RE[W+R]AB[cg][gc]XX[?]\n"
        ";W[ee]WL[59.5]C[tengen];B[cc]BL[58](;W[tt];B[aa](;W[])(;W[gg]))(;W[bb]))"
    )
    options = game.game.options
    assert (options.size, options.handicap, options.komi, options.rules) == (9, 2, 0.5, "japanese")
    assert game.start == game.game.initial()
    assert game.actions == ((4, 4), (2, 2), None, (0, 0), None)
    assert game.comments[0] == "tengen"
    assert game.left_s == (59.5, 58.0, None, None, None)
    assert game.about == {"PB": "Honinbo", "PW": "Guest", "DT": "1846-09-11"}
    assert game.result == "W+R"


def test_a_stone_after_the_end_is_refused_and_a_third_pass_is_not():
    """Some rules want three passes."""
    assert read_game("(;SZ[5];B[];W[];B[])").actions == (None, None)
    with pytest.raises(SgfError, match=r"column 16: move 3: a stone after the end of the game \(two passes\)"):
        read_game("(;SZ[5];B[];W[];B[aa])")


def test_stones_that_are_set_up_are_where_the_game_begins():
    """Rectangles of points too, and who is the first to act is told by PL or by the first move."""
    game = read_game("(;SZ[5]AB[aa:bb]AW[ee][dd]PL[W];W[cc];B[ed])")
    stones = {piece.cell: piece.side for piece in game.start.picture().pieces}
    assert stones == {(0, 0): 0, (1, 0): 0, (0, 1): 0, (1, 1): 0, (4, 4): 1, (3, 3): 1}
    assert game.start.to_move == 1
    assert read_game("(;SZ[5]AB[aa];W[bb])").start.to_move == 1
    assert read_game("(;SZ[5];AB[aa];B[bb])").start.to_move == 0
    assert read_game(write_game(game)).actions == game.actions
    assert game.game.parse(game.start.text()) == game.start


def test_white_may_begin_without_a_stone_on_the_board():
    """As in a file in which Black's first pass was left out."""
    game = read_game("(;SZ[5];W[aa];B[bb])")
    assert game.start.to_move == 1
    assert game.actions == ((0, 0), (1, 1))


def test_handicap_stones_on_other_points_are_stones_that_are_set_up():
    """Free placement; the usual points are the game's own handicap, also if the file names only their number."""
    free = read_game("(;SZ[9]HA[2]AB[aa][ii];W[ee])")
    assert free.game.options.handicap == 0
    assert free.start.count_pieces(0) == 2
    assert read_game("(;SZ[9]HA[3];W[ee])").game.options.handicap == 3
    assert read_game("(;SZ[9]AB[cg][gc];W[ee])").game.options.handicap == 2
    assert read_game("(;SZ[9]HA[0];B[ee])").game.options.handicap == 0


def test_only_the_basic_ko_is_demanded_of_games_of_other_programs():
    """They were played under other rules than ours; a file of ours says under which."""
    assert read_game("(;SZ[5];B[aa])").game.options.superko == "simple"
    ours = read_game("(;SZ[5]WYB[superko:situational][turn_cap:7];B[aa])").game.options
    assert (ours.superko, ours.turn_cap) == ("situational", 7)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("(;GM[2])", "line 1, column 2: this is not Go, whose number is GM[1], but GM[2]"),
        ("(;SZ[9:13])", "line 1, column 2: the board is 9 x 13: only square ones can be played on"),
        ("(;SZ[big])", "line 1, column 2: the size of the board, SZ, is a number, not 'big'"),
        ("(;SZ[99])", "line 1, column 2: option size is at most 19, not 99"),
        ("(;SZ[5]KM[x])", "line 1, column 2: the komi, KM, is a number, not 'x'"),
        ("(;SZ[5]KM[0.3])", "line 1, column 2: option komi is a multiple of 0.5, not 0.3"),
        ("(;SZ[5]\n;B[aa];W[aa])", "line 2, column 7: move 2 is illegal: "),
        ("(;SZ[5]\n;B[zz])", "line 2, column 1: 'zz' is no point of a 5x5 board"),
        ("(;SZ[5]\n;B[ff])", "line 2, column 1: 'ff' is no point of a 5x5 board"),
        ("(;SZ[5];B[aa];B[bb])", "line 1, column 14: move 2 is black's, as was the one before it"),
        ("(;SZ[5];B[aa]W[bb])", "line 1, column 8: a move of Black and one of White in the same node"),
        ("(;SZ[5];B[aa];AE[aa])", "line 1, column 14: stones are set up or taken away in the middle of the game"),
        ("(;SZ[5]AB[aa]AW[ab][ba])", "line 1, column 2: the stones that are set up make no position: the board has"),
    ],
)
def test_what_cannot_be_is_refused_with_the_place(text, told):
    """One line that names the line and the column."""
    with pytest.raises(SgfError) as refused:
        read_game(text)
    assert str(refused.value).startswith(told)


@given(st.text(st.sampled_from("(;)[]BWABSZabcde59tt \\"), max_size=60))
def test_any_text_is_a_game_or_is_refused(text):
    """Nothing but SgfError comes of it."""
    try:
        read_game("(;SZ[5]" + text)
    except SgfError as error:
        told = str(error)
    else:
        told = ""
    assert "\n" not in told

"""The published board of Watch Your Back!, and what is said of a diagram that is none."""

import pytest
from positions import GAME, moving, state_of

from watch_your_back.game import Outcome
from watch_your_back.games.watch_your_back import WatchYourBack

EMPTY = ["X------X", *["--------"] * 6, "X------X"]

OPENING = """\
X - - - - - - X
- - - - - - - -
- - - - - - - -
- - - O - - - -
- - - - - @ - -
- - - - - - - -
- - - - - - - -
X - - - - - - X
2 turns into the placing phase"""

SHRUNK = """\
               
  X - - - - X  
  - O - - - -  
  - - - - - -  
  - - O - - -  
  - - @ - - -  
  X @ - - - X  
               
131 turns into the moving phase"""  # noqa: W291, W293 (a removed square is a blank)


def test_the_board_is_drawn_as_published():
    """`O` White, `@` Black, `X` a corner, `-` an empty square, a blank a removed one, and a line on the turn."""
    assert GAME.initial().play((3, 3)).play((5, 4)).text() == OPENING
    assert moving(131, [(2, 2), (3, 4)], [(3, 5), (2, 6)]).text() == SHRUNK


def test_a_finished_game_says_when_it_ended():
    """The published `game over!` comes first, then the turns that the state is read back with."""
    state = moving(10, [(1, 1), (4, 1)], [(2, 1), (7, 6)]).play(((4, 1), (3, 1)))
    assert state.text().split("\n")[8] == "game over! (after 11 turns of the moving phase)"
    assert GAME.parse(state.text()) == state
    assert state.outcome == Outcome(0, "eliminated")


def test_blanks_at_the_end_of_lines_do_not_matter():
    """Editors remove them, also where a whole line is blank."""
    assert GAME.parse("\n".join(line.rstrip() for line in SHRUNK.split("\n"))) == GAME.parse(SHRUNK)
    assert GAME.parse(OPENING.replace("\n", "  \r\n") + "\n") == GAME.parse(OPENING)


def test_a_game_that_ended_in_a_turn_of_a_shrink_is_read_with_either_board():
    """It ended before the shrink, or by it."""
    last = "game over! (after 128 turns of the moving phase)"
    before = state_of(["X------X", "-O------", *["--------"] * 4, "-@-@----", "X------X"], last)
    after = state_of([" " * 8, " X----X ", *[" ------ "] * 2, " -@-@-- ", " ------ ", " X-O--X ", " " * 8], last)
    assert (before.shrinks, after.shrinks) == (0, 1)
    assert before.outcome == after.outcome == Outcome(1, "eliminated")


MOVING = "5 turns into the moving phase"
ENOUGH = ["X------X", "-OO-----", *["--------"] * 4, "-@-@----", "X------X"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "8 lines of the board and a line on the turn, not 0"),
        ("\n".join(OPENING.split("\n")[1:]), "not 8 lines"),
        (OPENING.replace("2 turns into the placing phase", "game over!"), "line 9: expected .* not 'game over!'"),
        (OPENING.replace("placing", "waiting"), "line 9: expected .* not '2 turns into the waiting phase'"),
        (OPENING.replace("2 turns", "24 turns"), "line 9: the moving phase begins after 24 turns of the placing phase"),
        (OPENING.replace("2 turns", "1 turns"), "line 9: Black has placed 0 pieces by then, but 1 are on the board"),
        (OPENING.replace("- O -", "-O  -"), "line 4: expected 8 cells with a blank between them"),
        (OPENING.replace("- @ - -", "- @ - - -"), "line 5: expected 8 cells with a blank between them"),
        (OPENING.replace("- O -", "- W -"), r"line 4: the square \(3, 3\) is O, @ or -, not 'W'"),
        (OPENING.replace("- O -", "-   -"), r"line 4: the square \(3, 3\) is O, @ or -, not ' '"),
        (OPENING.replace("- X\n2 turns", "- O\n2 turns"), r"line 8: the square \(7, 7\) is a corner, X, not 'O'"),
        (OPENING.replace("X", "-"), r"no corner X at the top left: \(0, 0\), \(1, 1\) or \(2, 2\) is one"),
        (SHRUNK.replace("  - O -", "- - O -"), r"line 3: the square \(0, 2\) is removed, a blank, not '-'"),
        (
            SHRUNK.replace("131", "127"),
            "line 9: after 127 turns of the moving phase the board has shrunk 0 times, not 1",
        ),
    ],
)
def test_a_wrong_diagram_is_refused_with_its_line(text, message):
    """What is expected there and what was found."""
    with pytest.raises(ValueError, match=message):
        GAME.parse(text)


def test_a_diagram_may_not_contradict_the_rules():
    """Neither go on after the end nor end while both sides can go on."""
    state_of(ENOUGH, MOVING)
    with pytest.raises(ValueError, match=r"line 9: .*the game is over \(eliminated\)"):
        state_of([*ENOUGH[:6], "-@------", "X------X"], MOVING)
    with pytest.raises(ValueError, match=r"line 9: .*the game goes on"):
        state_of(ENOUGH, "game over! (after 5 turns of the moving phase)")
    capped = WatchYourBack(WatchYourBack.Options(turn_cap=5))
    with pytest.raises(ValueError, match=r"line 9: .*the game is over \(turn limit\)"):
        state_of(ENOUGH, MOVING, capped)
    with pytest.raises(ValueError, match=r"line 9: .*White has placed 12 pieces by then, but 13 are"):
        state_of(["X------X", "OOOOOOO-", "OOOOOO--", *["--------"] * 3, "-@-@----", "X------X"], MOVING)


def test_a_turn_limit_comes_after_the_shrink():
    """A game that was cut in the turn of a shrink has the smaller board."""
    capped = WatchYourBack(WatchYourBack.Options(turn_cap=128))
    last = "game over! (after 128 turns of the moving phase)"
    with pytest.raises(ValueError, match=r"line 9: .*the board has shrunk 1 times, not 0"):
        state_of(ENOUGH, last, capped)

"""Positions of Watch Your Back! for tests: from games, and crowded ones that games hardly reach."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from hypothesis import strategies as st
from plain_watch_your_back import PlainGame

from watch_your_back.game import Action
from watch_your_back.games.watch_your_back import Position, WatchYourBack
from watch_your_back.games.watch_your_back.bitboards import Square

GAME = WatchYourBack()

WIN_IN_ONE = """\
X - - - - - - X
- - - - - - - -
- - O @ - O - -
- - - - - - - -
- - - - @ - - -
- - - - - - - -
- - - - O - - -
X - - - - - - X
4 turns into the moving phase"""
"""White eliminates one of Black's last two pieces by a move."""


def rows(state: Position) -> list[str]:
    """The eight rows of the published board without the blanks between its cells."""
    return [line[::2] for line in state.text().split("\n")[:8]]


def state_of(rows: Sequence[str], last_line: str, game: WatchYourBack = GAME) -> Position:
    """The state with these rows; see `State.text` for the letters and the last line."""
    return game.parse("\n".join([*map(" ".join, rows), last_line]))


def ring_of(turns: int) -> int:
    """The outermost ring that is on the board after that many turns of the moving phase."""
    return (turns >= 128) + (turns >= 192)


def moving(turns: int, white: Iterable[Square], black: Iterable[Square], game: WatchYourBack = GAME) -> Position:
    """The state after that many turns of the moving phase with these pieces."""
    low, high = ring_of(turns), 7 - ring_of(turns)
    cells = {(x, y): "-" for x in range(low, high + 1) for y in range(low, high + 1)}
    cells |= {(x, y): "X" for x in (low, high) for y in (low, high)}
    cells |= dict.fromkeys(white, "O") | dict.fromkeys(black, "@")
    lines = ["".join(cells.get((x, y), " ") for x in range(8)) for y in range(8)]
    return state_of(lines, f"{turns} turns into the moving phase", game)


def judge(state: Position) -> PlainGame:
    """The same position in the plain rule book."""
    plain = PlainGame(state.game.options.turn_cap)
    letters = {"O": "W", "@": "B", "X": "X", "-": "-"}
    cells = {(x, y): cell for y, row in enumerate(rows(state)) for x, cell in enumerate(row) if cell != " "}
    plain.board = {square: letters[cell] for square, cell in cells.items()}
    plain.phase, plain.turns = state.phase, state.turns
    return plain


def cautious(state: Position, rng: Random) -> Action:
    """A random action, one that costs no piece if a few tries find it, so that games grow old."""
    for _ in range(20):
        action = state.sample(rng)
        if material(state.play(action)) >= material(state):
            break
    return action


def material(state: Position) -> int:
    """Pieces on the board, those of both sides together."""
    return (state.mine | state.theirs).bit_count()


@st.composite
def played(draw: st.DrawFn) -> Position:
    """A state of a random game, cautious or not; a finished one where the game ended before the turn that was drawn."""
    rng = Random(draw(st.integers(0, 2**32)))
    choose = draw(st.sampled_from([cautious, Position.sample]))
    plies = draw(st.integers(0, 260))
    state = GAME.initial()
    while state.ply < plies and state.outcome is None:
        state = state.play(choose(state, rng))
    return state


@st.composite
def crowded(draw: st.DrawFn) -> Position:
    """A state of the moving phase with the pieces close together, often just before the board shrinks."""
    turns = draw(st.sampled_from([0, 50, 126, 127, 128, 150, 190, 191, 192, 300]))
    ring = ring_of(turns)
    ends = (ring, 7 - ring)
    squares = [(x, y) for x in range(ring, 8 - ring) for y in range(ring, 8 - ring) if x not in ends or y not in ends]
    rng = Random(draw(st.integers(0, 2**32)))
    rng.shuffle(squares)
    near = draw(st.integers(ring, 2))
    squares.sort(key=lambda square: not all(near <= number <= 7 - near for number in square))
    white = draw(st.integers(2, min(12, len(squares) - 2)))
    black = draw(st.integers(2, min(12, len(squares) - white)))
    return moving(turns, squares[:white], squares[white : white + black])


states = played() | crowded()
"""States of all kinds, finished ones among them."""

going_on = states.filter(lambda state: state.outcome is None)
"""States in which the game goes on."""

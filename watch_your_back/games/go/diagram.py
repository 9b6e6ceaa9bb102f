"""A state as text: the board with its coordinates, `@` Black's stones, `O` White's and `.` empty points, and then

    turns: 12, white to play after a pass
    prisoners: black has taken 1, white 0
    actions: 2,2 6,6 pass ...

Where the basic ko rule holds the last line is `ko: 3,4` or `ko: none`: what went before does not matter then.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from watch_your_back.game import Action
from watch_your_back.games.go.scoring import outcome
from watch_your_back.games.go.stones import Stones, empty

if TYPE_CHECKING:
    from watch_your_back.games.go import Go
    from watch_your_back.games.go.position import Position

__all__ = ["draw", "read"]


def draw(state: Position) -> str:
    """The diagram of a state, without a newline at its end; `read` is its inverse."""
    shape, stones, lost = state.stones.geometry, state.stones, state.stones.lost
    size = shape.size
    width = len(str(size - 1))
    signs = ["." if chain == shape.count else "@O"[chain < 0] for chain in stones.chain_of]
    lines = [" ".join(f"{cell:>{width}}" for cell in ["", *map(str, range(size))])]
    for y in range(size):
        lines.append(" ".join(f"{cell:>{width}}" for cell in [str(y), *signs[y * size : (y + 1) * size]]))
    lines.append(f"turns: {state.ply}, {_turn(state)}")
    lines.append(f"prisoners: black has taken {lost[1]}, white {lost[0]}")
    if state.game.options.superko == "simple":
        lines.append(f"ko: {'none' if state.ko < 0 else _written(shape.points[state.ko])}")
    else:
        lines.append(" ".join(["actions:", *map(_written, state.actions())]))
    return "\n".join(lines)


def _turn(state: Position) -> str:
    if state.outcome is not None:
        return f"over: {state.outcome.reason}"
    return f"{state.game.sides[state.to_move]} to play{' after a pass' if state.passed else ''}"


def _written(action: Action) -> str:
    return f"{action[0]},{action[1]}" if isinstance(action, tuple) else "pass"


def read(game: Go, text: str) -> Position:
    """The state that a diagram shows; blanks at the end of a line may be missing.

    Raises ValueError, naming the line, for what is no diagram of this game or contradicts itself.
    """
    lines = [line.rstrip() for line in text.splitlines()]
    size = game.options.size
    if len(lines) != size + 4:
        raise ValueError(f"a diagram has {size + 1} lines of the board and 3 lines below it, not {len(lines)} lines")
    state = _described(game, lines) if game.options.superko == "simple" else _replayed(game, lines)
    for number, (line, right) in enumerate(zip_longest(lines, draw(state).splitlines()), 1):
        if line != right.rstrip():
            raise ValueError(f"line {number}: expected {right!r}, not {line!r}")
    return state


def _replayed(game: Go, lines: list[str]) -> Position:
    """The state after the actions of the last line."""
    head, *words = lines[-1].split(" ")
    if head != "actions:":
        raise ValueError(f"line {len(lines)}: expected 'actions:' and the actions from the start, not {lines[-1]!r}")
    state = game.initial()
    for number, word in enumerate(words, 1):
        try:
            state = state.play(state.check_form(_action(word)))
        except ValueError as error:
            raise ValueError(f"line {len(lines)}: action {number}, {word!r}: {error}") from None
    return state


def _action(word: str) -> Action:
    found = re.fullmatch(r"([0-9]{1,2}),([0-9]{1,2})", word)
    if word != "pass" and found is None:
        raise ValueError("an action is x,y or pass")
    return (int(found[1]), int(found[2])) if found else None


def _described(game: Go, lines: list[str]) -> Position:
    """The state that the lines describe, without what `draw` would write otherwise anyway."""
    options, initial = game.options, game.initial()
    shape, last = initial.stones.geometry, len(lines)
    cells = [cell for line in lines[1:-3] for cell in line.split()[1:]]
    if len(cells) != shape.count or not {*cells} <= {*"@O."}:
        raise ValueError(f"lines 2 to {last - 3}: expected {shape.size} of @, O and . after the number of the row")
    turns = re.fullmatch(
        r"turns: ([0-9]{1,9}), (?:\w+ to play( after a pass)?|over: (two passes|turn limit))", lines[-3]
    )
    if turns is None:
        raise ValueError(
            f"line {last - 2}: expected 'turns: N, black to play', '..., black to play after a pass', '..., over: two "
            f"passes' or '..., over: turn limit', not {lines[-3]!r}"
        )
    prisoners = re.fullmatch(r"prisoners: black has taken ([0-9]{1,9}), white ([0-9]{1,9})", lines[-2])
    if prisoners is None:
        raise ValueError(f"line {last - 1}: expected 'prisoners: black has taken N, white N', not {lines[-2]!r}")
    ply, reason = int(turns[1]), turns[3]
    if reason != "turn limit" and ply + (reason is None) > options.last_turn > 0:
        raise ValueError(f"line {last - 2}: the board is scored after {options.last_turn} turns")
    if reason == "turn limit" and ply != options.last_turn:
        raise ValueError(f"line {last - 2}: the turn limit is {options.last_turn or 'off'}, so it is not met at {ply}")
    stones = _stones(empty(shape), cells)._replace(lost=(int(prisoners[2]), int(prisoners[1])))
    state = initial._replace(
        stones=stones,
        to_move=(ply + initial.to_move) % 2,
        ply=ply,
        passed=turns[2] is not None,
        outcome=outcome(game, stones, reason) if reason else None,
    )
    for side in (0, 1):
        passed = reason == "two passes" or (state.passed and side != state.to_move)
        most = (ply + (side == initial.to_move)) // 2 - passed
        played = stones.of(side).bit_count() + stones.lost[side] - initial.stones.of(side).bit_count()
        if played > most:
            name = game.sides[side]
            raise ValueError(f"line {last - 2}: {name} has played at most {most} stones by then, not {played}")
    return state._replace(ko=_ko(state, lines[-1], last))


def _stones(bare: Stones, cells: list[str]) -> Stones:
    """The stones that the cells show."""
    stones = bare
    for number, cell in enumerate(cells):
        if cell != ".":
            stones = stones.play(number, int(cell == "O"))
    if stones.lost != (0, 0):
        raise ValueError("the board has a chain without liberties")
    return stones


def _ko(state: Position, line: str, number: int) -> int:
    """The number of the point that the line says may not be retaken, or -1."""
    if line == "ko: none":
        return -1
    found = re.fullmatch(r"ko: ([0-9]{1,2},[0-9]{1,2})", line)
    if found is None:
        raise ValueError(f"line {number}: expected 'ko: none' or 'ko: x,y', not {line!r}")
    stones, side = state.stones, state.to_move
    shape = stones.geometry
    point = shape.index.get(_action(found[1]))
    if point is None or stones.chain_of[point] != shape.count or state.passed or state.outcome is not None:
        raise ValueError(f"line {number}: no stone can have been taken from {found[1]} by the last action")
    lone = not any(stones.chain_of[near] == shape.count for near in shape.neighbours[point])
    taken = stones.play(point, side).lost[1 - side] - stones.lost[1 - side]
    if not lone or stones.joins(point, side) or taken != 1 or not stones.lost[side]:
        raise ValueError(f"line {number}: no stone can have been taken from {found[1]} by the last action")
    return point

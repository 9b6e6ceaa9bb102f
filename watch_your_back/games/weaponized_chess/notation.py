"""Turns as people write them down (section 13): one line a turn, with its results.

What the printed grammar leaves open is settled here: of several pieces that fit a description equally the second by id
has `#2` after it, and so on; a doze lists its companion and those pieces of the chosen squares that its player sees; a
line of a history begins with the number of turns that its side has taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.chronicle import described
from watch_your_back.games.weaponized_chess.refusals import refusal
from watch_your_back.games.weaponized_chess.results import end_turn
from watch_your_back.games.weaponized_chess.squares import LEVELS, SIDES, offset, place, square_of
from watch_your_back.games.weaponized_chess.steps import Step, perform
from watch_your_back.games.weaponized_chess.views import UNSEEN_MOVE, Witness

if TYPE_CHECKING:
    from watch_your_back.games.weaponized_chess.state import Position

__all__ = ["LETTERS", "alike", "history", "record"]

LETTERS = {"MV": "M", "DZ": "M", "PU": "P", "EX": "X", "RE": "R", "DR": "D"}
"""What stands for an action in `OR`; Fires are 1 and 2."""
_ORDER = "M12PXRD"
_LEVELS = ("", "^", "v")
_WAYS = {"straight": "", "port": "<", "starboard": ">"}
_HANDS = {None: "", "right": ">", "left": "<"}


def history(start: Position, turns: Iterable[Sequence[Step]], viewer: int | None = None) -> Iterator[str]:
    """The history of a match that began at `start`, a line a turn: `12B MV:...`.

    In a competitive game that is not over a `viewer` (0 or 1) is told only what that side could see; else all.
    """
    state = start
    taken = [0, 0]
    for turn in turns:
        side = state.to_move
        taken[side] += 1
        yield f"{taken[side]}{SIDES[side][0].upper()} {record(state, turn, viewer)}"
        state = state.play(tuple(turn))


def record(state: Position, turn: Sequence[Step], viewer: int | None = None) -> str:
    """A legal turn, and its results, in the notation; `viewer` as in `history`."""
    board = state.board.copy()
    board.log = []
    if not board.rules.competitive:
        viewer = None
    actions: dict[str, str] = {}
    order, fires = "", 0
    for step in turn:
        if refusal(board, step) is not None:
            continue
        words, dozed = _action(board, step), _dozed(board, step)
        witness = Witness(board)
        witness.before(step)
        perform(board, step)
        told: Step | None = step
        if viewer is not None and viewer != board.to_move:
            told = witness.after(step)
            words = _masked(words, told, step)
            dozed = [(p, each) for p, each in dozed if p not in board.hidden(viewer)]
        letter = LETTERS.get(step[0])
        if letter is None:
            fires += 1
            letter = str(fires)
            words = words.replace("FI:", f"FI{fires}:", 1)
        if told is not None:
            actions[letter] = words + ("" if told == UNSEEN_MOVE else ",".join(each for _, each in dozed))
            order += letter
    end_turn(board, state.ply + 1)
    parts = [actions.get("M", "MV:-"), *(actions[letter] for letter in _ORDER[1:] if letter in actions)]
    results = [_result(entry) for entry in board.log if viewer is None or entry[0] in (-1, viewer) or entry[1]]
    if results:
        parts.append("RS:" + ",".join(results))
    if order != "".join(letter for letter in _ORDER if letter in order):
        parts.append(f"OR:{order}")
    return ",".join(parts)


def _masked(words: str, told: Step | None, step: Step) -> str:
    """The words for a step as the enemy is told of it."""
    if told == UNSEEN_MOVE:
        return "MV:?"
    if told != step and step[0] == "MV":
        words = words.partition("-TRA->")[0]
    return re.sub(r"#[0-9]+", "", words)


def _result(entry: tuple[Any, ...]) -> str:
    """A line of the log as a result."""
    match entry[1:]:
        case (_, "article", kind, square):
            return f"{kind}v{_at(square)}"
        case (_, "flies", kind, square, rows, columns):
            return f"{kind}->{_at(square)}({rows},{columns})"
        case (_, "ended", kind, square):
            return f"{kind}v{_at(square)}"
        case (_, "at", code, cell, rows, columns):
            return f"{code}->{_at(cell)}({rows},{columns})"
        case (_, "falls", code, square):
            return f"{code}v{_at(square)}"
        case (_, "fate", cause, words, stun):
            return f"{cause}*{words}{stun}{SIDES[entry[0]][0].upper()}"
    raise ValueError(f"not in the log: {entry}")


def _at(cell: int) -> str:
    return _location(*place(cell), LEVELS[cell // 100])


def alike(board: Board, piece: int, side: int, viewer: int) -> list[int]:
    """The pieces of a side that `viewer` sees and cannot tell from this one by its description, by id."""
    words, unseen = described(board, piece), board.hidden(viewer)
    return [
        q
        for q in board.at[board.cell[piece]]
        if board.side[q] == side and q not in unseen and described(board, q) == words
    ]


def _named(board: Board, id: str) -> str:
    piece = board.cast.numbers[id]
    number = alike(board, piece, board.side[piece], board.to_move).index(piece)
    return described(board, piece) + (f"#{number + 1}" if number else "")


def _location(row: int, column: int, level: str = "ground") -> str:
    return f"{_LEVELS[LEVELS.index(level)]}({row},{column})"


def _action(board: Board, step: Step) -> str:
    """A step that is about to be carried out, in the notation; a doze without `_dozed`, Fires begin with `FI:`."""
    match step:
        case ("MV", id, row, column, level, carry):
            words = f"MV:{_named(board, id)}->{_location(row, column, level)}"
            return words if carry is None else words + _passenger(board, carry, row, column, level)
        case ("DZ", id, rows, columns, _):
            goal = _at(offset(board.cell[board.cast.numbers[id]], rows, columns))
            return f"MV:{_named(board, id)}->{goal},DO>{goal}"
        case ("FI", id, weapon, *aim):
            return f"FI:{weapon}/{_named(board, id)}{_aim(board, id, aim)}"
        case ("PU", id, article):
            return f"PU:{_named(board, id)}^{article}"
        case ("DR", id, article):
            return f"DR:{_named(board, id)}v{article}"
        case ("EX", id, article, other, back):
            swap = f"->{article}->" if back is None else f"->{article}<=>{back}<-"
            return f"EX:{_named(board, id)}{swap}{_named(board, other)}"
        case ("RE", row, column, kind):
            seat = 100 * board.to_move + square_of(row, column)
            piece = min(p for p in board.waiting if board.cast.homes[p] == seat and board.cast.kinds[p].code == kind)
            return f"RE:({row},{column}){kind}{_HANDS[board.cast.hands[piece]]}"
    raise ValueError(f"not a step: {step}")


def _passenger(board: Board, id: str, row: int, column: int, level: str) -> str:
    held = board.carried[board.cast.numbers[id]]
    articles = f"{len(held)}{''.join(board.cast.article_types[a] for a in held)}" if held else ""
    return f"-TRA->{_named(board, id)}{_location(row, column, level)}{articles}"


def _dozed(board: Board, step: Step) -> list[tuple[int, str]]:
    """The companion and the seen pieces of the chosen squares of a doze that is about to begin, with their places."""
    if step[0] != "DZ":
        return []
    dozer, at = board.cast.numbers[step[1]], board.seen_at(board.to_move)
    listed = [p for p in at[board.cell[dozer]] if p != dozer]
    listed += [p for square in step[4] for p in at[square_of(*square)]]
    return [(p, f"{board.cast.kinds[p].code}{_location(*board.where(p))}") for p in listed]


def _aim(board: Board, id: str, aim: Sequence[object]) -> str:
    match aim:
        case ["dir", int(rows), int(columns)]:
            row, column = board.where(board.cast.numbers[id])
            return f"->({row + rows},{column + columns})"
        case ["at", str(target)]:
            return f"=>{_named(board, target)}"
        case ["to", row, column, way]:
            return f"->({row},{column}){_WAYS[str(way)]}"
    raise ValueError(f"no aim: {aim}")

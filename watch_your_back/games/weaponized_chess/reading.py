"""Reading turns in the notation back: who is meant, in what order, and whether the results are those of the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.chronicle import described
from watch_your_back.games.weaponized_chess.kinds import ARTICLES, KINDS
from watch_your_back.games.weaponized_chess.notation import LETTERS, record
from watch_your_back.games.weaponized_chess.refusals import refusal
from watch_your_back.games.weaponized_chess.squares import LEVELS, SIDES, on_board, square_of
from watch_your_back.games.weaponized_chess.steps import Step, perform

if TYPE_CHECKING:
    from watch_your_back.games.weaponized_chess.state import Position

__all__ = ["NotationError", "read_history", "read_turn"]


class NotationError(ValueError):
    """What is wrong with a record of a turn, and where."""


_OLD = {"JU": "JP", "SP": "STP"}
"""Codes of the printed grammar that are read as others."""
_ARTICLE = "(?:" + "|".join(sorted([*ARTICLES, "JU"], key=len, reverse=True)) + ")"
_TYPE = "(?:" + "|".join(sorted([*KINDS, "SP"], key=len, reverse=True)) + ")"
_PLACE = r"\([0-9]{1,2},[0-9]{1,2}\)"
_PIECE = rf"{_TYPE}[\^v]?{_PLACE}(?:[123]{_ARTICLE}{{1,3}})?[<>]?(?:#[0-9]+)?"
_LEVELS = {"": "ground", "^": "air", "v": "sub"}
_WAYS = {"": "straight", "<": "port", ">": "starboard"}

_DESCRIPTION = re.compile(rf"({_TYPE})([\^v]?)({_PLACE})(?:([123])({_ARTICLE}{{1,3}}))?([<>]?)(?:#([0-9]+))?")
_MOVE = re.compile(rf"({_PIECE})->([\^v]?)({_PLACE})(?:-TRA->({_PIECE})[\^v]?{_PLACE}(?:[123]{_ARTICLE}{{1,3}})?)?")
_DOZE = re.compile(rf"({_PIECE})->({_PLACE}),DO>{_PLACE}({_TYPE}{_PLACE}(?:,{_TYPE}{_PLACE})*)")
_FIRE = re.compile(rf"({_ARTICLE})/({_PIECE})(?:->({_PLACE})([<>]?)|=>({_PIECE}))")
_PICK_UP = re.compile(rf"({_PIECE})\^({_ARTICLE})")
_DROP = re.compile(rf"({_PIECE})v({_ARTICLE})")
_EXCHANGE = re.compile(rf"({_PIECE})->({_ARTICLE})(?:<=>({_ARTICLE})<-|->)({_PIECE})")
_REINFORCE = re.compile(rf"({_PLACE})({_TYPE})[<>]?")
_PARTS = re.compile(r"(?:^|,)(MV|FI1|FI2|PU|EX|RE|DR|RS|OR):")
_LINE = re.compile(r"([0-9]+)([BW]) (.*)")

Resolver = Callable[[Board], Step]
"""Finds the step that an action is, on the board as it is when its turn comes."""


def read_history(start: Position, text: str) -> tuple[list[tuple[Step, ...]], Position]:
    """The turns of a history, a line each, and the state that they lead to. Raises NotationError naming the line."""
    state, turns = start, list[tuple[Step, ...]]()
    for number, line in enumerate(text.splitlines(), 1):
        found = _LINE.fullmatch(line.strip())
        try:
            if found is None:
                raise NotationError("expected a number, B or W, a blank and the turn, as in '12B MV:...'")
            if state.outcome is not None:
                raise NotationError("the game is over before this turn")
            if found[2] != SIDES[state.to_move][0].upper():
                raise NotationError(f"it is the turn of {SIDES[state.to_move]}")
            turn = read_turn(state, found[3])
        except NotationError as error:
            raise NotationError(f"line {number}: {error}") from None
        turns.append(turn)
        state = state.play(turn)
    return turns, state


def read_turn(state: Position, text: str) -> tuple[Step, ...]:
    """The turn that a record tells of. Raises NotationError.

    Without `OR` the actions are taken in the listed order, and if that is not legal in the first order that is, as the
    orders of a list are listed. Results, where there are any, have to be those that the turn has.
    """
    text = text.strip()
    parts = _split(text)
    orders: Iterable[Sequence[str]]
    actions = {letter: resolver for letter, resolver in _actions(parts)}
    if "OR" in parts:
        if sorted(parts["OR"]) != sorted(actions):
            raise NotationError(f"OR:{parts['OR']} does not name each action once ({''.join(actions)})")
        orders = [parts["OR"]]
    else:
        orders = permutations(actions)
    turn = _first_legal(state.board, actions, orders)
    if "RS" in parts:
        expected = _split(record(state, turn)).get("RS", "")
        if expected != parts["RS"]:
            raise NotationError(f"the results of this turn are RS:{expected}, not RS:{parts['RS']}")
    return turn


def _split(text: str) -> dict[str, str]:
    """The parts of a record by what they begin with."""
    found = list(_PARTS.finditer(text))
    if not found or found[0].start() or found[0][1] != "MV":
        raise NotationError(f"a turn begins with MV:, not {text[:20]!r}")
    ends = [*(each.start() for each in found[1:]), len(text)]
    parts = {each[1]: text[each.end() : end] for each, end in zip(found, ends, strict=True)}
    if len(parts) < len(found):
        raise NotationError("a part occurs twice")
    return parts


def _actions(parts: dict[str, str]) -> Iterator[tuple[str, Resolver]]:
    """The letter of each action, and how its step is found."""
    for name, words in parts.items():
        if name in ("RS", "OR") or (name == "MV" and words == "-"):
            continue
        if (name, words) == ("MV", "?"):
            raise NotationError("this is a history as one side saw it (MV:?), which cannot be played again")
        letter = name[2] if name.startswith("FI") else LETTERS[name]
        yield letter, _resolver(name, words)


def _resolver(name: str, words: str) -> Resolver:
    for start, pattern, resolve in _READERS:
        found = pattern.fullmatch(words)
        if found is not None and name.startswith(start):
            return lambda board: resolve(board, found)
    raise NotationError(f"{name}:{words} cannot be read")


def _first_legal(board: Board, actions: dict[str, Resolver], orders: Iterable[Sequence[str]]) -> tuple[Step, ...]:
    """The steps in the first order in which all are legal."""
    trouble: NotationError | None = None
    for order in orders:
        after, turn = board.copy(), list[Step]()
        try:
            for letter in order:
                step = actions[letter](after)
                why = refusal(after, step)
                if why is not None:
                    raise NotationError(f"{step} is not legal: {why[1]}")
                perform(after, step)
                turn.append(step)
        except NotationError as error:
            trouble = trouble or error
            continue
        return tuple(turn)
    raise trouble or NotationError("there is no order of these actions")


def _place(words: str) -> tuple[int, int]:
    row, column = map(int, words[1:-1].split(","))
    if not on_board(row, column):
        raise NotationError(f"{words} is not on the board")
    return row, column


def _code(words: str) -> str:
    return _OLD.get(words, words)


def _piece(board: Board, words: str, side: int | None = None) -> str:
    """The id of the described piece, of the side to move unless another is given."""
    side = board.to_move if side is None else side
    found = _DESCRIPTION.fullmatch(words)
    assert found is not None
    cell = 100 * LEVELS.index(_LEVELS[found[2]]) + square_of(*_place(found[3]))
    if found[5] and len(re.findall(_ARTICLE, found[5])) != int(found[4]):
        raise NotationError(f"{words} has another number of articles than it says")
    plain = words.partition("#")[0].replace("JU", "JP")
    plain = re.sub(r"^SP(?=[\^v(])", "STP", plain)
    unseen = board.hidden(board.to_move)
    fitting = [p for p in board.at[cell] if board.side[p] == side and p not in unseen and described(board, p) == plain]
    number = int(found[7] or 1)
    if len(fitting) < number:
        raise NotationError(f"there is no piece {words} of {SIDES[side]}")
    return board.cast.ids[fitting[number - 1]]


def _move(board: Board, found: re.Match[str]) -> Step:
    carry = None if found[4] is None else _piece(board, found[4])
    return ("MV", _piece(board, found[1]), *_place(found[3]), _LEVELS[found[2]], carry)


def _doze(board: Board, found: re.Match[str]) -> Step:
    id, (row, column) = _piece(board, found[1]), _place(found[2])
    start = board.where(board.cast.numbers[id])
    squares = {_place(each) for each in re.findall(_PLACE, found[3])} - {start}
    return ("DZ", id, row - start[0], column - start[1], tuple(sorted(squares)))


def _fire(board: Board, found: re.Match[str]) -> Step:
    weapon, id = _code(found[1]), _piece(board, found[2])
    if found[5] is not None:
        return ("FI", id, weapon, "at", _piece(board, found[5], 1 - board.to_move))
    row, column = _place(found[3])
    if ARTICLES[weapon]["use"] == "transport":
        return ("FI", id, weapon, "to", row, column, _WAYS[found[4]])
    start = board.where(board.cast.numbers[id])
    return ("FI", id, weapon, "dir", row - start[0], column - start[1])


def _pick_up(board: Board, found: re.Match[str]) -> Step:
    return ("PU", _piece(board, found[1]), _code(found[2]))


def _drop(board: Board, found: re.Match[str]) -> Step:
    return ("DR", _piece(board, found[1]), _code(found[2]))


def _exchange(board: Board, found: re.Match[str]) -> Step:
    back = None if found[3] is None else _code(found[3])
    return ("EX", _piece(board, found[1]), _code(found[2]), _piece(board, found[4]), back)


def _reinforce(board: Board, found: re.Match[str]) -> Step:
    return ("RE", *_place(found[1]), _code(found[2]))


_READERS: tuple[tuple[str, re.Pattern[str], Callable[[Board, re.Match[str]], Step]], ...] = (
    ("MV", _DOZE, _doze),
    ("MV", _MOVE, _move),
    ("FI", _FIRE, _fire),
    ("PU", _PICK_UP, _pick_up),
    ("DR", _DROP, _drop),
    ("EX", _EXCHANGE, _exchange),
    ("RE", _REINFORCE, _reinforce),
)

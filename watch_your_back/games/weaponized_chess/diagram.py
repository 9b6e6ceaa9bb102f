"""A state as text: the three levels drawn side by side, and below them everything about each piece and article.

In the diagram every kind has a letter, a capital for Black and a small one for White. The lines below it are the whole
truth; `read` reads them and finds out where the diagram says something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from watch_your_back.game import Outcome
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.canonical import STATUSES
from watch_your_back.games.weaponized_chess.cast import INHERENT, Projectile
from watch_your_back.games.weaponized_chess.squares import AIR, GROUND, LEVELS, SIDES, SUB, on_board, place, square_of

if TYPE_CHECKING:
    from watch_your_back.games.weaponized_chess.state import Position

__all__ = ["LETTERS", "draw", "read"]

LETTERS = {
    "K": "K", "DI": "K", "AV": "K", "PR": "K", "Q": "Q", "AS": "Q", "AC": "Q", "PM": "Q", "TA": "T", "CL": "C",
    "CH": "H", "JE": "J", "SU": "U", "DO": "D", "DS": "S", "AAA": "A", "RP": "R", "STP": "N", "FP": "F", "CP": "V",
    "SHP": "L", "XP": "X", "SOP": "O",
}  # fmt: skip
"""The letter of each kind in the diagram."""

_SHOWN = (AIR, GROUND, SUB)
_HANDS = {None: "", "right": ">", "left": "<"}


def draw(state: Position) -> str:
    """The text of a state, without a newline at its end."""
    return "\n".join([_header(state), *_levels(state.board), *_details(state.board)])


def _header(state: Position) -> str:
    if state.outcome is None:
        return f"turn {state.ply + 1}, {SIDES[state.to_move]} to act"
    winner = "nobody" if state.outcome.winner is None else SIDES[state.outcome.winner]
    return f"over after turn {state.ply} of {SIDES[1 - state.to_move]}: {winner} won ({state.outcome.reason})"


def _levels(board: Board) -> Iterator[str]:
    yield "   " + "  ".join(f"{LEVELS[level]:<30}" for level in _SHOWN).rstrip()
    for row in range(10, 0, -1):
        boards = ["".join(_letters(board, 100 * level + square_of(row, c)) for c in range(1, 11)) for level in _SHOWN]
        yield f"{row:2} " + "  ".join(boards).rstrip()
    columns = "".join(f"{column:<3}" for column in range(1, 11))
    yield "   " + "  ".join([columns] * 3).rstrip()


def _letters(board: Board, cell: int) -> str:
    letters = (LETTERS[board.cast.kinds[p].code] for p in sorted(board.at[cell]))
    signs = "".join(
        letter.lower() if board.side[p] else letter for letter, p in zip(letters, sorted(board.at[cell]), strict=True)
    )
    return f"{signs or '.':<3}"


def _details(board: Board) -> Iterator[str]:
    cast = board.cast
    for p, cell in enumerate(board.cell):
        if cell >= 0:
            kind = cast.kinds[p].code + _HANDS[cast.hands[p]]
            words = [f"{cast.ids[p]}: {SIDES[board.side[p]]} {kind} {_cell(cell)}", *_facts(board, p)]
            yield " ".join(words)
    lying = {a: square for square in range(100) for a in board.ground[square]}
    for a, kind in enumerate(cast.article_types):
        facts = [*_pause(board, a, ""), *_lock(board, a)]
        if a in lying or facts:
            yield " ".join([f"{cast.article_ids[a]}: {kind}", *([_place(lying[a])] if a in lying else []), *facts])
    for missile in board.missiles:
        homes = f" at={cast.ids[missile.target]} of={SIDES[missile.side]}" if missile.target >= 0 else ""
        yield f"{missile.kind}: {_place(missile.square)} by=({missile.rows},{missile.columns}){homes}"
    for p in sorted(board.waiting):
        status = STATUSES[board.seats[cast.homes[p]]]
        yield f"{cast.ids[p]}: waits {_place(cast.homes[p])} {status}"


def _facts(board: Board, p: int) -> Iterator[str]:
    cast = board.cast
    if p in board.origin:
        yield "origin"
    if board.carried[p]:
        yield "carries=" + ",".join(cast.article_ids[a] for a in board.carried[p])
    if p in board.stun:
        yield f"stunned={board.stun[p]}"
    for w, weapon in enumerate(cast.kinds[p].weapons):
        yield from _pause(board, INHERENT + 4 * p + w, weapon + ":")
    if p in board.journeys:
        article, cells = board.journeys[p]
        number = list(board.journeys).index(p)
        yield f"travels={number}:{cast.article_ids[article]}:" + "/".join(_cell(cell, "") for cell in cells)
    yield from _lock(board, INHERENT + p)
    if p in board.reveal:
        yield f"revealed={board.reveal[p]}"


def _pause(board: Board, weapon: int, name: str) -> Iterator[str]:
    if weapon in board.countdown:
        turns, side = board.countdown[weapon]
        yield f"pauses={name}{turns}:{SIDES[side]}"


def _lock(board: Board, locker: int) -> Iterator[str]:
    if locker in board.lock:
        yield f"locked={board.cast.ids[board.lock[locker]]}"


def _place(square: int) -> str:
    row, column = place(square)
    return f"({row},{column})"


def _cell(cell: int, between: str = " ") -> str:
    return f"{LEVELS[cell // 100]}{between}{_place(cell)}"


_OVER = re.compile(r"over after turn ([0-9]{1,9}) of (black|white): (black|white|nobody) won \((primary|turn limit)\)")
_GOES_ON = re.compile(r"turn ([0-9]{1,9}), (black|white) to act")
_LINE = re.compile(r"([^\s:]+): (.*)")
_PLACE = re.compile(r"(?:(ground|air|sub) ?)?\(([0-9]{1,2}),([0-9]{1,2})\)")


def read(text: str, empty: Board) -> tuple[Board, int, Outcome | None]:
    """The board, the turns taken and the outcome that a text tells of; `empty` is a board of the match without pieces.

    Raises ValueError that names the line.
    """
    lines = text.split("\n")
    board = empty.copy()
    over = _OVER.fullmatch(lines[0])
    header = over or _GOES_ON.fullmatch(lines[0])
    if header is None:
        raise ValueError(f"line 1: expected 'turn N, black to act', not {lines[0]!r}")
    board.to_move = SIDES.index(header[2])
    outcome = None
    if over is not None:
        outcome = Outcome(None if over[3] == "nobody" else SIDES.index(over[3]), over[4])
    journeys: list[tuple[int, int, int, tuple[int, ...]]] = []
    for number, line in enumerate(lines[13:], 14):
        try:
            _detail(board, line, journeys)
        except (ValueError, LookupError, StopIteration) as error:
            raise ValueError(f"line {number}: {line!r} cannot be read ({error})") from None
    for _, p, article, cells in sorted(journeys):
        board.journeys[p] = article, cells
    board.seats = dict(sorted(board.seats.items()))
    board.changed()
    return board, int(header[1]) - (over is None), outcome


def _detail(board: Board, line: str, journeys: list[tuple[int, int, int, tuple[int, ...]]]) -> None:
    found = _LINE.fullmatch(line)
    if found is None:
        raise ValueError("expected a piece, an article, a projectile or a reinforcement and a colon")
    name, words = found[1], found[2]
    cast = board.cast
    if name in ("R", "S", "T"):
        _missile(board, name, words)
    elif name in cast.numbers and words.startswith("waits "):
        p = cast.numbers[name]
        _, _, status = words.split(" ")
        board.waiting.add(p)
        board.seats[cast.homes[p]] = STATUSES.index(status)
    elif name in cast.numbers:
        _piece(board, cast.numbers[name], words, journeys)
    else:
        _article(board, cast.article_ids.index(name), words)


def _read_cell(words: str) -> int:
    found = _PLACE.fullmatch(words)
    if found is None or not on_board(int(found[2]), int(found[3])):
        raise ValueError(f"{words} is no place on the board")
    return 100 * LEVELS.index(found[1] or "ground") + square_of(int(found[2]), int(found[3]))


def _piece(board: Board, p: int, words: str, journeys: list[tuple[int, int, int, tuple[int, ...]]]) -> None:
    cast = board.cast
    side, _, level, where, *facts = words.split(" ")
    board.side[p] = SIDES.index(side)
    board.enter(p, _read_cell(f"{level} {where}"))
    for fact in facts:
        key, _, value = fact.partition("=")
        match key:
            case "origin":
                board.origin.add(p)
            case "carries":
                for article in value.split(","):
                    board.give(p, cast.article_ids.index(article))
            case "stunned":
                board.stun[p] = int(value)
            case "pauses":
                weapon, turns, by = value.split(":")
                key_of_weapon = INHERENT + 4 * p + cast.kinds[p].weapons.index(weapon)
                board.countdown[key_of_weapon] = int(turns), SIDES.index(by)
            case "travels":
                number, article, cells = value.split(":")
                way = tuple(map(_read_cell, cells.split("/")))
                journeys.append((int(number), p, cast.article_ids.index(article), way))
            case "locked":
                board.lock[INHERENT + p] = cast.numbers[value]
            case "revealed":
                board.reveal[p] = int(value)
            case _:
                raise ValueError(f"{fact!r} is not known")


def _article(board: Board, a: int, words: str) -> None:
    for fact in words.split(" ")[1:]:
        key, _, value = fact.partition("=")
        match key:
            case "pauses":
                turns, by = value.split(":")
                board.countdown[a] = int(turns), SIDES.index(by)
            case "locked":
                board.lock[a] = board.cast.numbers[value]
            case _:
                board.lay(a, _read_cell(fact))


def _missile(board: Board, kind: str, words: str) -> None:
    found = re.fullmatch(r"(\S+) by=\((-?[01]),(-?[01])\)(?: at=(\S+) of=(black|white))?", words)
    if found is None:
        raise ValueError("expected a place, by=(rows,columns) and the target")
    target = board.cast.numbers[found[4]] if found[4] else -1
    side = SIDES.index(found[5]) if found[5] else -1
    board.missiles.append(Projectile(kind, _read_cell(found[1]), int(found[2]), int(found[3]), target, side))

"""The picture of a state: the three levels side by side, each a board of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from watch_your_back.game import Action, Board, Cell, Label, Layout, Mark, Piece
from watch_your_back.games.weaponized_chess.squares import AIR, GROUND, LEVELS, SIDES, SUB, place, square_of
from watch_your_back.games.weaponized_chess.weapons import LEVEL

if TYPE_CHECKING:
    from watch_your_back.games.weaponized_chess.board import Board as Position
    from watch_your_back.games.weaponized_chess.steps import Step

__all__ = ["LAYOUT", "cell_id", "notes", "picture", "touched", "touched_by"]

_ORDER = (AIR, GROUND, SUB)
_APART = 12.0
_HANDS = {None: "", "right": ">", "left": "<"}


def cell_id(cell: int) -> Action:
    """What the picture calls a cell: (level, row, column)."""
    return (LEVELS[cell // 100], *place(cell))


def _layout() -> Layout:
    cells, labels = [], []
    for number, level in enumerate(_ORDER):
        left = _APART * number
        tone = {GROUND: "", AIR: "air", SUB: "sub"}[level]
        for row in range(10, 0, -1):
            for column in range(1, 11):
                dark = "dark" if (row + column) % 2 else ""
                cells.append(
                    Cell(
                        cell_id(100 * level + square_of(row, column)),
                        left + column - 1,
                        10 - row,
                        tone=" ".join(filter(None, (dark, tone))),
                    )
                )
        labels.append(Label(left + 4.5, -1.6, LEVELS[level]))
        labels += [Label(left + column - 1, -0.8, str(column)) for column in range(1, 11)]
        labels += [Label(left - 0.8, 10 - row, str(row)) for row in range(1, 11)]
    return Layout(tuple(cells), (), tuple(labels), dark=SIDES.index("black"))


LAYOUT = _layout()


def notes(board: Position) -> list[str]:
    """What lies beside the board: who acts, stunned pieces, and reinforcements to come."""
    cast = board.cast
    told = [f"{SIDES[board.to_move]} to act"]
    told += [f"{cast.ids[p]} is stunned: {turns}" for p, turns in sorted(board.stun.items())]
    for side, name in enumerate(SIDES):
        waiting = sum(cast.homes[p] // 100 == side for p in board.waiting)
        told.append(f"{name}'s reinforcements: {waiting}")
    return told


def picture(board: Position, notes: list[str]) -> Board:
    """What is on the board: pieces with their codes, articles that lie on the ground, projectiles."""
    return Board(LAYOUT, list(_pieces(board)), list(_marks(board)), notes)


def _pieces(board: Position) -> Iterator[Piece]:
    cast = board.cast
    for square, articles in enumerate(board.ground):
        for kind in sorted([cast.article_types[a] for a in articles]):  # not by their ids, which nobody sees
            yield Piece(cell_id(square), None, "article", kind)
    for missile in board.missiles:
        yield Piece(cell_id(100 * LEVEL[missile.kind] + missile.square), None, "projectile", _arrow(missile))
    for p, cell in enumerate(board.cell):
        if cell >= 0:
            code = cast.kinds[p].code
            yield Piece(cell_id(cell), board.side[p], code, code + _HANDS[cast.hands[p]])


def _arrow(missile: tuple[str, int, int, int, int, int]) -> str:
    """The letter of a projectile and the way it flies, as on a map with Black below."""
    kind, _, rows, columns, *_ = missile
    vertical = {1: "u", -1: "d", 0: ""}[rows]
    return kind + vertical + {1: "r", -1: "l", 0: ""}[columns]


def _marks(board: Position) -> Iterator[Mark]:
    for p in board.stun:
        yield Mark(cell_id(board.cell[p]), "stunned")
    for seat in board.seats:
        yield Mark(cell_id(seat % 100), "reinforcement")


def touched_by(board: Position, step: Step) -> list[Action]:
    """The cells that a person touches one after the other to take a step on this board: first the piece that acts."""
    if step[0] == "RE":
        return [("ground", step[1], step[2])]
    numbers = board.cast.numbers
    actor = board.cell[numbers[step[1]]]
    found = [cell_id(actor)]
    match step:
        case ("MV", _, row, column, level, _):
            found.append((level, row, column))
        case ("DZ", _, rows, columns, squares):
            found += [("ground", row, column) for row, column in squares]
            row, column = place(actor)
            found.append(("ground", row + rows, column + columns))
        case ("FI", _, _, "dir", rows, columns):
            row, column = place(actor)
            found.append((LEVELS[actor // 100], row + rows, column + columns))
        case ("FI", _, _, "at", target):
            found.append(cell_id(board.cell[numbers[target]]))
        case ("FI", _, _, "to", row, column, _):
            found.append(("ground", row, column))
        case ("EX", _, _, other, _):
            found.append(cell_id(board.cell[numbers[other]]))
    return found


def touched(action: Action) -> list[Action]:
    """The cells that steps of a turn name, in their order."""
    found: list[Action] = []
    for step in action if isinstance(action, tuple) else ():
        if not isinstance(step, tuple):
            continue
        match step:
            case ("MV", _, row, column, level, _):
                found.append((level, row, column))
            case ("FI", _, _, "to", row, column, _):
                found.append(("ground", row, column))
            case ("RE", row, column, _):
                found.append(("ground", row, column))
    return found

"""Why a Move or a doze is not legal on a board as its player sees it."""

from __future__ import annotations

from watch_your_back.games.weaponized_chess import dozing, movement
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.squares import DIRECTIONS, LEVELS, distance, offset, place, square_of
from watch_your_back.games.weaponized_chess.steps import Step
from watch_your_back.games.weaponized_chess.wording import Refusal, listed, named, no_direction, no_square

__all__ = ["refused_doze", "refused_move"]


def refused_move(board: Board, p: int, step: Step) -> Refusal | None:
    """Why a piece that may act cannot make this Move, if so."""
    _, id, row, column, level, carry = step
    if level not in LEVELS:
        return "form", f"a level is one of {', '.join(LEVELS)}, not {level[:50]!r}"
    if why := no_square(row, column):
        return why
    if p in board.journeys and board.cell[p] >= 100:
        return (
            "unreachable",
            f"{id} travels by {board.cast.article_types[board.journeys[p][0]]} and cannot Move before it lands",
        )
    cell = 100 * LEVELS.index(level) + square_of(row, column)
    allowed = movement.passengers(board, p)
    passenger = movement.NO_PASSENGER if carry is None else board.cast.numbers.get(carry, -2)
    if passenger not in allowed:
        return _passenger(board, id, carry, allowed)
    found = movement.destinations(board, p, passenger)
    if cell in found:
        return None
    kind, because = _unreachable(board, p, passenger, cell)
    instead = f"it can go to {listed(map(named, found))}" if found else "it cannot Move at all"
    return kind, f"{id} cannot go from {named(board.cell[p])} to {named(cell)}: {because}; {instead}"


def _passenger(board: Board, id: str, carry: str | None, allowed: tuple[int, ...]) -> Refusal:
    ids = board.cast.ids
    if carry is None:
        return "passenger", f"{id} has to take {ids[allowed[0]]} along, which would be left without support"
    if allowed == (movement.NO_PASSENGER,):
        why = "only a Chopper or Sub takes along a passenger, a friendly piece on its own level and square"
        return "passenger", f"{id} has nobody to take along ({why})"
    return "passenger", f"{id} can take {ids[allowed[-1]]} along, not {carry[:50]!r}"


def _unreachable(board: Board, p: int, passenger: int, cell: int) -> Refusal:
    """Why a piece cannot go to a cell."""
    side, there = board.side[p], board.seen_at(board.side[p])[cell]
    if board.cell[p] == cell:
        return "unreachable", "it is there"
    if board.cell[p] >= 100 and board.cast.kinds[p].code not in ("CH", "JE", "SU"):
        return "unreachable", "off the ground only Choppers, Jets and Subs move by themselves"
    if passenger >= 0 and board.cast.kinds[passenger].primary and cell >= 100 and not board.rules.primary_off_ground:
        return "option", "a primary piece may not be carried off the ground (option primary_off_ground)"
    if not _reaches_alone(board, p, cell):
        attack = board.cast.kinds[p].pawn and not there and cell in _attacks(board, p)
        return "unreachable", "a pawn goes there only to take" if attack else "its kind does not move like that"
    if there and any(board.side[q] == side for q in there):
        if len(there) > 1 or passenger >= 0:
            return "occupied", "there is no room for another piece"
        return "occupied", f"it cannot share a square with {board.cast.ids[there[0]]}, for neither coexists"
    if there and not board.cast.kinds[p].combat:
        return "occupied", f"{board.cast.ids[there[0]]} is there, and it does not take by moving"
    return "occupied", "a piece is in the way" if not there else f"{board.cast.ids[there[0]]} cannot be taken like that"


def _attacks(board: Board, p: int) -> list[int]:
    side = board.side[p]
    return [path[-1] for path in board.rules.pawn_attacks[p in board.origin][side][board.cell[p]]]


def _reaches_alone(board: Board, p: int, cell: int) -> bool:
    """Whether the piece could go there if no other were on the board."""
    empty = board.fork()
    for q, where in enumerate(board.cell):
        if where >= 0 and q != p:
            empty.at[where], empty.cell[q] = (), -1
    empty.at[board.cell[p]] = (p,)
    empty.shy.clear()
    empty.below.clear()
    empty.changed()
    return cell in movement.destinations(empty, p)


def refused_doze(board: Board, p: int, step: Step) -> Refusal | None:
    """Why a piece that may act cannot doze like this, if so."""
    _, id, rows, columns, squares = step
    if board.cast.kinds[p].code != "DO":
        return "unreachable", f"{id} is no Dozer"
    if (rows, columns) not in DIRECTIONS:
        return no_direction(rows, columns)
    if p in board.journeys and board.cell[p] >= 100:
        return "unreachable", f"{id} travels and cannot doze before it lands"
    if dozing.companion(board, p) is None:
        return "unreachable", f"{id} dozes only on the ground, when it shares its square with a friendly piece"
    if list(squares) != sorted(set(squares)):
        return "form", "the squares of a doze are listed once each, in ascending order"
    options = dict(dozing.choices(board, p))
    for row, column in squares:
        if why := no_square(row, column):
            return why
        if square_of(row, column) not in options:
            return "unreachable", f"({row}, {column}) cannot be chosen: {_no_choice(board, p, square_of(row, column))}"
    chosen = [square_of(*each) for each in squares]
    if sum(options[each] for each in chosen) > dozing.MOST:
        return "unreachable", f"a doze takes along {dozing.MOST} pieces at most besides the Dozer and its companion"
    stuck = dozing.obstacle(board, p, rows, columns, chosen)
    if stuck is None:
        return None
    if offset(stuck, rows, columns) < 0:
        return "off_board", f"the pieces on {place(stuck)} would leave the board"
    return (
        "occupied",
        f"the pieces on {place(stuck)} would come to {place(offset(stuck, rows, columns))}, where others are",
    )


def _no_choice(board: Board, p: int, square: int) -> str:
    if distance(board.cell[p], square) != 1:
        return "it is not next to the Dozer"
    if not board.seen_at(board.side[p])[square]:
        return "no piece is on its ground"
    return "enemy pieces are not dozed (option doze_enemy)"

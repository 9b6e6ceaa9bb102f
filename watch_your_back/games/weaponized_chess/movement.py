"""Moves: where each piece can go, and going there (section 5). A destination is a cell, a passenger a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.chronicle import note
from watch_your_back.games.weaponized_chess.losses import take
from watch_your_back.games.weaponized_chess.rules import Leg
from watch_your_back.games.weaponized_chess.squares import AIR, GROUND, NEIGHBOURS, SUB, place, sign
from watch_your_back.games.weaponized_chess.support import stands

__all__ = ["NO_PASSENGER", "destinations", "end_of_leg", "go", "moves", "passengers"]

NO_PASSENGER = -1

At = list[tuple[int, ...]]
"""The pieces by cell, as the side to move sees them."""


def moves(board: Board, piece: int) -> Iterator[tuple[int, int]]:
    """Every Move of a piece that may act: the cell that it is ordered to, and its passenger."""
    for passenger in passengers(board, piece):
        for cell in destinations(board, piece, passenger):
            yield cell, passenger


def passengers(board: Board, piece: int) -> tuple[int, ...]:
    """Whom a piece may take along on a Move, `NO_PASSENGER` among them where it may go alone (section 5.9)."""
    if board.cast.kinds[piece].code in ("SU", "CH"):
        cell = board.cell[piece]
        for q in board.at[cell]:
            if q != piece and board.side[q] == board.side[piece]:
                return (NO_PASSENGER, q) if stands(board, q) else (q,)
    return (NO_PASSENGER,)


def destinations(board: Board, piece: int, passenger: int = NO_PASSENGER) -> list[int]:
    """The cells that a piece that may act can be ordered to, as its side sees the board; each once."""
    kind, cell = board.cast.kinds[piece], board.cell[piece]
    find = _SPECIAL.get(kind.role) or _SPECIAL.get(kind.code, _steps)
    found = find(board, piece, cell, passenger)
    if passenger >= 0 and board.cast.kinds[passenger].primary and not board.rules.primary_off_ground:
        found = [each for each in found if each < 100]
    return found


def go(board: Board, piece: int, destination: int, passenger: int = NO_PASSENGER) -> None:
    """Carry out a legal Move on a board that may hold pieces which its player does not see (section 5.1)."""
    side, start = board.side[piece], board.cell[piece]
    enemy_hidden = board.hidden(side)
    route = _route(board, piece, start, destination) if enemy_hidden else [destination]
    combat, end = _combat(board, piece, start, destination, passenger), destination
    for number, cell in enumerate(route):
        met = [q for q in board.at[cell] if q in enemy_hidden]
        if met:
            before = route[number - 1] if number else start
            end = cell if combat else before
            if not combat:
                for q in met:
                    board.show(q)
                before = route[number - 2] if number > 1 else start
            break
    else:
        before = end
    board.moved = True
    board.journeys.pop(piece, None)
    taken = [q for q in board.at[end] if board.side[q] != side] if end != start else []
    take(board, taken, piece)
    board.shift(piece, end)
    if passenger >= 0 and end != start:
        board.journeys.pop(passenger, None)
        board.shift(passenger, end)
    if end != destination:
        _note_end(board, piece, end, before)
    if taken and board.rules.seen_taking and piece in board.hidden(1 - side):
        board.show(piece)


def _note_end(board: Board, piece: int, end: int, before: int) -> None:
    """Note that a piece ended elsewhere than ordered, and by what last step."""
    (row, column), (old_row, old_column) = place(end), place(before)
    note(board, "at", piece, board.cast.kinds[piece].code, end, sign(row - old_row), sign(column - old_column))


def _enters(board: Board, at: At, piece: int, cell: int, combat: bool, passenger: int = NO_PASSENGER) -> bool:
    """The destination rule of section 5.1."""
    there = at[cell]
    if not there:
        return True
    side = board.side
    mine = side[piece]
    if side[there[0]] == mine:
        if len(there) > 1 or passenger >= 0:
            return False
        kinds = board.cast.kinds
        return kinds[there[0]].coexists or kinds[piece].coexists
    return combat and (len(there) == 1 or side[there[1]] != mine)


def _combat(board: Board, piece: int, start: int, destination: int, passenger: int) -> bool:
    kind = board.cast.kinds[piece]
    if kind.combat or not board.rules.sub_jet_combat:
        return kind.combat
    if kind.code == "SU":
        return passenger < 0
    return kind.code == "JE" and (
        destination // 100 == GROUND or start // 100 == GROUND or _one_step(start, destination)
    )


def _one_step(start: int, destination: int) -> bool:
    return any(square == destination % 100 for _, _, square in NEIGHBOURS[start % 100])


def _steps(board: Board, piece: int, cell: int, passenger: int) -> list[int]:
    if cell >= 100:
        return []
    at, combat = board.seen_at(board.side[piece]), board.cast.kinds[piece].combat
    return [square for _, _, square in NEIGHBOURS[cell] if not at[square] or _enters(board, at, piece, square, combat)]


def _sub(board: Board, piece: int, cell: int, passenger: int) -> list[int]:
    level = cell // 100
    if level == AIR:
        return []
    at = board.seen_at(board.side[piece])
    combat = board.rules.sub_jet_combat and passenger < 0
    base = 100 * level
    found = [base + square for _, _, square in NEIGHBOURS[cell - base]]
    found.append(cell + 100 * SUB if level == GROUND else cell - 100 * SUB)
    return [each for each in found if not at[each] or _enters(board, at, piece, each, combat, passenger)]


def _jet(board: Board, piece: int, cell: int, passenger: int) -> list[int]:
    level = cell // 100
    if level == SUB:
        return []
    side, combat = board.side[piece], board.rules.sub_jet_combat
    at = board.seen_at(side)
    if level == GROUND:
        up = cell + 100 * AIR
        return [up] if _enters(board, at, piece, up, combat) else []
    down = cell - 100 * AIR
    found = [down] if _enters(board, at, piece, down, combat) else []
    for line in board.rules.jets[side][down]:
        first = 100 * AIR + line[0]
        if _enters(board, at, piece, first, combat):
            found.append(first)
        if len(line) > 1 and not at[first] and _enters(board, at, piece, 100 * AIR + line[1], False):
            found.append(100 * AIR + line[1])
    return found


def _pawn(board: Board, piece: int, cell: int, passenger: int) -> list[int]:
    if cell >= 100:
        return []
    side, rules = board.side[piece], board.rules
    at, stage = board.seen_at(side), piece in board.origin
    found = [
        path[-1]
        for path in rules.pawn_moves[stage][side][cell]
        if (not at[path[-1]] or _enters(board, at, piece, path[-1], False)) and (len(path) == 1 or not at[path[0]])
    ]
    for (square,) in rules.pawn_attacks[stage][side][cell]:
        there = at[square]
        if there and board.side[there[0]] != side and (len(there) == 1 or board.side[there[1]] != side):
            found.append(square)
    return found


def _along_paths(board: Board, piece: int, cell: int, passenger: int) -> list[int]:
    if cell >= 100:
        return []
    at = board.seen_at(board.side[piece])
    found = {}
    for path in board.rules.paths(board.cast.kinds[piece], board.side[piece], board.cast.hands[piece], cell):
        for square in path:
            if not at[square]:
                found[square] = True
                continue
            if _enters(board, at, piece, square, True):
                found[square] = True
            break
    return list(found)


def end_of_leg(board: Board, piece: int, leg: Leg) -> int:
    """The square that this leg of its paths leads the piece to; -1 if it cannot go there, or can by an earlier one."""
    square, before, others = leg
    at = board.seen_at(board.side[piece])
    for each in before:
        if at[each]:
            return -1
    if not _enters(board, at, piece, square, True):
        return -1
    for other in others:
        if not any(at[each] for each in other):
            return -1
    return square


def _chopper(board: Board, piece: int, cell: int, passenger: int) -> list[int]:
    level = cell // 100
    if level == SUB:
        return []
    square, side = cell % 100, board.side[piece]
    at = board.seen_at(side)
    if level == GROUND and at[square + 100]:
        return []
    found = []
    for end, routes in board.rules.flights(side, board.cast.hands[piece] or "", square):
        above = end + 100 * AIR
        for route in routes:
            for each in route:
                if at[each + 100]:
                    break
            else:
                break
        else:
            continue
        if not at[above] and _enters(board, at, piece, end, True, passenger):
            found.append(end)
        if level == GROUND and _enters(board, at, piece, above, True, passenger):
            found.append(above)
    return found


_SPECIAL: dict[str, Callable[[Board, int, int, int], list[int]]] = {
    "SU": _sub,
    "JE": _jet,
    "CH": _chopper,
    "TA": _along_paths,
    "CL": _along_paths,
    "secondary": _along_paths,
    "pawn": _pawn,
}
"""By the role or the type of a piece; all others step one square on the ground."""


def _route(board: Board, piece: int, start: int, destination: int) -> list[int]:
    """The cells that a legal Move passes through, its end included: the first free way there (sections 5.5, 5.7)."""
    kind, side, rules = board.cast.kinds[piece], board.side[piece], board.rules
    at = board.seen_at(side)
    if kind.code == "CH":
        flights = dict(rules.flights(side, board.cast.hands[piece] or "", start % 100))
        route = next(route for route in flights[destination % 100] if not any(at[each + 100] for each in route))
        air = [each + 100 for each in route]
        rise = [start + 100] if start < 100 else []
        descent = [destination + 100] if destination < 100 else []
        return [*rise, *air, *descent, destination]
    paths: tuple[tuple[int, ...], ...]
    base = 0
    if kind.secondary or kind.code in ("TA", "CL"):
        paths = rules.paths(kind, side, board.cast.hands[piece], start)
    elif kind.pawn:
        stage = piece in board.origin
        paths = (*rules.pawn_moves[stage][side][start], *rules.pawn_attacks[stage][side][start])
    elif kind.code == "JE" and start // 100 == destination // 100 == AIR:
        paths, base = rules.jets[side][start % 100], 100 * AIR
    else:
        return [destination]
    for path in paths:
        if destination - base in path:
            way = [base + square for square in path[: path.index(destination - base) + 1]]
            if not any(at[cell] for cell in way[:-1]):
                return way
    raise AssertionError("the Move is not legal")

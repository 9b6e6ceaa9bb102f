"""The steps of a turn: every one that is legal on a board, as its player sees it, and carrying them out (section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from watch_your_back.games.weaponized_chess import dozing, handling, journeys, movement, weapons
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.cast import READY
from watch_your_back.games.weaponized_chess.squares import LEVELS, NEIGHBOURS, place, square_of

__all__ = [
    "Step",
    "able",
    "can_move",
    "cell_of",
    "drops",
    "exchange_step",
    "in_sight",
    "legal_steps",
    "loose",
    "move_step",
    "moves",
    "moves_of",
    "perform",
    "pick_ups",
    "reinforcements",
]

Step: TypeAlias = tuple[Any, ...]
"""One step of a turn in the encoding of section 4.2."""

_CELLS = tuple((*place(cell), LEVELS[cell // 100]) for cell in range(300))


def in_sight(board: Board) -> Board:
    """The board as the side to move sees it when its turn begins, without the pieces that it does not see."""
    seen = board.copy()
    for p in board.hidden(board.to_move):
        cell = seen.cell[p]
        seen.at[cell] = tuple([q for q in seen.at[cell] if q != p])
        seen.cell[p] = -1
        seen.shy.discard(p)
        seen.below.discard(p)
        seen.journeys.pop(p, None)
    seen.changed()
    return seen


def able(board: Board) -> list[int]:
    """The pieces of the side to move that can act, by id."""
    mine, stun, cell = board.to_move, board.stun, board.cell
    return [p for p, side in enumerate(board.side) if side == mine and cell[p] >= 0 and p not in stun]


def _able_to_act(board: Board) -> list[int]:
    if not board.rules.one_action or not board.acted:
        return able(board)
    return [p for p in able(board) if p not in board.acted]


def legal_steps(board: Board) -> Iterator[Step]:
    """Every legal next step: Moves and dozes, Fires, pick-ups, drops, exchanges, Reinforces; each by pieces' ids."""
    if not board.moved:
        yield from moves(board)
    if board.rules.moves_only:
        return
    pieces = _able_to_act(board)
    if board.fires < 2:
        for p in pieces:
            if p not in board.shooters:
                yield from fires(board, p)
    if "PU" not in board.done:
        for p in pieces:
            yield from pick_ups(board, p)
    if "DR" not in board.done:
        for p in pieces:
            yield from drops(board, p)
    if "EX" not in board.done:
        for p in pieces:
            if board.carried[p]:
                for q in pieces:
                    yield from exchanges(board, p, q)
    if "RE" not in board.done:
        yield from reinforcements(board)


def moves(board: Board) -> Iterator[Step]:
    """Every legal Move and doze, whether or not the turn has had one."""
    for p in _able_to_act(board):
        yield from moves_of(board, p)


def can_move(board: Board) -> bool:
    """Whether any Move is legal."""
    return next(moves(board), None) is not None


def moves_of(board: Board, p: int) -> list[Step]:
    """The Moves and dozes of a piece that may act."""
    if p in board.journeys and board.cell[p] >= 100:
        return []
    ids, id = board.cast.ids, board.cast.ids[p]
    found: list[Step] = []
    for passenger in movement.passengers(board, p):
        carry = None if passenger < 0 else ids[passenger]
        found += [("MV", id, *_CELLS[cell], carry) for cell in movement.destinations(board, p, passenger)]
    if board.cast.kinds[p].code == "DO":
        found += [("DZ", id, *doze) for doze in dozing.dozes(board, p)]
    return found


def move_step(board: Board, p: int, cell: int, passenger: int) -> Step:
    """The step that orders a piece to a cell."""
    ids = board.cast.ids
    return ("MV", ids[p], *_CELLS[cell], None if passenger < 0 else ids[passenger])


def fires(board: Board, p: int) -> Iterator[Step]:
    """The Fires of a piece that may act and has not fired."""
    ids, id = board.cast.ids, board.cast.ids[p]
    neighbours = NEIGHBOURS[board.cell[p] % 100]
    for weapon, found in weapons.arsenal(board, p).items():
        directions, targets = weapons.aims(board, p, weapon, found)
        if directions:
            for rows, columns, _ in neighbours:
                yield ("FI", id, weapon, "dir", rows, columns)
        for q in targets:
            yield ("FI", id, weapon, "at", ids[q])
    if board.carried[p] and p not in board.journeys:
        for transport in ("BI", "JP", "SC"):
            if journeys.vehicle(board, p, transport) >= 0 and journeys.may_launch(board, p, transport):
                start = board.cell[p] % 100
                for end in range(100):
                    if end != start:
                        for way in ("straight",) if journeys.direct(start, end) else ("port", "starboard"):
                            yield ("FI", id, transport, "to", *place(end), way)


def pick_ups(board: Board, p: int) -> Iterator[Step]:
    """The pick-ups of a piece that may act."""
    cell = board.cell[p]
    if cell < 100 and board.ground[cell] and len(board.carried[p]) < board.capacity(p, board.carried[p]):
        types = board.cast.article_types
        for kind in sorted({types[a] for a in board.ground[cell]}):
            yield ("PU", board.cast.ids[p], kind)


def drops(board: Board, p: int) -> Iterator[Step]:
    """The drops of a piece that may act."""
    if board.carried[p] and len(board.ground[board.cell[p] % 100]) < 2:
        for kind, article in loose(board, p):
            if handling.after_swap(board, p, article, -1):
                yield ("DR", board.cast.ids[p], kind)


def loose(board: Board, p: int) -> list[tuple[str, int]]:
    """The types of articles that the piece can part with, and which one of each it would be."""
    types, carried = board.cast.article_types, board.carried[p]
    if len(carried) == 1:
        return [] if p in board.journeys and board.journeys[p][0] == carried[0] else [(types[carried[0]], carried[0])]
    kinds = dict.fromkeys([types[a] for a in carried])
    return [(kind, a) for kind in kinds if (a := handling.carried(board, p, kind)) >= 0]


def exchanges(board: Board, p: int, q: int) -> Iterator[Step]:
    """The exchanges in which the first piece, which carries something, gives to the second; both may act."""
    if p != q and _may_exchange(board, p, q):
        theirs = loose(board, q) if board.carried[q] else ()
        for kind, article in loose(board, p):
            for back, other in ((None, -1), *theirs):
                step = exchange_step(board, p, kind, article, q, back, other)
                if step is not None:
                    yield step


def _may_exchange(board: Board, p: int, q: int) -> bool:
    kinds = board.cast.kinds
    return board.near(p, q) or kinds[p].secondary or kinds[q].secondary


def exchange_step(board: Board, p: int, kind: str, article: int, q: int, back: str | None, other: int) -> Step | None:
    """The step in which one piece gives an article to another, for one in return if `other` is not -1, if legal."""
    if p == q or not _may_exchange(board, p, q):
        return None
    if not handling.after_swap(board, q, other, article) or not handling.after_swap(board, p, article, other):
        return None
    return ("EX", board.cast.ids[p], kind, board.cast.ids[q], back)


def reinforcements(board: Board) -> Iterator[Step]:
    """The legal Reinforces."""
    mine = board.to_move
    at, cast = board.seen_at(mine), board.cast
    for seat, status in board.seats.items():
        if status == READY and seat // 100 == mine and not at[seat % 100]:
            waiting = sorted(p for p in board.waiting if cast.homes[p] == seat)
            for kind in dict.fromkeys([cast.kinds[p].code for p in waiting]):
                yield ("RE", *place(seat % 100), kind)


def perform(board: Board, step: Step) -> None:
    """Carry out a legal step."""
    _PERFORM[step[0]](board, step)


def cell_of(row: int, column: int, level: str) -> int:
    """The number of a cell that a step names."""
    return 100 * LEVELS.index(level) + square_of(row, column)


def _move(board: Board, step: Step) -> None:
    _, id, row, column, level, carry = step
    p, numbers = board.cast.numbers[id], board.cast.numbers
    movement.go(board, p, cell_of(row, column, level), movement.NO_PASSENGER if carry is None else numbers[carry])
    board.acted.add(p)


def _doze(board: Board, step: Step) -> None:
    _, id, rows, columns, chosen = step
    p = board.cast.numbers[id]
    dozing.doze(board, p, rows, columns, [square_of(*each) for each in chosen])
    board.acted.add(p)


def _fire(board: Board, step: Step) -> None:
    p = board.cast.numbers[step[1]]
    weapon, rules = step[2], board.rules
    unseen = (p in board.shy or p in board.below) and p in board.hidden(1 - board.to_move)
    if step[3] == "dir":
        weapons.fire_towards(board, p, weapon, step[4], step[5])
    elif step[3] == "at":
        weapons.fire_aimed(board, p, weapon, board.cast.numbers[step[4]])
    else:
        journeys.set_out(board, p, weapon, square_of(step[4], step[5]), step[6])
    if unseen and (rules.seen_firing_below if board.cell[p] >= 200 else rules.seen_firing):
        board.show(p)
    board.fires += 1
    board.shooters.add(p)
    board.acted.add(p)


def _pick_up(board: Board, step: Step) -> None:
    p = board.cast.numbers[step[1]]
    handling.pick_up(board, p, step[2])
    board.acted.add(p)


def _drop(board: Board, step: Step) -> None:
    p = board.cast.numbers[step[1]]
    handling.drop(board, p, step[2])
    board.acted.add(p)


def _exchange(board: Board, step: Step) -> None:
    p, q = board.cast.numbers[step[1]], board.cast.numbers[step[3]]
    handling.exchange(board, p, step[2], q, step[4])
    board.acted.update((p, q))


def _reinforce(board: Board, step: Step) -> None:
    handling.reinforce(board, square_of(step[1], step[2]), step[3])


_PERFORM: dict[str, Callable[[Board, Step], None]] = {
    "MV": _move,
    "DZ": _doze,
    "FI": _fire,
    "PU": _pick_up,
    "DR": _drop,
    "EX": _exchange,
    "RE": _reinforce,
}

"""Why a step is not legal on a board as its player sees it: what was done, why it may not be, and what may."""

from __future__ import annotations

from collections.abc import Callable

from watch_your_back.games.weaponized_chess import handling, journeys, weapons
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.cast import READY
from watch_your_back.games.weaponized_chess.kinds import ARTICLES, TRANSPORTS
from watch_your_back.games.weaponized_chess.move_refusals import refused_doze, refused_move
from watch_your_back.games.weaponized_chess.squares import DIRECTIONS, GROUND, LEVELS, SIDES, offset, place, square_of
from watch_your_back.games.weaponized_chess.steps import Step
from watch_your_back.games.weaponized_chess.wording import Refusal, listed, no_direction, no_square

__all__ = ["refusal"]

_ONCE = {"PU": "one pick-up", "DR": "one drop", "EX": "one exchange", "RE": "one Reinforce"}


def refusal(board: Board, step: Step) -> Refusal | None:
    """Why the step, which has the right shape, is not legal now; None if it is."""
    code = step[0]
    if code in ("MV", "DZ"):
        if board.moved:
            return "used", "a turn has one Move, and it has been made"
    elif board.rules.moves_only:
        return "option", "with action_restriction moves_only a turn is its Move alone"
    elif code == "FI" and board.fires >= 2:
        return "used", "a turn has two Fires at most, and both have been made"
    elif code in board.done:
        return "used", f"a turn has {_ONCE[code]}, and it has been made"
    if code == "RE":
        return _reinforce(board, step)
    return _actor(board, step[1]) or _REFUSALS[code](board, board.cast.numbers[step[1]], step)


def _actor(board: Board, id: str) -> Refusal | None:
    """Why the piece cannot act, if so."""
    if why := _mine(board, id):
        return why
    p = board.cast.numbers[id]
    if p in board.stun:
        return "stunned", f"{id} is stunned (its counter is at {board.stun[p]}) and can do nothing"
    if board.rules.one_action and p in board.acted:
        return "option", f"{id} has acted in this turn, and with one_action_per_piece a piece acts once"
    return None


def _mine(board: Board, id: str) -> Refusal | None:
    p = board.cast.numbers.get(id, -1)
    if p < 0 or board.cell[p] < 0:
        mine = [board.cast.ids[q] for q, side in enumerate(board.side) if side == board.to_move and board.cell[q] >= 0]
        return "not_yours", f"you see no piece {id[:50]!r} on the board; yours are {listed(mine)}"
    if board.side[p] != board.to_move:
        return "not_yours", f"{id} belongs to {SIDES[board.side[p]]}"
    return None


def _type(board: Board, article: int) -> str:
    return board.cast.article_types[article]


def _fire(board: Board, p: int, step: Step) -> Refusal | None:
    id, weapon, mode = step[1:4]
    if p in board.shooters:
        return "used", f"{id} has fired in this turn, and a piece fires once"
    if (weapon in TRANSPORTS) != (mode == "to"):
        return "form", 'a transport article (BI, JP, SC) is fired "to" a square, a weapon in a "dir" or "at" a piece'
    if mode == "to":
        return _set_out(board, p, step)
    if weapon not in ARTICLES or ARTICLES[weapon]["use"] != "weapon":
        return "form", f"{weapon[:50]!r} is no weapon"
    found = weapons.arsenal(board, p).get(weapon)
    if not found:
        return _not_ready(board, p, weapon)
    directions, targets = weapons.aims(board, p, weapon, found)
    if mode == "dir":
        rows, columns = step[4:]
        if (rows, columns) not in DIRECTIONS:
            return no_direction(rows, columns)
        if not directions:
            return "unreachable", f"the restricted rocket launcher of {id} is fired at a piece, not in a direction"
        if offset(board.cell[p] % 100, rows, columns) < 0:
            return "off_board", f"next to {board.where(p)} in the direction ({rows}, {columns}) is no square"
        return None
    target = step[4]
    if board.cast.numbers.get(target, -1) in targets:
        return None
    if weapon not in ("RL", "SL", "TL") or (weapon == "RL" and not weapons.restricted(board, p, weapon)):
        return "unreachable", f"{weapon} of {id} is fired in a direction, not at a piece"
    level = LEVELS[weapons.LEVEL[weapon]]
    reach = board.rules.restricted_rocket_range if weapon == "RL" else board.rules.homing_range
    aims = listed(board.cast.ids[q] for q in targets) or "none now"
    rule = f"its targets are enemy pieces that you see on the level {level}, {reach} squares away at most ({aims})"
    return "target", f"{target[:50]!r} is no target of {weapon} of {id}: {rule}"


def _not_ready(board: Board, p: int, weapon: str) -> Refusal:
    id = board.cast.ids[p]
    if not board.rules.weapons:
        return "option", "this match has no weapons (option weapons)"
    if weapon in board.cast.kinds[p].weapons or board.has(p, weapon):
        return "countdown", f"{weapon} of {id} has fired and cannot fire again yet"
    return "not_carried", f"{id} has no {weapon}"


def _set_out(board: Board, p: int, step: Step) -> Refusal | None:
    _, id, transport, _, row, column, way = step
    if not board.has(p, transport):
        return "not_carried", f"{id} carries no {transport}"
    if journeys.vehicle(board, p, transport) < 0:
        return "used", f"the {transport} of {id} has been fired in this turn"
    if p in board.journeys:
        return "used", f"{id} is travelling already"
    if not journeys.may_launch(board, p, transport):
        if board.cast.kinds[p].primary and transport != "BI" and not board.rules.primary_off_ground:
            return "option", "a primary piece may not leave the ground (option primary_off_ground)"
        return (
            "unreachable",
            f"{transport} is fired on the ground, and {id} is on the level {LEVELS[board.cell[p] // 100]}",
        )
    if why := no_square(row, column):
        return why
    start, end = board.cell[p] % 100, square_of(row, column)
    if start == end:
        return "unreachable", f"{id} is on {place(start)}; a journey leads to another square"
    ways = ("straight",) if journeys.direct(start, end) else ("port", "starboard")
    if way in ways:
        return None
    return "form", f"the path from {place(start)} to {place(end)} is {' or '.join(ways)}, not {way[:50]!r}"


def _pick_up(board: Board, p: int, step: Step) -> Refusal | None:
    _, id, kind = step
    if board.cell[p] // 100 != GROUND:
        return "unreachable", f"{id} is off the ground and cannot pick up anything"
    if handling.on_ground(board, p, kind) < 0:
        here = listed(sorted([_type(board, a) for a in board.ground[board.cell[p]]])) or "nothing"
        return "not_there", f"there is no {kind[:50]!r} on {board.where(p)}, but {here}"
    held, room = board.carried[p], board.capacity(p, board.carried[p])
    if len(held) < room:
        return None
    return "capacity", f"{id} carries {listed(_type(board, a) for a in held)}, and {room} is the most it can carry"


def _part(board: Board, p: int, kind: str) -> Refusal | None:
    """Why a piece cannot part with an article, if so."""
    if handling.carried(board, p, kind) >= 0:
        return None
    id = board.cast.ids[p]
    if journeys.in_use(board, p) >= 0 and board.has(p, kind):
        return "used", f"{id} travels by its {kind}"
    held = listed(_type(board, a) for a in board.carried[p]) or "nothing"
    return "not_carried", f"{id} carries no {kind[:50]!r}, but {held}"


def _drop(board: Board, p: int, step: Step) -> Refusal | None:
    _, id, kind = step
    if why := _part(board, p, kind):
        return why
    if len(board.ground[board.cell[p] % 100]) >= 2:
        return "occupied", f"two articles lie on {board.where(p)}, and that is the most"
    if not handling.after_swap(board, p, handling.carried(board, p, kind), -1):
        return "capacity", f"without its {kind} {id} could not carry the rest"
    return None


def _exchange(board: Board, p: int, step: Step) -> Refusal | None:
    _, id, kind, other, swap = step
    if why := _actor(board, other):
        return why
    q = board.cast.numbers[other]
    if p == q:
        return "unreachable", "an exchange needs two pieces"
    if why := _part(board, p, kind) or (_part(board, q, swap) if swap is not None else None):
        return why
    if not (board.near(p, q) or board.cast.kinds[p].secondary or board.cast.kinds[q].secondary):
        rule = "on the same level of the same or of adjacent squares, unless one is a secondary piece"
        return "unreachable", f"{id} and {other} are too far apart: an exchange is between pieces {rule}"
    article = handling.carried(board, p, kind)
    back = -1 if swap is None else handling.carried(board, q, swap)
    for each, lost, gained in ((p, article, back), (q, back, article)):
        if not handling.after_swap(board, each, lost, gained):
            return "capacity", f"{board.cast.ids[each]} could not carry what it would have then"
    return None


def _reinforce(board: Board, step: Step) -> Refusal | None:
    _, row, column, kind = step
    if why := no_square(row, column):
        return why
    square = square_of(row, column)
    if handling.reserve(board, square, kind) < 0:
        return "not_there", f"no reinforcement {kind[:50]!r} of yours waits at ({row}, {column})"
    if board.seats[100 * board.to_move + square] != READY:
        rule = (
            "a piece of yours has to stand on its ground at the end of a turn of yours and to leave it in a later one"
        )
        return "not_ready", f"the square ({row}, {column}) is not ready: {rule}"
    if board.seen_at(board.to_move)[square]:
        return "occupied", f"a piece is on the ground of ({row}, {column})"
    return None


_REFUSALS: dict[str, Callable[[Board, int, Step], Refusal | None]] = {
    "MV": refused_move,
    "DZ": refused_doze,
    "FI": _fire,
    "PU": _pick_up,
    "DR": _drop,
    "EX": _exchange,
}

"""What happens when a turn ends: journeys, projectiles, effects, bookkeeping (sections 8 and 12)."""

from __future__ import annotations

from watch_your_back.game import Outcome
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.cast import NONE, PRIMED
from watch_your_back.games.weaponized_chess.chronicle import note_fate
from watch_your_back.games.weaponized_chess.journeys import fall, travel
from watch_your_back.games.weaponized_chess.kinds import LAUNCHERS
from watch_your_back.games.weaponized_chess.losses import scatter
from watch_your_back.games.weaponized_chess.support import has_carrier, stands
from watch_your_back.games.weaponized_chess.weapons import advance

__all__ = ["PRIMARY", "TURN_LIMIT", "end_turn"]

PRIMARY = "primary"
TURN_LIMIT = Outcome(None, "turn limit")

_KILLERS = ("FL", *LAUNCHERS)
_KILLED_BY = {"FL": "FK", "RL": "RK", "SL": "SK", "TL": "TK"}


def end_turn(board: Board, turns: int) -> Outcome | None:
    """Carry out the results of a turn, the one with this number counted from 1, and let the other side go on.

    Returns how the game ended; the board is then as it was before its counters fell.
    """
    fallen: list[tuple[int, int, int, int]] = []
    if board.journeys:
        for p in [p for p in board.journeys if board.side[p] == board.to_move]:
            side = board.side[p]
            cell = travel(board, p)
            if cell >= 0:
                fallen.append((cell % 100, cell // 100, p, side))
    if board.missiles or board.launched:
        advance(board)
    if board.hits:
        _effects(board, fallen)
    if any(cell >= 100 for cell in board.cell):
        _support(board, fallen)
    for square, level, p, side in sorted(fallen):
        scatter(board, p, 100 * level + square, side)
    outcome = _outcome(board, turns)
    if outcome is None:
        _count_down(board)
        _reinforcements(board)
        board.to_move = 1 - board.to_move
    return outcome


def _effects(board: Board, fallen: list[tuple[int, int, int, int]]) -> None:
    """Destruction, conversion and stun, each of the pieces with more hits than defences (section 8.3)."""
    too_many: dict[int, set[str]] = {}
    for (p, weapon), count in board.hits.items():
        if board.cell[p] >= 0 and count > board.defences(p, weapon):
            too_many.setdefault(p, set()).add(weapon)
    hit = board.in_order(too_many)
    for p in hit:
        killer = next((weapon for weapon in _KILLERS if weapon in too_many[p]), None)
        if killer is not None:
            _destroy(board, p, _KILLED_BY[killer], fallen)
    for p in hit:
        if "CS" in too_many[p] and board.cell[p] >= 0:
            note_fate(board, p, "CS")
            board.convert(p)
    for p in hit:
        if "ST" in too_many[p] and board.cell[p] >= 0:
            _stun(board, p, fallen)


def _destroy(board: Board, piece: int, killed_by: str, fallen: list[tuple[int, int, int, int]]) -> None:
    cell = board.cell[piece]
    fallen.append((cell % 100, cell // 100, piece, board.side[piece]))
    note_fate(board, piece, killed_by)
    board.remove(piece)


def _stun(board: Board, piece: int, fallen: list[tuple[int, int, int, int]]) -> None:
    """Stun a piece; a traveller loses its journey (section 7.3)."""
    cell = board.cell[piece]
    fallen.append((cell % 100, cell // 100, piece, board.side[piece]))
    board.stun[piece] = board.rules.stun_turns
    board.stunned_now.add(piece)
    note_fate(board, piece, "ST")
    if board.journeys.pop(piece, None) and not stands(board, piece):
        fall(board, piece, "STK")


def _support(board: Board, fallen: list[tuple[int, int, int, int]]) -> None:
    """Destroy what is off the ground and neither stands by itself nor has a carrier (section 5.9)."""
    lost = [
        p for p, cell in enumerate(board.cell) if cell >= 100 and not stands(board, p) and not has_carrier(board, p)
    ]
    for p in board.in_order(lost):
        by_conversion = not board.converted.isdisjoint(board.at[board.cell[p]])
        if any(entry[2] == p for entry in fallen):  # stunned before: its articles fall from there already
            note_fate(board, p, "LK")
            board.remove(p)
        else:
            _destroy(board, p, "CK" if by_conversion else "LK", fallen)


def _outcome(board: Board, turns: int) -> Outcome | None:
    """How the game ends, judged after everything else (section 12)."""
    if board.lost:
        loser = board.to_move if board.to_move in board.lost else 1 - board.to_move
        return Outcome(1 - loser, PRIMARY)
    cap = board.rules.options.turn_cap
    return TURN_LIMIT if cap and turns >= cap else None


def _count_down(board: Board) -> None:
    """Counters of the side whose turn ends, and reveals (section 8.4, steps 3 and 4)."""
    mine = board.to_move
    for p, turns in list(board.stun.items()):
        if board.side[p] == mine and p not in board.stunned_now:
            if turns > 1:
                board.stun[p] = turns - 1
            else:
                del board.stun[p]
    for weapon, (turns, side) in list(board.countdown.items()):
        if side == mine and weapon not in board.fired:
            if turns > 1:
                board.countdown[weapon] = turns - 1, side
            else:
                del board.countdown[weapon]
    for p, turns in list(board.reveal.items()):
        if board.side[p] != mine:
            if turns > 1:
                board.reveal[p] = turns - 1
            else:
                del board.reveal[p]
                board.changed()


def _reinforcements(board: Board) -> None:
    """Which activation squares are primed now (section 8.4, step 5)."""
    mine = board.to_move
    for seat, status in board.seats.items():
        side, square = divmod(seat, 100)
        if status == NONE and (side != mine or not board.at[square]):
            continue
        held = any(board.side[p] == side for p in board.at[square])
        if status == PRIMED and not held:
            board.seats[seat] = NONE
        elif status == NONE and held:
            board.seats[seat] = PRIMED

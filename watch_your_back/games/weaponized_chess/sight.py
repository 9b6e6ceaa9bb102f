"""Who is seen by whom: stealth, submersion, detection, locks (section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watch_your_back.games.weaponized_chess.squares import distance

if TYPE_CHECKING:
    from watch_your_back.games.weaponized_chess.board import Board

__all__ = ["hidden", "make_lock"]


def hidden(board: Board, observer: int) -> frozenset[int]:
    """The enemy pieces that a side does not see (section 9.1)."""
    rules, side, cell = board.rules, board.side, board.cell
    unseen = []
    for p in board.shy | board.below if board.below else board.shy:
        if side[p] == observer or cell[p] < 0 or p in board.reveal:
            continue
        if cell[p] >= 200:
            out_of_sight = rules.submerged_hiding and not _detected(board, observer, p, "TL")
            out_of_sight = out_of_sight or (rules.stealth_dominates and _stealthy(board, observer, p))
        else:
            out_of_sight = _stealthy(board, observer, p)
        if out_of_sight and not _in_the_open(board, p):
            unseen.append(p)
    return frozenset(unseen)


def _in_the_open(board: Board, piece: int) -> bool:
    """Whether the piece is seen whatever it has: half of a mixed pair, or a primary piece that cannot be unseen."""
    return board.mixed(board.cell[piece]) or (board.cast.kinds[piece].primary and not board.rules.unseen_primary)


def _stealthy(board: Board, observer: int, piece: int) -> bool:
    rules = board.rules
    if not rules.stealth or piece not in board.shy:
        return False
    if rules.lock_detection and piece in board.lock.values():
        return False
    return not (rules.range_detection and _detected(board, observer, piece, "ASH"))


def _detected(board: Board, observer: int, piece: int, detector: str) -> bool:
    """Whether a piece of the observer that has the detector, TL or ASH, is near enough to this one."""
    rules, cell = board.rules, board.cell
    if detector == "TL" and not rules.weapons:
        return False
    found = False
    side, carried, reach = board.side, board.carried, rules.detector_range
    for q in board.cast.detectors[detector]:
        if side[q] == observer and cell[q] >= 0 and distance(cell[q], cell[piece]) <= reach:
            return True
    for q, articles in enumerate(carried):
        if articles and side[q] == observer and cell[q] >= 0 and distance(cell[q], cell[piece]) <= reach:
            found = found or board.has(q, detector)
    return found


def make_lock(board: Board, piece: int, article: int) -> None:
    """Let an anti-stealth lock on the nearest unseen piece with stealth, just before `piece` has it (section 9.2)."""
    if not board.rules.lock_detection:
        return
    kinds, cell = board.cast.kinds, board.cell
    found = [
        (distance(cell[piece], cell[p]), cell[p] % 100, p)
        for p in board.hidden(board.side[piece])
        if p in board.shy and not kinds[p].primary
    ]
    if found:
        board.lock[article] = min(found)[2]
        board.changed()

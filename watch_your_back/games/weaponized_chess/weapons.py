"""Weapons: what a piece can fire at, firing, and projectiles in flight (section 7 and 8.2)."""

from __future__ import annotations

from collections.abc import Iterable

from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.cast import INHERENT, Projectile
from watch_your_back.games.weaponized_chess.chronicle import note
from watch_your_back.games.weaponized_chess.kinds import BALLISTICS, WEAPONS
from watch_your_back.games.weaponized_chess.squares import AIR, GROUND, SUB, distance, offset, place, sign

__all__ = [
    "LAUNCHER",
    "LEVEL",
    "advance",
    "aims",
    "arsenal",
    "fire_aimed",
    "fire_towards",
    "ready",
    "restricted",
    "unrestricted",
]

LEVEL = {"RL": GROUND, "SL": AIR, "TL": SUB, "R": GROUND, "S": AIR, "T": SUB}
"""Where the projectile of a launcher flies."""
_WEAPONS = frozenset(WEAPONS)
LAUNCHER = {letter: weapon for weapon, letter in BALLISTICS.items()}


def restricted(board: Board, piece: int, weapon: str) -> bool:
    """Whether the piece's inherent weapon is a restricted rocket launcher (section 7.6)."""
    return weapon == "RL" and board.cast.kinds[piece].restricted_rocket


def ready(board: Board, piece: int, weapon: str) -> list[int]:
    """The piece's weapons of this type that can fire, its inherent one in front."""
    return arsenal(board, piece).get(weapon, [])


def arsenal(board: Board, piece: int) -> dict[str, list[int]]:
    """By type, the weapons of the piece that can fire; an inherent one is in front."""
    found: dict[str, list[int]] = {}
    if not board.rules.weapons:
        return found
    countdown, fired, key = board.countdown, board.fired, INHERENT + 4 * piece
    for weapon in board.cast.kinds[piece].weapons:
        if key not in countdown and key not in fired:
            found[weapon] = [key]
        key += 1
    if board.carried[piece]:
        types = board.cast.article_types
        for a in board.carried[piece]:
            if types[a] in _WEAPONS and a not in countdown and a not in fired:
                found.setdefault(types[a], []).append(a)
    return found


def unrestricted(board: Board, piece: int, launchers: list[int]) -> bool:
    """Whether there is one among the piece's ready rocket launchers that is not restricted to targets."""
    return not board.cast.kinds[piece].restricted_rocket or launchers[0] < INHERENT or len(launchers) > 1


def aims(board: Board, piece: int, weapon: str, found: list[int]) -> tuple[bool, list[int]]:
    """Whether these weapons of one type can be fired in a direction, and at which pieces they can be aimed."""
    if weapon == "RL":
        if not board.cast.kinds[piece].restricted_rocket:
            return True, []
        reach = board.rules.restricted_rocket_range
        return unrestricted(board, piece, found), [] if found[0] < INHERENT else _targets(board, piece, GROUND, reach)
    if weapon in BALLISTICS:
        return True, _targets(board, piece, LEVEL[weapon], board.rules.homing_range)
    return True, []


def _targets(board: Board, piece: int, level: int, reach: int) -> list[int]:
    """The seen enemy pieces on a level at most so far away, by id."""
    mine, start = board.side[piece], board.cell[piece]
    unseen = board.hidden(mine)
    low, high = 100 * level, 100 * level + 100
    if not reach:
        near: Iterable[int] = board.at[low + start % 100]
    else:
        near = [q for q, cell in enumerate(board.cell) if low <= cell < high and distance(cell, start) <= reach]
    return [q for q in near if board.side[q] != mine and q not in unseen]


def fire_towards(board: Board, piece: int, weapon: str, rows: int, columns: int) -> None:
    """Fire all ready weapons of a type in a direction."""
    weapons = ready(board, piece, weapon)
    if restricted(board, piece, weapon) and weapons[0] >= INHERENT:
        del weapons[0]
    square, level = board.cell[piece] % 100, board.cell[piece] // 100 * 100
    if weapon in BALLISTICS:
        board.launched += [Projectile(BALLISTICS[weapon], square, rows, columns, -1, -1)] * len(weapons)
    elif weapon == "FL":
        for k in range(1, board.rules.flame_range + 1):
            there = offset(square, k * rows, k * columns)
            if there >= 0:
                _hit(board, board.at[level + there], weapon, len(weapons))
    elif weapon == "ST":
        for k in range(1, board.rules.stun_range + 1):
            there = offset(square, k * rows, k * columns)
            if there < 0:
                break
            if board.at[level + there]:
                _hit(board, board.at[level + there], weapon, len(weapons))
                break
    else:
        beside = board.at[level + offset(square, rows, columns)]
        _hit(board, [q for q in beside if board.side[q] != board.side[piece]], weapon, len(weapons))
    _fired(board, piece, weapon, weapons)


def fire_aimed(board: Board, piece: int, weapon: str, target: int) -> None:
    """Fire all ready weapons of a type at a piece: rockets at once, SAMs and torpedoes to home."""
    weapons = ready(board, piece, weapon)
    if weapon == "RL":
        _hit(board, [q for q in board.at[board.cell[target]] if q != piece], weapon, len(weapons))
    else:
        (row, column), (target_row, target_column) = board.where(piece), board.where(target)
        rows, columns = sign(target_row - row), sign(target_column - column)
        one = Projectile(BALLISTICS[weapon], board.cell[piece] % 100, rows, columns, target, board.side[piece])
        board.launched += [one] * len(weapons)
    _fired(board, piece, weapon, weapons)


def _hit(board: Board, pieces: Iterable[int], weapon: str, times: int) -> None:
    for q in pieces:
        board.hits[q, weapon] = board.hits.get((q, weapon), 0) + times


def _fired(board: Board, piece: int, weapon: str, weapons: list[int]) -> None:
    rate = board.rules.fire_rates[weapon]
    for key in weapons:
        board.fired.add(key)
        if rate:
            board.countdown[key] = rate, board.side[piece]


def advance(board: Board) -> None:
    """Let all projectiles fly one square, and count their hits (section 8.2)."""
    flying = []
    for missile in board.missiles:
        flying += _advance(board, missile, launched=False)
    for missile in board.launched:
        flying += _advance(board, missile, launched=True)
    board.missiles = sorted(flying)
    board.launched = []


def _advance(board: Board, missile: Projectile, *, launched: bool) -> list[Projectile]:
    """Where a projectile is after its step, if it still flies."""
    kind, square, rows, columns, target, side = missile
    base = 100 * LEVEL[kind]
    if target >= 0:
        cell = board.cell[target]
        if cell // 100 != LEVEL[kind] or board.side[target] == side:
            target = side = -1
            if not rows and not columns:
                return _ended(board, kind, square)
        elif cell - base != square:
            (row, column), (target_row, target_column) = place(square), place(cell)
            rows, columns = sign(target_row - row), sign(target_column - column)
    here = board.at[base + square]
    if here and (not launched or (target >= 0 and board.cell[target] == base + square)):
        return _struck(board, kind, square)
    there = offset(square, rows, columns)
    if there < 0:
        return _ended(board, kind, square)
    if board.at[base + there]:
        return _struck(board, kind, there)
    note(board, "flies", -1, kind, there, rows, columns)
    return [Projectile(kind, there, rows, columns, target, side)]


def _struck(board: Board, kind: str, square: int) -> list[Projectile]:
    _hit(board, board.at[100 * LEVEL[kind] + square], LAUNCHER[kind], 1)
    return _ended(board, kind, square)


def _ended(board: Board, kind: str, square: int) -> list[Projectile]:
    note(board, "ended", -1, kind, square)
    return []

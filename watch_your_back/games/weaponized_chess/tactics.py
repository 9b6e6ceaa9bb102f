"""Turns that are worth a look: for agents, who cannot look at all of them. No rule depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from watch_your_back.games.weaponized_chess import steps, weapons
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.kinds import BALLISTICS
from watch_your_back.games.weaponized_chess.squares import NEIGHBOURS, distance, offset
from watch_your_back.games.weaponized_chess.steps import Step
from watch_your_back.games.weaponized_chess.worth import PRIMARY, value_of

__all__ = ["promising"]

_STUN = 0.35
_CONVERT = 1.6
"""What stunning and converting a piece are worth, in terms of destroying it."""
_AFAR = (1.0, 0.2, 0.12, 0.08)
"""What a projectile is worth by the number of squares that it still has to fly."""
_WIN = 1_000.0
_BEST = 3
"""Fires without a Move that are combined with Moves."""
_REINFORCE = 3.0
_ARTICLE = 0.3


def promising(board: Board, rng: Random, most: int) -> list[tuple[Step, ...]]:
    """So many legal turns at most, those that seem to win most first, and in any case the primary's Moves.

    Each is a Move, with the Fires before or after it that seem best, a pick-up where it ends on an article, and a
    Reinforce that it makes possible.
    """
    seen = steps.in_sight(board)
    if not steps.can_move(seen):
        return [()]
    before = [] if seen.rules.moves_only else sorted(_fires(seen, steps.able(seen)), reverse=True)[:_BEST]
    ranked: list[tuple[float, float, tuple[Step, ...]]] = []
    for move in steps.moves(seen):
        gain = _taken(seen, move) + (2 * _WIN if _is_primary(seen, move) else 0)
        after = seen.fork()
        steps.perform(after, move)
        rest, more = _rest(after, move)
        ranked.append((gain + more, rng.random(), (move, *rest)))
        for fires in (*((each,) for each in before), *combinations(before, 2)):
            shooters = [step[1] for _, step in fires]
            if len({*shooters}) < len(shooters) or (seen.rules.one_action and move[1] in shooters):
                continue
            others = tuple(step for step in rest if step[0] != "FI")
            turn = (*(step for _, step in fires), move, *others)
            bonus = sum(each for each, _ in fires) + _ARTICLE * len(others)
            ranked.append((gain + bonus, rng.random(), turn))
    ranked.sort(reverse=True)
    return [turn for _, _, turn in ranked[:most]]


def _is_primary(board: Board, move: Step) -> bool:
    return board.cast.kinds[board.cast.numbers[move[1]]].primary


def _rest(after: Board, move: Step) -> tuple[list[Step], float]:
    """What seems best after a Move: fire of the piece that made it, a pick-up, a Reinforce; and what that wins."""
    rules, mover = after.rules, after.cast.numbers[move[1]]
    rest: list[Step] = []
    gain = 0.0
    if rules.moves_only or after.cell[mover] < 0:
        return rest, gain
    if not rules.one_action:
        found = max(_fires(after, [mover]), default=None)
        if found is not None:
            gain += found[0]
            rest.append(found[1])
        articles = list(steps.pick_ups(after, mover)) if move[0] == "MV" else []
        if articles:
            gain += _ARTICLE
            rest.append(articles[-1])
    reserves = list(steps.reinforcements(after))
    if reserves:
        gain += _REINFORCE
        rest.append(reserves[0])
    return rest, gain


def _worth(board: Board, piece: int) -> float:
    """What it is to destroy a piece: an enemy's is good, an own one bad."""
    value = value_of(board, piece)
    if value >= PRIMARY:
        value = _WIN
    return value if board.side[piece] != board.to_move else -value


def _taken(board: Board, move: Step) -> float:
    """What the pieces are worth that a Move takes."""
    if move[0] == "DZ":
        return 0.0
    there = board.at[steps.cell_of(*move[2:5])]
    return sum(_worth(board, q) for q in there if board.side[q] != board.to_move)


def _fires(board: Board, pieces: list[int]) -> Iterator[tuple[float, Step]]:
    """The Fires of pieces that may act which seem to win something, and how much."""
    ids = board.cast.ids
    for p in pieces:
        for weapon, found in weapons.arsenal(board, p).items():
            directions, targets = weapons.aims(board, p, weapon, found)
            strength = len(found)
            for rows, columns, _ in NEIGHBOURS[board.cell[p] % 100] if directions else ():
                gain = _directed(board, p, weapon, rows, columns, strength)
                if gain > 0:
                    yield gain, ("FI", ids[p], weapon, "dir", rows, columns)
            for q in targets:
                if strength > board.defences(q, weapon):
                    away = 0 if weapon == "RL" else max(distance(board.cell[p], board.cell[q]) - 1, 0)
                    yield _worth(board, q) * _AFAR[min(away, 3)], ("FI", ids[p], weapon, "at", ids[q])


def _directed(board: Board, p: int, weapon: str, rows: int, columns: int, strength: int) -> float:
    """What a Fire in a direction seems to win."""
    square = board.cell[p] % 100
    if weapon in BALLISTICS:
        base, reach = 100 * weapons.LEVEL[weapon], len(_AFAR)
    else:
        base = board.cell[p] // 100 * 100
        reach = board.rules.flame_range if weapon == "FL" else board.rules.stun_range if weapon == "ST" else 1
    gain = 0.0
    for k in range(1, reach + 1):
        there = offset(square, k * rows, k * columns)
        if there < 0:
            break
        hit = [q for q in board.at[base + there] if strength > board.defences(q, weapon)]
        if weapon == "CS":
            gain += sum(max(_worth(board, q), 0) for q in hit) * _CONVERT
        elif weapon == "ST":
            gain += sum(_worth(board, q) for q in hit if q not in board.stun) * _STUN
        elif weapon == "FL":
            gain += sum(_worth(board, q) for q in hit)
        else:
            gain += sum(_worth(board, q) for q in hit) * _AFAR[k - 1]
        if weapon != "FL" and board.at[base + there]:
            break
    return gain

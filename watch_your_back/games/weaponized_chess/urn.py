"""Drawing the next step of a turn: every legal one, and to end the turn, with the same chance, without listing them.

An urn holds candidates: every legal step once, and others that are not legal. Candidates are drawn until one is legal;
where that takes too long the legal ones are listed after all. Either way each has the same chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from watch_your_back.games.weaponized_chess import dozing, handling, journeys, movement, steps, weapons
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.cast import READY
from watch_your_back.games.weaponized_chess.kinds import LAUNCHERS, TRANSPORTS, WEAPONS
from watch_your_back.games.weaponized_chess.squares import NEIGHBOURS, distance, place

__all__ = ["Urn", "draw_turn"]

Step = steps.Step
_DRAWS = 60
_WEAPONS = frozenset(WEAPONS)
_ALL = ("moves", "loose", "fires", "aimed", "PU", "DR", "EX", "RE")
_ARTICLES = ("loose", "fires", "aimed", "PU", "DR", "EX")
_CHANGED = {
    "MV": ("moves", "loose", "aimed", "PU", "DR", "EX", "RE"),
    "DZ": ("moves", "loose", "aimed", "PU", "DR", "EX", "RE"),
    "FI": ("fires", "aimed"),
    "to": ("loose", "fires", "aimed", "DR", "EX"),
    "PU": _ARTICLES,
    "DR": _ARTICLES,
    "EX": _ARTICLES,
    "RE": _ALL,
}
"""The groups that a step changes, by its code; `to` is a Fire that begins a journey."""

_Group = tuple[int, Callable[[int], Step | None]]
_WIDE = {"JE": 17, "SU": 18, "CH": 32}
"""How many Moves a piece of this kind has at most, with and without a passenger; of all others see `_width`."""


def draw_turn(board: Board, rng: Random) -> tuple[Step, ...]:
    """A legal turn drawn step by step: each legal next step, and to end the turn, with the same chance."""
    urn, turn = Urn(steps.in_sight(board)), list[Step]()
    while True:
        step = urn.draw(rng)
        if step is None:
            return tuple(turn)
        turn.append(step)
        urn.perform(step)


class Urn:
    """The candidates for the next step, in groups: how many there are, and which step each is, if it is legal.

    Groups are kept from step to step as long as no step changes them.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self._parts: dict[str, list[_Group]] = {}
        self._refill(_ALL)

    def draw(self, rng: Random) -> Step | None:
        """The next step, None for the end of the turn."""
        total = self.size + self.may_end
        for _ in range(_DRAWS):
            number = int(rng.random() * total)
            if number == self.size:
                return None
            step = self.candidate(number)
            if step is not None:
                return step
        listed: list[Step | None] = [*steps.legal_steps(self.board)]
        return rng.choice([*listed, None] if self.may_end else listed)

    def candidate(self, number: int) -> Step | None:
        """The candidate with this number from 0 to `size`; None if it is not legal."""
        for size, candidate in self._groups:
            if number < size:
                return candidate(number)
            number -= size
        raise IndexError("there is no such candidate")

    def perform(self, step: Step) -> None:
        """Carry out a step, and put in the candidates that there are after it."""
        board, code = self.board, step[0]
        unseen = board.hidden(board.to_move)
        steps.perform(board, step)
        if board.rules.one_action or board.hidden(board.to_move) != unseen:
            self._refill(_ALL)
        else:
            self._refill(_CHANGED["to" if code == "FI" and step[3] == "to" else code])

    def _refill(self, names: Sequence[str]) -> None:
        board = self.board
        if "moves" in names:
            self.may_end = board.moved or not steps.can_move(board)
        if names is _ALL:
            self._pieces = steps.able(board)
            if board.rules.one_action and board.acted:
                self._pieces = [p for p in self._pieces if p not in board.acted]
        for name in names:
            if name == "loose":
                self._holders = [p for p in self._pieces if board.carried[p]]
                self._loose = [(p, kind, a) for p in self._holders for kind, a in steps.loose(board, p)]
            else:
                self._parts[name] = getattr(self, name)() if self._open(name) else []
        self._groups = [group for groups in self._parts.values() for group in groups]
        self.size = sum([size for size, _ in self._groups])

    def _open(self, name: str) -> bool:
        """Whether the turn still has room for steps of this group."""
        board = self.board
        if name == "moves":
            return not board.moved
        if board.rules.moves_only:
            return False
        if name in ("fires", "aimed"):
            return board.fires < 2
        return name not in board.done

    # Moves

    def moves(self) -> list[_Group]:
        board, kinds = self.board, self.board.cast.kinds
        starts: list[int] = []
        movers: list[tuple[int, int]] = []
        for p in self._pieces:
            width = _width(board, p)
            if width:
                starts += [len(movers)] * width
                movers.append((p, len(starts) - width))
        groups: list[_Group] = []
        if starts:
            groups.append((len(starts), lambda number: self._move(movers[starts[number]], number)))
        for p in self._pieces:
            if kinds[p].code == "DO" and dozing.companion(board, p) is not None:
                groups += _listed([("DZ", board.cast.ids[p], *doze) for doze in dozing.dozes(board, p)])
        return groups

    def _move(self, mover: tuple[int, int], number: int) -> Step | None:
        board, (p, start) = self.board, mover
        number -= start
        kind = board.cast.kinds[p]
        if kind.secondary or kind.code in ("TA", "CL"):
            legs = board.rules.legs(kind, board.side[p], board.cast.hands[p], board.cell[p])
            square = movement.end_of_leg(board, p, legs[number])
            return None if square < 0 else ("MV", board.cast.ids[p], *place(square), "ground", None)
        if kind.code in _WIDE:
            found = list(movement.moves(board, p))
            return steps.move_step(board, p, *found[number]) if number < len(found) else None
        cells = movement.destinations(board, p)
        return steps.move_step(board, p, cells[number], movement.NO_PASSENGER) if number < len(cells) else None

    # Fires

    def fires(self) -> list[_Group]:
        board = self.board
        kinds, carried, types = board.cast.kinds, board.carried, board.cast.article_types
        armed = [(p, weapon) for p in self._pieces if p not in board.shooters for weapon in kinds[p].weapons]
        vehicles = []
        for p in self._holders:
            if p not in board.shooters:
                for kind in dict.fromkeys([types[a] for a in carried[p]]):
                    if kind in _WEAPONS and kind not in kinds[p].weapons:
                        armed.append((p, kind))
                    elif kind in TRANSPORTS:
                        vehicles.append((p, kind))
        if not board.rules.weapons:
            armed = []
        self._launchers = [(p, code) for p, code in armed if code in LAUNCHERS]
        groups: list[_Group] = []
        if armed:
            groups.append((8 * len(armed), lambda number: self._directed(armed[number >> 3], number & 7)))
        if vehicles:
            groups.append((200 * len(vehicles), lambda number: self._journey(vehicles[number // 200], number % 200)))
        return groups

    def _directed(self, weapon: tuple[int, str], number: int) -> Step | None:
        board, (p, code) = self.board, weapon
        directions = NEIGHBOURS[board.cell[p] % 100]
        if number >= len(directions):
            return None
        found = weapons.ready(board, p, code)
        if not found or (code == "RL" and not weapons.unrestricted(board, p, found)):
            return None
        rows, columns, _ = directions[number]
        return ("FI", board.cast.ids[p], code, "dir", rows, columns)

    def aimed(self) -> list[_Group]:
        """Aimed fire, which is rare: listed when there is any target on the level of a weapon."""
        board, ids = self.board, self.board.cast.ids
        high = [(q, cell) for q, cell in enumerate(board.cell) if cell >= 100 and board.side[q] != board.to_move]
        unseen, reach = board.hidden(board.to_move), board.rules.homing_range
        listed = []
        for p, code in self._launchers:
            if code == "RL":
                found = weapons.ready(board, p, code) if self._rockets_at(p) else []
                targets = weapons.aims(board, p, code, found)[1] if found else []
            else:
                here, low = board.cell[p], 100 * weapons.LEVEL[code]
                targets = [q for q, cell in high if low <= cell < low + 100 and distance(here, cell) <= reach]
                targets = [q for q in targets if q not in unseen]
                if targets and not weapons.ready(board, p, code):
                    continue
            listed += [("FI", ids[p], code, "at", ids[q]) for q in targets]
        return _listed(listed)

    def _rockets_at(self, p: int) -> bool:
        """Whether it may be worth while to look for targets of a rocket launcher, if it is a restricted one."""
        board = self.board
        if not board.cast.kinds[p].restricted_rocket:
            return False
        below = board.at[board.cell[p] % 100]
        return board.rules.restricted_rocket_range > 0 or any(board.side[q] != board.to_move for q in below)

    def _journey(self, vehicle: tuple[int, str], number: int) -> Step | None:
        board, (p, code) = self.board, vehicle
        start, end = board.cell[p] % 100, number >> 1
        if start == end or p in board.journeys:
            return None
        way = ("port", "starboard")[number & 1]
        if journeys.direct(start, end):
            if number & 1:
                return None
            way = "straight"
        if journeys.vehicle(board, p, code) < 0 or not journeys.may_launch(board, p, code):
            return None
        return ("FI", board.cast.ids[p], code, "to", *place(end), way)

    # Articles and reinforcements

    def PU(self) -> list[_Group]:
        board = self.board
        ground, cell = board.ground, board.cell
        near = [p for p in self._pieces if cell[p] < 100 and ground[cell[p]]]
        return _listed([step for p in near for step in steps.pick_ups(board, p)])

    def DR(self) -> list[_Group]:
        board = self.board
        ground, cell, ids = board.ground, board.cell, board.cast.ids
        return _listed(
            [
                ("DR", ids[p], kind)
                for p, kind, article in self._loose
                if len(ground[cell[p] % 100]) < 2 and handling.after_swap(board, p, article, -1)
            ]
        )

    def EX(self) -> list[_Group]:
        board, loose = self.board, self._loose
        partners: list[tuple[int, str | None, int]] = [(p, None, -1) for p in self._pieces]
        partners += loose
        count = len(partners)

        def candidate(number: int) -> Step | None:
            p, kind, article = loose[number // count]
            return steps.exchange_step(board, p, kind, article, *partners[number % count])

        return [(len(loose) * count, candidate)] if loose else []

    def RE(self) -> list[_Group]:
        return _listed(list(steps.reinforcements(self.board))) if READY in self.board.seats.values() else []


def _listed(found: Sequence[Step]) -> list[_Group]:
    return [(len(found), found.__getitem__)] if found else []


def _width(board: Board, p: int) -> int:
    """How many Moves a piece has at most, or the legs of its paths."""
    kind, cell = board.cast.kinds[p], board.cell[p]
    wide = _WIDE.get(kind.code)
    if p in board.journeys and cell >= 100:
        return 0
    if wide is not None:
        return wide
    if cell >= 100:
        return 0
    if kind.secondary or kind.code in ("TA", "CL"):
        return len(board.rules.legs(kind, board.side[p], board.cast.hands[p], cell))
    if kind.pawn:
        stage, side = p in board.origin, board.side[p]
        return len(board.rules.pawn_moves[stage][side][cell]) + len(board.rules.pawn_attacks[stage][side][cell])
    return len(NEIGHBOURS[cell])

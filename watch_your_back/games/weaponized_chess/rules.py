"""The options of a match, with the squares that each kind of piece can go to: `paths.json` made ready (section 5)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property, lru_cache
from typing import Any

from watch_your_back.games.weaponized_chess.kinds import WEAPONS, Kind, read_data
from watch_your_back.games.weaponized_chess.squares import offset

__all__ = ["Flight", "Leg", "Path", "Rules", "rules_of"]

Path = tuple[int, ...]
"""Squares in order of travel."""
Leg = tuple[int, Path, tuple[Path, ...]]
"""A square on a path, those before it, and those before it on earlier paths that lead there too."""
Flight = tuple[int, tuple[Path, ...]]
"""The square where a Chopper's Move ends, and for each route there the squares between."""

_TYPES: dict[str, Any] = read_data("paths.json")["movement_types"]
_ROUTE_ORDER = ((1, 0), (0, 1), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""Steps of a Chopper through the air, as (forward, right), the preferred ones in front (section 5.5)."""


class Rules:
    """What the options of a match amount to. Tables by square, made when they are first needed.

    Everything owner-relative is by side: forward is up the board for Black (0), down for White (1).
    """

    def __init__(self, options: Any) -> None:
        self.options = options
        self.stealth: bool = options.stealth
        self.submerged_hiding: bool = options.submerged_hiding
        self.lock_detection: bool = options.stealth_lock_detection
        self.range_detection: bool = options.stealth_range_detection
        self.detector_range: int = options.detector_range
        self.stealth_dominates: bool = options.dominance == "stealth"
        self.unseen_primary: bool = options.unseen_primary
        self.primary_off_ground: bool = options.primary_off_ground
        self.weapons: bool = options.weapons
        self.flame_range: int = options.flame_range
        self.stun_range: int = options.stun_range
        self.stun_turns: int = options.stun_turns
        self.homing_range: int = options.homing_range
        self.restricted_rocket_range: int = options.restricted_rocket_range
        self.fire_rates = {weapon: getattr(options, f"fire_rate_{weapon.lower()}") for weapon in WEAPONS}
        self.doze_enemy: bool = options.doze_enemy
        self.launch_carried: bool = options.transport_launch == "also_carried"
        self.moves_only: bool = options.action_restriction == "moves_only"
        self.one_action: bool = options.action_restriction == "one_action_per_piece"
        self.sub_jet_combat: bool = options.sub_jet_combat
        self.boxes: bool = options.xxx_boxes
        self.seen_firing: bool = options.stealth_seen_when_firing
        self.seen_firing_below: bool = options.submerged_seen_when_firing
        self.seen_taking: bool = options.stealth_seen_when_taking
        self.competitive: bool = options.competitive
        self._movements: dict[str, Any] = _TYPES[options.movement_type]
        self._paths: dict[tuple[str, int, str | None, int], tuple[Path, ...]] = {}
        self._legs: dict[tuple[str, int, str | None, int], tuple[Leg, ...]] = {}
        self._flights: dict[tuple[int, str, int], tuple[Flight, ...]] = {}

    def paths(self, kind: Kind, side: int, hand: str | None, square: int) -> tuple[Path, ...]:
        """The paths of a Tank, Cleric or secondary piece from a square, as far as its range and the board."""
        key = kind.role or kind.code, side, hand, square
        found = self._paths.get(key)
        if found is None:
            movement = self._movements["SECONDARY" if kind.secondary else kind.code]
            paths = []
            for path in movement["paths"] if kind.secondary else movement[hand]:
                reach = getattr(self.options, path.get("range_option") or movement["range_option"])
                paths.append(_travel(square, side, path["squares"][:reach]))
            found = self._paths[key] = tuple(path for path in paths if path)
        return found

    def legs(self, kind: Kind, side: int, hand: str | None, square: int) -> tuple[Leg, ...]:
        """All parts of `paths`."""
        key = kind.role or kind.code, side, hand, square
        found = self._legs.get(key)
        if found is None:
            found = self._legs[key] = _legs(self.paths(kind, side, hand, square))
        return found

    def flights(self, side: int, hand: str, square: int) -> tuple[Flight, ...]:
        """Where a Chopper's Moves from a square end, and the routes."""
        key = side, hand, square
        found = self._flights.get(key)
        if found is None:
            flights = (_flight(square, side, *each) for each in self._movements["CH"][hand])
            found = self._flights[key] = tuple(flight for flight in flights if flight)
        return found

    @cached_property
    def jets(self) -> tuple[tuple[tuple[Path, ...], ...], ...]:
        """By side and square, the straight lines of one or two squares that a Jet flies along."""
        lines = [line["squares"] for line in self._movements["JE"]["paths"]]
        return _by_side_and_square(lines)

    @cached_property
    def pawn_moves(self) -> tuple[tuple[tuple[tuple[Path, ...], ...], ...], ...]:
        """First later, then at the origin: by side and square, the paths of a pawn's moves."""
        return self._pawns("move")

    @cached_property
    def pawn_attacks(self) -> tuple[tuple[tuple[tuple[Path, ...], ...], ...], ...]:
        """First later, then at the origin: by side and square, the paths of a pawn's attacks, one square each."""
        return self._pawns("attack")

    def _pawns(self, part: str) -> tuple[tuple[tuple[tuple[Path, ...], ...], ...], ...]:
        movement = self._movements["PAWN"]
        if "choices" in movement:
            movement = movement["choices"][self.options.wmd_pawn]
        return tuple(_by_side_and_square(movement[when][part], whole=True) for when in ("later", "at_origin"))


@lru_cache(maxsize=64)
def rules_of(options: Any) -> Rules:
    """The rules with these options."""
    return Rules(options)


def _travel(square: int, side: int, offsets: Iterable[tuple[int, int]]) -> Path:
    """The squares of a path from this square, up to where it would leave the board."""
    forward, path = -1 if side else 1, []
    for f, r in offsets:
        there = offset(square, forward * f, forward * r)
        if there < 0:
            break
        path.append(there)
    return tuple(path)


def _legs(paths: Iterable[Path]) -> tuple[Leg, ...]:
    found: list[Leg] = []
    for path in paths:
        for number, square in enumerate(path):
            others = tuple(before for end, before, _ in found if end == square)
            found.append((square, path[:number], others))
    return tuple(found)


def _by_side_and_square(
    listed: list[list[tuple[int, int]]], *, whole: bool = False
) -> tuple[tuple[tuple[Path, ...], ...], ...]:
    """The paths from each square, by side; `whole` leaves out those that leave the board before their end."""
    return tuple(
        tuple(
            tuple(
                path
                for offsets in listed
                if (path := _travel(square, side, offsets)) and (not whole or len(path) == len(offsets))
            )
            for square in range(100)
        )
        for side in (0, 1)
    )


def _flight(square: int, side: int, f: int, r: int) -> Flight | None:
    forward = -1 if side else 1
    end = offset(square, forward * f, forward * r)
    if end < 0:
        return None
    routes = [_travel(square, side, route) for route in _routes((0, 0), (f, r))]
    return end, tuple(route[:-1] for route in routes)


@cache
def _routes(at: tuple[int, int], end: tuple[int, int]) -> list[list[tuple[int, int]]]:
    """All shortest sequences of king steps that stay within the rectangle of the flight, preferred steps first.

    The rectangle is spanned by (0, 0) and `end`, both as (forward, right); each route lists where its steps lead.
    """
    if at == end:
        return [[]]
    left = max(abs(end[0] - at[0]), abs(end[1] - at[1]))
    found = []
    for f, r in _ROUTE_ORDER:
        there = at[0] + f, at[1] + r
        inside = all(min(0, bound) <= where <= max(0, bound) for where, bound in zip(there, end, strict=True))
        if inside and max(abs(end[0] - there[0]), abs(end[1] - there[1])) == left - 1:
            found += [[there, *rest] for rest in _routes(there, end)]
    return found

"""Stones on a board, in chains that know their liberties, so that a play needs to look at its neighbours only."""

from __future__ import annotations

from typing import NamedTuple

from watch_your_back.games.go.geometry import Geometry

__all__ = ["Stones", "empty"]


class Stones(NamedTuple):
    """The stones on the board and how many each side has lost. Nothing of it is ever changed: a play makes a copy.

    `chain_of` has for each point the chain of its stone, or the number of points where there is none. A chain is
    called by the number of one of its points, less the number of all points if it is White's: its sign tells the side,
    and either way it is an index of `members` (the points of the chain) and `liberties` (a set of points).
    """

    geometry: Geometry
    board: int
    chain_of: list[int]
    members: list[tuple[int, ...]]
    liberties: list[int]
    lost: tuple[int, int] = (0, 0)

    def of(self, side: int) -> int:
        """The set of points with a stone of Black (0) or White (1)."""
        return self.board >> self.geometry.count if side else self.board & self.geometry.full

    def vacant(self) -> int:
        """The set of points without a stone."""
        board, full = self.board, self.geometry.full
        return (board | board >> self.geometry.count) & full ^ full

    def lives(self, point: int, side: int) -> bool:
        """Whether a stone of this side, played on this empty point, has a liberty once it has captured what it can."""
        chain_of, liberties, empty = self.chain_of, self.liberties, self.geometry.count
        bit = self.geometry.bits[point]
        for near in self.geometry.neighbours[point]:
            chain = chain_of[near]
            if chain == empty or ((chain < 0) == side) != (liberties[chain] == bit):
                return True
        return False

    def joins(self, point: int, side: int) -> bool:
        """Whether a stone of this side on this point would be next to another one of it."""
        empty = self.geometry.count
        return any(
            chain != empty and (chain < 0) == side
            for chain in [self.chain_of[near] for near in self.geometry.neighbours[point]]
        )

    def board_after(self, point: int, side: int) -> int:
        """The board of `play(point, side)`."""
        geometry, chain_of, liberties = self.geometry, self.chain_of, self.liberties
        bit, empty = geometry.bits[point], geometry.count
        board, dead = self.board | geometry.placed[side][point], {empty}
        for near in geometry.neighbours[point]:
            chain = chain_of[near]
            if chain not in dead and (chain < 0) != side and liberties[chain] == bit:
                dead.add(chain)
                for stone in self.members[chain]:
                    board ^= geometry.placed[1 - side][stone]
        return board if len(dead) > 1 or self.lives(point, side) else self.play(point, side).board

    def play(self, point: int, side: int) -> Stones:
        """The stones after one of this side on this empty point; chains without liberties are gone, its own last."""
        geometry, board, chain_of, members, liberties, lost = self
        chain_of, members, liberties = chain_of[:], members[:], liberties[:]
        empty, bits = geometry.count, geometry.bits
        bit = bits[point]
        board |= geometry.placed[side][point]
        free, own, dead = 0, list[int](), list[int]()
        for near in geometry.neighbours[point]:
            chain = chain_of[near]
            if chain == empty:
                free |= bits[near]
            elif (chain < 0) == side:
                if chain not in own:
                    own.append(chain)
            elif liberties[chain] & bit:
                liberties[chain] ^= bit
                if not liberties[chain]:
                    dead.append(chain)
        if own:
            joined = own[0]
            stones = members[joined]
            free |= liberties[joined]
            for chain in own[1:]:
                free |= liberties[chain]
                stones += members[chain]
                for stone in members[chain]:
                    chain_of[stone] = joined
            free ^= bit
        else:
            joined = point - empty if side else point
            stones = ()
        chain_of[point] = joined
        members[joined] = (*stones, point)
        liberties[joined] = free
        if not dead and not free:
            dead.append(joined)
        for chain in dead:
            loser = int(chain < 0)
            taken = members[chain]
            for stone in taken:
                chain_of[stone] = empty
                board ^= geometry.placed[loser][stone]
            for stone in taken:
                bit = bits[stone]
                for near in geometry.neighbours[stone]:
                    if chain_of[near] != empty:
                        liberties[chain_of[near]] |= bit
            lost = (lost[0], lost[1] + len(taken)) if loser else (lost[0] + len(taken), lost[1])
        return Stones(geometry, board, chain_of, members, liberties, lost)


def empty(geometry: Geometry) -> Stones:
    """The board without a stone."""
    count = geometry.count
    return Stones(geometry, 0, [count] * count, [()] * count, [0] * count)

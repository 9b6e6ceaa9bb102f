"""Pairing as many as possible along given edges: maximum matching in a general graph.

The algorithm is that of Edmonds (1965, "Paths, trees, and flowers"): from a vertex that is alone, a tree of paths that
alternate between edges outside and inside of the matching is grown until it ends at another one that is alone; odd
cycles that it closes (blossoms) are contracted to their base.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["ALONE", "match_all"]

ALONE = -1


def match_all(neighbours: Sequence[Sequence[int]], mates: list[int]) -> None:
    """Change `mates`, a matching, until it is a largest one; whoever is in it stays in it, maybe with another mate.

    Vertices are numbered from 0; `mates` has for each its mate or `ALONE`. Neighbours that come first are preferred.
    """
    for root, mate in enumerate(mates):
        if mate == ALONE:
            _Tree(neighbours, mates, root).augment()


class _Tree:
    """Alternating paths from one vertex: `outer` are those at an even distance, `parents` lead back from the odd."""

    def __init__(self, neighbours: Sequence[Sequence[int]], mates: list[int], root: int) -> None:
        self._neighbours, self._mates, self._root = neighbours, mates, root
        self._parents = [ALONE] * len(mates)
        self._bases = list(range(len(mates)))
        self._outer = [root]
        self._is_outer = {root}

    def augment(self) -> None:
        """Give the root a mate, if that is possible."""
        end = self._find()
        while end != ALONE:
            parent = self._parents[end]
            following = self._mates[parent]
            self._mates[end], self._mates[parent] = parent, end
            end = following

    def _find(self) -> int:
        """Another vertex that is alone and that a path leads to, or `ALONE`."""
        for vertex in self._outer:  # which grows
            for other in self._neighbours[vertex]:
                if self._bases[vertex] == self._bases[other] or self._mates[vertex] == other:
                    continue
                mate = self._mates[other]
                if other == self._root or (mate != ALONE and self._parents[mate] != ALONE):
                    self._contract(vertex, other)
                elif self._parents[other] == ALONE:
                    self._parents[other] = vertex
                    if mate == ALONE:
                        return other
                    self._reach(mate)
        return ALONE

    def _reach(self, vertex: int) -> None:
        if vertex not in self._is_outer:
            self._is_outer.add(vertex)
            self._outer.append(vertex)

    def _contract(self, one: int, other: int) -> None:
        """Make one vertex of the odd cycle that the edge between two outer vertices closes."""
        base = self._common_base(one, other)
        inside: set[int] = set()
        self._mark(one, base, other, inside)
        self._mark(other, base, one, inside)
        for vertex in range(len(self._mates)):
            if self._bases[vertex] in inside:
                self._bases[vertex] = base
                self._reach(vertex)

    def _common_base(self, one: int, other: int) -> int:
        on_the_way = set()
        while True:
            one = self._bases[one]
            on_the_way.add(one)
            if self._mates[one] == ALONE:
                break
            one = self._parents[self._mates[one]]
        while self._bases[other] not in on_the_way:
            other = self._parents[self._mates[self._bases[other]]]
        return self._bases[other]

    def _mark(self, vertex: int, base: int, child: int, inside: set[int]) -> None:
        """Note what lies on the way from a vertex to the base, and how to get back through the cycle."""
        while self._bases[vertex] != base:
            mate = self._mates[vertex]
            inside |= {self._bases[vertex], self._bases[mate]}
            self._parents[vertex] = child
            child = mate
            vertex = self._parents[mate]

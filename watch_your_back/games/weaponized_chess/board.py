"""A board while a turn is carried out on it: pieces, articles, projectiles and what goes on in the turn.

A `Board` is changed in place; states keep one each, which is copied before it is changed. Pieces and articles are
numbers, in the order of their ids as strings; everything about them that never changes is in the `Cast`.
"""

from __future__ import annotations

from collections.abc import Iterable

from watch_your_back.games.weaponized_chess.cast import INHERENT, PRIMED, READY, Cast, Projectile
from watch_your_back.games.weaponized_chess.rules import Rules
from watch_your_back.games.weaponized_chess.sight import hidden
from watch_your_back.games.weaponized_chess.squares import distance, place

__all__ = ["Board"]


def _with(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    """The numbers and one more, in ascending order, so that boards with the same content are equal."""
    return tuple(sorted((*numbers, number))) if numbers else (number,)


class Board:
    """See the module. `cell[p]` is -1 for a piece off the board; `at` lists the pieces by cell."""

    __slots__ = (
        "_hidden", "_seen_at", "acted", "at", "below", "carried", "cast", "cell", "converted", "countdown", "done",
        "fired", "fires", "ground", "hits", "journeys", "launched", "lock", "log", "lost", "missiles", "moved",
        "origin", "reveal", "rules", "seats", "shooters", "shy", "side", "stun", "stunned_now", "to_move", "waiting",
    )  # fmt: skip

    _hidden: list[frozenset[int] | None]
    _seen_at: list[list[tuple[int, ...]] | None]
    cast: Cast
    rules: Rules
    to_move: int
    cell: list[int]
    side: list[int]
    at: list[tuple[int, ...]]
    carried: list[tuple[int, ...]]
    ground: list[tuple[int, ...]]
    """The articles on each square."""
    stun: dict[int, int]
    origin: set[int]
    """Pawns that have not been displaced."""
    countdown: dict[int, tuple[int, int]]
    """Of each weapon that pauses the turns left and the side that fired it."""
    journeys: dict[int, tuple[int, tuple[int, ...]]]
    """Of each traveller the article in use and the cells still to come, in the order in which journeys began."""
    missiles: list[Projectile]
    lock: dict[int, int]
    """Of each anti-stealth that has locked on a piece, that piece."""
    reveal: dict[int, int]
    """Of each revealed piece how many turns of its enemy have to end before it is unseen again."""
    seats: dict[int, int]
    """Of each activation square where reinforcements wait (100 * side + square) whether it is primed or ready."""
    waiting: set[int]
    """Reinforcements that have not been used."""
    shy: set[int]
    """Pieces with stealth."""
    below: set[int]
    """Pieces in the sub level."""
    log: list[tuple[object, ...]] | None
    """What happened, for the notation; None where nobody wants to know."""

    def copy(self) -> Board:
        """A board to change, at the beginning of a turn."""
        new = Board.__new__(Board)
        new.cast, new.rules, new.to_move = self.cast, self.rules, self.to_move
        new.cell, new.side, new.at = self.cell.copy(), self.side.copy(), self.at.copy()
        new.carried, new.ground = self.carried.copy(), self.ground.copy()
        new.stun, new.origin, new.countdown = self.stun.copy(), self.origin.copy(), self.countdown.copy()
        new.journeys, new.missiles = self.journeys.copy(), self.missiles.copy()
        new.lock, new.reveal, new.seats = self.lock.copy(), self.reveal.copy(), self.seats.copy()
        new.waiting, new.shy, new.below = self.waiting.copy(), self.shy.copy(), self.below.copy()
        new._hidden, new._seen_at = self._hidden.copy(), self._seen_at.copy()
        new.log = None
        new.begin_turn()
        return new

    def begin_turn(self) -> None:
        """Nothing has been done yet in the turn."""
        self.moved = False
        self.fires = 0
        self.shooters: set[int] = set()
        self.fired: set[int] = set()
        """Weapons, transport articles included, that have fired in this turn."""
        self.done: set[str] = set()
        self.acted: set[int] = set()
        self.stunned_now: set[int] = set()
        self.hits: dict[tuple[int, str], int] = {}
        self.launched: list[Projectile] = []
        self.converted: set[int] = set()
        self.lost: set[int] = set()
        """Sides that have lost a primary piece in this turn."""

    def fork(self) -> Board:
        """A copy in the midst of a turn."""
        new = self.copy()
        new.moved, new.fires, new.shooters, new.fired = self.moved, self.fires, self.shooters.copy(), self.fired.copy()
        new.done, new.acted, new.stunned_now = self.done.copy(), self.acted.copy(), self.stunned_now.copy()
        new.hits, new.launched, new.lost = self.hits.copy(), self.launched.copy(), self.lost.copy()
        return new

    def changed(self) -> None:
        """Who is seen has to be judged anew."""
        self._hidden[0] = self._hidden[1] = None
        self._seen_at[0] = self._seen_at[1] = None

    # What is there

    def hidden(self, observer: int) -> frozenset[int]:
        """The pieces of the other side that this one does not see (section 9.1)."""
        found = self._hidden[observer]
        if found is None:
            found = self._hidden[observer] = hidden(self, observer)
        return found

    def seen_at(self, observer: int) -> list[tuple[int, ...]]:
        """The pieces by cell as this side sees them; not to be changed."""
        found = self._seen_at[observer]
        if found is None:
            unseen = self.hidden(observer)
            found = self.at
            if unseen:
                found = found.copy()
                for p in unseen:
                    found[self.cell[p]] = tuple([q for q in found[self.cell[p]] if q not in unseen])
            self._seen_at[observer] = found
        return found

    def mixed(self, cell: int) -> bool:
        """Whether a Black and a White piece share this cell (section 1.4)."""
        there = self.at[cell]
        return len(there) == 2 and self.side[there[0]] != self.side[there[1]]

    def accepts(self, at: list[tuple[int, ...]], cell: int, piece: int) -> bool:
        """Whether the cell takes one more friendly piece, going by the pieces `at` (section 1.3)."""
        there = at[cell]
        if not there:
            return True
        if len(there) > 1 or self.side[there[0]] != self.side[piece]:
            return False
        kinds = self.cast.kinds
        return kinds[there[0]].coexists or kinds[piece].coexists

    def has(self, piece: int, article: str) -> bool:
        """Whether the piece carries an article of this type."""
        types = self.cast.article_types
        return any(types[a] == article for a in self.carried[piece])

    def count(self, piece: int, article: str) -> int:
        """How many articles of this type the piece carries."""
        types = self.cast.article_types
        return sum([types[a] == article for a in self.carried[piece]])

    def defences(self, piece: int, weapon: str) -> int:
        """How many hits of the weapon in one turn do nothing to the piece (section 7.7)."""
        if not self.rules.weapons:
            return 0
        defence = "A" + weapon
        return self.cast.kinds[piece].defences.count(defence) + self.count(piece, defence)

    def capacity(self, piece: int, carried: Iterable[int]) -> int:
        """How many articles the piece may hold when it holds these (section 6.1)."""
        if self.cast.kinds[piece].box:
            return 2 if self.rules.boxes else 1
        types = self.cast.article_types
        return 3 if any(types[a] == "XXX" for a in carried) else 1

    def in_order(self, pieces: Iterable[int]) -> list[int]:
        """Pieces by row, column, level and id."""
        return sorted(pieces, key=lambda p: (self.cell[p] % 100, self.cell[p] // 100, p))

    # What changes

    def shift(self, piece: int, cell: int) -> None:
        """Put a piece that is on the board on another cell."""
        old = self.cell[piece]
        if old == cell:
            return
        self.at[old] = tuple([q for q in self.at[old] if q != piece])
        self.at[cell] = _with(self.at[cell], piece)
        self.cell[piece] = cell
        self.origin.discard(piece)
        if cell >= 200:
            self.below.add(piece)
        elif old >= 200:
            self.below.discard(piece)
        if old < 100:
            seat = 100 * self.to_move + old
            if self.seats.get(seat) == PRIMED and self.side[piece] == self.to_move:
                self.seats[seat] = READY
        self.changed()

    def enter(self, piece: int, cell: int) -> None:
        """Put a piece on the board."""
        self.at[cell] = _with(self.at[cell], piece)
        self.cell[piece] = cell
        if self.cast.kinds[piece].stealth:
            self.shy.add(piece)
        if cell >= 200:
            self.below.add(piece)
        self.changed()

    def remove(self, piece: int) -> None:
        """Take a piece off the board for good; its articles stay with it until `losses.scatter`."""
        cell = self.cell[piece]
        self.at[cell] = tuple([q for q in self.at[cell] if q != piece])
        self.cell[piece] = -1
        if self.cast.kinds[piece].primary and piece not in self.converted:
            self.lost.add(self.side[piece])
        self.stun.pop(piece, None)
        self.origin.discard(piece)
        self.below.discard(piece)
        self.shy.discard(piece)
        self.journeys.pop(piece, None)
        self.reveal.pop(piece, None)
        for w in range(len(self.cast.kinds[piece].weapons)):
            self.countdown.pop(INHERENT + 4 * piece + w, None)
        self.unlock(piece)
        self.changed()

    def convert(self, piece: int) -> None:
        """Let the piece change sides (section 7.4)."""
        if self.cast.kinds[piece].primary:
            self.lost.add(self.side[piece])
        self.converted.add(piece)
        self.side[piece] = 1 - self.side[piece]
        self.origin.discard(piece)
        self.reveal.pop(piece, None)
        self.unlock(piece)
        self.changed()

    def unlock(self, piece: int) -> None:
        """End the locks that the piece holds and those on it."""
        if self.lock:
            lockers = {INHERENT + piece, *self.carried[piece]}
            for locker, target in list(self.lock.items()):
                if target == piece or locker in lockers:
                    del self.lock[locker]

    def give(self, piece: int, article: int) -> None:
        """Let the piece have an article, after those that it has; a lock is `sight.make_lock`'s to make."""
        self.carried[piece] = (*self.carried[piece], article)
        if self.cast.article_types[article] == "SH":
            self.shy.add(piece)
        self.changed()

    def take_away(self, piece: int, article: int) -> None:
        """Let the piece lose an article; the lock of an anti-stealth ends, `expose` has to end those on the piece."""
        self.carried[piece] = tuple([a for a in self.carried[piece] if a != article])
        if self.cast.article_types[article] == "ASH":
            self.lock.pop(article, None)
        self.changed()

    def expose(self, piece: int) -> None:
        """End the locks on a piece that has lost articles if it has no stealth any longer."""
        if piece in self.shy and not self.cast.kinds[piece].stealth and not self.has(piece, "SH"):
            self.shy.discard(piece)
            for locker, target in list(self.lock.items()):
                if target == piece:
                    del self.lock[locker]
            self.changed()

    def show(self, piece: int) -> None:
        """Reveal an unseen piece to its enemy, for his next complete turn (section 9.4)."""
        self.reveal[piece] = 1 if self.side[piece] == self.to_move else 2
        self.changed()

    def key(self) -> tuple[object, ...]:
        """All that future play depends on, at the end of a turn, as nested tuples of numbers and strings."""
        tables = (self.stun, self.countdown, self.lock, self.reveal, self.seats)
        return (
            self.to_move,
            tuple(self.cell),
            tuple(self.side),
            tuple(self.carried),
            tuple(self.ground),
            tuple(sorted(self.origin)),
            tuple(self.journeys.items()),
            tuple(map(tuple, self.missiles)),
            *(tuple(sorted(table.items())) for table in tables),
        )

    def lay(self, article: int, square: int) -> None:
        """Put an article on the ground of a square."""
        self.ground[square] = _with(self.ground[square], article)

    def near(self, one: int, other: int) -> bool:
        """Whether two pieces are on the same level of the same or of adjacent squares."""
        a, b = self.cell[one], self.cell[other]
        return a // 100 == b // 100 and distance(a, b) <= 1

    def where(self, piece: int) -> tuple[int, int]:
        """Row and column of a piece on the board."""
        return place(self.cell[piece])

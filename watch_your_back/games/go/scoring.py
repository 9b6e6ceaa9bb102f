"""Who has how many points: every stone on the board counts as alive.

Area scoring (`chinese`, `tromp-taylor`): stones and the empty regions that touch one's own stones only, and White gets
a point for each handicap stone. Territory scoring (`japanese`): such regions and prisoners. White adds komi.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from watch_your_back.game import Outcome
from watch_your_back.games.go.stones import Stones

if TYPE_CHECKING:
    from watch_your_back.games.go import Go
    from watch_your_back.games.go.position import Position

__all__ = ["count", "outcome", "owned", "score"]


def score(state: Position) -> tuple[float, float]:
    """The points of Black and of White, komi and handicap included, if the board is scored as it stands."""
    return count(state.game, state.stones)


def count(game: Go, stones: Stones) -> tuple[float, float]:
    """The points of Black and of White with these stones under the rules of the game."""
    options = game.options
    land = owned(stones)
    black, white = (points.bit_count() for points in land)
    if options.rules == "japanese":
        lost_by_black, lost_by_white = stones.lost
        return float(black + lost_by_white), white + lost_by_black + options.komi
    black += stones.of(0).bit_count()
    white += stones.of(1).bit_count()
    return float(black), white + options.handicap + options.komi


def outcome(game: Go, stones: Stones, reason: str) -> Outcome:
    """The end of the game with these stones, for this reason."""
    black, white = count(game, stones)
    return Outcome(None if black == white else int(white > black), reason)


def owned(stones: Stones) -> tuple[int, int]:
    """The sets of the empty points in regions that touch only Black's stones, and only White's."""
    geometry, vacant = stones.geometry, stones.vacant()
    black, white = (geometry.spread(stones.of(side), vacant) & vacant for side in (0, 1))
    return black & ~white, white & ~black

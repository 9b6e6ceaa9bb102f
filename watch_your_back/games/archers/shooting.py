"""What a move brings about: who is shot, and who comes back.

`shots` has, for each shot that is not used up, the bit of the point where the archer stands that has it to its name.
"""

from __future__ import annotations

from watch_your_back.games.archers.ground import Ground

__all__ = ["bring_back", "shoot"]


def shoot(
    ground: Ground, target: int, mine: int, theirs: int, shots: tuple[int, ...], side: int
) -> tuple[int, int, tuple[int, ...]]:
    """Both sides' archers and the shots to their names after an archer of `side` has moved to `target`."""
    seen = ground.seen(target, mine | theirs) & theirs
    if not target & ground.starts[1 - side]:
        gained, lost = [target] * seen.bit_count(), seen
        theirs ^= seen
    else:
        shooters = seen & ~ground.starts[side]
        gained = [bit for bit in ground.bit.values() if bit & shooters]
        lost = target if shooters else 0
        mine ^= lost
    return mine, theirs, tuple(sorted([each for each in shots if not each & lost] + gained))


def bring_back(
    ground: Ground, target: int, mine: int, archers: int, shots: tuple[int, ...], side: int
) -> tuple[int, tuple[int, ...]]:
    """The mover's archers and all shots after the archer on `target` has brought one back, if it can."""
    free = [home for home in ground.homes[side] if not home & archers]
    if not free or mine.bit_count() == len(ground.homes[side]):
        return mine, shots
    used = shots.index(target)
    return mine | free[0], shots[:used] + shots[used + 1 :]

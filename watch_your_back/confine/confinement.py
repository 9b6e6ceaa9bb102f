"""Where the players' processes come from: a zygote where the system has one, a fresh interpreter elsewhere."""

from __future__ import annotations

import sys
from typing import Any

from watch_your_back.confine.environment import HASH_SEED
from watch_your_back.confine.faults import ConfinementError, TierUnavailable
from watch_your_back.confine.handle import Handle
from watch_your_back.confine.limits import Limits
from watch_your_back.confine.memory import available_mb
from watch_your_back.confine.resting import Resting
from watch_your_back.confine.supervision import Supervised
from watch_your_back.confine.tiers import TIERS, Mechanisms, tier_of

__all__ = ["Confinement"]

_WITHOUT = {"landlock": ("seccomp",), "seccomp": ("landlock",), "rlimits": ("landlock", "seccomp")}


class Confinement:
    """Starts the players' processes of one match after another (not of two at once).

    `tier` asks for no stronger confinement than that; without it, the strongest that the system has. Zygotes are
    started when they are needed first, and end with `close`, or with this process.
    """

    def __init__(self, tier: str | None = None, *, hash_seed: int = HASH_SEED) -> None:
        self._tier = tier
        self._hash_seed = hash_seed
        self._zygotes: dict[bool, Any] = {}
        self._resting = Resting()

    def start(
        self, path: str, root: str, limits: Limits, preload: str | None = None, *, numpy: bool = True
    ) -> Supervised:
        """A new process for the agent in the file `path`, which may read the directory `root`.

        `preload` is a module of ours, the game's rules, that is imported beforehand where there is a zygote; NumPy is
        imported beforehand if the agent wants it, except under `official-2018`.

        It is already locking itself down when this returns; `identify` waits for it. Raises ConfinementError.
        """
        ceiling_mb = available_mb() / 2
        allowed_mb = limits.memory_mb or ceiling_mb
        if limits.profile == "official-2018" and limits.memory_mb is not None:
            allowed_mb = 2 * limits.memory_mb  # one player may use what the other leaves
        space = int(allowed_mb * (1 << 20))
        try:
            handle = self._handle(path, root, space, preload, numpy and limits.profile != "official-2018")
        except OSError as error:  # no temporary directory, no descriptor left, a full disk
            where = f" ({error.filename})" if error.filename else ""
            raise ConfinementError(f"a player's process cannot be started: {error.strerror or error}{where}") from None
        return Supervised(handle, limits, ceiling_mb, self._resting)

    def identify(self, process: Supervised, required: str | None) -> tuple[str, Mechanisms]:
        """The tier that a started process has reached, and by which mechanisms.

        Raises TierUnavailable if that is weaker than the required one, ConfinementError if the process never came up.
        """
        hello = process.hello()
        known = {name: hello[name] for name in Mechanisms._fields if name in hello}
        mechanisms = Mechanisms(**known | {"problems": tuple(hello["problems"])})
        tier = tier_of(mechanisms) if self._forks() else "process"
        if required is not None and TIERS.index(tier) < TIERS.index(required):
            why = "; ".join(mechanisms.problems)
            raise TierUnavailable(f"players are confined at the tier {tier} here, not {required} as required ({why})")
        if self._forks() and tier != "full":
            from watch_your_back.confine.privileges import not_dumpable

            not_dumpable()  # a player that is not locked in must not read the referee's memory
        return tier, mechanisms

    def close(self) -> None:
        """End all zygotes and with them all players."""
        for zygote in self._zygotes.values():
            zygote.close()
        self._zygotes.clear()

    def _forks(self) -> bool:
        return sys.platform == "linux" and self._tier != "process"

    def _handle(self, path: str, root: str, space: int, preload: str | None, numpy: bool) -> Handle:
        if not self._forks():
            from watch_your_back.confine.spawned import SpawnedHandle

            return SpawnedHandle(root=root, address_space=space, numpy=numpy, hash_seed=self._hash_seed)
        from watch_your_back.confine.forked import ForkedHandle

        without = _WITHOUT.get(self._tier or "", ())
        zygote = self._zygote(numpy)
        return ForkedHandle(zygote, path=path, root=root, preload=preload, address_space=space, without=without)

    def _zygote(self, numpy: bool) -> Any:
        from watch_your_back.confine.forked import Zygote

        known = self._zygotes.get(numpy)
        if known is not None and not known.alive:
            known.close()
            known = None
        if known is None:
            known = self._zygotes[numpy] = Zygote(numpy=numpy, hash_seed=self._hash_seed)
        return known

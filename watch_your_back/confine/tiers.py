"""How strongly a player's process can be confined on this system, from weakest to strongest."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["MEANING", "TIERS", "Mechanisms", "tier_of", "weaker"]

TIERS = ("none", "external", "process", "rlimits", "seccomp", "landlock", "full")
"""`none`: the referee's own process. `external`: a program that is no Player, measured and ended from outside.
`process`: a process of the player's own, started afresh. `rlimits`: forked from a clean zygote, with resource limits.
`seccomp`, `landlock`: one of the two locks as well. `full`: both."""


MEANING = {
    "none": "players run inside the referee and could do anything to it; their limits are not enforced",
    "external": "a program is not confined, but measured, limited and ended with all that it has started",
    "process": "each player has a process of its own, but can read and write files, use the network and start programs",
    "rlimits": "players can read and write files, use the network and start programs",
    "seccomp": "players can read and write files, but not use the network or start programs",
    "landlock": "players can only read their own files, but the kernel's filter of system calls is missing",
    "full": "players can only read their own files, and can neither use the network nor start programs",
}
"""What each tier means for the result."""


class Mechanisms(NamedTuple):
    """Which locks a player's process has put on; `problems` says why one is missing."""

    landlock: int = 0
    seccomp: bool = False
    unprivileged: bool = False
    nobody: bool = False
    problems: tuple[str, ...] = ()


def tier_of(mechanisms: Mechanisms) -> str:
    """The tier of a process that was forked from the zygote with these locks on."""
    if not mechanisms.unprivileged:
        return "rlimits"
    if mechanisms.landlock and mechanisms.seccomp:
        return "full"
    return "landlock" if mechanisms.landlock else "seccomp" if mechanisms.seccomp else "rlimits"


def weaker(first: str, second: str) -> str:
    """The weaker one of two tiers."""
    return min(first, second, key=TIERS.index)

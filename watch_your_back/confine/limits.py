"""What a player may use during one match, and how it is counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

__all__ = ["NO_LIMITS", "PROFILES", "Limits", "Profile"]

Profile: TypeAlias = Literal["fair", "official-2018", "none"]
PROFILES: tuple[Profile, ...] = get_args(Profile)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one player in one match.

    `cpu_s` is CPU time in seconds over the whole match (import, constructor, `action` and `update` together),
    `memory_mb` memory in MB of 1,048,576 bytes above what the player's process held before it imported the agent.
    `None` is no limit. The profile says how memory is counted:

    - `fair`: the peak of resident memory that the player itself brought in;
    - `official-2018`: as the marking of the 2018 assignment did: no numpy imported beforehand, growth of the peak of
      the address space, both players together against twice the limit, and the larger one loses;
    - `none`: nothing is limited, whatever the numbers say.

    Raises ValueError for a limit that is not above 0 or an unknown profile.
    """

    cpu_s: float | None = None
    memory_mb: float | None = None
    profile: Profile = "fair"

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise ValueError(f"the profile is one of {', '.join(PROFILES)}, not {self.profile!r}")
        for name, value in (("time limit", self.cpu_s), ("memory limit", self.memory_mb)):
            if value is not None and not 0 < value < float("inf"):
                raise ValueError(f"the {name} is a number above 0, not {value:g}")
        if self.profile == "none":
            object.__setattr__(self, "cpu_s", None)
            object.__setattr__(self, "memory_mb", None)

    @property
    def call_wall_s(self) -> float | None:
        """Elapsed seconds after which one call is stopped although it used little CPU time (a sleeper)."""
        return None if self.cpu_s is None else 3 * self.cpu_s + 5

    @property
    def match_wall_s(self) -> float | None:
        """Elapsed seconds after which all calls of one player in one match together are stopped."""
        return None if self.cpu_s is None else 10 * self.cpu_s + 60


NO_LIMITS = Limits()
"""The profile `fair` without numbers: memory and time are counted, and nothing but the computer is protected."""

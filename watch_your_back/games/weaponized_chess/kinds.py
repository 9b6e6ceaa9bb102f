"""The kinds of pieces and articles, and the governments: the data of `pieces.json` (sections 2 and 6.2)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

__all__ = ["ARTICLES", "BALLISTICS", "GOVERNMENTS", "KINDS", "LAUNCHERS", "TRANSPORTS", "WEAPONS", "Kind", "read_data"]

WEAPONS = ("FL", "ST", "CS", "RL", "SL", "TL")
"""Flamethrower, stunner, conversion; launchers of rockets, SAMs and torpedoes."""
LAUNCHERS = ("RL", "SL", "TL")
TRANSPORTS = ("BI", "JP", "SC")
"""Bicycle, jump pack, scuba."""
BALLISTICS = {"RL": "R", "SL": "S", "TL": "T"}
"""The letter of what a launcher launches."""


def read_data(name: str) -> Any:
    """The content of a JSON file of this package."""
    return json.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """What all pieces of a type have in common; `weapons`, `defences` and the rest are inherent."""

    code: str
    name: str
    role: str
    """`primary`, `secondary`, `pawn` or nothing."""
    handed: bool
    combat: bool
    """Whether it takes enemy pieces by moving."""
    coexists: bool
    weapons: tuple[str, ...]
    defences: tuple[str, ...]
    restricted_rocket: bool
    stealth: bool
    anti_stealth: bool
    box: bool

    @property
    def primary(self) -> bool:
        return self.role == "primary"

    @property
    def secondary(self) -> bool:
        return self.role == "secondary"

    @property
    def pawn(self) -> bool:
        return self.role == "pawn"


def _kind(code: str, about: dict[str, Any]) -> Kind:
    abilities = about.get("abilities", ())
    return Kind(
        code,
        about["name"],
        about.get("role", ""),
        about["hand"],
        about["combat"],
        about["coexists"],
        tuple(about["weapons"]),
        tuple(about["defences"]),
        "restricted_rocket" in abilities,
        "SH" in abilities,
        "ASH" in abilities,
        "XXX" in abilities,
    )


_DATA = read_data("pieces.json")

KINDS: dict[str, Kind] = {code: _kind(code, about) for code, about in _DATA["pieces"].items()}
ARTICLES: dict[str, dict[str, str]] = _DATA["articles"]
"""Of each type of article its name, and what it is used as: `weapon`, `defence`, `transport`, ..."""
GOVERNMENTS: dict[str, dict[str, str]] = _DATA["governments"]
"""Of each government the types of the primary and the secondary piece."""

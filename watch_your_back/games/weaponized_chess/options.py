"""The options of the game, made from `options.json` (section 11 of the rules)."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass
from typing import Any

from watch_your_back import game as base
from watch_your_back.game import OptionError, option
from watch_your_back.games.weaponized_chess.kinds import read_data
from watch_your_back.games.weaponized_chess.position import PositionError, read

__all__ = ["SHAPING", "Options"]

SHAPING = frozenset({"position", "government_black", "government_white", "weapons", "xxx_boxes", "reinforcements"})
"""Options that shape the set-up, and so take effect with a new game only."""

_FIELDS: list[Any] = [
    (
        name,
        type(about["default"]),
        option(
            about["default"],
            about["help"],
            **{key: about.get(key) for key in ("minimum", "maximum", "choices")},
            file=about.get("file", False),
        ),
    )
    for name, about in read_data("options.json").items()
]

_Data: Any = make_dataclass("_Data", _FIELDS, bases=(base.Options,), frozen=True)


@dataclass(frozen=True)
class Options(_Data):  # type: ignore[misc]
    """The options of the game; `options.json` has their defaults, ranges and meanings."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sub_jet_combat and not (
            self.movement_type == "standard"
            or (self.movement_type == "mass_destruction" and self.action_restriction == "moves_only")
        ):
            raise OptionError(
                "option sub_jet_combat needs movement_type standard, or movement_type mass_destruction together with"
                " action_restriction moves_only"
            )
        if self.position:
            try:
                read(self.position, boxes=self.xxx_boxes)
            except PositionError as error:
                raise OptionError(f"option position: {error}") from None

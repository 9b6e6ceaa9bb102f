"""One match: two seats, the rules between them, events, the record."""

from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.limits import Limits
from watch_your_back.match.loop import Match, play, run, slot_seed

__all__ = ["Confinement", "Limits", "Match", "play", "run", "slot_seed"]

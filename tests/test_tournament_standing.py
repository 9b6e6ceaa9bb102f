"""How a tournament stands, from what its matches ended like."""

import pytest

from watch_your_back.match.events import Reason
from watch_your_back.statistics import Tally
from watch_your_back.tournament.standing import tally_of


@pytest.mark.parametrize(
    ("winner", "reason", "first", "second"),
    [
        (0, "eliminated", Tally(wins=3), Tally(losses=3)),
        (1, Reason.TIME_LIMIT, Tally(losses=3), Tally(wins=3)),
        (None, "turn limit", Tally(draws=3), Tally(draws=3)),
        (None, Reason.BOTH_COULD_NOT_START, Tally(losses=3), Tally(losses=3)),
    ],
)
def test_a_match_is_won_drawn_or_lost(winner, reason, first, second):
    """Two agents that cannot be started do not share a point: both have lost."""
    assert (tally_of(0, winner, reason, 3), tally_of(1, winner, reason, 3)) == (first, second)

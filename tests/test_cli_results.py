"""How a match ended, for people and for programs."""

import json

import match_events as events
import pytest

from watch_your_back.cli.results import as_json, sentence, winner_line
from watch_your_back.confine.limits import Limits
from watch_your_back.match.events import Reason

OUTCOMES = [
    (0, "eliminated", "winner: W!", "White (one) wins: Black was eliminated (3 turns)"),
    (1, Reason.ILLEGAL_ACTION, "winner: B!", "Black (two) wins: White took an illegal action (3 turns)"),
    (1, "points", "winner: B!", "Black (two) wins: points (3 turns)"),
    (None, "both eliminated", "winner: draw!", "Draw between White (one) and Black (two): both eliminated (3 turns)"),
    (None, Reason.TURN_LIMIT, "winner: draw!", "Draw between White (one) and Black (two): turn limit (3 turns)"),
    (
        None,
        Reason.BOTH_COULD_NOT_START,
        "no winner: both could not start",
        "No winner between White (one) and Black (two): both could not start (3 turns)",
    ),
    (
        None,
        Reason.INTERRUPTED,
        "no winner: interrupted",
        "No winner between White (one) and Black (two): interrupted (3 turns)",
    ),
]


@pytest.mark.parametrize(("winner", "reason", "line", "words"), OUTCOMES, ids=lambda value: str(value)[:20])
def test_every_end_has_its_line_and_its_sentence(winner, reason, line, words):
    """A draw, a void match and a match that nobody could play are told apart."""
    started, ended = events.started(), events.ended(winner, reason, 3)
    assert winner_line(started, ended) == line
    assert sentence(started, ended) == words


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_makes_a_sentence(reason):
    """No reason is left without words, and one turn is not called turns."""
    words = sentence(events.started(), events.ended(0, reason, 1))
    assert words.startswith("White (one) wins: ")
    assert words.endswith("(1 turn)")


def test_the_json_object_has_all_that_the_result_depends_on():
    """Names, limits, tier and what each side used are in it, as plain JSON."""
    started = events.started(limits=Limits(60.0, None))
    result = as_json(started, events.ended(1, Reason.EXCEPTION, 3, ("full", "landlock")))
    side = {"tier": "full", "cpu_s": 1.5, "memory_mb": 12.5, "turns": 3}
    assert json.loads(json.dumps(result)) == {
        "game": "watch_your_back",
        "options": {"turn_cap": 512},
        "winner": "black",
        "reason": "exception",
        "detail": "in detail",
        "ply": 3,
        "seed": 7,
        "profile": "fair",
        "limits": {"cpu_s": 60.0, "memory_mb": None},
        "tier": "landlock",
        "sides": {
            "white": {"agent": "one", "spec": "one", **side},
            "black": {"agent": "two", "spec": "two", "tier": "landlock", "cpu_s": 0.25, "memory_mb": 3.25, "turns": 3},
        },
    }

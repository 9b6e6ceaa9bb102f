"""The recorded facts about a game: see its file `data/<game>.json.gz`, made by a plain reference implementation."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cases import for_each

from watch_your_back.game import Action, Game, IllegalAction, State, perft

__all__ = ["check_game_record", "check_perft", "check_refusal", "read_vectors", "recorded", "state_after", "tupled"]

DATA = Path(__file__).parent / "data"


@cache
def read_vectors(id: str) -> dict[str, list[Any]]:
    """`perft`, `games` and `illegal` of the game with this id."""
    return json.loads(gzip.decompress((DATA / f"{id}.json.gz").read_bytes()))


def recorded(id: str, kind: str) -> Callable[[Callable[[Any], object]], Callable[[], None]]:
    """Make a test of one entry a test of all entries of this kind of the game with this id."""
    return for_each(lambda: read_vectors(id)[kind])


def tupled(value: Any) -> Action:
    """An action as it is written in JSON, with tuples for the arrays."""
    return tuple(map(tupled, value)) if isinstance(value, list) else value


def state_after(id: str, entry: dict[str, Any]) -> State:
    """The state after the prefix of an entry, with its options."""
    state = Game.load(id, **entry["options"]).initial()
    for action in entry.get("prefix", []):
        state = state.play(state.check(action))
    return state


def check_perft(id: str, entry: dict[str, Any]) -> None:
    """Assert that there are as many sequences of legal actions."""
    assert perft(state_after(id, entry), entry["depth"]) == entry["leaves"]


def check_game_record(id: str, record: dict[str, Any]) -> State:
    """Assert the turns, the side and the number of legal actions before each action, and the end; the last state."""
    state = Game.load(id, **record["options"]).initial()
    before = zip(record["turns_passed_to_action"], record["to_move"], record["legal_counts"], strict=True)
    for action, (turns, side, count) in zip(record["actions"], before, strict=True):
        assert (state.turns, state.game.sides[state.to_move]) == (turns, side)
        assert state.count_actions() == len(list(state.legal_actions())) == count
        state = state.play(state.check(action))
    if record["winner"] is None:
        assert state.outcome is None
    else:
        winner = None if record["winner"] == "draw" else state.game.sides.index(record["winner"])
        assert state.outcome is not None
        assert tuple(state.outcome) == (winner, record["reason"])
    return state


def check_refusal(id: str, entry: dict[str, Any]) -> None:
    """Assert that the action is refused, for its form if that is wrong."""
    state = state_after(id, entry)
    action = tupled(entry["action"])
    with pytest.raises(IllegalAction) as refused:
        state.check(action)
    assert refused.value.message.isprintable()
    assert (refused.value.kind == "form") == entry["why"].startswith("wrong form")

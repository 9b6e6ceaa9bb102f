"""Watch Your Back! against games, legal actions and refusals that were made with the published referee's rules."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from cases import for_each

from watch_your_back.game import IllegalAction, Outcome
from watch_your_back.games.watch_your_back import WatchYourBack

DATA = Path(__file__).parent / "data"
GAME = WatchYourBack(WatchYourBack.Options(turn_cap=0))
"""Without the safety cap, so that no record is cut by it."""

PIECES = str.maketrans("WB", "O@")


class Index:
    """A number that is none: only its `__index__` says which one it would be."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Number(int):
    """An int by inheritance."""


def vectors(name):
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def action_of(value):
    """An action as it is written in JSON, with tuples for the arrays."""
    return tuple(action_of(item) for item in value) if isinstance(value, list) else value


def state_after(actions):
    state = GAME.initial()
    for action in actions:
        state = state.play(action_of(action))
    return state


def rows(state):
    """The published board without the blanks between its cells."""
    return [line[::2] for line in state.text().splitlines()[:8]]


def each_coordinate(change):
    """A function that makes an action of the same shape with every coordinate changed."""

    def changed(part):
        return tuple(changed(item) for item in part) if isinstance(part, tuple) else change(part)

    return changed


BUILD = {
    "float": each_coordinate(float),
    "string_coords": each_coordinate(str),
    "none_coord": each_coordinate(lambda number: None),
    "complex": each_coordinate(complex),
    "numpy_int64": each_coordinate(np.int64),
    "index_only": each_coordinate(Index),
    "int_subclass": each_coordinate(Number),
    "float_first": lambda base: (
        ((float(base[0][0]), base[0][1]), base[1]) if isinstance(base[0], tuple) else (float(base[0]), base[1])
    ),
    "bool": each_coordinate(lambda number: bool(number) if number in (0, 1) else number),
    "string": repr,
    "list3": lambda base: [*base, 0],
    "tuple3": lambda base: (*base, 0),
    "tuple1": lambda base: (base[0],),
    "empty_tuple": lambda base: (),
    "int": lambda base: 3,
    "false": lambda base: False,
    "none_pair": lambda base: (None, None),
    "bytes_text": lambda base: b"abcd" if isinstance(base[0], tuple) else b"ab",
    "nested_place": lambda base: ((base[0],), (base[1],)),
    "wrapped": lambda base: (base,),
    "move_tuple_then_list": lambda base: (base[0], list(base[1])),
    "move_list_then_tuple": lambda base: (list(base[0]), base[1]),
    "flat_move": lambda base: (*base[0], *base[1]),
    "object": lambda base: object(),
    "list": list,
    "lists": lambda base: [list(part) if isinstance(part, tuple) else part for part in base],
    "dict_keys": lambda base: dict.fromkeys(base).keys(),
    "iterator": iter,
}
"""For each tag of a bad action, the Python object to build from a legal action."""

HINTS = {
    "may_not_pass": "forfeit_in_placing forfeit_with_moves",
    "phase": "place_in_moving move_in_placing",
    "off_board": """
        place_negative place_off_board move_from_removed move_to_negative move_to_removed move_off_board
        negative_alias_source negative_alias_target jump_to_negative jump_to_removed jump_off_board
    """,
    "corner": "place_on_corner place_on_corner_outside_zone move_from_corner move_to_corner jump_to_corner",
    "zone": "place_outside_zone",
    "occupied": "place_on_own place_on_enemy move_to_own move_to_enemy jump_to_occupied",
    "not_yours": "move_from_empty move_enemy_piece",
    "unreachable": "move_diagonal move_knight move_three move_to_itself "
    "jump_diagonal jump_over_corner jump_over_empty jump_over_two",
}
"""For each kind of refusal the hints that the vectors give for it; all others are about the form."""


def kind_of(hint):
    return next((kind for kind, hints in HINTS.items() if hint in hints.split()), "form")


@for_each(lambda: vectors("wyb_games.jsonl.gz"))
def test_every_game_replays_to_the_same_boards_and_the_same_end(record):
    """After each action the board, the phase and its turns are those of the referee, and so is the winner."""
    state = GAME.initial()
    for action, expected in zip(record["actions"], record["states"], strict=True):
        assert state.outcome is None
        state = state.play(action_of(action))
        assert rows(state) == [row.translate(PIECES) for row in expected["board"]]
        assert state.turns == expected["turn"]
        assert state.phase == expected["phase"] or (expected["phase"] == "completed" and state.outcome)
        assert (state.pieces(0).bit_count(), state.pieces(1).bit_count()) == (expected["white"], expected["black"])
    ends = {
        "W": Outcome(0, "eliminated"),
        "B": Outcome(1, "eliminated"),
        "draw": Outcome(None, "both eliminated"),
        None: None,
    }
    assert state.outcome == ends[record["winner"]]


@for_each(lambda: vectors("wyb_legal.jsonl.gz"))
def test_every_position_has_exactly_its_legal_actions(position):
    """No action is missing, none too many, and each once."""
    state = state_after(position["actions_prefix"])
    assert rows(state) == [row.translate(PIECES) for row in position["board"]]
    assert "WB"[state.to_move] == position["mover"]
    legal = state.legal_actions()
    assert len(legal) == len(position["legal"]) == state.count_actions()
    assert set(legal) == {action_of(action) for action in position["legal"]}


@for_each(lambda: vectors("wyb_illegal.jsonl.gz"))
def test_every_answer_gets_its_verdict(entry):
    """What the referee refused is refused with the right kind; what it took for an action is taken as that one."""
    state = state_after(entry["actions_prefix"])
    bad = entry["bad_action"]
    action = BUILD[bad](action_of(entry["base_action"])) if isinstance(bad, str) else action_of(bad)
    if entry["legal"]:
        assert state.check(action) == action_of(entry["base_action"])
        return
    with pytest.raises(IllegalAction) as refused:
        state.check(action)
    well_formed = kind_of(entry["reason_kind"]) != "form"
    must_pass = well_formed and state.legal_actions() == [None]
    assert refused.value.kind == ("must_pass" if must_pass else kind_of(entry["reason_kind"]))

"""What a side of Weaponized Chess learns: the same from any two states that differ in what it cannot see."""

import json
from pathlib import Path
from random import Random

import pytest
from weaponized_boards import board, canonical_piece, idle, turn

from watch_your_back.game import Game, IllegalAction

OPTIONS = [
    {"competitive": True},
    {"competitive": True, "dominance": "stealth", "movement_type": "standard"},
    {"competitive": True, "stealth_range_detection": True, "detector_range": 5, "movement_type": "mass_destruction"},
    {
        "competitive": True,
        "unseen_primary": True,
        "stealth_seen_when_firing": False,
        "submerged_seen_when_firing": False,
    },
]


def random_states(options, seeds=2, turns=40):
    """States of random matches, each with the turn that led to it."""
    game = Game.load("weaponized_chess", turn_cap=turns, **options)
    for seed in range(seeds):
        rng, state = Random(seed), game.initial()
        while state.outcome is None:
            action = state.sample(rng)
            state = state.play(action)
            yield state, action


def message(state, action):
    """The refusal of an action; None if it is legal."""
    try:
        state.check(action)
    except IllegalAction as refusal:
        return refusal.kind, refusal.message
    return None


@pytest.mark.parametrize("options", OPTIONS)
def test_states_that_differ_in_hidden_facts_look_the_same(options):
    """The view, the legal steps, and what is said of wrong turns are equal."""
    differed = 0
    for number, (state, action) in enumerate(random_states(options)):
        side = state.to_move
        view = json.loads(json.dumps(state.view(side)))
        other = state.game.imagine(view, Random(number))
        assert other.view(side) == view
        differed += other != state
        if state.outcome is None and number % 10 == 0:
            assert list(other.legal_steps()) == list(state.legal_steps())
            for wrong in (
                action,
                (),
                (("MV", "W-AAA-1", 5, 5, "ground", None),),
                (("MV", "B-SU-1", 1, 1, "sub", None),),
            ):
                assert message(other, wrong) == message(state, wrong)
    assert differed


def test_an_unseen_move_is_told_without_its_place():
    """Whatever an unseen piece does, its enemy is told `("MV", "?")` and sees the same board."""
    state = board("white AAA 8 8", "white AAA 8 3", to_move="white", competitive=True)
    moves = [step for step in state.legal_steps() if step and step[0] == "MV" and "AAA" in step[1]]
    assert len(moves) > 10
    seen = {(after.observe((step,), 0), json.dumps(after.view(0))) for step in moves for after in [turn(state, step)]}
    assert len(seen) == 1
    assert next(iter(seen))[0] == (("MV", "?"),)


def test_seen_and_own_actions_are_told():
    """Those of seen pieces in full, those of unseen ones not at all, and a side is told its own turn as it was."""
    state = board("white TA< 8 8", "white AAA 8 3", to_move="white", competitive=True, articles=["FL 8 8", "FL 8 3"])
    action = (("MV", "W-TA-1", 7, 8, "ground", None), ("PU", "W-AAA-1", "FL"))
    after = turn(state, *action)
    assert after.observe(action, 0) == action[:1]
    assert after.observe(action, 1) == action


def test_a_passenger_that_is_unseen_is_not_told_of():
    """Nor are the squares of a doze on which nothing is seen."""
    state = board("white CH< 8 8", "white AAA 8 8", to_move="white", competitive=True)
    action = (("MV", "W-CH-1", 6, 9, "air", "W-AAA-1"),)
    assert turn(state, *action).observe(action, 0) == (("MV", "W-CH-1", 6, 9, "air", None),)
    state = board("white DO 8 8", "white SU 8 8", "white AAA 8 7", "white FP 8 9", to_move="white", competitive=True)
    doze = (("DZ", "W-DO-1", -1, 0, ((8, 7), (8, 9))),)
    assert turn(state, *doze).observe(doze, 0) == (("DZ", "W-DO-1", -1, 0, ((8, 9),)),)


def test_a_game_that_is_not_competitive_has_a_complete_history():
    """Its sides are told every step that was carried out, skipped ones left out."""
    state = board("white AAA 8 8", to_move="white")
    action = (("MV", "W-AAA-1", 8, 7, "ground", None),)
    assert turn(state, *action).observe(action, 0) == action
    upset = board("black TA> 2 3", "white AAA 5 3", articles=["XXX 7 4"])
    action = (("MV", "B-TA-1", 7, 4, "ground", None), ("PU", "B-TA-1", "XXX"))
    assert turn(upset, *action).observe(action, 1) == action[:1]


@pytest.mark.parametrize("options", [{}, *OPTIONS])
def test_what_is_unseen_is_in_no_view(options):
    """Neither as a piece, nor as a target, nor anywhere else in what the other side is given."""
    for state, _ in random_states(options, turns=30):
        for side, name in enumerate(state.game.sides):
            view = state.view(side)
            shown = {piece[0] for piece in view["pieces"]}
            for p in state.board.hidden(side):
                assert state.board.cast.ids[p] not in shown
            assert all(lock[0] in shown for lock in view["locks"])
            assert {piece[1] for piece in view["pieces"]} <= {"black", "white"}
            assert all(not piece[8] or piece[1] == name for piece in view["pieces"])


@pytest.mark.parametrize("options", [{}, *OPTIONS])
def test_a_turn_drawn_from_what_is_imagined_is_legal(options):
    """So an agent that imagines what it does not see makes no illegal turn."""
    for number, (state, _) in enumerate(random_states(options, seeds=1)):
        if state.outcome is None:
            imagined = state.game.imagine(state.view(state.to_move), Random(number))
            action = imagined.sample(Random(number))
            assert state.check(action) == action


def test_a_piece_that_is_run_into_is_seen_for_a_whole_turn():
    """A mover that does not take stops before it and reveals it, until its own next turn has ended."""
    state = turn(board("black DS 5 5", "white AAA 6 5"), ("MV", "B-DS-1", 6, 5, "ground", None))
    assert canonical_piece(state, "B-DS-1")[4:6] == [5, 5]
    seen = []
    for _ in range(4):
        seen.append(canonical_piece(state, "W-AAA-1")[12])
        state = idle(state)
    assert seen == [True, True, False, False]


def test_two_players_see_what_they_may():
    """Confined players in a competitive match are given views, and neither meets what it must not know."""
    from watch_your_back.agents import find
    from watch_your_back.match import Match, run

    game = Game.load("weaponized_chess", competitive=True, turn_cap=6)
    agent = str(Path(__file__).parent / "agents" / "seeing.py")
    ended = run(Match(game, (find(agent), find(agent)), seed=1))
    assert ended.reason == "turn limit", ended.detail


def test_what_is_told_of_a_turn_does_not_depend_on_what_is_unseen():
    """The same turn of pieces that are seen is told alike, whatever else there may be."""
    compared = 0
    for number, (state, _) in enumerate(random_states({"competitive": True}, seeds=3, turns=60)):
        if state.outcome is not None:
            continue
        watcher = 1 - state.to_move
        other = state.game.imagine(state.view(watcher), Random(number))
        shown = {piece[0] for piece in state.view(watcher)["pieces"]}
        steps = [
            step for step in state.legal_steps() if step and step[0] == "MV" and step[1] in shown and step[5] is None
        ]
        for step in Random(number).sample(steps, min(3, len(steps))):
            if message(other, (step,)) is None:
                compared += 1
                assert state.play((step,)).observe((step,), watcher) == other.play((step,)).observe((step,), watcher)
    assert compared > 100

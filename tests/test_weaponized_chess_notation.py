"""Turns of Weaponized Chess written down: the examples of its rules, random matches there and back, wrong records."""

from random import Random

import pytest
from weaponized_boards import board, idle, turn

from watch_your_back.game import Game
from watch_your_back.games.weaponized_chess.notation import history, record
from watch_your_back.games.weaponized_chess.reading import NotationError, read_history, read_turn

EXAMPLES = [
    (("black SHP 2 5 origin",), (), (("MV", "B-SHP-1", 4, 7, "ground", None),), "MV:SHP(2,5)->(4,7)"),
    (
        ("black CH> 1 4", "black JE 1 4"), (), (("MV", "B-CH-1", 3, 5, "air", "B-JE-1"),),
        "MV:CH(1,4)>->^(3,5)-TRA->JE(1,4)^(3,5)",
    ),
    (
        ("black DO 3 3", "black SU 3 3", "black FP 4 3", "white TA> 4 4"), (),
        (("DZ", "B-DO-1", 1, 0, ((4, 3), (4, 4))),), "MV:DO(3,3)->(4,3),DO>(4,3)SU(3,3),FP(4,3),TA(4,4)",
    ),
    (
        ("black TA> 1 1", "black AAA 2 3", "white JE 5 3 air", "white RP 5 1"), (),
        (
            ("MV", "B-TA-1", 4, 1, "ground", None), ("FI", "B-TA-1", "FL", "dir", 1, 0),
            ("FI", "B-AAA-1", "SL", "at", "W-JE-1"),
        ),
        "MV:TA(1,1)>->(4,1),FI1:FL/TA(4,1)>->(5,1),FI2:SL/AAA(2,3)=>JE^(5,3),RS:S->(3,3)(1,0),FK*RP(5,1)0W",
    ),
    (
        ("black FP 2 2 BI", "black DS 3 1", "black Q 1 6 RL", "black RP 9 1 ARL", "black TA< 5 5 RL"), ("ASH 3 1",),
        (
            ("MV", "B-K-1", 1, 9, "ground", None), ("FI", "B-FP-1", "BI", "to", 5, 3, "starboard"),
            ("PU", "B-DS-1", "ASH"), ("EX", "B-Q-1", "RL", "B-RP-1", "ARL"), ("DR", "B-TA-1", "RL"),
        ),
        "MV:K(1,10)->(1,9),FI1:BI/FP(2,2)1BI->(5,3)>,PU:DS(3,1)^ASH,EX:Q(1,6)1RL->RL<=>ARL<-RP(9,1)1ARL,"
        "DR:TA(5,5)1RL<vRL,RS:FP->(3,3)(1,1)",
    ),
    (
        ("black TA> 2 3", "white AAA 5 3"), (), (("MV", "B-TA-1", 7, 4, "ground", None),),
        "MV:TA(2,3)>->(7,4),RS:TA*AAA(5,3)0W,TA->(5,3)(1,0)",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("pieces", "articles", "steps", "expected"), EXAMPLES)
def test_examples(pieces, articles, steps, expected):
    """Each turn is written as the rules show it, and read back."""
    state = board(*pieces, articles=articles)
    state.check(steps)
    assert record(state, steps) == expected
    assert read_turn(state, expected) == steps


def test_the_order_of_actions_is_written_where_it_differs():
    """And a record without it is read in the first order that is legal."""
    state = board("black TA> 1 1", "black AAA 2 3", "white RP 2 1", articles=["RL 2 1"])
    steps = (
        ("FI", "B-AAA-1", "SL", "dir", 1, 0), ("MV", "B-TA-1", 2, 1, "ground", None), ("PU", "B-TA-1", "RL"),
        ("FI", "B-TA-1", "RL", "dir", 1, 0),
    )  # fmt: skip
    written = record(state, steps)
    assert written.endswith(",OR:1MP2")
    assert read_turn(state, written) == steps
    rest = written.removesuffix(",OR:1MP2")
    assert sorted(read_turn(state, rest)) == sorted(steps)


def test_reinforcements_and_waived_moves():
    """They have their own signs."""
    state = board("black DS 8 1", reinforcements=["black CL> 9 1"])
    state = idle(turn(state, ("MV", "B-DS-1", 9, 1, "ground", None)))
    steps = (("MV", "B-DS-1", 8, 1, "ground", None), ("RE", 9, 1, "CL"))
    assert record(state, steps) == "MV:DS(9,1)->(8,1),RE:(9,1)CL>"
    assert read_turn(state, "MV:DS(9,1)->(8,1),RE:(9,1)CL>") == steps
    stuck = board("black K 1 10", "white K 10 1", "white STP 1 1", kings=False, to_move="white")
    stuck = idle(stuck, ("FI", "W-STP-1", "ST", "dir", 0, 1))
    assert record(stuck, ()) == "MV:-"
    assert read_turn(stuck, "MV:-") == ()


def test_pieces_that_look_alike_are_numbered():
    """The second of two on one square is told from the first."""
    state = board("black DS 5 5", "black DS 5 5")
    steps = (("MV", "B-DS-2", 6, 5, "ground", None),)
    assert record(state, steps) == "MV:DS(5,5)#2->(6,5)"
    assert read_turn(state, "MV:DS(5,5)#2->(6,5)") == steps
    assert read_turn(state, "MV:DS(5,5)->(6,5)") == (("MV", "B-DS-1", 6, 5, "ground", None),)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"movement_type": "standard", "dominance": "stealth"},
        {"movement_type": "mass_destruction", "flame_range": 2},
    ],
)
def test_a_history_replays(options):
    """The history of a random match leads to the same state."""
    game = Game.load("weaponized_chess", turn_cap=120, **options)
    for seed in range(2):
        rng, state, turns = Random(seed), game.initial(), []
        while state.outcome is None:
            turns.append(state.sample(rng))
            state = state.play(turns[-1])
        lines = list(history(game.initial(), turns))
        assert lines[0].startswith("1B MV:")
        assert lines[1].startswith("1W MV:")
        assert read_history(game.initial(), "\n".join(lines))[1] == state


def test_a_history_as_a_side_saw_it():
    """In a competitive game unseen actions and results are left out, and it cannot be played again."""
    state = board("white AAA 8 8", "white TA< 8 3", to_move="white", competitive=True, articles=["FL 8 8"])
    steps = (("MV", "W-AAA-1", 8, 7, "ground", None), ("FI", "W-TA-1", "FL", "dir", -1, 0))
    assert list(history(state, [steps])) == ["1W MV:AAA(8,8)->(8,7),FI1:FL/TA(8,3)<->(7,3)"]
    assert list(history(state, [steps], viewer=1)) == list(history(state, [steps]))
    assert list(history(state, [steps], viewer=0)) == ["1W MV:?,FI1:FL/TA(8,3)<->(7,3)"]
    with pytest.raises(NotationError, match="cannot be played again"):
        read_turn(state, "MV:?,FI1:FL/TA(8,3)<->(7,3)")


WRONG = [
    ("XX:SHP(2,5)->(4,7)", "begins with MV:"),
    ("MV:SHP(2,5)->(4,7),MV:SHP(2,5)->(4,7)", "occurs twice"),
    ("MV:SHP(2,5)to(4,7)", "cannot be read"),
    ("MV:SHP(2,6)->(4,7)", "no piece SHP"),
    ("MV:SHP(2,5)->(4,6)", "not legal"),
    ("MV:SHP(2,5)->(4,17)", "not on the board"),
    ("MV:SHP(2,5)->(4,7),OR:M1", "name each action once"),
    ("MV:SHP(2,5)->(4,7),RS:R->(5,5)(1,0)", "results of this turn"),
    ("MV:SHP(2,5)2RL->(4,7)", "another number of articles"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_wrong_records(text, message):
    """Each is refused by a sentence that says what is wrong."""
    with pytest.raises(NotationError, match=message):
        read_turn(Game.load("weaponized_chess").initial(), text)


@pytest.mark.parametrize(
    ("text", "message"),
    [("MV:SHP(2,5)->(4,7)", "line 1: expected a number"), ("1W MV:SHP(2,5)->(4,7)", "line 1: it is the turn of black")],
)
def test_wrong_histories(text, message):
    """The line is named."""
    with pytest.raises(NotationError, match=message):
        read_history(Game.load("weaponized_chess").initial(), text)


def test_old_codes_are_read():
    """JU for a jump pack and SP for a Stunner Pawn, as the printed grammar has them in places."""
    state = board("black STP 2 2 JP")
    steps = (("MV", "B-K-1", 1, 9, "ground", None), ("FI", "B-STP-1", "JP", "to", 5, 5, "straight"))
    assert read_turn(state, "MV:K(1,10)->(1,9),FI1:JU/SP(2,2)1JU->(5,5)") == steps

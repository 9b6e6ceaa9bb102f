"""The rules of Weaponized Chess on small boards: the examples that the rules give, in their order."""

import pytest
from weaponized_boards import board, canonical_piece, idle, perft_of_moves, reach, turn

from watch_your_back.game import Game, IllegalAction
from watch_your_back.games.weaponized_chess import canonical, position
from watch_your_back.games.weaponized_chess.setup import setup_of

STANDARD = Game.load("weaponized_chess").initial()


def ground(state, id):
    """The ground squares that a piece can go to."""
    return {(row, column) for row, column, level in reach(state, id) if level == "ground"}


def refused(state, *steps):
    """The kind of the refusal of a turn."""
    with pytest.raises(IllegalAction) as refusal:
        state.check(steps)
    return refusal.value.kind


def where(state, id):
    """Row, column and level of a piece; None when it is off the board."""
    found = canonical_piece(state, id)
    return found and tuple(found[4:7])


def seen(state, id):
    """Whether the enemy sees a piece."""
    return canonical_piece(state, id)[12]


def missiles(state):
    """The projectiles, each with its kind and square."""
    return [tuple(each[:3]) for each in canonical(state)["projectiles"]]


def lying(state, row, column):
    """The types of the articles on a square."""
    return [kind for _, kind, *place, _, _ in canonical(state)["articles"] if place == [row, column]]


def test_the_standard_set_up():
    """28 pieces a side, 68 articles, 10 reinforcements; all but the AAAs are seen (1)."""
    form = canonical(STANDARD)
    assert [sum(piece[1] == side for piece in form["pieces"]) for side in ("black", "white")] == [28, 28]
    assert len(form["articles"]) == 68
    assert [sum(id[0] == side for id, _ in form["reinforcements"]) for side in "BW"] == [10, 10]
    assert [piece[0] for piece in form["pieces"] if piece[1] == "white" and not piece[12]] == ["W-AAA-1", "W-AAA-2"]


def test_the_colours_of_the_corners():
    """The nearest square at a player's right hand is black (2)."""
    tones = {cell.id[1:]: cell.tone for cell in STANDARD.picture().layout.cells if cell.id[0] == "ground"}
    assert {square for square in ((1, 10), (10, 1), (2, 1)) if tones[square] == "dark"} == {(1, 10), (10, 1), (2, 1)}
    assert tones[1, 1] == tones[10, 10] == ""


def test_pawns():
    """Where pawns go from their origin and later, and when they take (3 to 6, 23)."""
    assert ground(STANDARD, "B-SHP-1") == {(3, 4), (3, 6), (4, 3), (4, 7)}
    assert ground(board("black SHP 3 4"), "B-SHP-1") == {(4, 3), (4, 5)}
    taking = board("black CP 5 5", "white TA> 6 5", "white DS 5 4", "white SU 6 6")
    assert ground(taking, "B-CP-1") == {(6, 5), (5, 4), (6, 4)}
    assert ground(board("black FP 2 3 origin", "black TA> 3 4"), "B-FP-1") == {(3, 2), (4, 1)}
    assert ground(board("black FP 2 3 origin", "black DS 3 4"), "B-FP-1") == {(3, 2), (4, 1), (3, 4)}
    straight = board("black FP 2 5 origin", "white DS 3 5", movement_type="standard")
    assert ground(straight, "B-FP-1") == set()
    flanked = ("white DS 3 5", "white DS 3 4", "white DS 3 6")
    assert ground(board("black FP 2 5 origin", *flanked, movement_type="standard"), "B-FP-1") == {(3, 4), (3, 6)}


def test_tanks():
    """Their paths, ranges and hands, and what blocks them (7 to 9, 11, 13)."""
    forward = {(2, 1), (3, 1), (4, 1), (5, 1), (6, 2), (7, 3), (8, 4)}
    assert ground(board("black TA> 1 1"), "B-TA-1") == forward | {(1, 2), (1, 3), (1, 4), (1, 5)}
    for reach_, end in ((6, (8, 5)), (7, (9, 6)), (8, (10, 7))):
        found = ground(board("black TA> 2 3", tank_range=reach_), "B-TA-1")
        assert {square for square in ((8, 5), (9, 6), (10, 7)) if square in found} == {
            square for square in ((8, 5), (9, 6), (10, 7)) if square <= end
        }
    column = {(row, 3) for row in range(3, 11)} | {(7, 4), (8, 5), (9, 6)}
    assert ground(board("black TA> 2 3", "black CP 4 3"), "B-TA-1") & column == {(3, 3)}
    assert ground(board("black TA> 2 3", "white CP 4 3"), "B-TA-1") & column == {(3, 3), (4, 3)}
    white = {(8, 4), (7, 4), (6, 4), (5, 4), (4, 5), (3, 6), (2, 7)}
    assert white <= ground(board("white TA< 9 4", to_move="white"), "W-TA-1")
    zigzag = [(3, 6), (4, 5), (5, 4), (6, 5), (7, 6), (8, 5), (9, 4), (10, 5)]
    for reach_ in (7, 8):
        found = ground(board("black TA> 2 5", movement_type="mass_destruction", tank_range=reach_), "B-TA-1")
        assert found.issuperset(zigzag[:reach_])
    assert (10, 5) in found


def test_a_tank_runs_into_an_unseen_piece():
    """It stops there and takes; what else the turn ordered is skipped where it cannot be done (10, 60, 63)."""
    pieces = ("black TA> 2 3", "white AAA 5 3")
    after = turn(board(*pieces), ("MV", "B-TA-1", 7, 4, "ground", None))
    assert where(after, "B-TA-1") == (5, 3, "ground")
    assert where(after, "W-AAA-1") is None
    after = turn(board(*pieces, articles=["XXX 7 4"]), ("MV", "B-TA-1", 7, 4, "ground", None), ("PU", "B-TA-1", "XXX"))
    assert where(after, "B-TA-1") == (5, 3, "ground")
    assert lying(after, 7, 4) == ["XXX"]
    locking = board(*pieces, "black DS 1 1", articles=["ASH 1 1"])
    after = turn(locking, ("PU", "B-DS-1", "ASH"), ("MV", "B-TA-1", 7, 4, "ground", None))
    assert where(after, "B-TA-1") == (2, 3, "ground")
    assert where(after, "W-AAA-1") == (5, 3, "ground")
    assert seen(after, "W-AAA-1")


def test_clerics():
    """Their bent paths by hand and range (12, 14)."""
    line = [(3, 3), (4, 4), (5, 5), (6, 6), (7, 7)]
    for hand, bend in (("<", [(8, 6), (9, 5), (10, 6)]), (">", [(6, 8), (5, 9), (6, 10)])):
        for reach_ in (7, 8):
            found = ground(board(f"black CL{hand} 2 2", cleric_range=reach_), "B-CL-1")
            assert found.issuperset(line + bend[: reach_ - 5])
            assert (bend[2] in found) == (reach_ == 8)
    spiral = {(6, 4), (7, 5), (8, 6), (8, 7), (8, 8), (7, 9), (6, 10)}
    found = ground(board("black CL< 5 5", movement_type="mass_destruction", cleric_range=8), "B-CL-1")
    assert spiral <= found


def test_choppers():
    """Where they land or hover, and what is in their way (15 to 18)."""
    squares = {(7, 6), (7, 3), (7, 7), (6, 3), (4, 7), (3, 3), (3, 7), (3, 4)}
    assert reach(board("black CH> 5 5"), "B-CH-1") == {
        (*each, level) for each in squares for level in ("ground", "air")
    }
    assert (7, 6) not in ground(board("black CH> 5 5", "white JE 6 5 air", "white JE 6 6 air"), "B-CH-1")
    assert (7, 6) in ground(board("black CH> 5 5", "white JE 6 5 air"), "B-CH-1")
    assert reach(board("black CH> 5 5 air"), "B-CH-1") == {(*each, "ground") for each in squares}
    after = idle(turn(STANDARD, ("MV", "B-CH-1", 3, 5, "air", "B-JE-1")))
    assert where(after, "B-CH-1") == where(after, "B-JE-1") == (3, 5, "air")
    assert (3, 5, "ground") in reach(after, "B-JE-1")
    assert {level for *_, level in reach(after, "B-CH-1")} == {"ground"}


def test_a_queen_chooses_the_free_one_of_two_paths():
    """Where a tank path is blocked the cleric path will do (19)."""
    assert (9, 5) in ground(board("black Q 2 2", "black DS 4 2"), "B-Q-1")


def test_jets():
    """They fly one or two squares, and land where there is room (20, 21)."""
    found = reach(board("black JE 5 5 air", "white JE 6 5 air"), "B-JE-1")
    assert not found & {(6, 5, "air"), (7, 5, "air")}
    assert {(7, 7, "air"), (5, 5, "ground")} <= found
    assert (5, 5, "ground") not in reach(board("black JE 5 5 air", "black TA> 5 5"), "B-JE-1")
    assert (5, 5, "ground") in reach(board("black JE 5 5 air", "black DS 5 5"), "B-JE-1")


def test_subs():
    """On the ground: eight neighbours and down (22); a passenger below has to go along (57)."""
    found = reach(board("black SU 5 5"), "B-SU-1")
    assert len(found) == 9
    assert (5, 5, "sub") in found
    carrying = board("black SU 5 5 sub", "black CL> 5 5 sub")
    assert refused(carrying, ("MV", "B-SU-1", 5, 6, "sub", None)) == "passenger"
    after = turn(carrying, ("MV", "B-SU-1", 5, 6, "sub", "B-CL-1"))
    assert where(after, "B-CL-1") == (5, 6, "sub")


@pytest.mark.parametrize(("reach_", "left"), [(1, ["W-RP-1"]), (2, [])])
def test_a_flamethrower(reach_, left):
    """It burns one square, or two as an option (24)."""
    state = board("black TA> 5 5", "white CP 6 5", "white RP 7 5", flame_range=reach_)
    after = idle(state, ("FI", "B-TA-1", "FL", "dir", 1, 0))
    assert [id for id in ("W-CP-1", "W-RP-1") if where(after, id)] == left


def test_defences_count_a_turn():
    """One defence stops one hit a turn, not two, and one in the next turn again (25)."""
    state = board("black TA> 6 4", "black TA> 6 6", "white FP 6 5")
    left, right = ("FI", "B-TA-1", "FL", "dir", 0, 1), ("FI", "B-TA-2", "FL", "dir", 0, -1)
    once = idle(state, left)
    assert where(once, "W-FP-1")
    assert where(idle(state, left, right), "W-FP-1") is None
    assert where(idle(idle(once), right), "W-FP-1")


def test_a_stunner():
    """It stuns the first in its line, friend or enemy, for three turns of its owner (26, 27)."""
    state = board("black STP 2 2", "black TA> 5 2", "white TA> 7 2")
    after = idle(state, ("FI", "B-STP-1", "ST", "dir", 1, 0))
    assert [canonical_piece(after, id)[9] for id in ("B-TA-1", "W-TA-1")] == [3, 0]
    state = idle(board("black STP 2 2", "white TA> 7 2"), ("FI", "B-STP-1", "ST", "dir", 1, 0))
    for _ in range(3):
        assert refused(state, ("MV", "W-TA-1", 7, 1, "ground", None)) == "stunned"
        state = idle(idle(state))
    assert (7, 1) in ground(state, "W-TA-1")


def test_weapons_pause():
    """A stunner for two turns, a flamethrower for four (28)."""
    fired = board("black STP 2 2", "black FP 2 5")
    fired = idle(fired, ("FI", "B-STP-1", "ST", "dir", 1, 0), ("FI", "B-FP-1", "FL", "dir", 1, 0))
    found = {"ST": None, "FL": None}
    for later in range(1, 7):
        fired = idle(fired)
        codes = {step[2] for step in fired.legal_steps() if step and step[0] == "FI"}
        for code, first in found.items():
            if first is None and code in codes:
                found[code] = later
        fired = idle(fired)
    assert found == {"ST": 3, "FL": 5}


def test_a_rocket_flies_a_square_a_turn():
    """In both players' turns, until it leaves the board (29)."""
    state = idle(board("black RP 2 4"), ("FI", "B-RP-1", "RL", "dir", 1, 0))
    for row in range(3, 11):
        assert missiles(state) == [("R", row, 4)]
        state = idle(state)
    assert missiles(state) == []


def test_rockets_and_defences():
    """A rocket is used up on a defence, two overwhelm it (30), and who steps into one is hit (31)."""
    pawn = "white RP 5 4"
    one = idle(board("black RP 4 4", pawn), ("FI", "B-RP-1", "RL", "dir", 1, 0))
    assert where(one, "W-RP-1")
    assert missiles(one) == []
    two = board("black RP 4 4", "black RP 5 5", pawn)
    two = idle(two, ("FI", "B-RP-1", "RL", "dir", 1, 0), ("FI", "B-RP-2", "RL", "dir", 0, -1))
    assert where(two, "W-RP-1") is None
    state = idle(board("black RP 4 4", "white TA> 5 6"), ("FI", "B-RP-1", "RL", "dir", 1, 0))
    after = turn(state, ("MV", "W-TA-1", 5, 4, "ground", None))
    assert where(after, "W-TA-1") is None
    assert missiles(after) == []


def test_launchers_work_on_their_own_level():
    """A passenger in the air fires rockets that run on the ground (32)."""
    state = board("black CH> 4 4 air", "black CP 4 4 air RL")
    assert missiles(idle(state, ("FI", "B-CP-1", "RL", "dir", 0, 1))) == [("R", 4, 5)]


def test_homing():
    """A SAM follows its target (33, 34) until that leaves the level (35)."""
    state = board("black AAA 2 3", "white JE 5 3 air")
    fire = ("FI", "B-AAA-1", "SL", "at", "W-JE-1")
    assert refused(board("black AAA 2 3", "white JE 6 3 air"), fire, ("MV", "B-K-1", 1, 9, "ground", None)) == "target"
    state = idle(state, fire)
    assert missiles(state) == [("S", 3, 3)]
    flown = turn(state, ("MV", "W-JE-1", 7, 3, "air", None))
    for row in (4, 5, 6):
        assert missiles(flown) == [("S", row, 3)]
        flown = idle(flown)
    assert where(flown, "W-JE-1") is None
    landed = turn(state, ("MV", "W-JE-1", 5, 3, "ground", None))
    assert canonical(landed)["projectiles"] == [["S", 4, 3, 1, 0, None]]
    landed = idle(idle(landed))
    assert missiles(landed) == [("S", 6, 3)]
    assert where(landed, "W-JE-1")


def test_restricted_rockets():
    """A Jet fires straight down at once (36), and nowhere else (37)."""
    fire = ("FI", "B-JE-1", "RL", "at", "W-K-1")
    bare = board("black JE 6 6 air", "black K 1 10", "white K 6 6", kings=False)
    assert idle(bare, fire).outcome is None
    armed = board("black JE 6 6 air RL", "black K 1 10", "white K 6 6", kings=False)
    assert idle(armed, fire).outcome == (0, "primary")
    beside = board("black JE 6 6 air", "white TA> 6 7")
    assert refused(beside, ("FI", "B-JE-1", "RL", "at", "W-TA-1"), ("MV", "B-K-1", 1, 9, "ground", None)) == "target"
    assert refused(beside, ("FI", "B-JE-1", "RL", "dir", 0, 1), ("MV", "B-K-1", 1, 9, "ground", None)) == "unreachable"


def test_conversion():
    """Both pieces of a square change sides (38), or one, and then no third may enter (39)."""
    fire = ("FI", "B-CP-1", "CS", "dir", 1, 1)
    after = idle(board("black CP 4 4", "white AAA 5 5", "white TA> 5 5"), fire)
    assert [canonical_piece(after, id)[1] for id in ("W-AAA-1", "W-TA-1")] == ["black", "black"]
    mixed = idle(idle(board("black CP 4 4", "black DS 5 6", "white AAA 5 5", "white TA> 5 5 ACS"), fire))
    assert [canonical_piece(mixed, id)[1] for id in ("W-AAA-1", "W-TA-1")] == ["black", "white"]
    assert (5, 5) not in ground(mixed, "B-DS-1")
    assert (5, 5) not in ground(mixed, "B-CP-1")


def test_conversion_of_a_carrier():
    """A passenger whose carrier changes sides without it is destroyed (40, 62)."""
    firing = ("black CH> 5 5 air", "black CL> 5 5 air")
    fire = ("FI", "B-CL-1", "CS", "dir", 1, 1)
    after = idle(board(*firing, "white CH> 6 6 air", "white CP 6 6 air"), fire)
    assert canonical_piece(after, "W-CH-1")[1] == "black"
    assert where(after, "W-CP-1") is None
    king = board(*firing, "white CH> 6 6 air ACS", "white K 6 6 air", "black K 1 10", kings=False)
    after = idle(king, fire)
    assert canonical_piece(after, "W-CH-1")[1] == "white"
    assert where(after, "W-K-1") is None
    assert after.outcome == (0, "primary")


def test_capacity():
    """One article, three with an XXX that was picked up first, two for an XXX pawn (41)."""
    king = ("MV", "B-K-1", 1, 9, "ground", None)
    full = board(
        "black TA> 5 5 XXX RL", "black TA> 6 6 RL", "black XP 7 7 RL FL", articles=["FL 5 5", "XXX 6 6", "ST 7 7"]
    )
    assert full.check((king, ("PU", "B-TA-1", "FL")))
    assert refused(full, king, ("PU", "B-TA-2", "XXX")) == "capacity"
    assert refused(full, king, ("PU", "B-XP-1", "ST")) == "capacity"


def test_articles_fall():
    """In carrying order to the first place with room, seen from their owner's side (42, 43)."""
    state = board("white STP 5 9", "black TA> 5 5 XXX RL FL", articles=["SH 5 5", "SH 6 4", "SH 6 4"], to_move="white")
    after = idle(state, ("FI", "W-STP-1", "ST", "dir", 0, -1))
    assert lying(after, 5, 5) == ["SH", "XXX"]
    assert lying(after, 6, 5) == ["RL", "FL"]
    state = board("black STP 5 9", "white TA> 5 5 XXX RL FL", articles=["SH 5 5", "SH 5 5"])
    after = idle(state, ("FI", "B-STP-1", "ST", "dir", 0, -1))
    assert lying(after, 4, 6) == ["XXX", "RL"]
    assert lying(after, 4, 5) == ["FL"]


def test_dozing():
    """The Dozer, its companion and the chosen squares shift by one (44); alone it cannot (45)."""
    pieces = ("black DO 3 3", "black SU 3 3", "black FP 4 3", "white TA> 4 4")
    doze = ("DZ", "B-DO-1", 1, 0, ((4, 3), (4, 4)))
    after = turn(board(*pieces), doze)
    places = {id: where(after, id)[:2] for id in ("B-DO-1", "B-SU-1", "B-FP-1", "W-TA-1")}
    assert places == {"B-DO-1": (4, 3), "B-SU-1": (4, 3), "B-FP-1": (5, 3), "W-TA-1": (5, 4)}
    for row, column in ((5, 3), (5, 4)):
        assert refused(board(*pieces, f"black DS {row} {column}"), doze) == "occupied"
    assert refused(board("black DO 3 3"), ("DZ", "B-DO-1", 1, 0, ())) == "unreachable"


def test_reinforcing():
    """An activation square is primed at the end of a turn, and ready when it is left in a later one (46)."""
    state = board("black DS 8 1", reinforcements=["black JE 9 1"])
    move = ("MV", "B-DS-1", 9, 1, "ground", None)
    assert refused(state, move, ("RE", 9, 1, "JE")) == "not_ready"
    state = idle(turn(state, move))
    after = turn(state, ("MV", "B-DS-1", 8, 1, "ground", None), ("RE", 9, 1, "JE"))
    assert where(after, "B-R-1") == (9, 1, "ground")


def test_losing_both_primaries_loses():
    """Who takes the enemy's primary and loses his own in the same turn has lost (47)."""
    rockets = ("black RP 2 1", "black RP 1 3")
    state = board("black Q 5 5", "black K 1 2", "white K 6 5", *rockets, "white TA> 1 1", kings=False)
    fire = ("FI", "B-RP-1", "RL", "dir", -1, 1), ("FI", "B-RP-2", "RL", "dir", 0, -1)
    after = state.play(state.check((("MV", "B-Q-1", 6, 5, "ground", None), *fire)))
    assert after.outcome == (1, "primary")
    assert turn(state, ("MV", "B-Q-1", 6, 5, "ground", None)).outcome == (0, "primary")


@pytest.mark.parametrize(("row", "found"), [(8, True), (9, False)])
def test_submerged_detection(row, found):
    """A Destroyer detects a Sub three squares away (48)."""
    assert seen(board("white SU 5 5 sub", f"black DS {row} 5"), "W-SU-1") == found


def test_a_lock_on_the_nearest():
    """An anti-stealth that is picked up locks on the nearest unseen piece with stealth (49)."""
    setup = setup_of(STANDARD.game.options)
    setup["pieces"][[piece["id"] for piece in setup["pieces"]].index("B-DS-1")]["square"] = [3, 1]
    state = Game.load("weaponized_chess", position=position.write(setup)).initial()
    state = idle(state, ("PU", "B-DS-1", "ASH"))
    assert seen(state, "W-AAA-1")
    assert not seen(state, "W-AAA-2")


@pytest.mark.parametrize(("dominance", "found"), [("submerged", True), ("stealth", False)])
def test_dominance(dominance, found):
    """Below, stealth adds nothing unless it is dominant (50)."""
    state = board("white AAA 5 5 sub", "white SU 5 5 sub", "black DS 6 5", dominance=dominance)
    assert seen(state, "W-AAA-1") == found


def test_exchange():
    """Secondary pieces swap at any distance, others with their neighbours (51)."""
    king = ("MV", "B-K-1", 1, 9, "ground", None)
    state = board("black Q 1 6 RL", "black RP 9 1 ARL", "black TA> 5 5 FL", "black DS 5 7")
    assert state.check((("EX", "B-Q-1", "RL", "B-RP-1", "ARL"), king))
    assert refused(state, ("EX", "B-TA-1", "FL", "B-DS-1", None), king) == "unreachable"


def test_a_jump_pack():
    """Up, square by square through the air, and down (52); on a crash to the ground, if that has room (53)."""
    fire = ("FI", "B-FP-1", "JP", "to", 5, 5, "straight")
    state = board("black FP 2 2 JP")
    course = []
    for _ in range(5):
        state = idle(state, *([fire] if not course else []))
        course.append(where(state, "B-FP-1"))
        state = idle(state)
    assert course == [(2, 2, "air"), (3, 3, "air"), (4, 4, "air"), (5, 5, "air"), (5, 5, "ground")]
    for below, expected in (((), (4, 4, "ground")), (("black TA> 4 4",), None)):
        state = board("black FP 2 2 JP", "white JE 5 5 air", *below)
        for number in range(4):
            state = idle(state, *([] if number else [fire]))
            if number < 3:
                state = idle(state)
        assert where(state, "B-FP-1") == expected


@pytest.mark.parametrize(
    ("way", "squares"), [("starboard", [(3, 3), (4, 3), (5, 3)]), ("port", [(3, 2), (4, 2), (5, 3)])]
)
def test_a_bicycle(way, squares):
    """It goes to starboard or to port (54)."""
    state = board("black DS 2 2 BI")
    course = []
    for _ in range(3):
        state = idle(state, *([] if course else [("FI", "B-DS-1", "BI", "to", 5, 3, way)]))
        course.append(where(state, "B-DS-1")[:2])
        state = idle(state)
    assert course == squares


def test_a_waived_move():
    """Without a legal Move a turn may be empty (55)."""
    state = board("black K 1 10", "white K 10 1", "white STP 1 1", kings=False, to_move="white")
    state = idle(state, ("FI", "W-STP-1", "ST", "dir", 0, 1))
    assert state.check(()) == ()
    assert refused(STANDARD) == "may_not_pass"


def test_a_piece_that_fires_is_seen():
    """For its enemy's next turn (56)."""
    state = board("white AAA 5 3", to_move="white")
    assert not seen(state, "W-AAA-1")
    state = idle(state, ("FI", "W-AAA-1", "SL", "dir", -1, 0))
    assert seen(state, "W-AAA-1")
    assert not seen(idle(state), "W-AAA-1")


MOVES = [
    ({"movement_type": "weaponized"}, 76, 114),
    ({"movement_type": "standard"}, 62, 98),
    ({"movement_type": "mass_destruction", "wmd_pawn": "all_sides_and_forward"}, 70, 108),
    ({"movement_type": "mass_destruction", "wmd_pawn": "all_forward"}, 70, 108),
    ({"movement_type": "mass_destruction", "wmd_pawn": "all_but_directly_in_front"}, 60, 98),
]


@pytest.mark.parametrize(("options", "places", "steps"), MOVES)
def test_the_first_moves(options, places, steps):
    """How many there are, without and with the choices of passengers and squares to doze (59, 61)."""
    state = Game.load("weaponized_chess", **options).initial()
    listed = [step for step in state.legal_steps() if step and step[0] in ("MV", "DZ")]
    assert len({step[1:5] for step in listed if step[0] == "MV"}) == places
    assert len(listed) == steps == perft_of_moves(state, 1)

"""Turns of Weaponized Chess: step by step, at random with the rules' invariants, and what is said of wrong ones."""

from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weaponized_boards import board, idle, perft_of_moves, turn

from watch_your_back.game import Game, IllegalAction, OptionError
from watch_your_back.games.weaponized_chess.steps import in_sight, legal_steps
from watch_your_back.games.weaponized_chess.urn import Urn
from watch_your_back.testing import check_game

TYPES = ("weaponized", "standard", "mass_destruction")
KING = ("MV", "B-K-1", 1, 9, "ground", None)
SETTINGS = [
    {},
    {"movement_type": "standard", "action_restriction": "one_action_per_piece", "sub_jet_combat": True},
    {"movement_type": "mass_destruction", "action_restriction": "moves_only", "sub_jet_combat": True},
    {"transport_launch": "also_carried", "dominance": "stealth", "unseen_primary": True, "fire_rate_st": 0},
    {"stealth_range_detection": True, "restricted_rocket_range": 3, "flame_range": 2, "doze_enemy": False},
    {"weapons": False, "xxx_boxes": False, "reinforcements": False, "primary_off_ground": False},
    {"government_black": "democracy", "government_white": "theocracy", "stealth": False, "submerged_hiding": False},
]


def check_invariants(state):
    """What holds on every board between two turns."""
    position, rules = state.board, state.board.rules
    cast, cell, side = position.cast, position.cell, position.side
    for number, there in enumerate(position.at):
        assert all(cell[p] == number for p in there)
        assert len(there) <= 2
        if len(there) == 2:
            p, q = there
            assert side[p] != side[q] or cast.kinds[p].coexists or cast.kinds[q].coexists
    assert sum(map(len, position.at)) == sum(each >= 0 for each in cell)
    held = [a for p, articles in enumerate(position.carried) for a in articles if cell[p] >= 0]
    lying = [a for articles in position.ground for a in articles]
    assert sorted(held + lying) == list(range(len(cast.article_ids)))
    assert all(len(articles) <= 2 for articles in position.ground)
    for p, articles in enumerate(position.carried):
        assert len(articles) <= position.capacity(p, articles)
    for missile in position.missiles:
        assert 0 <= missile.square < 100
    assert set(position.stun) <= {p for p, each in enumerate(cell) if each >= 0}
    assert all(1 <= turns <= rules.stun_turns for turns in position.stun.values())
    for p, (article, way) in position.journeys.items():
        assert article in position.carried[p]
        assert way
    for locker, target in position.lock.items():
        assert target in position.shy
        assert locker >= 1000 or any(
            locker in articles and side[p] != side[target] for p, articles in enumerate(position.carried)
        )
    assert all(1 <= turns <= 2 for turns in position.reveal.values())
    assert all(p not in position.hidden(0) | position.hidden(1) for p in position.reveal)
    if state.outcome is None:
        assert not position.stun.keys() & {
            position.cast.numbers[step[1]] for step in state.legal_steps() if step and step[0] != "RE"
        }


@pytest.mark.parametrize("options", SETTINGS)
def test_random_matches_keep_the_invariants(options):
    """Occupancy, articles, counters, journeys, locks and reveals, after each turn until the end or the safety cap."""
    game = Game.load("weaponized_chess", turn_cap=150, **options)
    rng, state = Random(7), game.initial()
    check_invariants(state)
    while state.outcome is None:
        action = state.sample(rng)
        if state.ply % 4 == 0:
            assert state.check(action) == action
        state = state.play(action)
        check_invariants(state)
    assert state.outcome.reason in ("primary", "turn limit")


@pytest.mark.parametrize("movement_type", TYPES)
def test_random_matches_end(movement_type):
    """By the loss of a primary piece, or by the safety cap."""
    game = Game.load("weaponized_chess", movement_type=movement_type)
    reasons = Counter()
    for seed in range(3):
        rng, state = Random(seed), game.initial()
        while state.outcome is None:
            state = state.play(state.sample(rng))
        reasons[state.outcome.reason] += 1
    assert set(reasons) <= {"primary", "turn limit"}


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(SETTINGS), st.lists(st.integers(0, 10_000), max_size=60))
def test_any_sequence_of_legal_steps_is_a_legal_turn(seed, options, choices):
    """Whichever legal step is taken next; a turn may end exactly where None is among them."""
    state = Game.load("weaponized_chess", turn_cap=8, **options).initial()
    rng = Random(seed)
    for _ in range(rng.randrange(4)):
        state = state.play(state.sample(rng))
    steps = ()
    for choice in choices:
        if state.outcome is not None:
            return
        listed = list(state.legal_steps(steps))
        assert len(set(listed)) == len(listed)
        step = listed[choice % len(listed)]
        if step is not None:
            steps = (*steps, step)
            continue
        state = state.play(state.check(steps))
        check_invariants(state)
        steps = ()
    if state.outcome is None and None not in list(state.legal_steps(steps)):
        with pytest.raises(IllegalAction) as refusal:
            state.check(steps)
        assert refusal.value.kind == "may_not_pass"


@pytest.mark.parametrize("options", SETTINGS)
def test_each_step_is_drawn_with_the_same_chance(options):
    """What can be drawn are the legal steps and nothing else, each exactly once."""
    game = Game.load("weaponized_chess", turn_cap=40, **options)
    rng, state = Random(3), game.initial()
    while state.outcome is None:
        if state.ply % 3 == 0:
            urn = Urn(in_sight(state.board))
            for step in state.sample(rng):
                candidates = [found for each in range(urn.size) if (found := urn.candidate(each)) is not None]
                assert sorted(map(repr, candidates)) == sorted(map(repr, legal_steps(urn.board)))
                urn.perform(step)
        state = state.play(state.sample(rng))


def test_a_turn_drawn_at_random_ends_where_no_move_is_left():
    """When the only piece that could Move has picked something up, and a piece may act only once."""
    options = {"movement_type": "standard", "action_restriction": "one_action_per_piece"}
    state = board("black SHP 10 5 ATL", articles=("FL 1 10",), **options)  # a pawn that cannot Move, but drop
    picked = (("PU", "B-K-1", "FL"),)
    drawn = [state.sample(Random(seed)) for seed in range(20)]
    assert picked in drawn
    assert all(state.check(action) == action for action in drawn)


def test_drawing_by_chance_agrees_with_listing():
    """Over many draws the first step is each legal one about as often."""
    state = board("black DS 5 5", "black TA> 3 3 BI")
    legal = [step for step in state.legal_steps() if step]
    rng = Random(5)
    drawn = Counter(state.sample(rng)[0] for _ in range(4_000))
    assert set(drawn) == set(legal)
    expected = 4_000 / len(legal)
    assert sum((drawn[step] - expected) ** 2 / expected for step in legal) < 1.5 * len(legal)


def count_turns(state, length):
    """The number of legal turns of exactly so many steps."""
    turns, beginnings = 0, [()]
    for _ in range(length):
        beginnings = [(*steps, step) for steps in beginnings for step in state.legal_steps(steps) if step is not None]
    for steps in beginnings:
        turns += None in list(state.legal_steps(steps)) if length < 2 else any(s[0] in ("MV", "DZ") for s in steps)
    return turns


@pytest.mark.parametrize(
    ("movement_type", "one", "two"),
    [("weaponized", 114, 27_766), ("standard", 98, 23_898), ("mass_destruction", 108, 26_298)],
)
def test_the_number_of_first_turns(movement_type, one, two):
    """Of one step, and of two."""
    state = Game.load("weaponized_chess", movement_type=movement_type).initial()
    assert count_turns(state, 1) == one == perft_of_moves(state, 1)
    assert count_turns(state, 2) == two


def test_legal_actions_are_listed_lazily_by_their_length():
    """First the turns of a Move alone, then longer ones, each legal and once, and so many at most."""
    state = Game.load("weaponized_chess").initial()
    listed = list(state.legal_actions())
    assert [len(action) for action in listed] == sorted(map(len, listed))
    assert len(set(listed)) == len(listed) == state.count_actions() == 400
    assert sum(len(action) == 1 for action in listed) == 114
    assert all(state.check(action) == action for action in listed[::20])
    assert len(list(islice(state.legal_actions(), 5))) == 5


@pytest.mark.parametrize("options", SETTINGS[:4])
def test_the_promises_of_a_game(options):
    """Those that every game keeps."""
    check_game(Game.load("weaponized_chess", turn_cap=4, **options), matches=1)


WRONG = [
    (None, "form", "a turn is a tuple of steps.*return missing"),
    ("MV", "form", "a turn is a tuple of steps"),
    (KING, "form", "another pair of brackets"),
    (((),), "form", "step 1 of the turn.*a step is a tuple"),
    ((("XX", 1),), "form", "a step begins with"),
    ((KING, ("FI", "B-TA-1", "FL", "up", 1, 0)), "form", 'step 2 of the turn.*"dir", "at" or "to"'),
    ((KING[:5],), "form", "5 parts in place of 6"),
    ((("MV", 7, 1, 9, "ground", None),), "form", "part 2 is to be a string, not 7"),
    ((("MV", "B-K-1", 1, 9, "up", None),), "form", "a level is one of"),
    ((("MV", "B-K-1", 0, 9, "ground", None),), "off_board", "rows and columns are 1 to 10"),
    ((("MV", "B-XX-1", 1, 9, "ground", None),), "not_yours", "you see no piece 'B-XX-1'"),
    ((("MV", "W-K-1", 9, 1, "ground", None),), "not_yours", "W-K-1 belongs to white"),
    ((KING, KING), "used", "step 2 of the turn.*one Move, and it has been made"),
    ((("MV", "B-K-1", 1, 7, "ground", None),), "unreachable", "does not move like that; it can go to"),
    ((("MV", "B-TA-1", 5, 7, "ground", None),), "occupied", "a piece is in the way"),
    ((("MV", "B-TA-1", 5, 6, "ground", None),), "occupied", "cannot share a square with B-CP-1"),
    ((("MV", "B-CP-1", 6, 6, "ground", None),), "unreachable", "only to take"),
    ((("MV", "B-STP-1", 3, 2, "ground", None),), "unreachable", "off the ground only Choppers, Jets and Subs move"),
    ((("MV", "B-TA-2", 3, 1, "ground", None),), "unreachable", "off the ground only Choppers, Jets and Subs move"),
    ((("MV", "B-DS-1", 3, 3, "ground", None),), "occupied", "W-FP-1 is there, and it does not take by moving"),
    ((("MV", "B-SU-1", 7, 8, "ground", "B-K-1"),), "passenger", "can take B-DO-1 along, not 'B-K-1'"),
    ((("MV", "B-K-1", 1, 9, "ground", "B-DO-1"),), "passenger", "has nobody to take along"),
    ((("DZ", "B-K-1", 1, 0, ()),), "unreachable", "is no Dozer"),
    ((("DZ", "B-DO-1", 2, 0, ()),), "form", "no direction"),
    ((("DZ", "B-DO-1", 1, 0, ((9, 9),)),), "unreachable", "not next to the Dozer"),
    ((("DZ", "B-DO-1", 1, 0, ((7, 8),)),), "unreachable", "no piece is on its ground"),
    ((("DZ", "B-DO-1", 1, 0, ((6, 8), (6, 8))),), "form", "once each, in ascending order"),
    ((("DZ", "B-DO-1", 0, -1, ()),), "occupied", "where others are"),
    ((KING, ("FI", "B-TA-1", "FL", "dir", 1, 0), ("FI", "B-TA-1", "FL", "dir", 1, 0)), "used", "a piece fires once"),
    ((KING, ("FI", "B-TA-1", "RL", "dir", 1, 0)), "not_carried", "B-TA-1 has no RL"),
    ((KING, ("FI", "B-TA-1", "XXX", "dir", 1, 0)), "form", "'XXX' is no weapon"),
    ((KING, ("FI", "B-TA-1", "FL", "at", "W-K-1")), "unreachable", "in a direction, not at a piece"),
    ((KING, ("FI", "B-DS-1", "TL", "at", "W-K-1")), "target", "no target of TL"),
    ((KING, ("FI", "B-TA-1", "BI", "to", 9, 9, "straight")), "not_carried", "carries no BI"),
    ((KING, ("FI", "B-CP-1", "BI", "to", 9, 9, "straight")), "form", "is port or starboard"),
    ((KING, ("FI", "B-CP-1", "BI", "dir", 1, 0)), "form", 'a transport article .* is fired "to"'),
    ((KING, ("PU", "B-TA-1", "FL")), "not_there", "there is no 'FL' on"),
    ((KING, ("PU", "B-CP-1", "SL")), "capacity", "1 is the most it can carry"),
    ((KING, ("DR", "B-TA-1", "FL")), "not_carried", "carries no 'FL', but nothing"),
    ((KING, ("EX", "B-CP-1", "BI", "B-DS-1", None)), "unreachable", "too far apart"),
    ((KING, ("EX", "B-CP-1", "BI", "B-CP-1", None)), "unreachable", "needs two pieces"),
    ((KING, ("RE", 9, 1, "JE")), "not_ready", "is not ready"),
    ((KING, ("RE", 9, 2, "JE")), "not_there", "no reinforcement 'JE'"),
    ((), "may_not_pass", "has to have a Move, and it has no steps; add one, such as"),
    ((("FI", "B-TA-1", "FL", "dir", 1, 0),), "may_not_pass", "none of its steps is one"),
]


@pytest.mark.parametrize(("action", "kind", "message"), WRONG)
def test_wrong_turns(action, kind, message):
    """The refusal names the step, what is wrong with it and what may be done."""
    state = board(
        "black TA> 5 5", "black CP 5 6 BI", "black DS 3 4", "white FP 3 3", "black SU 6 9", "black DO 6 9",
        "black FP 6 8", "white STP 5 8", "black CH> 2 1 air", "black TA> 2 1 air", "black CH> 2 2 air",
        "black STP 2 2 air", articles=["SL 5 6"], reinforcements=["black JE 9 1"],
    )  # fmt: skip
    with pytest.raises(IllegalAction, match=message) as refusal:
        state.check(action)
    assert refusal.value.kind == kind


def test_a_stunned_piece_and_a_weapon_that_pauses():
    """Both are named as such."""
    state = idle(board("black STP 2 2", "white TA> 5 2"), ("FI", "B-STP-1", "ST", "dir", 1, 0))
    with pytest.raises(IllegalAction, match="W-TA-1 is stunned"):
        state.check((("MV", "W-TA-1", 4, 2, "ground", None),))
    state = idle(state)
    with pytest.raises(IllegalAction, match="has fired and cannot fire again yet"):
        state.check((KING, ("FI", "B-STP-1", "ST", "dir", 1, 0)))


def test_options_that_exclude_each_other():
    """Subs and Jets take by moving only where the rules allow the option."""
    with pytest.raises(OptionError, match="sub_jet_combat needs"):
        Game.load("weaponized_chess", sub_jet_combat=True)
    with pytest.raises(OptionError, match="sub_jet_combat needs"):
        Game.load("weaponized_chess", sub_jet_combat=True, movement_type="mass_destruction")


def test_options_may_be_changed_between_turns():
    """Unless they shape the set-up, or the game is competitive, which it can become but not cease to be."""
    state = board("black TA> 1 1", "white AAA 5 5")
    assert not any(piece[0] == "W-AAA-1" for piece in state.view(0)["pieces"])
    seen = state.under(stealth=False, tank_range=6)
    assert any(piece[0] == "W-AAA-1" for piece in seen.view(0)["pieces"])
    assert {step[2] for step in state.legal_steps() if step and step[1] == "B-TA-1"} - {8} == {
        step[2] for step in seen.legal_steps() if step and step[1] == "B-TA-1"
    }
    for name, value in (("weapons", False), ("position", ""), ("government_black", "democracy")):
        with pytest.raises(OptionError, match="new game only"):
            state.under(**{name: value})
    with pytest.raises(OptionError, match="no option 'colour'"):
        state.under(colour=1)
    with pytest.raises(OptionError, match="no option can be changed"):
        state.under(competitive=True).under(competitive=False)


@pytest.mark.parametrize(
    ("options", "steps", "message"),
    [
        ({"action_restriction": "moves_only"}, (KING, ("PU", "B-CP-1", "SL")), "moves_only"),
        (
            {"action_restriction": "one_action_per_piece"},
            (("MV", "B-CP-1", 6, 5, "ground", None), ("FI", "B-CP-1", "CS", "dir", 1, 0)),
            "one_action_per_piece",
        ),
        ({"weapons": False}, (KING, ("FI", "B-CP-1", "CS", "dir", 1, 0)), "no weapons"),
        ({"primary_off_ground": False}, (("MV", "B-SU-1", 1, 10, "sub", "B-K-1"),), "off the ground"),
    ],
)
def test_options_are_named_by_refusals(options, steps, message):
    """Where an option is why, it is said."""
    pieces = ("black CP 5 6", "black SU 1 10", "black K 1 10", "white K 10 1")
    state = board(*pieces, kings=False, articles=["SL 5 6"], **options)
    with pytest.raises(IllegalAction, match=message):
        state.check(steps)


def test_text_is_read_back_and_its_errors_name_the_line():
    """The text of a state tells everything; a diagram that contradicts it is refused."""
    state = board("black TA> 5 5 XXX RL", "white AAA 6 6", articles=["FL 3 3"])
    state = turn(state, ("MV", "B-TA-1", 8, 5, "ground", None), ("FI", "B-TA-1", "RL", "dir", 1, 0))
    text = state.text()
    assert state.game.parse(text) == state
    for wrong, message in (
        (text.replace("turn 2", "turn two"), "line 1: expected 'turn N"),
        (text.replace(" T ", " t ", 1), "line 5: expected"),
        (text.replace("black TA>", "black TA<"), "line .*: expected"),
        (text.replace("(8,5)", "(8,15)"), "line .* cannot be read"),
        (text + "\nrubbish", "cannot be read"),
    ):
        with pytest.raises(ValueError, match=message):
            state.game.parse(wrong)


def test_the_cells_that_a_step_touches():
    """First the piece that acts, where it is by then, then what it is about."""
    state = board("black TA> 5 5 FL", "black DO 3 3", "black SU 3 3", "black AAA 6 6", "white JE 7 7 air")
    move = ("MV", "B-TA-1", 5, 6, "ground", None)
    before, after = state.touching(), state.touching((move,))
    assert before(move) == [("ground", 5, 5), ("ground", 5, 6)]
    assert before(("FI", "B-TA-1", "FL", "dir", 1, 0)) == [("ground", 5, 5), ("ground", 6, 5)]
    assert after(("FI", "B-TA-1", "FL", "dir", 1, 0)) == [("ground", 5, 6), ("ground", 6, 6)]
    assert before(("FI", "B-AAA-1", "SL", "at", "W-JE-1")) == [("ground", 6, 6), ("air", 7, 7)]
    assert before(("EX", "B-TA-1", "FL", "B-AAA-1", None)) == [("ground", 5, 5), ("ground", 6, 6)]
    assert before(("DR", "B-TA-1", "FL")) == [("ground", 5, 5)]
    assert before(("DZ", "B-DO-1", 1, 0, ())) == [("ground", 3, 3), ("ground", 4, 3)]
    cells = {cell.id for cell in state.picture().layout.cells}
    assert all(cells.issuperset(before(step)) for step in state.legal_steps() if step)

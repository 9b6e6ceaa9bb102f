"""The rules of Archers: the vectors, the plain rule book as judge, refusals, boards, and what must always hold."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging import check_accepted, check_course, check_odds
from plain_archers import PlainArchers, usual_board
from vectors import recorded

from watch_your_back.game import Game, IllegalAction, Outcome, Piece, perft
from watch_your_back.testing import check_game

HERE = Path(__file__).parent
SMALL = json.loads((HERE.parent / "examples" / "archers_small.json").read_text(encoding="utf-8"))
GAME = Game.load("archers")
START = GAME.initial()

GAPS = {
    "points": [[0, 1], [2, 0], [0, 3], [2, 3], [0, 5]],
    "lines": [[[0, 1], [0, 3], [0, 5]], [[2, 0], [2, 3]], [[0, 3], [2, 3]]],
    "start": {"white": [[0, 5]], "black": [[0, 1], [2, 0]]},
}
"""A board with gaps between its points and hordes of different sizes."""

PATH = {
    "points": [[x, 0] for x in range(7)],
    "lines": [[[x, 0], [x + 1, 0]] for x in range(6)],
    "start": {"white": [[0, 0], [6, 0]], "black": [[1, 0], [2, 0], [4, 0]]},
}
"""A board on which archers stand in each other's way, so that passes are met."""

BOARDS = {"standard": None, "small": SMALL, "gaps": GAPS, "path": PATH}


def load(board, **options):
    """The game on one of these boards."""
    return Game.load("archers", board=json.dumps(board) if board else "standard", **options)


def tuples(action):
    """An action of a vector: arrays are tuples."""
    return tuple(map(tuples, action)) if isinstance(action, list) else action


def after(actions, state=START):
    """The state after these actions, each of them checked."""
    for action in actions:
        state = state.play(state.check(tuples(action)))
    return state


def diagram(*rows, shots="none", white="none", black="none", turn="white"):
    """The state of the usual board with these rows; those that are not told are free."""
    rows = [*rows, *["-----"] * (9 - len(rows))]
    last = {"white": "10 turns taken, white to act", "black": "11 turns taken, black to act"}[turn]
    lines = [f"shots not used: {shots}", f"last move of white: {white}", f"last move of black: {black}", last]
    return GAME.parse("\n".join([*map(" ".join, rows), *lines]))


def archers(state):
    """The side and the unused shots of the archer on each point, as the plain rule book has them."""
    return {piece.cell: (state.game.sides[piece.side], int(piece.text or 0)) for piece in state.picture().pieces}


def agrees(state, plain):
    """Whether the rules and the plain rule book have the same archers, turns, actions and end."""
    ends = {"white": 0, "black": 1, "draw": None}
    return (
        archers(state) == {point: (each.side, each.shots) for point, each in plain.board.items() if each}
        and state.turns == plain.turns
        and state.outcome == (plain.winner and Outcome(ends[plain.winner], plain.reason))
        and Counter(state.legal_actions()) == Counter(plain.legal())
    )


def idle(state, rng, peaceful=False):
    """An action: often one that undoes the last move, or goes on towards the enemy, so that all rules are met."""
    actions = state.legal_actions()
    if peaceful:
        count = state.mine.bit_count() + state.theirs.bit_count()
        after = [(action, state.play(action)) for action in actions]
        actions = [
            action for action, then in after if then.mine.bit_count() + then.theirs.bit_count() >= count
        ] or actions
    if state.habit[0] in actions and rng.random() < 0.3:
        return state.habit[0]
    if rng.random() < 0.5:
        down = 1 if state.to_move else -1
        return max(actions, key=lambda action: (down * (action[1][1] - action[0][1]), rng.random()) if action else (0,))
    return rng.choice(actions)


@st.composite
def states(draw):
    """States of random games, finished ones too, on several boards."""
    game = load(draw(st.sampled_from([None, None, SMALL, GAPS, PATH])), turn_cap=draw(st.sampled_from([400, 30])))
    state, rng = game.initial(), Random(draw(st.integers(0, 2**32)))
    peaceful = draw(st.booleans())
    for _ in range(draw(st.integers(0, 150))):
        if state.outcome is not None:
            break
        state = state.play(idle(state, rng, peaceful))
    return state


going_on = states().filter(lambda state: state.outcome is None)


@recorded("archers", "perft")
def test_perft(case):
    """The numbers of sequences of actions are those of the vectors."""
    assert perft(after(case.get("prefix", [])), case["depth"]) == case["leaves"]


@recorded("archers", "games")
def test_recorded_games(case):
    """Turns, sides, numbers of actions, the end and the archers on the board are those of the vectors."""
    state = START
    columns = (case[name] for name in ("actions", "turns_passed_to_action", "to_move", "legal_counts"))
    for action, turns, side, legal in zip(*columns, strict=True):
        assert (state.turns, GAME.sides[state.to_move]) == (turns, side)
        assert state.count_actions() == len(state.legal_actions()) == legal
        state = state.play(state.check(tuples(action)))
    assert [state.count_pieces(0), state.count_pieces(1)] == case["score"]
    winner = {"white": 0, "black": 1, "draw": None}.get(case["winner"])
    assert state.outcome == (case["reason"] and Outcome(winner, case["reason"]))


@recorded("archers", "illegal")
def test_what_the_vectors_refuse(case):
    """All are refused, in one line."""
    state = after(case["prefix"])
    action = tuples(case["action"])
    with pytest.raises(IllegalAction) as refused:
        state.check(action)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("seed", range(12))
def test_games_agree_with_the_plain_rule_book(board, seed):
    """Archers, shots, legal actions, turns and end are the same at every turn."""
    rng = Random(seed)
    state, plain = load(BOARDS[board], turn_cap=150).initial(), PlainArchers(BOARDS[board], turn_cap=150)
    check_course(state, plain, agrees, lambda state: idle(state, rng, seed % 2))


def test_those_games_meet_all_rules():
    """Returns, ends of each kind, moves that shuttling forbids, archers shot on the enemy's line, and passes."""
    met = Counter()
    for board in BOARDS.values():
        for seed in range(12):
            rng, state = Random(seed), load(board, turn_cap=150).initial()
            while state.outcome is None:
                met["shuttle"] += state.shuttle is not None
                action = idle(state, rng, seed % 2)
                then = state.play(action)
                met["pass"] += action is None
                met["return"] += then.count_pieces(state.to_move) > state.count_pieces(state.to_move)
                met["shot on arriving"] += then.count_pieces(state.to_move) < state.count_pieces(state.to_move)
                state = then
            met[state.outcome.reason] += 1
    reasons = {"no archers left", "on the enemy's line", "turn limit"}
    assert {*met} == reasons | {"shuttle", "pass", "return", "shot on arriving"}
    assert all(met.values())


@given(going_on, st.randoms(use_true_random=False))
def test_archers_are_neither_lost_nor_made_of_nothing(state, rng):
    """A turn shoots archers of one side at most and brings back one; shots belong to archers on the board."""
    action = state.sample(rng)
    then = state.play(action)
    mine, theirs = ([each.count_pieces(side) for each in (state, then)] for side in (state.to_move, 1 - state.to_move))
    assert mine[1] - mine[0] in (-1, 0, 1)
    assert theirs[1] <= theirs[0]
    assert mine[1] >= mine[0] or theirs[1] == theirs[0]
    assert not then.mine & then.theirs
    assert all(shot & (then.mine | then.theirs) for shot in then.shots)
    assert sum(archers(then)[point][1] for point in archers(then)) == len(then.shots)


@settings(max_examples=25)
@given(going_on, st.randoms(use_true_random=False))
def test_check_accepts_the_legal_actions_and_nothing_else(state, rng):
    """Of all moves between two points and None."""
    points = [*state.game.ground.points, (9, 9), (-1, 0)]
    moves = [(origin, target) for origin in points for target in points]
    check_accepted(state, rng.sample(moves, min(300, len(moves))))


@given(states())
def test_text_is_read_back(state):
    """A diagram holds all that the rules need: shots, last moves and how often they were undone."""
    assert state.game.parse(state.text()) == state


@given(going_on)
def test_the_symmetries_keep_the_rules(state):
    """What is mirrored has as many actions, and the same states follow, but where an archer comes back."""
    fresh = state._replace(habit=(None, 0))
    for image in state.game.symmetries():
        white, black, shots, _ = image(state.key())
        mine, theirs = (black, white) if state.to_move else (white, black)
        twin = fresh._replace(mine=mine, theirs=theirs, shots=shots)
        follow, twins = ([each.play(action) for action in each.legal_actions()] for each in (fresh, twin))
        assert Counter(image(then.key()) for then in follow if not came_back(then, state)) == Counter(
            then.key() for then in twins if not came_back(then, state)
        )


def came_back(then, state):
    """Whether an archer has come back in the turn that led from one state to the other."""
    return then.count_pieces(state.to_move) > state.count_pieces(state.to_move)


def test_symmetries_are_those_of_the_board():
    """Left and right exchanged on the usual one; on a square board also what leaves both camps in their corners."""
    assert [image(START.key()) for image in GAME.symmetries()] == [START.key()]
    assert len(load(SMALL).symmetries()) == 1
    assert len(load(GAPS).symmetries()) == 0
    square = {
        "points": [[x, y] for x in range(2) for y in range(2)],
        "lines": [[[0, 0], [1, 0]], [[0, 1], [1, 1]], [[0, 0], [0, 1]], [[1, 0], [1, 1]]],
        "start": {"white": [[0, 0]], "black": [[1, 1]]},
    }
    assert len(load(square).symmetries()) == 1


def test_samples_are_uniform():
    """Each of the 9 actions from the start comes up about as often as any other."""
    check_odds(START)


def test_who_arrives_shoots_all_in_its_line_of_fire():
    """Along every line, but not whom another archer covers, nor round a corner or on into the next line."""
    state = diagram("-----", "-----", "@---@", "-----", "---O-", "--@--", "-----", "--@--", "@----")
    then = state.play(((3, 4), (2, 4)))
    assert archers(then) == {(2, 4): ("white", 3), (2, 7): ("black", 0), (0, 8): ("black", 0)}
    assert diagram("-----", "@----", "-----", "-----", "-O---").play(((1, 4), (0, 4))).count_pieces(1) == 0
    assert diagram("----@", "-----", "-----", "---O-", "-----", "----@").play(((3, 3), (4, 4))).count_pieces(1) == 0
    assert (
        diagram("----@", "-----", "-----", "-----", "-----", "---O-", "----@", "@----")
        .play(((3, 5), (4, 4)))
        .count_pieces(1)
        == 1
    )


def test_on_the_enemys_line_an_archer_cannot_shoot_and_is_shot():
    """By all that see it, each of which has the shot to its name; not by those on the mover's own starting line."""
    state = diagram("-----", "O----", "@-@--", "-----", "-----", "-----", "-----", "-----", "----O")
    then = state.play(((0, 1), (0, 0)))
    assert archers(then) == {(0, 2): ("black", 1), (2, 2): ("black", 1), (4, 8): ("white", 0)}
    covered = diagram("-----", "OO---", "@-@--", "-----", "-----", "-----", "-----", "-----", "----O")
    assert archers(covered.play(((0, 1), (0, 0))))[2, 2] == ("black", 0)
    board = {
        "points": [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [1, 2]],
        "lines": [[[0, 0], [0, 1], [0, 2]], [[1, 0], [1, 1], [1, 2]]],
        "start": {"white": [[0, 2], [1, 2]], "black": [[0, 0], [1, 0]]},
    }
    last = ["shots not used: none", *(f"last move of {side}: none" for side in GAME.sides)]
    at_home = load(board).parse("\n".join(["- @", "O -", "@ O", *last, "2 turns taken, white to act"]))
    assert archers(at_home.play(((0, 1), (0, 0))))[0, 0] == ("white", 0)


def test_shots_go_with_the_archer_and_are_lost_with_it():
    """A move takes them along, and nobody inherits them."""
    state = diagram("-----", "---O-", "-----", "@----", "-----", "-----", "----@", shots="(3, 1) (3, 1) (0, 3)")
    then = state.play(((3, 1), (4, 1)))
    assert archers(then)[4, 1] == ("white", 2)
    shot = diagram("-----", "-----", "O----", "-----", "@----", shots="(0, 2)", turn="black")
    assert shot.play(((0, 4), (0, 3))).shots == (GAME.ground.bit[0, 3],)


def test_an_archer_with_a_shot_brings_one_back():
    """To the free starting point with the smallest (x, y), and uses up one shot for it."""
    state = diagram(
        "-----", "O----", "---@-", "-----", "-----", "-----", "-----", "-----", "O----", shots="(0, 1) (0, 1)"
    )
    then = state.play(((0, 1), (0, 0)))
    assert archers(then) == {
        (0, 0): ("white", 1), (0, 8): ("white", 0), (1, 8): ("white", 0), (3, 2): ("black", 0)
    }  # fmt: skip
    notes = then.picture().notes
    assert notes[0] == "white: archers shot 2, shots unused 1"
    moved_along_the_line = after([((3, 2), (3, 3)), ((0, 0), (1, 0))], then)
    assert moved_along_the_line.count_pieces(0) == 3
    without = diagram("-----", "O----", "---@-", "-----", "-----", "-----", "-----", "-----", "O----")
    assert without.play(((0, 1), (0, 0))).count_pieces(0) == 2


def test_who_comes_back_takes_the_leftmost_free_point():
    """Of points on a slant the one with the smallest x, though another one lies higher."""
    board = {
        "points": [[1, 0], [0, 1], [2, 2], [3, 5], [4, 5], [4, 9]],
        "lines": [[[3, 5], [4, 5]]],
        "start": {"white": [[1, 0], [0, 1], [2, 2]], "black": [[4, 5], [4, 9]]},
    }
    ground = load(board).ground
    state = (
        load(board)
        .initial()
        ._replace(mine=ground.board([(2, 2), (3, 5)]), theirs=ground.board([(4, 9)]), ply=10, shots=(ground.bit[3, 5],))
    )
    assert set(archers(state.play(((3, 5), (4, 5))))) == {(0, 1), (2, 2), (4, 5), (4, 9)}


def test_nobody_comes_back_where_nobody_was_shot_or_no_point_is_free():
    """And the shot stays to the archer's name."""
    rows = ["-----", "O----", "---@-", "-----", "-----", "-----", "-----", "-----", "OOOO-"]
    assert diagram(*rows, shots="(0, 1)").play(((0, 1), (0, 0))).shots == (GAME.ground.bit[0, 0],)
    rows[8] = "OOO@@"
    full = diagram(*rows, shots="(0, 1)").play(((0, 1), (0, 0)))
    assert (full.count_pieces(0), full.shots) == (4, (GAME.ground.bit[0, 0],))


def test_all_archers_on_the_enemys_line_win():
    """On the own turn only, before anybody returns, and also when the last one outside is shot on arriving."""
    state = diagram("O----", "-O---", "---@-", shots="(1, 1)")
    assert state.play(((1, 1), (1, 0))).outcome == Outcome(0, "on the enemy's line")
    arriving = diagram("O----", "-O---", "---@@")
    assert arriving.play(((1, 1), (2, 0))).outcome == Outcome(0, "on the enemy's line")
    shot = diagram("O----", "-----", "---O@", turn="black").play(((4, 2), (4, 3)))
    assert shot.outcome is None
    outside = diagram("O----", "-----", "---O-", "----@", turn="black").play(((4, 3), (4, 2)))
    assert (outside.count_pieces(0), outside.outcome) == (1, None)
    assert after([((0, 0), (1, 0))], outside).outcome == Outcome(0, "on the enemy's line")


def test_a_side_without_archers_loses():
    """Also the one that moved into its end."""
    assert diagram("-----", "O----", "---@-").play(((0, 1), (0, 2))).outcome == Outcome(0, "no archers left")
    assert diagram("-----", "O----", "@----").play(((0, 1), (0, 0))).outcome == Outcome(1, "no archers left")


def test_a_fourth_move_to_and_fro_is_illegal():
    """Three are legal; another move or a pass in between starts the count again."""
    to, fro = ((2, 8), (2, 7)), ((2, 7), (2, 8))
    black = [((0, 0), (0, 1)), ((0, 1), (1, 1)), ((1, 1), (1, 2)), ((1, 2), (0, 2)), ((0, 2), (0, 3))]
    state = after([to, black[0], fro, black[1], to, black[2]])
    assert state.shuttle == fro
    with pytest.raises(IllegalAction) as refused:
        state.check(fro)
    assert refused.value.kind == "shuttle"
    assert "between these two points three moves running; that archer can move to" in str(refused.value)
    assert fro not in state.legal_actions()
    assert all(state.sample(Random(seed)) != fro for seed in range(200))
    between = after([((4, 8), (4, 7)), black[3]], state)
    assert between.shuttle is None
    assert fro in between.legal_actions()


def test_after_a_pass_the_count_of_moves_to_and_fro_starts_again():
    """A side whose only move is forbidden passes, and then may take it."""
    board = {
        "points": [[0, 0], [1, 0], [0, 2], [1, 2]],
        "lines": [[[0, 0], [1, 0]], [[0, 2], [1, 2]]],
        "start": {"white": [[0, 0]], "black": [[0, 2]]},
    }
    there, back = ((0, 0), (1, 0)), ((1, 0), (0, 0))
    black = [((0, 2), (1, 2)), ((1, 2), (0, 2)), ((0, 2), (1, 2))]
    state = after([there, black[0], back, black[1], there, black[2]], load(board).initial())
    assert state.legal_actions() == [None]
    assert after([None, None], state).legal_actions() == [back]


def test_a_match_that_is_cut_goes_to_the_side_further_on():
    """More archers on the enemy's line win, then more archers; equal ones draw, and without a cap it goes on."""
    moves = [((2, 8), (2, 7)), ((2, 0), (2, 1))]
    assert after(moves, load(None, turn_cap=2).initial()).outcome == Outcome(None, "turn limit")
    assert after(moves, load(None, turn_cap=0).initial()).outcome is None
    rows = {"more there": "O----", "equal": "-----"}
    for name, winner in (("more there", 0), ("equal", 1)):
        state = diagram(rows[name], "-----", "-----", "---O-", "@----", "---@-", "----@")._replace(
            game=load(None, turn_cap=11)
        )
        assert state.play(((3, 3), (4, 2))).outcome == Outcome(winner, "turn limit")


def test_who_cannot_move_passes():
    """On a board where all ways are taken."""
    board = PATH | {"start": {"white": [[0, 0]], "black": [[1, 0], [3, 0]]}}
    stuck = load(board).initial()
    assert stuck.legal_actions() == [None]
    assert stuck.sample(Random(1)) is None
    with pytest.raises(IllegalAction, match="so return None") as refused:
        stuck.check(((0, 0), (1, 0)))
    assert refused.value.kind == "must_pass"
    assert stuck.play(None).to_move == 1
    without_lines = load(PATH | {"lines": []}, turn_cap=4)
    assert after([None] * 4, without_lines.initial()).outcome == Outcome(1, "turn limit")
    assert without_lines.initial().sample(Random(1)) is None


@pytest.mark.parametrize(
    ("action", "kind", "words"),
    [
        (None, "may_not_pass", "White returned None but has moves, such as (0, 8) to (0, 7)"),
        ((2, 7), "form", "White returned (2, 7), a single point"),
        ((2, 8, 2, 7), "form", "four numbers in one tuple"),
        ("((2, 8), (2, 7))", "form", "a string: return the tuple itself"),
        (((2, 8), (2, 9)), "off_board", "(2, 9) is no point of the board, where x goes from 0 to 4 and y from 0 to 8"),
        (((2, -1), (2, 0)), "off_board", "(negative numbers do not count from the other end)"),
        (((2, 0), (2, 1)), "not_yours", "the archer on (2, 0) is one of Black; move an archer of White"),
        (((2, 5), (2, 4)), "not_yours", "there is no archer on (2, 5) (has it been shot?)"),
        (
            ((2, 8), (1, 8)),
            "occupied",
            "an archer of White is on (1, 8); that archer can move to (1, 7), (2, 7) or (3, 7)",
        ),
        (((2, 8), (2, 8)), "unreachable", "an archer cannot stay where it is"),
        (((2, 8), (2, 6)), "unreachable", "that is not the next point along the line"),
        (((1, 8), (2, 7)), "unreachable", "no line leads from (1, 8) to (2, 7)"),
    ],
    ids=str,
)
def test_refusals_say_what_is_wrong(action, kind, words):
    """Each has its kind, what was done, and what may be done instead."""
    with pytest.raises(IllegalAction) as refused:
        START.check(action)
    assert refused.value.kind == kind
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("@", "#", 1), "line 1: (0, 0) is a point: O, @ or -, not '#'"),
        (lambda text: text.replace("@ @", "@@@", 1), "line 1: expected 5 points with a blank between them"),
        (lambda text: text.replace("-", "O", 1), "white has 5 archers at most, and 6 are on the board"),
        (lambda text: text.replace("used: none", "used: (2, 4)"), "line 10: there is no archer on (2, 4)"),
        (lambda text: text.replace("used: none", "used: two"), "line 10: expected 'shots not used: none' or"),
        (lambda text: text.replace("white: none", "white: (0, 8) to (0, 6), 1 running"), "line 11: no line leads from"),
        (
            lambda text: text.replace("black: none", "black: (0, 0) to (0, 1), 4 running"),
            "line 12: expected 'last move",
        ),
        (lambda text: text.replace("white to", "black to"), "line 13: after 0 turns it is not the turn of black"),
        (lambda text: text.replace("0 turns taken, white to act", "game over after 9 turns"), "the game goes on"),
        (lambda text: text.replace("@", "-"), "the game is over (no archers left)"),
        (lambda text: text.rpartition("\n")[0], "a diagram has 9 rows of points and four lines more, not 12 lines"),
    ],
)
def test_a_diagram_that_is_none_is_refused(change, words):
    """The message names the line."""
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the words are compared below
        GAME.parse(change(START.text()))
    assert words in str(refused.value)


@pytest.mark.parametrize("board", BOARDS)
def test_the_picture_has_the_points_and_lines_of_the_board(board):
    """Lines from end to end, coordinates beside the board, archers as men with their unused shots on them."""
    state = load(BOARDS[board]).initial()
    plan, picture = BOARDS[board] or usual_board(), state.picture()
    assert {cell.id: (cell.x, cell.y, cell.shape) for cell in picture.layout.cells} == {
        (x, y): (x, y, "point") for x, y in plan["points"]
    }
    ends = {frozenset((tuple(line[0]), tuple(line[-1]))) for line in plan["lines"]}
    assert {frozenset(line) for line in picture.layout.lines} == ends
    assert {label.text for label in picture.layout.labels} == {
        str(number) for point in plan["points"] for number in point
    }
    assert {piece.cell for piece in picture.pieces if piece.side == 0} == set(map(tuple, plan["start"]["white"]))
    shots = diagram("-----", "O----", "---@-", shots="(0, 1) (0, 1)").picture()
    assert shots.pieces == [Piece((0, 1), 0, "man", "2"), Piece((3, 2), 1, "man")]


@pytest.mark.parametrize("board", BOARDS)
def test_the_game_conforms(board):
    """Random matches on each of several boards keep the promises of every game."""
    check_game(load(BOARDS[board]), seed=1, matches=3)
    check_game(load(BOARDS[board], turn_cap=5), seed=2, matches=2)

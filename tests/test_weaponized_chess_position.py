"""Position files of Weaponized Chess: written, read, and refused with the place of what is wrong."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from weaponized_boards import board, canonical_piece

from watch_your_back.cli.play import command
from watch_your_back.game import Game, OptionError
from watch_your_back.games.weaponized_chess import canonical, position
from watch_your_back.games.weaponized_chess.setup import setup_of
from watch_your_back.match.record import Record

HEAD = f'format = "{position.FORMAT}"\n'
KINGS = '{side = "black", type = "K", square = [1, 5]}, {side = "white", type = "K", square = [10, 6]}'


def test_the_standard_set_up_as_a_position_file():
    """It begins the same match."""
    start = Game.load("weaponized_chess").initial()
    text = position.write(setup_of(start.game.options))
    assert canonical(Game.load("weaponized_chess", position=text).initial()) == canonical(start)


def test_a_position_that_a_person_wrote():
    """Ids are given out, levels are the ground unless said otherwise."""
    text = HEAD + (
        f'to_move = "white"\npieces = [{KINGS},\n{{side = "black", type = "TA", hand = "left", square = [2, 4], '
        'articles = ["XXX", "RL"]},\n{side = "black", type = "JE", square = [5, 5], level = "air", id = "Ace"}]\n'
        'articles = [{type = "SH", square = [5, 2]}]\nreinforcements = [{side = "black", type = "SU", square = [9, 2]}]'
    )
    state = Game.load("weaponized_chess", position=text).initial()
    form = canonical(state)
    assert [piece[0] for piece in form["pieces"]] == ["Ace", "B-K-1", "B-TA-1", "W-K-1"]
    assert canonical_piece(state, "B-TA-1")[2:8] == [
        "TA",
        "left",
        2,
        4,
        "ground",
        [["A-02", "XXX", 0, None], ["A-03", "RL", 0, None]],
    ]
    assert canonical_piece(state, "Ace")[6] == "air"
    assert form["articles"] == [["A-01", "SH", 5, 2, 0, None]]
    assert form["reinforcements"] == [["B-R-1", "none"]]
    assert form["to_move"] == "white"


def test_a_state_can_be_edited_and_begun_from():
    """The board of a state as a position file, without what only play can bring about."""
    state = board("black TA> 5 5 XXX RL", "white AAA 6 6", articles=["FL 3 3"])
    text = state.position()
    assert canonical(Game.load("weaponized_chess", position=text).initial()) == canonical(state)
    assert position.read(text) == position.read(position.write(position.read(text)))


@pytest.mark.parametrize("name", ["duel", "depths"])
def test_the_boards_that_come_along(name):
    """They are valid, the same for both sides after half a turn of the board, and there is something to do on them."""
    text = (Path(__file__).parent.parent / "examples" / f"weaponized_{name}.toml").read_text(encoding="utf-8")
    state = Game.load("weaponized_chess", position=text).initial()
    sides = [
        sorted(
            (piece[2], piece[6], *(piece[4:6] if side == "black" else (11 - piece[4], 11 - piece[5])))
            for piece in canonical(state)["pieces"]
            if piece[1] == side
        )
        for side in ("black", "white")
    ]
    assert sides[0] == sides[1]
    assert len(list(state.legal_steps())) > 30


WRONG = [
    ("pieces = [", "not a TOML file"),
    pytest.param(f"pieces = {'[' * 50_000}", "nested too deeply", id="nested"),
    ('format = "other"', "format: expected"),
    (HEAD + 'colour = "black"', "colour: there is no such key"),
    (HEAD + 'to_move = "green"', "to_move: one of black, white"),
    (HEAD + "pieces = 3", "pieces: a list"),
    (HEAD + "pieces = [3]", r"pieces\[0\]: a table"),
    (HEAD + 'pieces = [{type = "K", square = [1, 1]}]', r"pieces\[0\]: side is missing"),
    (HEAD + 'pieces = [{side = "black", type = "KK", square = [1, 1]}]', r"pieces\[0\].type: one of"),
    (HEAD + 'pieces = [{side = "black", type = "K", square = [0, 1]}]', r"pieces\[0\].square: \[row, column\]"),
    (HEAD + 'pieces = [{side = "black", type = "TA", square = [1, 1]}]', r"pieces\[0\].hand: one of right, left"),
    (HEAD + 'pieces = [{side = "black", type = "K", hand = "left", square = [1, 1]}]', "neither right- nor"),
    (HEAD + 'pieces = [{side = "black", type = "K", at_origin = true, square = [1, 1]}]', "is no pawn"),
    (HEAD + 'pieces = [{side = "black", type = "K", square = [1, 1], level = "up"}]', "level: one of"),
    (HEAD + 'pieces = [{side = "black", type = "K", square = [1, 1], articles = ["A"]}]', r"articles\[0\]: one of"),
    (HEAD + 'pieces = [{side = "black", type = "K", square = [1, 1], articles = ["FL", "FL"]}]', "can carry 1 at most"),
    (HEAD + 'pieces = [{side = "black", type = "K", square = [1, 1], idd = "x"}]', "there is no key 'idd'"),
    (HEAD + "pieces = [" + ", ".join(['{side = "black", type = "K", square = [1, 1]}'] * 2) + "]", "neither coexists"),
    (HEAD + "pieces = [" + ", ".join(['{side = "black", type = "DS", square = [1, 1]}'] * 3) + "]", "two pieces on"),
    (HEAD + 'pieces = [{side = "black", type = "DS", square = [1, 1]}, {side = "white", type = "DS", square = [1, 1]}]',
     "a piece of the other side"),
    (HEAD + "articles = [" + ", ".join(['{type = "FL", square = [1, 1]}'] * 3) + "]", "two on"),
    (HEAD + 'pieces = [{side = "black", type = "K", id = "x", square = [1, 1]}, '
     '{side = "white", type = "K", id = "x", square = [1, 2]}]', "'x' occurs twice"),
    (HEAD + 'reinforcements = [{side = "black", type = "CL", hand = "left", square = [9, 1]}, '
     '{side = "black", type = "SU", square = [9, 1]}]', "has to be alone"),
    (HEAD + 'locks = [{locker = "a", target = "b"}]', r"locks\[0\].locker: the id of a piece"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_wrong_positions(text, message):
    """Each is refused, naming the place and what was expected."""
    with pytest.raises(OptionError, match=message):
        Game.load("weaponized_chess", position=text)


def test_a_match_is_begun_from_a_position_file(tmp_path):
    """`wyb play --position FILE`; the record holds what is in the file, and replays without it."""
    file, kept = tmp_path / "board.toml", tmp_path / "match.jsonl"
    file.write_text(HEAD + f"pieces = [{KINGS}]\n", encoding="utf-8")
    arguments = ["random", "random", "--game", "weaponized_chess", "--position", str(file), "--record", str(kept)]
    ended = CliRunner().invoke(command, [*arguments, "--max-turns", "4", "--quiet"])
    assert ended.exit_code == 0, ended.output
    file.unlink()
    record = Record.load(kept)
    assert record.start.count_pieces(0) == record.start.count_pieces(1) == 1
    assert record.end.ply == 4


def test_a_wrong_position_file_is_a_usage_error(tmp_path):
    """One line that names the place, and exit code 2."""
    file = tmp_path / "board.toml"
    file.write_text(HEAD + 'pieces = [{side = "black", type = "KK", square = [1, 1]}]', encoding="utf-8")
    ended = CliRunner().invoke(command, ["random", "random", "--game", "weaponized_chess", "--position", str(file)])
    assert ended.exit_code == 2
    assert "option position: pieces[0].type: one of K, DI" in ended.output

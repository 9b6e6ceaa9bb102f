"""The small commands: new, games and perft."""

import ast
import json

import pytest

from watch_your_back.game import Game


def test_new_writes_a_player_and_says_what_next(wyb, tmp_path):
    """The file is Python with a Player in it, and the commands to go on with are named."""
    file = tmp_path / "my player.py"
    ended = wyb("new", file)
    assert ended.code == 0
    assert f"wyb check '{file}'" in ended.out
    assert f"wyb play '{file}' greedy" in ended.out
    classes = [node for node in ast.parse(file.read_text()).body if isinstance(node, ast.ClassDef)]
    assert [each.name for each in classes] == ["Player"]
    assert all(ast.get_docstring(method) for method in classes[0].body if isinstance(method, ast.FunctionDef))


@pytest.mark.parametrize("game", Game.ids())
def test_the_new_player_plays_any_game_to_its_end(wyb, tmp_path, game):
    """Two of them, told each other's actions, agree on every state."""
    file = tmp_path / "fresh.py"
    wyb("new", file)
    module = {}
    exec(compile(file.read_text(), str(file), "exec"), module)
    state = Game.load(game, turn_cap=60).initial()
    options = {"turn_cap": 60}
    players = [module["Player"](side, game=game, options=options) for side in state.game.sides]
    while state.outcome is None:
        mover = state.to_move
        action = state.check(players[mover].action(state.turns))
        state = state.play(action)
        players[1 - mover].update(state.observe(action, 1 - mover))


def test_new_leaves_an_existing_file_alone(wyb, tmp_path):
    """Nobody loses a player to a typing mistake."""
    file = tmp_path / "mine.py"
    file.write_text("precious")
    ended = wyb("new", file)
    assert ended == (2, "", f"wyb new: {file} is there already and is left as it is; choose another name\n")
    assert file.read_text() == "precious"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("player", "player must be the name of a Python file, such as player.py"),
        ("nowhere/player.py", "nowhere/player.py cannot be written: No such file or directory"),
    ],
)
def test_new_refuses_a_place_that_cannot_work(wyb, tmp_path, monkeypatch, name, line):
    """One line says why."""
    monkeypatch.chdir(tmp_path)
    assert wyb("new", name) == (2, "", f"wyb new: {line}\n")
    assert not list(tmp_path.iterdir())


def test_games_lists_what_can_be_played(wyb):
    """Every game has a line with its id, its title and its sides."""
    lines = wyb("games").out.splitlines()
    assert [line.split()[0] for line in lines] == Game.ids()
    assert any("Watch Your Back! (white, black)" in line for line in lines)


def test_games_describes_one(wyb):
    """Its page has the sides, the options with their defaults and ranges, and the rules in short."""
    page = wyb("games", "watch_your_back").out
    assert page.startswith("Watch Your Back! (watch_your_back)\n\n")
    assert "\nsides: white, black, the first to act first\n" in page
    assert "  turn_cap=512  " in page
    assert "(from 0)" in page
    assert "An action is" in page


def test_games_are_described_for_programs(wyb):
    """`--json` has the same, for all games or for one."""
    listed = json.loads(wyb("games", "--json").out)
    assert [each["id"] for each in listed] == Game.ids()
    one = json.loads(wyb("games", "watch_your_back", "--json").out)
    assert one in listed
    assert one["sides"] == ["white", "black"]
    assert one["options"]["turn_cap"]["default"] == 512


def test_an_unknown_game_is_one_line(wyb):
    """The message names the games that there are, or the one that is near."""
    ended = wyb("games", "watch_your_bakc")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.count("\n") == 1
    assert "watch_your_back" in ended.err


def test_perft_counts_every_depth(wyb):
    """46 placements for White, then 46 less the square taken where the zones overlap."""
    assert wyb("perft", "2").out == "0 1\n1 46\n2 2084\n"
    assert json.loads(wyb("perft", "1", "--json").out) == {"game": "watch_your_back", "leaves": [1, 46]}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["-o", "turn_cap"], "an option of the game is written key=value, not 'turn_cap'"),
        (["-o", "turn_cap=many"], "the option turn_cap takes a whole number, not 'many'"),
        (["-o", "turn_cap=-1"], "option turn_cap is at least 0, not -1"),
    ],
)
def test_a_wrong_option_of_the_game_is_one_line(wyb, words, line):
    """It says what the option takes."""
    assert wyb("perft", "1", *words) == (2, "", f"wyb perft: {line}\n")

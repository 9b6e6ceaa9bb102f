"""Options of a game that are given as files, on the command line and in a tournament's settings."""

import json
from pathlib import Path

import pytest

from watch_your_back.game import Game
from watch_your_back.tournament.settings import Settings, SettingsError, read_plan

EXAMPLE = Path(__file__).parent.parent / "examples" / "archers_small.json"
SMALL = Game.load("archers", board=EXAMPLE.read_text())
SETTINGS = 'game = "archers"\nagents = ["random", "greedy"]\n[options]\nboard = {board!r}\n'


def test_a_path_on_the_command_line_stands_for_what_the_file_holds(wyb, tmp_path, monkeypatch):
    """Seen from the current directory; a byte order mark, as some editors write it, does not matter."""
    monkeypatch.chdir(tmp_path)
    Path("board.json").write_text(EXAMPLE.read_text(), encoding="utf-8-sig")
    ended = wyb("perft", "--game", "archers", "-o", "board=board.json", "2")
    assert (ended.code, ended.out.split()) == (0, ["0", "1", "1", "6", "2", "32"])


def test_the_default_and_the_contents_themselves_are_no_paths(wyb, tmp_path, monkeypatch):
    """So that what a record says can be given again."""
    monkeypatch.chdir(tmp_path)
    for board in ("standard", SMALL.options.board):
        assert wyb("perft", "--game", "archers", "-o", f"board={board}", "1").code == 0


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("missing.json", "option board: there is no file missing.json"),
        ("", "option board is to be the path of a file, and none is given"),
        (".", "option board: . cannot be read"),
        ("a\0b", "option board: 'a\\x00b' cannot be the path of a file"),
        ("huge.json", "option board: huge.json has more than 1,048,576 bytes (1 MB)"),
        ("empty.json", "option board: empty.json is empty"),
        ("latin.json", "option board: latin.json is no text in UTF-8 (byte 3)"),
        ("words.json", "option board: it is 'standard' or a board in JSON, but in 'no board' line 1, column 1"),
    ],
)
def test_a_file_that_cannot_be_taken_is_one_line(wyb, tmp_path, monkeypatch, value, line):
    """It names the option and the file; the exit code is that of wrong usage."""
    monkeypatch.chdir(tmp_path)
    Path("huge.json").write_bytes(b" " * 1_048_577)
    Path("empty.json").write_text("\n")
    Path("latin.json").write_bytes(b"{ \xe9 }")
    Path("words.json").write_text("no board")
    ended = wyb("perft", "--game", "archers", "-o", f"board={value}", "1")
    assert (ended.code, ended.out) == (2, "")
    assert line in ended.err
    assert ended.err.count("\n") == 1


def test_a_path_in_a_tournament_file_is_seen_from_there(tmp_path):
    """And the tournament knows the board by its contents, as its store will."""
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "small.json").write_text(EXAMPLE.read_text())
    (tmp_path / "small.toml").write_text(SETTINGS.format(board="boards/small.json"))
    settings = read_plan(tmp_path / "small.toml").settings
    assert settings.game == SMALL
    assert Settings.from_json(json.loads(json.dumps(settings.as_json()))) == settings


def test_a_wrong_path_in_a_tournament_file_is_told_with_the_file(tmp_path):
    """Both of them."""
    (tmp_path / "small.toml").write_text(SETTINGS.format(board="small.json"))
    with pytest.raises(SettingsError) as refused:
        read_plan(tmp_path / "small.toml")
    assert str(refused.value) == f"{tmp_path}/small.toml: option board: there is no file {tmp_path}/small.json"


def test_options_in_a_tournament_file_that_are_no_table_are_refused_as_ever(tmp_path):
    """Nothing is read for them, nor for a game that there is not."""
    (tmp_path / "one.toml").write_text('game = "archers"\noptions = "board.json"\n')
    (tmp_path / "two.toml").write_text('game = "archerz"\n[options]\nboard = "board.json"\n')
    for name, words in (("one", "options is to be a table"), ("two", "did you mean archers?")):
        with pytest.raises(SettingsError) as refused:
            read_plan(tmp_path / f"{name}.toml")
        assert words in str(refused.value)

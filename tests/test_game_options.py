"""`--game ID -o key=value`: the same for every command that plays a game, and mistakes in one line."""

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from watch_your_back.cli import wyb as group
from watch_your_back.match.record import Record

NEEDED = {
    "play": ["random", "random"],
    "check": ["random"],
    "compare": ["random", "greedy"],
    "perft": ["1"],
    "tournament run": ["random", "greedy"],
    "tournament plan": ["random", "greedy"],
}
"""What each command needs besides the game, to get as far as looking at it."""


def commands(command=group, path="") -> Iterator[tuple[str, click.Command]]:
    """All commands and their paths, without the groups of commands."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        yield from commands(command.get_command(context, name), f"{path} {name}".lstrip())


WITH_GAME = [path for path, command in commands() if any("--game" in param.opts for param in command.params)]


@pytest.fixture(autouse=True)
def in_a_directory_of_its_own(tmp_path, monkeypatch):
    """Where a tournament may leave its store."""
    monkeypatch.chdir(tmp_path)


def test_every_command_that_plays_takes_a_game():
    """With its options; those that are given a record or a store find the game in there."""
    assert NEEDED.keys() <= {*WITH_GAME}
    for path, command in commands():
        options = {name: param.name for param in command.params for name in param.opts}
        assert "--game" not in options or options.get("-o") == "option", path


MISTAKES = [
    (("--game", "square"), "there is no game 'square' (did you mean squares?)"),
    (("--game", "Squares"), "there is no game 'Squares' (did you mean squares?)"),
    (("--game", "GO"), "there is no game 'GO' (did you mean go?)"),
    (("--game", "chess960"), "there is no game 'chess960' (known: "),
    (("--game", ""), "there is no game '' (known: "),
    (("--game", "squares", "-o", "sise=9"), "the game has no option 'sise' (did you mean size?)"),
    (("--game", "squares", "-o", "SIZE=9"), "the game has no option 'SIZE' (did you mean size?)"),
    (("--game", "squares", "-o", "colour=red"), "the game has no option 'colour' (known: turn_cap, size, "),
    (("--game", "squares", "-o", "size"), "an option of the game is written key=value, not 'size'"),
    (("--game", "squares", "-o", "=9"), "the game has no option '' (known: "),
    (("--game", "squares", "-o", "size=big"), "the option size takes a whole number, not 'big'"),
    (("--game", "squares", "-o", "size=9.0"), "the option size takes a whole number, not '9.0'"),
    (("--game", "squares", "-o", "size="), "the option size takes a whole number, not ''"),
    (("--game", "squares", "-o", "size=1"), "option size is at least 2, not 1"),
    (("--game", "squares", "-o", "size=20"), "option size is at most 19, not 20"),
    (("--game", "squares", "-o", "turn_cap=-1"), "option turn_cap is at least 0, not -1"),
    (("--game", "squares", "-o", "announce=loud"), "option announce is one of manual, auto, not 'loud'"),
    (("--game", "squares", "-o", "announce=Auto"), "option announce is one of manual, auto, not 'Auto'"),
    (("--game", "squares", "-o", "size=" + "9" * 9_999), "the option size takes a whole number, not '999"),
    (("--game", "squares", "-o", "size=" + "9" * 4_000), "option size is at most 19, not 999"),
    (("--game", "one_line", "-o", "misere=maybe"), "the option misere takes yes or no, not 'maybe'"),
    (("--game", "go", "-o", "komi=half"), "the option komi takes a number, not 'half'"),
    (("--game", "go", "-o", "komi=nan"), "option komi is a finite number, not nan"),
    (("--game", "go", "-o", "komi=1e999"), "option komi is a finite number, not inf"),
    (("-o", "size=9"), "the game has no option 'size' (known: turn_cap)"),
    (("--game", "squares", "-o", "size=\x1b[2J9"), "the option size takes a whole number, not '\\x1b[2J9'"),
]


@pytest.mark.parametrize("path", NEEDED)
@pytest.mark.parametrize(("options", "words"), MISTAKES, ids=[str(options)[:60] for options, _ in MISTAKES])
def test_a_mistake_is_one_line(wyb, tmp_path, path, options, words):
    """In every command, with exit code 2, before anything is played or written."""
    ended = wyb(*path.split(), *NEEDED[path], *options)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"wyb {path}: {words}")
    assert ended.err.count("\n") == 1
    assert len(ended.err) < 300
    assert ended.err.rstrip("\n").isprintable()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", [["--game"], ["-o"], ["--gane", "squares"]], ids=" ".join)
@pytest.mark.parametrize("path", NEEDED)
def test_half_an_option_is_one_line(wyb, path, words):
    """With the way to the help."""
    ended = wyb(*path.split(), *NEEDED[path], *words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"wyb {path}: ")
    assert ended.err.endswith(f"(try wyb {path} --help)\n")
    assert ended.err.count("\n") == 1


SMALL = ("--game", "squares", "-o", "size=3", "-o", "announce=auto", "-o", "counters=6")
CHOSEN = {"turn_cap": 0, "size": 3, "counters": 6, "announce": "auto"}


def test_play_plays_the_game_with_its_options(wyb):
    """The result and the record say which."""
    ended = wyb("play", "--json", *SMALL, "random", "greedy", "--record", "match.jsonl")
    assert ended.code == 0
    assert json.loads(ended.out)["game"] == "squares"
    assert json.loads(ended.out)["options"] == CHOSEN
    assert {name: getattr(Record.load("match.jsonl").game.options, name) for name in CHOSEN} == CHOSEN


def test_the_last_of_two_settings_counts(wyb):
    """As with the options of most programs, and `--max-turns` goes before both."""
    ended = wyb("play", "--json", "-o", "turn_cap=5", "-o", "turn_cap=6", "random", "random")
    assert json.loads(ended.out)["options"] == {"turn_cap": 6}
    ended = wyb("play", "--json", "-o", "turn_cap=5", "--max-turns", "7", "random", "random")
    assert json.loads(ended.out)["options"] == {"turn_cap": 7}


def test_check_plays_the_game_with_its_options(wyb):
    """The findings say which."""
    ended = wyb("check", "--json", "-n", "1", *SMALL, "random")
    assert ended.code == 0
    assert json.loads(ended.out)["options"] == CHOSEN


def test_compare_plays_the_game_with_its_options(wyb):
    """The comparison says which."""
    ended = wyb("compare", "--json", "-n", "2", *SMALL, "random", "greedy")
    assert ended.code == 0
    assert json.loads(ended.out)["options"] == CHOSEN


def test_perft_counts_the_game_with_its_options(wyb):
    """Nine cells, then eight."""
    assert wyb("perft", "2", *SMALL).out == "0 1\n1 9\n2 72\n"


def test_tournament_plays_the_game_with_its_options(wyb):
    """And the store knows them, so the command that goes on with it need not say them again."""
    ended = wyb("tournament", "run", "-j", "1", *SMALL, "random", "greedy", "--rounds", "1")
    assert ended.code == 0, ended.err
    assert wyb("tournament", "export", "tournament.db", "--format", "records", "-o", "records").code == 0
    record = next(Path("records").rglob("*.jsonl"))
    assert {name: getattr(Record.load(record).game.options, name) for name in CHOSEN} == CHOSEN


FILES = [
    ('game = "square"', "there is no game 'square' (did you mean squares?)"),
    ("game = 5", ""),
    ('game = "squares"\noptions = { sise = 3 }', "the game has no option 'sise' (did you mean size?)"),
    ('game = "squares"\noptions = { size = "3" }', "option size is an int, not '3' (str)"),
    ('game = "squares"\noptions = { size = 3.0 }', "option size is an int, not 3.0 (float)"),
    ('game = "squares"\noptions = { size = true }', "option size is an int, not True (bool)"),
    ('game = "squares"\noptions = { size = 99 }', "option size is at most 19, not 99"),
    ('game = "squares"\noptions = { announce = "loud" }', "option announce is one of manual, auto, not 'loud'"),
    ('game = "go"\noptions = { komi = "x" }', "option komi is a float, not 'x' (str)"),
    ('game = "go"\noptions = { komi = 1' + "0" * 400 + " }", "option komi is a finite number, not inf"),
    ('game = "squares"\noptions = 3', ""),
]


@pytest.mark.parametrize("command", ["run", "plan"])
@pytest.mark.parametrize(("settings", "words"), FILES, ids=[settings[:60] for settings, _ in FILES])
def test_a_mistake_in_a_tournament_file_is_one_line(wyb, tmp_path, command, settings, words):
    """It names the file, and nothing is played."""
    file = tmp_path / "class.toml"
    file.write_text(f'agents = ["random", "greedy"]\n{settings}\n')
    ended = wyb("tournament", command, "class.toml")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"wyb tournament {command}: class.toml: {words}")
    assert ended.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("id", ["square", "Squares"])
def test_games_suggests_the_nearest_game(wyb, id):
    """As the other commands do."""
    assert wyb("games", id) == (2, "", f"wyb games: there is no game '{id}' (did you mean squares?)\n")


def test_every_option_that_is_described_can_be_set(wyb):
    """What `wyb games --json` lists are the options with defaults that they accept themselves."""
    for game in json.loads(wyb("games", "--json").out):
        for name, about in game["options"].items():
            value = {"True": "yes", "False": "no"}.get(str(about["default"]), about["default"])
            ended = wyb("perft", "0", "--game", game["id"], "-o", f"{name}={value}")
            assert (ended.code, ended.err) == (0, ""), (game["id"], name)

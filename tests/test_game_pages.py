"""What `wyb games ID` prints, and the pages and pictures of the games that are made of it."""

import importlib.util
import json
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cases import for_each

from watch_your_back.cli.game_page import example
from watch_your_back.game import Game

SCRIPT = Path(__file__).parent.parent / "docs" / "build_pictures.py"


def script():
    """The script that writes the pages."""
    spec = importlib.util.spec_from_file_location("build_pictures", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def files():
    """What the script writes: the text of each page and picture by its name."""
    return dict(script().files())


@for_each(lambda: files().items())
def test_no_page_and_no_picture_is_stale(expected):
    """What the games say now is what stands in the documents."""
    name, text = expected
    file = SCRIPT.parent / "games" / name
    assert file.exists(), f"{name} is missing: run python docs/build_pictures.py"
    assert file.read_text(encoding="utf-8") == text, f"{name} is stale: run python docs/build_pictures.py"


@pytest.mark.parametrize("game", Game.ids())
def test_the_page_of_a_game_tells_all_that_one_needs_to_play(wyb, game):
    """Rules, sides, every action with an example and how it is typed, every option, and a board."""
    rules = Game.load(game)
    ended = wyb("games", game)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(f"{rules.title} ({game})\n")
    about = json.loads(wyb("games", game, "--json").out)
    words = " ".join(ended.out.split())
    for each in about["actions"]:
        assert f"{each['pattern']} {each['meaning']}" in words
        assert f"typed: {each['typed']}" in words
    for name, option in about["options"].items():
        assert f"{name}=" in words
        assert " ".join(option["help"].split()) in words
    assert f"{example(rules).caption}." in ended.out
    for note in example(rules).state.picture().notes:
        assert note in ended.out


@pytest.mark.parametrize("game", Game.ids())
def test_the_example_is_in_the_middle_of_a_match(game):
    """Something has happened, and the game goes on."""
    shown = example(Game.load(game))
    assert shown.state.ply > 3
    assert shown.state.outcome is None
    assert shown == example(Game.load(game))


@for_each(lambda: [name for name in files() if name.endswith(".svg")])
def test_a_picture_says_in_words_what_it_shows(name):
    """For readers who do not see it."""
    root = ElementTree.fromstring(files()[name])
    title = root.find("{http://www.w3.org/2000/svg}title").text
    assert title == example(Game.load(name.removesuffix(".svg"))).caption


def test_markdown_is_the_page_of_the_documents(wyb):
    """For one game only."""
    assert wyb("games", "hexxagon", "--markdown") == (0, files()["hexxagon.md"], "")
    for arguments in (["--markdown"], ["hexxagon", "--markdown", "--json"]):
        ended = wyb("games", *arguments)
        assert ended.code == 2
        assert ended.err.startswith("wyb games: --markdown is for one game")

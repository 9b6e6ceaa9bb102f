"""Games that installed packages announce: the example is installed and played, and a broken one harms no other."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from watch_your_back.game import Game

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "noughts_and_crosses"

GOOD = """
from dataclasses import dataclass
from watch_your_back.game import Game, Options

@dataclass(frozen=True)
class {name}(Game):
    id = "{id}"
    title = "A game"
    rules_version = 1
    sides = ("left", "right")
    Options = Options
    options: Options = Options()
    def initial(self): ...
    def parse(self, text): ...
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A directory with the example installed into it, from a copy so that nothing is left in the tree."""
    directory = tmp_path_factory.mktemp("announced")
    source = shutil.copytree(EXAMPLE, directory / "source", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    target = directory / "installed"
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(source)],
        check=True,
        timeout=300,
    )
    return target


@pytest.fixture
def run(installed, tmp_path):
    """Run Python with the example installed, in an empty directory."""

    def command(*words):
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{ROOT}:{installed}", "LANG": "C.UTF-8"}
        return subprocess.run(
            [sys.executable, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )

    return command


def announce(folder, id, value, **modules):
    """Put into a folder what an installed package leaves there: its metadata with the announcement, and its modules."""
    metadata = folder / f"{id}_package-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {id}-package\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[watch_your_back.games]\n{id} = {value}\n")
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source)


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """A folder whose packages are installed for this process, and whose modules are forgotten afterwards."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]


def test_an_installed_game_is_listed_and_described(run):
    """Like a built-in one, its rules from the docstring of its module."""
    listed = run("-m", "watch_your_back", "games").stdout
    assert "noughts_and_crosses" in listed
    assert "Noughts and crosses (crosses, noughts)" in listed
    page = run("-m", "watch_your_back", "games", "noughts_and_crosses").stdout
    assert "size=3  cells along each side of the board (3 to 9)" in page
    assert "Rules: traditional." in page


def test_an_installed_game_is_played_and_its_record_replays(run, tmp_path):
    """Its players are confined as always, and the record loads where the game is installed; elsewhere it is refused by
    name.
    """
    match = ["play", "--game", "noughts_and_crosses", "random", "greedy", "--seed", "3"]
    played = run("-m", "watch_your_back", *match, "--json", "--record", "match.jsonl")
    assert played.returncode == 0, played.stderr
    result = json.loads(played.stdout)
    assert result["reason"] in ("a whole line", "board full")
    tiers = json.loads(run("-m", "watch_your_back", "play", "--json", "random", "random").stdout)["tier"]
    assert result["tier"] == tiers
    replayed = run(
        "-c",
        "from watch_your_back.match.record import Record; r = Record.load('match.jsonl'); "
        "print(r.complete, r.game.id, len(r.turns), r.end.reason)",
    )
    assert replayed.stdout == f"True noughts_and_crosses {result['ply']} {result['reason']}\n", replayed.stderr
    script = "from watch_your_back.match.record import Record; Record.load('match.jsonl')"
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )
    assert "there is no game 'noughts_and_crosses'" in ended.stderr


def test_the_example_conforms(run):
    """On boards of several sizes, with and without a cap."""
    ended = run(
        "-c",
        "from watch_your_back.game import Game; from watch_your_back.testing import check_game\n"
        "for options in ({}, {'size': 5}, {'turn_cap': 4}): check_game(Game.load('noughts_and_crosses', **options))",
    )
    assert ended.returncode == 0, ended.stderr


BROKEN = [
    ("failing:GAME", {"failing": "import numpie"}, "ModuleNotFoundError: No module named 'numpie'"),
    ("failing:GAME", {"failing": "def ("}, "SyntaxError: "),
    ("failing:GAME", {"failing": "raise SystemExit(3)"}, "SystemExit: 3"),
    ("failing:GAME", {"failing": "raise BaseException('neither')"}, "BaseException: neither"),
    ("failing:GAME", {"failing": "raise ValueError('two\\nlines')"}, "ValueError: two lines"),
    ("failing:Game", {"failing": "GAME = 1"}, "AttributeError: module 'failing' has no attribute 'Game'"),
    ("missing:GAME", {}, "ModuleNotFoundError: No module named 'missing'"),
    ("failing:GAME", {"failing": "GAME = 1"}, "this is no subclass of watch_your_back.game.Game"),
    ("failing:GAME", {"failing": "class GAME: pass"}, "this is no subclass of watch_your_back.game.Game"),
    (
        "failing:GAME",
        {"failing": "from watch_your_back.game import Game\nclass GAME(Game):\n    id = 'broken'"},
        "the class does not define title, rules_version, sides, Options, initial, parse",
    ),
    (
        "failing:GAME",
        {"failing": GOOD.format(name="GAME", id="other")},
        "the class has the id 'other', not the one that it is announced by",
    ),
    (
        "failing:GAME",
        {"failing": GOOD.format(name="GAME", id="broken").replace("Options = Options\n", "Options = int\n", 1)},
        "its Options is no subclass of watch_your_back.game.Options",
    ),
    (
        "failing:GAME",
        {"failing": GOOD.format(name="GAME", id="broken").replace("    options: Options = Options()\n", "")},
        "TypeError: ",
    ),
]


@pytest.mark.parametrize(("value", "modules", "words"), BROKEN, ids=[words for *_, words in BROKEN])
def test_a_broken_game_is_told_in_one_line(wyb, packages, value, modules, words):
    """The line names the game, its package and the fault; the other games are listed, and can be played."""
    announce(packages, "broken", value, **modules)
    announce(packages, "whole", "whole_game:Whole", whole_game=GOOD.format(name="Whole", id="whole"))
    line = f"the game 'broken' of the package broken-package cannot be loaded: {value}: {words}"
    listed = wyb("games")
    assert listed.code == 0
    assert [row.split()[0] for row in listed.out.splitlines()] == [id for id in Game.ids() if id != "broken"]
    assert "whole" in listed.out
    assert listed.err.startswith(f"wyb games: {line}")
    assert listed.err.count("\n") == 1
    for command in (
        ("games", "broken"),
        ("play", "--game", "broken", "random", "greedy"),
        ("perft", "1", "--game", "broken"),
    ):
        ended = wyb(*command)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err.startswith(f"wyb {command[0]}: {line}")
        assert ended.err.count("\n") == 1


def test_a_broken_game_is_left_out_for_programs(wyb, packages):
    """`--json` stays JSON, of the games that can be played."""
    announce(packages, "broken", "nowhere:GAME")
    ended = wyb("games", "--json")
    assert ended.code == 0
    assert "broken" not in [game["id"] for game in json.loads(ended.out)]


def test_a_game_that_is_announced_twice_counts_once(wyb, packages):
    """Two packages of the same id are no reason to fail, and a built-in game cannot be replaced."""
    source = GOOD.format(name="Game1", id="twice")
    announce(packages, "twice", "twice_game:Game1", twice_game=source)
    announce(packages, "squares", "twice_game:Game1")
    rows = [row.split()[0] for row in wyb("games").out.splitlines()]
    assert rows.count("twice") == rows.count("squares") == 1
    assert Game.load("squares").title == "Squares"

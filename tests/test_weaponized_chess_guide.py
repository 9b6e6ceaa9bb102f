"""The guide to Weaponized Chess: its pictures, its files and its code are what the game makes of them."""

import importlib.util
import re
from pathlib import Path

import pytest

from watch_your_back.game import Game
from watch_your_back.games.weaponized_chess import position

DOCS = Path(__file__).parent.parent / "docs"
GUIDE = (DOCS / "games" / "weaponized_chess.md").read_text(encoding="utf-8")


def script():
    """The script that draws the pictures."""
    spec = importlib.util.spec_from_file_location("build_guide_pictures", DOCS / "build_guide_pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PICTURES = dict(script().files())


@pytest.mark.parametrize("name", PICTURES)
def test_no_picture_is_stale(name):
    """What is drawn now is what stands in the guide."""
    file = script().FOLDER / name
    assert file.read_text(encoding="utf-8") == PICTURES[name], (
        f"{name} is stale: run python docs/build_guide_pictures.py"
    )
    assert f"(weaponized_chess/{name})" in GUIDE


def test_every_picture_and_section_that_is_named_is_there():
    """Links lead somewhere."""
    for target in re.findall(r"\]\(([^)]+)\)", GUIDE):
        if target.startswith("#"):
            assert target[1:] in {
                re.sub(r"[^a-z -]", "", title.lower()).replace(" ", "-")
                for title in re.findall(r"^## (.*)", GUIDE, re.M)
            }
        else:
            assert (DOCS / "games" / target).exists(), target


def test_the_code_and_the_position_of_the_guide_work():
    """As a reader would copy them."""
    toml = re.search(r"```toml\n(.*?)```", GUIDE, re.DOTALL)[1]
    assert len(position.read(toml)["pieces"]) == 5
    turn, notation, player = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    start = Game.load("weaponized_chess").initial()
    assert start.check(eval(turn))
    told = []
    exec(notation, {"print": lambda *lines, sep: told.extend(lines)})
    assert f"# {told[0]}\n" in notation
    made = {}
    exec(player, made)
    rival = made["Player"]("black", "weaponized_chess", {}, 1)
    rival.see(start.view(0))
    assert start.check(rival.action(0))


def test_every_option_is_listed_by_the_command_that_the_guide_names(wyb):
    """And those that the guide names exist."""
    names = {
        name
        for line in re.findall(r"^\| (`.*?) \|", GUIDE.split("## Options")[1].split("## ")[0], re.M)
        for name in re.findall(r"`(\w+)`", line)
    }
    assert names <= set(vars(Game.load("weaponized_chess").options))

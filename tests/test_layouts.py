"""Agents as students really lay them out run unchanged, each in its own confined process."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile import GAME, Played, played
from watch_your_back.agents import find
from watch_your_back.match import Confinement, Limits, Match

BOARD = "NAME = {name!r}\nSQUARES = [(x, y) for y in {rows} for x in range(1, 7)]\n"
PLAYER = """
{imports}

class Player:
    def __init__(self, colour):
        {init}
        self.left = list({squares})

    def action(self, turns):
        return self.left.pop(0) if self.left else "resign"

    def update(self, action):
        pass

if __name__ == "__main__":
    raise SystemExit("a player is never the main program")
"""
ROWS = {"white": "(0, 1)", "black": "(7, 6)"}


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    """One zygote for all these matches."""
    shared = Confinement()
    yield shared
    shared.close()


def write(path: Path, imports: str, *, init: str = "pass", squares: str = "board.SQUARES") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(PLAYER).format(imports=textwrap.dedent(imports), init=init, squares=squares))


def board(folder: Path, side: str, name: str = "board.py") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(BOARD.format(name=str(folder), rows=ROWS[side]))


def play(folder: Path, white: str, black: str, confinement: Confinement) -> Played:
    agents = find(white, folder), find(black, folder)
    ended = played(Match(GAME, agents, Limits(20, 100), seed=1), confinement)
    assert ended.failures == [], ended.failures[0].traceback
    return ended


def test_two_agents_with_modules_of_the_same_names(tmp_path: Path, confinement: Confinement) -> None:
    """Both have Player.py and board.py, and each gets its own."""
    for side in ROWS:
        board(tmp_path / side, side)
        write(tmp_path / side / "Player.py", "import board", init="print(board.NAME)")
    ended = play(tmp_path, "white/Player.py", "black/Player.py", confinement)
    names = [each.text.strip() for each in ended.outputs if each.ply == -1]
    assert names == [str(tmp_path / "white"), str(tmp_path / "black")]


def test_packages_with_relative_imports(tmp_path: Path, confinement: Confinement) -> None:
    """`from .board import ...` in a package, and `from ..` in one below it."""
    for side in ROWS:
        team = tmp_path / side
        board(team, side)
        (team / "__init__.py").write_text("")
        (team / "deep").mkdir()
        (team / "deep" / "__init__.py").write_text("from ..board import SQUARES\n")
        write(team / "player.py", "from . import board\nfrom .deep import SQUARES", squares="SQUARES")
    play(tmp_path, "white/player.py", "black", confinement)
    play(tmp_path, "white.player", "black.player", confinement)


def test_dotted_modules_from_the_current_directory(tmp_path: Path, confinement: Confinement) -> None:
    """As with the published referee: modules and their siblings are looked up from where it is started."""
    for side in ROWS:
        board(tmp_path, side, f"board_{side}.py")
        write(tmp_path / "players" / f"{side}player.py", f"import board_{side} as board")
    play(tmp_path, "players.whiteplayer", "players.blackplayer", confinement)


def test_names_that_are_no_identifiers(tmp_path: Path, confinement: Confinement) -> None:
    """A folder with a blank, a file with hyphens."""
    for side in ROWS:
        board(tmp_path / f"Part B {side}", side)
        write(tmp_path / f"Part B {side}" / "greedy-agent-5.py", "import board")
    play(tmp_path, "Part B white/greedy-agent-5.py", "Part B black/greedy-agent-5.py", confinement)


def test_data_files_beside_the_agent_and_in_its_current_directory(tmp_path: Path, confinement: Confinement) -> None:
    """Both ways of naming a data file find it, at import and in the constructor."""
    imports = """
        import json, os
        BOOK = json.load(open("book.json"))
        BESIDE = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "book.json")))
    """
    for side in ROWS:
        write(
            tmp_path / side / "player.py", imports, init="assert open('book.json').read()", squares="map(tuple, BOOK)"
        )
        rows = (0, 1) if side == "white" else (7, 6)
        (tmp_path / side / "book.json").write_text(str([[x, y] for y in rows for x in range(1, 7)]))
    play(tmp_path, "white/player.py", "black/player.py", confinement)


def test_a_star_import_of_numpy_and_a_class_of_another_name(tmp_path: Path, confinement: Confinement) -> None:
    """`from numpy import *` hides built-ins of the agent's own, not of anybody else."""
    for side in ROWS:
        board(tmp_path / side, side)
        path = tmp_path / side / "player.py"
        write(path, "from numpy import *\nimport board", init="self.zeros = zeros((8, 8))")
        path.write_text(path.read_text().replace("class Player", "class Bot"))
    play(tmp_path, "white/player.py:Bot", "black/player.py:Bot", confinement)


def test_an_agent_with_a_watch_your_back_of_its_own(tmp_path: Path, confinement: Confinement) -> None:
    """A sibling of the same name as this package is the agent's."""
    for side in ROWS:
        board(tmp_path / side, side, "watch_your_back.py")
        write(tmp_path / side / "player.py", "import watch_your_back as board", init="print(board.NAME)")
    ended = play(tmp_path, "white/player.py", "black/player.py", confinement)
    assert [each.text.strip() for each in ended.outputs] == [str(tmp_path / "white"), str(tmp_path / "black")]


def test_an_agent_as_it_was_handed_in(tmp_path: Path, confinement: Confinement) -> None:
    """A directory is enough of a name when it holds a player."""
    for side in ROWS:
        board(tmp_path / side, side)
        write(tmp_path / side / "main.py", "import board")
    play(tmp_path, "white", "black", confinement)

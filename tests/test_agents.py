"""Which file an agent spec names, and what is said when it names none."""

import os
from pathlib import Path

import pytest

from watch_your_back.agents import Agent, AgentNotFound, bundled, find, find_bundled

SAMPLES = Path(__file__).resolve().parent / "agents"

PLAYER = """
class Player:
    def __init__(self, colour): ...
    def action(self, turns): ...
    def update(self, action): ...
"""


def write(path: Path, text: str = PLAYER) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def place(agent: Agent, cwd: Path) -> tuple[str, str, str, str]:
    """Name, file, root and module of an agent, the paths relative to `cwd`."""
    return agent.name, agent.path.relative_to(cwd).as_posix(), agent.root.relative_to(cwd).as_posix(), agent.module


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param("absolute/player.py", ("player", "absolute/player.py", "absolute", "player"), id="file"),
        pytest.param("absolute/player", ("player", "absolute/player.py", "absolute", "player"), id="file-without-py"),
        pytest.param("absolute", ("absolute", "absolute/player.py", "absolute", "player"), id="folder"),
        pytest.param("./absolute/", ("absolute", "absolute/player.py", "absolute", "player"), id="folder-slash"),
        pytest.param("absolute.player", ("absolute.player", "absolute/player.py", ".", "absolute.player"), id="module"),
        pytest.param("relative", ("relative", "relative/__init__.py", "relative", "relative"), id="package"),
        pytest.param(
            "relative/__init__.py", ("relative", "relative/__init__.py", "relative", "relative"), id="package-file"
        ),
        pytest.param(
            "relative/player.py", ("player", "relative/player.py", "relative", "relative.player"), id="file-in-package"
        ),
        pytest.param(
            "relative/deep/searcher.py",
            ("searcher", "relative/deep/searcher.py", "relative", "relative.deep.searcher"),
            id="file-that-imports-from-the-package-above",
        ),
        pytest.param(
            "relative/deep", ("deep", "relative/deep/searcher.py", "relative", "relative.deep.searcher"), id="only-file"
        ),
        pytest.param("data", ("data", "data/reader.py", "data", "reader"), id="only-file-that-defines-it"),
        pytest.param(
            "Part B/greedy-agent-5.py",
            ("greedy-agent-5", "Part B/greedy-agent-5.py", "Part B", "greedy-agent-5"),
            id="space-and-hyphens",
        ),
        pytest.param(
            "Part B.greedy-agent-5",
            ("Part B.greedy-agent-5", "Part B/greedy-agent-5.py", ".", "Part B.greedy-agent-5"),
            id="module-with-space-and-hyphens",
        ),
        pytest.param(
            "project.players.abplayer",
            ("project.players.abplayer", "project/players/abplayer.py", ".", "project.players.abplayer"),
            id="deep-module",
        ),
    ],
)
def test_every_form_of_a_spec_finds_the_file_that_is_meant(spec: str, expected: tuple[str, ...]) -> None:
    """Files, folders, packages and modules are found, with the root and the name to import them under."""
    assert place(find(spec, SAMPLES), SAMPLES) == expected


def test_an_absolute_path_does_not_depend_on_the_current_directory(tmp_path: Path) -> None:
    """The full path of a file finds it from anywhere."""
    agent = find(str(SAMPLES / "absolute" / "player.py"), tmp_path)
    assert agent.path == SAMPLES / "absolute" / "player.py"
    assert (agent.spec, agent.class_name, agent.kind) == (str(agent.path), "Player", "player")


def test_a_plain_module_is_looked_up_in_the_current_directory(tmp_path: Path) -> None:
    """`greedy-agent-5` is `greedy-agent-5.py` there, as for the published referee."""
    write(tmp_path / "greedy-agent-5.py")
    assert place(find("greedy-agent-5", tmp_path), tmp_path) == (
        "greedy-agent-5",
        "greedy-agent-5.py",
        ".",
        "greedy-agent-5",
    )


def test_a_file_name_with_dots_is_imported_under_a_plain_name(tmp_path: Path) -> None:
    """The dots of `bot.v2.py` are not taken for packages."""
    write(tmp_path / "bot.v2.py")
    assert find("bot.v2", tmp_path).module == "bot_v2"


def test_an_agent_is_never_imported_as_main(tmp_path: Path) -> None:
    """`__main__.py` gets another module name, so that what is for the command line does not run."""
    write(tmp_path / "__main__.py")
    assert find("__main__.py", tmp_path).module == "main_"


def test_a_class_may_be_named_after_a_colon(tmp_path: Path) -> None:
    """`file.py:Bot` and `module:Bot` mean the class Bot, and the name for people shows it."""
    write(tmp_path / "mine.py")
    found = [find(spec, tmp_path) for spec in ("mine.py:Bot", "mine:Bot", str(tmp_path / "mine.py") + ":Bot")]
    assert [(agent.class_name, agent.name) for agent in found] == [("Bot", "mine:Bot")] * 3


@pytest.mark.parametrize("spec", ["C:\\x.py", "C:/x.py", "C:\\teams\\x.py"])
def test_a_windows_drive_is_not_taken_for_a_class(spec: str, tmp_path: Path) -> None:
    """The colon of `C:\\x.py` does not split the spec: the whole of it is reported as not found."""
    with pytest.raises(AgentNotFound) as error:
        find(spec, tmp_path)
    assert repr(spec) in str(error.value)


def test_a_windows_path_with_a_class_is_split_at_the_last_colon(tmp_path: Path) -> None:
    """`C:\\x.py:Bot` looks for the file `C:\\x.py`."""
    with pytest.raises(AgentNotFound, match=r"no agent 'C:\\\\x\.py'"):
        find("C:\\x.py:Bot", tmp_path)


def test_a_path_wins_over_a_module_and_a_module_over_a_bundled_agent(tmp_path: Path) -> None:
    """A user's own `random.py` is taken before the bundled random player, an existing path before both."""
    assert find("random", tmp_path).path == bundled()["random"]
    module = write(tmp_path / "random.py")
    assert find("random", tmp_path).path == module
    package = write(tmp_path / "random" / "__init__.py")
    assert find("random", tmp_path).path == package


def test_a_module_wins_over_a_folder_that_is_no_package(tmp_path: Path) -> None:
    """As in an import, `team` is `team.py` when the folder `team` has no `__init__.py`."""
    module = write(tmp_path / "team.py")
    write(tmp_path / "team" / "player.py")
    assert find("team", tmp_path).path == module
    assert find("team/", tmp_path).path == tmp_path / "team" / "player.py"


def test_a_folder_without_a_player_does_not_hide_a_bundled_agent(tmp_path: Path) -> None:
    """`minimax` is the bundled agent although a folder of that name lies about."""
    (tmp_path / "minimax").mkdir()
    assert find("minimax", tmp_path).path == bundled()["minimax"]


def test_installed_packages_and_the_standard_library_are_no_agents(tmp_path: Path) -> None:
    """`json` and `pytest` can be imported, but are not found as agents."""
    for spec in ("json", "json.decoder", "pytest"):
        with pytest.raises(AgentNotFound):
            find(spec, tmp_path)


def test_bundled_agents_are_found_by_every_name_they_go_by(tmp_path: Path) -> None:
    """`random`, `players.random` and the path of its file are one agent with one name and one fingerprint."""
    specs = ("random", "players.random", "players.random_player", str(bundled()["random"]))
    found = [find(spec, tmp_path) for spec in specs]
    assert {(agent.name, agent.path, agent.module, agent.fingerprint) for agent in found} == {
        ("random", bundled()["random"], "random_player", found[0].fingerprint)
    }


def test_a_player_of_ones_own_wins_over_the_bundled_folder(tmp_path: Path) -> None:
    """`players.random` is the module in the current directory if there is one."""
    own = write(tmp_path / "players" / "random.py")
    assert find("players.random", tmp_path).path == own


def test_only_the_bundled_human_is_a_person(tmp_path: Path) -> None:
    """A user's own `human.py` is a program like any other."""
    assert find("human", tmp_path).kind == "person"
    write(tmp_path / "human.py")
    assert find("human", tmp_path).kind == "player"


def test_the_ladder_has_its_rungs() -> None:
    """The bundled agents go by bare names."""
    assert {"random", "greedy", "minimax", "human"} <= set(bundled())


@pytest.mark.parametrize(
    ("files", "spec", "expected"),
    [
        pytest.param({}, "", "names no agent", id="empty"),
        pytest.param({}, ":Bot", "names no agent", id="only-a-class"),
        pytest.param({}, "a\0b", "names no agent", id="null-character"),
        pytest.param({"bot.py": PLAYER}, "bot.py:", "the name of a class comes after the colon", id="empty-class"),
        pytest.param({"bot.py": PLAYER}, "bot.py:my bot", "the name of a class comes after the colon", id="bad-class"),
        pytest.param({"notes.txt": ""}, "notes.txt", "is not a Python file", id="not-python"),
        pytest.param({"white.py": PLAYER}, "whte", "did you mean white?", id="near-module"),
        pytest.param({"white.py": PLAYER}, "whte.py", "did you mean white.py?", id="near-file"),
        pytest.param({"Board.py": PLAYER}, "board.py", "did you mean Board.py?", id="case"),
        pytest.param({"teams/alpha.py": PLAYER}, "teams/alfa.py", "did you mean teams/alpha.py?", id="near-in-folder"),
        pytest.param({"teams/alpha.py": PLAYER}, "teams/alfa.py:Bot", "did you mean teams/alpha.py?", id="near-class"),
        pytest.param({}, "minmax", "did you mean minimax?", id="near-bundled"),
        pytest.param({}, "xyzzy", "the bundled agents are cautious, greedy", id="nothing-near"),
        pytest.param({"bot.py": PLAYER}, "bot.Player", "did you mean bot:Player?", id="class-after-a-dot"),
        pytest.param(
            {"team/readme.md": ""}, "team", "no file in it defines a class Player (no .py files)", id="empty-folder"
        ),
        pytest.param(
            {"team/a.py": "x = 1"}, "team", "defines a class Player (looked in a.py)", id="folder-without-player"
        ),
        pytest.param(
            {"team/a.py": PLAYER, "team/b.py": PLAYER},
            "team",
            "several files with a class Player: name one of a.py, b.py",
            id="folder-with-two",
        ),
        pytest.param({"team/a.py": PLAYER}, "team:Bot", "no file in it defines a class Bot", id="folder-without-class"),
    ],
)
def test_a_spec_that_finds_nothing_gets_one_line_of_help(
    files: dict[str, str], spec: str, expected: str, tmp_path: Path
) -> None:
    """The message says what was looked for and what is near, in one line."""
    for name, text in files.items():
        write(tmp_path / name, text)
    with pytest.raises(AgentNotFound) as error:
        find(spec, tmp_path)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is readable for this user")
def test_a_file_that_cannot_be_read_is_reported_as_such(tmp_path: Path) -> None:
    """Missing permission is not reported as a missing file."""
    write(tmp_path / "secret.py").chmod(0)
    with pytest.raises(AgentNotFound, match="cannot be read"):
        find("secret.py", tmp_path)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"__init__.py": "from .bot import Player", "player.py": PLAYER}, "__init__.py", id="package"),
        pytest.param({"__init__.py": "", "player.py": PLAYER}, "player.py", id="package-without-player"),
        pytest.param({"main.py": PLAYER, "bot.py": PLAYER}, "main.py", id="usual-name"),
        pytest.param({"player.py": "import x", "team.py": PLAYER}, "team.py", id="name-of-the-folder"),
        pytest.param(
            {"player.py": "x = (" + PLAYER, "bot.py": PLAYER}, "player.py", id="syntax-error-is-found-and-told-later"
        ),
        pytest.param({"bot.py": "x = (" + PLAYER, "real.py": PLAYER}, "real.py", id="syntax-error-elsewhere"),
        pytest.param({"main.py": "from bot import Player", "bot.py": PLAYER}, "main.py", id="imported-name"),
        pytest.param({"main.py": "from bot import *", "bot.py": PLAYER}, "main.py", id="everything-imported"),
        pytest.param(
            {"bot.py": "try:\n    import numpy\nexcept ImportError:\n    pass\nelse:\n    class Player: ..."},
            "bot.py",
            id="in-a-block",
        ),
        pytest.param(
            {"bot.py": "class Bot: ...\nPlayer = Bot", "util.py": "from bot import Player"}, "bot.py", id="assigned"
        ),
    ],
)
def test_a_folder_is_searched_for_the_file_that_defines_the_class(
    files: dict[str, str], expected: str, tmp_path: Path
) -> None:
    """The package itself comes first, then the usual names, then the only file that defines the class."""
    for name, text in files.items():
        write(tmp_path / "team" / name, text)
    assert find("team", tmp_path).path.name == expected


def test_nothing_of_an_agent_is_executed(tmp_path: Path) -> None:
    """Finding an agent does not run its code or its package's."""
    write(tmp_path / "team" / "__init__.py", "raise RuntimeError")
    write(tmp_path / "team" / "player.py", "raise RuntimeError" + PLAYER)
    assert [find(spec, tmp_path).path.name for spec in ("team", "team.player", "team/player.py")] == ["player.py"] * 3


def test_a_fingerprint_changes_with_the_sources_and_data_of_an_agent_only(tmp_path: Path) -> None:
    """Siblings, packages below and data beside the file count; caches, environments and records do not."""
    write(tmp_path / "bot.py")

    def changed_by(name: str) -> bool:
        before = find("bot", tmp_path).fingerprint
        write(tmp_path / name, "x = 1")
        return find("bot", tmp_path).fingerprint != before

    for name in ("board.py", "search/deep/tree.py", "book.json"):
        assert changed_by(name), name
    write(tmp_path / "venv" / "pyvenv.cfg", "")
    ignored = ("match.jsonl", "store.sqlite", ".hidden/a.py", ".hidden.py", "__pycache__/bot.pyc", "search/data.json")
    for name in (*ignored, "venv/lib/a.py", "lib/site-packages/a.py", "node_modules/a.py", "board.py~"):
        assert not changed_by(name), name


def test_equal_sources_have_equal_fingerprints_wherever_they_are(tmp_path: Path) -> None:
    """A copy in another folder, named in another way, is the same agent to a record."""
    for folder in ("one", "two"):
        write(tmp_path / folder / "bot.py")
        write(tmp_path / folder / "board.py", "SIZE = 8")
    found = [find(spec, tmp_path).fingerprint for spec in ("one/bot.py", "two.bot", "two")]
    assert len(set(found)) == 1
    assert len(found[0]) == 64


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ({"bot.py": "import os, random as r\nfrom collections import deque"}, False),
        ({"bot.py": "from watch_your_back.search import Follower"}, False),
        (
            {"bot.py": "import board\nfrom .. import x\nfrom lib.deep import y", "board.py": "", "lib/deep.py": ""},
            False,
        ),
        ({"bot.py": "# a comment on torch\nimporter = 1"}, False),
        ({"bot.py": "def f():\n    import os, numpy.linalg as la"}, True),
        ({"bot.py": "importlib.import_module('numpy')"}, True),
        ({"bot.py": "import board", "board.py": "from numpy import *"}, True),
        ({"bot.py": "import os, torch"}, True),
        ({"bot.py": "    from scipy.signal import convolve2d"}, True),
        ({"bot.py": "from elsewhere import x"}, True),
        ({"bot.py": "import os; import torch"}, True),
        ({"bot.py": "try: import torch\nexcept ImportError: pass"}, True),
        ({"bot.py": "import os, \\\n    torch"}, True),
        ({"bot.py": "exec('import torch')"}, True),
        ({"bot.py": "__import__('to' + 'rch')"}, True),
        ({"bot.py": "\ufeffimport torch"}, True),
    ],
)
def test_what_may_import_numpy_is_known_beforehand(tmp_path: Path, sources: dict[str, str], expected: bool) -> None:
    """NumPy's own name, or any package that may need it; not Python's library, nor what is the agent's own."""
    for name, source in {**sources, "bot.py": f"{sources['bot.py']}\nclass Player: ..."}.items():
        (tmp_path / "bot" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "bot" / name).write_text(source, encoding="utf-8")
    assert find("bot/bot.py", tmp_path).numpy == expected


@pytest.mark.parametrize(("bound", "most"), [("MAX_FILES", 1), ("MAX_BYTES", 50), ("MAX_ENTRIES", 2)])
def test_a_huge_folder_does_not_make_the_fingerprint_slow(
    bound: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above the bounds only the Python files beside the agent count."""
    write(tmp_path / "bot.py")
    write(tmp_path / "below" / "a.py", "x = 1")
    monkeypatch.setattr(f"watch_your_back.sources.{bound}", most)
    before = find("bot", tmp_path).fingerprint
    write(tmp_path / "below" / "a.py", "x = 2")
    assert find("bot", tmp_path).fingerprint == before
    write(tmp_path / "board.py", "x = 1")
    assert find("bot", tmp_path).fingerprint != before


def test_a_bundled_agent_is_found_whatever_is_called_so_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For what the package itself lets play; a spec means what is here first."""
    (tmp_path / "greedy.py").write_text("class Player: ...")
    monkeypatch.chdir(tmp_path)
    assert find_bundled("greedy").path == bundled()["greedy"]
    assert find_bundled("greedy").spec == "greedy"
    assert find_bundled("human").kind == "person"
    assert find("greedy").path == tmp_path / "greedy.py"

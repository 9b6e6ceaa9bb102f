"""Agents are imported, each in a process of its own, as their authors laid them out."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from watch_your_back.agents import find
from watch_your_back.confine.importing import (
    ImportFault,
    MissingMethod,
    NoSuchClass,
    NotAClass,
    WrongSignature,
    hint,
    import_beside,
    import_player,
    player_arguments,
)

REPOSITORY = Path(__file__).resolve().parents[1]
SAMPLES = REPOSITORY / "tests" / "agents"

# Imports the agent and makes a player where nothing but the root, Python and its packages may be listed or opened.
CHILD = """
import json, os, random, sys
path, root, module, class_name, ours = sys.argv[1:]
from watch_your_back.confine.importing import hint, import_player
allowed = (root, sys.prefix, sys.base_prefix, sys.exec_prefix, ours, "/proc", "/sys", "/dev")

def only_the_root(event, arguments):
    if event in ("open", "os.listdir", "os.scandir"):
        place = arguments[0] if isinstance(arguments[0], str) else ""
        if os.path.isabs(place) and not place.startswith(allowed):
            raise PermissionError(13, "denied", place)

os.chdir(root)
sys.addaudithook(only_the_root)
try:
    cls = import_player(path, root, module, class_name)
    player = cls("white")
    print(json.dumps({"size": getattr(player, "size", None), "module": cls.__module__, "action": player.action(0)}))
except BaseException as error:
    print(json.dumps({"error": type(error).__name__, "message": str(error), "hint": hint(error)}))
"""


def run(spec: str, cwd: Path) -> dict[str, object]:
    """What became of importing the agent `spec` in a process of its own and asking it for its first action."""
    agent = find(spec, cwd)
    ours = str(REPOSITORY / "watch_your_back")
    arguments = [str(agent.path), str(agent.root), agent.module, agent.class_name, ours]
    done = subprocess.run(
        [sys.executable, "-P", "-B", "-c", CHILD, *arguments],
        env={"PYTHONPATH": str(REPOSITORY), "PATH": "", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


PLAYER = """
class Player:
    def __init__(self, colour): ...
    def action(self, turns): ...
    def update(self, action): ...
"""


@pytest.mark.parametrize(
    ("spec", "size"),
    [
        pytest.param("absolute/player.py", 8, id="absolute-sibling"),
        pytest.param("other/player.py", "the other board", id="sibling-of-the-same-name"),
        pytest.param("absolute.player", 8, id="absolute-sibling-of-a-dotted-module"),
        pytest.param("relative/player.py", 9, id="relative-sibling"),
        pytest.param("relative", 9, id="package"),
        pytest.param("relative/deep/searcher.py", [9, 3, True], id="relative-to-the-package-above"),
        pytest.param("relative.deep.searcher", [9, 3, True], id="dotted-and-relative"),
        pytest.param("own_package/player.py", 10, id="through-the-name-of-its-folder"),
        pytest.param("shadow/player.py", "the student's own", id="a-watch_your_back-of-its-own"),
        pytest.param("data/reader.py", [[3, 4], "plays first"], id="data-files"),
    ],
)
def test_players_of_every_layout_are_imported(spec: str, size: object) -> None:
    """Absolute, relative and package imports and data files work with nothing but the agent's root readable."""
    assert run(spec, SAMPLES).get("size") == size


def test_a_project_of_packages_is_imported_from_its_own_folder() -> None:
    """A dotted module sees its siblings, the current directory and its packages, absolutely and relatively."""
    expected = ["beside", "setting", "beside", "tool", "tooler"]
    assert run("players.abplayer", SAMPLES / "project")["size"] == expected


def test_names_that_are_no_identifiers_are_imported() -> None:
    """`Part B/greedy-agent-5.py` works as a path and as a module, with NumPy's names all over it."""
    for spec in ("Part B/greedy-agent-5.py", "Part B.greedy-agent-5"):
        assert run(spec, SAMPLES)["action"] == [0, 0]


def test_our_own_package_is_kept_where_the_agent_has_none(tmp_path: Path) -> None:
    """A player may use the rules through `watch_your_back.game`, also from a copy of the repository."""
    write(tmp_path / "bot.py", "from watch_your_back.game import normal_form" + PLAYER)
    assert "error" not in run("bot.py", tmp_path)


def test_an_agent_with_the_name_of_a_standard_module_leaves_that_one_alone(tmp_path: Path) -> None:
    """A player in `random.py` can still use the standard `random`, which a player's process has from the start."""
    write(
        tmp_path / "random.py", "import random" + PLAYER.replace("turns): ...", "turns): return random.randint(2, 2)")
    )
    assert run("random.py", tmp_path)["action"] == 2


def test_classes_of_an_agent_can_be_pickled_and_typed(tmp_path: Path) -> None:
    """Modules are registered before they run, as pickle and dataclasses need."""
    text = """
import copy, pickle
from dataclasses import dataclass
from typing import get_type_hints

@dataclass
class Move:
    to: "tuple"

class Player:
    def __init__(self, colour): ...
    def action(self, turns):
        assert get_type_hints(Move) == {"to": tuple}
        return pickle.loads(pickle.dumps(copy.deepcopy(Move((1, 2))))).to
    def update(self, action): ...
"""
    write(tmp_path / "my-bot.py", text)
    assert run("my-bot.py", tmp_path)["action"] == [1, 2]


@pytest.mark.parametrize(
    ("files", "error", "expected"),
    [
        pytest.param({"bot.py": "import Board"}, "ModuleNotFoundError", "is neither next to the player", id="missing"),
        pytest.param(
            {"bot.py": "import board", "Board.py": ""}, "ModuleNotFoundError", "There is Board.py: upper", id="case"
        ),
        pytest.param({"bot.py": "import a.b", "a.py": ""}, "ModuleNotFoundError", "a is a single file", id="package"),
        pytest.param({"bot.py": "import a", "a.py": "from .b import c"}, "ImportError", "without the dot", id="plain"),
        pytest.param(
            {"bot.py": "__import__('x', {'__package__': 'bot'}, level=2)"}, "ImportError", "dotted module", id="beyond"
        ),
        pytest.param({"bot.py": "open('book.json')"}, "FileNotFoundError", "current directory", id="missing-data"),
        pytest.param(
            {"bot.py": "open('data/book.json')", "book.json": ""}, "FileNotFoundError", "book.json is next", id="moved"
        ),
        pytest.param({"bot.py": "raise EOFError"}, "EOFError", "no keyboard", id="keyboard"),
        pytest.param({"bot.py": "open('/root/x', 'w')"}, "PermissionError", "tempfile.gettempdir()", id="denied"),
        pytest.param({"bot.py": "raise PermissionError(1, 'no')"}, "PermissionError", "no processes", id="system-call"),
        pytest.param({"bot.py": "import numpy\nnumpy.int"}, "AttributeError", "write int instead", id="numpy-1.24"),
        pytest.param({"bot.py": "import numpy\nnumpy.Inf"}, "AttributeError", "write np.inf instead", id="numpy-2"),
        pytest.param(
            {"bot.py": "from numpy import float_"}, "ImportError", "write np.float64 instead", id="from-numpy"
        ),
        pytest.param({"bot.py": "import time\ntime.clock()"}, "AttributeError", "write time.process_time", id="python"),
        pytest.param(
            {"bot.py": "import random\nrandom.mine", "random.py": ""},
            "AttributeError",
            "random.py is also the name of a module of the standard library",
            id="hidden-by-the-standard-library",
        ),
        pytest.param({"bot.py": "import sys\nsys.exit()"}, "SystemExit", "must not end its process", id="exit"),
        pytest.param({"bot.py": "f = lambda: f()\nf()"}, "RecursionError", "recursion that never", id="recursion"),
        pytest.param({"bot.py": "x = ("}, "SyntaxError", "", id="syntax"),
        pytest.param({"bot.py": "1 / 0"}, "ZeroDivisionError", "", id="other"),
    ],
)
def test_errors_of_an_agent_come_through_with_a_hint_for_common_mistakes(
    files: dict[str, str], error: str, expected: str, tmp_path: Path
) -> None:
    """The agent's own exception is not touched; where its cause is a common one, a sentence says how to mend it."""
    for name, text in files.items():
        write(tmp_path / name, text)
    result = run("bot.py", tmp_path)
    assert result["error"] == error
    assert expected in str(result["hint"]) if expected else result["hint"] == ""


@pytest.mark.parametrize(
    ("text", "error", "expected"),
    [
        pytest.param("x = 1", NoSuchClass, "bot.py has no class Player, nor any other", id="nothing"),
        pytest.param("class Board: ...", NoSuchClass, "its classes are Board", id="other-class"),
        pytest.param("class player: ...", NoSuchClass, "did you mean player?", id="case"),
        pytest.param("class Playr: ...", NoSuchClass, "did you mean Playr?", id="typing-error"),
        pytest.param(PLAYER.replace("Player", "Bot"), NoSuchClass, "name it after a colon, as in :Bot", id="fit-class"),
        pytest.param("def Player(colour): ...", NotAClass, "Player is a function, not a class", id="function"),
        pytest.param("Player = 3", NotAClass, "Player is an object of type int", id="object"),
        pytest.param(PLAYER.replace("action(", "actions("), MissingMethod, "has actions: rename it", id="actions"),
        pytest.param(PLAYER.replace("def update", "def tell"), MissingMethod, "has no method update", id="no-update"),
        pytest.param(PLAYER + "    action = 3", MissingMethod, "Player.action is not a method", id="not-callable"),
        pytest.param(
            PLAYER.replace("colour", "colour, depth"),
            WrongSignature,
            "Player.__init__ needs 2 arguments (colour, depth) besides self; the referee passes one, the colour",
            id="constructor-with-two",
        ),
        pytest.param(
            PLAYER.replace(", colour", ""),
            WrongSignature,
            "Player.__init__ takes no argument",
            id="constructor-without",
        ),
        pytest.param(
            PLAYER.replace("def __init__(self, colour): ...", ""),
            WrongSignature,
            "Player.__init__ takes no argument",
            id="no-constructor",
        ),
        pytest.param(
            PLAYER.replace(", turns", ""), WrongSignature, "Player.action takes no argument", id="action-without"
        ),
        pytest.param(
            PLAYER.replace("self, action", "self, colour, action"),
            WrongSignature,
            "Player.update needs 2 arguments (colour, action) besides self",
            id="update-with-two",
        ),
    ],
)
def test_a_class_that_cannot_be_played_is_refused_with_its_reason(
    text: str, error: type[ImportFault], expected: str, tmp_path: Path
) -> None:
    """What is missing or does not fit is named, with what is there instead."""
    write(tmp_path / "bot.py", text)
    result = run("bot.py", tmp_path)
    assert result["error"] == error.__name__
    assert expected in str(result["message"])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("colour, depth=3", id="default"),
        pytest.param("*args, **kwargs", id="anything"),
        pytest.param("colour, game, *, seed", id="optional-arguments-of-the-referee"),
    ],
)
def test_constructors_that_can_take_the_colour_are_accepted(text: str, tmp_path: Path) -> None:
    """Defaults, collecting parameters and the referee's own optional ones are no fault."""
    path = write(tmp_path / "bot.py", PLAYER.replace("self, colour", f"self, {text}"))
    before = sys.path[:], sys.meta_path[:]
    try:
        assert import_player(str(path), str(tmp_path), f"bot_{abs(hash(text))}", "Player").__name__ == "Player"
    finally:
        sys.path[:], sys.meta_path[:] = before


def test_two_agents_in_one_process_get_their_own_siblings() -> None:
    """Also when debugging, without processes, nobody gets the other one's `board`."""
    before = sys.path[:], sys.meta_path[:]
    try:
        sizes = []
        for name in ("absolute", "other", "absolute"):
            agent = find(name, SAMPLES)
            player = import_beside(str(agent.path), str(agent.root), agent.module, agent.class_name)
            sizes.append(player("white").size)
    finally:
        sys.path[:], sys.meta_path[:] = before
    assert sizes == [8, "the other board", 8]


def test_methods_may_be_static_or_inherited(tmp_path: Path) -> None:
    """Static and class methods and those of a base class count."""
    text = """
class Base:
    def __init__(self, colour): ...
    @staticmethod
    def action(turns): return 7
class Player(Base):
    @classmethod
    def update(cls, action): ...
"""
    write(tmp_path / "bot.py", text)
    assert run("bot.py", tmp_path)["action"] == 7


def test_only_the_optional_arguments_that_a_constructor_names_are_passed() -> None:
    """The first parameter is the colour whatever it is called, and `**kwargs` names nothing."""
    available = {"game": "go", "options": {}, "limits": None, "seed": 1}

    class Some:
        def __init__(self, colour: str, seed: int, *, game: str = "", other: int = 0) -> None: ...

    class First:
        def __init__(self, game: str, options: object = None) -> None: ...

    class Rest:
        def __init__(self, colour: str, **kwargs: object) -> None: ...

    assert player_arguments(Some, available) == {"game": "go", "seed": 1}
    assert player_arguments(Some, {"seed": 2}) == {"seed": 2}
    assert player_arguments(First, available) == {"options": {}}
    assert player_arguments(Rest, available) == {}


def test_a_forfeit_that_a_player_did_not_expect_is_explained() -> None:
    """An error below `update(None)` says what None means."""

    class Player:
        def update(self, action):  # type: ignore[no-untyped-def]
            self.note(action)

        def note(self, action):  # type: ignore[no-untyped-def]
            return action[0]

    with pytest.raises(TypeError) as error:
        Player().update(None)
    assert "the opponent had no legal move" in hint(error.value)
    with pytest.raises(TypeError) as error:
        Player().update(3)
    assert hint(error.value) == ""


def test_calls_that_do_not_fit_are_explained() -> None:
    """A constructor that is called with what it does not take, and a choice among nothing, get a sentence."""

    class Player:
        def __init__(self): ...  # type: ignore[no-untyped-def]

    with pytest.raises(TypeError) as error:
        Player("white")  # type: ignore[call-arg]
    assert "def __init__(self, colour)" in hint(error.value)
    for mistake in ("[].pop", "__import__('random').choice", "__import__('random').randrange"):
        with pytest.raises((IndexError, ValueError)) as failure:
            eval(mistake)(*([] if mistake == "[].pop" else [0] if "range" in mistake else [[]]))
        assert ("no legal move" in hint(failure.value)) == (mistake != "[].pop")


def test_a_hostile_error_gets_no_hint() -> None:
    """An exception whose attributes fail does no harm."""

    class Hostile(ImportError):
        def __str__(self) -> str:
            raise RuntimeError

    assert hint(Hostile()) == ""

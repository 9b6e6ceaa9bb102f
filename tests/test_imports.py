"""Who may import whom: dependencies between the parts of the package go one way."""

import ast
from functools import cache
from pathlib import Path

from cases import for_each

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "watch_your_back"

MAY_IMPORT = {
    "__init__": "game agents confine match api",  # when a name is first asked for
    "__main__": "cli",
    "form": "",
    "picture": "form",
    "options": "",
    "game": "form picture options catalogue display",  # the last two only inside functions
    "games": "game",
    "catalogue": "game games",
    "option_files": "game",
    "statistics": "",
    "show": "game",
    "search": "game",
    "players": "game search show",
    "sources": "",
    "agents": "game sources",
    "confine": "game sources agents",
    "match": "game agents confine display",  # the last one only inside functions
    "display": "game match show report",  # only inside functions: what draws the values that show themselves by it
    "diagnosis": "game agents confine match",
    "testing": "game agents confine match diagnosis",
    "bridges": "game games agents confine match search show",
    "tournament": "game option_files agents sources confine match diagnosis statistics",
    "report": "game confine match show statistics tournament",
    "api": "game agents confine match show statistics tournament report",
    "web": "game form options sources agents confine match show statistics tournament report",
    "cli": "game games options option_files statistics show search agents sources confine match diagnosis testing "
    "bridges tournament report web",
}
"""Each part of the package and the other parts that it may import; CONTRIBUTING.md shows the same table."""

ONLY_IN_FUNCTIONS = ("catalogue", "display")
"""Parts that stand above some of those which import them."""

FILES = sorted([*PACKAGE.rglob("*.py"), *(ROOT / "players").glob("*.py")])


def part_of(module: str) -> str:
    """The part of the package that a dotted module name belongs to."""
    return [*module.split("."), "__init__"][1]


def module_of(file: Path) -> str:
    """The dotted name under which a file is installed."""
    names = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(("watch_your_back", *names) if names[0] == "players" else names)


@cache
def parsed(file: Path) -> ast.Module:
    """A file as Python reads it."""
    return ast.parse(file.read_text(encoding="utf-8"))


def imported(file: Path) -> set[str]:
    """The parts of the package that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(parsed(file)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= imported_by(node, file)
    return found


def imported_by(node: ast.Import | ast.ImportFrom, file: Path) -> set[str]:
    """The parts of the package that a statement imports."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        assert node.level == 0, f"{file}:{node.lineno}: imports within the package are absolute"
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    found = {part_of(name) for name in names if name.split(".")[0] == "watch_your_back"}
    return found & MAY_IMPORT.keys() | {part for part in found if (PACKAGE / part).is_dir()}


@for_each(lambda: FILES)
def test_a_module_imports_only_what_its_part_of_the_package_may(file):
    """The table is kept, in functions too, and every part of the package is in it."""
    part = part_of(module_of(file))
    assert part in MAY_IMPORT, f"decide what {part} may import"
    allowed = {part, "__init__", *MAY_IMPORT[part].split()}
    assert imported(file) <= allowed, f"{part} must not import {', '.join(imported(file) - allowed)}"


def test_the_table_is_without_circles():
    """Apart from what is imported only inside functions, a part is listed after all that it imports."""
    seen = set(ONLY_IN_FUNCTIONS)
    for part, others in MAY_IMPORT.items():
        if part not in ("__init__", "__main__", "display"):
            assert set(others.split()) <= seen
        seen.add(part)


@for_each(lambda: FILES)
def test_what_would_be_a_circle_is_imported_only_when_it_is_needed(file):
    """What looks games up and what draws values is imported inside functions, and so is all that they need."""
    part = part_of(module_of(file))
    found = set()
    for node in parsed(file).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= imported_by(node, file)
    if part in ("__init__", "display"):
        assert not found
    if part not in ONLY_IN_FUNCTIONS:
        assert not found & set(ONLY_IN_FUNCTIONS)


def test_click_is_only_for_the_command_line():
    """Nothing else talks to people, so nothing else needs a library for it."""
    users = [file for file in FILES if "import click" in file.read_text(encoding="utf-8")]
    assert {part_of(module_of(file)) for file in users} <= {"cli"}

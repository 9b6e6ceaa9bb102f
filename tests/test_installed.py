"""The package as it is installed: what is in the wheel and in the source distribution, and that it works."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
IGNORED = (".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The wheel and the source distribution, built from a copy so that nothing is left in the tree."""
    directory = tmp_path_factory.mktemp("build")
    source = shutil.copytree(ROOT, directory / "source", ignore=shutil.ignore_patterns(*IGNORED))
    script = (
        "import sys; from setuptools import build_meta; where = sys.argv[1]; "
        "build_meta.build_sdist(where); build_meta.build_wheel(where)"
    )
    subprocess.run(
        [sys.executable, "-c", script, str(directory)], cwd=source, check=True, capture_output=True, timeout=300
    )
    return next(directory.glob("*.whl")), next(directory.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """A directory with the wheel installed into it."""
    target = tmp_path_factory.mktemp("installed")
    options = ["--no-deps", "--no-index", "--quiet", "--disable-pip-version-check", "--target", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(built[0])], check=True, timeout=300)
    return target


def modules(root, folder):
    """The Python files below a folder, as they are named in the wheel."""
    return {path.relative_to(root).as_posix() for path in (root / folder).rglob("*.py")}


def test_the_wheel_has_the_package_the_ladder_and_nothing_else(built):
    """Every module is in it, the ladder as `watch_your_back.players`, and no other top-level name."""
    names = set(zipfile.ZipFile(built[0]).namelist())
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"watch_your_back"}
    ladder = {f"watch_your_back/{name}" for name in modules(ROOT, "players")}
    assert {name for name in names if name.endswith(".py")} == modules(ROOT, "watch_your_back") | ladder
    assert {"watch_your_back/py.typed", "watch_your_back/match/record.schema.json"} <= names
    pages = {
        path.name for path in (ROOT / "watch_your_back" / "report").iterdir() if path.suffix in (".html", ".css", ".js")
    }
    assert {f"watch_your_back/report/{name}" for name in pages} <= names
    static = {path.name for path in (ROOT / "watch_your_back" / "web" / "static").iterdir()}
    assert {f"watch_your_back/web/static/{name}" for name in static} <= names


def test_the_source_distribution_can_be_built_from(built):
    """It has the configuration, the license and all that goes into the wheel."""
    with tarfile.open(built[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"setup.py", "setup.cfg", "pyproject.toml", "README.md", "LICENSE"} <= names
    assert modules(ROOT, "watch_your_back") | modules(ROOT, "players") <= names


def test_the_installed_command_plays_a_match(installed, tmp_path):
    """From anywhere, without the clone, with the bundled agents found by their bare names."""
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(installed), "LANG": "C.UTF-8"}
    command = [sys.executable, str(installed / "bin" / "wyb"), "play", "-q", "greedy", "random"]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout in ("winner: W!\n", "winner: B!\n", "winner: draw!\n")


@pytest.mark.parametrize("name", ["wyb", "watch-your-back"])
def test_both_names_of_the_command_are_installed(installed, name, tmp_path):
    """The short and the long name are the same command."""
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(installed)}
    ended = subprocess.run(
        [sys.executable, str(installed / "bin" / name), "--help"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ended.stdout.startswith(f"Usage: {name} [OPTIONS] COMMAND")


def test_python_finds_types_and_version(installed, tmp_path):
    """The metadata has the version of the package."""
    script = "import importlib.metadata as m, watch_your_back as w; print(m.version('watch-your-back'), w.__version__)"
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(installed)}
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )
    first, second = ended.stdout.split()
    assert first == second

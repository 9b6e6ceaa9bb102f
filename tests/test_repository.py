"""The documents: every command in them works, and what they show is what there is."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from gtp_programs import GNUGO, WITHOUT_GNUGO

from watch_your_back.cli import COMMANDS

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
SETTING_UP = "$ python3 -m venv .venv && "
APART = re.compile(r"^(?!wyb )|[|]|^wyb debug|^wyb play .*human")
"""Commands that need a shell, another process in their place or a keyboard that nobody is at."""


def commands(document):
    """The commands in a document: the lines of its console blocks that begin with a dollar sign."""
    blocks = re.findall(r"```console\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines() if line.startswith("$ ")]


def shell(directory):
    """Where a reader would type the commands: a directory with the files that they name, and `wyb` on the path.

    What `pip install` installs, without an index, is for this directory only.
    """
    programs, packages = directory / "bin", directory / "packages"
    programs.mkdir()
    install = (
        f"--no-index --no-deps --no-build-isolation --disable-pip-version-check --target {shlex.quote(str(packages))}"
    )
    for name, arguments in {
        "wyb": '-m watch_your_back "$@"',
        "watch-your-back": '-m watch_your_back "$@"',
        "pip": f'-m pip "$@" {install}',
    }.items():
        (programs / name).write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} {arguments}\n")
        (programs / name).chmod(0o755)
    (programs / "python").symlink_to(sys.executable)
    (directory / "referee.py").symlink_to(ROOT / "referee.py")
    shutil.copytree(ROOT / "examples", directory / "examples", ignore=shutil.ignore_patterns("__pycache__", "build"))
    return {
        "PATH": f"{programs}:/usr/bin:/bin:{Path(GNUGO or sys.executable).parent}",
        "PYTHONPATH": f"{ROOT}:{packages}",
        "LANG": "C.UTF-8",
    }


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_in_a_document_works(document, tmp_path, monkeypatch, wyb, kept_workers, kept_zygotes):
    """In order, as a reader would type them, each with exit code 0; setting up is for CI.

    Where nothing is installed `wyb` is carried out here, which saves it its start.
    """
    environment = shell(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", environment["PATH"])
    installs = any(command.startswith("pip ") for command in commands(document))
    for command in commands(document):
        if "gnugo" in command and GNUGO is None:
            pytest.skip(WITHOUT_GNUGO)
        if f"$ {command}".startswith(SETTING_UP):
            continue
        if not installs and not APART.search(command):
            ended = wyb(*shlex.split(command)[1:])
            assert ended.code == 0, f"{command}\n{ended.out}{ended.err}"
            continue
        ended = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        assert ended.returncode == 0, f"{command}\n{ended.stdout}{ended.stderr}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_in_a_document_leads_somewhere(document):
    """Relative links name files that are there."""
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (document.parent / target).exists(), target


def test_the_page_of_the_command_line_names_every_command():
    """Nothing can be done that a reader of the page would not learn of, nor is a command there that is gone."""
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    table = "".join(line for line in text.splitlines() if line.startswith("| `wyb "))
    assert set(re.findall(r"`wyb ([a-z]+)", table)) == set(COMMANDS)


def test_the_first_player_of_the_readme_is_the_example():
    """What a reader copies is what is tested."""
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    assert code[1] == (ROOT / "examples" / "first_player.py").read_text(encoding="utf-8")


def test_the_game_of_the_guide_is_the_example():
    """The code that the guide shows is in the package that it installs."""
    folder = ROOT / "examples" / "noughts_and_crosses"
    example = "\n".join(
        (folder / name).read_text(encoding="utf-8") for name in ("noughts_and_crosses.py", "pyproject.toml")
    )
    guide = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    shown = re.findall(r"```(?:python|toml)\n(.*?)```", guide, re.DOTALL)
    assert len(shown) == 3
    assert [code for code in shown if code not in example] == []


def test_ci_runs_the_two_commands_of_the_readme():
    """CI does what a stranger would do, from the same text: a match, and the tests."""
    lines = [line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if SETTING_UP in line]
    assert len(lines) == 2
    assert all(line.startswith(SETTING_UP) for line in lines)
    assert "wyb play" in lines[0]
    assert "pytest" in lines[1]
    assert "README.md" in (ROOT / ".ci" / "run").read_text()


def test_the_table_of_imports_is_the_one_that_is_tested():
    """CONTRIBUTING.md names every part of the package that the test of imports knows."""
    from test_imports import MAY_IMPORT

    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    missing = [part for part in MAY_IMPORT if not part.startswith("_") and f"`{part}`" not in text]
    assert missing == []

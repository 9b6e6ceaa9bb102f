"""External programs on the command line: named like any agent, and told apart from one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gtp_programs import program

pytestmark = pytest.mark.usefixtures("kept_workers", "kept_zygotes")

GO = ("--game", "go", "-o", "size=5")
PASSES = "reply('pass')\ncontinue"


def test_a_program_plays_a_match(tmp_path: Path, wyb: Callable[..., Any]) -> None:
    """Who it is and what its tier means is said on stderr, and the result names the tier of each side."""
    spec = program(tmp_path, genmove=PASSES)
    ended = wyb("play", "--json", *GO, spec, "random")
    assert ended.code == 0
    result = json.loads(ended.out)
    assert result["tier"] == "external"
    assert result["sides"]["black"]["tier"] == "external"
    assert result["sides"]["white"]["tier"] != "external"
    assert result["sides"]["black"]["agent"] == "faker"
    assert f"black: faker ({spec})" in ended.err
    assert "black is Faker 1.2, tier external: a program is not confined, but measured, limited" in ended.err


def test_a_program_that_speaks_gtp_plays_nothing_but_go(tmp_path: Path, wyb: Callable[..., Any]) -> None:
    """Wrong usage, with the option that is missing."""
    for command in (("play",), ("compare", "-n", "2")):
        ended = wyb(*command, program(tmp_path), "random")
        assert ended.code == 2
        assert "faker speaks GTP, so it plays go and not watch_your_back: add --game go" in ended.err


def test_a_program_that_is_not_there_is_wrong_usage(wyb: Callable[..., Any]) -> None:
    """One line, as for any agent."""
    ended = wyb("play", *GO, "gtp:no-such-program", "random")
    assert (ended.code, ended.out) == (2, "")
    assert "there is no program 'no-such-program' on the PATH that can be run" in ended.err


def test_a_required_tier_leaves_programs_out_unless_told_otherwise(tmp_path: Path, wyb: Callable[..., Any]) -> None:
    """With the name of the option that lets them in."""
    spec = program(tmp_path, genmove=PASSES)
    ended = wyb("play", *GO, "--require-tier", "process", spec, "random")
    assert ended.code == 1
    assert "faker is an external program, which is not confined" in ended.err
    assert "--allow-external" in ended.err
    assert wyb("play", "-q", *GO, "--require-tier", "process", "--allow-external", spec, "random").code == 0


def test_programs_are_compared_like_players(tmp_path: Path, wyb: Callable[..., Any]) -> None:
    """Also after openings; that one of the two is not confined is said with the result."""
    spec = program(tmp_path, genmove=PASSES)
    ended = wyb("compare", *GO, "-n", "2", "-j", "1", "--openings", "4", spec, program(tmp_path, name="other"))
    assert ended.code == 0, ended.err
    assert "no method start" not in ended.out
    assert "faker and other are external programs, measured and limited but not confined." in " ".join(
        ended.out.split()
    )


@pytest.mark.parametrize("from_file", [False, True])
def test_programs_play_in_a_tournament(from_file: bool, tmp_path: Path, wyb: Callable[..., Any]) -> None:
    """Named on the command line or in a file, tried like any other, played from where they are."""
    spec = program(tmp_path, genmove=PASSES)
    store = tmp_path / "go.db"
    if from_file:
        described = {"agents": {"fake": spec, "chance": "random"}, "game": "go", "options": {"size": 5, "turn_cap": 30}}
        lines = [f"{key} = {_toml(value)}" for key, value in described.items()]
        lines += ["require_tier = 'process'", "allow_external = true"]
        (tmp_path / "go.toml").write_text("\n".join(lines))
        ended = wyb("tournament", "run", "-j", "1", tmp_path / "go.toml")
    else:
        words = (f"fake={spec}", "chance=random", *GO, "-o", "turn_cap=30", "--store", store)
        ended = wyb("tournament", "run", "-j", "1", *words)
    assert ended.code == 0, ended.err
    assert "2 of 2 matches played" in ended.out
    assert "fake" in ended.out
    again = wyb("tournament", "run", "-j", "1", store)
    assert again.out == ended.out


def test_an_unnamed_program_may_have_options_with_equals_signs(tmp_path: Path, wyb: Callable[..., Any]) -> None:
    """What stands before the first one is then no name."""
    spec = program(tmp_path, genmove=PASSES) + " --level=3"
    words = (spec, "random", *GO, "-o", "turn_cap=30", "--store", tmp_path / "go.db")
    ended = wyb("tournament", "run", "-j", "1", *words)
    assert ended.code == 0, ended.err
    assert "faker" in ended.out


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + "}"
    return json.dumps(value)

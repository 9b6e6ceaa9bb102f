"""`wyb doctor`: what the system can do, in plain sentences."""

import functools
import json
import sys

import pytest

import watch_your_back
from watch_your_back.cli import doctor
from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.confine.tiers import MEANING, TIERS


def test_the_tier_and_what_it_means_are_told(wyb):
    """Versions, tier and every mechanism are there, and the exit code is 0 whatever was found."""
    ended = wyb("doctor")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(
        f"watch-your-back {watch_your_back.__version__}\nPython {sys.version.split()[0]}, click "
    )
    tier = ended.out.partition("\ntier ")[2].partition(":")[0]
    assert MEANING[tier] in ended.out
    assert "landlock " in ended.out
    assert "seccomp " in ended.out


def test_programs_get_the_same_as_json(wyb):
    """One object, with the same tier."""
    report = json.loads(wyb("doctor", "--json").out)
    assert report["tier"] in TIERS
    assert f"\ntier {report['tier']}: " in wyb("doctor").out
    assert set(report["mechanisms"]) >= {"landlock", "seccomp", "privileges"}


def test_an_extra_that_is_missing_is_named_with_what_it_is_for(wyb, monkeypatch):
    """Which packages are not there, so that nobody has to find out by an error."""
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name in ("uvicorn", "distributed") else name)
    lines = wyb("doctor").out.splitlines()
    assert "[web]       missing (uvicorn), for wyb serve" in lines
    assert "[notebook]  installed, for players that are classes of a notebook's cells" in lines
    assert json.loads(wyb("doctor", "--json").out)["extras"] == {"web": False, "notebook": True, "cluster": False}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have none of these mechanisms")
def test_a_missing_mechanism_is_explained(wyb, monkeypatch):
    """Why it is missing, and what players could then do."""
    monkeypatch.setattr(doctor, "Confinement", functools.partial(Confinement, "rlimits"))
    lines = wyb("doctor").out.splitlines()
    assert "tier rlimits: players can read and write files, use the network and start programs" in lines
    assert "seccomp     missing (switched off): players can use the network and start programs" in lines
    assert any(line.startswith("landlock    missing (switched off): players can read and write all") for line in lines)


def test_players_that_cannot_be_started_at_all_are_a_finding(wyb, monkeypatch):
    """The doctor reports the failure instead of failing."""

    class Broken(Confinement):
        def start(self, *arguments, **more):
            raise ConfinementError("no processes left")

    monkeypatch.setattr(doctor, "Confinement", Broken)
    ended = wyb("doctor")
    assert ended.code == 0
    assert ended.out.endswith("\n\nplayers cannot be started: no processes left\n")


def test_every_tier_has_a_meaning():
    """No result is left without an explanation of how far it can be trusted."""
    assert set(MEANING) == set(TIERS)

"""Taking in agents: copies of their own, who may play, and who may not and why."""

import os
import sys
import zipfile
from pathlib import Path

import pytest

from watch_your_back.game import Game
from watch_your_back.match import Confinement, Limits, Match, run
from watch_your_back.tournament import staging
from watch_your_back.tournament.intake import Smoke, is_folder_of_submissions, smoke, take_in
from watch_your_back.tournament.settings import SettingsError, plan_of
from watch_your_back.tournament.workers import Workers

GAME = Game.load("watch_your_back", turn_cap=10)
LIMITS = Limits(20, 100)

pytestmark = pytest.mark.usefixtures("kept_workers", "kept_zygotes")

PLAYER = """\
import random
from watch_your_back.game import Game
{top}
class Player:
    def __init__(self, colour, options):
        self.state = Game.load("watch_your_back", **options).initial()
        {init}
    def action(self, turns):
        action = self.state.sample(random)
        self.update(action)
        return action
    def update(self, action):
        self.state = self.state.play(action)
"""

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")


def player(path, top="", init="pass"):
    """A player that plays at random, and does this first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PLAYER.format(top=top, init=init))
    return path


def taken(folder, **table):
    """The candidates of a plan, by name."""
    return {each.name: each for each in take_in(plan_of(table, folder), folder / "staged", ())}


def ends(agent, opponent=None):
    """How a match of the staged agent ends."""
    confinement = Confinement()
    try:
        return run(Match(GAME, (agent, opponent or agent), LIMITS), confinement=confinement)
    finally:
        confinement.close()


def test_every_folder_archive_and_file_is_an_agent(tmp_path):
    """A folder within a folder is meant for the outer one; what systems add, and other files, are left alone."""
    place = tmp_path / "handed in"
    player(place / "alice" / "player.py")
    player(place / "bob" / "project" / "Player.py")
    player(place / "carol.py")
    with zipfile.ZipFile(place / "dave.zip", "w") as archive:
        archive.writestr("dave/src/player.py", PLAYER.format(top="", init="pass"))
        archive.writestr("__MACOSX/dave/._player.py", "x")
    (place / ".git").mkdir()
    (place / "__MACOSX").mkdir()
    (place / "marks.xlsx").touch()
    assert is_folder_of_submissions(place)
    found = taken(tmp_path, submissions="handed in", agents=["random"])
    assert list(found) == ["random", "alice", "bob", "carol", "dave"]
    assert [each.why_not for each in found.values()] == [""] * 5
    for name, each in found.items():
        assert each.agent.name == name
        assert each.agent.path.is_relative_to(tmp_path / "staged")
        assert ends(each.agent).reason in ("turn limit", "eliminated")


def test_an_agent_is_alone_in_its_copy(tmp_path):
    """No other agent's source is there to be read, and its data is where it was, seen from its current directory."""
    player(tmp_path / "in" / "alice" / "player.py", init="assert open('book/a.txt').read() == 'x'")
    (tmp_path / "in" / "alice" / "book").mkdir()
    (tmp_path / "in" / "alice" / "book" / "a.txt").write_text("x")
    other = tmp_path / "in" / "bob.py"
    player(other, init=f"open({str(tmp_path / 'in' / 'alice' / 'player.py')!r})")
    found = taken(tmp_path, submissions="in")
    roots = {each.agent.root for each in found.values()}
    assert len(roots) == 2
    assert sorted(path.name for path in found["bob"].agent.root.rglob("*")) == ["bob.py"]
    ended = ends(found["alice"].agent, found["bob"].agent)
    assert (ended.winner, ended.reason) in ((0, "could not start"), (None, "turn limit"))  # where nothing is confined
    if ended.tiers[1] == "full":
        assert "PermissionError" in ended.detail


def test_what_happens_to_the_sources_later_is_nothing_to_the_copy(tmp_path):
    """The copy is named after what is in it: the same sources the same one, others another one."""
    source = player(tmp_path / "in" / "alice" / "player.py")
    before = taken(tmp_path, submissions="in")["alice"]
    again = taken(tmp_path, submissions="in")["alice"]
    source.write_text(source.read_text() + "\n")
    after = taken(tmp_path, submissions="in")["alice"]
    assert before == again
    assert before.sources != after.sources
    assert before.agent.path.read_text() != after.agent.path.read_text()


def test_what_matches_leave_behind_is_no_change(tmp_path):
    """A log or a record beside an agent does not make it another one; a book does."""
    player(tmp_path / "in" / "alice" / "player.py")
    before = taken(tmp_path, submissions="in")["alice"].sources
    (tmp_path / "in" / "alice" / "match.jsonl").write_text("{}")
    (tmp_path / "in" / "alice" / "__pycache__").mkdir()
    (tmp_path / "in" / "alice" / "__pycache__" / "player.pyc").write_text("x")
    assert taken(tmp_path, submissions="in")["alice"].sources == before
    (tmp_path / "in" / "alice" / "book.json").write_text("{}")
    assert taken(tmp_path, submissions="in")["alice"].sources != before


def test_compiled_modules_are_not_taken_over(tmp_path):
    """They need not be those of the sources."""
    player(tmp_path / "in" / "alice" / "player.py")
    for name in ("__pycache__/player.cpython-311.pyc", "board.pyc", ".hidden/x", "venv/pyvenv.cfg", "venv/lib/y.py"):
        path = tmp_path / "in" / "alice" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("x")
    root = taken(tmp_path, submissions="in")["alice"].agent.root
    assert [path.name for path in root.rglob("*")] == ["player.py"]


@needs_links
def test_links_in_a_submission_are_refused(tmp_path):
    """They could lead to what is nobody's business."""
    (tmp_path / "secret.txt").write_text("the marks")
    for number, (link, target) in enumerate([("a.txt", "secret.txt"), ("deep/b", ".."), ("player.py", "secret.txt")]):
        place = tmp_path / "in" / str(number)
        player(place / "main.py")
        (place / link).parent.mkdir(exist_ok=True)
        (place / link).symlink_to(tmp_path / target)
    player(tmp_path / "elsewhere" / "player.py")
    (tmp_path / "in" / "whole").symlink_to(tmp_path / "elsewhere")
    found = taken(tmp_path, submissions="in")
    assert len(found) == 4
    assert all("is a link" in each.why_not and each.agent is None for each in found.values())
    assert not list((tmp_path / "staged").rglob("*.txt"))


@needs_links
def test_pipes_in_a_submission_are_refused(tmp_path):
    """Nobody waits for what never comes."""
    player(tmp_path / "in" / "alice" / "player.py")
    os.mkfifo(tmp_path / "in" / "alice" / "book")
    assert "neither a file nor a folder" in taken(tmp_path, submissions="in")["alice"].why_not


def test_an_agent_that_reaches_above_its_folder_is_refused(tmp_path):
    """By a relative import, which would need the neighbours' folder."""
    player(tmp_path / "in" / "alice" / "player.py", top="from ..bob import player")
    player(tmp_path / "in" / "bob" / "player.py")
    found = taken(tmp_path, submissions="in")
    assert found["alice"].why_not == "it imports from above its own folder"
    assert found["bob"].why_not == ""


def test_a_submission_without_a_player_is_told_what_was_looked_for(tmp_path):
    """By the name of the submission, and not of a temporary folder."""
    (tmp_path / "in" / "alice").mkdir(parents=True)
    (tmp_path / "in" / "alice" / "board.py").write_text("x = 1")
    with zipfile.ZipFile(tmp_path / "in" / "bob.zip", "w") as archive:
        archive.writestr("notes.txt", "x")
    (tmp_path / "in" / "carol.zip").write_text("no archive")
    found = taken(tmp_path, submissions="in")
    looked = "alice is a directory, but no file in it defines a class Player (looked in board.py)"
    assert found["alice"].why_not == looked
    assert found["bob"].why_not.startswith("bob is a directory, but no file in it defines a class Player")
    assert "damaged, or no archive" in found["carol"].why_not


def test_too_large_a_folder_is_refused(tmp_path, monkeypatch):
    """A submission with the reason, an agent that was named as a mistake."""
    monkeypatch.setattr(staging, "MAX_BYTES", 10_000)
    player(tmp_path / "in" / "alice" / "player.py")
    (tmp_path / "in" / "alice" / "weights.bin").write_bytes(bytes(20_000))
    assert "more than 5,000 files or 0 MB" in taken(tmp_path, submissions="in")["alice"].why_not
    with pytest.raises(SettingsError, match="in/alice: there are more than"):
        taken(tmp_path, agents=["in/alice"])


def test_agents_that_are_named(tmp_path):
    """A file, a class in it, a dotted module and an archive; each under its own name or another one."""
    player(tmp_path / "bots" / "old.py")
    player(tmp_path / "pkg" / "deep" / "player.py")
    with zipfile.ZipFile(tmp_path / "alice.zip", "w") as archive:
        archive.writestr("player.py", PLAYER.format(top="", init="pass").replace("Player", "Player"))
    found = taken(tmp_path, agents=["bots/old.py", "again=bots/old.py", "pkg.deep.player", "alice.zip", "greedy"])
    assert list(found) == ["old", "again", "pkg.deep.player", "alice", "greedy"]
    for each in found.values():
        assert ends(each.agent).reason in ("turn limit", "eliminated")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"agents": ["gredy"]}, "there is no agent 'gredy'"),
        ({"agents": ["human", "greedy"]}, "human is a person at the keyboard"),
        (
            {"agents": ["greedy", "greedy"]},
            "two agents are called 'greedy'; give one another name, as in second=greedy",
        ),
        ({"submissions": "nowhere"}, "is no folder of submissions"),
    ],
)
def test_what_is_wrong_with_named_agents_is_a_mistake(tmp_path, table, message):
    """Somebody is there to mend it."""
    with pytest.raises(SettingsError, match=message):
        taken(tmp_path, **table)


@pytest.mark.skipif(sys.platform != "linux", reason="needs names that are no text")
def test_a_submission_can_have_any_name(tmp_path):
    """Also one that is no text."""
    place = os.path.join(os.fsencode(tmp_path), b"in", b"na\xffme")
    os.makedirs(place)
    with open(os.path.join(place, b"player.py"), "w") as file:
        file.write(PLAYER.format(top="", init="pass"))
    found = taken(tmp_path, submissions="in")
    assert list(found) == ["na\ufffdme"]
    assert found["na\ufffdme"].spec.isprintable()
    assert ends(found["na\ufffdme"].agent).reason in ("turn limit", "eliminated")


def test_two_submissions_of_one_name_are_not_mixed_up(tmp_path):
    """The second one is refused, under the name of its file."""
    player(tmp_path / "in" / "alice" / "player.py")
    player(tmp_path / "in" / "alice.py")
    found = taken(tmp_path, submissions="in")
    assert found["alice"].why_not == ""
    assert found["alice.py"].why_not == "there is another agent called 'alice'"


def test_the_smoke_test_tells_who_can_play(tmp_path):
    """Not one that cannot be started; but one that loses every match, or can be only one of the sides."""
    player(tmp_path / "in" / "good.py")
    player(tmp_path / "in" / "raises.py", init="raise ValueError('oops')")
    player(tmp_path / "in" / "white_only.py", init="assert colour == 'white'")
    (tmp_path / "in" / "loser.py").write_text(
        "class Player:\n"
        "    def __init__(self, colour): pass\n"
        "    def action(self, turns): return 1\n"
        "    def update(self, action): pass\n"
    )
    (tmp_path / "in" / "syntax.py").write_text("class Player:\n  def\n")
    found = taken(tmp_path, submissions="in")
    tasks = [Smoke(each.agent, GAME, LIMITS, 2, 1) for each in found.values()]
    with Workers(2) as workers:
        fitness = {task.agent.name: result for task, result in workers.each(smoke, tasks)}
    assert {name: each.may_play for name, each in fitness.items()} == {
        "good": True,
        "raises": False,
        "white_only": True,
        "loser": True,
        "syntax": False,
    }
    assert "oops" in fitness["raises"].why_not
    assert "SyntaxError" in fitness["syntax"].why_not
    assert fitness["good"].why_not == ""
    assert any(finding.severity == "error" for finding in fitness["loser"].findings)
    assert list(found["good"].agent.root.rglob("*.pyc")), "compiled once and not for every match"


def test_files_of_the_tournament_are_no_part_of_an_agent(tmp_path):
    """A store in the agent's own folder does not make it another agent with every match."""
    player(tmp_path / "bot.py")
    plan = plan_of({"agents": ["bot.py"]}, tmp_path)
    without = [tmp_path / "tournament.dat"]
    (tmp_path / "tournament.dat").write_text("1")
    (before,) = take_in(plan, tmp_path / "t.agents", without)
    (tmp_path / "tournament.dat").write_text("2")
    (after,) = take_in(plan, tmp_path / "t.agents", without)
    assert before.sources == after.sources
    assert [path.name for path in before.agent.root.rglob("*")] == ["bot.py"]


def test_an_agent_is_no_folder_of_submissions(tmp_path):
    """Nor is an empty folder, or a file."""
    player(tmp_path / "alice" / "player.py")
    player(tmp_path / "alice" / "helpers" / "board.py")
    (tmp_path / "empty").mkdir()
    assert not is_folder_of_submissions(tmp_path / "alice")
    assert not is_folder_of_submissions(tmp_path / "empty")
    assert not is_folder_of_submissions(tmp_path / "alice" / "player.py")
    assert not is_folder_of_submissions(Path("greedy"))
    player(tmp_path / "project" / "bot.py")
    (tmp_path / "project" / "tests").mkdir()
    assert not is_folder_of_submissions(tmp_path / "project")

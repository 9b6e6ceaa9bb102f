"""What a tournament file may say, and what is said about one that is wrong."""

from pathlib import Path

import pytest

from watch_your_back.game import Game
from watch_your_back.match import Limits
from watch_your_back.tournament.settings import Entry, Settings, SettingsError, plan_of, read_plan

EXAMPLES = Path(__file__).parent.parent / "examples"

WHOLE = """\
format = "swiss"
rounds = 9
game = "watch_your_back"
seed = 2018
require_tier = "full"
store = "class.sqlite"
submissions = ["submissions", "late"]

[options]
turn_cap = 300

[limits]
cpu_s = 10
memory_mb = 50.5

[agents]
old = "v1/bot.py"
new = "v2/bot.py:Bot"
"""


def test_a_whole_file(tmp_path):
    """Everything in it is taken, and paths are seen from where it is."""
    file = tmp_path / "class.toml"
    file.write_text(WHOLE)
    plan = read_plan(file)
    game = Game.load("watch_your_back", turn_cap=300)
    assert plan.settings == Settings(game, "swiss", 9, (), Limits(10, 50.5), 2018, "full")
    assert plan.entries == (Entry("old", "v1/bot.py"), Entry("new", "v2/bot.py:Bot"))
    assert plan.submissions == (tmp_path / "submissions", tmp_path / "late")
    assert plan.store == tmp_path / "class.sqlite"
    assert plan.seeded(7) == plan.settings


def test_an_empty_file_means_the_defaults(tmp_path):
    """One round, everybody against everybody, under 60 s and 100 MB; the seed is left to the one who begins."""
    (tmp_path / "empty.toml").write_text("")
    plan = read_plan(tmp_path / "empty.toml")
    assert (plan.settings.format, plan.settings.rounds, plan.settings.limits) == ("round robin", 1, Limits(60, 100))
    assert (plan.entries, plan.store, plan.seed) == ((), None, None)
    assert plan.seeded(7).seed == 7


def test_agents_can_be_named_in_a_list(tmp_path):
    """NAME=SPEC gives an agent another name, unless that is the path of a file."""
    (tmp_path / "a=b.py").touch()
    plan = plan_of({"agents": ["greedy", "mine=bots/bot.py:Bot", "a=b.py", "./c=d.py"]}, tmp_path)
    assert plan.entries == (
        Entry(None, "greedy"),
        Entry("mine", "bots/bot.py:Bot"),
        Entry(None, "a=b.py"),
        Entry(None, "./c=d.py"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("round = 3", "there is no setting round (did you mean rounds?)"),
        ("[limits]\ncpu = 3", "there is no setting limits.cpu (did you mean limits.cpu_s?)"),
        ("colour = 3", "there is no setting colour (there are format, rounds, challengers, game,"),
        ("rounds = '3'", "rounds is to be a whole number from 1 to 1,000,000, not '3' (a string)"),
        ("rounds = 0", "rounds is to be a whole number from 1 to 1,000,000, not 0 (an integer)"),
        ("rounds = true", "not True (a boolean)"),
        ("seed = -1", "seed is to be a whole number from 0 to 2^63 - 1, not -1"),
        ("agents = 'greedy'", "agents is to be a list of specs, or a table with a spec for each name, not 'greedy'"),
        ("agents = [1]", "agents is to be a list of specs"),
        ("[agents]\na = 1", "agents is to be a list of specs, or a table"),
        ("[agents]\n'a/b' = 'greedy'", "an agent cannot be called 'a/b'"),
        ("[agents]\n' ' = 'greedy'", "an agent cannot be called ' '"),
        ("limits = 60", "limits is to be a table, not 60 (an integer)"),
        ("[limits]\ncpu_s = 0", "limits.cpu_s is to be a number of seconds above 0, not 0"),
        ("[limits]\nmemory_mb = inf", "limits.memory_mb is to be a number of MB above 0, not inf"),
        ("[limits]\nprofile = 'fare'", "the profile is one of fair, official-2018, none, not 'fare'"),
        ("format = 'Swiss'", "format is to be one of 'round robin', 'gauntlet', 'swiss', not 'Swiss'"),
        ("challengers = ['a']", "challengers are for the format gauntlet only"),
        ("require_tier = 'best'", "require_tier is to be one of 'none', 'external', 'process',"),
        ("game = 'watch_your_bakc'", "there is no game 'watch_your_bakc' (did you mean watch_your_back?)"),
        ("[options]\nturncap = 3", "the game has no option 'turncap' (did you mean turn_cap?)"),
        ("[options]\nturn_cap = 3.5", "option turn_cap is an int, not 3.5 (float)"),
        ("rounds = ", "is no TOML: Invalid value"),
        pytest.param(f"agents = {'[' * 50_000}", "is nested too deeply", id="nested"),
        (b"\xff", "is no text in UTF-8 (byte 1)"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_the_file(tmp_path, text, message):
    """Unknown keys with the nearest name, wrong types with what was expected and found."""
    file = tmp_path / "class.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SettingsError) as error:
        read_plan(file)
    assert message in str(error.value)
    assert str(error.value).startswith(str(file))
    assert "\n" not in str(error.value)


def test_settings_survive_the_store():
    """They come back equal from JSON, so that a run can be gone on with."""
    game = Game.load("watch_your_back", turn_cap=3)
    settings = Settings(game, "gauntlet", 4, ("a", "b"), Limits(profile="none"), 5, "landlock")
    assert Settings.from_json(settings.as_json()) == settings


TOURNAMENTS = [path for path in sorted(EXAMPLES.glob("*.toml")) if "weaponized_chess_position" not in path.read_text()]


@pytest.mark.parametrize("path", TOURNAMENTS, ids=lambda path: path.name)
def test_the_examples_are_tournament_files(path):
    """What a reader copies is right."""
    plan = read_plan(path)
    assert plan.entries or plan.submissions

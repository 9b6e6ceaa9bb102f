"""`wyb debug`: players are brought back to where they were, and what makes them differ is found out."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

HONEST = """\
import random

from watch_your_back.game import Game


class Player:
    def __init__(self, colour):
        self.state = Game.load("watch_your_back").initial()

    def action(self, turns):
        action = self.choose(turns, list(self.state.legal_actions()))
        self.state = self.state.play(action)
        return action

    def choose(self, turns, actions):
        return random.choice(actions)

    def update(self, action):
        self.state = self.state.play(action)
"""

START = """
    def start(self, actions):
        for action in actions:
            self.update(action)
"""

CLOCK = """\
        import time
        end, looks = time.perf_counter() + 0.02, 0
        while time.perf_counter() < end:
            looks += 1
        return actions[looks % len(actions)]
"""


@pytest.fixture
def here(tmp_path):
    """An empty directory."""
    return tmp_path


def wyb(here, *words, typed="", hash_seed=None):
    """Run the command in a process of its own, these lines typed at the debugger's prompt."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
    environment["PYTHONPATH"] = str(ROOT)
    if hash_seed is not None:
        environment["PYTHONHASHSEED"] = str(hash_seed)
    command = [sys.executable, "-m", "watch_your_back", *map(str, words)]
    return subprocess.run(command, cwd=here, env=environment, input=typed, capture_output=True, text=True, timeout=300)


def player(here, *changes, name="bot.py"):
    """Write a player that is like the honest one but for these changes, pairs of what there was and what there is."""
    text = HONEST
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (here / name).write_text(text)
    return name


def recorded(here, bot, *more, opponent="random", **surroundings):
    """Play a match of the bot as White and record it."""
    ended = wyb(here, "play", "-q", "--seed", "5", "--max-turns", "40", "--record", "match.jsonl", *more, bot, opponent,
                **surroundings)  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return [json.loads(line) for line in (here / "match.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A directory with a match of an honest player in it."""
    directory = tmp_path_factory.mktemp("played")
    recorded(directory, player(directory))
    return directory


def at(lines, ply):
    """The action that was recorded at a ply."""
    return next(line["action"] for line in lines if line["event"] == "action" and line["ply"] == ply)


def tuples(action):
    return tuple(map(tuples, action)) if isinstance(action, list) else action


def test_steps_into_the_turn_as_it_was(here):
    """The debugger stops at the first line of action(), with the state and the random numbers of that turn."""
    lines = recorded(here, player(here))
    ended = wyb(here, "debug", "match.jsonl", "--side", "white", "--at", "30", typed="p self.state.ply, turns\nc\n")
    assert ended.returncode == 0, ended.stderr
    assert "bot.py(11)action()" in ended.stdout
    assert "(Pdb) (30, 6)" in ended.stdout
    assert "It answers as in the record in all of its 15 turns before this one." in ended.stdout
    assert f"It answers {tuples(at(lines, 30))}, as in the match." in ended.stdout


def test_a_failure_is_where_it_stops_by_itself(here):
    """Without --at it is the turn in which a player failed, which fails again, and the debugger looks at it."""
    bot = player(
        here,
        ("        return random", "        if turns == 10:\n            raise KeyError(turns)\n        return random"),
    )
    recorded(here, bot)
    ended = wyb(here, "debug", "match.jsonl", typed="c\np turns\n")
    assert ended.returncode == 1
    assert "Now: exception in action(): KeyError: 10." in ended.stdout
    assert "Turn 10. Before action()" in ended.stdout
    assert "raise KeyError(turns)" in ended.stdout
    assert "(Pdb) 10" in ended.stdout
    assert "bdb.py" not in ended.stdout


def test_a_failure_in_update_stops_there(here):
    """The call in which the player failed is the one that is stepped into."""
    bot = player(
        here, ("(self, action):\n        self", "(self, action):\n        assert self.state.ply < 9\n        self")
    )
    recorded(here, bot)
    ended = wyb(here, "debug", "match.jsonl", typed="p action\nq\n")
    assert ended.returncode == 0, ended.stderr
    assert "Before update()" in ended.stdout
    assert re.search(r"bot\.py\(\d+\)update\(\)", ended.stdout)


def test_a_failure_in_the_constructor_stops_there(here):
    """A player that could not be made is stepped into where it is made."""
    bot = player(here, ("__init__(self, colour):\n", "__init__(self, colour):\n        assert colour == 'black'\n"))
    recorded(here, bot)
    ended = wyb(here, "debug", "match.jsonl", typed="p colour\nc\n")
    assert ended.returncode == 1
    assert "(Pdb) 'white'" in ended.stdout
    assert "AssertionError" in ended.stdout


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        pytest.param(("random.choice(actions)", "random.Random().choice(actions)"), "does not seed", id="not seeded"),
        pytest.param(("        return random.choice(actions)\n", CLOCK), "the clock", id="clock"),
    ],
)
def test_what_changes_from_run_to_run(here, change, cause):
    """A player that never answers twice the same is told from one that depends on the clock; it is stopped before
    the turn at which it leaves the record."""
    recorded(here, player(here, change))
    ended = wyb(here, "debug", "match.jsonl", "--at", "30")
    assert ended.returncode == 0, ended.stderr
    assert re.search(r"It first answers differently at turn \d+", ended.stdout)
    assert re.search(rf"Likely cause: .*{cause}", ended.stdout)
    assert "and has no method start" in ended.stdout
    assert "Before action()" in ended.stdout


def test_a_player_with_start_is_put_before_the_turn(here):
    """Whatever it answered before, it is told with start() of the actions that were taken."""
    bot = player(here, ("random.choice(actions)", "random.Random().choice(actions)"))
    with (here / bot).open("a") as file:
        file.write(START)
    recorded(here, bot)
    ended = wyb(here, "debug", "match.jsonl", "--at", "30", typed="p self.state.ply\nc\n")
    assert "it was put before turn 30 by its method start" in ended.stdout
    assert "(Pdb) 30" in ended.stdout


def test_hash_order(here):
    """An action that depends on the order of a set is found out where the record does not know that order."""
    bot = player(
        here, ("random.choice(actions)", "dict((str(a), a) for a in actions)[next(iter(set(map(str, actions))))]")
    )
    recorded(here, bot, "--debug", hash_seed=12345)
    ended = wyb(here, "debug", "match.jsonl", "--at", "20", "--again", "1")
    assert ended.returncode == 0, ended.stderr
    assert re.search(r"Likely cause: the order of a set", ended.stdout)


def test_the_recorded_hash_order_is_taken(here):
    """The same player is rebuilt without a difference under the recorded PYTHONHASHSEED, whatever that of the shell."""
    bot = player(
        here, ("random.choice(actions)", "dict((str(a), a) for a in actions)[next(iter(set(map(str, actions))))]")
    )
    recorded(here, bot)
    ended = wyb(here, "debug", "match.jsonl", "--at", "20", typed="c\n", hash_seed=99)
    assert ended.returncode == 0, ended.stderr
    assert "as in the record in all of its 10 turns" in ended.stdout
    assert "unlike" not in ended.stdout


def test_changed_sources(here):
    """A player that was changed since is told of before anything else, and named as the cause of what differs."""
    bot = player(here)
    recorded(here, bot)
    player(here, ("random.choice(actions)", "actions[0]"))
    ended = wyb(here, "debug", "match.jsonl", "--at", "20", "--again", "1")
    assert "note: its sources have been changed since the match" in ended.stderr
    assert "Likely cause: its sources" in ended.stdout


def test_another_agent(here):
    """--agent says where the player is now; without it one line says that it is not where it was."""
    bot = player(here)
    recorded(here, bot)
    (here / bot).rename(here / "moved.py")
    lost = wyb(here, "debug", "match.jsonl", "--side", "white", "--at", "20")
    assert lost.returncode == 2
    assert "say where it is now with --agent" in lost.stderr
    assert lost.stderr.count("\n") == 1
    found = wyb(here, "debug", "match.jsonl", "--side", "white", "--at", "20", "--agent", "moved.py", "--again", "1")
    assert found.returncode == 0, found.stderr
    assert "as in the record in all of its 10 turns" in found.stdout


def test_spread_of_answers(here):
    """--again shows each answer once, with how often it came and what it cost."""
    bot = player(here, ("return random.choice(actions)", "return random.Random().choice(actions[:2])"))
    with (here / bot).open("a") as file:
        file.write(START)
    recorded(here, bot)
    ended = wyb(here, "debug", "match.jsonl", "--at", "12", "--again", "12", "--json")
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert len(told["answers"]) == 12
    assert 1 <= len({str(each["action"]) for each in told["answers"]}) <= 2
    assert all(each["cpu_s"] >= 0 for each in told["answers"])
    text = wyb(here, "debug", "match.jsonl", "--at", "12", "--again", "3").stdout
    rows = re.findall(r"^ +(\d+) +\d+\.\d+ +\d+\.\d+ +\d+\.\d+  \(", text, re.MULTILINE)
    assert sum(map(int, rows)) == 3


def test_profile(here):
    """--profile lists the player's own functions before all others."""
    bot = player(
        here, ("        return random", "        sorted(range(30_000), key=lambda x: -x)\n        return random")
    )
    recorded(here, bot)
    told = json.loads(wyb(here, "debug", "match.jsonl", "--at", "12", "--profile", "--json").stdout)
    own = [line["own"] for line in told["functions"]]
    assert own == sorted(own, reverse=True)
    assert {line["name"] for line in told["functions"] if line["own"]} >= {"action", "choose", "<lambda>"}
    assert told["functions"][0]["file"] == "bot.py"
    text = wyb(here, "debug", "match.jsonl", "--at", "12", "--profile").stdout
    assert text.index("choose  (bot.py:") < text.index("not its own") < text.index("built-in method builtins.sorted")


def test_hidden_information(here):
    """In a game that hides something the player is told what it was told, and its answers are those of the match."""
    options = ("--game", "weaponized_chess", "--max-turns", "16")
    recorded(here, "random", *options)
    ended = wyb(here, "debug", "match.jsonl", "--at", "14", "--again", "1")
    assert ended.returncode == 0, ended.stderr
    assert "It answers as in the record in all of its 7 turns before this one." in ended.stdout


def test_after_an_opening(here):
    """Turns of a match that began after an opening are counted as in the record."""
    recorded(here, "greedy", "--opening", "[[2, 3], [5, 4]]", opponent="greedy")
    ended = wyb(here, "debug", "match.jsonl", "--side", "white", "--at", "10", "--again", "1")
    assert ended.returncode == 0, ended.stderr
    assert "in all of its 4 turns before this one" in ended.stdout


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ("--at", "31", "--side", "white"),
            "turn 31 is not one of white's; the nearest are 30 and 32 (they count from 0)",
        ),
        (("--side", "red", "--at", "3"), "Watch Your Back! has no side 'red': it has white and black"),
        ((), "name a turn with --at, from 0 to 64: no player failed in this match"),
        (("--at", "3", "--json"), "--json goes with --again or --profile: the debugger talks to people"),
        (("--at", "3", "--again", "2", "--profile"), "--again and --profile do not go together"),
    ],
)
def test_mistakes(played, words, line):
    """What cannot be done is said in one line."""
    ended = wyb(played, "debug", "match.jsonl", *words)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1] == f"wyb debug: {line}"
    assert "Traceback" not in ended.stderr


def test_not_a_record(here):
    """A file that is no record is refused with its line."""
    (here / "notes.txt").write_text("hello\n")
    ended = wyb(here, "debug", "notes.txt")
    assert ended.returncode == 2
    assert ended.stderr.startswith("wyb debug: notes.txt")
    assert ended.stderr.count("\n") == 1


def test_seeded_in_the_referees_process(here):
    """A player that runs in the referee's process draws the same random numbers as in its own."""
    bot = player(here)
    confined = recorded(here, bot, opponent=bot)
    local = recorded(here, bot, "--debug", opponent=bot)
    actions = [[line["action"] for line in lines if line["event"] == "action"] for lines in (confined, local)]
    assert actions[0] == actions[1]

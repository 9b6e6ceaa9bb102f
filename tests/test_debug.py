"""`wyb debug`: players are brought back to where they were, and what makes them differ is found out."""

import json
import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from watch_your_back.agents import find
from watch_your_back.confine.environment import HASH_SEED
from watch_your_back.game import Game
from watch_your_back.match import Confinement, Match, run
from watch_your_back.match.record import RecordWriter

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
def here(tmp_path, monkeypatch, kept_zygotes):
    """An empty current directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def confinement():
    """Where players play the matches that are to be recorded."""
    with closing(Confinement()) as started:
        yield started


def typing(here, *words, typed="", hash_seed=None):
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


@pytest.fixture
def recorded(here, confinement):
    """Play a match of the bot as White and record it; returns the lines of the record."""

    def record(bot, opponent="random", *, game="watch_your_back", turns=40, opening=()):
        rules = Game.load(game, turn_cap=turns)
        match = Match(rules, (find(bot), find(opponent)), seed=5, opening=opening)
        run(match, RecordWriter("match.jsonl"), confinement=confinement)
        return [json.loads(line) for line in (here / "match.jsonl").read_text().splitlines()]

    return record


def recorded_in_one_process(here, bot, opponent="random", hash_seed=None):
    """The same with `wyb play --debug`."""
    words = ("--debug", "-q", "--seed", "5", "--max-turns", "40", "--record", "match.jsonl")
    ended = typing(here, "play", *words, bot, opponent, hash_seed=hash_seed)
    assert ended.returncode == 0, ended.stderr
    return [json.loads(line) for line in (here / "match.jsonl").read_text().splitlines()]


def at(lines, ply):
    """The action that was recorded at a ply."""
    return next(line["action"] for line in lines if line["event"] == "action" and line["ply"] == ply)


def tuples(action):
    return tuple(map(tuples, action)) if isinstance(action, list) else action


def test_steps_into_the_turn_as_it_was(here, recorded):
    """The debugger stops at the first line of action(), with the state and the random numbers of that turn."""
    lines = recorded(player(here))
    ended = typing(here, "debug", "match.jsonl", "--side", "white", "--at", "30", typed="p self.state.ply, turns\nc\n")
    assert ended.returncode == 0, ended.stderr
    assert "bot.py(11)action()" in ended.stdout
    assert "(Pdb) (30, 6)" in ended.stdout
    assert "It answers as in the record in all of its 15 turns before this one." in ended.stdout
    assert f"It answers {tuples(at(lines, 30))}, as in the match." in ended.stdout


def test_a_failure_is_where_it_stops_by_itself(here, recorded):
    """Without --at it is the turn in which a player failed, which fails again, and the debugger looks at it."""
    bot = player(
        here,
        ("        return random", "        if turns == 10:\n            raise KeyError(turns)\n        return random"),
    )
    recorded(bot)
    ended = typing(here, "debug", "match.jsonl", typed="c\np turns\n")
    assert ended.returncode == 1
    assert "Now: exception in action(): KeyError: 10." in ended.stdout
    assert "Turn 10. Before action()" in ended.stdout
    assert "raise KeyError(turns)" in ended.stdout
    assert "(Pdb) 10" in ended.stdout
    assert "bdb.py" not in ended.stdout


def test_a_failure_in_update_stops_there(here, recorded):
    """The call in which the player failed is the one that is stepped into."""
    bot = player(
        here, ("(self, action):\n        self", "(self, action):\n        assert self.state.ply < 9\n        self")
    )
    recorded(bot)
    ended = typing(here, "debug", "match.jsonl", typed="p action\nq\n")
    assert ended.returncode == 0, ended.stderr
    assert "Before update()" in ended.stdout
    assert re.search(r"bot\.py\(\d+\)update\(\)", ended.stdout)


def test_a_failure_in_the_constructor_stops_there(here, recorded):
    """A player that could not be made is stepped into where it is made."""
    bot = player(here, ("__init__(self, colour):\n", "__init__(self, colour):\n        assert colour == 'black'\n"))
    recorded(bot)
    ended = typing(here, "debug", "match.jsonl", typed="p colour\nc\n")
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
def test_what_changes_from_run_to_run(here, recorded, change, cause):
    """A player that never answers twice the same is told from one that depends on the clock; it is stopped before
    the turn at which it leaves the record."""
    recorded(player(here, change))
    ended = typing(here, "debug", "match.jsonl", "--at", "30")
    assert ended.returncode == 0, ended.stderr
    assert re.search(r"It first answers differently at turn \d+", ended.stdout)
    assert re.search(rf"Likely cause: .*{cause}", ended.stdout)
    assert "and has no method start" in ended.stdout
    assert "Before action()" in ended.stdout


def test_a_player_with_start_is_put_before_the_turn(here, recorded):
    """Whatever it answered before, it is told with start() of the actions that were taken."""
    bot = player(here, ("random.choice(actions)", "random.Random().choice(actions)"))
    with (here / bot).open("a") as file:
        file.write(START)
    recorded(bot)
    ended = typing(here, "debug", "match.jsonl", "--at", "30", typed="p self.state.ply\nc\n")
    assert "it was put before turn 30 by its method start" in ended.stdout
    assert "(Pdb) 30" in ended.stdout


def test_hash_order(here, wyb):
    """An action that depends on the order of a set is found out where the record does not know that order."""
    bot = player(
        here, ("random.choice(actions)", "dict((str(a), a) for a in actions)[next(iter(set(map(str, actions))))]")
    )
    recorded_in_one_process(here, bot, hash_seed=12345)
    ended = wyb("debug", "match.jsonl", "--at", "20", "--again", "1")
    assert ended.code == 0, ended.err
    assert re.search(r"Likely cause: the order of a set", ended.out)


def test_the_recorded_hash_order_is_taken(here, recorded):
    """The same player is rebuilt without a difference under the recorded PYTHONHASHSEED, whatever that of the shell."""
    bot = player(
        here, ("random.choice(actions)", "dict((str(a), a) for a in actions)[next(iter(set(map(str, actions))))]")
    )
    recorded(bot)
    ended = typing(here, "debug", "match.jsonl", "--at", "20", typed="c\n", hash_seed=99)
    assert ended.returncode == 0, ended.stderr
    assert "as in the record in all of its 10 turns" in ended.stdout
    assert "unlike" not in ended.stdout


def test_changed_sources(here, recorded, wyb):
    """A player that was changed since is told of before anything else, and named as the cause of what differs."""
    bot = player(here)
    recorded(bot)
    player(here, ("random.choice(actions)", "actions[0]"))
    ended = wyb("debug", "match.jsonl", "--at", "20", "--again", "1")
    assert "note: its sources have been changed since the match" in ended.err
    assert "Likely cause: its sources" in ended.out


def test_another_agent(here, recorded, wyb):
    """--agent says where the player is now; without it one line says that it is not where it was."""
    bot = player(here)
    recorded(bot)
    (here / bot).rename(here / "moved.py")
    lost = wyb("debug", "match.jsonl", "--side", "white", "--at", "20")
    assert lost.code == 2
    assert "say where it is now with --agent" in lost.err
    assert lost.err.count("\n") == 1
    found = wyb("debug", "match.jsonl", "--side", "white", "--at", "20", "--agent", "moved.py", "--again", "1")
    assert found.code == 0, found.err
    assert "as in the record in all of its 10 turns" in found.out


def test_spread_of_answers(here, recorded, wyb):
    """--again shows each answer once, with how often it came and what it cost."""
    bot = player(here, ("return random.choice(actions)", "return random.Random().choice(actions[:2])"))
    with (here / bot).open("a") as file:
        file.write(START)
    recorded(bot)
    ended = wyb("debug", "match.jsonl", "--at", "12", "--again", "5", "--json")
    assert ended.code == 0, ended.err
    told = json.loads(ended.out)
    assert len(told["answers"]) == 5
    assert 1 <= len({str(each["action"]) for each in told["answers"]}) <= 2
    assert all(each["cpu_s"] >= 0 for each in told["answers"])
    text = wyb("debug", "match.jsonl", "--at", "12", "--again", "2").out
    rows = re.findall(r"^ +(\d+) +([\d,]+\.\d+) +[\d,]+\.\d+ +[\d,]+\.\d+  \(", text, re.MULTILINE)
    assert sum(int(times) for times, _ in rows) == 2
    assert "answer (milliseconds of CPU time)" in text
    assert all(float(least.replace(",", "")) > 0 for _, least in rows), "a quick player's time can be read"


def test_profile(here, recorded):
    """--profile lists the player's own functions before all others."""
    bot = player(
        here, ("        return random", "        sorted(range(30_000), key=lambda x: -x)\n        return random")
    )
    recorded(bot)
    told = json.loads(typing(here, "debug", "match.jsonl", "--at", "12", "--profile", "--json").stdout)
    own = [line["own"] for line in told["functions"]]
    assert own == sorted(own, reverse=True)
    assert {line["name"] for line in told["functions"] if line["own"]} >= {"action", "choose", "<lambda>"}
    assert told["functions"][0]["file"] == "bot.py"
    text = typing(here, "debug", "match.jsonl", "--at", "12", "--profile").stdout
    assert re.search(r"calls +own ms +total ms  function", text)
    assert float(re.search(r"([\d.,]+) +[\d.,]+  choose ", text)[1].replace(",", "")) > 0
    assert text.index("choose  (bot.py:") < text.index("not its own") < text.index("built-in method builtins.sorted")


def test_hidden_information(here, recorded, wyb):
    """In a game that hides something the player is told what it was told, and its answers are those of the match."""
    recorded("random", game="weaponized_chess", turns=16)
    ended = wyb("debug", "match.jsonl", "--at", "14", "--again", "1")
    assert ended.code == 0, ended.err
    assert "It answers as in the record in all of its 7 turns before this one." in ended.out


def test_after_an_opening(here, recorded, wyb):
    """Turns of a match that began after an opening are counted as in the record."""
    recorded("greedy", "greedy", opening=((2, 3), (5, 4)))
    ended = wyb("debug", "match.jsonl", "--side", "white", "--at", "10", "--again", "1")
    assert ended.code == 0, ended.err
    assert "in all of its 4 turns before this one" in ended.out


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
def test_mistakes(here, recorded, wyb, monkeypatch, words, line):
    """What cannot be done is said in one line."""
    recorded(player(here))
    monkeypatch.setenv("PYTHONHASHSEED", str(HASH_SEED))  # or else it would go on in a process of its own
    ended = wyb("debug", "match.jsonl", *words)
    assert ended.code == 2
    assert ended.err.splitlines()[-1] == f"wyb debug: {line}"
    assert "Traceback" not in ended.err


def test_not_a_record(here, wyb):
    """A file that is no record is refused with its line."""
    (here / "notes.txt").write_text("hello\n")
    ended = wyb("debug", "notes.txt")
    assert ended.code == 2
    assert ended.err.startswith("wyb debug: notes.txt")
    assert ended.err.count("\n") == 1


def test_seeded_in_the_referees_process(here, recorded):
    """A player that runs in the referee's process draws the same random numbers as in its own."""
    bot = player(here)
    confined = recorded(bot, bot)
    local = recorded_in_one_process(here, bot, bot)
    actions = [[line["action"] for line in lines if line["event"] == "action"] for lines in (confined, local)]
    assert actions[0] == actions[1]

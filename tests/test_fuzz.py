"""`wyb check --fuzz`: hidden faults are found, and the match that shows one is short, recorded, and can be debugged."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from watch_your_back.agents import find
from watch_your_back.confine.limits import Limits
from watch_your_back.diagnosis.fuzzing import Amount, fuzz
from watch_your_back.diagnosis.opposing import BIASES, chooser
from watch_your_back.diagnosis.positions import awkward
from watch_your_back.game import Game
from watch_your_back.match.record import Record, RecordWriter

ROOT = Path(__file__).parent.parent

HONEST = """\
import random

from watch_your_back.game import Game


class Player:
    def __init__(self, colour, game="watch_your_back", options=None):
        self.colour = colour
        self.state = Game.load(game, **(options or {})).initial()

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

LIMITS = Limits(20, 100)


@pytest.fixture
def here(tmp_path, monkeypatch, kept_zygotes):
    """An empty current directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def player(here, *lines, start=False):
    """Write a player that does this before its honest choice."""
    honest = "        return random.choice(actions)\n"
    text = HONEST.replace(honest, "".join(f"        {line}\n" for line in lines) + honest)
    (here / "bot.py").write_text(text + START * start)
    return "bot.py"


def fuzzed(spec, matches=60, game="watch_your_back", **options):
    """The findings, and the record that was kept if any was."""

    def save(events):
        writer = RecordWriter("kept.jsonl")
        for event in events:
            writer(event)
        return "kept.jsonl"

    rules = Game.load(game, **options)
    found = list(fuzz(find(spec), rules, LIMITS, Amount(matches=matches), save=save))
    return found, Record.load("kept.jsonl") if Path("kept.jsonl").exists() else None


def test_honest_player(here):
    """A player without a fault gets no error, and is told what the matches brought up."""
    found, record = fuzzed(player(here, start=True), 6)
    assert [finding.severity for finding in found if finding.topic == "fuzz"] == ["ok"]
    assert record is None
    assert re.search(r"in 6 random matches, \d+ of which began in the middle of others", found[0].sentence)
    assert any("the longest had" in finding.sentence for finding in found)


def test_without_start_it_is_told_what_that_costs(here):
    """A player without start() plays whole matches only."""
    found, _ = fuzzed(player(here), 4)
    assert "middle" not in found[0].sentence
    assert any("no method start(actions)" in finding.sentence for finding in found)


def test_a_fault_deep_in_the_match_is_found_and_the_match_shrunk(here):
    """The match that is kept ends with the failing turn, is shorter than the one that was found, and replays."""
    bot = player(here, "if len(actions) < 12 and turns > 2: raise KeyError('few')")
    found, record = fuzzed(bot)
    assert [finding.severity for finding in found] == ["error"]
    finding = found[0]
    assert "It raises an exception in action() as" in finding.sentence
    assert "raise KeyError('few')" in finding.detail
    failure = record.failures[0]
    assert failure.reason == "exception"
    assert failure.ply == record.states[-1].ply
    assert finding.command == (
        "debug",
        "kept.jsonl",
        "--side",
        record.game.sides[failure.side],
        "--at",
        str(failure.ply),
    )
    shrunk = re.search(r"kept.jsonl is a match of (\d+) turns, shrunk from (\d+)", finding.advice)
    assert shrunk
    assert int(shrunk[1]) == failure.ply < int(shrunk[2])


def test_with_start_the_match_begins_right_before_the_fault(here):
    """A player that can be put anywhere is put before the failing turn, so that there is nothing else in the match."""
    bot = player(here, "if self.state.phase == 'moving' and len(actions) < 14: raise KeyError('few')", start=True)
    found, record = fuzzed(bot)
    assert found[0].severity == "error"
    assert record.turns == ()
    assert len(record.opening) == record.failures[0].ply


def test_a_player_that_cannot_pass(here):
    """Positions without a legal move are brought about for a player that can begin anywhere."""
    bot = player(here, "actions = [each for each in actions if each is not None]", start=True)
    found, record = fuzzed(bot, 200, "hexxagon")
    assert found[0].severity == "error"
    assert "Cannot choose from an empty sequence" in found[0].sentence
    assert list(record.states[-1].legal_actions()) == [None]


def test_an_illegal_action(here):
    """A board that goes wrong shows in an illegal action."""
    bot = player(here, "if turns > 30: return self.first", "self.first = actions[0]")
    found, record = fuzzed(bot)
    assert found[0].topic == "illegal action"
    assert record.failures[0].reason == "illegal action"


def test_a_fault_that_does_not_come_again(here):
    """A fault by chance that no seed governs is kept as it happened, and told as such."""
    bot = player(here, "if random.Random().random() < 0.02: raise KeyError('chance')")
    found, record = fuzzed(bot)
    assert found[0].severity == "error"
    assert record.failures
    said = found[0].advice
    assert "it did not fail" in said or "kept.jsonl is" in said


def test_cannot_start(here):
    """A player that cannot be made at all is told so, and nothing is played."""
    (here / "bot.py").write_text("import nothing_of_this_name\n")
    found, record = fuzzed("bot.py")
    assert [finding.topic for finding in found] == ["start"]
    assert record is None


@pytest.mark.parametrize("game", sorted(set(Game.ids()) - {"weaponized_chess"}))
def test_awkward_positions_are_legal(monkeypatch, game):
    """In every game, each action that leads there is legal, and it is the side's turn then."""
    monkeypatch.setattr("watch_your_back.diagnosis.positions._LOOKS", 3_000)
    rules = Game.load(game)
    for number, bias in enumerate(BIASES):
        state = rules.initial()
        actions = awkward(rules, number % 2, bias, Random(number))
        for action in actions:
            state = state.play(state.check(action))
        assert not actions or (state.outcome is None and state.to_move == number % 2)


def test_biases_do_what_they_are_called():
    """Opponents that take make shorter matches with fewer pieces than those that avoid it."""
    rules = Game.load("watch_your_back")

    def pieces(bias):
        total = 0
        for seed in range(6):
            rng = Random(seed)
            choose, state = chooser(bias, rules, rng), rules.initial()
            while state.outcome is None and state.ply < 60:
                state = state.play(state.check(choose(state)))
            total += state.count_pieces(0) + state.count_pieces(1)
        return total

    assert pieces("crowding") > pieces("random") > pieces("taking")


def wyb(*words, typed=""):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "watch_your_back", *words]
    return subprocess.run(command, env=environment, input=typed, capture_output=True, text=True, timeout=300)


def test_from_fuzzing_to_the_debugger(here):
    """The command that is printed leads to the line that fails."""
    player(here, "if turns == 9: raise KeyError('nine')")
    ended = wyb("check", "--fuzz", "bot.py")
    assert ended.returncode == 1, ended.stderr
    again = re.search(r"again: wyb (debug bot-fuzz.jsonl .*)", ended.stdout)
    assert again
    debugged = wyb(*shlex.split(again[1]), typed="c\np turns\nq\n")
    assert "Now: exception in action(): KeyError: 'nine'." in debugged.stdout
    assert "(Pdb) 9" in debugged.stdout


def test_json(here):
    """For programs, the same as an object; the record goes where --record says."""
    player(here, "if turns == 9: raise KeyError('nine')")
    ended = wyb("check", "bot.py", "--fuzz", "5", "--json", "--record", "it.jsonl")
    assert ended.returncode == 1
    told = json.loads(ended.stdout)
    assert told["fit"] is False
    assert told["findings"][0]["command"][:2] == ["debug", "it.jsonl"]
    assert Record.load("it.jsonl").failures


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("random", "--record", "x.jsonl"), "--record goes with --fuzz"),
        (("random", "--fuzz=0"), "0 is not a number of matches"),
        (("random", "--fuzz=soon"), "'soon' is not a time such as 90s, 10m or 1h30m"),
        (("random", "--fuzz", "3", "--record", "nowhere/x.jsonl"), "cannot be written to nowhere/x.jsonl"),
    ],
)
def test_mistakes(here, words, line):
    """What cannot be done is said in one line."""
    ended = wyb("check", *words)
    assert ended.returncode == 2
    assert line in ended.stderr
    assert ended.stderr.count("\n") == 1

"""`wyb check`: each way in which players are known to fail is found, named, and explained."""

import json
import re
import shlex
from contextlib import closing

import pytest

from watch_your_back.agents import find
from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.limits import Limits
from watch_your_back.diagnosis import diagnose
from watch_your_back.game import Game
from watch_your_back.testing import check_agent

HONEST = """\
import random

from watch_your_back.game import Game


class Player:
    def __init__(self, colour):
        self.colour = colour
        self.state = Game.load("watch_your_back").initial()
        self.begin()

    def begin(self):
        pass

    def action(self, turns):
        action = self.choose(turns, list(self.state.legal_actions()))
        self.state = self.state.play(action)
        return action

    def choose(self, turns, actions):
        return random.choice(actions)

    def update(self, action):
        self.state = self.state.play(action)
"""

LIMITS = Limits(20, 100)


@pytest.fixture
def here(tmp_path, monkeypatch, kept_zygotes):
    """An empty current directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def player(here, *changes, name="bot.py"):
    """Write a player that is like the honest one but for these changes, pairs of what there was and what there is."""
    text = HONEST
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (here / name).write_text(text)
    return name


def choosing(*lines):
    """The change that puts lines before the honest choice."""
    honest = "        return random.choice(actions)\n"
    return honest, "".join(f"        {line}\n" for line in lines) + honest


@pytest.fixture(scope="module")
def findings():
    """What is found out about an agent, always by way of the same zygote."""
    with closing(Confinement()) as confinement:

        def found(spec, matches=4, limits=LIMITS):
            rules = Game.load("watch_your_back")
            return list(diagnose(find(spec), rules, limits, matches=matches, confinement=confinement))

        yield found


def only(found, topic):
    """The one finding on a topic."""
    chosen = [finding for finding in found if finding.topic == topic]
    assert len(chosen) == 1, found
    return chosen[0]


def errors(found):
    return [finding for finding in found if finding.severity == "error"]


def test_honest_player(here, findings):
    """A player without a fault gets no error, and is told how it did and how near it came to the limits."""
    found = findings(player(here))
    assert errors(found) == []
    assert only(found, "legal").sentence == "It acts legally and without a fault in all of 4 matches."
    assert re.search(
        r"would use \d+% of the time limit .* and \d+% of the memory limit", only(found, "limits").sentence
    )
    assert only(found, "pass").severity == "ok"
    assert only(found, "repeat").severity == "ok"
    assert "the board shrank twice" in only(found, "matches").sentence


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        pytest.param([("class Player", "class Bot")], "It cannot be started: .* has no class Player", id="class"),
        pytest.param([("def action(", "def actions(")], "has no method action; it has actions", id="method"),
        pytest.param([("def update(self, action)", "def update(self)")], "update takes no argument", id="signature"),
        pytest.param([("__init__(self, colour)", "__init__(self, colour, depth)")], "colour, depth", id="constructor"),
        pytest.param([("import random", "import randomness")], "No module named 'randomness'", id="module"),
        pytest.param([("import random\n", "import random\nfrom numpy import bool8\n")], "np.bool_", id="numpy"),
        pytest.param([("        pass\n", "        open('book.json')\n")], r"in __init__\(\): FileNotFound", id="file"),
        pytest.param([("        pass\n", "        input()\n")], "EOFError: .* no keyboard", id="keyboard"),
        pytest.param([("        pass\n", "        import os; os._exit(3)\n")], "exited with status 3", id="exit"),
        pytest.param([("class Player:", "class Player")], "SyntaxError", id="syntax"),
    ],
)
def test_cannot_start(here, findings, changes, sentence):
    """What keeps a player from being started is said once, and nothing else is tried."""
    found = findings(player(here, *changes))
    assert [finding.topic for finding in found] == ["start"]
    assert found[0].severity == "error"
    assert re.search(sentence, found[0].sentence)


def test_cannot_start_as_one_side(here, findings):
    """A player that can be made for one side only plays that one."""
    found = findings(player(here, ("        pass\n", '        assert self.colour == "white"\n')))
    assert "It cannot be started as black (as white it can): it fails in __init__(): Assertion" in found[0].sentence
    assert "assert self.colour" in found[0].detail
    assert only(found, "legal").sentence.endswith("in all of 2 matches.")


def test_pass_of_the_opponent(here, findings):
    """A player that cannot take update(None) is found out although no match brings it."""
    found = findings(player(here, ("(self, action):\n", "(self, action):\n        target = action[1]\n")))
    assert [finding.topic for finding in errors(found)] == ["pass"]
    finding = only(found, "pass")
    assert "fails when it is told that the opponent passed, update(None): TypeError" in finding.sentence
    assert "Return from update()" in finding.advice
    assert "target = action[1]" in finding.detail
    assert finding.command == ("check", "bot.py", "-n", "0", "-t", "20", "-s", "100", "--seed", "0")


def test_confused_by_a_pass(here, findings):
    """An illegal action after update(None) is found as well."""
    change = (
        "        self.state = self.state.play(action)\n",
        "        if action:\n            self.state = self.state.play(action)\n",
    )
    head, update = HONEST.split("    def update")
    (here / "bot.py").write_text(head + "    def update" + update.replace(*change))
    finding = only(findings("bot.py", matches=0), "pass")
    assert finding.severity == "error"
    assert "takes an illegal action in action() after it was told that the opponent passed" in finding.sentence


def test_illegal_action(here, findings):
    """An illegal action is told with the board, what it may come from, and the command that shows it again."""
    repeat = choosing("self.last = getattr(self, 'last', None) or actions[0]", "if turns > 30: return self.last")
    found = findings(
        player(
            here,
            repeat,
            (
                "self.state.play(action)\n        return",
                "self.state.play(action) if action in self.state.legal_actions() else None\n        return",
            ),
        )
    )
    finding = only(found, "illegal action")
    assert re.match(r"It takes an illegal action in all of 4 matches, the first time at turn \d+", finding.sentence)
    assert "own board" in finding.advice
    assert "turns into the moving phase" in finding.detail
    assert finding.command == ("play", "bot.py", "random", "-t", "20", "-s", "100", "--seed", "0")


def test_wrong_form(here, findings):
    """An action of the wrong form is told with how to mend it, and nothing about boards."""
    finding = only(
        findings(player(here, ("        return action\n", "        return 0.5, 3\n")), matches=1), "illegal action"
    )
    assert "float" in finding.sentence
    assert finding.advice == ""


def test_one_colour(here, findings):
    """A fault of one colour only is told as such."""
    change = choosing('assert self.colour == "white" or turns < 40')
    finding = only(findings(player(here, change)), "exception")
    assert "in action() as black in all of 2 matches, never as white, the first time at turn 41" in finding.sentence
    assert "Only as black" in finding.advice


@pytest.mark.parametrize(("colour", "whose"), [("white", "update() has to see"), ("black", "without an update()")])
def test_shrinking_board(here, findings, colour, whose):
    """A crash when the board shrinks is reached, and told as such."""
    change = choosing(f'if turns in (128, 129): assert self.colour != "{colour}"')
    finding = only(findings(player(here, change)), "exception")
    assert f"as {colour} in" in finding.sentence
    assert "turn 12" in finding.sentence
    assert "The board has just shrunk" in finding.advice
    assert whose in finding.advice


def test_same_fault_is_told_once(here, findings):
    """Faults at the same place in the sources are one finding, at two places two."""
    change = choosing("if turns == 50: raise KeyError(len(actions))", "if turns == 51: raise KeyError(len(actions))")
    found = errors(findings(player(here, change)))
    assert [finding.topic for finding in found] == ["exception", "exception"]
    assert all("never as" in finding.sentence for finding in found)


def test_endless_loop(here, findings):
    """A call that never returns is told with the line where it was stopped, after one match for each kind."""
    limits = Limits(0.2, 100)
    found = findings(player(here, choosing("while turns > 20:", "    pass")), matches=8, limits=limits)
    finding = only(found, "time limit")
    assert "It goes over the time limit in action() in all of 4 matches" in finding.sentence
    assert re.search(r"bot\.py\", line 2\d in choose", finding.detail)


def test_memory(here, findings):
    """Memory that grows without bound is told."""
    changes = [
        ("        pass\n", "        self.hoard = []\n"),
        choosing("self.hoard.append(bytes(1 << 22).replace(b'0', b'1'))"),
    ]
    found = findings(player(here, *changes), matches=1, limits=Limits(20, 40))
    assert "It goes over the memory limit in action() in the match" in only(found, "memory limit").sentence


def test_exit(here, findings):
    """A player that ends its process is told so."""
    found = findings(player(here, choosing("if turns == 30: import os; os._exit(0)")), matches=1)
    assert "It ends its own process in action() in the match" in only(found, "player exited").sentence


def test_no_reserve(here, findings):
    """A player that comes close to a limit is warned."""
    finding = only(
        findings(
            player(here, ("        pass\n", "        self.hoard = b'1' * (36 << 20)\n")),
            matches=1,
            limits=Limits(20, 40),
        ),
        "limits",
    )
    assert finding.severity == "warning"
    assert "Leave a reserve" in finding.advice


def test_output(here, findings):
    """How much a player prints is told."""
    finding = only(findings(player(here, ("        pass\n", "        print('hello')\n")), matches=2), "output")
    assert finding.severity == "note"
    assert finding.sentence == "It prints up to 6 characters in a match."


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        pytest.param(
            "return actions[os.urandom(1)[0] % len(actions)]", "does not play the same match again", id="drawn"
        ),
        pytest.param(
            "return ast.literal_eval(list(set(map(str, actions)))[0])", "depends on the order of a set", id="set"
        ),
    ],
)
def test_not_reproducible(here, findings, choice, sentence):
    """A player that acts differently with the same seed, or with another order of sets, is told so."""
    finding = only(
        findings(player(here, ("import random\n", "import ast\nimport os\nimport random\n"), choosing(choice))),
        "repeat",
    )
    assert finding.severity == "note"
    assert sentence in finding.sentence


def test_last_action(here, findings):
    """A player that fails when it is told of the action by which it lost is warned, though that costs nothing here."""
    found = findings(
        player(here, ("(self, action):\n", "(self, action):\n        assert self.state.play(action).outcome is None\n"))
    )
    assert errors(found) == []
    assert "It fails when it is told of the last action" in only(found, "end").sentence
    assert only(found, "end").severity == "warning"


def test_finish(here, findings):
    """A fault in finish is a warning: the match is over."""
    found = findings(
        player(
            here, ("    def begin", "    def finish(self, outcome):\n        raise OSError(outcome)\n\n    def begin")
        ),
        matches=1,
    )
    assert errors(found) == []
    assert "It fails in finish() when it is told the result" in only(found, "end").sentence


class TestCommand:
    def test_good(self, wyb, here):
        """Nothing wrong: exit code 0, and a last line that says so."""
        result = wyb("check", player(here), "-n", "2")
        assert result.code == 0
        assert result.out.splitlines()[-1] == "Nothing was found that would lose bot a match."

    def test_bad(self, wyb, here):
        """A fault: exit code 1, the traceback from the player's own frames, and a command that shows it again."""
        result = wyb("check", player(here, choosing("if turns == 40: return 1 / 0")), "-n", "1")
        assert result.code == 1
        assert "| ZeroDivisionError: division by zero" in result.out
        assert "confine" not in result.out
        assert result.out.splitlines()[-1] == "bot has 1 fault that would lose a match."
        (command,) = re.findall("again: wyb (.*)", result.out)
        again = wyb(*shlex.split(command))
        assert "ZeroDivisionError" in again.out
        assert again.out.splitlines()[-1] == "winner: B!"

    def test_referee_at_hand(self, wyb, here):
        """Where referee.py is at hand, that is what to run again."""
        (here / "referee.py").touch()
        result = wyb("check", player(here, choosing("return None")), "-n", "1", "-o", "turn_cap=99")
        assert "again: python referee.py bot.py random -t 60 -s 100 -o turn_cap=99 --seed 0\n" in result.out

    def test_quiet(self, wyb, here):
        """Quiet says nothing about what is as it should be."""
        assert wyb("check", player(here), "-n", "1", "-q").out == ""

    def test_json(self, wyb, here):
        """The findings as one JSON object."""
        result = wyb("check", player(here, choosing("return None")), "-n", "2", "--json", "--seed", "5")
        told = json.loads(result.out)
        assert result.code == 1
        assert told["fit"] is False
        assert told["seed"] == 5
        assert told["limits"] == {"cpu_s": 60.0, "memory_mb": 100.0, "profile": "fair"}
        assert {"severity", "topic", "sentence", "advice", "detail", "command"} == set(told["findings"][0])

    def test_hostile_words(self, wyb, here):
        """What a player says cannot command the terminal."""
        result = wyb("check", player(here, choosing(r'raise ValueError("\x1b[2J\x1b]0;pwned\x07")')), "-n", "1")
        assert "ValueError" in result.out
        assert "\x1b" not in result.out

    @pytest.mark.parametrize("spec", ["nobody.py", "human"])
    def test_nothing_to_check(self, wyb, here, spec):
        """No such agent, or no program: a mistake of the user's."""
        result = wyb("check", spec)
        assert result.code == 2
        assert len(result.err.splitlines()) == 1


def test_check_agent(here):
    """For use in tests of one's own: nothing happens for a good agent, a bad one fails with all that is known."""
    check_agent(player(here), matches=1)
    with pytest.raises(AssertionError, match=r"It raises an exception in action\(\) .*ZeroDivisionError") as caught:
        check_agent(player(here, choosing("return 1 // 0"), name="other.py"), matches=1)
    assert "return 1 // 0" in str(caught.value)

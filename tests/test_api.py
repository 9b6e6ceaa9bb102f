"""`watch_your_back.play` and `compare`: agents as specs and as classes, results as values that show themselves."""

import random
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from parsed_html import Parsed

import watch_your_back
from watch_your_back import AgentNotFound, Comparison, Game, Limits, Record, Unconfined, compare, play
from watch_your_back.api import classes, playing
from watch_your_back.api.classes import agents_of
from watch_your_back.confine.faults import ConfinementError, TierUnavailable
from watch_your_back.game import OptionError
from watch_your_back.match.events import ActionTaken, MatchEnded

ROOT = Path(__file__).parent.parent
LEVEL = 3

pytestmark = pytest.mark.usefixtures("kept_zygotes")


class Follower:
    """Keeps the state; a base of the classes that are defined in tests."""

    def __init__(self, colour, game="watch_your_back"):
        self.state = Game.load(game).initial()

    def update(self, action):
        """The opponent's action."""
        self.state = self.state.play(action)

    def action(self, turns):
        """Any legal action."""
        action = self.choose(list(self.state.legal_actions()))
        self.state = self.state.play(action)
        return action

    def choose(self, actions):
        """The first one."""
        return actions[0]


def program(text, folder, *words):
    """Run a program of its own, in a folder."""
    file = folder / "program.py"
    file.write_text(textwrap.dedent(text))
    return subprocess.run(
        [sys.executable, "-W", "error", *(words or [file.name])],
        cwd=folder, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip


def test_a_match_is_a_value():
    """Who won and why, every state, and the record, from a call with two specs."""
    result = play("greedy", "random", seed=3)
    assert (result.winner, result.reason) == ("white", "eliminated")
    assert result.outcome == (0, "eliminated")
    assert len(result.states) == len(result.record.turns) + 1
    assert result.states[-1].outcome == result.outcome
    assert result.record.seed == 3
    assert repr(result) == (
        f"<White (greedy) wins: Black was eliminated ({len(result.record.turns)} turns), seed 3, tier {result.tier}>"
    )
    assert not result.failures


def test_the_same_seed_gives_the_same_match():
    """As with `wyb play --seed`; without one they differ."""
    one, other = (play("random", "random", seed=5).record.actions for _ in range(2))
    assert one == other
    assert play("random", "random").record.seed != play("random", "random").record.seed


def test_games_and_their_options_are_chosen(tmp_path):
    """By id, or as a Game with options."""
    assert play("random", "random", game="hexxagon", seed=1).game.id == "hexxagon"
    result = play("random", "random", game=Game.load("go", size=5), seed=1, limits=Limits(60, 100))
    assert result.game.options.size == 5
    assert result.record.limits == Limits(60, 100)


def test_a_result_can_be_saved_and_replayed(tmp_path):
    """As a record like any other, compressed by its name, and as a page."""
    result = play("greedy", "random", seed=3)
    for name in ("match.jsonl", "match.jsonl.gz"):
        result.save(tmp_path / name)
        assert Record.load(tmp_path / name).actions == result.record.actions
    assert (tmp_path / "match.jsonl.gz").stat().st_size < (tmp_path / "match.jsonl").stat().st_size / 2
    assert result.html().startswith("<!DOCTYPE html>")


def test_every_event_can_be_listened_to():
    """For a display, or to stop early by an exception, which comes out; the next match is not disturbed by it."""
    seen = []
    play("random", "random", seed=1, listen=seen.append)
    assert isinstance(seen[-1], MatchEnded)

    class Enough(Exception):
        pass

    def stop(event):
        if isinstance(event, ActionTaken) and event.ply == 5:
            raise Enough

    with pytest.raises(Enough):
        play("random", "random", listen=stop)
    assert play("random", "random", seed=1).record.actions == tuple(
        e.action for e in seen if isinstance(e, ActionTaken)
    )


def test_a_match_within_a_match_is_no_problem():
    """The inner one gets processes of its own."""
    inner = []

    def listen(event):
        if isinstance(event, ActionTaken) and event.ply == 3:
            inner.append(play("random", "random", seed=2))

    play("random", "random", seed=1, listen=listen)
    assert inner[0].record.actions == play("random", "random", seed=2).record.actions


def test_a_class_in_a_file_is_played_from_there():
    """Under its name, with the fingerprint of its sources."""
    result = play(Follower, "random", seed=1)
    assert not result.failures
    agent = result.record.agents[0]
    assert (agent.name, agent.spec.rpartition("/")[2]) == ("Follower", "test_api.py:Follower")


def test_a_class_in_no_file_is_played_all_the_same():
    """With its base, the values that it uses, and a class that it makes; its process is as confined as any other."""
    level = 2

    class Helper:
        def pick(self, actions):
            return actions[level + LEVEL]

    class Local(Follower):
        helper = Helper()

        def choose(self, actions):
            return self.helper.pick(actions) if len(actions) > 10 else actions[-1]

    result = play(Local, "random", seed=1)
    assert not result.failures
    assert result.record.turns[0].action == list(result.states[0].legal_actions())[5]
    assert result.record.agents[0].name == "Local"
    assert "<locals>.Local" in result.record.agents[0].spec
    assert result.tier == play("random", "random", seed=1).tier


def test_a_class_in_no_file_is_tested_where_it_is_confined():
    """It can neither read the program's other files nor change its values."""
    touched = []

    class Prying(Follower):
        def choose(self, actions):
            touched.append(1)
            with open("/etc/passwd") as file:
                print(file.read(5))
            return actions[0]

    result = play(Prying, "random", seed=1)
    if result.tier in ("full", "landlock"):
        assert "PermissionError" in result.failures[0].traceback
    assert not touched


def test_tracebacks_of_a_class_in_no_file_show_its_source():
    """The line that failed, as in any traceback, and no path of this machine."""

    class Failing(Follower):
        def choose(self, actions):
            return actions[1_000]  # too far

    failure = play("random", Failing, seed=1).failures[0]
    assert failure.reason == "exception"
    assert "return actions[1_000]  # too far" in failure.traceback
    assert 'File "test_api.py", line ' in failure.traceback
    assert str(Path.home()) not in failure.traceback


def test_what_cannot_be_sent_is_refused_in_one_sentence():
    """A lock is of this process only."""
    import threading

    lock = threading.Lock()

    class Locked(Follower):
        def choose(self, actions):
            with lock:
                return actions[0]

    with pytest.raises(
        AgentNotFound, match=r"the class Locked is in no file, and cannot be sent to a process of its own"
    ):
        play(Locked, "random")


def test_without_cloudpickle_it_says_what_to_do(monkeypatch):
    """Install it, or write a file."""

    class Local(Follower):
        pass

    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(
        AgentNotFound, match=r"to play it all the same takes cloudpickle: pip install cloudpickle, or write"
    ):
        play(Local, "random")


def test_nothing_is_left_of_a_class_that_was_written(monkeypatch, tmp_path):
    """The folder that it was sent in is deleted after the match."""

    class Local(Follower):
        pass

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    play(Local, "random", seed=1)
    playing._close_kept()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("wyb-class-")] == []


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("greedyy", AgentNotFound, "did you mean greedy"),
        (3, TypeError, "an agent is a spec such as 'greedy' or 'my_bot.py', or a class, not 3"),
        (Follower("white"), TypeError, "name the class itself, without calling it"),
    ],
)
def test_what_is_no_agent_is_refused(given, error, message):
    """With what was expected."""
    with pytest.raises(error, match=message):
        play(given, "random")


def test_what_is_wrong_with_the_setting_is_an_exception():
    """An unknown game, an option out of range, a tier that cannot be had."""
    with pytest.raises(LookupError, match="there is no game 'ggo'"):
        play("random", "random", game="ggo")
    with pytest.raises(OptionError):
        play("random", "random", game=Game.load("go", size=99))
    with pytest.raises((TierUnavailable, AgentNotFound)):
        play("gtp:cat", "random", game="go", require_tier="full")


def test_ctrl_c_is_a_keyboard_interrupt():
    """Not a result; the next match can be played at once."""

    def interrupt(event):
        if isinstance(event, ActionTaken):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play("random", "random", listen=interrupt)
    assert play("random", "random", seed=1).winner in ("white", "black", None)


def test_a_failing_referee_is_an_exception(monkeypatch):
    """Nothing was found out about the players."""
    monkeypatch.setattr("watch_your_back.match.loop._Course.turns", lambda self: 1 / 0)
    with pytest.raises(ConfinementError, match="ZeroDivisionError"):
        play("random", "random")


def test_weak_confinement_is_told(monkeypatch):
    """As a warning that says what players could do."""
    monkeypatch.setattr(playing, "Confinement", lambda: watch_your_back.match.Confinement("rlimits"))
    playing._close_kept()
    with pytest.warns(Unconfined, match="at the tier rlimits only: players can read and write files"):
        result = play("random", "random", seed=1)
    playing._close_kept()
    assert "tier rlimits" in repr(result)


SCRIPT = """
    import random
    import watch_your_back
    from watch_your_back.game import Game
    import beside

    class Bot:
        def __init__(self, colour):
            self.state = Game.load("watch_your_back").initial()

        def update(self, action):
            self.state = self.state.play(action)

        def action(self, turns):
            action = beside.choose(list(self.state.legal_actions()))
            self.state = self.state.play(action)
            return action

    print(watch_your_back.play(Bot, "random", seed=1).failures)
    print(watch_your_back.compare(Bot, "random", matches=2, seed=1).tally.matches)
"""


def test_a_program_plays_its_own_classes(tmp_path):
    """Without a guard, with a module beside it; neither players nor workers run the program again."""
    (tmp_path / "beside.py").write_text("def choose(actions):\n    return actions[0]\n")
    ended = program(SCRIPT, tmp_path)
    assert (ended.stdout, ended.stderr) == ("()\n2\n", "")


def test_an_agent_that_plays_matches_when_imported_is_told_so(tmp_path):
    """Instead of starting players from players without end."""
    (tmp_path / "agent.py").write_text("import watch_your_back\nwatch_your_back.play('random', 'random')\n")
    failure = play(tmp_path / "agent.py", "random").failures[0]
    assert failure.reason == "could not start"
    assert 'put the call below if __name__ == "__main__":' in failure.detail


def test_importing_the_package_is_light(tmp_path):
    """Neither numpy nor any part of the package is imported before something is asked for."""
    code = "import sys, watch_your_back; print([m for m in sys.modules if 'numpy' in m or 'watch_your_back.' in m])"
    ended = program("", tmp_path, "-c", code)
    assert ended.stdout == "[]\n"


def test_names_of_the_package_are_listed_and_no_others_are_there():
    """For completion in a notebook."""
    assert {"play", "compare", "Limits", "Game", "Result"} <= set(dir(watch_your_back))
    for name in watch_your_back.__all__:
        assert getattr(watch_your_back, name)
    with pytest.raises(AttributeError, match="has no attribute 'plya'"):
        watch_your_back.plya  # noqa: B018


@pytest.fixture(scope="module")
def compared():
    """A comparison of eight matches, and how it stood after each pair."""
    standings = []
    found = compare("greedy", "random", matches=8, seed=1, jobs=2, limits=Limits(30, 100), progress=standings.append)
    return found, standings


def test_a_comparison_is_a_value(compared):
    """Score, Elo with its interval, the verdict in words, and every match."""
    found, standings = compared
    assert isinstance(found, Comparison)
    assert found.tally.matches == 8
    assert 0.5 < found.score <= 1
    assert found.elo.low > 0
    assert (found.verdict, found.names) == ("better", ("greedy", "random"))
    assert repr(found) == f"<{found.sentence}>"
    assert [standing.tally.matches for standing in standings] == [2, 4, 6, 8]
    assert len(found.matches) == 8
    assert {match.record.agents[0].name for match in found.matches} == {"greedy", "random"}


def test_a_comparison_is_the_one_of_the_command(compared, kept_workers):
    """With the same seed the same matches, whatever the number of workers."""
    again = compare("greedy", "random", matches=8, seed=1, jobs=1, limits=Limits(30, 100), keep_records=False)
    assert again.tally == compared[0].tally == compared[0].series.totals.results.tally
    assert again.matches == ()


def test_classes_are_compared_too(kept_workers):
    """Those in no file are sent to the workers' players."""

    class Last(Follower):
        def choose(self, actions):
            return random.choice(actions)

    found = compare(Last, "random", matches=2, seed=1, jobs=1)
    assert not any(match.failures for match in found.matches)
    assert found.names == ("Last", "random")


def test_a_comparison_shows_itself(compared):
    """Tables with the scores by side, the figures, time and memory; whatever agents are called stays text."""
    parsed = Parsed(compared[0]._repr_html_())
    assert [words for _, words in parsed.all("b")] == [compared[0].sentence]
    cells = [words for _, words in parsed.all("th")]
    assert {"as white", "as black", "in all", "Elo", "seed"} <= set(cells)
    assert not {"script", "style"} & {tag for tag, _, _ in parsed.elements}


def test_failures_are_told_in_a_comparison(kept_workers):
    """The first of each kind, with its traceback as text."""

    class Failing(Follower):
        def choose(self, actions):
            raise ValueError("<script>alert(1)</script>")

    found = compare(Failing, "random", matches=2, seed=1, jobs=1)
    parsed = Parsed(found._repr_html_())
    assert "ValueError: <script>alert(1)</script>" in parsed.all("pre")[0][1]
    assert not parsed.all("script")


@pytest.mark.parametrize(
    ("bad", "message"), [({"matches": 0}, "at least 1 match, not 0"), ({"sprt": (5, 5)}, "the smaller one, not 5 5")]
)
def test_a_comparison_that_makes_no_sense_is_refused(bad, message):
    """In one sentence."""
    with pytest.raises(ValueError, match=message):
        compare("greedy", "random", **bad)
    with pytest.raises(ValueError, match="is a person at the keyboard"):
        compare("greedy", "human")


def test_results_and_states_show_themselves():
    """A replay in a frame after a sentence; a board with whose turn it is."""
    result = play("greedy", "random", seed=3)
    parsed = Parsed(f"<div>{result._repr_html_()}</div>")
    assert parsed.all("p")[0][1] == "White (greedy) wins: Black was eliminated (82 turns)."
    assert len(parsed.all("iframe")) == 1
    assert result.record._repr_html_() == result._repr_html_()
    for id in Game.ids():
        state = Game.load(id).initial()
        drawn = Parsed(state._repr_html_())
        assert state.game.title in drawn.all("figcaption")[0][1]
        assert len(drawn.all("svg")) == 1
    assert Parsed(result.states[-1]._repr_html_()).all("figcaption")[0][1].endswith("White won: eliminated")


def test_the_programs_of_the_document_work(tmp_path):
    """One after another, as a reader would type them."""
    text = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    ended = program("import warnings\nwarnings.simplefilter('ignore')\n" + code, tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("white eliminated\n")
    assert "\nillegal action White placed on (0, 0), but " in ended.stdout
    assert Record.load(tmp_path / "match.jsonl.gz").complete


def test_classes_are_found_where_they_can_be_imported(monkeypatch):
    """What a module does not have under its own name was not meant to be imported."""
    assert classes._file_of(Follower) == Path(__file__)
    assert classes._file_of(type("Follower", (Follower,), {"__module__": __name__})) is None
    assert classes._file_of(int) is None


def test_numpy_is_there_beforehand_for_a_class_that_is_in_no_file():
    """What it uses is known only when it is unpickled; importing NumPy is then not charged to it."""
    cell = {"__name__": "__main__"}
    exec("class Mine:\n def action(self, turns): ...\n def update(self, action): ...", cell)
    with agents_of(cell["Mine"], "random") as (mine, other):
        assert (mine.numpy, other.numpy) == (True, False)

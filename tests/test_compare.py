"""`wyb compare`: what it prints, how it ends, and what it refuses."""

import itertools
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import psutil
import pytest
from outliving import outliving
from test_series import AGENTS

from watch_your_back.cli import compare as module
from watch_your_back.cli import load
from watch_your_back.confine.faults import ConfinementError, TierUnavailable
from watch_your_back.game import Game
from watch_your_back.match.record import Record
from watch_your_back.tournament.tasks import MatchResult

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "tests" / "data" / "compare.schema.json").read_text())
QUICK = ("-j", "1", "--seed", "7", "-o", "turn_cap=4")


@pytest.fixture(autouse=True)
def somewhere(tmp_path, monkeypatch):
    """A directory of the user's own, with agents of known behaviour."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "known.py").write_text(AGENTS)
    return tmp_path


@pytest.fixture
def compare(wyb, kept_workers):
    """`wyb compare` with short matches and one seed."""
    return lambda *words: wyb("compare", *QUICK, *words)


@pytest.fixture
def compared(compare):
    """What `wyb compare --json` prints, which must be as its schema says."""

    def command(*words):
        ended = compare("--json", *words)
        assert ended.code == 0, ended.err
        assert "NaN" not in ended.out
        assert "Infinity" not in ended.out
        told = json.loads(ended.out)
        jsonschema.validate(told, SCHEMA)
        return told

    return command


def test_the_verdict_comes_first_and_then_what_it_rests_on(compare):
    """Within 80 columns, with nothing that a student would have to look up before the verdict is clear."""
    ended = compare("known.py:Strong", "known.py:Weak", "-n", "32")
    lines = ended.out.splitlines()
    assert ended.code == 0
    assert lines[0].startswith("known:Strong is better than known:Weak. known:Strong got ")
    assert max(map(len, lines)) <= 80
    for row in (
        r"32 matches, 16 pairs with the sides swapped, in .*:",
        r"  known:Strong +won +drawn +lost +score",
        r"  as white +\d+ +\d+ +\d+ +\d+ %",
        r"  in all +\d+ +\d+ +\d+ +\d+ %",
        r"  Elo +\+\d+ \(\+\d+ to \+\d+\) +for known:Strong, with the 95 % interval",
        r"  LOS +\S.* %",
        r"  pairs +\[\d+, \d+, \d+, \d+, \d+\]",
        r"  distinct +\d+ of 32",
        r"  ended by +.*resigned \d+",
        r"  in a match +CPU time \(limit 60 s\) +memory \(limit 100 MB\) .*",
        r"  known:Weak +\S+ .?s +\S+ .?s +\d+ % +\S+ MB +\S+ MB +\d+ % +\S+ .?s",
    ):
        assert any(re.match(row, line) for line in lines), row
    assert "\x1b" not in ended.out
    assert ended.err.splitlines()[0] == "A: known:Strong (known.py)"
    assert "seed 7, profile fair, 60 s of CPU time and 100 MB of memory for each player" in ended.err


def test_everything_is_in_the_json_object(compared):
    """With stable names, and figures that fit together."""
    told = compared("known.py:Strong", "known.py:Weak", "-n", "31")
    assert (told["verdict"], told["ending"], told["more_matches"]) == ("better", "complete", None)
    assert (told["matches"], told["pairs"], sum(told["pentanomial"])) == (32, 16, 16)
    assert (told["seed"], told["options"], told["limits"]["cpu_s"]) == (7, {"turn_cap": 4}, 60.0)
    for key in ("wins", "draws", "losses"):
        assert told["results"]["total"][key] == sum(side[key] for side in told["results"]["sides"].values())
    assert sum(told["reasons"].values()) == 32
    assert told["elo"]["low"] < told["elo"]["value"]
    assert told["agents"][0]["spec"] == "known.py:Strong"


def test_an_unbeaten_agent_is_so_much_better_at_least(compare, compared):
    """Never infinitely: the open end of an interval is null in JSON."""
    told = compared("random", "known.py:Crash", "-n", "6")
    assert told["elo"]["value"] is told["elo"]["high"] is None
    assert told["elo"]["low"] > 0
    assert re.search(r"  Elo +at least \+\d+ ", compare("random", "known.py:Crash", "-n", "6").out)


def test_the_same_seed_is_the_same_series_whatever_the_number_of_jobs(compared):
    """But for what depends on the speed of the machine."""

    def without_times(told):
        for agent in told["agents"]:
            for name in ("cpu_s", "memory_mb", "slowest_turn_s"):
                del agent[name]
        return {name: value for name, value in told.items() if name != "wall_s"}

    words = ("known.py:Strong", "known.py", "--sprt", "0", "300", "-n", "60")
    one, two = (without_times(compared(*words, "-j", jobs)) for jobs in ("1", "2"))
    assert one == two
    assert one["ending"] == "decided"
    assert one["sprt"]["decision"] == "accept H1"


def test_a_fault_is_shown_with_the_command_that_shows_it_again(compare, compared, wyb):
    """The command plays the match as it was, whichever side the agent had."""
    told = compared("known.py:Crash", "random", "-n", "6")
    (failure,) = told["agents"][0]["failures"]
    assert (failure["reason"], failure["matches"]) == ("exception", sum(failure["sides"].values()))
    again = json.loads(wyb(*failure["command"], "--json").out)
    assert (again["reason"], again["ply"]) == ("exception", failure["ply"])
    shown = compare("known.py:Crash", "random", "-n", "6").out
    assert "  | IndexError: list index out of range\n  again: wyb play " in shown
    assert "were lost by a fault, not by play" in shown.replace("\n", " ")


@pytest.mark.parametrize("words", ["known.py:Crash known.py", "known.py known.py:Crash"])
def test_any_match_can_be_played_again_from_its_record(wyb, compare, somewhere, words):
    """A file for each match, called after the pair and A's side; the seed and the swap bring the match back."""
    assert compare(*words.split(), "-n", "4", "--records", "records").code == 0
    files = sorted(path.name for path in (somewhere / "records").iterdir())
    assert files == [f"pair-000{number}-{side}.jsonl.gz" for number in (1, 2) for side in ("black", "white")]
    for file in files:
        record = Record.load(somewhere / "records" / file)
        swapped = record.slots == (1, 0)
        assert swapped == ("black" in file)
        specs = words.split()[::-1] if swapped else words.split()
        more = ["--swap-seeds"] if swapped else []
        again = wyb("play", *specs, "--json", "-o", "turn_cap=4", "--seed", str(record.seed), *more)
        assert json.loads(again.out)["ply"] == len(record.turns)
    refused = compare(*words.split(), "-n", "4", "--records", "records")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "records holds the records of another series" in refused.err


def test_openings_are_played_by_agents_that_can_be_told_of_them(compared, wyb, somewhere):
    """Each pair has its own, and the command for a match names it."""
    told = compared("known.py:Same", "known.py:Same", "-n", "8", "--openings", "3", "--records", "records")
    assert (told["opening"], told["distinct"]["matches"]) == (3, 8)
    records = [Record.load(path) for path in sorted((somewhere / "records").iterdir())]
    assert [len(record.opening) for record in records] == [3] * 8
    assert len({record.opening for record in records}) == 4


def test_no_opening_is_forced_upon_an_agent(compared):
    """Without the method start it begins as always, and that is said."""
    told = compared("random", "known.py:Strong", "-n", "2", "--openings", "3")
    assert told["opening"] == 0
    (finding,) = [finding for finding in told["findings"] if finding["kind"] == "no openings"]
    assert "since known:Strong has no method start()" in finding["sentence"]


def test_players_that_always_play_the_same_end_the_series(compared, compare):
    """With what that means, and without an estimate that would pretend more."""
    told = compared("known.py:Same", "known.py:Same")
    assert (told["verdict"], told["ending"], told["matches"]) == ("always the same", "deterministic", 6)
    assert told["elo"] == {"value": None, "low": None, "high": None}
    shown = compare("known.py:Same", "known.py:Same").out
    assert shown.startswith("known:Same (A) and known:Same (B) play the same two matches under every seed:")
    assert "Elo" not in shown
    assert "use --openings" in shown.replace("\n", " ")


def test_an_agent_that_cannot_start_is_named_with_its_traceback(compared, compare):
    """At once, whatever was asked for."""
    told = compared("known.py:Broken", "random")
    assert (told["verdict"], told["ending"], told["matches"]) == ("could not start", "could not start", 2)
    shown = compare("known.py:Broken", "random").out
    assert shown.startswith("known:Broken could not start, so they cannot be compared.")
    assert "  | NameError: name 'nothing_of_this_name' is not defined" in shown


def test_a_time_that_is_too_short_is_no_error(wyb):
    """Slow players: nothing is known when the time is up."""
    ended = wyb("compare", *QUICK, "known.py:Slow", "random", "--for", "1s")
    assert (ended.code, ended.out) == (
        0, "Nothing is known yet: no pair of matches was over when the time was up.\n"
    )  # fmt: skip


def test_slow_players_lose_by_the_limit(compared):
    """And the share of the limit tells."""
    told = compared("known.py:Slow", "random", "-n", "2", "-t", "0.1")
    assert told["reasons"] == {"time limit": 2}
    assert told["agents"][0]["cpu_s"]["share_of_limit"] >= 1


def test_quiet_is_one_sentence(compare):
    """For scripts, and for those who only want to know."""
    ended = compare("known.py:Strong", "known.py:Weak", "-n", "16", "-q")
    assert ended.out.startswith("known:Strong is better than known:Weak.")
    assert (ended.out.count("\n"), ended.err) == (1, "seed 7\n")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("known.py:Strong known.py:Weak -n 16", 0),
        ("known.py:Weak known.py:Strong -n 24", 3),
        ("known.py known.py -n 8", 4),
        ("known.py:Same known.py:Same", 4),
        ("random known.py:Broken", 5),
    ],
)
def test_the_exit_code_can_tell_the_verdict(compare, words, code):
    """With `--exit-code`; without, a series that was played is 0."""
    assert compare(*words.split(), "-q", "--exit-code").code == code


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("random", "Missing argument 'B'"),
        ("random randon", "there is no agent 'randon'"),
        ("random human", "human is a person at the keyboard, who cannot be compared"),
        ("random random -n 0", "0 is not in the range"),
        ("random random -n many", "'many' is not a valid integer"),
        ("random random -j 0", "0 is not in the range"),
        ("random random --for 10", "'10' is not a time such as 90s, 10m or 1h30m"),
        ("random random --for 0s", "'0s' is not a time"),
        ("random random --sprt 50 0", "the first of the two Elo differences is the smaller one"),
        ("random random --sprt 0 nan", "'nan' is not a number of Elo"),
        ("random random --sprt 0 9999", "'9999' is not a number of Elo from -2000 up to 2,000"),
        ("random random --sprt 0 50 --alpha 0.7", "0.7 is not in the range"),
        ("random random --beta 0.1", "--alpha and --beta are error rates of the test that --sprt E0 E1 asks for"),
        ("random random --openings 99", "--openings: after 99 actions the game is over"),
        ("random random --openings -1", "-1 is not in the range"),
        ("random random -t 0", "'0' is not a number of seconds above 0"),
        ("random random -s none", "'none' is not a number of MB above 0"),
        ("random random --game chess", "there is no game 'chess'"),
        ("random random -o size=9", "the game has no option 'size'"),
        ("random random --profile official", "'official' is not one of"),
        ("random random --require-tier best", "'best' is not one of"),
        ("random random --records known.py", "known.py"),
        ("random random --records known.py/folder", "the folder known.py/folder cannot be made"),
        ("random random --sprtt 0 50", "--sprt"),
    ],
)
def test_a_mistake_is_one_line(compare, words, part):
    """Exit code 2, nothing on stdout, and one line that says what is wrong."""
    ended = compare(*words.split())
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert part in ended.err


class Refusing:
    """Stands in for workers on a system without any confinement."""

    def __init__(self, jobs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def each(self, call, items, **more):
        raise TierUnavailable(f"at the tier process here, not {next(iter(items)).task.require_tier} as required")


def test_a_tier_that_is_required_is_not_played_without(compare, monkeypatch):
    """Matches that would be weaker are refused, with one line."""
    monkeypatch.setattr(module, "Workers", Refusing)
    ended = compare("random", "random", "--require-tier", "full", "-q")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.splitlines()[-1] == "wyb: at the tier process here, not full as required"


class Dying(Refusing):
    """Stands in for workers that no longer live after three matches."""

    def each(self, call, items, **more):
        for item in itertools.islice(items, 3):
            yield item, MatchResult.lost(item.task, "")._replace(void=False, reason="turn limit", trail=item.task.id)
        raise ConfinementError("worker processes die whatever they are given to do")


def test_results_are_not_lost_when_the_workers_are(compare, monkeypatch):
    """What is known is printed, and the exit code says that it is not all."""
    monkeypatch.setattr(module, "Workers", Dying)
    ended = compare("random", "greedy")
    assert ended.code == 1
    assert "2 matches, 1 pair with the sides swapped" in ended.out
    assert ended.err.endswith("wyb compare: worker processes die whatever they are given to do\n")


class Failing(Refusing):
    """Stands in for workers whose referee always fails."""

    def each(self, call, items, **more):
        for item in items:
            yield item, MatchResult.lost(item.task, "please report this:\nTraceback\nit broke")


def test_a_referee_that_always_fails_is_a_failure(compare, monkeypatch):
    """With all that is known of it."""
    monkeypatch.setattr(module, "Workers", Failing)
    ended = compare("random", "greedy")
    assert (ended.code, ended.out) == (1, "No match counts, since each was void: worker lost: it broke.\n")
    assert "worker lost: please report this:\nTraceback\nit broke\n" in ended.err


def test_records_that_cannot_be_written_end_the_series_with_what_is_known(compare, somewhere, monkeypatch):
    """A full disk is no reason to lose the results."""

    def fail(self, data):
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", fail)
    ended = compare("known.py:Strong", "known.py:Weak", "-n", "40", "--records", "records")
    assert ended.code == 1
    assert "No space left on device: records" in ended.err
    assert "2 matches, 1 pair" in ended.out


def test_the_command_is_listed_and_has_examples():
    """As every other one."""
    assert "wyb compare new.py old.py --for 10m" in load("compare").help


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_prints_what_is_known_and_leaves_no_process(somewhere, number, code):
    """Meanwhile a terminal shows how far the series has come."""
    import pty

    master, terminal = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80", "NO_COLOR": ""}
    words = [sys.executable, "-m", "watch_your_back", "compare", "known.py:Strong", "known.py:Weak", "-n", "100000"]
    with subprocess.Popen([*words, *QUICK], stdout=subprocess.PIPE, stderr=terminal, env=environment) as process:
        os.close(terminal)
        shown = b""
        while not re.search(rb"[2-9]\d* of 100000 matches +score \d+ %", shown):
            shown += os.read(master, 65_536)
        family = psutil.Process(process.pid).children(recursive=True)
        assert len(family) > 2
        process.send_signal(number)
        _drain(master)
        out = process.stdout.read().decode()
    assert process.returncode == code
    assert re.search(r"\d+ matches, \d+ pairs? with the sides swapped, in .* until it was interrupted:", out)
    assert outliving(family) == []


def _drain(descriptor):
    """Read a terminal until its other end is closed, so that nobody waits for it."""
    try:
        while os.read(descriptor, 65_536):
            pass
    except OSError:
        os.close(descriptor)


def test_a_pipe_is_told_nothing_but_the_result(somewhere):
    """No progress where nobody looks, and nothing on stdout that is not the object."""
    words = [sys.executable, "-m", "watch_your_back", "compare", "random", "known.py", "-n", "2", "--json", *QUICK]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert json.loads(ended.stdout)["matches"] == 2
    assert len(ended.stderr.splitlines()) == 3
    assert "\x1b" not in ended.stderr


def test_the_options_of_the_game_count(compared):
    """The same ones as in a match."""
    told = compared("random", "random", "-n", "2", "--game", "watch_your_back")
    assert told["reasons"] == {"turn limit": 2}
    assert told["game"] == Game.load("watch_your_back").id

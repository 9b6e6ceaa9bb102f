"""`wyb tournament` as it is typed: from the first run over every kind of interruption to the exported results."""

import csv
import io
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from outliving import outliving

from watch_your_back.match.record import Record
from watch_your_back.tournament.exclusive import Lock

ROOT = Path(__file__).parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
SHORT = ("-o", "turn_cap=4")  # whole matches, but short ones
WAIT_S = 120  # how long a loaded machine may take over what is soon done

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch, kept_workers):
    """Everything happens in a directory of its own."""
    monkeypatch.chdir(tmp_path)


def rows(query, store="tournament.db"):
    """What is in a store."""
    with closing(sqlite3.connect(store)) as database:
        return database.execute(query).fetchall()


def start(*words):
    """The command as a process of its own, the first of a group of processes as in a shell."""
    command = [sys.executable, "-m", "watch_your_back", "tournament", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    return subprocess.Popen(command, env=ENVIRONMENT, text=True, start_new_session=True, **pipes)


def stored(store="tournament.db"):
    """The ids of the matches that are in a store that may not be there yet."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as database:
            return {id for (id,) in database.execute("SELECT id FROM matches WHERE state = 'counts'")}
    except sqlite3.OperationalError:
        return set()


def wait_for(process, matches):
    """Wait until so many matches are in the store, or the process has ended; its descendants at that moment."""
    family = []
    while process.poll() is None and len(stored()) < matches:
        family = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else family
        try:
            process.wait(0.02)
        except subprocess.TimeoutExpired:
            continue
    return family


def test_a_tournament_from_the_command_line(wyb):
    """Everybody meets everybody on both sides; the table is the result, everything else goes to stderr."""
    ended = wyb("tournament", "run", "random", "greedy", "twin=random", "--rounds", "2", "--seed", "7", *SHORT)
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0] == "watch_your_back (turn_cap 4), round robin, 2 rounds, 60 s and 100 MB (fair), seed 7"
    assert lines[1] == "12 of 12 matches played"
    assert "3 of 3 agents may play; seed 7; store tournament.db" in ended.err
    assert len(stored()) == 12
    assert wyb("tournament", "status").out == ended.out


def test_the_same_command_again_plays_nothing_again(wyb):
    """Not even with another number of workers; and the store alone is enough to go on."""
    words = ("tournament", "run", "random", "greedy", "--seed", "7", *SHORT)
    first = wyb(*words)
    before = rows("SELECT * FROM matches")
    assert wyb(*words, "-j", "1").out == first.out
    assert wyb("tournament", "run", "tournament.db", "-q") == (0, first.out, "")
    assert rows("SELECT * FROM matches") == before


def test_the_seed_is_drawn_once(wyb):
    """And kept in the store, so that going on needs none."""
    words = ("tournament", "run", "random", "greedy", *SHORT)
    assert wyb(*words).out == wyb(*words).out


def test_a_tournament_file(wyb, tmp_path):
    """It says everything, and its store lies beside it."""
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "class.toml").write_text(
        'format = "gauntlet"\nrounds = 2\nseed = 3\n[options]\nturn_cap = 4\n[limits]\ncpu_s = 30\n'
        '[agents]\nours = "random"\nx = "greedy"\ny = "random"\n'
    )
    ended = wyb("tournament", "run", "class/class.toml")
    assert ended.code == 0
    assert "gauntlet, 2 rounds, 30 s and 100 MB (fair), seed 3\n8 of 8 matches played" in ended.out
    assert wyb("tournament", "status", "class/class.toml").out == ended.out
    assert (tmp_path / "class" / "class.db").is_file()


def submissions(folder):
    """Two agents that play, one that cannot be started, and one that is none."""
    text = (ROOT / "players" / "random_player.py").read_text()
    failing = "    def __init__(self, colour):\n        raise ValueError('oops')\n\n    def choose("
    for name, source in (("alice", text), ("bob", text.replace("    def choose(", failing))):
        (folder / name).mkdir(parents=True)
        (folder / name / "player.py").write_text(source)
    (folder / "carol.py").write_text(text)
    (folder / "dave.zip").write_text("no archive")


def test_a_folder_of_submissions(wyb, tmp_path):
    """Who may not play is told, with the reason; the others play, and a mended submission joins them."""
    submissions(tmp_path / "class")
    words = ("tournament", "run", "class", "greedy", "--seed", "1", *SHORT)
    ended = wyb(*words)
    assert ended.code == 0
    assert "bob may not play: It cannot be started: it fails in __init__(): ValueError: oops." in ended.err
    assert "dave may not play: it is damaged, or no archive" in ended.err
    assert "6 of 6 matches played" in ended.out
    assert "bob   unfit  It cannot be started" in ended.out
    (tmp_path / "class" / "bob" / "player.py").write_text((ROOT / "players" / "random_player.py").read_text())
    ended = wyb(*words)
    assert ended.code == 0
    assert "12 of 12 matches played" in ended.out


def test_changes_are_refused_until_they_are_accepted(wyb, tmp_path):
    """In one line that names the option; nothing is written before."""
    submissions(tmp_path / "class")
    wyb("tournament", "run", "class", "--seed", "1", *SHORT)
    before = rows("SELECT * FROM matches")
    (tmp_path / "class" / "carol.py").write_text((ROOT / "players" / "greedy.py").read_text())
    ended = wyb("tournament", "run", "class", "--seed", "1", *SHORT)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "wyb tournament run: since this store was begun, carol is changed; add --accept-changes carol to go on with "
        "that: then all matches of what has changed are played again\n"
    )
    assert rows("SELECT * FROM matches") == before
    ended = wyb("tournament", "run", "class", "--seed", "1", *SHORT, "--accept-changes", "carol")
    assert ended.code == 0
    assert len(rows("SELECT * FROM matches")) == 4
    assert "2 of 2 matches played" in ended.out
    assert wyb("tournament", "run", "class", "--seed", "2", "--rounds", "2", *SHORT).code == 2


def test_an_agent_can_be_disqualified_and_let_in_again(wyb):
    """Its matches stay in the store and count for nobody meanwhile."""
    wyb("tournament", "run", "random", "greedy", "twin=random", "--seed", "7", *SHORT)
    ended = wyb("tournament", "disqualify", "tournament.db", "twin", "--why", "a copy\x1b[31m")
    assert (ended.code, ended.out) == (0, "twin plays no more; wyb tournament run tournament.db goes on with that\n")
    out = wyb("tournament", "status").out
    assert "2 of 2 matches played" in out
    assert "twin  disqualified  a copy\n" in out
    assert wyb("tournament", "disqualify", "tournament.db", "twin", "--undo").code == 0
    assert "6 of 6 matches played" in wyb("tournament", "status").out
    ended = wyb("tournament", "disqualify", "tournament.db", "twn")
    assert (ended.code, "did you mean twin?" in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run"], "name agents, a folder of submissions, a tournament file or a store"),
        (["run", "gredy", "random"], "there is no agent 'gredy'"),
        (["run", "random"], "a tournament needs two agents that can play, and there is one"),
        (["run", "random", "random"], "two agents are called 'random'; give one another name, as in second=random"),
        (["run", "human", "random"], "is a person at the keyboard"),
        (["run", "random", "greedy", "--challenger", "random"], "challengers are for the format gauntlet only"),
        (["run", "random", "greedy", "--format", "gauntlet", "--challenger", "x"], "the challenger 'x' is not among"),
        (["run", "nothing.toml"], "the tournament file nothing.toml cannot be read: No such file"),
        (["run", "wrong.toml"], "wrong.toml: there is no setting round (did you mean rounds?)"),
        (["run", "right.toml", "--rounds", "3"], "right.toml says what the tournament is, so --rounds has no place"),
        (["run", "random", "greedy", "-j", "2", "--cluster", "tcp://x:1"], "-j is for this machine"),
        (["run", "--submissions", "nowhere"], "nowhere is no folder of submissions"),
        (["status", "nothing.db"], "there is no store nothing.db; wyb tournament run makes one"),
        (["export", "nothing.db"], "there is no store nothing.db"),
        (["statu"], "there is no command 'statu'; did you mean status?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_one_line_and_leaves_nothing_behind(wyb, tmp_path, words, message):
    """Wrong usage is exit code 2, without a traceback."""
    (tmp_path / "wrong.toml").write_text("round = 3")
    (tmp_path / "right.toml").write_text("rounds = 3")
    before = sorted(tmp_path.iterdir())
    ended = wyb("tournament", *words)
    assert ended.code == 2
    assert message in ended.err
    assert ended.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_that_is_no_store_is_left_alone(wyb, tmp_path):
    """Whatever it is."""
    (tmp_path / "notes.db").write_text("my notes " * 1_000)
    ended = wyb("tournament", "run", "random", "greedy", "--store", "notes.db")
    assert (ended.code, ended.out) == (1, "")
    assert "notes.db is no store of a tournament" in ended.err
    assert (tmp_path / "notes.db").read_text() == "my notes " * 1_000


def test_a_second_run_is_refused(wyb, tmp_path):
    """At once, and reading goes on."""
    wyb("tournament", "run", "random", "greedy", "--seed", "7", *SHORT)
    with Lock(tmp_path / "tournament.db"):
        ended = wyb("tournament", "run", "random", "greedy", "--seed", "7", *SHORT)
        assert (ended.code, ended.out) == (1, "")
        assert f"is being written by another run (process {os.getpid()})" in ended.err
        assert wyb("tournament", "disqualify", "tournament.db", "greedy").code == 1
        assert wyb("tournament", "status").code == 0


def test_a_network_file_system_is_refused_unless_told(wyb, monkeypatch):
    """A store there can be damaged."""
    monkeypatch.setattr("watch_your_back.cli.tournament_run.network_file_system", lambda path: "nfs4")
    words = ("tournament", "run", "random", "greedy", *SHORT)
    ended = wyb(*words)
    assert (ended.code, ended.out) == (2, "")
    assert "is on a network file system (nfs4)" in ended.err
    assert "--allow-network-store" in ended.err
    assert wyb(*words, "--allow-network-store").code == 0


@needs_signals
def test_killing_it_again_and_again_loses_nothing_that_was_stored():
    """Each time the matches in progress at most; in the end every match is there once, and the store is sound."""
    rng = random.Random(5)
    words = ("run", "random", "greedy", "twin=random", "--rounds", "6", "--seed", "7", "-q", "-j", "2", *SHORT)
    seen = set()
    for _ in range(3):
        process = start(*words)
        wait_for(process, len(seen) + rng.randrange(8))
        process.kill()
        process.communicate()
        assert seen <= stored()
        seen = stored()
    process = start(*words)
    out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert "36 of 36 matches played" in out
    assert rows("SELECT count(*), count(DISTINCT id) FROM matches") == [(36, 36)]
    assert rows("SELECT count(*) FROM records") == [(36,)]
    assert rows("PRAGMA integrity_check") == [("ok",)]


@needs_signals
def test_ctrl_c_prints_what_is_known_and_leaves_no_process(wyb):
    """Exit code 130; what was played is safe."""
    process = start("run", "random", "greedy", "--rounds", "100000", "--seed", "7", "-j", "2", *SHORT)
    family = wait_for(process, 5)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 130
    assert "of 200,000 matches played" in out
    assert err.endswith("stopped; the same command goes on from here\n")
    assert "Traceback" not in err
    assert outliving(family) == []
    assert wyb("tournament", "status").out == out


@needs_signals
def test_a_kill_leaves_no_process_either():
    """Workers and players end with the one that started them."""
    process = start("run", "random", "greedy", "--rounds", "100000", "-j", "2", *SHORT)
    family = wait_for(process, 5)
    process.kill()
    process.communicate()
    assert len(family) > 2
    assert outliving(family) == []


def test_everything_as_json(wyb):
    """The standing with all that is in the tables."""
    ended = wyb("tournament", "run", "random", "greedy", "--seed", "7", "--json", *SHORT)
    told = json.loads(ended.out)
    assert (told["version"], told["matches"], told["planned"], told["void"]) == (1, 2, 2, 0)
    assert told["settings"]["options"] == {"turn_cap": 4}
    assert [agent["name"] for agent in told["agents"]] == ["random", "greedy"]
    assert told["agents"][0]["by_side"].keys() == {"white", "black"}
    assert {(meeting["agent"], meeting["opponent"]) for meeting in told["crosstable"]} == {
        ("random", "greedy"),
        ("greedy", "random"),
    }
    assert json.loads(wyb("tournament", "status", "--json").out) == told


def test_the_plan_tells_what_it_would_take(wyb, tmp_path):
    """Matches, time here and on other numbers of workers, and disk; nothing is kept."""
    words = ("tournament", "plan", "random", "greedy", "twin=random", "--rounds", "10", "--samples", "3", *SHORT)
    ended = wyb(*words, "-w", "16")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0] == "60 matches of 3 agents"
    assert "(3 played)" in lines[1]
    assert "at a time here: about" in lines[2]
    assert lines[3].startswith("  16 at a time: about")
    assert lines[4].startswith("store: about")
    assert list(tmp_path.iterdir()) == []
    told = json.loads(wyb(*words, "-j", "2", "--json").out)
    assert (told["matches"], told["agents"], told["sampled"], told["times"][0]["workers"]) == (60, 3, 3, 2)
    assert told["times"][0]["longest_s"] == 60 * 120 / 2


def test_results_are_exported(wyb, tmp_path):
    """As CSV, JSON and JSON Lines, with the same matches; spreadsheets compute nothing."""
    (tmp_path / "class" / "=cmd").mkdir(parents=True)
    (tmp_path / "class" / "=cmd" / "player.py").write_text((ROOT / "players" / "random_player.py").read_text())
    wyb("tournament", "run", "greedy", "--submissions", "class", "--seed", "7", *SHORT)
    table = list(csv.DictReader(io.StringIO(wyb("tournament", "export").out)))
    listed = json.loads(wyb("tournament", "export", "--format", "json").out)
    lines = [json.loads(line) for line in wyb("tournament", "export", "--format", "jsonl").out.splitlines()]
    assert listed == lines
    assert {row["agent_white"] for row in listed} == {"greedy", "=cmd"}
    assert {row["agent_white"] for row in table} == {"greedy", "'=cmd"}
    assert [row["trail"] for row in table] == [row["trail"] for row in listed]
    assert {"agent_white", "agent_black", "winner", "reason", "cpu_s_white", "memory_mb_black", "seed"} <= table[
        0
    ].keys()
    assert all(row["counts"] == "yes" for row in table)
    wyb("tournament", "export", "-o", "x.csv")
    assert (tmp_path / "x.csv").read_text().splitlines() == wyb("tournament", "export").out.splitlines()


def test_records_are_exported(wyb, tmp_path):
    """Each as a file that can be replayed, or one of them by its id."""
    wyb("tournament", "run", "random", "greedy", "--seed", "7", *SHORT)
    ended = wyb("tournament", "export", "--format", "records", "-o", "records")
    assert (ended.code, ended.err) == (0, "2 records in records\n")
    files = sorted((tmp_path / "records").iterdir())
    assert sorted(file.name.partition("-")[2] for file in files) == ["greedy-random-1.jsonl", "random-greedy-1.jsonl"]
    assert all(Record.load(file).complete for file in files)
    out = wyb("tournament", "export", "--match", "greedy/random/1").out
    assert [agent.name for agent in Record.load(io.StringIO(out)).agents] == ["greedy", "random"]
    assert "there is no record of a match 'x/y/1'" in wyb("tournament", "export", "--match", "x/y/1").err
    assert "name a folder with -o" in wyb("tournament", "export", "--format", "records").err


def test_names_do_a_terminal_no_harm(wyb, tmp_path):
    """A submission can be called anything."""
    for name in ("\x1b[31mred", "a\nb"):
        (tmp_path / "class" / name).mkdir(parents=True)
        text = (ROOT / "players" / "random_player.py").read_text()
        (tmp_path / "class" / name / "player.py").write_text(text)
    ended = wyb("tournament", "run", "class", *SHORT)
    assert ended.code == 0
    assert "\x1b" not in ended.out + ended.err
    assert "a b" in ended.out

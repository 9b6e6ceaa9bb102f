"""The store of a tournament: what is in it stays in it, and one process at a time writes to it."""

import json
import multiprocessing
import os
import sqlite3
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from watch_your_back.agents import find
from watch_your_back.game import Game
from watch_your_back.match import Limits
from watch_your_back.match.events import PlayerFailed, Reason, Usage
from watch_your_back.tournament import exclusive
from watch_your_back.tournament.exclusive import Busy, Lock, network_file_system
from watch_your_back.tournament.schedule import pair
from watch_your_back.tournament.settings import Settings
from watch_your_back.tournament.staging import stage
from watch_your_back.tournament.standing import points, read_standing
from watch_your_back.tournament.store import Entrant, Store, StoreError, StoreFull, is_store
from watch_your_back.tournament.tasks import MatchResult

SETTINGS = Settings(Game.load("watch_your_back"), seed=3, limits=Limits(5, 50))


def entrant(store, name, state="plays"):
    """An agent that is staged beside the store."""
    staged = stage(find("random"), name, store.folder)
    return Entrant(name, "random", staged.sources, staged.agent, state, "", ())


def begun(path, *names):
    """A store with these agents, which play."""
    store = Store(path, write=True)
    for name in names:
        store.enter(entrant(store, name))
    store.settle(SETTINGS)
    return store


def result(fixture, winner=None, reason="turn limit", **changes):
    """How a match of this fixture could go; `winner` is a name."""
    slot = None if winner is None else fixture.agents.index(winner)
    slots = (fixture.first, 1 - fixture.first)
    usage = (Usage(1.0, 2.0, 3.0, 4), Usage(5.0, 6.0, 7.0, 8))
    usual = MatchResult(
        fixture.id,
        slot,
        reason,
        "",
        False,
        12,
        slots,
        usage,
        ("full", "full"),
        (0.5, 0.25),
        (),
        b"record",
        "trail",
        9.0,
        "here",
    )
    return usual._replace(**changes)


@pytest.fixture
def store(tmp_path):
    """A store with three agents."""
    with begun(tmp_path / "t.db", "a", "b", "c") as opened:
        yield opened


def play(store, round, agents, winner=None, **changes):
    """Add both matches of a pairing, won by the same agent."""
    for fixture in pair(SETTINGS, round, agents):
        store.add(fixture, result(fixture, winner, **changes))


def test_what_was_written_is_there_again(store):
    """Settings, agents and matches, for another process that reads."""
    play(store, 1, ("a", "b"), "a")
    with Store(store.path) as again:
        assert again.settings == SETTINGS
        assert [each.name for each in again.entrants()] == ["a", "b", "c"]
        assert again.entrants() == store.entrants()
        assert again.is_played("a/b/1")
        assert again.is_played("b/a/1")
        assert not again.is_played("a/c/1")
        assert again.record(1) == b"record"
        assert again.record(9) is None


def test_a_store_can_be_moved(store, tmp_path):
    """With the folder of agents beside it."""
    store.close()
    (tmp_path / "elsewhere").mkdir()
    for name in ("t.db", "t.agents"):
        (tmp_path / name).rename(tmp_path / "elsewhere" / name)
    with Store(tmp_path / "elsewhere" / "t.db") as moved:
        assert all(each.agent.path.is_file() for each in moved.entrants())


def test_reading_leaves_nothing_beside_the_store(store):
    """And a store that is closed is one file."""
    store.close()
    with Store(store.path) as again:
        read_standing(again)
    assert sorted(path.name for path in store.path.parent.iterdir()) == ["t.agents", "t.db"]


def test_a_match_counts_once(store):
    """A second result for the same match is refused."""
    play(store, 1, ("a", "b"), "a")
    with pytest.raises(StoreError, match="UNIQUE"):
        play(store, 1, ("a", "b"), "b")
    assert read_standing(store).matches == 2


def test_the_standing_adds_up(store):
    """Points, by side and against each other, and what was used."""
    play(store, 1, ("a", "b"), "a")
    play(store, 1, ("a", "c"))
    play(store, 1, ("b", "c"), "c")
    standing = read_standing(store)
    lines = {line.entrant.name: line for line in standing.lines}
    assert [line.entrant.name for line in standing.lines] == ["a", "c", "b"]
    assert [line.points for line in standing.lines] == [3, 3, 0]
    assert lines["a"].by_side[0].points == lines["a"].by_side[1].points == 1.5
    assert (lines["a"].total.wins, lines["a"].total.draws, lines["a"].total.losses) == (2, 2, 0)
    assert standing.crosstable["a", "b"].points == 2
    assert standing.crosstable["b", "a"].points == 0
    assert standing.matches == 6
    assert lines["a"].cpu_s == 3.0
    assert (lines["a"].worst_cpu_s, lines["a"].slowest_s, lines["a"].memory_mb) == (5.0, 0.5, 7.0)


def test_void_matches_count_for_nobody(store):
    """They are kept, and how often it happened is known."""
    for fixture in pair(SETTINGS, 1, ("a", "b")):
        for _ in range(2):
            store.add(fixture, result(fixture, void=True, reason="referee error"))
    standing = read_standing(store)
    assert (standing.matches, standing.void) == (0, 4)
    assert store.voids("a/b/1") == 2
    assert not store.is_played("a/b/1")


def test_matches_of_an_agent_that_is_out_count_for_nobody(store):
    """Until it is in again."""
    play(store, 1, ("a", "b"), "a")
    play(store, 1, ("a", "c"), "a")
    store.set_state("b", "disqualified", "cheated")
    standing = read_standing(store)
    assert [(line.entrant.name, line.points, line.entrant.state) for line in standing.lines] == [
        ("a", 2, "plays"),
        ("c", 0, "plays"),
        ("b", 0, "disqualified"),
    ]
    store.set_state("b", "plays")
    assert read_standing(store).matches == 4


def test_a_replaced_agent_begins_anew_and_nobody_else_does(store):
    """Its matches are kept, but are to be played again."""
    play(store, 1, ("a", "b"), "a")
    play(store, 1, ("a", "c"), "a")
    store.enter(entrant(store, "b"))
    assert not store.is_played("a/b/1")
    assert store.is_played("a/c/1")
    assert read_standing(store).matches == 2
    play(store, 1, ("a", "b"), "b")
    assert read_standing(store).crosstable["b", "a"].points == 2
    assert len(list(store.rows("SELECT * FROM matches"))) == 6
    assert [each.name for each in store.entrants()] == ["a", "b", "c"]


def test_faults_are_counted_by_who_made_them(store):
    """With their traceback, for their author."""
    failure = PlayerFailed(7, 1, "action", Reason.EXCEPTION, "oops", "Traceback...")
    (first, _) = pair(SETTINGS, 1, ("a", "b"))
    store.add(first, result(first, "a", reason="exception", failures=(failure,)))
    lines = {line.entrant.name: line for line in read_standing(store).lines}
    assert lines["b"].faults == {"exception": 1}
    assert not lines["a"].faults
    ((traceback, agent),) = store.rows("SELECT traceback, agent FROM failures")
    assert (traceback, agent) == ("Traceback...", "b")


def test_words_of_players_may_be_any(store):
    """Half a pair of surrogates, a NUL, a megabyte."""
    words = "half \ud800, NUL \0, quote '" + "x" * 1_000_000
    failure = PlayerFailed(7, 1, "action", Reason.EXCEPTION, words, words)
    (first, _) = pair(SETTINGS, 1, ("a", "b"))
    store.add(first, result(first, "a", reason="exception", detail=words, failures=(failure,)))
    ((detail, traceback),) = store.rows("SELECT detail, traceback FROM failures")
    assert detail == traceback == words.replace("\ud800", "\\ud800")


def test_who_never_started_is_known(store):
    """After so many matches, if it failed before its first turn in all of them."""
    failure = PlayerFailed(-1, 0, "import", Reason.COULD_NOT_START, "no module", "")
    for round in (1, 2):
        for fixture in pair(SETTINGS, round, ("a", "b")):
            side = fixture.seated.index("b")
            lost = result(fixture, "a", reason="could not start", failures=(failure._replace(side=side),))
            store.add(fixture, lost)
    assert store.never_started("b", 3) == "no module"
    assert store.never_started("b", 5) == ""
    assert store.never_started("a", 3) == ""
    play(store, 3, ("a", "b"), "b")
    assert store.never_started("b", 3) == ""


def test_who_fails_in_its_turns_did_start(store):
    """However often it does."""
    for fixture in [*pair(SETTINGS, 1, ("a", "b")), *pair(SETTINGS, 2, ("a", "b"))]:
        failure = PlayerFailed(0, fixture.seated.index("b"), "action", Reason.EXCEPTION, "ZeroDivisionError", "")
        store.add(fixture, result(fixture, "a", reason="exception", failures=(failure,)))
    assert store.never_started("b", 3) == ""


def test_who_won_more_is_first_of_those_with_as_many_points(store):
    """Before who drew."""
    play(store, 1, ("a", "b"))
    for fixture, winner in zip(pair(SETTINGS, 1, ("b", "c")), ("b", "c"), strict=True):
        store.add(fixture, result(fixture, winner))
    lines = read_standing(store).lines
    assert [(line.entrant.name, line.points, line.total.wins) for line in lines] == [
        ("b", 2, 1),
        ("c", 1, 1),
        ("a", 1, 0),
    ]


def test_when_everything_is_played_again_swiss_rounds_are_paired_again(store):
    """By the results that count from then on."""
    play(store, 1, ("a", "b"), "a")
    store.pair(1, [("a", "b"), ("c", None)])
    store.play_all_again()
    assert store.pairings(1) == []
    assert read_standing(store).matches == 0


def test_byes_are_worth_a_win_of_both_matches(store):
    """Of a round with an odd number of agents, or against one that is out."""
    store.pair(1, [("a", "b"), ("c", None)])
    assert {line.entrant.name: line.points for line in read_standing(store).lines} == {"a": 0, "b": 0, "c": 2}
    store.set_state("b", "benched", "could not start")
    lines = {line.entrant.name: line for line in read_standing(store).lines}
    assert (lines["a"].points, lines["a"].byes, lines["c"].points) == (2, 1, 2)


def test_a_bye_counts_for_the_pairing_of_later_rounds(store):
    """As it does in the standing, from the next round on."""
    store.pair(1, [("a", "b"), ("c", None)])
    play(store, 1, ("a", "b"), "a")
    assert points(store, 1).get("c", 0) == 0
    assert points(store, 2) == {"a": 2, "b": 0, "c": 2}


def test_a_full_disk_is_said_at_once_and_costs_nothing(store):
    """What was written stays; what was not is as if it had never been played."""
    play(store, 1, ("a", "b"), "a")
    (pages,) = next(store.rows("PRAGMA page_count"))
    list(store.rows(f"PRAGMA max_page_count = {pages + 1}"))
    with pytest.raises(StoreFull, match="the disk is full"):
        play(store, 2, ("a", "b"), "a", record=os.urandom(100_000))
    assert not store.is_played("a/b/2")
    assert read_standing(store).matches == 2
    list(store.rows("PRAGMA max_page_count = 1000000"))
    play(store, 2, ("a", "b"), "a", record=os.urandom(100_000))
    assert read_standing(store).matches == 4
    assert list(store.rows("PRAGMA integrity_check")) == [("ok",)]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_what_cannot_be_written_is_an_error_in_one_line(tmp_path):
    """As when a quota is used up."""
    process = multiprocessing.get_context("spawn").Process(target=_write_under_a_limit, args=(tmp_path / "t.db",))
    process.start()
    process.join()
    assert process.exitcode == 0


def _write_under_a_limit(path):
    import resource
    import signal

    with begun(path, "a", "b") as store:
        play(store, 1, ("a", "b"), "a")
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        with pytest.raises(StoreError) as error:
            play(store, 2, ("a", "b"), "a", record=os.urandom(500_000))
        assert "\n" not in str(error.value)
        assert read_standing(store).matches == 2


def test_only_a_store_is_a_store(tmp_path):
    """Anything else is said to be none, in one line."""
    (tmp_path / "text").write_text("hello " * 1_000)
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE x (y)")
    other.close()
    for name in ("text", "other.db"):
        for write in (False, True):
            with pytest.raises(StoreError, match="is no store of a tournament"):
                Store(tmp_path / name, write=write)
    with pytest.raises(StoreError, match="cannot be read"):
        Store(tmp_path / "nowhere" / "t.db", write=True)
    assert not is_store(tmp_path / "text")
    assert not is_store(tmp_path / "nothing")
    begun(tmp_path / "t.db").close()
    assert is_store(tmp_path / "t.db")


def test_a_store_of_a_later_version_is_not_touched(store):
    """It is said which version it is."""
    list(store.rows("UPDATE tournament SET value = '99' WHERE key = 'version'"))
    with pytest.raises(StoreError, match="is a store of version 99, and this program knows version 1"):
        Store(store.path)


def test_a_reader_cannot_write(store):
    """Whatever it tries."""
    with Store(store.path) as reader, pytest.raises(StoreError, match=r"read-?only"):
        reader.set_state("a", "benched")


def test_one_run_at_a_time(tmp_path):
    """A second one is refused at once, and told which process has the store."""
    with Lock(tmp_path / "t.db"):
        context = multiprocessing.get_context("spawn")
        with context.Pool(1) as pool:
            message = pool.apply(_try_to_lock, (tmp_path / "t.db",))
        assert f"is being written by another run (process {os.getpid()})" in message
    with Lock(tmp_path / "t.db"):
        pass


def _try_to_lock(path):
    try:
        Lock(path)
    except Busy as error:
        return str(error)
    return "locked"


def test_a_network_file_system_is_recognised(monkeypatch):
    """By the mount that the path is below, and not by one that it only begins like."""
    partition = namedtuple("partition", "device mountpoint fstype opts")
    mounts = [
        partition("/dev/sda1", "/", "ext4", "rw"),
        partition("server:/home", "/net", "nfs4", "rw"),
        partition("x", "/net/local", "xfs", "rw"),
        partition("x", "/mnt/share", "fuse.sshfs", "rw"),
    ]
    monkeypatch.setattr(exclusive.psutil, "disk_partitions", lambda all: mounts)
    assert network_file_system(Path("/home/me/t.db")) is None
    assert network_file_system(Path("/net/me/t.db")) == "nfs4"
    assert network_file_system(Path("/net/local/t.db")) is None
    assert network_file_system(Path("/network/t.db")) is None
    assert network_file_system(Path("/mnt/share/t.db")) == "fuse.sshfs"


def test_the_findings_of_the_intake_are_kept(store):
    """For a table of who may not play, and why."""
    finding = {"severity": "error", "sentence": "It cannot be started.", "command": ["play", "x"]}
    store.enter(Entrant("d", "d.zip", "", None, "unfit", "It cannot be started.", (finding,)))
    found = store.entrants()[-1]
    assert (found.agent, found.state, found.findings) == (None, "unfit", (json.loads(json.dumps(finding)),))

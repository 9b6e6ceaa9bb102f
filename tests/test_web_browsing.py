"""Looking at matches at the server, without a browser: lists, searches, records that grow, tournaments that run."""

import gzip
import io
import json
import os
import sqlite3

import pytest

pytest.importorskip("starlette", reason="Starlette and uvicorn are not installed: pip install .[web]")
pytest.importorskip("uvicorn", reason="Starlette and uvicorn are not installed: pip install .[web]")

from report_data import stored, tournament
from web_server import Served

from watch_your_back.agents import find
from watch_your_back.game import Game
from watch_your_back.match import Match, run
from watch_your_back.match.record import Record, RecordWriter

HOSTILE = "<img src=x onerror=alert(1)></script>"


def recorded(id="one_line", seed=1, **options):
    """The text of a record of two bundled agents."""
    text = io.StringIO()
    agents = find("players.random"), find("players.greedy")
    run(Match(Game.load(id, **options), agents, seed=seed), RecordWriter(text))
    return text.getvalue()


@pytest.fixture(scope="module")
def records():
    """Three records."""
    return {"one": recorded(), "go": recorded("go", size=5), "hex": recorded("hexxagon", size=3)}


@pytest.fixture(scope="module")
def served(tmp_path_factory, records):
    """The server of a folder with records, some packed, and things that are none."""
    folder = tmp_path_factory.mktemp("records")
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "one.jsonl").write_text(records["one"])
    (folder / "deep" / "er" / "go.jsonl.gz").write_bytes(gzip.compress(records["go"].encode()))
    (folder / "deep" / "other.jsonl").write_text('{"no": "record"}\n')
    (folder / "binary.jsonl").write_bytes(os.urandom(1000))
    (folder / "empty.jsonl").write_text("")
    (folder / "notes.db").write_text("no database")
    (folder / "broken.jsonl.gz").write_bytes(gzip.compress(b"x" * 1000)[:30])
    (folder / ".hidden.jsonl").write_text(records["hex"])
    with Served(folder) as started:
        yield started


@pytest.fixture(scope="module")
def made():
    """A tournament that never was."""
    return tournament(["champion", HOSTILE, "greedy"])


@pytest.fixture(scope="module")
def told(tmp_path_factory, made):
    """The server of the store of that tournament."""
    path = tmp_path_factory.mktemp("store") / "class.db"
    stored(path, made)
    with Served(path.parent, str(path)) as started:
        yield started


@pytest.fixture(scope="module")
def changing(tmp_path_factory):
    """A folder in which something is written while it is served, and its server."""
    folder = tmp_path_factory.mktemp("changing")
    with Served(folder) as started:
        yield folder, started


def found(server, **asked):
    """The matches that a search finds."""
    answer = server.client.get("/api/matches", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_records_are_listed_and_searched(served):
    """By agent, game, file and reason; what is no record is left out."""
    listed = found(served)
    assert listed["total"] == 2
    assert {each["of"] for each in listed["matches"]} == {"one.jsonl", "deep/er/go.jsonl.gz"}
    (go,) = found(served, words="GREEDY go passes")["matches"]
    assert (go["game"], go["names"], go["turns"]) == ("Go", ["random", "greedy"], go["turns"])
    assert go["reason"] == "two passes"
    assert found(served, words="nobody")["total"] == 0
    assert served.client.get("/api/matches", params={"skip": "-1"}).status_code == 400


@pytest.mark.parametrize(
    "name",
    ["../one.jsonl", "/etc/passwd", "deep/other.txt", ".hidden.jsonl", "nothing.jsonl", "", "one.jsonl/../one.jsonl"],
)
def test_only_what_is_listed_is_told(served, name):
    """No path leads to any other file."""
    for page in ("/api/record", "/replay", "/watch", "/tournament"):
        assert served.client.get(page, params={"of": name}).status_code == 404


def test_a_record_is_replayed_and_saved(served, records):
    """The page has all that the scripts need; the file can be saved; what is no record is said to be none."""
    page = served.client.get("/replay", params={"of": "one.jsonl"})
    assert page.status_code == 200
    assert 'id="replay-1"' in page.text
    assert served.client.get("/api/record", params={"of": "one.jsonl"}).text == records["one"]
    answer = served.client.get("/replay", params={"of": "deep/other.jsonl"})
    assert answer.status_code == 404
    assert "cannot be read" in answer.text


def test_a_match_is_watched_while_its_record_grows(changing, records):
    """Turn by turn, until its end; it is listed among those that go on."""
    folder, server = changing
    lines = records["hex"].splitlines(keepends=True)
    path = folder / "growing.jsonl"
    path.write_text("".join(lines[:5]))
    with server.events("/api/home/events") as home:
        assert "growing.jsonl" in [each["of"] for each in next(home)["live"]]
        with server.events("/api/watch/events?of=growing.jsonl") as told, path.open("a") as file:
            first = next(told)
            assert first["head"]["names"] == ["random", "greedy"]
            assert first["position"]["turn"] == 2
            assert first["position"]["choices"] is None
            file.write(lines[5][:20])
            file.flush()
            file.write(lines[5][20:])
            file.flush()
            assert next(told)["position"]["turn"] == 3
            file.write("".join(lines[6:]))
            file.flush()
            *_, last = told
            end = json.loads(lines[-1])
            assert last["position"]["end"][1] == end["reason"]
        while "growing.jsonl" in [each["of"] for each in next(home)["live"]]:
            pass


def test_a_record_that_makes_no_sense_is_said_to(changing, records):
    """From the line on that cannot be."""
    folder, server = changing
    lines = records["hex"].splitlines(keepends=True)
    (folder / "senseless.jsonl").write_text("".join([*lines[:5], lines[4]]))
    with server.events("/api/watch/events?of=senseless.jsonl") as told:
        assert "cannot be followed" in list(told)[-1]["position"]["refused"]


def test_matches_of_a_tournament_are_searched(told, made):
    """By words, by agents and by number; each can be replayed and saved."""
    assert told.printed.endswith("/tournament?of=class.db")
    total = found(told, of="class.db")["total"]
    assert total == len(made.report.matches)
    both = found(told, of="class.db", agent=["champion", "greedy"])["matches"]
    assert {frozenset(each["names"]) for each in both} == {frozenset(("champion", "greedy"))}
    assert found(told, of="class.db", words="img onerror")["total"] > 0
    (one,) = found(told, of="class.db", words="#3")["matches"]
    assert one["match"] == 3
    assert found(told, of="class.db", words="%")["total"] == 0
    assert found(told, of="class.db", words="'; DROP TABLE matches; --")["total"] == 0
    assert told.client.get("/replay", params={"of": "class.db", "match": "3"}).status_code == 200
    saved = told.client.get("/api/record", params={"of": "class.db", "match": "3"})
    assert Record.load(io.BytesIO(saved.content)).complete
    for number in ("999", "x", "-1", "9" * 30):
        assert told.client.get("/replay", params={"of": "class.db", "match": number}).status_code == 404


def test_a_tournament_is_told_again_when_a_match_has_ended(changing, made):
    """Ratings and crosstable are those of the report, and nothing in them is markup that we did not write."""
    folder, server = changing
    path = folder / "running.db"
    stored(path, made)
    with server.events("/api/tournament/events?of=running.db") as told:
        first = next(told)
        assert first["played"] == len(made.report.counted)
        assert set(first["parts"]) == {"ratings", "crosstable", "sides", "failures"}
        assert HOSTILE in first["agents"]
        assert "<img" not in "".join(first["parts"].values())
        assert "champion" in first["parts"]["ratings"]
        with sqlite3.connect(path) as database:
            database.execute("UPDATE matches SET state = 'void' WHERE number = 1")
        database.close()
        while (again := next(told))["played"] == first["played"]:
            pass
        assert again["played"] == first["played"] - 1


def test_hostile_names_are_text_everywhere(told):
    """In pages, in the data in them, and in titles."""
    (one, *_) = found(told, of="class.db", agent=HOSTILE)["matches"]
    for page in ("/replay", "/tournament"):
        text = told.client.get(page, params={"of": "class.db", "match": one["match"]}).text
        assert "<img" not in text

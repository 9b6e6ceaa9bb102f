"""Looking at matches at the server, without a browser: lists, searches, records that grow, tournaments that run."""

import gzip
import io
import json
import os

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


@pytest.fixture
def folder(tmp_path, records):
    """A folder with records, some packed, and things that are none."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "one.jsonl").write_text(records["one"])
    (tmp_path / "deep" / "er" / "go.jsonl.gz").write_bytes(gzip.compress(records["go"].encode()))
    (tmp_path / "deep" / "other.jsonl").write_text('{"no": "record"}\n')
    (tmp_path / "binary.jsonl").write_bytes(os.urandom(1000))
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "notes.db").write_text("no database")
    (tmp_path / "broken.jsonl.gz").write_bytes(gzip.compress(b"x" * 1000)[:30])
    (tmp_path / ".hidden.jsonl").write_text(records["hex"])
    return tmp_path


@pytest.fixture
def store(tmp_path):
    """The store of a tournament that never was, and the tournament."""
    made = tournament(["champion", HOSTILE, "greedy"])
    path = tmp_path / "class.db"
    stored(path, made)
    return path, made


def found(server, **asked):
    """The matches that a search finds."""
    answer = server.client.get("/api/matches", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_records_are_listed_and_searched(folder):
    """By agent, game, file and reason; what is no record is left out."""
    with Served(folder) as server:
        told = found(server)
        assert told["total"] == 2
        assert {each["of"] for each in told["matches"]} == {"one.jsonl", "deep/er/go.jsonl.gz"}
        (go,) = found(server, words="GREEDY go passes")["matches"]
        assert (go["game"], go["names"], go["turns"]) == ("Go", ["random", "greedy"], go["turns"])
        assert go["reason"] == "two passes"
        assert found(server, words="nobody")["total"] == 0
        assert server.client.get("/api/matches", params={"skip": "-1"}).status_code == 400


@pytest.mark.parametrize(
    "name",
    ["../one.jsonl", "/etc/passwd", "deep/other.txt", ".hidden.jsonl", "nothing.jsonl", "", "one.jsonl/../one.jsonl"],
)
def test_only_what_is_listed_is_told(folder, name):
    """No path leads to any other file."""
    with Served(folder) as server:
        for page in ("/api/record", "/replay", "/watch", "/tournament"):
            assert server.client.get(page, params={"of": name}).status_code == 404


def test_a_record_is_replayed_and_saved(folder, records):
    """The page has all that the scripts need; the file can be saved; what is no record is said to be none."""
    with Served(folder) as server:
        page = server.client.get("/replay", params={"of": "one.jsonl"})
        assert page.status_code == 200
        assert 'id="replay-1"' in page.text
        assert server.client.get("/api/record", params={"of": "one.jsonl"}).text == records["one"]
        answer = server.client.get("/replay", params={"of": "deep/other.jsonl"})
        assert answer.status_code == 404
        assert "cannot be read" in answer.text


def test_a_match_is_watched_while_its_record_grows(folder, records):
    """Turn by turn, until its end; it is listed among those that go on."""
    lines = records["hex"].splitlines(keepends=True)
    path = folder / "growing.jsonl"
    path.write_text("".join(lines[:5]))
    with Served(folder) as server, server.events("/api/home/events") as home:
        assert [each["of"] for each in next(home)["live"]] == ["growing.jsonl"]
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
        while next(home)["live"]:
            pass


def test_a_record_that_makes_no_sense_is_said_to(folder, records):
    """From the line on that cannot be."""
    lines = records["hex"].splitlines(keepends=True)
    (folder / "growing.jsonl").write_text("".join([*lines[:5], lines[4]]))
    with Served(folder) as server, server.events("/api/watch/events?of=growing.jsonl") as told:
        assert "cannot be followed" in list(told)[-1]["position"]["refused"]


def test_matches_of_a_tournament_are_searched(store):
    """By words, by agents and by number; each can be replayed and saved."""
    path, made = store
    with Served(path.parent, str(path)) as server:
        assert server.printed.endswith("/tournament?of=class.db")
        total = found(server, of="class.db")["total"]
        assert total == len(made.report.matches)
        both = found(server, of="class.db", agent=["champion", "greedy"])["matches"]
        assert {frozenset(each["names"]) for each in both} == {frozenset(("champion", "greedy"))}
        assert found(server, of="class.db", words="img onerror")["total"] > 0
        (one,) = found(server, of="class.db", words="#3")["matches"]
        assert one["match"] == 3
        assert found(server, of="class.db", words="%")["total"] == 0
        assert found(server, of="class.db", words="'; DROP TABLE matches; --")["total"] == 0
        assert server.client.get("/replay", params={"of": "class.db", "match": "3"}).status_code == 200
        saved = server.client.get("/api/record", params={"of": "class.db", "match": "3"})
        assert Record.load(io.BytesIO(saved.content)).complete
        for number in ("999", "x", "-1", "9" * 30):
            assert server.client.get("/replay", params={"of": "class.db", "match": number}).status_code == 404


def test_a_tournament_is_told_again_when_a_match_has_ended(store):
    """Ratings and crosstable are those of the report, and nothing in them is markup that we did not write."""
    path, made = store
    with Served(path.parent, str(path)) as server, server.events("/api/tournament/events?of=class.db") as told:
        first = next(told)
        assert first["played"] == len(made.report.counted)
        assert set(first["parts"]) == {"ratings", "crosstable", "sides", "failures"}
        assert HOSTILE in first["agents"]
        assert "<img" not in "".join(first["parts"].values())
        assert "champion" in first["parts"]["ratings"]
        import sqlite3

        with sqlite3.connect(path) as database:
            database.execute("UPDATE matches SET state = 'void' WHERE number = 1")
        database.close()
        while (again := next(told))["played"] == first["played"]:
            pass
        assert again["played"] == first["played"] - 1


def test_hostile_names_are_text_everywhere(store):
    """In pages, in the data in them, and in titles."""
    path, _ = store
    with Served(path.parent, str(path)) as server:
        (one, *_) = found(server, of="class.db", agent=HOSTILE)["matches"]
        for page in ("/replay", "/tournament"):
            text = server.client.get(page, params={"of": "class.db", "match": one["match"]}).text
            assert "<img" not in text

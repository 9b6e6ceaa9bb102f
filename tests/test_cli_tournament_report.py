"""`wyb tournament report`: from the store to the file."""

import errno
import json
import sqlite3
import webbrowser
from pathlib import Path

import pytest
from parsed_html import Parsed
from report_data import NAMES, stored, tournament, unpacked

from watch_your_back.cli.pages import write
from watch_your_back.tournament.store import Store


@pytest.fixture(scope="module")
def made():
    """A small tournament."""
    return tournament(output="depth 3 of champion\n", cap=60)


@pytest.fixture
def store(made, tmp_path):
    """Its store."""
    path = tmp_path / "class.db"
    stored(path, made)
    return path


def report_of(wyb, store, *options):
    """The report on stdout, parsed."""
    ended = wyb("tournament", "report", store, "-o", "-", *options)
    assert ended.code == 0, ended.err
    return Parsed(ended.out)


def test_the_report_is_written_next_to_the_store(wyb, store):
    """It tells where; its title is the name of the store."""
    ended = wyb("tournament", "report", store)
    file = store.with_suffix(".html")
    assert ended == (0, f"{file} ({file.stat().st_size / 1_048_576:.1f} MB)\n", "")
    parsed = Parsed(file.read_text(encoding="utf-8"))
    assert parsed.all("title")[0][1] == "class"
    assert len(parsed.all("script", type="text/plain")) == 30
    assert sorted(path.name for path in store.parent.iterdir()) == ["class.db", "class.html"]


def test_a_page_that_does_not_fit_on_the_disk_is_named(tmp_path, monkeypatch):
    """Of the one that was there before nothing is lost, and nothing of the new one is left."""
    file = tmp_path / "class.html"
    file.write_text("before")

    def full(path, *args, **options):
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space") as caught:
        write(file, "after")
    assert caught.value.filename == str(file)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("class.html", "before")]


def test_the_store_is_told_as_it_is(wyb, store, made):
    """Matches, results, usage and settings."""
    parsed = report_of(wyb, store, "--title", "Class of 2026")
    assert parsed.all("h1")[0][1] == "Class of 2026"
    data = json.loads(parsed.all("script", id="data")[0][1])
    assert len(data["turns"]) == 30
    names = [data["agents"][agent] for agent in data["seats"][0]]
    assert names == [NAMES[match.agents[0]] for match in made.report.matches]
    assert data["winner"] == [-1 if match.winner is None else match.winner for match in made.report.matches]
    facts = dict(zip((w for _, w in parsed.all("dt")), (w for _, w in parsed.all("dd")), strict=False))
    assert facts["Game"] == "Watch Your Back!"
    assert facts["Format"] == "round robin, 1 round of two matches for each pairing, with the sides exchanged"
    assert facts["Limits"] == "60 s of CPU time and 100 MB of memory for each player in a match (profile fair)"
    assert facts["Confinement"] == "full"
    assert facts["Seed"] == "0"
    failures = parsed.rows("Failures by agent and reason")
    assert failures[1][0] == "crasher"
    assert "void" not in parsed.all("header")[0][1]


def test_what_weakens_the_results_is_said_at_the_top(wyb, store):
    """Void matches, weak confinement, and matches that repeat others."""
    with sqlite3.connect(store) as database:
        database.execute("UPDATE matches SET trail = 'x', tier_1 = 'process'")
        database.execute("UPDATE matches SET state = 'void' WHERE number IN (1, 2)")
        database.execute("UPDATE agents SET state = 'disqualified', why = 'copied' WHERE name = 'crasher'")
    database.close()
    parsed = report_of(wyb, store)
    notes = [words for _, words in parsed.all("li") if words not in {words for _, words in parsed.all("a")}]
    assert notes == [
        "Not all players were fully confined (the weakest tier was process), so some may have cheated.",
        "2 matches were void, by no fault of the players, and count for nobody.",
    ]
    data = json.loads(parsed.all("script", id="data")[0][1])
    assert sorted(set(data["excluded"].values())) == ["crasher takes no part any more", "void"]
    assert parsed.rows("Taking no part")[1:] == [["crasher", "disqualified: copied"]]


def test_matches_that_repeat_others_are_no_evidence(wyb, tmp_path):
    """The report says so."""
    store = tmp_path / "twice.db"
    stored(store, tournament(NAMES[:3], rounds=2), rounds=2)
    with sqlite3.connect(store) as database:
        database.execute("UPDATE matches SET trail = 'the same'")
    database.close()
    assert "Only 6 of 12 matches went differently" in report_of(wyb, store).all("header")[0][1]


def test_an_anonymous_report_goes_elsewhere_and_has_a_key(wyb, store):
    """The key says who is who, and is used again; no name is in the report."""
    ended = wyb("tournament", "report", store, "--anonymous")
    key, file = store.with_suffix(".key.json"), store.with_suffix(".anonymous.html")
    assert (ended.code, ended.err) == (0, f"who is who: {key}\n")
    known = json.loads(key.read_text())
    assert sorted(known) == sorted(NAMES)
    parsed = Parsed(file.read_text(encoding="utf-8"))
    assert [row[1] for row in parsed.rows("Ratings")[1:]] == [
        known[row[1]] for row in report_of(wyb, store).rows("Ratings")[1:]
    ]
    replays = [unpacked(words) for _, words in parsed.all("script", type="text/plain")]
    assert any(each["outputs"] for each in replays)
    for name in (*NAMES, "class.db"):
        assert name not in "".join(words for _, words in parsed.all("main"))
        assert name not in json.dumps(replays)
    assert wyb("tournament", "report", store, "--anonymous").err == ""
    assert json.loads(key.read_text()) == known


def test_replays_and_output_can_be_left_out(wyb, store):
    """For a smaller file, or one that tells less."""
    assert report_of(wyb, store, "--replays", "0").all("script", type="text/plain") == []
    few = report_of(wyb, store, "--replays", "3", "--no-printed").all("script", type="text/plain")
    assert len(few) == 3
    assert not any(unpacked(words)["outputs"] for _, words in few)


def test_it_opens_in_the_browser(wyb, store, monkeypatch):
    """With --open."""
    addresses = []
    monkeypatch.setattr(webbrowser, "open", addresses.append)
    assert wyb("tournament", "report", store, "--open").code == 0
    assert addresses == [store.with_suffix(".html").as_uri()]


def test_a_report_is_replaced_and_nothing_else_is(wyb, store, tmp_path):
    """A wrong name does no harm."""
    (tmp_path / "mine.html").write_text("<p>my own")
    ended = wyb("tournament", "report", store, "-o", tmp_path / "mine.html")
    assert ended.code == 2
    assert "is no page of this program and is not overwritten" in ended.err
    assert (tmp_path / "mine.html").read_text() == "<p>my own"
    for _ in range(2):
        assert wyb("tournament", "report", store, "-o", tmp_path / "new.html").code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["missing.db"], "there is no store missing.db"),
        (["class.db", "-o", "nowhere/x.html"], "there is no directory nowhere to write x.html to"),
        (["class.db", "-o", "."], "is a directory"),
        (["class.db", "-o", "-", "--open"], "--open needs a file"),
        (["class.db", "--key", "k.json"], "--key is for --anonymous"),
        (["class.db", "--anonymous", "--key", "text.json"], "text.json is no key of an anonymous report"),
        (["class.db", "--replays", "-1"], "--replays"),
    ],
)
def test_mistakes_are_told_in_one_line(wyb, store, monkeypatch, words, told):
    """With exit code 2, and no file written."""
    monkeypatch.chdir(store.parent)
    (store.parent / "text.json").write_text("[1, 2]")
    ended = wyb("tournament", "report", *words)
    assert ended.code == 2
    assert told in ended.err
    assert ended.err.count("\n") == 1
    assert not list(store.parent.glob("*.html"))


def test_what_is_no_store_is_told_in_one_line(wyb, tmp_path):
    """A text, and an empty database."""
    (tmp_path / "a.db").write_text("no database at all, but long enough to be looked at as one")
    (tmp_path / "b.db").write_bytes(b"")
    for name in ("a.db", "b.db"):
        ended = wyb("tournament", "report", tmp_path / name)
        assert ended.code == 1
        assert "no store of a tournament" in ended.err
        assert ended.err.count("\n") == 1


def test_a_tournament_that_has_not_begun_has_no_report(wyb, tmp_path):
    """Its store has no settings yet."""
    Store(tmp_path / "new.db", write=True).close()
    ended = wyb("tournament", "report", tmp_path / "new.db")
    assert ended.code == 1
    assert "has not begun" in ended.err

"""`wyb explain`: how a match stood, where it turned, and the same in its replay."""

import base64
import json
import re
import zlib

import pytest

from watch_your_back.match.record import Record


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    """The record of a match in which there is much to find fault with."""
    from watch_your_back.agents import find
    from watch_your_back.game import Game
    from watch_your_back.match import Match, run
    from watch_your_back.match.record import RecordWriter

    file = tmp_path_factory.mktemp("match") / "match.jsonl"
    game = Game.load("watch_your_back", turn_cap=10)
    run(Match(game, (find("greedy"), find("random")), seed=4), RecordWriter(file))
    return file


def test_chart_and_turning_points(wyb, match):
    """The chart has an axis and the sides, and each turning point the action, a better one, and how to look at it."""
    ended = wyb("explain", match, "--budget", "0.01s")
    assert ended.code == 0
    assert "white ahead" in ended.out
    assert "black ahead" in ended.out
    assert re.search(r"^ +turn .0 +34$", ended.out, re.MULTILINE)
    points = re.findall(r"^Turn (\d+), (White|Black): .*, a (mistake|blunder)$", ended.out, re.MULTILINE)
    assert points
    assert all(side == ("White" if int(turn) % 2 else "Black") for turn, side, _ in points)
    assert ended.out.count("  better: ") == len(points)
    assert f"look: wyb debug {match} --at {int(points[0][0]) - 1}\n" in ended.out
    assert re.search(r"^Black +\d+ mistakes? and \d+ blunders? in 17 turns", ended.out, re.MULTILINE)


def test_json(wyb, match):
    """For programs: every turn with what was taken, what would have been best, and both values."""
    ended = wyb("explain", match, "--budget", "0.01", "--json")
    told = json.loads(ended.out)
    record = Record.load(match)
    assert len(told["turns"]) == len(record.turns) == len(told["values"]) - 1
    assert told["budget_s"] == 0.01
    assert [turn["side"] for turn in told["turns"][:2]] == ["white", "black"]
    by_ply = {turn["ply"]: turn for turn in told["turns"]}
    assert all(by_ply[ply]["grade"] for ply in told["turning"])
    graded = [turn["side"] for turn in told["turns"] if turn["grade"]]
    counts = {side: told["sides"][side]["mistakes"] + told["sides"][side]["blunders"] for side in ("white", "black")}
    assert counts == {side: graded.count(side) for side in counts}


def test_html(wyb, match, tmp_path):
    """The page is the replay of the match, with a judgement of each turn, and says what would have been better."""
    page = tmp_path / "match.html"
    ended = wyb("explain", match, "--budget", "0.01", "--html", page)
    assert ended.code == 0
    packed = re.search(r'<script type="text/plain" id="replay-1">([^<]+)</script>', page.read_text())
    told = json.loads(zlib.decompress(base64.b64decode(packed[1]), -15))
    assert len(told["judged"]) == len(Record.load(match).turns)
    graded = [each for each in told["judged"] if each["grade"]]
    assert graded
    assert all(each["words"].startswith("Better: ") for each in graded)
    assert any(each["turning"] for each in graded)


def test_hidden_information_is_told_of(wyb, tmp_path):
    """In a game that hides something it is said that the search knows more than the players did."""
    file = tmp_path / "match.jsonl"
    wyb("play", "-q", "--game", "weaponized_chess", "--seed", "1", "--max-turns", "4", "--record", file, "random",
        "random")  # fmt: skip
    ended = wyb("explain", file, "--budget", "0.05")
    assert ended.code == 0
    assert "note: the search sees what is hidden" in ended.err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--budget", "0"), "'0' is not a number of seconds above 0 up to 3,600"),
        (("--budget", "1xs"), "'1xs' is not a number of seconds"),
        (("--budget", "soon"), "'soon' is not a number of seconds"),
        (("--html", "-", "--json"), "--json and --html - both write to stdout"),
        (("--match", "x"), "--match is for the store of a tournament"),
    ],
)
def test_mistakes(wyb, match, words, line):
    """What cannot be done is said in one line."""
    ended = wyb("explain", match, *words)
    assert ended.code == 2
    assert line in ended.err
    assert ended.err.count("\n") == 1

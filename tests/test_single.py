"""The page of one match: what is in it, for every kind of record, and that nothing else gets in."""

import base64
import hashlib
import html
import json
from dataclasses import replace

import pytest
from parsed_html import Parsed
from report_data import NAMES, tournament, unpacked

from watch_your_back.game import Game
from watch_your_back.match.events import PlayerFailed, Reason
from watch_your_back.report.judgement import Judgement
from watch_your_back.report.single import frame, single
from watch_your_back.report.viewpoint import Viewpoint

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[31m\u202e"


def played(**how):
    """The record of a match that was made up."""
    made = tournament(NAMES[:3], **how)
    return made.record(made.report.matches[2])


@pytest.fixture(scope="module")
def record():
    """A match of Watch Your Back!."""
    return played(output="depth 3\n")


def told_in(page):
    """The replay that a page has in it."""
    return unpacked(Parsed(page).all("script", id="replay-1")[0][1])


def test_it_is_well_formed_and_tells_who_won(record):
    """Elements are nested and ids unique; the heading names the players, the first sentence the result."""
    parsed = Parsed(single(record))
    ids = [about["id"] for _, about, _ in parsed.elements if "id" in about]
    assert len(ids) == len(set(ids))
    assert parsed.all("h1")[0][1] == "team_7/player (white) v champion (black)"
    result = parsed.all("p", id="result")[0][1]
    assert "Draw between White (team_7/player) and Black (champion): both eliminated" in result


def test_nothing_is_run_or_loaded_but_the_page_itself(record):
    """The policy allows exactly the one script and the one style; there are no addresses, handlers, styles besides."""
    page = single(record)
    parsed = Parsed(page)
    policy = parsed.all("meta", **{"http-equiv": "Content-Security-Policy"})[0][0]["content"]
    for tag in ("script", "style"):
        (content,) = [words for about, words in parsed.all(tag) if "type" not in about]
        assert f"{tag}-src 'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}';" in policy
    for tag, about, _ in parsed.elements:
        assert not [name for name in about if name.startswith("on") or name in ("style", "src", "srcdoc")], tag
        assert about.get("href", "#").startswith(("#", "data:,"))
    assert "innerHTML" not in page


def test_hostile_text_stays_text(record):
    """Names, what was printed, tracebacks, comments and explanations may hold anything."""
    agents = tuple(agent._replace(name=HOSTILE, spec=HOSTILE) for agent in record.agents)
    outputs = tuple(each._replace(text=HOSTILE) for each in record.outputs)
    failures = (PlayerFailed(3, 0, "finish", Reason.EXCEPTION, HOSTILE, HOSTILE),)
    bad = replace(record, agents=agents, outputs=outputs, failures=failures)
    judged = [Judgement(0.0, HOSTILE, HOSTILE)] * len(record.turns)
    page = single(bad, judged=judged, comments=[(1, HOSTILE)], title=HOSTILE, id=HOSTILE)
    parsed, harmless = Parsed(page), Parsed(single(record))
    assert {tag for tag, _, _ in parsed.elements} == {tag for tag, _, _ in harmless.elements}
    assert sum("type" not in about for about, _ in parsed.all("script")) == 1
    assert "\x1b" not in page
    told = json.dumps(told_in(page))
    assert "\\u001b" not in told
    assert "\\u202e" not in told
    framed = Parsed(f"<div>{frame(page, HOSTILE)}</div>")
    assert [tag for tag, _, _ in framed.elements] == ["div", "iframe"]


@pytest.mark.parametrize("turns", [0, 1, 10])
def test_a_record_that_was_cut_off_is_shown_as_far_as_it_goes(record, turns):
    """The referee was killed: there is no result, and the page says so."""
    page = single(replace(record, end=None, turns=record.turns[:turns], outputs=(), failures=()))
    ending = f"the record breaks off after {turns} turn{'' if turns == 1 else 's'}."
    assert Parsed(page).all("p", id="result")[0][1].endswith(ending)
    assert len(told_in(page)["actions"]) == turns


def test_a_match_that_counts_for_nobody_says_so(record):
    """With the reason."""
    end = record.end._replace(winner=None, reason="interrupted", detail="the match was stopped before its end")
    notes = Parsed(single(replace(record, end=end))).all("p", class_="notes")
    assert [words for _, words in notes] == [
        "This match counts for nobody: the match was stopped before its end."
    ]  # fmt: skip


def test_a_long_match_makes_a_small_page():
    """700 turns on a board of 19 x 19 take up less than 150 KB."""
    made = tournament(NAMES[:3], game=Game.load("go", size=19), cap=700)
    page = single(made.record(max(made.report.matches, key=lambda match: match.turns)))
    assert len(told_in(page)["actions"]) == 700
    assert len(page) < 150_000


def test_what_an_explanation_says_is_at_its_turn(record):
    """Values, grades and sentences by turn, and the keys that lead to turning points."""
    judged = [None] * len(record.turns)
    judged[4] = Judgement(-0.5, "blunder", "Better was (3, 3).", turning=True)
    page = single(record, judged=judged, comments=[(2, "Well\nplayed.")])
    told = told_in(page)
    assert told["judged"][4] == {"value": -0.5, "grade": "blunder", "words": "Better was (3, 3).", "turning": True}
    assert told["judged"][3] is None
    assert told["comments"] == [[2, "Well\nplayed."]]
    assert "turning point" in Parsed(page).all("p", class_="quiet keys")[0][1]
    assert "turning point" not in Parsed(single(record)).all("p", class_="quiet keys")[0][1]


@pytest.fixture(scope="module")
def hidden():
    """A match with hidden pieces, its states, and what both sides printed."""
    return played(game=Game.load("weaponized_chess", competitive=True), cap=14, output="my plan\n")


def test_a_side_is_shown_no_more_than_it_knew(hidden):
    """Two matches that differ only in what White could not know look the same to White."""
    told = Viewpoint(hidden, 1)
    for position, state in enumerate(hidden.states):
        seen = {id for id, side, *_ in state.view(1)["pieces"] if side == "black"}
        assert told.pieces(position, 0) <= len(seen)
        assert told.pieces(position, 1) == state.count_pieces(1)
    for turn, (taken, after) in enumerate(zip(hidden.turns, hidden.states[1:], strict=True)):
        assert told.action(turn) == after.observe(taken.action, 1)
    assert {output.side for output in Viewpoint(hidden).outputs} == {0}
    assert not Viewpoint(hidden, 1).outputs
    failed = replace(hidden, failures=(PlayerFailed(3, 0, "action", Reason.EXCEPTION, "my plan", "my plan"),))
    assert "my plan" not in str(Viewpoint(failed, 1).failures)
    assert "my plan" in str(Viewpoint(failed, 0).failures)


def test_the_page_of_a_side_says_whose_it_is(hidden):
    """And has nothing that the other side printed in it."""
    page = single(hidden, side=1)
    assert Parsed(page).all("p", class_="notes")[0][1] == "This is what white could see of the match."
    assert told_in(page)["outputs"] == []
    assert told_in(single(hidden))["outputs"] != []


def test_a_side_is_refused_where_nothing_is_hidden(record):
    """Both sides see the whole board."""
    with pytest.raises(ValueError, match="nothing is hidden in Watch Your Back!"):
        single(record, side=0)


def test_a_match_of_every_game_has_a_page():
    """Whatever its board and its actions are like."""
    for id in Game.ids():
        game = Game.load(id)
        told = told_in(single(played(game=game, cap=8)))
        assert len(told["changes"]) == len(told["actions"]) > 0


def test_a_frame_holds_a_whole_page(record):
    """For a notebook: the page, which cannot see the notebook around it."""
    (about,) = [about for _, about, _ in Parsed(frame(single(record, framed=True), "a match")).elements]
    assert about["sandbox"] == "allow-scripts"
    assert html.unescape(about["srcdoc"]).startswith("<!DOCTYPE html>")


def test_the_same_record_gives_the_same_page(record):
    """So that pages can be compared and kept under version control."""
    assert single(record) == single(record)

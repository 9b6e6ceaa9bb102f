"""The replays in a report: what the page is given of each match, and of which matches."""

import json

import pytest
from parsed_html import Parsed
from report_data import NAMES, tournament, unpacked

from watch_your_back.report.page import page
from watch_your_back.report.replays import Replays


@pytest.fixture(scope="module")
def made():
    """A small tournament."""
    return tournament(output="depth 3\n")


@pytest.fixture(scope="module")
def text(made):
    """Its report."""
    return page(made.report, made.record)


def test_a_replay_needs_no_rules(made, text):
    """The first picture and the changes of each turn lead to the picture of every state."""
    replays = {about["id"]: words for about, words in Parsed(text).all("script", type="text/plain")}
    assert len(replays) == len(made.report.matches)
    for number in (0, 4, 20):
        record = made.record(made.report.matches[number])
        told = unpacked(replays[f"replay-{number + 1}"])
        cells = list(told["start"])
        for changes, state in zip([[], *told["changes"]], record.states, strict=True):
            for cell, content in zip(changes[::2], changes[1::2], strict=True):
                cells[cell] = content
            assert pictured(told, cells, record.game) == (
                {(piece.cell, piece.side, piece.kind) for piece in state.picture().pieces},
                {(mark.cell, mark.kind) for mark in state.picture().marks},
            )
        assert len(told["changes"]) == len(told["cpu"]) == len(told["sides"]) == len(record.turns)
        assert [record.game.sides[side] for side in told["sides"][:2]] == ["white", "black"]


def pictured(told, cells, game):
    """The pieces and marks of a board whose cells have these contents."""
    pieces, marks = set(), set()
    for place, content in enumerate(cells):
        cell = game.initial().picture().layout.cells[place].id
        pieces |= {(cell, side, kind) for side, kind, _, _ in told["cells"][content][0]}
        marks |= {(cell, kind) for kind in told["cells"][content][1]}
    return pieces, marks


def test_much_output_does_not_make_a_replay_large(made):
    """The middle of what players printed is left out, as far as need be, and counted; the turns are all there."""
    noisy = tournament(NAMES[:2], output="".join(chr(33 + number * number % 90) for number in range(70_000)))
    record = noisy.record(noisy.report.matches[0])
    turns = len(record.turns)
    for allowance in (8_000, 100_000):
        text = Replays(allowance).packed(record)
        told = unpacked(text)
        assert len(text) <= allowance
        assert len(told["actions"]) == turns
        for output in told["outputs"]:
            assert output[4] + len(output[3].replace("\n[...]\n", "")) == 70_000


@pytest.mark.parametrize(("most", "expected"), [(0, 0), (12, 12), (29, 29), (30, 30), (500, 30)])
def test_some_matches_are_replayed_if_not_all(made, most, expected):
    """Not more than so many; there is one of each kind of failure and of each pairing before a second one."""
    text = page(made.report, made.record, replays=most)
    numbers = [
        int(about["id"].removeprefix("replay-")) - 1 for about, _ in Parsed(text).all("script", type="text/plain")
    ]
    assert len(numbers) == expected
    matches = [made.report.matches[number] for number in numbers]
    if expected >= 20:
        assert {frozenset(match.agents) for match in matches} == {
            frozenset(match.agents) for match in made.report.matches
        }
    if expected:
        assert {failure.reason for match in matches for failure in match.failures} == {
            failure.reason for match in made.report.matches for failure in match.failures
        }


def test_what_players_printed_can_be_left_out(made):
    """Replays are then without it."""
    text = page(made.report, made.record, printed=False)
    replays = [unpacked(words) for _, words in Parsed(text).all("script", type="text/plain")]
    assert not any(told["outputs"] for told in replays)
    assert any(made.record(match).outputs for match in made.report.matches)


def test_a_match_without_a_record_is_listed_without_a_replay(made):
    """The store may have no record of a match."""
    text = page(made.report, lambda match: None)
    assert Parsed(text).all("script", type="text/plain") == []
    assert len(json.loads(Parsed(text).all("script", id="data")[0][1])["turns"]) == 30

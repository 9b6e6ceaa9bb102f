"""The report of matches of other games: every board is drawn as `svg` draws it, and written as `text` writes it."""

import json
import re

import pytest
from browser import Browser, Page, executable
from parsed_html import Parsed
from report_data import NAMES, tournament, unpacked

from watch_your_back.game import Game
from watch_your_back.report.page import page
from watch_your_back.show.svg import svg
from watch_your_back.show.text import text

GAMES = {
    "watch_your_back": {},
    "dots_and_boxes": {"width": 3, "height": 2},
    "two_tigers": {},
    "hexxagon": {"size": 4},
    "go": {"size": 5},
    "one_line": {},
}
SAME = """((text) => {
  const expected = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  expected.querySelectorAll("title").forEach((each) => each.remove());
  const found = document.getElementById("board").cloneNode(true);
  found.querySelectorAll(".gone").forEach((each) => each.remove());
  const [one, other] = [expected, found].map((each) => [...each.children]);
  const wrong = one.findIndex((each, index) => !each.isEqualNode(other[index]));
  if (wrong < 0 && one.length === other.length) return "";
  return `${one[wrong]?.outerHTML} is drawn as ${other[wrong]?.outerHTML}`;
})"""


@pytest.fixture(scope="module", params=GAMES)
def made(request):
    """A few matches of a game."""
    return tournament(NAMES[:2], game=Game.load(request.param, **GAMES[request.param]), cap=60)


@pytest.fixture(scope="module")
def report(made):
    """Their report."""
    return page(made.report, made.record)


@pytest.fixture(scope="module")
def browser():
    """One browser for all games."""
    with Browser(executable()) as started:
        yield started


def test_a_replay_has_every_board_and_every_action(made, report):
    """Pieces, notes and the cells of the last action, by the layout that stands once in the page."""
    board = json.loads(Parsed(report).all("script", id="data")[0][1])["board"]
    assert len(Parsed(report).all("script", type="text/plain")) == 2
    told = unpacked(Parsed(report).all("script", type="text/plain")[0][1])
    record = made.record(made.report.matches[0])
    layout = record.start.picture().layout
    assert [tuple(place[:2]) for place in board["places"]] == [(cell.x, cell.y) for cell in layout.cells]
    cells = list(told["start"])
    notes = dict(told["notes"])
    for at, state in enumerate(record.states):
        changes = told["changes"][at - 1] if at else []
        for cell, content in zip(changes[::2], changes[1::2], strict=True):
            cells[cell] = content
        picture = state.picture()
        heights = [sum(stack[3] for stack in told["cells"][content][0]) for content in cells]
        assert sum(heights) == sum(piece.height for piece in picture.pieces)
        assert {place for place, height in enumerate(heights) if height} == {
            place for place, cell in enumerate(layout.cells) if cell.id in {piece.cell for piece in picture.pieces}
        }
        assert list(picture.notes) == notes[max(begin for begin in notes if begin <= at)]
        for side in (0, 1):
            assert sum(told["pieces"][side][: at + 1]) == state.count_pieces(side)


@pytest.mark.skipif(executable() is None, reason="there is no Chromium on the path")
def test_the_page_draws_what_the_package_draws(made, report, browser, tmp_path):
    """In SVG element by element, in characters line by line."""
    file = tmp_path / "report.html"
    file.write_text(report, encoding="utf-8")
    record = made.record(made.report.matches[0])
    shown = Page(browser)
    for position in sorted({0, 1, len(record.turns) // 2, len(record.turns)}):
        shown.open(file, f"#match-1-{position}")
        shown.wait_for("document.getElementById('diagram').textContent !== ''")
        shown.wait_for(f"document.getElementById('position').value === '{position}'")
        picture = record.states[position].picture()
        last = [] if position == 0 else record.game.cells(record.actions[position - 1])
        drawn = re.sub(r"<style>.*?</style>", "", svg(picture, last=last, notes=False), flags=re.DOTALL)
        assert shown.run(f"{SAME}({json.dumps(drawn)})") == ""
        diagram = shown.run("document.getElementById('diagram').textContent")
        expected = text(picture, last=last, unicode=True).splitlines()
        assert ["".join(line.split()) for line in diagram.splitlines()] == ["".join(line.split()) for line in expected]
    assert shown.errors == []

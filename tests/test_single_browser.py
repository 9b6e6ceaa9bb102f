"""The page of one match in a browser: keyboard, scrubber, charts, small windows, dark mode, and inside a notebook."""

import pytest
from browser import Browser, Page, executable
from report_data import NAMES, tournament

from watch_your_back.game import Game
from watch_your_back.report.judgement import Judgement
from watch_your_back.report.single import frame, single

pytestmark = pytest.mark.skipif(executable() is None, reason="there is no Chromium on the path")

PLACE = "Number(document.getElementById('position').value)"
CAPTION = "document.getElementById('caption').textContent"
GRADES = {6: "blunder", 20: "mistake"}


@pytest.fixture(scope="module")
def browser():
    """A Chromium for all tests here."""
    with Browser(executable()) as started:
        yield started


@pytest.fixture(scope="module")
def record():
    """A match with output."""
    made = tournament(NAMES[:3], output="depth 3\n")
    return made.record(made.report.matches[2])


@pytest.fixture(scope="module")
def files(record, tmp_path_factory):
    """Pages on disk: a plain one, one with an explanation and a comment, and one of 700 turns."""
    folder = tmp_path_factory.mktemp("single")
    judged = [
        Judgement(0.01 * turn - 0.3, GRADES.get(turn, ""), "Better was (3, 3)." * (turn in GRADES), turn in GRADES)
        for turn in range(len(record.turns))
    ]
    long = tournament(NAMES[:3], game=Game.load("go", size=19), cap=700)
    levels = tournament(NAMES[:3], game=Game.load("weaponized_chess"), cap=6)
    framed = frame(single(record, framed=True, start=len(record.turns)), "match")
    pages = {
        "levels": single(levels.record(levels.report.matches[2])),
        "plain": single(record),
        "explained": single(record, judged=judged, comments=[(2, "Well played.")]),
        "long": single(long.record(max(long.report.matches, key=lambda match: match.turns))),
        "framed": f"<!DOCTYPE html><title>notebook</title>{framed}",
    }
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def window(browser):
    """A window for one test after another."""
    return Page(browser)


@pytest.fixture
def opened(window, files):
    """Opens a page; afterwards, nothing may have gone wrong, and nothing but the file been asked for."""
    window.errors, window.requests = [], []
    asked = {"data:,", "about:blank"}

    def open_page(name="plain", fragment="", **how):
        window.look(**how)
        window.visit("about:blank")  # or another part of the same file would not load it anew
        window.open(files / f"{name}.html", fragment)
        asked.add((files / f"{name}.html").resolve().as_uri())
        window.wait_for(f"{CAPTION} !== ''")
        return window

    yield open_page
    window.run("1")  # everything that was reported before this is known now
    assert window.errors == []
    assert {address.partition("#")[0] for address in window.requests} <= asked


@pytest.mark.parametrize("name", ["plain", "long"])
def test_the_keys_move_through_the_match(opened, record, name):
    """A turn, ten turns, the start, the end; beyond them is nothing."""
    shown = opened(name)
    last = 700 if name == "long" else len(record.turns)
    for key, expected in [
        ("ArrowRight", 1), ("PageDown", 11), ("ArrowLeft", 10), ("PageUp", 0), ("End", last), ("ArrowRight", last),
        ("Home", 0), ("ArrowLeft", 0),
    ]:  # fmt: skip
        shown.press(key)
        assert shown.run(PLACE) == expected, key
    shown.press("End")
    assert shown.run(CAPTION).endswith(" · the end")
    assert shown.run("location.hash") == f"#{last}"


def test_an_address_names_a_position(opened):
    """A link to a turn can be sent to somebody."""
    shown = opened(fragment="#17")
    assert shown.run(PLACE) == 17
    shown.run("location.hash = '#3'")
    shown.wait_for(f"{PLACE} === 3")


def test_space_plays_and_stops(opened):
    """It stops by itself at the end, too."""
    shown = opened()
    shown.run("document.getElementById('speed').value = '30'")
    shown.press(" ")
    shown.wait_for(f"{PLACE} > 2")
    shown.press(" ")
    assert shown.run("document.getElementById('play').ariaLabel") == "Play (space)"
    shown.press("End")
    shown.press("ArrowLeft")
    shown.press(" ")
    shown.wait_for(f"{CAPTION}.endsWith('the end') && document.getElementById('play').ariaLabel.startsWith('Play')")


@pytest.mark.parametrize("chart", ["timeline", "memory", "standing"])
def test_charts_are_scrubbers(opened, record, chart):
    """A click in the middle of each leads to the middle of the match, and a line says where that is."""
    shown = opened("explained")
    shown.click(f"#{chart}")
    middle = shown.run(PLACE)
    assert 0.4 * len(record.turns) < middle < 0.6 * len(record.turns)
    assert shown.run(f"document.querySelector('#{chart} .here').getAttribute('x1')") == str(middle)


def test_charts_have_a_mark_for_every_turn(opened, record):
    """A bar of time each, and how much memory was used at most, in words as well."""
    shown = opened()
    bars = shown.run(
        "[0, 1].map(s => document.querySelector(`#timeline .time${s}`).getAttribute('d').split('M').length)"
    )
    assert sum(bars) - 2 == len(record.turns)
    peak = max(turn.memory_mb for turn in record.turns if turn.side == 0)
    assert f"white (up to {peak:.1f} MB)" in shown.run("document.getElementById('memory-words').innerText")
    assert shown.run("document.getElementById('standing-figure').hidden")
    assert "stood" not in shown.run("document.getElementById('scale').innerText")


def test_blunders_are_marked_and_found(opened):
    """In the chart, at their turn in words, and by the keys for the next and the previous turning point."""
    shown = opened("explained")
    assert shown.run("document.querySelectorAll('#standing .error').length") == len(GRADES)
    said = "document.getElementById('said').innerText"
    shown.press("n")
    assert (shown.run(PLACE), shown.run(said)) == (7, "Blunder. Better was (3, 3).")
    shown.press("n")
    shown.press("n")
    assert (shown.run(PLACE), shown.run(said)) == (21, "Mistake. Better was (3, 3).")
    shown.press("p")
    assert shown.run(PLACE) == 7
    shown.run("location.hash = '#2'")
    shown.wait_for(f"{said} === 'Well played.'")
    shown.run("document.querySelector('#jumps a').click()")
    assert shown.run(PLACE) == 7


def test_output_is_shown_at_its_turn(opened, record):
    """With a link to it."""
    shown = opened()
    position = record.outputs[1].ply + 1
    shown.click(f"#jumps a[data-position='{position}']")
    assert shown.run(PLACE) == position
    assert shown.run("document.getElementById('output').innerText").strip() == "white, stdout:\ndepth 3"


@pytest.mark.parametrize("name", ["explained", "long"])
@pytest.mark.parametrize("width", [320, 375, 768, 1280])
def test_nothing_is_wider_than_the_window(opened, width, name):
    """On a phone as on a desk."""
    shown = opened(name, "#5", width=width, height=800)
    assert shown.run("document.documentElement.scrollWidth") <= width
    inside = "(e => e.left >= 0 && e.right <= innerWidth + 1)(document.querySelector('{}').getBoundingClientRect())"
    for selector in ("#board", "#controls", "#charts", "#position"):
        assert shown.run(inside.format(selector)), selector


def test_boards_side_by_side_can_be_read_on_a_phone(opened):
    """They are wider than the window there, and are scrolled by finger and keyboard, without the page around them."""
    shown = opened("levels", "#3", width=375, height=800)
    assert shown.run("document.documentElement.scrollWidth") <= 375
    assert shown.run("document.getElementById('board').getBoundingClientRect().width") > 700
    assert shown.run("document.getElementById('boards').tabIndex") == 0
    seen = "(e => e && (r => r.left >= 0 && r.right <= innerWidth)(e.getBoundingClientRect()))"
    found = set()
    for _ in range(6):
        shown.press("ArrowRight")
        found.add(shown.run(f"{seen}(document.querySelector('#board .last'))"))
    assert found - {None} == {True}  # some turns touch nothing
    assert opened("levels", "#3").run("document.getElementById('boards').tabIndex") == -1


@pytest.mark.parametrize("dark", [False, True])
def test_words_can_be_read_in_both_schemes(opened, dark):
    """Text stands out from its ground by a ratio of at least 4.5 (WCAG 2.2, 1.4.3)."""
    shown = opened("explained", "#7", dark=dark)
    ratio = """
    ((selector) => {
      const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((part) => {
        const c = part / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      }).reduce((sum, c, index) => sum + c * [0.2126, 0.7152, 0.0722][index], 0);
      const one = light(getComputedStyle(document.querySelector(selector)).color);
      const other = light(getComputedStyle(document.body).backgroundColor);
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    })
    """
    for selector in ("h1", "#caption", ".grade", "#scale", "#jumps a", ".keys", "footer"):
        assert shown.run(f"{ratio}('{selector}')") >= 4.5, selector


def test_it_works_inside_a_notebook(browser, files):
    """In a frame that has no address of its own and may not touch the notebook's."""
    shown = Page(browser)
    shown.open(files / "framed.html")
    inside = shown.call("Page.getFrameTree")["frameTree"]["childFrames"][0]["frame"]["id"]
    world = shown.call("Page.createIsolatedWorld", frameId=inside)["executionContextId"]

    def run(expression):
        found = shown.call("Runtime.evaluate", expression=expression, contextId=world, returnByValue=True)
        return found["result"].get("value")

    shown.wait_for("document.readyState === 'complete'")
    address = shown.run("location.href")
    while not run(CAPTION):
        pass
    assert run(CAPTION).endswith("the end")
    run("document.querySelector('[data-go=start]').click()")
    run("document.querySelector('[data-go=forward]').click()")
    assert run(PLACE) == 1
    run("document.querySelector('#jumps a').click()")
    assert run(PLACE) > 1
    assert run("document.querySelector('h1').offsetParent === null")
    assert shown.run("location.href") == address
    assert shown.errors == []

"""The report in a browser: it opens from disk, shows what it should, and can be used with the keyboard alone."""

from dataclasses import replace

import pytest
from browser import Browser, Page, executable
from report_data import NAMES, tournament

from watch_your_back.match.events import PlayerFailed, Reason
from watch_your_back.report.page import page

pytestmark = pytest.mark.skipif(executable() is None, reason="there is no Chromium on the path")

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
CAPTION = "document.getElementById('caption').textContent"


@pytest.fixture(scope="module")
def browser():
    """A Chromium for all tests here."""
    with Browser(executable()) as started:
        yield started


@pytest.fixture(scope="module")
def made():
    """A small tournament."""
    return tournament(output="depth 3\n")


@pytest.fixture(scope="module")
def file(made, tmp_path_factory):
    """Its report on disk."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page(made.report, made.record), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def window(browser):
    """A window for one test after another."""
    return Page(browser)


@pytest.fixture
def opened(window, file):
    """Opens the report; afterwards, nothing may have gone wrong, and nothing but the file been asked for."""
    window.errors, window.requests = [], []
    asked = {"data:,", "about:blank"}

    def open_page(fragment="", *, at=file, **how):
        window.look(**how)
        window.visit("about:blank")  # or another part of the same file would not load it anew
        window.open(at, fragment)
        asked.add(at.resolve().as_uri())
        return window

    yield open_page
    window.run("1")  # everything that was reported before this is known now
    assert window.errors == []
    assert {address.partition("#")[0] for address in window.requests} <= asked


def replaying(opened, match, **how):
    """A page that shows the replay of a match."""
    shown = opened(f"#match-{match}", **how)
    shown.wait_for(f"{CAPTION} !== ''")
    return shown


def text(shown, selector):
    """What a reader sees of an element, once there is anything."""
    shown.wait_for(f"document.querySelector({selector!r})?.innerText")
    return shown.run(f"document.querySelector({selector!r}).innerText")


def test_it_opens_from_disk(opened):
    """All sections are there, the list of matches too, and no part of the page is wider than the window."""
    shown = opened()
    assert text(shown, "h1") == "Practice tournament"
    assert shown.run("[...document.querySelectorAll('main h2')].filter(e => e.offsetParent).length") == 7
    assert text(shown, "#found") == "30 matches"
    assert shown.run("document.querySelectorAll('#list tbody tr').length") == 30


@pytest.mark.parametrize("width", [375, 768, 1280])
@pytest.mark.parametrize("fragment", ["", "#match-5"])
def test_nothing_is_cut_off(opened, width, fragment):
    """On a phone, a tablet and a screen the page never scrolls sideways; wide tables do so by themselves."""
    shown = opened(fragment, width=width, height=800)
    shown.wait_for("document.querySelector('#list tbody tr')")
    assert shown.run("document.documentElement.scrollWidth") <= width
    outside = shown.run(
        "[...document.querySelectorAll('main *')].filter(e => !e.closest('.scroll, pre, svg') && e.offsetParent &&"
        " e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert outside == []


def test_a_replay_goes_by_the_keyboard(opened, made):
    """Arrows go a turn, page up and down ten, Home and End to the ends."""
    record = made.record(made.report.matches[0])
    shown = replaying(opened, 1)
    assert text(shown, "#replay-title") == "Match 1: champion (white) v team_7/player (black)"
    last = len(record.turns)
    place = "Number(document.getElementById('position').value)"
    for key, expected in [
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("PageDown", 11), ("PageUp", 1), ("End", last),
        ("ArrowRight", last), ("Home", 0), ("ArrowLeft", 0),
    ]:  # fmt: skip
        shown.press(key)
        assert shown.run(place) == expected, key
    shown.press("ArrowRight")
    assert text(shown, "#caption").startswith("Turn 1 · White: (")
    shown.press("End")
    assert text(shown, "#caption").endswith(" · the end")


def test_every_position_is_the_one_that_was_played(opened, made):
    """The board as text is that of the state, with the last action in brackets; the drawing has as many pieces."""
    record = made.record(made.report.matches[0])
    shown = replaying(opened, 1)
    for position in (0, 7, 30, len(record.turns)):
        shown.run(f"location.hash = '#match-1-{position}'")
        shown.wait_for(f"document.getElementById('position').value === '{position}'")
        state = record.states[position]
        pieces = {piece.cell: piece.side for piece in state.picture().pieces}
        diagram = shown.run("document.getElementById('diagram').textContent").splitlines()
        for (x, y), side in pieces.items():
            assert diagram[y + 1][3 + 3 * x + 1] == "○●"[side]
        assert sum(line.count(sign) for line in diagram for sign in "○●") == len(pieces)
        assert shown.run("document.querySelectorAll('#board .stone').length") == len(pieces)
        named = shown.run("document.querySelectorAll('#board .last').length")
        assert named == (0 if position == 0 else 1 if position <= 24 else 2)


def test_a_replay_plays_by_itself_and_stops(opened):
    """The space bar starts it; it stops at the end, or by the space bar."""
    shown = replaying(opened, 5)
    shown.run("document.getElementById('speed').value = '30'")
    shown.press(" ")
    shown.wait_for("Number(document.getElementById('position').value) > 2")
    shown.press(" ")
    assert shown.run("document.getElementById('play').ariaLabel") == "Play (space)"
    shown.press("End")
    shown.press("ArrowLeft")
    shown.press(" ")
    shown.wait_for(f"{CAPTION}.endsWith('the end') && document.getElementById('play').ariaLabel.startsWith('Play')")


def test_the_last_step_of_a_match_is_the_failure_that_ended_it(opened, made):
    """It is told at its turn, with the traceback, and the board is that of the last action."""
    number, match = next((n, m) for n, m in enumerate(made.report.matches, 1) if m.reason == "exception")
    shown = replaying(opened, number)
    shown.press("End")
    assert text(shown, "#caption").startswith(f"Turn {match.turns + 1} · ")
    assert "exception in action() · the end" in text(shown, "#caption")
    assert "ValueError: max() iterable argument is empty" in text(shown, "#failures")


def test_a_match_without_a_turn_can_be_shown(browser, opened, made, tmp_path):
    """Of players that could not start there is the first board, and what failed."""
    match = made.report.matches[0]
    failures = [PlayerFailed(-1, side, "import", Reason.COULD_NOT_START, "no module named x") for side in (0, 1)]
    record = replace(made.record(match), turns=(), outputs=(), starts=(), failures=tuple(failures))
    played = match._replace(winner=None, reason="both could not start", turns=0, failures=tuple(failures))
    file = tmp_path / "unplayed.html"
    file.write_text(page(replace(made.report, matches=[played]), lambda match: record), encoding="utf-8")
    shown = replaying(opened, 1, at=file)
    assert text(shown, "#replay-result") == "Nobody won after 0 turns: both could not start."
    shown.press("End")
    assert text(shown, "#caption") == "At the start · White: could not start in import · the end"
    assert text(shown, "#failures").count("no module named x") == 2


def test_what_was_printed_is_shown_at_its_turn(opened, made):
    """With a link to it, and the side and the stream."""
    number, match = next((n, m) for n, m in enumerate(made.report.matches, 1) if made.record(m).outputs)
    output = made.record(match).outputs[1]
    shown = replaying(opened, number)
    shown.press("ArrowRight", 2)
    assert text(shown, "#output") == "nothing"
    shown.click(f"#jumps a[href='#match-{number}-{output.ply + 1}']")
    shown.wait_for("document.getElementById('output').innerText !== 'nothing'")
    assert text(shown, "#output").strip() == "white, stdout:\ndepth 3"
    assert text(shown, "#caption").startswith(f"Turn {output.ply + 1} ")


def test_buttons_slider_and_timeline_move_too(opened):
    """What the keys do can be done with a pointer."""
    shown = replaying(opened, 1)
    place = "Number(document.getElementById('position').value)"
    shown.click("[data-go=forward]")
    shown.click("[data-go=forward]")
    shown.click("[data-go=back]")
    assert shown.run(place) == 1
    shown.click("[data-go=end]")
    last = shown.run(place)
    shown.click("#timeline")
    assert 0.4 * last < shown.run(place) < 0.6 * last
    shown.click("[data-go=start]")
    assert shown.run(place) == 0
    shown.run("document.getElementById('position').focus()")
    shown.press("ArrowRight")
    assert shown.run(place) == 1


def test_from_the_list_to_a_replay_and_back(opened):
    """By Enter on a link, with the focus on the heading; Escape and Back lead back to the list."""
    shown = opened("#matches")
    shown.run("document.querySelector('#list tbody a').focus()")
    shown.press("Enter")
    shown.wait_for("document.activeElement.id === 'replay-title'")
    assert text(shown, "#replay-title").startswith("Match 1: ")
    assert shown.run("document.getElementById('report').hidden")
    shown.press("Escape")
    shown.wait_for("!document.getElementById('report').hidden")
    shown.run("history.back()")
    shown.wait_for("!document.getElementById('replay').hidden")


def test_the_next_match_is_the_next_of_those_that_were_found(opened):
    """Previous and Next stay within the list as it is sorted and searched."""
    shown = opened("#matches-6")
    shown.wait_for("document.getElementById('found').textContent === '10 of 30 matches'")
    first = shown.run("document.querySelector('#list tbody a').hash")
    shown.run(f"location.hash = '{first}'")
    shown.wait_for(f"!document.getElementById('replay').hidden && {CAPTION} !== ''")
    assert shown.run("document.getElementById('previous').hidden")
    shown.click("#next")
    shown.wait_for("document.getElementById('replay-title').textContent.startsWith('Match 10: ')")
    assert "crasher" in text(shown, "#replay-title")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("minimax", 10), ("minimax crasher", 2), ("CRASH", 10), ("#7", 1), ("5", 11), ("nobody at all", 0), ("", 30),
    ],
)  # fmt: skip
def test_matches_are_found_by_words(opened, words, found):
    """Names and reasons in part, numbers whole, all words together, in any case."""
    shown = opened("#matches")
    shown.run("document.getElementById('words').focus()")
    shown.type(words)
    shown.wait_for(f"document.querySelectorAll('#list tbody tr').length === {found}")
    assert text(shown, "#found") == ("30 matches" if found == 30 else f"{found} of 30 matches")


def test_the_list_is_sorted_by_a_column(opened, made):
    """The first click on a measure shows the most at the top, the next one the least."""
    shown = opened("#matches")
    numbers = "[...document.querySelectorAll('#list tbody tr')].map(row => Number(row.cells[0].innerText.slice(1)))"
    turns = [match.turns for match in made.report.matches]
    for order, reverse in (("descending", True), ("ascending", False)):
        shown.click("#list th[data-key=turns] button")
        assert shown.run("document.querySelector('#list th[data-key=turns]').ariaSort") == order
        sorted_turns = [turns[number - 1] for number in shown.run(numbers)]
        assert sorted_turns == sorted(turns, reverse=reverse)


def test_tables_are_sorted_by_a_column(opened):
    """Ratings by name, and back by rank."""
    shown = opened()
    names = "[...document.querySelectorAll('.ratings tbody th')].map(cell => cell.innerText)"
    shown.click(".ratings th:nth-child(2) button")
    assert shown.run(names) == sorted(NAMES)
    shown.click(".ratings th:nth-child(1) button")
    assert shown.run(names) == list(NAMES)


def test_the_crosstable_tells_its_details_to_the_keyboard(opened):
    """One cell is reached by Tab, the others by arrows; Enter lists the matches of the two."""
    shown = opened()
    assert shown.run("document.querySelectorAll('.cross td[tabindex=\"0\"]').length") == 1
    shown.run("document.querySelector('.cross td[tabindex=\"0\"]').focus()")
    assert text(shown, "#tip").startswith("champion against team_7/player\n\nAs white: won ")
    shown.press("ArrowDown")  # past the cell of the agent against itself
    assert text(shown, "#tip").startswith("minimax against team_7/player")
    shown.press("ArrowRight")
    assert text(shown, "#tip").startswith("minimax against greedy-agent-5")
    shown.press("Escape")
    assert shown.run("document.getElementById('tip').hidden")
    shown.press("Enter")
    shown.wait_for("document.getElementById('found').textContent === '2 of 30 matches'")


def test_hostile_names_and_output_do_nothing(browser, opened, tmp_path):
    """They are shown as they are, in every part of the page, and no script of theirs runs."""
    bad = tournament([HOSTILE + name for name in NAMES[:3]], output=HOSTILE + "\n")
    file = tmp_path / "hostile.html"
    file.write_text(page(bad.report, bad.record), encoding="utf-8")
    shown = opened("#match-1", at=file)
    shown.run("window.alert = () => console.error('a script of theirs ran')")
    shown.wait_for(f"{CAPTION} !== ''")
    assert HOSTILE in text(shown, "#replay-title")
    shown.press("End")
    shown.run("location.hash = '#crosstable'")
    shown.wait_for("!document.getElementById('report').hidden")
    shown.run("document.querySelector('.cross td[tabindex=\"0\"]').focus()")
    assert HOSTILE in text(shown, "#tip")
    assert HOSTILE in text(shown, "#list")
    assert shown.run("document.images.length") == 0


def test_without_scripts_everything_but_the_matches_can_be_read(browser, file):
    """Ratings, crosstable, plots and failures are in the page itself."""
    shown = Page(browser, script=False)
    shown.open(file)
    tree = shown.call("Accessibility.getFullAXTree")["nodes"]
    names = [node["name"]["value"] for node in tree if "name" in node and not node.get("ignored")]
    for expected in ("champion", "+300", "Score by side", "Of the limit", "The list of matches and their replays"):
        assert any(expected in str(name) for name in names), expected
    assert "Search" not in names


def test_it_can_be_printed(browser, opened, tmp_path):
    """Without what is only of use on a screen."""
    shown = opened()
    shown.printed(tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF-")
    shown.call("Emulation.setEmulatedMedia", media="print")
    assert shown.run("[...document.querySelectorAll('nav, form, #list')].filter(e => e.offsetParent).length") == 0


def test_the_dark_scheme_is_dark(opened):
    """The page follows the system."""
    colour = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    assert max(opened("", dark=True).run(colour)) < 64
    assert min(opened("", dark=False).run(colour)) > 192

"""The pages of the server in a real browser: whole matches by clicks and keys, tournaments as they run, replays."""

import subprocess
import sys

import pytest

pytest.importorskip("starlette", reason="Starlette and uvicorn are not installed: pip install .[web]")
pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install .[test]")

from browser import executable
from playwright import sync_api
from web_browser import ARGUMENTS, Watched
from web_server import ROOT, Served

from watch_your_back.agents import find
from watch_your_back.game import Game
from watch_your_back.match import Match, run
from watch_your_back.match.record import RecordWriter

pytestmark = pytest.mark.skipif(executable() is None, reason="there is no Chromium on the path")

CRASHER = """
class Player:
    def __init__(self, colour): pass
    def action(self, turns):
        print("<img src=x onerror=alert(1)>")
        raise ValueError("</script><img src=x onerror=alert(2)>")
    def update(self, action): pass
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with an agent, records and the store of a tournament that has only begun."""
    made = tmp_path_factory.mktemp("pages")
    (made / "crasher.py").write_text(CRASHER)
    (made / "records").mkdir()
    for id, options in (("watch_your_back", {}), ("go", {"size": 5}), ("hexxagon", {"size": 3})):
        match = Match(Game.load(id, **options), (find("players.random"), find("players.greedy")), seed=3)
        run(match, RecordWriter(made / "records" / f"{id}.jsonl"))
    tournament(made, 1, "crasher.py")
    return made


def tournament(folder, rounds, *more):
    """Play a tournament in the folder, or go on with it."""
    words = ["tournament", "run", "random", "greedy", *more, "--rounds", str(rounds), "--store", "class.db"]
    words += ["--accept-changes", "settings"] if rounds > 1 else []
    done = subprocess.run(
        [sys.executable, "-m", "watch_your_back", *words, "--game", "one_line", "--seed", "1"],
        cwd=folder, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def served(folder):
    """The server for all tests here."""
    with Served(folder, "--matches", "6") as started:
        yield started


@pytest.fixture(scope="module")
def browser():
    """Chromium for all tests here."""
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def opened(browser, served):
    """Opens pages; afterwards nothing may have gone wrong in them, and nothing been asked of another host."""
    pages = []

    def open_page(address="/", **how):
        pages.append(Watched(browser, served.address, **how))
        pages[-1].page.goto(address)
        return pages[-1].page

    open_page.pages = pages
    yield open_page
    for each in pages:
        each.close()


def begin(page, game="watch_your_back", *, seats=(None, None), **options):
    """Fill in the form as a person does, and begin."""
    page.wait_for_selector("#seat-1")
    page.select_option("#game", game)
    if options:
        page.click("#options summary")
    for name, value in options.items():
        if page.locator(f"select#option-{name}").count():
            page.select_option(f"#option-{name}", label=str(value))
        else:
            page.fill(f"#option-{name}", str(value))
    for side, seat in enumerate(seats):
        if seat:
            page.select_option(f"#seat-{side}", seat)
    page.click("#order [type=submit]")
    page.wait_for_url("**/table/*")


def moves(page):
    """How many actions were taken, as the page shows it."""
    return page.locator("#moves li").count()


def await_turn(page, least=0):
    """Wait until the person can act after so many actions, or the match is over; returns whether it goes on."""
    page.wait_for_function(
        "least => { const said = document.getElementById('status').textContent;"
        " return / won: |^Nobody won/.test(said) || (said.startsWith('Your turn') &&"
        " document.querySelectorAll('#moves li').length >= least); }",
        arg=least,
    )
    return page.inner_text("#status").startswith("Your turn")


def touch(page):
    """Click with the mouse in the middle of one of the cells that can be touched and is not yet."""
    x, y = page.evaluate("""() => {
        const targets = [...document.querySelectorAll('#board .target:not([aria-pressed])')];
        const target = targets[Math.floor(targets.length / 2)].firstElementChild;
        target.scrollIntoView({ block: 'nearest' });
        const box = target.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }""")
    page.mouse.click(x, y)


def touch_until_done(page):
    """Touch marked cells, and take from the list where there is one, until an action has been taken."""
    before = moves(page)
    for touched in range(5):
        listed = page.locator("#choices button, [data-does='bare-0'].main")
        if listed.count():
            listed.first.click()
        else:
            touch(page)
        page.wait_for_function(
            "([before, touched]) => document.querySelectorAll('#moves li').length > before"
            " || (document.querySelectorAll('#board [aria-pressed]').length > touched"
            " && document.querySelector('#board .target:not([aria-pressed])'))"
            " || (touched && document.querySelector('#choices button'))",
            arg=[before, touched],
        )
        if moves(page) > before:
            return
    raise AssertionError("no action was taken")


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("watch_your_back", {}),
        ("go", {"size": 5}),
        ("hexxagon", {"size": 3}),
        ("dots_and_boxes", {"width": 2, "height": 2}),
        ("one_line", {}),
    ],
)
def test_a_whole_match_is_played_by_clicking(opened, game, options):
    """Against random, until the page says how it ended; then it can be replayed and played again."""
    page = opened("/play")
    begin(page, game, **options)
    taken = 0
    while await_turn(page, taken):
        touch_until_done(page)
        taken = moves(page)
    assert moves(page) > 3
    assert page.is_visible("text=Replay")
    assert page.is_visible("text=Play again")
    assert page.locator("#board .target").count() == 0
    page.click("text=Replay")
    page.wait_for_selector("#caption:not(:empty)")
    page.keyboard.press("End")
    assert page.inner_text("#caption").endswith("the end")


def test_the_keyboard_is_enough_to_play(opened):
    """Tab leads to the board, arrows from target to target, Enter acts; the focus stays on the board."""
    page = opened("/play")
    begin(page)
    assert await_turn(page)
    page.focus("#board .target[tabindex='0']")
    focused = "() => document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(focused) == "(1, 0)"
    for key, expected in (
        ("ArrowRight", "(2, 0)"),
        ("ArrowDown", "(2, 1)"),
        ("ArrowLeft", "(1, 1)"),
        ("End", "(7, 5)"),
    ):
        page.keyboard.press(key)
        assert page.evaluate(focused) == expected
    page.keyboard.press("Enter")
    assert await_turn(page, 2)
    assert page.inner_text("#moves li >> nth=0").endswith("(7, 5)")
    page.wait_for_function("() => document.activeElement.closest('#board') !== null")


def test_what_cannot_be_done_is_explained(opened):
    """A click on a corner, and an action that is typed wrong, are answered in the words of the game."""
    page = opened("/play")
    begin(page)
    assert await_turn(page)
    page.locator("#board [data-cell='0']").click(force=True)
    page.wait_for_function("() => document.getElementById('problem').textContent.includes('corner')")
    page.fill("#typed", "4 7")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('problem').textContent.includes('zone')")
    page.fill("#typed", "4 4")
    page.keyboard.press("Enter")
    assert await_turn(page, 2)
    assert page.is_hidden("#problem")
    opened.pages[-1].wrong.clear()  # the browser notes every answer 422 on the console


def test_actions_with_the_same_cells_are_a_list(opened):
    """In One-Line Chess the number of pieces is chosen after the two cells; Esc takes the choice back."""
    page = opened("/play")
    begin(page, "one_line", rules=2)
    assert await_turn(page)
    page.locator("#board .target[aria-label^='10,']").click(force=True)
    page.wait_for_selector("#board [aria-pressed]")
    page.keyboard.press("Escape")
    assert page.locator("#board [aria-pressed]").count() == 0
    page.locator("#board .target[aria-label^='10,']").click(force=True)
    page.locator("#board .target[aria-label='3']").click(force=True)
    assert page.locator("#choices button").all_inner_texts() == ["10 3 1", "10 3 2"]
    page.locator("#choices button").nth(1).click()
    page.wait_for_selector("#moves li")
    assert "10, 3, 2" in page.inner_text("#moves li >> nth=0")


def test_a_turn_is_taken_back(opened):
    """Against an agent, to where the person acted before."""
    page = opened("/play")
    begin(page, "go", size=5)
    for turn in (0, 2):
        assert await_turn(page, turn)
        touch_until_done(page)
    assert await_turn(page, 4)
    page.click("text=Take back")
    page.wait_for_function("() => document.querySelectorAll('#moves li').length === 2")
    assert await_turn(page, 2)
    touch_until_done(page)
    assert await_turn(page, 4)


def test_two_people_play_on_one_screen(opened):
    """Each is told when to act, and can resign."""
    page = opened("/play")
    begin(page, "hexxagon", seats=("person", "person"), size=3)
    page.wait_for_function("() => document.getElementById('status').textContent === 'White (White) to act.'")
    touch_until_done(page)
    page.wait_for_function("() => document.getElementById('status').textContent === 'Black (Black) to act.'")
    page.click("text=Resign")
    page.wait_for_function("() => document.getElementById('status').textContent === 'White (White) won: resigned.'")


def test_two_agents_are_watched(opened):
    """Nothing can be touched; in the end the match can be replayed, or played again."""
    page = opened("/play")
    begin(page, "one_line", seats=("random", "greedy"))
    page.wait_for_selector("#buttons a:has-text('Replay')")
    assert page.locator("#board .target").count() == 0
    assert page.is_hidden("#typing")
    page.click("text=Play again")
    page.wait_for_function("before => location.href !== before", arg=page.url)


def test_an_agent_that_fails_is_explained(opened):
    """Reason, what it means, traceback and output; none of it does anything."""
    page = opened("/play")
    begin(page, seats=(None, "local:crasher.py"))
    assert await_turn(page)
    touch_until_done(page)
    page.wait_for_function("() => document.getElementById('status').textContent.includes('exception')")
    told = page.inner_text("#failures")
    assert "raised an exception" in told
    assert "</script><img src=x onerror=alert(2)>" in told
    assert "crasher.py" in told
    assert page.locator("#content img").count() == 0
    page.click("#printed summary")
    assert "<img src=x onerror=alert(1)>" in page.inner_text("#output")


def test_mistakes_are_shown_at_their_fields(opened):
    """What the server refuses is said beside the field, which gets the focus."""
    page = opened("/play")
    page.wait_for_selector("#seat-1")
    page.select_option("#game", "go")
    page.click("#options summary")
    page.fill("#option-size", "99")
    page.fill("#limit-cpu_s", "soon")
    page.click("#order [type=submit]")
    page.wait_for_function("() => !document.getElementById('error-option-size').hidden")
    assert page.inner_text("#error-option-size") == "At most 19, not 99"
    assert "A number of seconds" in page.inner_text("#error-limit-cpu_s")
    assert page.evaluate("document.activeElement.id") == "option-size"
    assert page.get_attribute("#option-size", "aria-invalid") == "true"
    opened.pages[-1].wrong.clear()  # the browser notes every answer 422 on the console


def test_a_recorded_match_is_played_on(opened):
    """From the turn that the replay shows."""
    page = opened("/replay?of=records/hexxagon.jsonl")
    page.wait_for_selector("#caption:not(:empty)")
    page.keyboard.press("PageDown")
    page.wait_for_function("() => document.getElementById('over').href.endsWith('turn=10')")
    page.click("#over")
    page.wait_for_selector("#seat-1")
    assert "after 10 turns" in page.inner_text(".lead")
    page.click("#order [type=submit]")
    page.wait_for_url("**/table/*")
    assert await_turn(page, 10)
    assert moves(page) == 10


def test_a_replay_goes_by_the_keyboard(opened):
    """Arrows go a turn, page up and down ten, Home and End to the ends."""
    page = opened("/")
    page.click("#records a:has-text('watch_your_back')")
    page.wait_for_selector("#caption:not(:empty)")
    place = "Number(document.getElementById('position').value)"
    last = int(page.get_attribute("#position", "max"))
    for key, expected in [
        ("ArrowRight", 1), ("PageDown", 11), ("PageUp", 1), ("ArrowLeft", 0), ("End", last), ("Home", 0)
    ]:  # fmt: skip
        page.keyboard.press(key)
        assert page.evaluate(place) == expected, key


def test_a_tournament_changes_while_it_is_watched(opened, folder):
    """More matches are played in another process, and ratings, crosstable and list change without a reload."""
    page = opened("/")
    page.click("#stores a")
    page.wait_for_selector("#ratings tbody tr")
    page.wait_for_selector("#list tbody tr")
    page.evaluate("window.same = true")
    page.click("#ratings th button:has-text('Agent')")
    before = page.inner_text("#lead"), page.inner_text("#crosstable"), page.inner_text("#found")
    tournament(folder, 3, "crasher.py")
    page.wait_for_function("before => document.getElementById('lead').textContent !== before", arg=before[0])
    page.wait_for_function("() => document.getElementById('found').textContent === '18 matches'")
    assert page.inner_text("#crosstable") != before[1]
    assert page.get_attribute("#ratings th:has-text('Agent')", "aria-sort") == "ascending"
    assert page.evaluate("window.same")


def test_the_crosstable_leads_to_matches(opened):
    """By arrow keys and Enter; the list then has only those of the two."""
    page = opened("/tournament?of=class.db")
    page.wait_for_selector("#crosstable td[tabindex='0']")
    page.focus("#crosstable td[tabindex='0']")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('agent').value && document.getElementById('other').value")
    both = {page.input_value("#agent"), page.input_value("#other")}
    page.wait_for_function("() => !/^0 /.test(document.getElementById('found').textContent)")
    page.wait_for_function(
        "names => [...document.querySelectorAll('#list tbody tr')]"
        ".every(row => names.every(name => row.innerText.includes(name)))",
        arg=sorted(both),
    )


def test_the_dark_scheme_is_dark(opened):
    """The pages follow the system."""
    colour = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    assert max(opened("/play", dark=True).evaluate(colour)) < 64
    assert min(opened("/play").evaluate(colour)) > 192


@pytest.fixture
def pages_of(opened):
    """Opens every kind of page, each with something on it."""

    def every(**how):
        for address, ready in (
            ("/", "#records tbody tr"),
            ("/play", "#seat-1"),
            ("/tournament?of=class.db", "#crosstable td"),
            ("/replay?of=records/go.jsonl", "#caption:not(:empty)"),
        ):
            page = opened(address, **how)
            page.wait_for_selector(ready)
            yield page
        for game in ("watch_your_back", "dots_and_boxes", "two_tigers"):
            page = opened("/play", **how)
            begin(page, game)
            page.wait_for_selector("#board .target", state="attached")
            yield page

    return every


@pytest.mark.parametrize("width", [375, 1280])
def test_nothing_is_cut_off(pages_of, width):
    """On a phone, a tablet and a screen no page scrolls sideways; wide tables and boards do so by themselves."""
    for page in pages_of(width=width):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
        outside = page.evaluate(
            "[...document.querySelectorAll('main *')].filter(e => !e.closest('.scroll, pre, svg') && e.offsetParent &&"
            " e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
        )
        assert outside == [], page.url


@pytest.mark.parametrize(("width", "dark"), [(375, True), (1280, False)], ids=["375-dark", "1280-light"])
def test_nobody_is_kept_out(pages_of, width, dark):
    """No page has a serious fault by axe-core, which knows the rules of WCAG 2.2 up to AA."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed").Axe()
    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    for page in pages_of(width=width, dark=dark):
        found = axe.run(page, options={"runOnly": rules}).response["violations"]
        told = [(each["id"], each["impact"], [node["html"][:120] for node in each["nodes"][:3]]) for each in found]
        assert [each for each in told if each[1] in ("serious", "critical", "moderate")] == [], page.url

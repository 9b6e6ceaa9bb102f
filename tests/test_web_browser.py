"""The pages of the server in a real browser: whole matches by clicks and keys, tournaments as they run, replays."""

import subprocess
import sys
from functools import partial

import pytest

pytest.importorskip("starlette", reason="Starlette and uvicorn are not installed: pip install .[web]")
pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install .[test]")

from browser import QUIET, executable
from playwright import sync_api
from web_browser import HEIGHT, PATIENCE_MS, PHONE, Watched
from web_server import ROOT, Served

from players.minimax import evaluate
from watch_your_back.agents import find
from watch_your_back.game import Game
from watch_your_back.match import Match, run
from watch_your_back.match.record import RecordWriter
from watch_your_back.match.record_form import read_line
from watch_your_back.match.replaying import Replay
from watch_your_back.search import AlphaBeta

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
        started = playwright.chromium.launch(executable_path=executable(), args=list(QUIET))
        yield started
        started.close()


@pytest.fixture(scope="module")
def screen(browser, served):
    """A page on a screen, in which one test after another opens what it wants to see."""
    return Watched(browser, served.address)


@pytest.fixture
def opened(screen):
    """Opens a page; afterwards nothing may have gone wrong in it, and nothing been asked of another host."""

    def open_page(address="/"):
        screen.page.goto(address)
        return screen.page

    screen.told()
    yield open_page
    assert screen.told() == []


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


AWAITED = """({ before, most, patience }) => new Promise((done, fail) => {
    const all = (selector) => document.querySelectorAll(selector).length;
    const look = () => {
        const [taken, touched, listed] = [all("#moves li"), all("#board [aria-pressed]"), all("#choices button")];
        const said = document.getElementById("status").textContent;
        if (/ won: |^Nobody won/.test(said) || taken >= most) return { taken };
        const now = [taken, touched, listed].join();
        if (now === before || !/^Your turn| to act\\.$/.test(said)) return null;
        const more = listed || all("#board .target:not([aria-pressed]), [data-does='bare-0']");
        return more ? { taken, touched, now } : null;
    };
    const tell = () => {
        const seen = look();
        if (!seen) return;
        observer.disconnect();
        clearTimeout(timer);
        done(seen);
    };
    const observer = new MutationObserver(tell);
    const timer = setTimeout(() => fail(new Error("nothing can be touched")), patience);
    const everything = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(document.querySelector("main"), everything);
    tell();
})"""
"""Waits until something else than before can be clicked on, so many actions have been taken, or the match is over."""
PLACE = """(cell) => {
    const targets = [...document.querySelectorAll("#board .target:not([aria-pressed])")];
    const named = targets.find((each) => each.dataset.cell === String(cell));
    const target = named ?? targets[Math.floor(targets.length / 2)];
    const next = document.querySelector("#choices button, [data-does='bare-0'].main") ?? target.firstElementChild;
    next.scrollIntoView({ block: "nearest" });
    const box = next.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""
"""The middle of this target, or of one amid them all; that of a button where there is one to choose an action with."""


def click_on(page, most=1_000, choose=None):
    """Click with the mouse on one of what can be touched, again and again, until so many actions have been taken.

    `choose` tells the cells of the next action. Returns how many have been taken: fewer only where the match is over.
    """
    before, cells = "", []
    while "now" in (seen := page.evaluate(AWAITED, {"before": before, "most": most, "patience": PATIENCE_MS})):
        if choose and not seen["touched"]:
            cells = choose()
        page.mouse.click(*page.evaluate(PLACE, cells.pop(0) if cells else None))
        before = seen["now"]
    return seen["taken"]


def advice(served, page):
    """The cells of the action that is best for the next turn: matches that are played well are over sooner."""
    replay = Replay()
    record = served.client.get(f"/api/tables/{page.url.rpartition('/')[2]}/record")
    for number, line in enumerate(record.content.splitlines(), 1):
        replay.take(read_line(number, line))
    state = replay.state
    numbers = {cell.id: number for number, cell in enumerate(state.picture().layout.cells)}
    return [numbers[cell] for cell in state.game.cells(AlphaBeta(evaluate).search(state, depth=1).action)]


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
def test_a_whole_match_is_played_by_clicking(opened, served, game, options):
    """Against random, until the page says how it ended; then it can be replayed and played again."""
    page = opened("/play")
    begin(page, game, **options)
    choose = partial(advice, served, page) if game == "watch_your_back" else None
    assert click_on(page, choose=choose) > 3
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


def test_what_cannot_be_done_is_explained(opened, screen):
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
    assert all("422" in each for each in screen.told())  # the browser notes every answer 422 on the console


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
    """Against an agent, to where the person acted before, however often it is clicked; then it goes on as ever."""
    page = opened("/play")
    begin(page, "one_line")
    click_on(page, 3)
    assert await_turn(page, 4)
    page.dblclick("text=Take back")
    page.wait_for_function("() => document.querySelectorAll('#moves li').length === 2")
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('Your turn')")
    click_on(page, 3)
    assert await_turn(page, 4)


def test_two_people_play_on_one_screen(opened):
    """Each is told when to act, and can resign."""
    page = opened("/play")
    begin(page, "hexxagon", seats=("person", "person"), size=3)
    page.wait_for_function("() => document.getElementById('status').textContent === 'White (White) to act.'")
    click_on(page, 1)
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
    before = page.url
    page.click("text=Play again")
    page.wait_for_function("before => location.href !== before", arg=before)


def test_an_agent_that_fails_is_explained(opened):
    """Reason, what it means, traceback and output; none of it does anything."""
    page = opened("/play")
    begin(page, seats=(None, "local:crasher.py"))
    click_on(page, 1)
    page.wait_for_function("() => document.getElementById('status').textContent.includes('exception')")
    told = page.inner_text("#failures")
    assert "raised an exception" in told
    assert "</script><img src=x onerror=alert(2)>" in told
    assert "crasher.py" in told
    assert page.locator("#content img").count() == 0
    page.click("#printed summary")
    assert "<img src=x onerror=alert(1)>" in page.inner_text("#output")


def test_mistakes_are_shown_at_their_fields(opened, screen):
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
    assert all("422" in each for each in screen.told())  # the browser notes every answer 422 on the console


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
    page = opened("/play")
    assert min(page.evaluate(colour)) > 192
    page.emulate_media(color_scheme="dark")
    assert max(page.evaluate(colour)) < 64
    page.emulate_media(color_scheme="light")


@pytest.fixture(scope="module")
def phone(browser, served):
    """A page on a phone."""
    return Watched(browser, served.address, width=PHONE)


WIDE = """[...document.querySelectorAll("main *")]
    .filter((each) => !each.closest(".scroll, pre, svg") && each.offsetParent)
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
    .map((each) => each.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize(
    ("address", "ready"),
    [
        ("/", "#records tbody tr"),
        ("/play", "#seat-1"),
        ("/tournament?of=class.db", "#crosstable td"),
        ("/replay?of=records/go.jsonl", "#caption:not(:empty)"),
        ("/play?game=watch_your_back", "#board .target"),
        ("/play?game=dots_and_boxes", "#board .target"),
        ("/play?game=two_tigers", "#board .target"),
    ],
)
def test_every_page_is_for_everybody(phone, address, ready):
    """On a phone in the dark and on a screen in the light: no page scrolls sideways (wide tables and boards do so by
    themselves), and none has a serious fault by axe-core, which knows the rules of WCAG 2.2 up to AA."""
    address, _, game = address.partition("?game=")
    phone.page.goto(address)
    if game:
        begin(phone.page, game)
    phone.page.wait_for_selector(ready, state="attached")
    schemes = [(PHONE, "dark"), (1280, "light")]
    for width, scheme in schemes:
        show(phone.page, width, scheme)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
        assert phone.page.evaluate(WIDE) == []
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed").Axe()
    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    for width, scheme in reversed(schemes):
        show(phone.page, width, scheme)
        found = axe.run(phone.page, options={"runOnly": rules, "resultTypes": ["violations"]}).response["violations"]
        told = [(each["id"], each["impact"], [node["html"][:120] for node in each["nodes"][:3]]) for each in found]
        assert [each for each in told if each[1] in ("serious", "critical", "moderate")] == [], scheme
    assert phone.told() == []


def show(page, width, scheme):
    """Show the page so wide, light or dark."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.emulate_media(color_scheme=scheme)


COUNTED = """
window.sources = [];
window.EventSource = class extends EventSource { constructor(address) { super(address); sources.push(this); } };
"""
TURNED = """hidden => {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
  return sources.map(source => source.readyState === EventSource.CLOSED);
}"""


def test_a_page_that_is_not_seen_leaves_its_connection_to_others(opened):
    """A browser has six to a server for all its pages; one that is seen again hears again, and of a match always."""
    page = opened().context.new_page()
    page.add_init_script(COUNTED)
    page.goto("/")
    page.wait_for_selector("#stores tbody tr")
    assert page.evaluate(TURNED, True) == [True]
    page.evaluate("document.getElementById('stores').tBodies[0].replaceChildren()")
    assert page.evaluate(TURNED, False) == [True, False]
    page.wait_for_selector("#stores tbody tr")
    page.goto("/play")
    begin(page, "one_line")
    page.wait_for_selector("#board .target")
    assert page.evaluate(TURNED, True) == [False]
    page.close()


def test_a_match_that_the_server_has_no_more_is_told_of(opened):
    """As after another start of the server: nothing can be touched, and another match can be begun."""
    page = opened("/play")
    begin(page, "one_line")
    click_on(page, 3)
    assert await_turn(page, 2)
    page.route("**/events", lambda route: route.fulfill(status=204))
    page.evaluate("dispatchEvent(new Event('pagehide')); dispatchEvent(new Event('pageshow'))")
    page.wait_for_selector("#problem:has-text('no more')")
    assert page.locator("#board .target").count() == 0
    assert page.inner_text("#buttons") == "Play another match"

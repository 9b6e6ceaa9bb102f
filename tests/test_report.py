"""The report of a tournament as a file: what is in it, what is not, and that nothing in it can do harm."""

import base64
import hashlib
import json
import re
from dataclasses import replace

import pytest
from parsed_html import Parsed
from report_data import GAME, NAMES, TRACEBACK, tournament

from watch_your_back.match.events import PlayerFailed, Reason
from watch_your_back.report.content import Contestant
from watch_your_back.report.markup import element, join
from watch_your_back.report.page import page
from watch_your_back.report.quantities import points
from watch_your_back.report.scores import Scores

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \" ' & \x1b[31mred\x1b[0m \u202e"


@pytest.fixture(scope="module")
def made():
    """A small tournament."""
    return tournament(output="depth 3\n")


@pytest.fixture(scope="module")
def text(made):
    """Its report."""
    return page(made.report, made.record)


def data_of(text):
    """What the scripts are given."""
    return json.loads(Parsed(text).all("script", id="data")[0][1])


def test_a_report_is_well_formed(text):
    """Elements are nested, ids are unique, links lead to something that is there, and all parts of it are."""
    parsed = Parsed(text)
    ids = [about["id"] for _, about, _ in parsed.elements if "id" in about]
    assert len(ids) == len(set(ids))
    for about, _ in parsed.all("a"):
        target = about.get("href", "#content").removeprefix("#")
        assert target in ids or re.fullmatch(r"match-\d+|matches-\d+", target), target
    for _, about, _ in parsed.elements:
        for name in ("aria-labelledby", "for"):
            assert about.get(name, "content") in ids
    headings = [words for _, words in parsed.all("h2")]
    assert headings[:7] == [
        "Ratings", "Crosstable", "Score by side", "Time and memory", "Failures", "Matches", "Settings"
    ]  # fmt: skip
    assert [words for _, words in parsed.all("title")] == ["Practice tournament"]


def test_tables_have_headings_for_rows_and_columns(text):
    """Every heading says whether it is one of a row or of a column."""
    headings = Parsed(text).all("th")
    assert len(headings) > 50
    assert {about.get("scope") for about, _ in headings} == {"row", "col"}


def test_nothing_is_run_or_loaded_but_the_page_itself(text):
    """The policy allows exactly the one script and the one style; there are no addresses, handlers, styles besides."""
    parsed = Parsed(text)
    policy = parsed.all("meta", **{"http-equiv": "Content-Security-Policy"})[0][0]["content"]

    def hashed(tag):
        (content,) = [words for about, words in parsed.all(tag) if "type" not in about]
        return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()

    assert policy.startswith("default-src 'none'; ")
    assert f"script-src 'sha256-{hashed('script')}';" in policy
    assert f"style-src 'sha256-{hashed('style')}';" in policy
    assert {about.get("type") for about, _ in parsed.all("script")} == {None, "application/json", "text/plain"}
    for tag, about, _ in parsed.elements:
        assert not [name for name in about if name.startswith("on") or name in ("style", "srcdoc", "srcset")], tag
        assert about.get("src") is None
        assert about.get("href", "#").startswith(("#", "data:,"))
    assert "innerHTML" not in text
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_hostile_text_stays_text(made):
    """Names, titles, notes, reasons, details, tracebacks and output may hold anything."""
    bad = tournament([HOSTILE + name for name in NAMES], output=HOSTILE)
    failure = PlayerFailed(3, 0, "action", Reason.EXCEPTION, HOSTILE, HOSTILE + TRACEBACK)
    matches = [
        match._replace(id=HOSTILE, reason=HOSTILE, excluded=HOSTILE if number else "", failures=(failure,))
        for number, match in enumerate(bad.report.matches)
    ]
    contestants = [replace(each, spec=HOSTILE) for each in bad.report.contestants]
    contestants.append(Contestant(HOSTILE, note=HOSTILE))
    report = replace(
        bad.report,
        title=HOSTILE,
        matches=matches,
        contestants=contestants,
        settings=((HOSTILE, HOSTILE),),
        notes=(HOSTILE,),
    )
    text = page(report, bad.record)
    parsed, clean = Parsed(text), Parsed(page(made.report, made.record))
    assert {tag for tag, _, _ in parsed.elements} == {tag for tag, _, _ in clean.elements} | {"span", "ul", "li"}
    assert sum("type" not in about for about, _ in parsed.all("script")) == 1
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert data_of(text)["agents"][0].startswith("</script><script>alert(1)</script><img src=x onerror=alert(2)>")


def test_markup_is_escaped_once():
    """Text in elements and attributes is escaped, markup is left as it is."""
    inside = element("b", '1 < 2 & "3"')
    assert element("p", inside, None, 4, title='a "b" & <c>', hidden=True, class_=None) == (
        '<p title="a &quot;b&quot; &amp; &lt;c&gt;" hidden><b>1 &lt; 2 &amp; "3"</b>4</p>'
    )
    assert join("<", inside) == '&lt;<b>1 &lt; 2 &amp; "3"</b>'


def test_ratings_are_told_with_intervals_ranks_and_scores(made, text):
    """A row for each agent in the order of rank."""
    rows = Parsed(text).rows("Ratings")
    assert rows[0] == [
        "Rank", "Agent", "Rating", "\u2212200" "0" "+200", "95 % interval", "Score", "Won", "Drawn", "Lost", "Failed"
    ]  # fmt: skip
    assert [row[1] for row in rows[1:]] == list(NAMES)
    scores = Scores(made.report.matches)
    assert rows[1][:5] == ["1\u20132", "champion", "+300", "", "+240 to +370"]
    assert rows[1][6:9] == [str(number) for number in scores.of(0)]
    assert int(rows[6][9]) == sum(bool(match.failures) for match in made.report.matches) > 0


def test_an_agent_that_takes_no_part_is_told_with_the_reason(made):
    """It has no rating, and its matches are listed but count for nobody."""
    contestants = list(made.report.contestants)
    contestants[5] = Contestant("crasher", note="benched: could not start")
    matches = [
        match._replace(excluded="crasher takes no part any more") if 5 in match.agents else match
        for match in made.report.matches
    ]
    text = page(replace(made.report, contestants=contestants, matches=matches), made.record)
    parsed = Parsed(text)
    assert parsed.rows("Taking no part")[1:] == [["crasher", "benched: could not start"]]
    for label in ("Ratings", "Crosstable", "Time in a match"):
        assert len(parsed.rows(label)) == 6
    assert "5 agents (1 more takes no part), 20 matches played, 10 to go." in text
    assert len(data_of(text)["excluded"]) == 10
    assert len(parsed.rows("Failures by agent and reason")) == 2


def test_the_crosstable_has_points_and_wins_by_side(made, text):
    """A cell is what the agent in the row got against the one in the column."""
    rows = Parsed(text).rows("Crosstable")
    assert rows[0] == ["Agent", "1", "2", "3", "4", "5", "6", "Points"]
    scores = Scores(made.report.matches)
    for a in range(6):
        assert rows[a + 1][0] == f"{a + 1} {NAMES[a]}"
        for b in range(6):
            wins = f"{scores.between(a, b, 0).wins}+{scores.between(a, b, 1).wins}"
            assert rows[a + 1][b + 1] == ("" if a == b else points(scores.between(a, b).points) + wins)
        assert rows[a + 1][7] == f"{points(scores.of(a).points)}/10"


def test_points_of_byes_are_in_the_sums(made):
    """Swiss rounds without an opponent are worth points, which the table says."""
    contestants = [replace(each, bye_points=2.0) for each in made.report.contestants]
    text = page(replace(made.report, contestants=contestants), made.record, replays=0)
    before = Scores(made.report.matches).of(0).points
    assert Parsed(text).rows("Crosstable")[1][7] == f"{points(before + 2)}/10"
    assert "points for rounds without an opponent" in text


def test_scores_by_side_add_up(made, text):
    """What the first side of all agents won, the second side of all has lost."""
    rows = Parsed(text).rows("Score by side")
    everybody = rows[-1]
    assert everybody[0] == "All agents"
    first, second = everybody[3].split(" \u00b7 "), everybody[5].split(" \u00b7 ")
    assert first == second[::-1]
    assert sum(map(int, first)) == len(made.report.matches)
    assert "Moving first is worth +14 in rating (95 % interval: \u221220 to +48)." in text


def test_time_and_memory_are_told_with_their_limits(text):
    """Medians, the most, and what share of the limit that was."""
    parsed = Parsed(text)
    turns = parsed.rows("Time of a turn")
    assert [row[0] for row in turns[1:]] == list(NAMES)
    assert turns[0][2:] == ["Typical", "Slowest", "Over the match"]
    for label in ("Time in a match", "Peak of memory in a match"):
        rows = parsed.rows(label)
        assert rows[0][2:] == ["Median", "Most", "Of the limit"]
        assert all(row[4].endswith(" %") for row in rows[1:])


def test_without_limits_there_is_no_share_of_them(made):
    """Times are then told as they are."""
    from watch_your_back.confine.limits import NO_LIMITS

    text = page(replace(made.report, limits=NO_LIMITS), made.record, replays=0)
    assert Parsed(text).rows("Time in a match")[0][2:] == ["Median", "Most"]
    assert "The limit is" not in text


def test_failures_are_told_by_agent_and_reason_with_the_traceback_folded(made, text):
    """Failures of one kind are told once, with a link to each match."""
    parsed = Parsed(text)
    failed = [match for match in made.report.matches if match.failures]
    rows = parsed.rows("Failures by agent and reason")
    assert sum(int(cell) for cell in rows[1][1:] if cell) == len(failed)
    folds = [words for _, words in parsed.all("details") if "Matches: #" in words]
    assert len(folds) == 2
    assert sum(TRACEBACK in fold for fold in folds) == 1
    assert sum(len(re.findall(r"#\d+", fold)) for fold in folds) == len(failed)
    assert all("open" not in about for about, _ in parsed.all("details"))


def test_nothing_played_yet_is_no_reason_to_fail(made):
    """A report can be made before the first match has ended."""
    contestants = [replace(each, rating=None, ranks=None) for each in made.report.contestants]
    report = replace(made.report, matches=(), planned=30, contestants=contestants, advantage=None)
    text = page(report, made.record)
    assert "6 agents, 0 matches played, 30 to go." in text
    assert "No player failed." in text


@pytest.mark.parametrize(
    ("ranks", "sentence"),
    [
        ([(1, 1), (2, 3), (2, 3)], "champion is the strongest, with a rating of +300 (+240 to +370, with 95 %"),
        ([(1, 2), (1, 3), (2, 3)], "First place is not decided: it may be champion or team_7/player (with 95 %"),
        ([(1, 3), (1, 3), (1, 3)], "it may be champion, team_7/player or minimax (with 95 % confidence)."),
        ([(1, 6)] * 6, "it may be champion, team_7/player, minimax or one of 3 others (with 95 % confidence)."),
    ],
)
def test_the_first_sentence_claims_no_more_than_is_known(made, ranks, sentence):
    """A first place within the error of measurement is not called decided."""
    contestants = [replace(each, ranks=rank) for each, rank in zip(made.report.contestants, ranks, strict=False)]
    matches = [match for match in made.report.matches if max(match.agents) < len(ranks)]
    assert sentence in page(replace(made.report, contestants=contestants, matches=matches), made.record, replays=0)


def test_the_data_for_the_scripts_are_column_by_column(made, text):
    """Everything that the list of matches shows."""
    data = data_of(text)
    assert data["agents"] == list(NAMES)
    assert data["sides"] == list(GAME.sides)
    assert data["limits"] == {"cpu_s": 60.0, "memory_mb": 100.0}
    for number, match in enumerate(made.report.matches):
        assert (data["seats"][0][number], data["seats"][1][number]) == match.agents
        assert data["winner"][number] == (-1 if match.winner is None else match.winner)
        assert data["reasons"][data["reason"][number]] == match.reason
        assert data["turns"][number] == match.turns


def test_agents_are_told_with_where_they_were_and_the_hash_of_their_sources(text):
    """So that it can be checked who played."""
    rows = Parsed(text).rows("Agents")
    assert rows[0] == ["Agent", "Given as", "Sources (SHA-256)"]
    assert rows[2] == ["team_7/player", "agents/team_7/player.py", "0" * 16]


def test_text_can_be_read_in_light_and_dark(text):
    """The contrast of each colour of text with what it stands on is at least 4.5 to 1, as WCAG 2 asks (1.4.3)."""
    style = Parsed(text).all("style")[0][1]
    light = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", style.partition("@media")[0]))
    night = re.search(r"prefers-color-scheme: dark\) \{\s*:root \{(.*?)\}", style, re.DOTALL)
    dark = light | dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", night[1]))
    for colours in (light, dark):
        for ink in ("text", "quiet", "accent", "warn"):
            for paper in ("page", "panel", "faint"):
                assert contrast(colours[ink], colours[paper]) >= 4.5, (ink, paper, colours[ink], colours[paper])
        assert contrast(colours["warn"], colours["warn-soft"]) >= 4.5
        for shade in ("good", "bad"):
            mixed = mix(colours[shade], colours["page"], 0.45)
            assert contrast(colours["text"], mixed) >= 4.5, (shade, mixed)


def contrast(one, other):
    """The contrast ratio of two colours by WCAG 2."""

    def luminance(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def mix(one, other, share):
    """What color-mix() in sRGB makes of two colours."""
    pairs = [(int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)

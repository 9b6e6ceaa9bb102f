"""An anonymous report: nothing in it tells who an agent is."""

import json
from dataclasses import replace

import pytest
from parsed_html import Parsed
from report_data import NAMES, TRACEBACK, tournament, unpacked

from watch_your_back.match.events import PlayerFailed, Reason
from watch_your_back.report.content import Contestant
from watch_your_back.report.page import page
from watch_your_back.report.pseudonyms import anonymous, draw
from watch_your_back.report.scrubbing import Scrubber

OUTPUT = "I am Greedy-Agent-5 of TEAM_7, from /home/alice/team_7/player.py\n"


@pytest.fixture(scope="module")
def hidden():
    """A tournament in which names turn up everywhere, its pseudonyms, and its anonymous report and records."""
    made = tournament(output=OUTPUT)
    failure = PlayerFailed(
        3, 0, "action", Reason.EXCEPTION, "team_7 is lost", TRACEBACK.replace("board", "team_7_board")
    )
    matches = [match._replace(failures=(failure,), excluded="") for match in made.report.matches]
    contestants = [*made.report.contestants, Contestant("zoe", "inbox/zoe.zip", note="unfit: no zoe.py in zoe.zip")]
    report = replace(made.report, matches=matches, contestants=contestants, notes=("minimax was replaced",))
    pseudonyms = draw([each.name for each in contestants], {})
    return made, pseudonyms, *anonymous(report, made.record, pseudonyms)


def test_no_name_is_left_anywhere(hidden):
    """Neither in the page nor in the replays, whole or in its telling parts, in upper or lower case."""
    _, _, report, records = hidden
    text = page(report, records)
    parsed = Parsed(text)
    shown = "".join(words for about, words in parsed.all("main"))
    replays = [words for _, words in parsed.all("script", type="text/plain")]
    told = [shown, *(json.dumps(unpacked(words), ensure_ascii=False) for words in replays)]
    told.append(parsed.all("script", id="data")[0][1])
    told += [str(value) for _, about, _ in parsed.elements for value in about.values()]
    for name in (*NAMES, "team_7", "team 7", "greedy-agent", "alice", "zoe", "inbox", "000000000"):
        for where in told:
            assert name.lower() not in where.lower(), name
    assert "Agent 1" in shown


def test_nothing_tells_in_which_order_the_matches_were_played(hidden):
    """From seed, time and schedule, whoever knows the names could tell who met whom."""
    made, _, report, records = hidden
    text = page(report, records)
    told = [unpacked(words) for _, words in Parsed(text).all("script", type="text/plain")]
    assert {(each["seed"], each["started"]) for each in told} == {("", "")}
    assert "Seed" not in dict(report.settings)
    assert {match.id for match in report.matches} == {""}
    numbers = [
        tuple(int(report.contestants[agent].name.split()[1]) for agent in match.agents) for match in report.matches
    ]
    assert numbers == sorted(numbers)
    assert len(numbers) == len(made.report.matches)


def test_results_are_the_same_under_pseudonyms(hidden):
    """Each match has the record, the players and the winner that it had."""
    made, pseudonyms, report, records = hidden
    for match in report.matches:
        original = made.report.matches[match.key]
        assert (match.agents, match.winner, match.turns) == (original.agents, original.winner, original.turns)
        assert records(match).actions == made.record(original).actions
    assert [each.name for each in report.contestants[:6]] == [pseudonyms[name] for name in NAMES]


def test_pseudonyms_stay_when_agents_are_added():
    """Those that are known are kept; new agents get what is free, by chance."""
    known = draw(["a", "b", "c"], {})
    assert sorted(known.values()) == ["Agent 1", "Agent 2", "Agent 3"]
    more = draw(["b", "d", "a", "e"], known)
    assert {name: more[name] for name in known} == known
    assert sorted((more["d"], more["e"])) == ["Agent 4", "Agent 5"]
    assert len({tuple(draw("abcdef", {}).values()) for _ in range(20)}) > 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("team_7/player says", "Agent 2 says"),
        ("TEAM_7/Player: x", "Agent 2: x"),
        ("import minimax as m", "import Agent 3 as m"),
        ("minimaxing is no name", "minimaxing is no name"),
        ("my_minimax_value", "my_Agent 3_value"),
        ("greedy-agent-5, greedy-agent-55", "Agent 4, Agent 4-agent-55"),
        ("mini\x00max", "Agent 3"),
        ("a player and an agent", "a player and an agent"),
        ('  File "team_7/board.py", line 3, in value', '  File "file 1", line 3, in value'),
        ('File "a.py", File "b.py", File "a.py"', 'File "file 1", File "file 2", File "file 1"'),
        ('  File "/usr/lib/python3.11/random.py", line 3', '  File "random.py", line 3'),
        ('  File "<frozen runpy>", line 3', '  File "<frozen runpy>", line 3'),
        ("opened /home/alice/book.json twice", "opened (path) twice"),
        ("opened C:\\Users\\alice\\book.json", "opened (path)"),
        ("1/2 of 3/4 and/or http://a", "1/2 of 3/4 and/or http://a"),
        ("", ""),
    ],
)  # fmt: skip
def test_texts_are_scrubbed(text, expected):
    """Names as words of their own, files of tracebacks, and paths; everything else stays."""
    contestants = [Contestant(name, f"agents/{name}.py") for name in NAMES]
    scrub = Scrubber(contestants, {name: f"Agent {number}" for number, name in enumerate(NAMES, 1)})
    assert scrub(text) == expected


def test_long_texts_are_scrubbed_in_time_that_grows_with_their_length():
    """Nothing that a player prints makes it try without end."""
    contestants = [Contestant(f"agent_{number}/x", f"a/{number}") for number in range(200)]
    scrub = Scrubber(contestants, {each.name: "X" for each in contestants})
    for text in ("/" * 100_000, "/a" * 100_000, "agent_" * 50_000, 'File "' * 50_000, "a:\\" * 50_000, "İ" * 50_000):
        assert len(scrub(text)) > 0

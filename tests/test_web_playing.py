"""Playing at the server, without a browser: what it tells, what it takes, and that nothing is left behind."""

import asyncio
import io
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

pytest.importorskip("starlette", reason="Starlette and uvicorn are not installed: pip install .[web]")
pytest.importorskip("uvicorn", reason="Starlette and uvicorn are not installed: pip install .[web]")

from outliving import outliving
from web_server import PATIENCE_S, PERSON, Served, agent

from watch_your_back.agents import bundled, find
from watch_your_back.confine.limits import Limits
from watch_your_back.game import Game
from watch_your_back.match import Match
from watch_your_back.match.record import Record
from watch_your_back.web.bell import Bell
from watch_your_back.web.offers import Offers
from watch_your_back.web.running import Running
from watch_your_back.web.tables import Hall, Table, Unable

WITHOUT_START = """
from watch_your_back.game import Game
{more}
class Player:
    def __init__(self, colour):
        self.state = Game.load("watch_your_back").initial()
    def action(self, turns):
        action = {choice}
        self.state = self.state.play(action)
        return action
    def update(self, action):
        self.state = self.state.play(action)
"""
STEADY = WITHOUT_START.format(more="", choice="list(self.state.legal_actions())[0]")
CHANGING = WITHOUT_START.format(
    more="import os, random; drawn = random.Random(os.urandom(8))",
    choice="drawn.choice(list(self.state.legal_actions()))",
)
CRASHER = """
class Player:
    def __init__(self, colour): print("\\x1b[31m<script>alert(1)</script>")
    def action(self, turns): raise ValueError("</script><img src=x>")
    def update(self, action): pass
"""
ENDLESS = CRASHER.replace('raise ValueError("</script><img src=x>")', "\n        while True: pass")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the server is started: some agents, and things that are none."""
    made = tmp_path_factory.mktemp("served")
    agents = {"steady": STEADY, "changing": CHANGING, "crasher": CRASHER, "endless": ENDLESS}
    for name, code in agents.items():
        (made / f"{name}.py").write_text(code)
    (made / "helper.py").write_text("x = 1\n")
    (made / "team").mkdir()
    (made / "team" / "player.py").write_text(STEADY)
    return made


@pytest.fixture(scope="module")
def served(folder):
    """A server for all tests here that leave none of its matches running."""
    with Served(folder, "--matches", "3") as started:
        yield started


def first_choice(match):
    """What a person does who always takes the first offer."""
    return match.now["choices"]["actions"][0][1]


def test_the_offers_are_the_ladder_and_the_folder(served):
    """Files and folders with a Player are offered, others not; a person is no agent."""
    told = served.client.get("/api/offers").json()
    names = {(each["kind"], each["id"]) for each in told["agents"]}
    assert {("bundled", "random"), ("local", "local:steady.py"), ("local", "local:team")} <= names
    assert not {id for _, id in names} & {"human", "local:helper.py"}
    assert {"watch_your_back", "go", "hexxagon", "one_line"} <= {each["id"] for each in told["games"]}
    go = next(each for each in told["games"] if each["id"] == "go")
    size = next(each for each in go["options"] if each["name"] == "size")
    assert (size["kind"], size["minimum"], size["maximum"]) == ("int", 5, 19)


def test_a_whole_match_is_played_and_recorded(served):
    """Against random to the end; the record replays, and says who the person was."""
    with served.match("one_line") as match:
        turns = 0
        while not match.your_turn(turns)["end"]:
            assert match.act(first_choice(match)).status_code == 200
            turns = match.now["turn"] + 1
        record = Record.load(io.BytesIO(served.client.get(f"/api/tables/{match.id}/record").content))
        assert [each.name for each in record.agents] == ["Ada", "random"]
        assert record.complete
        assert len(record.actions) == len(match.moves)
        assert match.now["end"][1] == record.end.reason


def test_only_one_action_is_handed_over_for_a_turn():
    """What comes from another page before the match has gone on is refused, and is not taken for the next turn."""
    handed = []
    course = SimpleNamespace(begun=True, actions=[], acts=lambda: 0, check=lambda action: action)
    running = Running(Match(Game.load("one_line"), (find("human"), find("human"))), (0.0, 0.0), lambda: None)
    running.course = course
    running._process = SimpleNamespace(stdin=SimpleNamespace(write=handed.append))
    table = Table("id", running._match, running, Bell())
    table.act(0, (3,))
    with pytest.raises(Unable, match="has gone on"):
        table.act(0, (4,))
    with pytest.raises(Unable, match="has gone on"):
        table.resign(0)
    assert len(handed) == 1
    running.ended = True
    with pytest.raises(Unable, match="not waiting"):
        table.act(0, (4,))


def test_an_illegal_action_is_explained_and_costs_nothing(served):
    """The person is told what the rules say and can act again; so is who touches a cell in vain."""
    with served.match() as match:
        match.your_turn()
        for action in ([0, 0], [9, 9], [[1, 1], [1, 2]], "x", None, {"a": 1}, 1.5, [[[[[[[[[[1]]]]]]]]]]):
            answer = match.act(action)
            assert answer.status_code == 422
            assert answer.json()["error"]
        corner = match.post("explain", {"cells": [0]}).json()["explanation"]
        assert "corner" in corner
        assert match.act([1, 1]).status_code == 200
        assert match.your_turn(2)["turn"] == 2


def test_only_cells_of_the_board_are_explained(served):
    """Anything else is refused."""
    with served.match("watch_your_back", PERSON, PERSON) as match:
        match.your_turn()
        for cells in ([], [-1], [64], ["0"], None, [True]):
            assert match.post("explain", {"cells": cells}).status_code == 400, cells


def test_actions_can_be_typed(served):
    """As at the terminal, with brackets or without."""
    with served.match("watch_your_back", PERSON, PERSON) as match:
        for turn, line in enumerate(("3 1", "(3, 4)", "4,1")):
            match.your_turn(turn)
            assert match.post("act", {"turn": turn, "typed": line}).status_code == 200, line
        match.your_turn(3)
        assert match.moves == [[0, [3, 1]], [1, [3, 4]], [0, [4, 1]]]


def test_what_is_typed_wrong_is_told(served):
    """In one answer, and the match goes on."""
    with served.match("watch_your_back", PERSON, PERSON) as match:
        match.your_turn()
        for line in ("", "8 8", "hello", "pass", "((((", "\x00", "9" * 2_000):
            answer = match.post("act", {"turn": 0, "typed": line})
            assert answer.status_code == 422, line
            assert answer.json()["error"], line


def test_an_action_for_another_turn_is_refused(served):
    """Two pages of one match cannot act twice."""
    with served.match("watch_your_back", PERSON, PERSON) as match:
        match.your_turn()
        assert match.act([1, 1]).status_code == 200
        match.your_turn(1)
        assert match.post("act", {"turn": 0, "action": [2, 2]}).status_code == 409


@pytest.mark.parametrize("name", ["random", "local:steady.py"])
def test_a_turn_against_an_agent_is_taken_back(served, name):
    """The agent is begun again with start, or plays what it played again; the person acts in the earlier position."""
    with served.match("watch_your_back", PERSON, agent(name)) as match:
        for turn, action in ((0, [1, 1]), (2, [5, 1]), (4, [3, 0])):
            match.your_turn(turn)
            assert match.act(action).status_code == 200
        match.your_turn(6)
        before = list(match.moves)
        assert match.post("back", {"to": match.now["back"]}).status_code == 200
        match.until(lambda now: now["turn"] == 4 and now["choices"])
        assert match.moves == before[:4]
        assert match.post("back", {"to": match.now["back"]}).status_code == 200
        match.until(lambda now: now["turn"] == 2 and now["choices"])
        assert match.act([3, 0]).status_code == 200
        match.your_turn(4)
        assert match.moves[:3] == [*before[:2], [0, [3, 0]]]


def test_an_agent_that_cannot_go_back_stays_where_it_is(served):
    """What it says against it is told, and the match goes on."""
    with served.match("watch_your_back", PERSON, agent("local:changing.py")) as match:
        for turn, action in enumerate(([1, 1], [5, 1], [3, 0], [4, 2])):
            match.your_turn(2 * turn)
            if match.act(action).status_code != 200:  # it has been there before
                assert match.act(first_choice(match)).status_code == 200
        match.your_turn(8)
        answer = match.post("back", {"to": match.now["back"]})
        assert answer.status_code == 409
        assert "no method start" in answer.json()["error"]
        assert match.act(first_choice(match)).status_code == 200
        match.your_turn(10)


def test_two_people_take_back_turn_by_turn(served):
    """Until the beginning; who asks twice for the same turn, as by two clicks, takes back one."""
    with served.match("hexxagon", PERSON, {"kind": "person", "name": "Bo"}, options={"size": "3"}) as match:
        for turn in range(3):
            match.your_turn(turn)
            assert match.act(first_choice(match)).status_code == 200
        match.your_turn(3)
        for turn in (2, 1, 0):
            assert match.now["back"] == turn
            assert match.post("back", {"to": match.now["back"]}).status_code == 200
            assert match.post("back", {"to": turn}).status_code == 409
            match.until(lambda now, turn=turn: now["turn"] == turn and now["choices"])
        assert match.now["back"] is None
        assert match.post("back", {"to": match.now["back"]}).status_code == 409


def test_a_match_is_taken_over_from_a_turn(served):
    """The actions before it are those of the record, whoever plays on; its end can be replayed as any other."""
    with served.match("dots_and_boxes", PERSON, PERSON, options={"width": "2", "height": "2"}) as match:
        for turn in range(4):
            match.your_turn(turn)
            assert match.act(first_choice(match)).status_code == 200
        match.your_turn(4)
        moves = list(match.moves)
        over = {"source": {"table": match.id}, "turn": "3"}
        with served.match("", PERSON, agent("random"), over=over) as again:
            again.until(lambda now: now["turn"] >= 3)
            assert again.moves[:3] == moves[:3]
        for turn in ("5", "-1", "x", ""):
            asked = {"seats": [PERSON, PERSON], "over": {**over, "turn": turn}}
            assert served.post("/api/tables", asked).status_code == 404


def test_an_agent_that_fails_loses_and_it_is_told_how(served):
    """Reason, traceback and output are there, without what could command a terminal."""
    with served.match("watch_your_back", PERSON, agent("local:crasher.py")) as match:
        match.your_turn()
        assert match.act([1, 1]).status_code == 200
        now = match.until(lambda now: now["end"])
        assert now["end"][:2] == [0, "exception"]
        (failure,) = now["failures"]
        assert failure[1:4] == [1, "action", "exception"]
        assert "</script><img src=x>" in failure[4]
        assert "crasher.py" in failure[5]
        assert now["outputs"][0][3] == "<script>alert(1)</script>\n"


def test_giving_up_is_for_the_side_that_acts(served):
    """It ends the match, and nobody can act any more."""
    with served.match() as match:
        match.your_turn()
        assert match.post("resign", {"turn": 7}).status_code == 409
        assert match.post("resign", {"turn": 0}).status_code == 200
        assert match.until(lambda now: now["end"])["end"][:2] == [1, "resigned"]
        assert match.act([1, 1]).status_code == 409


def test_two_agents_can_be_watched(served):
    """Nobody is asked for an action, and nobody can take one."""
    with served.match("one_line", agent("random"), agent("random")) as match:
        now = match.until(lambda now: now["end"])
        assert now["choices"] is None
        assert match.act([1, 1, 1]).status_code == 409
        assert match.now["back"] is None


def test_there_is_an_end_to_how_many_matches_are_played(served):
    """Above it a person is told so; a match that is stopped makes room, an endless player included."""
    with (
        served.match("one_line", PERSON, PERSON) as one,
        served.match("one_line", PERSON, PERSON),
        served.match("watch_your_back", agent("local:endless.py"), PERSON, limits={"cpu_s": ""}) as endless,
    ):
        asked = {"game": "one_line", "seats": [PERSON, PERSON]}
        answer = served.post("/api/tables", asked)
        assert answer.status_code == 503
        assert "3 matches are being played here already" in answer.json()["error"]
        for match in (endless, one):
            assert match.post("close").status_code == 200
            assert match.until(lambda now: now["closed"])["back"] is None
        with served.match("one_line", PERSON, PERSON) as another:
            assert another.your_turn()["choices"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"game": "chess"}, "game"),
        ({"game": 3}, "game"),
        ({"game": "go", "options": {"size": "99"}}, "option-size"),
        ({"game": "go", "options": {"size": "x"}}, "option-size"),
        ({"game": "go", "options": {"komi": "nan"}}, "option-komi"),
        ({"game": "go", "options": {"komi": "0.3"}}, "option-komi"),
        ({"game": "go", "options": {"rules": "mine"}}, "option-rules"),
        ({"game": "go", "options": {"size": "7", "handicap": "2"}}, "option-handicap"),
        ({"game": "go", "options": {"colour": "1"}}, "option-colour"),
        ({"game": "archers", "options": {"board": "/etc/passwd"}}, "option-board"),
        ({"seats": [PERSON, agent("human")]}, "seat-1"),
        ({"seats": [PERSON, agent("players.random")]}, "seat-1"),
        ({"seats": [PERSON, agent("gtp:sh -c true")]}, "seat-1"),
        ({"seats": [agent("local:../secret.py"), PERSON]}, "seat-0"),
        ({"seats": [{"kind": "agent", "spec": "random"}, PERSON]}, "seat-0"),
        ({"seats": [PERSON]}, ""),
        ({"limits": {"cpu_s": "-1"}}, "limit-cpu_s"),
        ({"limits": {"cpu_s": "inf"}}, "limit-cpu_s"),
        ({"limits": {"memory_mb": "much"}}, "limit-memory_mb"),
    ],
)
def test_what_is_wrong_with_an_order_stands_at_its_field(served, changes, field):
    """Nothing is started, and no agent that was not offered."""
    asked = {"game": "watch_your_back", "seats": [PERSON, agent("random")], **changes}
    answer = served.post("/api/tables", asked)
    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == [field]
    assert answer.json()["errors"][field]


def test_a_match_that_nobody_looks_at_is_ended(folder):
    """Its process ends with the page, whatever the player does."""

    async def look():
        hall = Hall(1, grace_s=0.0)
        offers = Offers(folder)
        agents = offers.agent("local:endless.py"), offers.person("Ada")
        async with hall.bell.listening() as news:
            table = await hall.seat(Match(Game.load("watch_your_back"), agents, Limits()))
            async with hall.watching(table):
                process = psutil.Process(table.running._process.pid)
                while not (table.course.begun and table.course.acts() == 0):
                    await news.wait()
            while not table.closed:
                await news.wait()
        await hall.close()
        return process, hall.tables

    process, tables = asyncio.run(look())
    assert tables == []
    assert not process.is_running()


def test_nothing_is_left_when_the_server_stops(folder):
    """Processes of matches, zygotes and players all end, an endless player included."""
    with (
        Served(folder) as server,
        server.match("watch_your_back", agent("local:endless.py"), PERSON, limits={"cpu_s": ""}) as match,
    ):
        match.until(lambda now: now["acts"] == 0)
        below = psutil.Process(server.process.pid).children(recursive=True)
        assert len(below) >= 3
        server.process.terminate()
        assert server.process.wait(PATIENCE_S) != 0
        assert outliving(below) == []


def test_nothing_is_left_when_the_server_is_killed(folder):
    """Not even then."""
    server = Served(folder)
    with server.match("watch_your_back", agent("local:endless.py"), PERSON, limits={"cpu_s": ""}) as match:
        match.until(lambda now: now["acts"] == 0)
        below = psutil.Process(server.process.pid).children(recursive=True)
        server.process.kill()
        server.process.wait(PATIENCE_S)
        assert outliving(below) == []
    server.__exit__()


def test_an_agent_is_looked_for_where_the_server_was_started(folder, monkeypatch):
    """Wherever the process goes later."""
    monkeypatch.chdir("/")
    offers = Offers(folder)
    assert offers.agent("local:steady.py").path == Path(folder, "steady.py").resolve()
    assert offers.agent("random").fingerprint == find("players.random").fingerprint


def test_the_ladder_and_people_are_ours_where_a_folder_has_files_of_the_same_names(tmp_path, monkeypatch):
    """As in a clone beside which the package is installed, or a project with a folder `players` of its own."""
    (tmp_path / "players").mkdir()
    for name in ("human", "random", "random_player"):
        (tmp_path / "players" / f"{name}.py").write_text(STEADY)
    monkeypatch.chdir(tmp_path)
    offers = Offers(tmp_path)
    assert offers.person("Ada").kind == "person"
    assert offers.agent("random").path == bundled()["random"]


def test_an_agent_given_by_name_is_offered_too(folder, tmp_path):
    """Also one from elsewhere, which no browser could have named."""
    (tmp_path / "mine.py").write_text(STEADY)
    offers = Offers(folder, [find(str(tmp_path / "mine.py"))])
    (named,) = (each for each in offers.all() if each.kind == "named")
    assert offers.agent(named.id).path == (tmp_path / "mine.py").resolve()


def test_no_turn_of_a_competitive_match_is_taken_back(served):
    """The page does not offer it and the server refuses it."""
    options = {"competitive": True}
    with served.match("weaponized_chess", PERSON, agent("random"), options=options) as match:
        match.your_turn(0)
        assert match.act([first_choice(match)]).status_code == 200  # a turn of one step
        match.your_turn(2)
        assert match.now["back"] is None
        assert match.post("back", {"to": match.now["back"]}).status_code == 409

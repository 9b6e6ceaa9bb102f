"""A match: its events, its seeds, its two kinds of seats and the profiles of limits."""

from __future__ import annotations

import io
import os
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.hostile import GAME, match, played, player, source
from watch_your_back.agents import find
from watch_your_back.game import Game, IllegalAction
from watch_your_back.match import Confinement, Limits, Match, run, slot_seed
from watch_your_back.match.events import (
    ActionTaken,
    Event,
    MatchEnded,
    MatchStarted,
    PlayerOutput,
    PlayerStarted,
    TurnStarted,
)
from watch_your_back.match.local import LocalSeat
from watch_your_back.match.loop import play, setting_of
from watch_your_back.match.record import Record, RecordError, RecordWriter


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    """One zygote for all these matches."""
    shared = Confinement()
    yield shared
    shared.close()


def test_the_events_come_in_order(confinement: Confinement) -> None:
    """A start, both players, then a turn and its action alternately, and one end."""
    ended = played(match("random", "random"), confinement)
    kinds = [type(event) for event in ended.events]
    turns = ended.end.ply
    assert kinds == [MatchStarted, PlayerStarted, PlayerStarted, *[TurnStarted, ActionTaken] * turns, MatchEnded]
    actions = [event for event in ended.events if isinstance(event, ActionTaken)]
    assert [event.ply for event in actions] == list(range(turns))
    assert [event.side for event in actions] == [ply % 2 for ply in range(turns)]
    assert actions[-1].state == ended.end.state
    assert ended.end.state.outcome is not None
    assert ended.end.reason == ended.end.state.outcome.reason


def test_what_is_used_adds_up(confinement: Confinement) -> None:
    """The cost of the start and of each turn is the sum that is reported in the end."""
    ended = played(match("random", "random"), confinement)
    for side in (0, 1):
        start = next(each for each in ended.events if isinstance(each, PlayerStarted) and each.side == side)
        turns = [each for each in ended.events if isinstance(each, ActionTaken) and each.side == side]
        spent = start.usage.cpu_s + sum(each.cpu_s for each in turns)
        assert spent == pytest.approx(ended.end.usage[side].cpu_s, abs=0.005)
        assert ended.end.usage[side].turns == len(turns)
        assert 0 < ended.end.usage[side].cpu_s < 5


def test_output_comes_before_its_action(tmp_path: Path, confinement: Confinement) -> None:
    """What is printed in a turn is told before what the turn led to."""
    ended = played(match(player(tmp_path, action="print(turns)")), confinement)
    kinds = [(type(each), each.ply) for each in ended.events if isinstance(each, (PlayerOutput, ActionTaken))]
    assert kinds[:3] == [(PlayerOutput, 0), (ActionTaken, 0), (ActionTaken, 1)]


DRAWS = """
    import random, numpy
    print(random.random(), numpy.random.random(), hash('x'))
"""


def test_the_seed_decides_what_players_draw(tmp_path: Path) -> None:
    """The same seed gives the same draws, another seed others; each agent keeps its own whatever side it plays."""
    one, two = player(tmp_path, "one", init=DRAWS), player(tmp_path, "two", init=DRAWS)

    def drawn(seed: int, agents: tuple[str, str], slots: tuple[int, int]) -> dict[str, str]:
        fresh = Confinement()
        ended = played(match(*agents, seed=seed, slots=slots), fresh)
        fresh.close()
        return {agents[each.side]: each.text for each in ended.outputs if each.ply == -1}

    first = drawn(1, (one, two), (0, 1))
    assert first[one] != first[two]
    assert first[one].split()[2] == first[two].split()[2]
    assert drawn(1, (two, one), (1, 0)) == first
    assert drawn(2, (one, two), (0, 1))[one] != first[one]


def test_numpy_is_seeded_whenever_it_is_imported(tmp_path: Path, confinement: Confinement) -> None:
    """Also where no zygote has imported it beforehand: the first numbers of a match are the same again."""
    drawing = player(tmp_path, init="import numpy.random as r; print(r.random())", action="return 'resign'")
    limits = Limits(5, 200, profile="official-2018")
    first, again = (played(match(drawing, seed=seed, limits=limits), confinement).outputs[0].text for seed in (3, 3))
    assert first == again != played(match(drawing, seed=4, limits=limits), confinement).outputs[0].text


def test_slot_seeds_differ_and_last() -> None:
    """They are fixed numbers of 63 bits: recorded matches can be played again by later versions."""
    assert slot_seed(1, 0) == 5995469358269906430
    assert len({slot_seed(seed, slot) for seed in range(100) for slot in (0, 1)}) == 200
    assert all(0 <= slot_seed(seed, 0) < 1 << 63 for seed in range(100))


def test_the_optional_arguments_are_passed_by_name(tmp_path: Path, confinement: Confinement) -> None:
    """A constructor that names game, options, limits or seed is given them."""
    path = source(
        tmp_path,
        """
        class Player:
            def __init__(self, colour, limits, seed, options=None, game=None):
                print(colour, limits, seed, options, game)
            def action(self, turns): return "resign"
            def update(self, action): pass
        """,
    )
    ended = played(match(path, limits=Limits(3, 50), seed=7), confinement)
    told = {"cpu_s": 3, "memory_mb": 50, "profile": "fair"}
    assert ended.outputs[0].text == f"white {told} {slot_seed(7, 0)} {{'turn_cap': 512}} watch_your_back\n"


def test_a_player_is_told_of_the_opponents_actions_only(tmp_path: Path, confinement: Confinement) -> None:
    """Each action of the other side, once, as tuples, before its own next turn."""
    told = player(tmp_path, update="print(action)")
    ended = played(match(told, player(tmp_path, "other")), confinement)
    actions = [each.action for each in ended.events if isinstance(each, ActionTaken) and each.side == 1]
    assert [each.text.strip() for each in ended.outputs] == [str(action) for action in actions]


def test_the_turn_cap_ends_a_match_as_a_draw(confinement: Confinement) -> None:
    """The referee's own ruling has its own reason."""
    capped = Game.load("watch_your_back", turn_cap=3)
    agent = find("random")
    end = run(Match(capped, (agent, agent)), confinement=confinement)
    assert (end.winner, end.reason, end.ply) == (None, "turn limit", 27)


def test_the_largest_player_loses_what_both_may_use_together(tmp_path: Path) -> None:
    """Profile official-2018: two players share twice the limit, by the growth of their address space."""
    official = Limits(20, 30, "official-2018")
    small = player(tmp_path, "small", init="self.kept = bytearray(20 << 20)")
    large = player(tmp_path, "large", init="self.kept = bytearray(38 << 20)")
    larger = player(tmp_path, "larger", init="self.kept = bytearray(55 << 20)")
    shared = Confinement()
    assert played(match(small, large, official), shared).end.reason == "resigned"
    ended = played(match(small, larger, official), shared)
    shared.close()
    assert (ended.end.winner, ended.end.reason) == (0, "memory limit")
    assert "the limit for both together is 60 MB" in ended.end.detail


@pytest.mark.skipif(sys.platform != "linux", reason="only the zygote imports numpy beforehand")
def test_numpy_is_charged_as_marking_charged_it(tmp_path: Path) -> None:
    """With official-2018 an import of numpy counts (in address space), with fair it does not."""
    path = player(tmp_path, top="import numpy")
    shared = Confinement()
    fair = played(match(path, limits=Limits(20, 100)), shared).end.usage[0].memory_mb
    official = played(match(path, limits=Limits(20, 1000, "official-2018")), shared).end.usage[0].memory_mb
    shared.close()
    assert fair < 10
    assert official > 30


def test_memory_never_touched_is_not_charged(tmp_path: Path, confinement: Confinement) -> None:
    """Profile fair counts what is resident, at its peak."""
    path = player(tmp_path, action="import mmap\nif turns == 0: self.m = mmap.mmap(-1, 60 << 20)")
    touching = player(tmp_path, "touching", action="if turns == 0: len(bytes(60 << 20).upper())")
    assert played(match(path), confinement).end.usage[0].memory_mb < 20
    assert 50 < played(match(touching, limits=Limits(20, 200)), confinement).end.usage[0].memory_mb < 160


def test_without_limits_only_the_computer_is_protected(tmp_path: Path, confinement: Confinement) -> None:
    """Profile none lets a player use more than any limit, and still counts it."""
    path = player(tmp_path, action="if turns == 0: self.kept = bytes(150 << 20).upper()")
    ended = played(match(path, limits=Limits(1, 100, "none")), confinement)
    assert ended.end.reason == "resigned"
    assert ended.end.usage[0].memory_mb > 140


def test_a_debugged_player_runs_in_this_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With debug the players print to the terminal, breakpoints would stop, and faults are told as ever."""
    one = player(tmp_path, "one", init="print(os.getpid())", top="import board")
    (tmp_path / "one" / "board.py").write_text("NAME = 1")
    two = player(tmp_path, "two", top="import board", action="assert board.NAME == 2\nif self.placed == 2: 1 / 0")
    (tmp_path / "two" / "board.py").write_text("NAME = 2")
    path, modules = list(sys.path), set(sys.modules)
    ended = played(match(one, two, debug=True))
    assert (ended.end.winner, ended.end.reason, ended.end.tiers) == (0, "exception", ("none", "none"))
    assert "1 / 0" in ended.traceback
    assert "seats.py" not in ended.traceback
    assert capsys.readouterr().out == f"{os.getpid()}\n"
    assert sys.path == path
    assert "board" not in set(sys.modules) - modules


def test_the_limits_must_make_sense() -> None:
    """Zero, negative and infinite limits and unknown profiles are refused."""
    for wrong in ((0, None), (-1, None), (None, 0), (float("inf"), None), (float("nan"), None)):
        with pytest.raises(ValueError, match="limit is a number above 0"):
            Limits(*wrong)
    with pytest.raises(ValueError, match="one of fair, official-2018, none"):
        Limits(profile="fare")  # type: ignore[arg-type]


def test_a_failing_rule_is_the_referees_error(tmp_path: Path, confinement: Confinement) -> None:
    """A bug of ours voids the match, and says what to report."""

    def broken(*_: object) -> object:
        raise KeyError("rules")

    class Broken(type(GAME.initial())):  # type: ignore[misc]
        __slots__ = ()
        play = broken

    class BrokenGame(type(GAME)):  # type: ignore[misc]
        def initial(self) -> object:
            return Broken(*super().initial())

    agent = find("random")
    end = run(Match(BrokenGame(), (agent, agent)), confinement=confinement)
    assert (end.winner, end.reason, end.void) == (None, "referee error", True)
    assert "KeyError" in end.detail


STARTING = """\
    import random

    class Player:
        def __init__(self, colour):
            self.told = None
            self.colour = colour
        def start(self, actions):
            print("start", actions)
        def action(self, turns):
            print("action", turns)
            return "resign"
        def update(self, action):
            pass
"""


def test_a_match_can_begin_after_an_opening(tmp_path: Path, confinement: Confinement) -> None:
    """Both players are told of its actions, then the side whose turn it is is asked; the record tells of them too."""
    agent = source(tmp_path, STARTING)
    opening = ((1, 1), (5, 5), (2, 2))
    stream = io.StringIO()
    events: list[Event] = []
    case = match(agent, agent, opening=opening)
    end = run(case, RecordWriter(stream), events.append, confinement=confinement)
    told = [(event.ply, event.side, event.text) for event in events if isinstance(event, PlayerOutput)]
    assert told == [
        (-1, 0, "start [(1, 1), (5, 5), (2, 2)]\n"),
        (-1, 1, "start [(1, 1), (5, 5), (2, 2)]\n"),
        (3, 1, "action 3\n"),
    ]
    assert (end.winner, end.reason, end.ply) == (0, "resigned", 1)
    record = Record.load(io.StringIO(stream.getvalue()))
    assert (record.opening, record.start.ply, len(record.turns)) == (opening, 3, 1)
    wrong = stream.getvalue().replace('"opening":[[1,1]', '"opening":[[1,2]')
    with pytest.raises(RecordError, match="line 1: the opening does not lead to the state"):
        Record.load(io.StringIO(wrong))
    wrong = stream.getvalue().replace('"opening":[[1,1]', '"opening":[[0,0]')
    with pytest.raises(RecordError, match="line 1: action 0 of the opening is illegal"):
        Record.load(io.StringIO(wrong))


def test_a_player_without_start_cannot_begin_after_an_opening(tmp_path: Path, confinement: Confinement) -> None:
    """It never guesses what happened before: it could not start, and says why."""
    ended = played(match(source(tmp_path, STARTING), player(tmp_path, "other"), opening=((1, 1),)), confinement)
    assert (ended.end.winner, ended.end.reason) == (0, "could not start")
    assert "no method start" in ended.failures[0].detail


def test_an_illegal_opening_is_the_callers_mistake(confinement: Confinement) -> None:
    """No player loses by it."""
    with pytest.raises(IllegalAction):
        played(match("random", opening=((0, 0),)), confinement)
    with pytest.raises(IllegalAction):
        played(match("random", opening=("resign",)), confinement)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere another process's time is not read as finely")
def test_nobody_thinks_before_the_first_turn_of_somebody_who_is_no_process_of_ours(
    tmp_path: Path, confinement: Confinement
) -> None:
    """While a person thinks about the first turn of all, the opponent's threads do not."""
    pondering = player(
        tmp_path,
        "black",
        top="import threading\ndef ponder():\n while True: pass",
        init="threading.Thread(target=ponder, daemon=True).start()",
    )
    slow = """
        class Player:
            def __init__(self, colour): ...
            def update(self, action): ...
            def action(self, turns):
                import time
                begun = time.process_time()
                while time.process_time() < begun + 0.3: pass
                return "resign"
    """
    to_play = match(source(tmp_path, slow, "white"), pondering)
    setting = setting_of(GAME, 0, Limits(None, None), 1)
    with closing(play(to_play, confinement, seats={0: LocalSeat(to_play.agents[0], setting)})) as events:
        told = list(events)
    started = next(each for each in told if isinstance(each, PlayerStarted) and each.side == 1)
    ended = told[-1]
    assert isinstance(ended, MatchEnded)
    assert ended.reason == "resigned"
    assert ended.usage[1].cpu_s - started.usage.cpu_s < 0.1


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere another process's time is not read as finely")
@pytest.mark.parametrize(
    ("white", "listener"),
    [
        pytest.param("begun = time.process_time()\nwhile time.process_time() < begun + 0.06: pass", 0, id="opponent"),
        pytest.param("pass", 0.06, id="listener"),
    ],
)
def test_nobody_thinks_while_somebody_else_takes_long(
    tmp_path: Path, confinement: Confinement, white: str, listener: float
) -> None:
    """Neither while the opponent thinks nor while the events of the match are shown, also with threads that go on."""
    pondering = """
        import threading
        def ponder():
            while True: pass
        answered = [None, 0.0]
    """
    black = player(
        tmp_path,
        "black",
        top=textwrap.dedent(pondering),
        init="threading.Thread(target=ponder, daemon=True).start()",
        action="if answered[0]: answered[1] += time.process_time() - answered[0]\nprint(f'{answered[1]:.3f}')",
        update="pass",
    )
    Path(black).write_text(
        Path(black)
        .read_text()
        .replace("return self.legal()", "action = self.legal(); answered[0] = time.process_time(); return action")
    )
    outputs: list[PlayerOutput] = []

    def listen(event: Event) -> None:
        if isinstance(event, PlayerOutput):
            outputs.append(event)
        if isinstance(event, ActionTaken) and event.side == 0 and listener:
            end = time.process_time() + listener
            while time.process_time() < end:
                pass

    run(match(player(tmp_path, "white", action=white), black, Limits(30, 100)), listen, confinement=confinement)
    pondered = float(outputs[-1].text)
    assert len(outputs) > 10
    assert pondered < 0.3  # of the 0.7 s and more that the others have taken

"""A tournament that never was, to test its report: random matches of made-up agents, played here without processes."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

from watch_your_back.agents import Agent
from watch_your_back.confine.limits import Limits
from watch_your_back.game import Game
from watch_your_back.match.events import (
    ActionTaken,
    Event,
    MatchEnded,
    MatchStarted,
    PlayerFailed,
    PlayerOutput,
    PlayerStarted,
    Reason,
    TurnStarted,
    Usage,
)
from watch_your_back.match.record import Record, RecordWriter
from watch_your_back.report.content import Contestant, Played, Report
from watch_your_back.statistics import Estimate
from watch_your_back.tournament.schedule import Fixture
from watch_your_back.tournament.settings import Settings
from watch_your_back.tournament.store import Entrant, Store
from watch_your_back.tournament.tasks import MatchResult

__all__ = ["GAME", "NAMES", "TRACEBACK", "Tournament", "stored", "tournament", "unpacked"]

GAME = Game.load("watch_your_back")
LIMITS = Limits(60.0, 100.0)
NAMES = ("champion", "team_7/player", "minimax", "greedy-agent-5", "first_player", "crasher")
TRACEBACK = """Traceback (most recent call last):
  File "player.py", line 31, in action
    piece = self.board.best(turns)
  File "board.py", line 118, in best
    return max(moves, key=self.value)
ValueError: max() iterable argument is empty
"""


class Tournament:
    """The report of a made-up tournament, and the records of its matches."""

    def __init__(self, report: Report, texts: dict[int, str]) -> None:
        self.report, self._texts = report, texts
        self._records: dict[int, Record] = {}

    def record(self, match: Played) -> Record:
        """What `page` asks for."""
        if match.key not in self._records:
            self._records[match.key] = Record.load(io.StringIO(self._texts[match.key]))
        return self._records[match.key]

    def result(self, match: Played, slots: tuple[int, int]) -> MatchResult:
        """The match as a worker would have told it."""
        return MatchResult(
            id=match.id,
            winner=None if match.winner is None else slots[match.winner],
            reason=match.reason,
            detail="",
            void=bool(match.excluded),
            ply=match.turns,
            slots=slots,
            usage=match.usage,
            tiers=("full", "full"),
            slowest_s=match.slowest_s,
            failures=match.failures,
            record=gzip.compress(self._texts[match.key].encode(), 1),
            trail=str(match.key),
            wall_s=1.0,
            machine="somewhere",
        )


def tournament(
    names: Sequence[str] = NAMES,
    rounds: int = 1,
    seed: int = 0,
    output: str = "",
    cap: int = 400,
    game: Game = GAME,
) -> Tournament:
    """A double round robin of these agents, the earlier ones being stronger; the last one fails now and then.

    `output` is what the second agent prints in its turns, every tenth one; matches end after `cap` turns.
    """
    rng = Random(seed)
    matches, texts = [], {}
    for round in range(1, rounds + 1):
        for agents in permutations(range(len(names)), 2):
            id = f"{names[agents[0]]}/{names[agents[1]]}/{round}"
            events = list(_match(names, agents, rng, output, cap, game))
            text = io.StringIO()
            writer = RecordWriter(text)
            for event in events:
                writer(event)
            key = len(matches)
            texts[key] = text.getvalue()
            matches.append(_played(key, id, agents, events))
    report = Report(
        title="Practice tournament",
        game=game,
        limits=LIMITS,
        contestants=_contestants(names),
        matches=matches,
        planned=len(matches),
        made=datetime(2026, 3, 1, 14, 5, tzinfo=UTC),
        settings=(
            ("Game", game.title),
            ("Format", f"round robin, {rounds} rounds"),
            ("Limits", "60 s of CPU time and 100 MB of memory for each player (profile fair)"),
            ("Confinement", "full"),
            ("Seed", str(seed)),
        ),
        advantage=Estimate(14.0, -20.0, 48.0),
    )
    return Tournament(report, texts)


def _contestants(names: Sequence[str]) -> list[Contestant]:
    last = len(names)
    made = []
    for place, name in enumerate(names):
        value = 300.0 - 600.0 * place / max(last - 1, 1)
        rating = Estimate(value, value - 60 - 5 * place, value + 70 + 8 * place)
        ranks = (max(place, 1), min(place + 2, last))
        made.append(Contestant(name, f"agents/{name}.py", f"{place:064x}", rating, ranks))
    return made


def _match(
    names: Sequence[str], agents: tuple[int, int], rng: Random, output: str, cap: int, game: Game
) -> Iterator[Event]:
    state = game.initial()
    seated = [_agent(names[agent]) for agent in agents]
    yield MatchStarted(game, (seated[0], seated[1]), LIMITS, rng.getrandbits(62), (1, 2), (0, 1), state)
    usage = [Usage(0.02, 0.03, 0.5), Usage(0.02, 0.03, 0.5)]
    for side in (0, 1):
        yield PlayerStarted(side, "full", usage[side])
    failing = len(names) - 1 in agents and rng.random() < 0.6
    until = rng.randrange(min(cap, 150)) if failing else cap
    while state.outcome is None and state.ply < until:
        side = state.to_move
        action, before = state.sample(rng), state
        yield TurnStarted(side, state)
        if output and agents[side] == 1 and state.ply % 10 == 0:
            yield PlayerOutput(state.ply, side, "stdout", output, 0)
        state = state.play(action)
        cpu_s = rng.lognormvariate(-7.0, 0.6) * 3.5 ** (5 - 5 * agents[side] / len(names))
        used = usage[side]
        usage[side] = Usage(used.cpu_s + cpu_s, used.wall_s + 1.1 * cpu_s, used.memory_mb * 1.01, used.turns + 1)
        yield ActionTaken(before.ply, side, action, state, cpu_s, 1.1 * cpu_s, usage[side])
    pair, tiers = (usage[0], usage[1]), ("full", "full")
    if failing and state.outcome is None:
        side = agents.index(len(names) - 1)
        reason = rng.choice((Reason.EXCEPTION, Reason.ILLEGAL_ACTION))
        trace = TRACEBACK if reason == Reason.EXCEPTION else ""
        detail = "max() iterable argument is empty" if trace else f"({state.ply % 8}, 3) is occupied"
        yield PlayerFailed(state.ply, side, "action", reason, detail, trace)
        yield MatchEnded(1 - side, reason, detail, state.ply, pair, tiers, state)
    elif state.outcome is None:
        yield MatchEnded(None, Reason.TURN_LIMIT, "", state.ply, pair, tiers, state)
    else:
        yield MatchEnded(state.outcome.winner, state.outcome.reason, "", state.ply, pair, tiers, state)


def _agent(name: str) -> Agent:
    path = Path("/", "agents", f"{name}.py")
    return Agent(f"agents/{name}.py", name, "player", path, path.parent, "player", "Player", "0" * 64)


def _played(key: int, id: str, agents: tuple[int, int], events: Sequence[Event]) -> Played:
    ended = events[-1]
    assert isinstance(ended, MatchEnded)
    slowest = [0.0, 0.0]
    for event in events:
        if isinstance(event, ActionTaken):
            slowest[event.side] = max(slowest[event.side], event.cpu_s)
    return Played(
        key=key,
        id=id,
        agents=agents,
        winner=ended.winner,
        reason=ended.reason,
        turns=ended.ply,
        usage=ended.usage,
        slowest_s=(slowest[0], slowest[1]),
        failures=tuple(event for event in events if isinstance(event, PlayerFailed)),
        excluded="void" if ended.void else "",
    )


def stored(path: Path, made: Tournament, rounds: int = 1, again: int = 1) -> None:
    """Write the tournament to a store, as if it had been played, or `again` and again in further rounds."""
    report = made.report
    names = [each.name for each in report.contestants]
    with Store(path, write=True) as store:
        for each in report.contestants:
            store.enter(Entrant(each.name, each.spec, each.fingerprint, None, "plays", "", ()))
        store.settle(Settings(GAME, rounds=rounds, limits=report.limits))
        for time in range(again):
            for match in report.matches:
                first, second = (names[agent] for agent in match.agents)
                slots = (0, 1) if match.agents[0] < match.agents[1] else (1, 0)
                agents = (first, second) if slots[0] == 0 else (second, first)
                round = int(match.id.rpartition("/")[2]) + time * rounds // again
                fixture = Fixture(f"{first}/{second}/{round}", round, agents, slots[0], 7)
                store.add(fixture, made.result(match, slots))


def unpacked(text: str) -> dict[str, Any]:
    """The replay in the text of its element."""
    told: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(text), -15))
    return told

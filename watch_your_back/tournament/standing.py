"""How a tournament stands: what each agent has done, by side and against each other, read from its store.

Matches of agents that do not play any more (benched, disqualified, withdrawn) are in the store, but count for nobody.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from watch_your_back.match.events import Reason
from watch_your_back.statistics import Tally
from watch_your_back.tournament.store import Entrant, Store
from watch_your_back.tournament.swiss import BYE_POINTS

__all__ = ["Line", "Standing", "given_up", "met", "pairs_played", "points", "read_standing", "tally_of"]


def tally_of(side: int, winner: int | None, reason: str, times: int = 1) -> Tally:
    """What matches that ended like this are for the agent at this side. If neither could start, both have lost."""
    if winner is None and reason != Reason.BOTH_COULD_NOT_START:
        return Tally(draws=times)
    return Tally(wins=times) if winner == side else Tally(losses=times)


@dataclass(slots=True)
class Line:
    """One agent: how it scored as each side, byes in Swiss rounds, how its matches were lost by faults, what it used.

    CPU times are seconds in a match: on average, in the most expensive one, and of the slowest turn. `memory_mb` is the
    highest peak.
    """

    entrant: Entrant
    by_side: list[Tally] = field(default_factory=lambda: [Tally(), Tally()])
    byes: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    cpu_s: float = 0.0
    worst_cpu_s: float = 0.0
    slowest_s: float = 0.0
    memory_mb: float = 0.0

    @property
    def total(self) -> Tally:
        """As both sides together, byes left out."""
        return self.by_side[0].plus(self.by_side[1])

    @property
    def points(self) -> float:
        """Those of its matches, and of its byes."""
        return self.total.points + BYE_POINTS * self.byes


@dataclass(frozen=True, slots=True)
class Standing:
    """All agents, those with the most points first, and what each two scored against each other.

    `crosstable[a, b]` is what the agent a scored against the agent b. `matches` count, `void` are those that did not.
    """

    lines: tuple[Line, ...]
    crosstable: dict[tuple[str, str], Tally]
    matches: int
    void: int
    reasons: Counter[str]


def read_standing(store: Store) -> Standing:
    """The standing as the store has it now. Raises StoreError."""
    lines = {entrant.name: Line(entrant) for entrant in store.entrants()}
    crosstable: dict[tuple[str, str], Tally] = {}
    reasons: Counter[str] = Counter()
    query = "SELECT agent_0, agent_1, winner, reason, count(*) FROM counted GROUP BY 1, 2, 3, 4"
    for *agents, winner, reason, times in store.rows(query):
        reasons[reason] += times
        for side in (0, 1):
            tally, by_side = tally_of(side, winner, reason, times), lines[agents[side]].by_side
            by_side[side] = by_side[side].plus(tally)
            meeting = agents[side], agents[1 - side]
            crosstable[meeting] = crosstable.get(meeting, Tally()).plus(tally)
    _add_usage(store, lines)
    for agent, reason, times in store.rows(
        "SELECT agent, failures.reason, count(*) FROM failures JOIN matches ON number = match"
        " WHERE state = 'counts' GROUP BY 1, 2"
    ):
        lines[agent].faults[reason] += times
    for name in _byes(store, None):
        lines[name].byes += 1
    ((void,),) = store.rows("SELECT count(*) FROM matches WHERE state = 'void'")
    ranked = sorted(lines.values(), key=lambda line: (line.entrant.state != "plays", -line.points, -line.total.wins))
    return Standing(tuple(ranked), crosstable, reasons.total(), void, reasons)


def _add_usage(store: Store, lines: dict[str, Line]) -> None:
    columns = "count(*), avg(cpu_s_{0}), max(cpu_s_{0}), max(slowest_s_{0}), max(memory_mb_{0})"
    matches: Counter[str] = Counter()
    for side in (0, 1):
        query = f"SELECT agent_{side}, {columns.format(side)} FROM counted GROUP BY 1"
        for name, played, cpu_s, worst_cpu_s, slowest_s, memory_mb in store.rows(query):
            line = lines[name]
            line.cpu_s = (line.cpu_s * matches[name] + cpu_s * played) / (matches[name] + played)
            matches[name] += played
            line.worst_cpu_s = max(line.worst_cpu_s, worst_cpu_s)
            line.slowest_s = max(line.slowest_s, slowest_s)
            line.memory_mb = max(line.memory_mb, memory_mb)


def points(store: Store, round: int) -> dict[str, float]:
    """The points before a Swiss round of the agents that play; those without any may be missing."""
    scores: defaultdict[str, float] = defaultdict(float)
    query = "SELECT agent_0, agent_1, winner, reason, count(*) FROM counted WHERE round < ? GROUP BY 1, 2, 3, 4"
    for *agents, winner, reason, times in store.rows(query, round):
        for side, name in enumerate(agents):
            scores[name] += tally_of(side, winner, reason, times).points
    for name in _byes(store, round):
        scores[name] += BYE_POINTS
    return scores


def met(store: Store, round: int) -> tuple[list[tuple[str, str]], list[str]]:
    """The pairs of the Swiss rounds before this one, and who had a bye in them."""
    pairs = store.rows("SELECT one, other FROM pairings WHERE round < ? AND other IS NOT NULL", round)
    byes = store.rows("SELECT one FROM pairings WHERE round < ? AND other IS NULL", round)
    return list(pairs), [name for (name,) in byes]


def pairs_played(store: Store, rounds: int) -> Counter[frozenset[str]]:
    """How many matches of the first so many rounds each two agents have played that count."""
    query = "SELECT agent_0, agent_1, count(*) FROM counted WHERE round <= ? GROUP BY 1, 2"
    played: Counter[frozenset[str]] = Counter()
    for one, other, times in store.rows(query, rounds):
        played[frozenset((one, other))] += times
    return played


def given_up(store: Store, reruns: int) -> list[str]:
    """The ids of the matches of agents that play which were void more often than that, and never anything else."""
    query = """
        SELECT id FROM matches JOIN agents AS one ON one.name = agent_0 JOIN agents AS other ON other.name = agent_1
        WHERE matches.state = 'void' AND one.state = 'plays' AND other.state = 'plays'
        AND id NOT IN (SELECT id FROM matches WHERE state = 'counts') GROUP BY id HAVING count(*) > ?"""
    return [id for (id,) in store.rows(query, reruns)]


def _byes(store: Store, round: int | None) -> list[str]:
    """Who had a bye before this round (any, for None), also by an opponent that does not play any more."""
    out = "(SELECT name FROM agents WHERE state != 'plays')"
    query = f"""
        SELECT one FROM pairings WHERE round < ? AND (other IS NULL OR other IN {out})
        UNION ALL SELECT other FROM pairings WHERE round < ? AND other IS NOT NULL AND one IN {out}"""
    before = 1 << 62 if round is None else round
    return [name for (name,) in store.rows(query, before, before)]

"""From the store of a tournament to what its report tells."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from watch_your_back.confine.limits import Limits
from watch_your_back.confine.tiers import TIERS
from watch_your_back.match.events import PlayerFailed, Reason, Usage
from watch_your_back.match.record import Record, RecordError
from watch_your_back.report.content import Contestant, Played, Records, Report
from watch_your_back.report.quantities import count, moment
from watch_your_back.statistics import Ratings
from watch_your_back.tournament.rating import read_ratings
from watch_your_back.tournament.schedule import count as planned
from watch_your_back.tournament.settings import Settings
from watch_your_back.tournament.standing import Line, read_standing
from watch_your_back.tournament.store import Entrant, Store, StoreError

__all__ = ["gather"]

DIFFERENT = 0.9
"""If a smaller share of the matches went differently, the report says so."""

_MATCHES = """
    SELECT number, id, agent_0, agent_1, winner, reason, ply, cpu_s_0, cpu_s_1, slowest_s_0, slowest_s_1,
        memory_mb_0, memory_mb_1, turns_0, turns_1, state
    FROM matches WHERE state IN ('counts', 'void') ORDER BY round, number"""
_FAILURES = """
    SELECT match, side, agent, failures.ply, call, failures.reason, failures.detail, traceback
    FROM failures JOIN matches ON number = match WHERE state IN ('counts', 'void') ORDER BY match, failures.rowid"""


def gather(store: Store, title: str, made: datetime) -> tuple[Report, Records]:
    """The report as the tournament stands, and where the records of its matches are. Raises StoreError."""
    settings = store.settings
    if settings is None:
        raise StoreError(f"the tournament in {store.path} has not begun, so there is nothing to report")
    standing = read_standing(store)
    playing = {line.entrant.name for line in standing.lines if line.entrant.state == "plays"}
    ratings = read_ratings(store)
    contestants = _contestants(standing.lines, ratings)
    place = {each.name: number for number, each in enumerate(contestants)}
    failures = _failures(store, [line.entrant for line in standing.lines])
    matches = list(_matches(store, place, playing, failures))

    def record(match: Played) -> Record | None:
        data = store.record(match.key)
        try:
            return None if data is None else Record.load(io.BytesIO(data))
        except RecordError as error:
            raise StoreError(f"the record of the match {match.id} cannot be read: {error}") from None

    tiers = {tier for row in store.rows("SELECT DISTINCT tier_0, tier_1 FROM counted") for tier in row}
    report = Report(
        title=title,
        game=settings.game,
        limits=settings.limits,
        contestants=contestants,
        matches=matches,
        planned=planned(settings, len(playing)),
        made=made,
        settings=tuple(_settings(store, settings, tiers)),
        notes=tuple(_notes(store, standing.void, ratings, tiers)),
        advantage=ratings.advantage,
    )
    return report, record


def _contestants(lines: Sequence[Line], ratings: Ratings) -> list[Contestant]:
    """Those that play by their rating, then the others."""
    order = {rating.agent: number for number, rating in enumerate(ratings.agents)}
    made = []
    for line in sorted(lines, key=lambda line: order.get(line.entrant.name, len(order))):
        entrant = line.entrant
        contestant = Contestant(
            name=entrant.name,
            spec=entrant.spec,
            fingerprint=entrant.sources,
            note="" if entrant.state == "plays" else f"{entrant.state}: {entrant.why}",
            bye_points=line.points - line.total.points,
        )
        if line.total.matches and entrant.name in order:
            rating = ratings.agents[order[entrant.name]]
            contestant = replace(contestant, rating=rating.elo, ranks=rating.ranks)
        made.append(contestant)
    return made


def _failures(store: Store, entrants: list[Entrant]) -> dict[int, tuple[PlayerFailed, ...]]:
    """The failures of each match by its number, with the files of agents named as seen from their own folders."""
    roots = {each.name: f"{each.agent.root}/" for each in entrants if each.agent is not None}
    found: dict[int, tuple[PlayerFailed, ...]] = {}
    for match, side, agent, ply, call, reason, *texts in store.rows(_FAILURES):
        detail, traceback = (text.replace(roots.get(agent, "\0"), "") for text in texts)
        failure = PlayerFailed(ply, side, call, Reason(reason), detail, traceback)
        found[match] = (*found.get(match, ()), failure)
    return found


def _matches(
    store: Store, place: dict[str, int], playing: set[str], failures: dict[int, tuple[PlayerFailed, ...]]
) -> Iterator[Played]:
    for (
        number,
        id,
        *agents,
        winner,
        reason,
        ply,
        cpu_0,
        cpu_1,
        slow_0,
        slow_1,
        mb_0,
        mb_1,
        turns_0,
        turns_1,
        state,
    ) in store.rows(_MATCHES):
        out = [name for name in agents if name not in playing]
        yield Played(
            key=number,
            id=id,
            agents=(place[agents[0]], place[agents[1]]),
            winner=winner,
            reason=reason,
            turns=ply,
            usage=(Usage(cpu_0, 0.0, mb_0, turns_0), Usage(cpu_1, 0.0, mb_1, turns_1)),
            slowest_s=(slow_0, slow_1),
            failures=failures.get(number, ()),
            excluded="void" if state == "void" else f"{out[0]} takes no part any more" if out else "",
        )


def _settings(store: Store, settings: Settings, tiers: set[str]) -> Iterator[tuple[str, str]]:
    game = settings.game
    yield "Game", ", ".join((game.title, *game.options.changed()))
    rounds = count(settings.rounds, "round")
    against = f" of {', '.join(settings.challengers)} against the others" if settings.challengers else ""
    yield "Format", f"{settings.format}{against}, {rounds} of two matches for each pairing, with the sides exchanged"
    yield "Limits", _limits(settings.limits)
    ((matches, machines, began, ended),) = store.rows(
        "SELECT count(*), count(DISTINCT machine), min(ended - wall_s), max(ended) FROM matches"
    )
    if matches:
        yield "Confinement", ", ".join(sorted(tiers, key=TIERS.index)) or "none yet"
        first, last = (moment(datetime.fromtimestamp(time, UTC).astimezone()) for time in (began, ended))
        yield "Played", f"from {first} to {last} on {count(machines, 'machine')}"
    yield "Seed", str(settings.seed)
    yield "Store", store.path.name


def _notes(store: Store, void: int, ratings: Ratings, tiers: set[str]) -> Iterator[str]:
    """What weakens the results."""
    ((matches, different),) = store.rows(
        "SELECT count(*), count(DISTINCT agent_0 || char(0) || agent_1 || char(0) || trail) FROM counted"
    )
    if different < DIFFERENT * matches:
        yield (
            f"Only {different:,} of {count(matches, 'match', 'matches')} went differently: the others repeat one of"
            " them and are no evidence, so the intervals are too narrow."
        )
    if tiers - {TIERS[-1]}:
        weakest = min(tiers, key=TIERS.index)
        yield f"Not all players were fully confined (the weakest tier was {weakest}), so some may have cheated."
    if len(ratings.groups) > 1 and matches:
        yield "Not all agents are connected by matches yet, so not all ratings can be compared."
    if void:
        yield f"{count(void, 'match was', 'matches were')} void, by no fault of the players, and count for nobody."


def _limits(limits: Limits) -> str:
    given = []
    if limits.cpu_s is not None:
        given.append(f"{limits.cpu_s:g} s of CPU time")
    if limits.memory_mb is not None:
        given.append(f"{limits.memory_mb:g} MB of memory")
    return (" and ".join(given) + " for each player in a match" if given else "none") + f" (profile {limits.profile})"

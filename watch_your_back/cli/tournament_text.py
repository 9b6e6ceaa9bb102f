"""How a tournament stands: as tables for people, and as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import click

from watch_your_back.show.text import clean
from watch_your_back.statistics import Rating, Ratings, Tally, elo_text
from watch_your_back.tournament.rating import read_ratings
from watch_your_back.tournament.schedule import count
from watch_your_back.tournament.settings import Settings
from watch_your_back.tournament.standing import Line, Standing, read_standing
from watch_your_back.tournament.store import Store, StoreError

__all__ = ["as_json", "print_standing", "shown"]

CROSSTABLE = 12
"""Up to so many agents everybody's score against everybody else is printed."""


def print_standing(store: Store, as_json_object: bool) -> None:
    """Print on stdout how it stands. Raises StoreError."""
    settings = store.settings
    if settings is None:
        raise StoreError(f"the tournament in {store.path} has not begun: its agents were never all tried")
    standing, ratings = read_standing(store), read_ratings(store)
    if as_json_object:
        click.echo(json.dumps(as_json(settings, standing, ratings), indent=2))
        return
    for line in _text(settings, standing, ratings):
        click.echo(line)


def as_json(settings: Settings, standing: Standing, ratings: Ratings) -> dict[str, Any]:
    """The standing as `--json` prints it; `docs/tournaments.md` says what each member is."""
    sides = settings.game.sides
    rated = {rating.agent: rating for rating in ratings.agents}
    return {
        "version": 1,
        "settings": settings.as_json(),
        "planned": _planned(settings, standing),
        "matches": standing.matches,
        "void": standing.void,
        "reasons": dict(standing.reasons.most_common()),
        "agents": [
            {
                "name": line.entrant.name,
                "spec": line.entrant.spec,
                "state": line.entrant.state,
                "why": line.entrant.why,
                "rating": _rating(rated.get(line.entrant.name)),
                "points": line.points,
                "byes": line.byes,
                **_counts(line.total),
                "by_side": {side: _counts(score) for side, score in zip(sides, line.by_side, strict=True)},
                "faults": dict(line.faults.most_common()),
                "cpu_s": {"mean": line.cpu_s, "worst": line.worst_cpu_s, "slowest_turn": line.slowest_s},
                "memory_mb": line.memory_mb,
                "findings": list(line.entrant.findings),
            }
            for line in standing.lines
        ],
        "advantage_of_moving_first": ratings.advantage._asdict(),
        "draw_rate": ratings.draw_rate,
        "groups": [list(group) for group in ratings.groups],
        "crosstable": [
            {"agent": one, "opponent": other, **_counts(score)} for (one, other), score in standing.crosstable.items()
        ],
    }


def shown(name: str) -> str:
    """A name, or other words of somebody's, in one line that can do a terminal no harm."""
    return " ".join(clean(name).split())


def _rating(rating: Rating | None) -> dict[str, Any] | None:
    return None if rating is None else {**rating.elo._asdict(), "rank": rating.rank, "ranks": list(rating.ranks)}


def _counts(score: Tally) -> dict[str, Any]:
    return {"won": score.wins, "drawn": score.draws, "lost": score.losses}


def _planned(settings: Settings, standing: Standing) -> int:
    playing = sum(line.entrant.state == "plays" for line in standing.lines)
    return max(count(settings, playing), standing.matches)


def _text(settings: Settings, standing: Standing, ratings: Ratings) -> Iterator[str]:
    yield _heading(settings)
    void = f", {standing.void} void" if standing.void else ""
    yield f"{standing.matches:,} of {_planned(settings, standing):,} matches played{void}"
    playing = [line for line in standing.lines if line.entrant.state == "plays"]
    yield ""
    yield from _aligned(_ranking(settings, playing, ratings), numbers_from=2)
    if standing.matches:
        yield f"\nmoving first is worth {elo_text(ratings.advantage)} Elo"
    if len(ratings.groups) > 1:
        yield "ratings can be compared only among: " + "; ".join(", ".join(map(shown, each)) for each in ratings.groups)
    faults = [line for line in playing if line.faults]
    if faults:
        yield "\nmatches lost by a fault"
        yield from _aligned([["", shown(line.entrant.name), _listed(line)] for line in faults])
    if 1 < len(playing) <= CROSSTABLE:
        yield "\npoints of the row against the column"
        yield from _aligned(_crosstable(playing, standing), numbers_from=2)
    out = [line for line in standing.lines if line.entrant.state != "plays"]
    if out:
        yield "\nnot playing"
        rows = [["", shown(line.entrant.name), line.entrant.state, shown(line.entrant.why)] for line in out]
        yield from _aligned(rows)


def _heading(settings: Settings) -> str:
    limits = settings.limits
    allowed = "no limits"
    if limits.profile != "none":
        time = "no time limit" if limits.cpu_s is None else f"{limits.cpu_s:g} s"
        memory = "no memory limit" if limits.memory_mb is None else f"{limits.memory_mb:g} MB"
        allowed = f"{time} and {memory} ({limits.profile})"
    rounds = f"{settings.rounds} round{'s' if settings.rounds > 1 else ''}"
    changed = ", ".join(settings.game.options.changed())
    game = f"{settings.game.id} ({changed})" if changed else settings.game.id
    return f"{game}, {settings.format}, {rounds}, {allowed}, seed {settings.seed}"


def _ranking(settings: Settings, lines: Sequence[Line], ratings: Ratings) -> list[list[str]]:
    swiss = settings.format == "swiss"
    sides = [f"as {side}" for side in settings.game.sides]
    rated = {rating.agent: rating for rating in ratings.agents}
    counted = ["points", "matches", "won", "drawn", "lost"]
    rows = [["", "agent", *counted, *sides, *(["byes"] if swiss else []), "rating (95 %)", "rank"]]
    for rank, line in enumerate(lines, 1):
        total = line.total
        counts = [total.matches, total.wins, total.draws, total.losses]
        rating = rated[line.entrant.name]
        best, worst = rating.ranks
        rows.append(
            [
                *(str(rank), shown(line.entrant.name), f"{line.points:g}", *map(str, counts)),
                *map(_of, line.by_side),
                *([str(line.byes)] if swiss else []),
                *(elo_text(rating.elo), str(best) if best == worst else f"{best}-{worst}"),
            ]
        )
    return rows


def _crosstable(lines: Sequence[Line], standing: Standing) -> list[list[str]]:
    rows = [["", "", *(str(rank) for rank in range(1, len(lines) + 1))]]
    for rank, line in enumerate(lines, 1):
        meetings = [standing.crosstable.get((line.entrant.name, other.entrant.name)) for other in lines]
        rows.append([str(rank), shown(line.entrant.name), *(_of(score) if score else "-" for score in meetings)])
    return rows


def _of(score: Tally) -> str:
    return f"{score.points:g}/{score.matches}"


def _listed(line: Line) -> str:
    return ", ".join(f"{times} by {reason}" for reason, times in line.faults.most_common())


def _aligned(rows: Sequence[Sequence[str]], numbers_from: int = 1 << 30) -> Iterator[str]:
    """The rows in columns; those from `numbers_from` on are flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if place >= numbers_from or place == 0 else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()

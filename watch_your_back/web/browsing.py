"""Looking at matches: what there is, tournaments as they run, records that grow, and replays."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from watch_your_back.match.record import Record
from watch_your_back.report.markup import Markup, data_block, join
from watch_your_back.report.single import parts
from watch_your_back.show.text import one_line
from watch_your_back.tournament.store import StoreError
from watch_your_back.web import pages
from watch_your_back.web.answers import Json, events
from watch_your_back.web.growing import grown
from watch_your_back.web.library import Library, Missing, read
from watch_your_back.web.tables import Hall
from watch_your_back.web.tournaments import Standings, overview

__all__ = ["ROUTES", "asked_record", "source"]

LOOK_S = 1.0
"""How often it is looked whether files have changed."""
REST = 5
"""After a look it is waited for so many times as long as it took."""
ALIVE = 15
"""After so many looks without news a stream shows that it is still there."""
MOST_WORDS = 20


async def _home(request: Request) -> Response:
    place = request.app.state.library.place.absolute()
    where = f"{'In the folder' if place.is_dir() else 'Of the file'} {place.name or place}, and played here."
    return HTMLResponse(pages.page("home", "Matches", {"place": one_line(where)}, here="/"))


async def _home_events(request: Request) -> Response:
    library, hall = request.app.state.library, request.app.state.hall

    def look() -> dict[str, Any]:
        records = library.summaries()
        return {
            "live": [_at_table(table) for table in hall.tables if table.occupied and table.course.begun]
            + [each.as_json() for each in records if each.live],
            "stores": [overview(name, path) for name, path in library.stores().items()],
            "records": [len(records), records[0].changed] if records else None,
        }

    return events(_news(request, look))


def _at_table(table: Any) -> dict[str, Any]:
    course = table.course
    return {
        "table": table.id,
        "game": course.game.title,
        "sides": course.game.sides,
        "names": [one_line(agent.name) for agent in course.agents],
        "winner": None,
        "reason": "",
        "turns": len(course.actions),
        "changed": 0,
    }


async def _news(request: Request, look: Any) -> AsyncIterator[Any]:
    """What `look` comes to, whenever it is something else."""
    hall: Hall = request.app.state.hall
    told, quiet = None, 0
    while not hall.stopping.is_set():
        began = time.monotonic()
        now = await run_in_threadpool(look)
        rest = max(LOOK_S, REST * (time.monotonic() - began))
        quiet += 1
        if now != told:
            told, quiet = now, 0
            yield now
        elif quiet >= ALIVE:
            quiet = 0
            yield None
        with suppress(TimeoutError):
            await asyncio.wait_for(hall.stopping.wait(), rest)


async def _tournament(request: Request) -> Response:
    name, _ = await run_in_threadpool(_store, request)
    title = Path(name).stem
    words = {"title": join(one_line(title))}
    return HTMLResponse(pages.page("tournament", title, {"of": name}, scripts=pages.TABLES, parts=words))


def _store(request: Request) -> tuple[str, Path]:
    name = request.query_params.get("of", "")
    return name, request.app.state.library.store(name)


async def _tournament_events(request: Request) -> Response:
    _, path = await run_in_threadpool(_store, request)
    standings: Standings = request.app.state.standings

    def look() -> dict[str, Any]:
        try:
            return standings.of(path)
        except StoreError as error:
            return {"error": str(error)}

    return events(_news(request, look))


async def _matches(request: Request) -> Response:
    library: Library = request.app.state.library
    asked = request.query_params
    words = asked.get("words", "").lower().split()[:MOST_WORDS]
    skip = asked.get("skip", "0")
    if not skip.isdecimal() or len(skip) > 9:
        raise HTTPException(400, "skip is a number")
    if name := asked.get("of"):
        agents = asked.getlist("agent")[:2]
        found = await run_in_threadpool(library.search_store, name, words, agents, int(skip))
    else:
        found = await run_in_threadpool(library.search_records, words, int(skip))
    return Json({"total": found.total, "matches": found.matches})


def source(request: Request) -> dict[str, str]:
    """What names a match in an address: `table`, or `of` and for one of a store `match`."""
    return {name: request.query_params[name] for name in ("table", "of", "match") if name in request.query_params}


def _data(request: Request, named: dict[str, str]) -> bytes:
    """The record of a match that an address names. Raises Missing."""
    if "table" in named:
        table = request.app.state.hall.table(named["table"])
        if table is None:
            raise Missing("this match has ended, and its page was closed")
        return b"".join(table.course.lines)
    number = named.get("match")
    if number is not None and not (number.isdecimal() and len(number) < 15):
        raise Missing("the number of a match is a number")
    library: Library = request.app.state.library
    return library.data(named.get("of", ""), None if number is None else int(number))


def asked_record(request: Request, named: dict[str, str]) -> Record:
    """The same, read. Raises Missing."""
    return read(_data(request, named))


async def _replay(request: Request) -> Response:
    named = source(request)

    def make() -> str:
        record = asked_record(request, named)
        shown = parts(record, id=f"match {named['match']}" if "match" in named else "")
        more = {
            "source": named,
            "playable": record.start == record.game.initial() or bool(record.opening),
            "finished": record.states[-1].outcome is not None,
            "opening": len(record.opening),
        }
        shown["data"] = Markup(join(shown["data"], data_block("more", more)))
        return pages.page("take_over", shown["title"], scripts=pages.REPLAYING, parts=shown)

    return HTMLResponse(await run_in_threadpool(make))


async def _record(request: Request) -> Response:
    data = await run_in_threadpool(_data, request, source(request))
    packed = data.startswith(b"\x1f\x8b")
    headers = {"content-disposition": f'attachment; filename="match.jsonl{".gz" if packed else ""}"'}
    return Response(data, media_type="application/gzip" if packed else "application/jsonl", headers=headers)


async def _watch(request: Request) -> Response:
    name = request.query_params.get("of", "")
    await run_in_threadpool(request.app.state.library.record_file, name)
    data = {"id": "", "of": name, "events": f"/api/watch/events?{request.url.query}", "own": False}
    return HTMLResponse(pages.page("table", "Match", data))


async def _watch_events(request: Request) -> Response:
    hall: Hall = request.app.state.hall
    path = await run_in_threadpool(request.app.state.library.record_file, request.query_params.get("of", ""))

    async def news() -> AsyncIterator[Any]:
        told, last = 0, time.monotonic()
        async for course in grown(path, hall.stopping):
            if course is None:
                if time.monotonic() - last > ALIVE:
                    last = time.monotonic()
                    yield None
                continue
            last = time.monotonic()
            nobody = (False, False)
            moves = course.moves(nobody)
            head = {"head": {"id": "", "people": nobody, **course.head()}} if not told else {}
            position = {**course.position(nobody), "back": None, "closed": False, "refused": course.refused}
            yield {**head, "from": min(told, len(moves)), "moves": moves[told:], "position": position}
            told = len(moves)

    return events(news())


ROUTES = [
    Route("/", _home),
    Route("/tournament", _tournament),
    Route("/replay", _replay),
    Route("/watch", _watch),
    Route("/api/home/events", _home_events),
    Route("/api/tournament/events", _tournament_events),
    Route("/api/watch/events", _watch_events),
    Route("/api/matches", _matches),
    Route("/api/record", _record),
]

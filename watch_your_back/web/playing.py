"""Playing on the page: what can be chosen, new matches, and everything that happens at a table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from watch_your_back.form import normal_form
from watch_your_back.game import RESIGN, Action, Game, IllegalAction
from watch_your_back.match import Match
from watch_your_back.web import pages
from watch_your_back.web.answers import Json, asked, events
from watch_your_back.web.browsing import asked_record, source
from watch_your_back.web.choices import choices, explanation, meant
from watch_your_back.web.library import Missing
from watch_your_back.web.orders import Refusal, games, match_of
from watch_your_back.web.tables import Hall, Table, Unable

__all__ = ["ROUTES"]

ALIVE_S = 15
"""After so many seconds without news a stream shows that it is still there, and notices if nobody is."""
PAUSE_S = 0.015
"""How long it waits before it tells news, so that an agent's quick answer goes with the turn that it answers, and
afterwards again: two quick agents take more turns than a page can show."""
LONGEST_LINE = 2_000


async def _play(request: Request) -> Response:
    """The form; with a match and a turn in the address, that match is played on from there."""
    named, over = source(request), None
    if named:
        turn = request.query_params.get("turn", "")
        game, actions = await run_in_threadpool(_opening, request, named, turn)
        told = f"{game.title}, after {len(actions)} {'turn' if len(actions) == 1 else 'turns'} of a recorded match"
        over = {"game": game.id, "source": named, "turn": turn, "told": told}
    return HTMLResponse(pages.page("play", "Play", {"over": over}, here="/play"))


def _opening(request: Request, named: dict[str, str], turn: str) -> tuple[Game, tuple[Action, ...]]:
    """The first turns of a recorded match, and its game. Raises Missing."""
    record = asked_record(request, named)
    actions = [*record.opening, *(action for action in record.actions if action != RESIGN)]
    if not (turn.isdecimal() and len(turn) < 9 and int(turn) <= len(actions)):
        raise Missing("the match has no such turn")
    state = record.game.initial()
    for action in actions[: int(turn)]:
        state = state.play(action)
    if record.start != record.game.initial() and not record.opening:
        raise Missing("this match did not begin at the beginning, so it cannot be played on")
    if state.outcome is not None:
        raise Missing("the match was over by then")
    return record.game, tuple(actions[: int(turn)])


async def _offers(request: Request) -> Response:
    offers = request.app.state.offers
    found = await run_in_threadpool(lambda: (games(), [offer.as_json() for offer in offers.all()]))
    return Json({"games": found[0], "agents": found[1]})


async def _new(request: Request) -> Response:
    order, offers = await asked(request), request.app.state.offers
    opening = None
    match order.get("over"):
        case {"source": {**named}, "turn": str(turn)}:
            names = {str(name): str(value) for name, value in named.items()}
            opening = await run_in_threadpool(_opening, request, names, turn)
    match = await run_in_threadpool(match_of, order, offers, opening)
    return await _seated(request, match)


async def _seated(request: Request, match: Match) -> Response:
    hall: Hall = request.app.state.hall
    try:
        table = await hall.seat(match)
    except OSError as error:
        raise Refusal({"": f"the match cannot be started: {error.strerror}"}) from None
    return Json({"id": table.id})


def _table(request: Request) -> Table:
    table: Table | None = request.app.state.hall.table(request.path_params["id"])
    if table is None:
        raise HTTPException(404, "this match has ended, and its page was closed")
    return table


async def _page(request: Request) -> Response:
    table = _table(request)
    data = {"id": table.id, "events": f"/api/tables/{table.id}/events", "own": True}
    return HTMLResponse(pages.page("table", "Match", data))


async def _events(request: Request) -> Response:
    hall: Hall = request.app.state.hall
    table = hall.table(request.path_params["id"])
    if table is None:
        return Response(status_code=204)  # which tells the browser not to ask again

    async def news() -> AsyncIterator[Any]:
        async with hall.watching(table), table.bell.listening() as bell:
            told, version, shown = 0, -1, None
            while not hall.stopping.is_set():
                if not await bell.wait(ALIVE_S):
                    yield None
                    continue
                if not table.course.begun:
                    continue
                await asyncio.sleep(PAUSE_S)
                message: dict[str, Any] = {}
                if version != table.taken_back:
                    message["head"] = table.head()
                    told, version, shown = 0, table.taken_back, None
                moves, position = table.course.moves(table.people), table.position()
                if position == shown and told == len(moves):
                    continue  # as a page that drew the same again would lose what is being clicked on
                message |= {"from": min(told, len(moves)), "moves": moves[told:], "position": position}
                told, shown = len(moves), position
                yield message
                await asyncio.sleep(PAUSE_S)

    return events(news())


async def _act(request: Request) -> Response:
    """An action, as JSON or as it is typed."""
    table, said = _table(request), await asked(request)
    turn, line = said.get("turn"), said.get("typed")
    if type(turn) is not int:
        raise HTTPException(400, "the turn is a number")
    try:
        if type(line) is str:
            _person_acts(table)
            action = await run_in_threadpool(meant, table.course.state, line.strip()[:LONGEST_LINE])
        else:
            action = _action(said.get("action"))
        if action == RESIGN:
            table.resign(turn)
        else:
            table.act(turn, action)
    except IllegalAction as error:
        raise Refusal({"": error.message}) from None
    return Json({})


async def _explain(request: Request) -> Response:
    """Why some cells cannot be touched."""
    table, said = _table(request), await asked(request)
    _person_acts(table)
    cells, known = said.get("cells"), len(table.course.state.picture().layout.cells)
    if type(cells) is not list or not cells or not all(type(each) is int and 0 <= each < known for each in cells):
        raise HTTPException(400, "cells are numbers of cells of the board")
    return Json({"explanation": await run_in_threadpool(explanation, table.course.state, cells[:8])})


async def _steps(request: Request) -> Response:
    """With which steps a turn can go on."""
    table, said = _table(request), await asked(request)
    _person_acts(table)
    steps = _action(said.get("steps"))
    if not hasattr(table.course.state, "legal_steps") or not isinstance(steps, tuple):
        raise HTTPException(400, "turns have no steps here")
    try:
        return Json(await run_in_threadpool(choices, table.course.state, steps))
    except IllegalAction as error:
        raise Refusal({"": error.message}) from None


def _person_acts(table: Table) -> None:
    acts = table.course.acts() if table.course.begun else None
    if acts is None or not table.people[acts]:
        raise Unable("it is not a person's turn")


def _action(told: Any) -> Action:
    try:
        return normal_form(told)
    except IllegalAction as error:
        raise Refusal({"": error.message}) from None


async def _resign(request: Request) -> Response:
    table, said = _table(request), await asked(request)
    table.resign(int(said.get("turn", -1)) if type(said.get("turn")) is int else -1)
    return Json({})


async def _back(request: Request) -> Response:
    table, said = _table(request), await asked(request)
    try:
        await table.take_back(said.get("to"))
    except OSError as error:
        raise Unable(f"the turn cannot be taken back: {error.strerror}") from None
    return Json({})


async def _close(request: Request) -> Response:
    await _table(request).close()
    return Json({})


async def _again(request: Request) -> Response:
    """The same match once more, with another seed, from its beginning."""
    return await _seated(request, _table(request).anew())


async def _record(request: Request) -> Response:
    table = _table(request)
    headers = {"content-disposition": 'attachment; filename="match.jsonl"'}
    return Response(b"".join(table.course.lines), media_type="application/jsonl", headers=headers)


ROUTES = [
    Route("/play", _play),
    Route("/table/{id}", _page),
    Route("/api/offers", _offers),
    Route("/api/tables", _new, methods=["POST"]),
    Route("/api/tables/{id}/events", _events),
    Route("/api/tables/{id}/record", _record),
    *(
        Route(f"/api/tables/{{id}}/{name}", endpoint, methods=["POST"])
        for name, endpoint in (
            ("act", _act),
            ("explain", _explain),
            ("steps", _steps),
            ("resign", _resign),
            ("back", _back),
            ("close", _close),
            ("again", _again),
        )
    ),
]

"""The pages and what they ask for, as an ASGI application behind its guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from watch_your_back.agents import Agent
from watch_your_back.report.markup import join
from watch_your_back.web import browsing, pages, playing
from watch_your_back.web.access import Guard
from watch_your_back.web.answers import Json
from watch_your_back.web.library import Library, Missing
from watch_your_back.web.offers import Offers
from watch_your_back.web.orders import Refusal
from watch_your_back.web.tables import Hall, NoRoom, Unable
from watch_your_back.web.tournaments import Standings

__all__ = ["MATCHES", "make_app"]

MATCHES = 4
"""So many matches are played at once unless more or fewer are asked for."""


def make_app(
    place: Path,
    *,
    port: int,
    folder: Path | None = None,
    agents: Sequence[Agent] = (),
    matches: int = MATCHES,
    token: str | None = None,
    hosts: Collection[str] = (),
    grace_s: float = 15.0,
) -> Guard:
    """The application that shows what is at a place, and offers the agents in `folder` (the current one)
    and those given.

    `access.Guard` describes `token` and `hosts`. A match that no page shows for `grace_s` seconds is ended.
    """
    hall = Hall(matches, grace_s)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await hall.close()

    routes = [Route("/static/{name}", _static), *browsing.ROUTES, *playing.ROUTES]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            HTTPException: _failure,
            Refusal: _refusal,
            NoRoom: _refusal,
            Unable: _refusal,
            Missing: _missing,
            Exception: _broken,
        },
    )
    app.state.hall = hall
    app.state.offers = Offers(folder or Path.cwd(), agents)
    app.state.library = Library(place)
    app.state.standings = Standings()
    return Guard(app, port=port, token=token, hosts=hosts, stop=hall.stop)


async def _static(request: Request) -> Response:
    found = pages.static(request.path_params["name"])
    if found is None:
        raise HTTPException(404, "there is no such file")
    return Response(found[0], media_type=found[1])


async def _failure(request: Request, error: Any) -> Response:
    if request.url.path.startswith("/api/"):
        return Json({"error": error.detail}, status_code=error.status_code)
    words = {"why": join(str(error.detail).capitalize())}
    return HTMLResponse(pages.page("missing", "Nothing here", parts=words), status_code=error.status_code)


async def _missing(request: Request, error: Any) -> Response:
    return await _failure(request, HTTPException(404, str(error)))


async def _refusal(request: Request, error: Any) -> Response:
    status = {NoRoom: 503, Unable: 409}.get(type(error), 422)
    return Json({"error": str(error), "errors": getattr(error, "errors", {})}, status_code=status)


async def _broken(request: Request, error: Exception) -> Response:
    return Json({"error": f"the server failed ({type(error).__name__}); please report this"}, status_code=500)

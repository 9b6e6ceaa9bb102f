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
from watch_your_back.web import pages, playing
from watch_your_back.web.access import Guard
from watch_your_back.web.answers import Json
from watch_your_back.web.offers import Offers
from watch_your_back.web.orders import Refusal
from watch_your_back.web.tables import Hall, NoRoom, Unable

__all__ = ["MATCHES", "make_app"]

MATCHES = 4
"""So many matches are played at once unless more or fewer are asked for."""


def make_app(
    folder: Path,
    *,
    port: int,
    agents: Sequence[Agent] = (),
    matches: int = MATCHES,
    token: str | None = None,
    hosts: Collection[str] = (),
    grace_s: float = 15.0,
) -> Guard:
    """The application that offers the agents in `folder` and those given; see `access.Guard` for `token` and `hosts`.

    A match that no page shows for `grace_s` seconds is ended.
    """
    hall = Hall(matches, grace_s)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await hall.close()

    routes = [
        Route("/", _home),
        Route("/static/{name}", _static),
        *playing.ROUTES,
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            HTTPException: _failure,
            Refusal: _refusal,
            NoRoom: _refusal,
            Unable: _refusal,
            Exception: _broken,
        },
    )
    app.state.hall = hall
    app.state.offers = Offers(Path.cwd(), agents)
    return Guard(app, port=port, token=token, hosts=hosts, stop=hall.stop)


async def _home(request: Request) -> Response:
    return HTMLResponse(pages.page("play", "Play", {"over": None}, here="/"))


async def _static(request: Request) -> Response:
    found = pages.static(request.path_params["name"])
    if found is None:
        raise HTTPException(404, "there is no such file")
    return Response(found[0], media_type=found[1])


async def _failure(request: Request, error: Any) -> Response:
    if request.url.path.startswith("/api/"):
        return Json({"error": error.detail}, status_code=error.status_code)
    return HTMLResponse(pages.page("missing", "Nothing here"), status_code=error.status_code)


async def _refusal(request: Request, error: Any) -> Response:
    status = {NoRoom: 503, Unable: 409}.get(type(error), 422)
    return Json({"error": str(error), "errors": getattr(error, "errors", {})}, status_code=status)


async def _broken(request: Request, error: Exception) -> Response:
    return Json({"error": f"the server failed ({type(error).__name__}); please report this"}, status_code=500)

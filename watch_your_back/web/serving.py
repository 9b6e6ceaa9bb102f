"""Serving the pages: a socket, the application, and an end that takes everything with it."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

import uvicorn

from watch_your_back.agents import Agent
from watch_your_back.tournament.store import is_store
from watch_your_back.web.access import Guard
from watch_your_back.web.app import make_app

__all__ = ["Server", "bound"]

BACKLOG = 128
PATIENCE_S = 2
"""How long requests may take to end when the server is stopped."""


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens at this address. Raises OSError."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError:
        made.close()
        raise
    return made


class Server:
    """A server at a socket; `address` is what to open in the browser."""

    def __init__(
        self,
        listening: socket.socket,
        place: Path,
        host: str,
        *,
        agents: Sequence[Agent] = (),
        matches: int,
        token: str | None,
    ) -> None:
        port = listening.getsockname()[1]
        self._socket = listening
        self._app = make_app(place, port=port, agents=agents, matches=matches, token=token, hosts=(host,))
        shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
        shown = f"[{shown}]" if ":" in shown else shown
        where = urlencode({"of": place.name}) if place.is_file() and is_store(place) else ""
        told = [where, urlencode({"token": token}) if token else ""]
        query = "&".join(filter(None, told))
        self.address = f"http://{shown}:{port}/{'tournament' if where else ''}{'?' if query else ''}{query}"

    def run(self) -> None:
        """Serve until the process is told to stop (SIGINT, SIGTERM)."""
        config = uvicorn.Config(
            self._app,
            log_level="error",
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=PATIENCE_S,
            h11_max_incomplete_event_size=65_536,
            limit_concurrency=200,
            ws="none",
        )
        _Uvicorn(config, self._app).run(sockets=[self._socket])


class _Uvicorn(uvicorn.Server):
    """The server, which lets streams end before it waits for them."""

    def __init__(self, config: uvicorn.Config, app: Guard) -> None:
        super().__init__(config)
        self._guarded = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._guarded.stop()
        await super().shutdown(sockets)

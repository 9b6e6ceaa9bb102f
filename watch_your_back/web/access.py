"""Who may ask the server for what: the guard in front of all pages.

A page of another site must neither read nor change anything here, whatever name it gives to this computer (DNS
rebinding), and where others can reach the server at all, a token says who may use it.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import socket
from collections.abc import Awaitable, Callable, Collection, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import parse_qs, quote, urlencode

__all__ = ["LARGEST_BODY", "Guard", "is_loopback"]

Scope: TypeAlias = Mapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]
App: TypeAlias = Callable[[Any, Receive, Send], Awaitable[None]]

LARGEST_BODY = 1_200_000
"""Bytes of what is sent here: the file of an option has 1 MB at most."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach a server at this address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Guard:
    """An ASGI application around another one, which only sees requests that may be made.

    Without a `token` the names of this computer alone are taken for its own (`localhost` and the loopback addresses);
    with one, its addresses and `hosts` as well. The token comes once in the address, then in a cookie, or in the header
    `Authorization: Bearer`.
    """

    def __init__(
        self,
        app: App,
        *,
        port: int,
        token: str | None = None,
        hosts: Collection[str] = (),
        stop: Callable[[], None] = lambda: None,
    ) -> None:
        self.stop = stop
        """Lets all streams of the application end."""
        self._app, self._token, self._port = app, token, port
        self._hosts = {"localhost", *(host.lower() for host in hosts)}
        if token is not None:
            self._hosts |= {socket.gethostname().lower(), socket.getfqdn().lower()}
        self._cookie = f"wyb-{port}"  # cookies are shared by all ports of a computer

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer a request, or let the application do it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # which closes a connection that is none of HTTP
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        answer = self._refusal(scope, headers) or self._without_token(scope, headers)
        if answer is None and scope["method"] == "POST":
            body = await _body(receive, headers)
            if body is None:
                answer = 413, f"more than {LARGEST_BODY:,} bytes are not taken", {}
            else:
                receive = _repeated(body, receive)
        if answer is None:
            await self._app(scope, receive, _with_headers(send))
        else:
            await _answer(_with_headers(send), *answer)

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str, dict[str, str]] | None:
        host = headers.get("host", "")
        if not self._is_own(host):
            return 421, f"this server is not called {host[:80] or 'nothing'!r}; use the address that it printed", {}
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "only GET and POST are understood", {"allow": "GET, HEAD, POST"}
        own = f"http://{host}"
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        opened = scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"
        if (origin is not None and origin.lower() != own.lower()) or (
            site not in ("same-origin", "none") and not opened
        ):
            return 403, "pages of other sites may not use this server", {}
        if scope["method"] == "POST":
            if origin is None:
                return 403, "a request that changes something names its origin", {}
            if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return 415, "what is sent here is JSON", {}
        return None

    def _is_own(self, host: str) -> bool:
        """Whether a Host header names this server: a name on the Internet may lead anywhere, an address only there."""
        name, colon, port = host.rpartition(":")
        if not colon or port != str(self._port):
            return False
        if name.lower() in self._hosts:
            return True
        try:
            address = ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        return address.is_loopback or self._token is not None

    def _without_token(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str, dict[str, str]] | None:
        if self._token is None:
            return None
        try:
            asked = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=50)
        except ValueError:
            asked = {}
        if scope["method"] == "GET" and "token" in asked and self._fits(asked.pop("token")[0]):
            where = quote("/" + scope["path"].lstrip("/\\")) + (f"?{urlencode(asked, doseq=True)}" if asked else "")
            cookie = f"{self._cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"
            return 303, "", {"location": where, "set-cookie": cookie}
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if self._fits(bearer) or self._fits(self._in_cookie(headers.get("cookie", ""))):
            return None
        return 401, "open the whole address that the server printed when it was started, with its token", {}

    def _fits(self, token: str) -> bool:
        return self._token is not None and hmac.compare_digest(token.encode(), self._token.encode())

    def _in_cookie(self, header: str) -> str:
        try:
            found = SimpleCookie(header).get(self._cookie)
        except CookieError:
            return ""
        return found.value if found else ""


async def _body(receive: Receive, headers: Mapping[str, str]) -> bytes | None:
    """All that is sent, None if it is too much."""
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > LARGEST_BODY:
        return None
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > LARGEST_BODY:
            return None
        more = message.get("more_body", False)
    return b"".join(parts)


def _repeated(body: bytes, receive: Receive) -> Receive:
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Any:
        return waiting.pop() if waiting else await receive()

    return again


def _with_headers(send: Send) -> Send:
    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            given = {key.lower() for key, _ in message.get("headers", [])}
            more = [(key.encode(), value.encode()) for key, value in HEADERS.items() if key.encode() not in given]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return sending


async def _answer(send: Send, status: int, words: str, more: Mapping[str, str]) -> None:
    """A short answer: words for people, which programs find in JSON too."""
    body = json.dumps({"error": words}).encode() if words else b""
    headers = {"content-type": "application/json", "content-length": str(len(body)), **more}
    encoded = [(key.encode(), value.encode("latin-1")) for key, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})

"""What the server answers with besides pages: JSON that holds any text of a player, and streams of events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse

__all__ = ["Json", "asked", "events"]


class Json(JSONResponse):
    """JSON in ASCII, so that half a pair of surrogates from a player is harmless."""

    def render(self, content: Any) -> bytes:
        """The body."""
        return json.dumps(content, separators=(",", ":"), allow_nan=False).encode()


async def asked(request: Request) -> dict[str, Any]:
    """The JSON object that was sent. Raises HTTPException."""
    try:
        told = json.loads(await request.body())
    except (ValueError, RecursionError):
        told = None
    if type(told) is not dict:
        raise HTTPException(400, "a JSON object is to be sent")
    return told


def events(news: AsyncIterator[Any]) -> StreamingResponse:
    """Each value as an event; None only keeps the connection alive."""

    async def lines() -> AsyncIterator[bytes]:
        yield b"retry: 1000\n\n"
        async for each in news:
            yield b":\n\n" if each is None else b"data: " + Json(None).render(each) + b"\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")

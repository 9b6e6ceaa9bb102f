"""How the referee and a player's process talk: length-prefixed JSON, at most 1 MiB a message, never pickle.

Four bytes of length, big-endian, then UTF-8. Messages are objects; the referee's have an `id` that the reply repeats.
"""

from __future__ import annotations

import json
from typing import Any

__all__ = ["HEADER", "MAX_MESSAGE", "ProtocolError", "decode", "encode", "length"]

MAX_MESSAGE = 1 << 20
HEADER = 4

# Kept apart, since an agent may replace what the module json offers; `raw_decode` skips what only streams need.
_parse = json.JSONDecoder().raw_decode
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class ProtocolError(ValueError):
    """What arrived is no message of this protocol."""


def encode(message: dict[str, Any]) -> bytes:
    """The frame of a message."""
    body = _encode(message).encode()
    return len(body).to_bytes(HEADER, "big") + body


def length(header: bytes) -> int:
    """The length of the body that this header announces. Raises ProtocolError if it is over 1 MiB."""
    size = int.from_bytes(header, "big")
    if size > MAX_MESSAGE:
        raise ProtocolError(f"a message of {size:,} bytes was announced, more than {MAX_MESSAGE:,}")
    return size


def decode(body: bytes) -> dict[str, Any]:
    """The message in a frame's body. Raises ProtocolError for anything but a JSON object."""
    try:
        text = body.decode()
        message, end = _parse(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"not JSON: {str(error)[:200]}") from None
    if type(message) is not dict or end != len(text):
        raise ProtocolError("not a JSON object")
    return message

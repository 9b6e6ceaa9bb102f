"""How the referee and a player's process talk: length-prefixed JSON, at most 1 MiB a message, never pickle.

Four bytes of length, big-endian, then UTF-8. Messages are objects; the referee's have an `id` that the reply repeats.
What is needed for a turn is kept in names of this module's own, since an agent may replace what the module json offers.
"""

from __future__ import annotations

import json
import json.encoder
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["MAX_MESSAGE", "Inbox", "ProtocolError", "decode", "dump", "encode"]

MAX_MESSAGE = 1 << 20
_HEADER = 4

_decoder: Any = json.JSONDecoder()
_scan = _decoder.scan_once  # raw_decode without a detour through Python


class ProtocolError(ValueError):
    """What arrived is no message of this protocol."""


def _encoder() -> Callable[[Any, int], Iterable[str]]:
    """What JSONEncoder makes anew for each message: the parts of a value's JSON text, from a value and the number 0."""
    plain = json.JSONEncoder(separators=(",", ":"), check_circular=False)
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return lambda value, _: plain.iterencode(value)
    return make(None, plain.default, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, True)  # type: ignore[no-any-return]


_parts, _join = _encoder(), "".join


def dump(value: Any) -> str:
    """The shortest JSON text of a value, as it is for a message."""
    return _join(_parts(value, 0))


def encode(message: dict[str, Any]) -> bytes:
    """The frame of a message."""
    body = _join(_parts(message, 0)).encode()
    return len(body).to_bytes(_HEADER, "big") + body


def decode(body: bytes) -> dict[str, Any]:
    """The message in a frame's body. Raises ProtocolError for anything but a JSON object."""
    try:
        text = body.decode()
        message, end = _scan(text, 0)
    except StopIteration:
        raise ProtocolError("not JSON: a value is missing") from None
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"not JSON: {str(error)[:200]}") from None
    if type(message) is not dict or end != len(text):
        raise ProtocolError("not a JSON object")
    return message


class Inbox:
    """Bytes as they come from a channel, cut into the bodies of messages."""

    __slots__ = ("data",)

    def __init__(self) -> None:
        self.data = b""

    def take(self, received: bytes) -> bytes | None:
        """Add what was received, and take out the body of the next message once it is complete.

        Raises ProtocolError if it is to be over 1 MiB.
        """
        data = self.data = self.data + received if self.data else received
        if len(data) < _HEADER:
            return None
        size = int.from_bytes(data[:_HEADER], "big")
        if size > MAX_MESSAGE:
            raise ProtocolError(f"a message of {size:,} bytes was announced, more than {MAX_MESSAGE:,}")
        end = _HEADER + size
        if len(data) < end:
            return None
        self.data = data[end:]
        return data[_HEADER:end]

"""What an exception in a player's code is reported as: plain text and a traceback from the player's own frames."""

from __future__ import annotations

import os
import traceback
from types import TracebackType
from typing import Any

from watch_your_back.confine import importing

__all__ = ["report"]

_MAX_TRACEBACK = 16_384
_PACKAGE = os.path.dirname(os.path.dirname(__file__))
_OURS = (os.path.join(_PACKAGE, "confine"), os.path.join(_PACKAGE, "match"), "<frozen importlib")


def report(call: str, error: BaseException) -> dict[str, Any]:
    """The fault as a JSON object with `call`, `type`, `text`, `hint`, `traceback`, `memory` and `no_player`.

    Built from the error's class alone where the error itself misbehaves.
    """
    name = type.__dict__["__name__"].__get__(type(error))
    try:
        text, hint, trace = str(error), importing.hint(error), _own_frames(error)
    except BaseException as second:
        text, hint, trace = f"(its text failed too: {type(second).__name__})", "", ""
    if len(trace) > _MAX_TRACEBACK:
        trace = f"{trace[:4_000]}\n...\n{trace[-12_000:]}"
    return {
        "call": call,
        "type": name[:200],
        "text": text[:2_000],
        "hint": hint[:1_000],
        "traceback": trace,
        "memory": issubclass(type(error), MemoryError),
        "no_player": issubclass(type(error), importing.ImportFault),
    }


def _own_frames(error: BaseException) -> str:
    """The traceback from the first frame that is the agent's own."""
    trace = error.__traceback__
    while trace is not None and _is_ours(trace):
        trace = trace.tb_next
    exception = traceback.TracebackException(type(error), error, trace, limit=-50, compact=True)
    return "".join(exception.format())


def _is_ours(trace: TracebackType) -> bool:
    file = trace.tb_frame.f_code.co_filename
    return file.startswith(_OURS)

"""The start of a player's process in the tier `process`: what `zygote` does before the fork and after it, in one."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import random
import signal
import socket
import sys
import threading
import traceback
from typing import Any

from watch_your_back.confine import runner, scratch
from watch_your_back.confine.pipes import BROKEN

__all__ = ["main"]

_SLACK = 16 << 20


def main(about: dict[str, Any]) -> None:
    """Open the channel and serve it."""
    if "channel" in about:
        os.dup2(about["channel"], runner.CHANNEL, inheritable=False)
        os.close(about["channel"])
        channel = socket.socket(fileno=runner.CHANNEL)
    else:
        channel = socket.create_connection(("127.0.0.1", about["port"]))
        channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        channel.sendall(about["token"])
    _die_with(about["referee"], about["scratch"])
    if about["numpy"]:
        import numpy.random

        numpy.random.seed(random.getrandbits(32))
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGUSR1, file=2, all_threads=False)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    _limit_memory(about["address_space"])
    try:
        runner.serve(channel, {"problems": ["this system offers no stronger confinement, or it was not asked for"]})
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(BROKEN)


def _die_with(referee: int, directory: str) -> None:
    """End when the referee's end of stdin closes, and delete the scratch directory before.

    This takes a thread; the player's own stdin is empty.
    """
    lifeline = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def wait() -> None:
        os.read(lifeline, 1)
        scratch.remove(directory)
        os._exit(BROKEN)

    threading.Thread(target=wait, daemon=True).start()
    if sys.platform == "linux":
        from watch_your_back.confine.privileges import die_with_parent

        with contextlib.suppress(OSError):
            die_with_parent(referee)


def _limit_memory(allowance: int | None) -> None:
    if allowance is None or sys.platform != "linux":
        return
    import resource

    from watch_your_back.confine.memory import own_address_space

    limit = (own_address_space() << 10) + allowance + _SLACK
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

"""The player's side of the channel: imports the agent, makes its Player, and answers one question at a time.

Runs inside the player's process. Whatever the agent replaces or breaks in here is its own loss: the referee believes
nothing but well-formed messages, and measures from outside.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import Any

from watch_your_back.confine import importing, protocol
from watch_your_back.confine.polling import POLLIN, poller
from watch_your_back.confine.reporting import report
from watch_your_back.confine.seeding import seed_generators, seed_numpy_once_imported
from watch_your_back.game import IllegalAction, normal_form

__all__ = ["CHANNEL", "answer", "is_player", "serve"]

CHANNEL = 250
"""The channel's descriptor in a player: out of the way of code that writes to or closes low numbers."""


_serving = False


def is_player() -> bool:
    """Whether this process is a player's."""
    return _serving


def serve(channel: socket.socket, hello: dict[str, Any]) -> None:
    """Say hello, then answer until the channel closes."""
    global _serving
    _serving = True
    send = _sender(channel)
    receive = _receiver(channel)
    send(hello)
    player: Any = None
    booleans = True
    while True:
        message = receive()
        call = ["protocol"]
        reply: dict[str, Any]
        try:
            if "load" in message:
                player, booleans = _load(message["load"], call), message["load"]["booleans"]
                reply = {"methods": [name for name in importing.OPTIONAL_METHODS if hasattr(player, name)]}
            else:
                reply = answer(player, message, call, booleans)
        except IllegalAction as error:
            reply = {"illegal": [error.kind, error.message]} if call[0] == "form" else {"fault": report(call[0], error)}
        except BaseException as error:
            reply = {"fault": report(call[0], error)}
        reply["id"] = message["id"]
        _flush()
        send(reply)


def _load(about: dict[str, Any], call: list[str]) -> Any:
    call[0] = "import"
    sys.dont_write_bytecode = True  # the agent's folder stays as it is
    seed_generators(about["seed"])
    seed_numpy_once_imported(about["seed"])
    if about.get("even_clock"):
        from watch_your_back.confine.even_clock import keep_even_time  # for `wyb debug`

        keep_even_time()
    made = call_import(about)
    call[0] = "constructor"
    return call_constructor(made, about)


def answer(player: Any, message: dict[str, Any], call: list[str], booleans: bool = True) -> dict[str, Any]:
    """The reply to a question; `call` is kept up to date with what is being called."""
    call[0] = "update"
    for action in message["updates"]:
        call_update(player, _tuples(action))
    if "turns" in message:
        if "view" in message:
            call[0] = "see"
            call_see(player, message["view"])
        call[0] = "action"
        action = call_action(player, message["turns"])
        call[0] = "form"
        return {"action": normal_form(action, booleans=booleans)}
    if "start" in message:
        call[0] = "start"
        call_start(player, [_tuples(action) for action in message["start"]])
    else:
        call[0] = "finish"
        call_finish(player, message["finish"])
    return {}


# Functions of their own, so that the frames of a player that is killed tell which call it was in.


def call_import(about: dict[str, Any]) -> type:
    return importing.import_player(about["path"], about["root"], about["module"], about["class_name"])


def call_constructor(made: Any, about: dict[str, Any]) -> Any:
    return made(about["colour"], **importing.player_arguments(made, about["arguments"]))


def call_update(player: Any, action: Any) -> None:
    player.update(action)


def call_see(player: Any, view: Any) -> None:
    player.see(view)


def call_action(player: Any, turns: int) -> Any:
    return player.action(turns)


def call_start(player: Any, actions: list[Any]) -> None:
    player.start(actions)


def call_finish(player: Any, outcome: dict[str, Any]) -> None:
    player.finish(outcome)


def _tuples(action: Any) -> Any:
    """The action with tuples for the lists of JSON, which are used up."""
    if type(action) is not list:
        return action
    for index, part in enumerate(action):
        if type(part) is list:
            action[index] = _tuples(part)
    return tuple(action)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            continue  # the agent may have closed or replaced it


# The functions below keep what they need to themselves, since an agent may replace what modules offer.


def _sender(channel: socket.socket) -> Any:
    encode, write = protocol.encode, channel.send

    def send(message: dict[str, Any]) -> None:
        frame = encode(message)
        while frame:
            frame = frame[write(frame) :]

    return send


def _receiver(channel: socket.socket) -> Any:
    inbox, decode, read, exit = protocol.Inbox(), protocol.decode, channel.recv, os._exit
    poll = poller()
    poll.register(channel.fileno(), POLLIN)
    wait = poll.poll  # recv would be woken once more, when the referee reads the answer

    def receive() -> dict[str, Any]:
        body = inbox.take(b"") if inbox.data else None
        while body is None:
            wait(None)
            data = read(65_536)
            if not data:
                exit(0)
            body = inbox.take(data)
        return decode(body)

    return receive

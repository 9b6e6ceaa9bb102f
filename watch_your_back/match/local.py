"""A player in the referee's own process, beside a match's confined players: for debuggers and for people."""

from __future__ import annotations

import bdb
import importlib
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from watch_your_back.agents import Agent
from watch_your_back.confine import importing
from watch_your_back.confine.capture import Captured
from watch_your_back.confine.faults import reported_fault
from watch_your_back.confine.reporting import report
from watch_your_back.confine.seeding import seed_generators
from watch_your_back.game import Action
from watch_your_back.match.seats import require_start

__all__ = ["LocalSeat"]


class LocalSeat:
    """A player in the referee's own process, without limits: for debuggers, and for a person at the terminal.

    What it prints goes where the referee's own output goes. The global random generators are seeded as in a process of
    its own, and are the player's only while it is called. Implements `Seat`.
    """

    tier = "none"
    program = ""
    memory_mb = 0.0

    def __init__(self, agent: Agent, setting: dict[str, Any]) -> None:
        self.methods: Sequence[str] = ()
        self.cpu_s = 0.0
        self.wall_s = 0.0
        self._agent = agent
        self._setting = setting
        self._random: tuple[Any, Any] | None = None  # the state of its generators: of `random`, of NumPy
        self._path = list(sys.path)
        self.player: Any = None
        self.through: Callable[..., Any] = _at_once
        """Calls the player: with the name of the call, the function and its arguments. A debugger puts itself here."""

    @property
    def spent(self) -> tuple[float, float, float]:
        return self.cpu_s, self.wall_s, self.memory_mb

    def open(self) -> None:
        """Nothing to start."""

    def load(self) -> None:
        agent, setting = self._agent, self._setting
        if agent.numpy:  # before its generator is seeded, as for a player in a process of its own
            with suppress(ImportError):
                importlib.import_module("numpy")
        place = str(agent.path), str(agent.root), agent.module, agent.class_name
        made = self._call("import", importing.import_beside, *place)
        arguments = importing.player_arguments(made, setting["arguments"])
        self.player = self._call("constructor", partial(made, setting["colour"], **arguments))
        self.methods = [name for name in importing.OPTIONAL_METHODS if hasattr(self.player, name)]

    def start(self, actions: Sequence[Action]) -> None:
        require_start(self.methods)
        self._call("start", self.player.start, list(actions))

    def turn(self, updates: Sequence[Action], turns: int, view: Any) -> object:
        for action in updates:
            self._call("update", self.player.update, action)
        if view is not None:
            self._call("see", self.player.see, view)
        return self._call("action", self.player.action, turns)

    def settle(self) -> None:
        """Nothing is limited here."""

    measure = settle

    def stay_on(self, processor: int | None) -> None:
        """It is wherever the referee is."""

    def finish(self, updates: Sequence[Action], outcome: dict[str, Any]) -> None:
        for action in updates:
            self._call("update", self.player.update, action)
        self._call("finish", self.player.finish, outcome)

    def output(self) -> list[Captured]:
        return []

    def close(self) -> None:
        importing.forget()
        sys.path[:] = self._path

    def _call(self, call: str, function: Any, *arguments: Any) -> Any:
        wall, cpu = time.monotonic(), time.process_time()
        try:
            with self._generators():
                return self.through(call, function, *arguments)
        except (KeyboardInterrupt, bdb.BdbQuit):
            raise KeyboardInterrupt from None
        except BaseException as error:
            raise reported_fault(report(call, error), call) from error
        finally:
            self.wall_s += time.monotonic() - wall
            self.cpu_s += time.process_time() - cpu

    @contextmanager
    def _generators(self) -> Iterator[None]:
        outer = _generators()
        if self._random is None:
            seed_generators(self._setting["seed"])
        else:
            _set_generators(self._random)
        try:
            yield
        finally:
            self._random = _generators()
            _set_generators(outer)


def _at_once(call: str, function: Any, *arguments: Any) -> Any:
    return function(*arguments)


def _generators() -> tuple[Any, Any]:
    """The state of the global generators of `random` and, where it has been imported, of NumPy."""
    numpy = sys.modules.get("numpy")
    return random.getstate(), numpy and numpy.random.get_state()


def _set_generators(state: tuple[Any, Any]) -> None:
    random.setstate(state[0])
    if state[1] is not None:
        sys.modules["numpy"].random.set_state(state[1])

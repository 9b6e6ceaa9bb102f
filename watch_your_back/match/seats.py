"""Who sits at a side of a match: a confined player, or one in the referee's own process."""

from __future__ import annotations

import bdb
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

from watch_your_back.agents import Agent
from watch_your_back.confine import importing
from watch_your_back.confine.capture import Captured
from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.faults import PlayerFault, reported_fault
from watch_your_back.confine.limits import Limits
from watch_your_back.confine.reporting import report
from watch_your_back.confine.runner import seed_generators
from watch_your_back.confine.supervision import Supervised
from watch_your_back.game import Action, IllegalAction

__all__ = ["TAKE_BACK", "ConfinedSeat", "LocalSeat", "Seat", "takes_back"]

TAKE_BACK = "take back"
"""What a person at the terminal returns in place of an action: the match is to go on from before its last turn."""


def takes_back(answer: object, agent: Agent) -> bool:
    """Whether a person answered that it takes its last turn back; from others that is no answer."""
    return agent.kind == "person" and type(answer) is str and answer == TAKE_BACK


class Seat(Protocol):
    """One side of a match. The calls come in the order `open`, `load`, `start` after an opening, turns, `finish` and
    always `close`.

    `load`, `start`, `turn` and `finish` raise PlayerFault; what they cost is in `cpu_s`, `wall_s` and `memory_mb` (so
    far) after `settle`, which raises PlayerFault when that is over a limit; `measure` only brings them up to date.
    """

    tier: str
    program: str
    """What an external program calls itself; empty for a player."""

    @property
    def methods(self) -> Sequence[str]:
        """Which of the optional methods the player has, once it is loaded and as long as it can be called."""
        ...

    @property
    def cpu_s(self) -> float: ...
    @property
    def wall_s(self) -> float: ...
    @property
    def memory_mb(self) -> float: ...
    @property
    def spent(self) -> tuple[float, float, float]:
        """`cpu_s`, `wall_s` and `memory_mb`."""
        ...

    def open(self) -> None: ...
    def load(self) -> None: ...
    def start(self, actions: Sequence[Action]) -> None: ...
    def turn(self, updates: Sequence[Action], turns: int, view: Any) -> object: ...
    def settle(self) -> None: ...
    def measure(self) -> None: ...
    def stay_on(self, processor: int | None) -> None: ...
    def finish(self, updates: Sequence[Action], outcome: dict[str, Any]) -> None: ...
    def output(self) -> list[Captured]: ...
    def close(self) -> None: ...


def _require_start(methods: Sequence[str]) -> None:
    if "start" not in methods:
        raise PlayerFault("exception", "start", "it has no method start, so it cannot begin after an opening")


class ConfinedSeat:
    """A player in a locked-down process of its own. Implements `Seat`."""

    program = ""

    def __init__(
        self,
        agent: Agent,
        setting: dict[str, Any],
        limits: Limits,
        confinement: Confinement,
        *,
        require_tier: str | None,
        rules: str,
    ) -> None:
        self.tier = "none"
        self._methods: Sequence[str] = ()
        self._agent = agent
        self._limits = limits
        self._setting = setting
        self._confinement = confinement
        self._require_tier = require_tier
        self._rules = rules
        self._process: Supervised | None = None

    @property
    def methods(self) -> Sequence[str]:
        return self._methods if self._process and not self._process.gone else ()

    @property
    def cpu_s(self) -> float:
        return self._process.cpu_s if self._process else 0.0

    @property
    def wall_s(self) -> float:
        return self._process.wall_s if self._process else 0.0

    @property
    def memory_mb(self) -> float:
        return self._process.memory_mb if self._process else 0.0

    @property
    def spent(self) -> tuple[float, float, float]:
        return self._process.spent if self._process else (0.0, 0.0, 0.0)

    def open(self) -> None:
        """Start the process. Raises ConfinementError."""
        agent = self._agent
        self._process = self._confinement.start(
            str(agent.path), str(agent.root), self._limits, self._rules, numpy=agent.numpy
        )

    def load(self) -> None:
        assert self._process is not None
        self.tier, _ = self._confinement.identify(self._process, self._require_tier)
        agent = self._agent
        place = {"path": str(agent.path), "root": str(agent.root), "module": agent.module}
        reply = self._process.ask({"load": {**place, "class_name": agent.class_name, **self._setting}}, "import")
        methods = reply.get("methods")
        self._methods = methods if type(methods) is list else ()

    def start(self, actions: Sequence[Action]) -> None:
        assert self._process is not None
        _require_start(self.methods)
        self._process.ask({"updates": [], "start": actions}, "start")

    def turn(self, updates: Sequence[Action], turns: int, view: Any) -> object:
        assert self._process is not None
        question = {"updates": updates, "turns": turns}
        if view is not None:
            question["view"] = view
        reply = self._process.ask(question, "action")
        if "illegal" in reply:
            match reply["illegal"]:
                case [str(kind), str(message)]:
                    raise IllegalAction(kind[:100], message[:2_000])
                case _:
                    raise self._process.refusal()
        return reply.get("action")

    def settle(self) -> None:
        assert self._process is not None
        self._process.settle()

    def measure(self) -> None:
        if self._process is not None:
            self._process.measure()

    def stay_on(self, processor: int | None) -> None:
        if self._process is not None and processor is not None:
            self._process.stay_on(processor)

    def finish(self, updates: Sequence[Action], outcome: dict[str, Any]) -> None:
        assert self._process is not None
        self._process.ask({"updates": updates, "finish": outcome}, "finish")

    def output(self) -> list[Captured]:
        return self._process.output() if self._process else []

    def close(self) -> None:
        if self._process is not None:
            self._process.close()


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
        place = str(agent.path), str(agent.root), agent.module, agent.class_name
        made = self._call("import", importing.import_beside, *place)
        arguments = importing.player_arguments(made, setting["arguments"])
        self.player = self._call("constructor", partial(made, setting["colour"], **arguments))
        self.methods = [name for name in importing.OPTIONAL_METHODS if hasattr(self.player, name)]

    def start(self, actions: Sequence[Action]) -> None:
        _require_start(self.methods)
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

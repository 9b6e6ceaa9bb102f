"""Who sits at a side of a match, as the match sees it, and the one in a confined process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from watch_your_back.agents import Agent
from watch_your_back.confine.capture import Captured
from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.faults import PlayerFault
from watch_your_back.confine.limits import Limits
from watch_your_back.confine.supervision import Supervised
from watch_your_back.game import Action, IllegalAction

__all__ = ["TAKE_BACK", "ConfinedSeat", "Measured", "MeasuredSeat", "Seat", "require_start", "takes_back"]

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


def require_start(methods: Sequence[str]) -> None:
    """Raise PlayerFault for a player without the method that a match after an opening needs."""
    if "start" not in methods:
        raise PlayerFault("exception", "start", "it has no method start, so it cannot begin after an opening")


class Measured(Protocol):
    """Something that runs for a player, measured and limited from outside."""

    gone: bool
    cpu_s: float
    wall_s: float

    @property
    def memory_mb(self) -> float: ...

    def settle(self) -> None: ...
    def measure(self) -> None: ...
    def output(self) -> list[Captured]: ...


class MeasuredSeat:
    """The part of `Seat` that is the same for all that runs outside the referee's process, here `_process`."""

    _process: Measured | None = None

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
        process = self._process
        return (process.cpu_s, process.wall_s, process.memory_mb) if process else (0.0, 0.0, 0.0)

    def settle(self) -> None:
        if self._process is not None:
            self._process.settle()

    def measure(self) -> None:
        if self._process is not None:
            self._process.measure()

    def output(self) -> list[Captured]:
        return self._process.output() if self._process else []


class ConfinedSeat(MeasuredSeat):
    """A player in a locked-down process of its own. Implements `Seat`."""

    program = ""
    _process: Supervised | None = None

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
        self._processor: int | None = None

    @property
    def methods(self) -> Sequence[str]:
        return self._methods if self._process and not self._process.gone else ()

    def open(self) -> None:
        """Start the process. Raises ConfinementError."""
        agent = self._agent
        self._process = self._confinement.start(
            str(agent.path), str(agent.root), self._limits, self._rules, numpy=agent.numpy
        )

    def load(self) -> None:
        assert self._process is not None
        self.tier, _ = self._confinement.identify(self._process, self._require_tier)
        self.stay_on(self._processor)
        agent = self._agent
        place = {"path": str(agent.path), "root": str(agent.root), "module": agent.module}
        reply = self._process.ask({"load": {**place, "class_name": agent.class_name, **self._setting}}, "import")
        methods = reply.get("methods")
        self._methods = methods if type(methods) is list else ()

    def start(self, actions: Sequence[Action]) -> None:
        assert self._process is not None
        require_start(self.methods)
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

    def stay_on(self, processor: int | None) -> None:
        """Keep the process on this processor from now on, or from the moment in which it has locked itself down."""
        self._processor = processor
        if self._process is not None and self._process.ready and processor is not None:
            self._process.stay_on(processor)

    def finish(self, updates: Sequence[Action], outcome: dict[str, Any]) -> None:
        assert self._process is not None
        self._process.ask({"updates": updates, "finish": outcome}, "finish")

    def close(self) -> None:
        if self._process is not None:
            self._process.close()

"""A program that speaks GTP at a side of a match of Go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from watch_your_back.agents import Agent
from watch_your_back.confine.external import Program
from watch_your_back.confine.faults import PlayerFault
from watch_your_back.confine.limits import Limits
from watch_your_back.game import Action, Game, IllegalAction
from watch_your_back.match.gtp import action_of, result_of, vertex
from watch_your_back.match.seats import MeasuredSeat

__all__ = ["GAME", "ExternalSeat"]

GAME = "go"
"""The id of the game that GTP is for."""


class ExternalSeat(MeasuredSeat):
    """A GTP program with processes of its own, under limits but not confined. Implements `Seat`.

    What it answers with `?` is an exception of its own, except an action that the rules refuse; an answer that is none
    of GTP is the fault `protocol`.
    """

    tier = "external"
    _process: Program | None = None

    def __init__(self, agent: Agent, game: Game, side: int, limits: Limits, seed: int) -> None:
        self.program = ""
        self._agent = agent
        self._game = game
        self._colours = tuple(name[0] for name in game.sides)
        self._side = side
        self._limits = limits
        self._seed = seed
        self._known: frozenset[str] = frozenset()

    @property
    def methods(self) -> Sequence[str]:
        return ("start",) if self._process and not self._process.gone else ()

    def open(self) -> None:
        """Start the program, if this is a game that it can play. Raises ConfinementError."""
        if self._game.id == GAME:
            self._process = Program(self._agent.command, self._agent.root, self._limits)

    def load(self) -> None:
        """Find out who it is, and set up the board."""
        if self._game.id != GAME:
            raise PlayerFault("exception", "import", f"it speaks GTP, which is for {GAME} and not for {self._game.id}")
        succeeded, listed = self._ask("list_commands", "import")
        self._known = frozenset(listed.split()) if succeeded else frozenset()
        self.program = " ".join(self._tell(command, "import")[:100] for command in ("name", "version"))
        options = self._game.options
        if "set_random_seed" in self._known:  # one of GNU Go's own commands
            self._ask(f"set_random_seed {self._seed % (1 << 31)}", "constructor")
        self._tell(f"boardsize {options.size}", "constructor")
        self._tell("clear_board", "constructor")
        self._tell(f"komi {options.komi:g}", "constructor")
        if options.handicap:
            self._place_handicap()
        if self._limits.cpu_s is not None and "time_settings" in self._known:
            self._ask(f"time_settings {int(self._limits.cpu_s)} 0 0", "constructor")

    def start(self, actions: Sequence[Action]) -> None:
        state = self._game.initial()
        for action in actions:
            self._play(self._colours[state.to_move], action, "start")
            state = state.play(action)

    def turn(self, updates: Sequence[Action], turns: int, view: Any) -> object:
        for action in updates:
            self._play(self._colours[1 - self._side], action, "update")
        colour = self._colours[self._side]
        if self._limits.cpu_s is not None and "time_left" in self._known:
            self._ask(f"time_left {colour} {max(0, int(self._limits.cpu_s - self.cpu_s))} 0", "action")
        said = self._tell(f"genmove {colour}", "action")
        try:
            return action_of(said, self._game.options.size)
        except ValueError as error:
            raise IllegalAction("form", f"its answer to genmove {colour} is illegal: {error}") from None

    def stay_on(self, processor: int | None) -> None:
        """Its processes are wherever the system puts them."""

    def finish(self, updates: Sequence[Action], outcome: dict[str, Any]) -> None:
        """Programs are not told how a match has ended."""

    def close(self) -> None:
        if self._process is not None:
            self._process.close("quit")

    def _place_handicap(self) -> None:
        options = self._game.options
        points = {piece.cell for piece in self._game.initial().picture().pieces}
        words = " ".join(sorted(vertex(point, options.size) for point in points))
        if self._ask(f"set_free_handicap {words}", "constructor")[0]:
            return
        said = self._tell(f"fixed_handicap {options.handicap}", "constructor")
        try:
            placed = {action_of(word, options.size) for word in said.split()}
        except ValueError:
            placed = set()
        if placed != points:
            detail = f"it put its {options.handicap} handicap stones on {said[:80] or 'no points'}, not on {words}"
            raise PlayerFault("exception", "constructor", detail)

    def _play(self, colour: str, action: Action, call: str) -> None:
        self._tell(f"play {colour} {vertex(action, self._game.options.size)}", call)

    def _tell(self, line: str, call: str) -> str:
        """What it answers to a command that must succeed. Raises PlayerFault."""
        succeeded, said = self._ask(line, call)
        if not succeeded:
            raise PlayerFault("exception", call, f"it answered {line!r} with an error: {said[:200] or '(no reason)'}")
        return said

    def _ask(self, line: str, call: str) -> tuple[bool, str]:
        assert self._process is not None
        answer = self._process.ask(line, call)
        try:
            return result_of(answer)
        except ValueError as error:
            raise PlayerFault("protocol", call, f"it answered {line!r} with {answer[:60]!r}: {error}") from None

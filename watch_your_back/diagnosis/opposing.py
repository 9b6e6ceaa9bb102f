"""Opponents that bring a player into trouble: random ones, each with a bias, in any game.

They choose between a few actions drawn at random, by what the board looks like afterwards, so that they need to
know nothing of a game; and they are called by the referee itself, in no process of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple, TypeAlias

from watch_your_back.confine.capture import Captured
from watch_your_back.game import Action, Game, IllegalAction, State

__all__ = ["BIASES", "Chooser", "Opponent", "Scripted", "chooser"]

Chooser: TypeAlias = Callable[[State], Action]
"""Gives a legal action of a state that is not over."""

_DRAWN = 8
"""Actions that a biased opponent chooses between."""
_AT_RANDOM = 0.15
"""The share of its turns in which it does not look at them."""
_CROWDED = 60
"""Actions of the other side that are counted at most."""


class _Look(NamedTuple):
    """An action, seen from the side that would take it."""

    action: Action
    before: State
    after: State
    places: Mapping[Action, float]

    @property
    def side(self) -> int:
        return self.before.to_move

    def pieces(self, side: int) -> int:
        return self.after.count_pieces(side)

    def going_on(self) -> bool:
        return self.after.outcome is None

    def distance(self) -> float:
        """How far the cells that it touches are from the centre of the board, on average."""
        cells = self.before.game.cells(self.action)
        found = [self.places[cell] for cell in cells if cell in self.places]
        return sum(found) / len(found) if found else 0.0


def _cramping(look: _Look) -> Any:
    if not look.going_on() or look.after.to_move == look.side:
        return look.going_on(), 0
    return True, -sum(1 for _ in islice(look.after.legal_actions(), _CROWDED))


BIASES: Mapping[str, Callable[[_Look], Any]] = {
    "random": lambda look: 0,
    "crowding": lambda look: (look.going_on(), look.pieces(0) + look.pieces(1)),
    "taking": lambda look: -look.pieces(1 - look.side),
    "cramping": _cramping,
    "giving": lambda look: -look.pieces(look.side),
    "outward": lambda look: (look.going_on(), look.distance()),
    "lasting": lambda look: (look.going_on(), -abs(look.pieces(0) - look.pieces(1))),
    "inward": lambda look: (look.going_on(), -look.distance()),
}
"""What each kind of opponent likes: most of it is best."""


def chooser(bias: str, game: Game, rng: Random) -> Chooser:
    """An opponent with this bias."""
    layout = game.initial().picture().layout
    x = sum(cell.x for cell in layout.cells) / len(layout.cells)
    y = sum(cell.y for cell in layout.cells) / len(layout.cells)
    places = {cell.id: max(abs(cell.x - x), abs(cell.y - y)) for cell in layout.cells}
    return partial(_choose, BIASES[bias], places, rng)


def _choose(merit: Callable[[_Look], Any], places: Mapping[Action, float], rng: Random, state: State) -> Action:
    if merit is BIASES["random"] or rng.random() < _AT_RANDOM:
        return state.sample(rng)
    drawn = dict.fromkeys(state.sample(rng) for _ in range(_DRAWN))
    return max(drawn, key=lambda action: merit(_Look(action, state, state.play(action), places)))


class Scripted:
    """An opponent that takes these actions, as long as they are legal, and then does as another one. A `Chooser`."""

    def __init__(self, actions: Sequence[Action], then: Chooser) -> None:
        self._actions, self._then = list(actions), then

    def __call__(self, state: State) -> Action:
        if self._actions:
            action = self._actions.pop(0)
            try:
                return state.check(action)
            except IllegalAction:
                self._actions.clear()
        return self._then(state)


class Opponent:
    """The seat of such an opponent, which is shown each `state` before its turn. Implements `match.seats.Seat`."""

    tier = "none"
    program = ""
    methods: Sequence[str] = ("start",)
    cpu_s = wall_s = memory_mb = 0.0
    spent = (0.0, 0.0, 0.0)

    def __init__(self, choose: Chooser) -> None:
        self.state: State | None = None
        self._choose = choose

    def open(self) -> None:
        """There is nothing to start, measure or end."""

    load = settle = measure = close = open

    def start(self, actions: Sequence[Action]) -> None:
        """It is shown the state."""

    def turn(self, updates: Sequence[Action], turns: int, view: Any) -> object:
        assert self.state is not None
        return self._choose(self.state)

    def stay_on(self, processor: int | None) -> None:
        """It is wherever the referee is."""

    def finish(self, updates: Sequence[Action], outcome: dict[str, Any]) -> None:
        """It does not care."""

    def output(self) -> list[Captured]:
        return []

"""The ladder plays every game, under the real referee and its limits, also where something is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from random import Random
from typing import Any, ClassVar, NamedTuple

import pytest
from test_ladder import load

from watch_your_back import catalogue
from watch_your_back.agents import bundled, find
from watch_your_back.game import Action, Board, Game, IllegalAction, Options, Outcome, State, grid
from watch_your_back.match import Confinement, Limits, Match, run

LADDER = ("random", "cautious", "greedy", "minimax", "mcts")

SMALL: dict[str, dict[str, Any]] = {
    "archers": {"turn_cap": 40},
    "dots_and_boxes": {"width": 3, "height": 3},
    "five_in_a_row": {"size": 6, "target": 3, "turn_cap": 40},
    "go": {"size": 5, "turn_cap": 40},
    "hexxagon": {"size": 3, "holes": 0},
    "squares": {"size": 5, "counters": 12},
    "two_tigers": {"turn_cap": 40},
    "watch_your_back": {"turn_cap": 40},
    "weaponized_chess": {"turn_cap": 10},
}
"""Options that make short matches."""


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    """One for all matches."""
    with closing(Confinement()) as made:
        yield made


@pytest.mark.parametrize("id", [id for id in Game.ids() if catalogue.game_class(id) is not None])
@pytest.mark.parametrize("name", LADDER)
def test_every_bundled_player_plays_every_game(name: str, id: str, confinement: Confinement) -> None:
    """Against random, within limits: no match ends by a fault."""
    game = Game.load(id, **SMALL.get(id, {}))
    usual = Limits(cpu_s=1.5 if name in ("minimax", "mcts") else 10, memory_mb=100)  # these two use what they get
    ended = run(Match(game=game, agents=(find(name), find("random")), limits=usual, seed=1), confinement=confinement)
    assert ended.state.outcome is not None, (ended.reason, ended.detail)
    assert (ended.winner, ended.reason) == ended.state.outcome


@pytest.mark.parametrize("name", ["minimax", "mcts"])
def test_a_long_match_is_within_a_short_limit(name: str, confinement: Confinement) -> None:
    """Time is divided among many turns, so that the last ones have some."""
    game = Game.load("five_in_a_row", turn_cap=120)
    limits = Limits(cpu_s=1.0, memory_mb=50)
    ended = run(Match(game=game, agents=(find(name), find(name)), limits=limits, seed=2), confinement=confinement)
    assert ended.state.outcome is not None, (ended.reason, ended.detail)


class Calling(Game):
    """Each side has a secret number from 0 to 5, and on its turn calls one: who calls the other's wins.

    What is called is not told, and nobody may call a number twice.
    """

    Options: ClassVar[type[Options]] = Options
    id: ClassVar[str] = "calling"
    title: ClassVar[str] = "Calling"
    rules_version: ClassVar[int] = 1
    sides = ("first", "second")

    def __init__(self, options: Any = None) -> None:
        self.options = options

    def initial(self) -> Called:
        """The secrets are the same in every match, but players are not to know."""
        return Called(self, (4, 2), ((), ()))

    def imagine(self, view: Any, rng: Random) -> Called:
        """Any number that was not called may be the other's."""
        side, called, others = view["side"], tuple(view["called"]), view["others"]
        secrets = [view["secret"], view["secret"]]
        secrets[1 - side] = rng.choice([number for number in range(6) if number not in called])
        calls = [called, called]
        calls[1 - side] = tuple([number for number in range(6) if number != view["secret"]][:others])
        return Called(self, (secrets[0], secrets[1]), (calls[0], calls[1]))


class Called(NamedTuple("Called", [("game", Any), ("secrets", tuple[int, int]), ("calls", Any)]), State):  # type: ignore[misc]
    """The secrets, and what each side has called."""

    __slots__ = ()
    phase = "calling"
    turns = property(lambda self: len(self.calls[0]) + len(self.calls[1]))
    ply = turns
    to_move = property(lambda self: self.ply % 2)

    @property
    def outcome(self) -> Outcome | None:
        """The end, when the last call was right."""
        found = [side for side in (0, 1) if self.secrets[1 - side] in self.calls[side]]
        return Outcome(found[0], "called") if found else None

    def legal_actions(self) -> list[Action]:
        """The numbers that the side has not called."""
        return [] if self.outcome else [number for number in range(6) if number not in self.calls[self.to_move]]

    def check_form(self, form: Action) -> Action:
        """Refuses what was called already."""
        if form not in self.legal_actions():
            raise IllegalAction("called", "call a number from 0 to 5 that you have not called")
        return form

    def play(self, action: Action) -> Called:
        """One call more."""
        calls = list(self.calls)
        calls[self.to_move] = (*calls[self.to_move], action)
        return Called(self.game, self.secrets, tuple(calls))

    def observe(self, action: Action, side: int) -> Action:
        """Only that there was a call."""
        return action if side != self.to_move else None

    def view(self, side: int) -> Any:
        """The own secret and calls, and how often the other side called."""
        return {
            "side": side,
            "secret": self.secrets[side],
            "called": list(self.calls[side]),
            "others": len(self.calls[1 - side]),
        }

    def key(self) -> Any:
        """All of it."""
        return self.secrets, self.calls

    def picture(self) -> Board:
        """There is none."""
        return Board(grid(1, 1), ())


@pytest.mark.parametrize("name", LADDER)
def test_hidden_information_is_followed_by_what_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions that are not told do not confuse players, and none of them calls a number twice."""
    known = catalogue.game_class
    monkeypatch.setattr(catalogue, "game_class", lambda id: Calling if id == "calling" else known(id))
    make = load(bundled()[name]).Player
    for seed in range(8):
        players = [make(side, game="calling", seed=seed + number) for number, side in enumerate(Calling.sides)]
        state = Calling().initial()
        while state.outcome is None:
            side = state.to_move
            players[side].see(state.view(side))
            action = state.check(players[side].action(state.turns))
            state = state.play(action)
            players[1 - side].update(state.observe(action, 1 - side))
        assert state.ply <= 12


@pytest.mark.parametrize("name", ["greedy", "cautious", "minimax", "mcts"])
def test_any_action_is_taken_when_time_runs_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rather than to lose by the limit: choosing is left out."""
    module = load(bundled()[name])
    player = module.Player("white", limits={"cpu_s": 1.0, "memory_mb": 100}, seed=1)
    monkeypatch.setattr("watch_your_back.search.following.process_time", lambda: player.began + 0.9)
    monkeypatch.setattr(module.Player, "choose", None)
    start = player.state
    assert player.action(0) in start.legal_actions()

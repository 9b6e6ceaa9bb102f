"""Conformance tests that ship with the package, for everybody who adds a game or an agent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from watch_your_back.game import RESIGN, Action, Game, IllegalAction, Outcome, State, normal_form

__all__ = ["check_agent", "check_game"]

_LONGEST = 2_000
"""Turns after which a match without an end is left, for a game may have no turn cap."""

_MANY = 100
"""Legal actions of a state that are looked at; of more, a random choice."""

_LONGEST_TURN = 50
"""Steps of a composite turn that are followed."""

_NONSENSE: tuple[object, ...] = (object(), 0.5, "no such action", ("no", "such", "action"), ((((0,),),),), [None, None])


def check_game(game: Game, seed: int = 0, matches: int = 20) -> None:
    """Play random matches and assert that the game keeps the promises of `Game` and `State`.

    Legal actions are in normal form, distinct, accepted by `check` and counted by `count_actions`; nonsense is refused;
    `play` leaves the old state as it was; text and `parse` are inverse; equal states have equal hashes; pictures are
    within their bounds; a finished game has no action; and the same seed gives the same match. Where something is
    hidden, a state that is imagined from a view shows that view; where a turn is made of steps, `legal_steps` makes
    legal ones.

    Raises AssertionError that names the promise and the actions that led there.
    """
    _check_facts(game)
    for number in range(matches):
        first = _play_match(game, f"{seed}/{number}", checked=True)
        again = _play_match(game, f"{seed}/{number}", checked=False)
        assert first == again, f"{game.id}: match {number} of seed {seed} went another way when it was played again"


def check_agent(spec: str, game: Game | None = None, *, seed: int = 0, matches: int = 4) -> None:
    """Diagnose an agent as `wyb check` does, in Watch Your Back! unless another game is given, and assert it faultless.

    Raises AssertionError that names everything which would lose it a match, and AgentNotFound.
    """
    from watch_your_back.agents import find
    from watch_your_back.diagnosis import diagnose

    found = diagnose(find(spec), game or Game.load("watch_your_back"), matches=matches, seed=seed)
    faults = [finding for finding in found if finding.severity == "error"]
    assert not faults, "\n\n".join(
        "\n".join(filter(None, (fault.sentence, fault.advice, fault.detail))) for fault in faults
    )


def _check_facts(game: Game) -> None:
    def claim(holds: bool, promise: str) -> None:
        assert holds, f"{type(game).__name__}: {promise}"

    claim(type(game.id) is str and game.id.isidentifier(), f"the id is an identifier, not {game.id!r}")
    claim(type(game.title) is str and game.title != "", "the title is a string")
    claim(type(game.rules_version) is int and game.rules_version >= 1, "rules_version is an int from 1")
    claim(len(game.sides) == 2 and len({*game.sides}) == 2, "there are two sides with different names")
    made: Any = type(game)
    twin = made(game.options)
    claim(twin == game and hash(twin) == hash(game), "games of the same options are equal and have the same hash")
    start = game.initial()
    claim(start == twin.initial(), "a match always begins in the same state")
    claim((start.ply, start.turns) == (0, 0), "a match begins at ply 0 and turn 0")


def _play_match(game: Game, seed: str, *, checked: bool) -> State:
    rng, chooser = Random(seed), Random(seed)
    state, actions = game.initial(), list[Action]()
    while True:
        if checked:
            _Visit(game, state, actions).check_state(chooser)
        if state.outcome is not None or len(actions) == _LONGEST:
            return state
        actions.append(state.sample(rng))
        state = state.play(actions[-1])


class _Visit:
    """One state under examination, and how the match came to it."""

    def __init__(self, game: Game, state: State, actions: Sequence[Action]) -> None:
        self.game = game
        self.state = state
        self.actions = actions

    def claim(self, holds: object, promise: str) -> None:
        if not holds:
            last = ", ".join(map(str, self.actions[-5:]))
            path = f"after {len(self.actions)} actions{f', the last of them {last}' if last else ''}"
            raise AssertionError(f"{self.game.id}: {promise} ({path})\n{self.state.text()}")

    def check_state(self, rng: Random) -> None:
        state = self.state
        self.claim(state.game == self.game, "a state knows its game")
        self.claim(state.to_move in (0, 1), f"to_move is 0 or 1, not {state.to_move!r}")
        self.claim(type(state.phase) is str, f"the phase is a string, not {state.phase!r}")
        self.claim(state.ply == len(self.actions), f"ply counts the actions, so it is not {state.ply!r}")
        self.claim(type(state.turns) is int and 0 <= state.turns <= state.ply, f"turns are 0..ply, not {state.turns!r}")
        self.check_text()
        self.check_picture()
        self.check_views(rng)
        for nonsense in _NONSENSE:
            self.check_refused(nonsense)
        if state.outcome is None:
            self.check_actions(rng)
        else:
            self.check_end(state.outcome)

    def check_text(self) -> None:
        state, text = self.state, self.state.text()
        try:
            read = self.game.parse(text)
        except ValueError as error:
            raise AssertionError(f"{self.game.id}: parse refuses what text wrote ({error})\n{text}") from error
        self.claim(read == state, "parse reads back a state equal to the one that text wrote")
        self.claim(hash(read) == hash(state), "equal states have the same hash")
        self.claim(
            read.key() == state.key() and hash(read.key()) == hash(state.key()), "equal states have the same key"
        )
        self.claim(read.text() == text, "equal states have the same text")
        for name in ("to_move", "phase", "turns", "ply", "outcome"):
            self.claim(getattr(read, name) == getattr(state, name), f"equal states have the same {name}")
        self.claim(
            list(read.legal_actions()) == list(state.legal_actions()), "equal states have the same legal actions"
        )

    def check_picture(self) -> None:
        board = self.state.picture()
        cells = {cell.id for cell in board.layout.cells}
        self.claim(len(cells) == len(board.layout.cells), "the cells of the picture have different ids")
        for cell in [piece.cell for piece in board.pieces] + [mark.cell for mark in board.marks]:
            self.claim(cell in cells, f"the cell {cell} is one of the {len(cells)} cells of the picture")
        for piece in board.pieces:
            self.claim(piece.side in (0, 1, None), f"{piece} is of side 0, 1 or None")
            self.claim(type(piece.height) is int and piece.height >= 1, f"{piece} stands for 1 piece or more")
        for side in (0, 1):
            count = sum(piece.height for piece in board.pieces if piece.side == side)
            self.claim(
                self.state.count_pieces(side) == count, f"count_pieces of side {side} is {count}, as in the picture"
            )

    def check_actions(self, rng: Random) -> None:
        state, legal = self.state, list(self.state.legal_actions())
        self.claim(legal, "a side has a legal action while the game goes on")
        self.claim(list(state.legal_actions()) == legal, "legal_actions gives the same ones in the same order again")
        self.claim(len(set(legal)) == len(legal), "legal actions are listed once each")
        self.claim(state.count_actions() == len(legal), f"count_actions is {len(legal)}, not {state.count_actions()}")
        self.claim(self.accepted(RESIGN, "the action") == RESIGN, "check returns 'resign' as it is")
        self.claim(RESIGN not in legal, "'resign' is not listed among the legal actions")
        cells = {cell.id for cell in state.picture().layout.cells}
        for action in legal if len(legal) <= _MANY else rng.sample(legal, _MANY):
            self.claim(repr(normal_form(action)) == repr(action), f"the legal action {action} is in normal form")
            self.claim(
                self.accepted(action, "the legal action") == action, f"check returns the legal action {action} as it is"
            )
            self.claim(cells.issuperset(self.game.cells(action)), f"the cells of {action} are in the picture")
        choice = rng.getstate()
        action = state.sample(rng)
        self.claim(self.accepted(action, "the sampled action") == action, f"sample gives {action} in normal form")
        self.claim(not self.game.complete or action in legal, f"the sampled action {action} is listed")
        rng.setstate(choice)
        self.claim(state.sample(rng) == action, "sample depends on the state and the random generator only")
        self.check_play(action)
        if hasattr(state, "legal_steps"):
            self.check_steps(state.legal_steps, rng)

    def check_steps(self, legal_steps: Callable[[Sequence[Action]], Iterable[Action]], rng: Random) -> None:
        """A turn of steps that are drawn one by one."""
        steps: tuple[Action, ...] = ()
        while len(steps) < _LONGEST_TURN:
            listed = list(legal_steps(steps))
            self.claim(listed, f"a turn that begins with {steps} can go on or end")
            self.claim(len(set(listed)) == len(listed), f"the steps after {steps} are listed once each")
            if None in listed:
                self.claim(self.accepted(steps, "the turn") == steps, f"the turn {steps} can end as legal_steps says")
            step = rng.choice(listed)
            if step is None:
                break
            self.claim(repr(normal_form(step)) == repr(step), f"the legal step {step} is in normal form")
            steps = (*steps, step)

    def check_views(self, rng: Random) -> None:
        """What a side may know, where something is hidden, and what it can imagine then."""
        state = self.state
        for side in (0, 1):
            view = state.view(side)
            if view is None:
                continue
            self.claim(json.loads(json.dumps(view)) == view, f"the view of side {side} is a JSON value")
            imagined = self.game.imagine(view, rng)
            self.claim(imagined.view(side) == view, f"a state that is imagined shows side {side} the same view")
            if side == state.to_move and state.outcome is None:
                action = imagined.sample(rng)
                self.claim(self.accepted(action, "the imagined action") == action, "what is legal can be seen")

    def check_play(self, action: Action) -> None:
        state = self.state
        before = _appearance(state)
        after, again = state.play(action), state.play(action)
        self.claim(_appearance(state) == before, f"playing {action} leaves the old state as it was")
        self.claim(after == again and hash(after) == hash(again), f"playing {action} twice gives equal states")
        if after.phase == state.phase:
            self.claim(after.turns == state.turns + 1, f"turns count {action}, played in the same phase")
        for side in (0, 1):
            told = after.observe(action, side)
            self.claim(repr(normal_form(told)) == repr(told), f"what a side is told of {action} is in normal form")

    def check_end(self, outcome: Outcome) -> None:
        winner, reason = outcome
        self.claim(winner in (0, 1, None), f"the winner is 0, 1 or None, not {winner!r}")
        self.claim(type(reason) is str and reason, f"the reason is words, not {reason!r}")
        self.claim(not list(self.state.legal_actions()), "a finished game has no legal action")
        self.claim(self.state.count_actions() == 0, "a finished game has 0 actions to count")
        for action in (*self.actions[-1:], None, RESIGN):
            self.check_refused(action)
        self.claim(
            _raises(IndexError, lambda: self.state.sample(Random(0))), "sample of a finished game raises IndexError"
        )

    def accepted(self, action: Action, name: str) -> Action:
        try:
            return self.state.check(action)
        except IllegalAction as error:
            raise AssertionError(f"{self.game.id}: check refuses {name} {action} ({error})") from error

    def check_refused(self, action: object) -> None:
        try:
            self.state.check(action)
        except IllegalAction as error:
            self.claim(error.kind and error.message, f"the refusal of {action!r} has a kind and a message")
        else:
            self.claim(False, f"check refuses {action!r}")


def _appearance(state: State) -> tuple[object, ...]:
    return state.text(), state.key(), hash(state), state.ply, state.outcome, list(state.legal_actions())


def _raises(kind: type[Exception], call: Callable[[], object]) -> bool:
    try:
        call()
    except kind:
        return True
    return False

"""What a game is: its rules with their options, its states, and how a match of it can end.

Everything else of the project is generic over the two protocols here. A module of rules imports this one and the
standard library, subclasses `Game` and `State`, and never prints, reads a clock or draws a random number that it was
not given.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from watch_your_back.form import Action, IllegalAction, normal_form
from watch_your_back.options import OptionError, Options, nearest, option, shown
from watch_your_back.picture import Board, Cell, Label, Layout, Mark, Piece, grid

if TYPE_CHECKING:
    from random import Random

__all__ = [
    "RESIGN",
    "Action",
    "ActionForm",
    "Board",
    "BrokenGame",
    "Cell",
    "Game",
    "IllegalAction",
    "Label",
    "Layout",
    "Mark",
    "OptionError",
    "Options",
    "Outcome",
    "Piece",
    "State",
    "UnknownGame",
    "grid",
    "normal_form",
    "option",
    "perft",
]

RESIGN = "resign"
"""The action that every game takes: the side to move gives up (the match ends with the reason `resigned`)."""


class UnknownGame(LookupError):
    """No game has this id; the message names the nearest one."""


class BrokenGame(UnknownGame):
    """A package announces a game with this id, but it cannot be loaded; the message says why."""


class Outcome(NamedTuple):
    """How a game ended: the index of the winner in `Game.sides` (`None`: nobody won), and the reason."""

    winner: int | None
    reason: str


class ActionForm(NamedTuple):
    """One of the shapes that a game's actions have, for people: `((x, y), (x, y))`, what it does, and an example.

    `typed` is what a person types for the example where that is not its numbers and words in order; see `State.read`.
    """

    pattern: str
    meaning: str
    example: Action
    typed: str = ""


class Game(Protocol):
    """A set of rules with its options: a hashable value.

    A built-in game is the class that the module `watch_your_back.games.<id>` calls `GAME`; it is made with one
    argument, an instance of its `Options` subclass, which it calls `Options`.
    """

    __slots__ = ()

    id: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    """Raised whenever the same actions could lead to another state; recorded with every match."""
    complete: ClassVar[bool] = True
    """Whether `legal_actions` lists every action that `check` accepts (`'resign'` aside)."""
    published: ClassVar[bool] = False
    """Whether `State.text` is a board in a form that programs out there read, and so what `--plain` prints."""
    booleans: ClassVar[bool] = False
    """Whether True and False count as the ints that they are in an action; otherwise they are refused."""
    forms: ClassVar[Sequence[ActionForm]] = ()
    """The shapes of its actions, for people."""
    sides: tuple[str, str]
    """The names of the two seats, the one to act first in front (but a handicap in Go gives White the first turn)."""
    options: Any

    def __reduce__(self) -> Any:
        # Whatever tables a game has follow from its options, so that only these are sent to other processes.
        return type(self), (self.options,)

    @property
    def competitive(self) -> bool:
        """Whether people may not take turns back."""
        return False

    def initial(self) -> State:
        """The state in which a match begins."""
        ...

    def parse(self, text: str) -> State:
        """The state that `State.text` wrote. Raises ValueError saying which line is wrong."""
        ...

    def symmetries(self) -> Sequence[Callable[[Any], Hashable]]:
        """The maps of the board onto itself, but for the identity, under which two matches count as the same.

        Each takes the `State.key` of a position to that of its image; keys are then tuples of ints and strings.
        """
        return ()

    def cells(self, action: Action) -> Sequence[Action]:
        """The cells of the picture, by their ids, that a person touches one after the other to take this action.

        None for an action that names no cell, such as a pass. Several actions may share the same cells.
        """
        if not isinstance(action, tuple):
            return ()
        return action if action and all(isinstance(part, tuple) for part in action) else (action,)

    def imagine(self, view: Any, rng: Random) -> State:
        """A state that shows this `State.view` to the side whose turn it is: one that may be the real one.

        Only in games with hidden information; what is hidden is drawn at random. The same view and the same random
        numbers give the same state.
        """
        raise NotImplementedError(f"nothing is hidden in {self.title}")

    @staticmethod
    def ids() -> list[str]:
        """The ids of all games: the built-in ones, and those that installed packages announce."""
        from watch_your_back import catalogue

        return catalogue.ids()

    @staticmethod
    def load(id: str, /, **options: Any) -> Game:
        """The game with this id: a built-in one, or one that an installed package announces.

        Raises UnknownGame, BrokenGame or OptionError.
        """
        from watch_your_back import catalogue

        made = catalogue.game_class(id)
        if made is None:
            raise UnknownGame(f"there is no game {shown(id)} ({nearest(id, Game.ids())})")
        return made(made.Options.of(options))  # type: ignore[no-any-return]


class State(Protocol):
    """A position and everything else that the rules need to go on: immutable and hashable.

    Two states are equal when the same future play is open to them, turn counters and repetition history included.
    """

    __slots__ = ()

    if TYPE_CHECKING:
        # Read-only, so that a state may keep them in slots, in a frozen dataclass or compute them. For type checkers
        # only: a dataclass would take a property of its base for the default of its field.
        @property
        def game(self) -> Game: ...
        @property
        def to_move(self) -> int:
            """Index into `game.sides` of the side whose turn it is."""

        @property
        def phase(self) -> str: ...
        @property
        def turns(self) -> int:
            """Turns taken in this phase by both sides together: what `Player.action` is given."""

        @property
        def ply(self) -> int:
            """Turns taken since the match began."""

        @property
        def outcome(self) -> Outcome | None:
            """None while the game goes on."""

    def legal_actions(self) -> Iterable[Action]:
        """Every legal action, none when the game is over; a sequence where the list is short."""
        ...

    def check_form(self, form: Action) -> Action:
        """What `check` returns for an action that is in normal form already and is not `'resign'`."""
        ...

    def check(self, action: object) -> Action:
        """The action in normal form. Raises IllegalAction."""
        form = normal_form(action, booleans=self.game.booleans)
        if form == RESIGN and self.outcome is None:
            return form
        return self.check_form(form)

    def play(self, action: Action) -> State:
        """The state after a legal action. Legality is checked only by `check`; `'resign'` is the match's to handle."""
        ...

    def observe(self, action: Action, side: int) -> Action:
        """What `side` is told of the action that led to this state."""
        return action

    def view(self, side: int) -> Any:
        """All that `side` may know, as a JSON value, in a game with hidden information; None in any other.

        Players that define `see(view)` are given it before each `action`.
        """
        return None

    def key(self) -> Hashable:
        """The board and the side to move, for search tables and for comparing positions."""
        ...

    def text(self) -> str:
        """A diagram that `Game.parse` reads back."""
        ...

    def read(self, words: Sequence[int | str]) -> Action | None:
        """The action that a person means by these words, where the numbers of an action alone do not say it.

        None where the words are no such short form of the game; the action is still to be checked.
        """
        return None

    def picture(self) -> Board:
        """What `watch_your_back.show` draws: pieces and marks on the game's layout."""
        ...

    def _repr_html_(self) -> str:
        """The board for a notebook."""
        from watch_your_back.display import state_html

        return state_html(self)

    def sample(self, rng: Random) -> Action:
        """One legal action, each with the same chance. Raises IndexError when the game is over."""
        return rng.choice(list(self.legal_actions()))

    def count_actions(self) -> int:
        """How many legal actions there are."""
        return sum(1 for _ in self.legal_actions())

    def count_pieces(self, side: int) -> int:
        """How many pieces `side` (an index into `game.sides`) has on the board, each one of a stack counted."""
        return sum(piece.height for piece in self.picture().pieces if piece.side == side)

    def evaluate(self, side: int) -> float:
        """How far `side` seems to be ahead, in pieces or in what is worth about as many: a quick guess, for search.

        What one side is ahead, the other is behind. Asked only while the game goes on.
        """
        return self.count_pieces(side) - self.count_pieces(1 - side)


def perft(state: State, depth: int) -> int:
    """How many sequences of exactly `depth` legal actions start at `state` (`perft(state, 0)` is 1)."""
    if depth <= 1:
        return state.count_actions() if depth else 1
    return sum(perft(state.play(action), depth - 1) for action in state.legal_actions())

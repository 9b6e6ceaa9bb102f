"""A person at the terminal: sees the board, types actions, and is told what is wrong with them; in any game.

Everything is written to standard error, so that results on standard output stay clean.
"""

import sys
import textwrap
from collections.abc import Iterator
from itertools import chain, islice
from random import Random
from typing import Any

from watch_your_back.game import RESIGN, Action, Game, IllegalAction, State
from watch_your_back.show.seen import in_common
from watch_your_back.show.terminal import Terminal
from watch_your_back.show.text import SIDE_STYLES, one_line, paint, text
from watch_your_back.show.typed import (
    NONE,
    PASS,
    Words,
    begins,
    is_whole,
    literal,
    parts_of,
    readings,
    said,
    shaped,
    typed,
)

FOR_PROGRAMS = " (is a return missing in action()?)"
"""A hint in what the rules say of a pass, which helps nobody who typed one."""

HELP = """\
Brackets and commas may be typed or left out, and the parts of an action one after the other.
Besides:
    legal        lists the legal actions, or those that begin with what you have typed
    undo         takes back what you have typed
    back         takes back your last turn and what followed, where that is allowed
    board        shows the board again
    resign       gives up the match, as the end of the input (Ctrl-D) does
    ?            shows this help
"""
STEPS = """\
A turn is made of steps, typed one after the other (or on one line with semicolons between them);
an empty line ends it.
"""

TAKE_BACK = "take back"
"""What the referee takes for the wish to go on from before one's last turn: `watch_your_back.match.seats.TAKE_BACK`."""

NOTHING: tuple[Action, ...] = ()
"""No action yet: not to be confused with None, which is one."""
MOST_LISTED = 200
IMAGININGS = 8
"""So many states that may be the real one must have something in common for it to be shown."""
MOST_LOOKED_AT = 10_000
"""So many legal actions are compared with what was typed; what is none of them can still be checked."""


class Player:
    """Asks the person for each action until it is a legal one."""

    def __init__(self, colour: str, game: str = "watch_your_back", options: dict[str, Any] | None = None) -> None:
        """`colour` is one of the game's sides."""
        self.game = Game.load(game, **(options or {}))
        self.state = self.game.initial()
        self.colour = colour
        self.side = self.game.sides.index(colour)
        self.stepwise = hasattr(self.state, "legal_steps")
        self.hidden = self.state.view(self.side) is not None
        """Whether there is more to the state than this side is told; `see` then brings one that may be it."""
        self.possible: list[State] = []
        self.seen: list[Action] = []
        """What the opponent has done since the person last acted, or else what the person did."""
        self.theirs = False
        self.typed: Words = []
        self.before: Words = []
        self.steps: list[Action] = []
        self.went_back = False

    def start(self, actions: list[Action]) -> None:
        """The match begins after these actions of both sides."""
        for action in actions:
            self.state = self.state.play(action)

    def update(self, action: Action) -> None:
        """The opponent took this action: None where it passed."""
        self.seen = [*self.seen, action] if self.theirs else [action]
        self.theirs = True
        if not self.hidden:
            self.state = self.state.play(action)

    def see(self, view: Any) -> None:
        """All that this side may know, in a game with hidden information."""
        self.possible = [self.game.imagine(view, Random(number)) for number in range(IMAGININGS)]
        self.state = self.possible[0]

    def action(self, turns: int) -> Action:
        """The legal action that the person typed, or `'resign'`."""
        if self.went_back:  # and is asked for the same turn again
            say("Nothing can be taken back (yet, or with this opponent, or in this game).\n")
        self.went_back = False
        self.show_board()
        self.typed, self.steps = [], []
        found = NOTHING
        while not found:
            begun = [self.colour, *(f"{typed(step)};" for step in self.steps), *map(str, self.typed)]
            say(f"{' '.join(begun)}> ")
            line = sys.stdin.readline() if sys.stdin else ""
            if not line:
                say("\nThis is the end of the input: you resign.\n")
            found = self.obey(one_line(line)) if line else (RESIGN,)
        if found[0] == TAKE_BACK:
            self.went_back = True
        elif found[0] != RESIGN:
            self.state = self.state.play(found[0])
            self.seen, self.theirs = [found[0]], False
        return found[0]

    def obey(self, line: str) -> tuple[Action, ...]:
        """What a line asks for: an action in a tuple of one, or nothing yet."""
        word = line.lower()
        if word == RESIGN:
            return (RESIGN,)
        if word == "back":
            return (TAKE_BACK,)
        if word in ("?", "help"):
            self.show_help()
        elif word == "board":
            self.show_board()
        elif word == "legal":
            self.show_legal()
        elif word == "undo":
            self.steps = self.steps if self.typed else self.steps[:-1]
            self.typed = []
        elif word in (PASS, "none") or (not line and self.must_pass()):
            return self.checked(None)
        elif self.stepwise:
            return self.go_on(line)
        elif line:
            return self.complete(line)
        return NOTHING

    def go_on(self, line: str) -> tuple[Action, ...]:
        """The turn whose last step has been typed; nothing while there may be more to come."""
        for part in filter(None, map(str.strip, line.split(";"))):
            step = self.completed(part, self.going_on())
            if step is None:
                if not self.typed:
                    say(f"{self.why_not(part)}; legal lists the steps with which the turn can go on.\n")
                return NOTHING
            self.steps.append(step)
            self.typed = []
        if line and any(step is not None for step in self.going_on()):
            return NOTHING
        return self.checked(tuple(self.steps))

    def complete(self, line: str) -> tuple[Action, ...]:
        """The legal action that has been typed, this line included; nothing while there is more to come."""
        for words in readings(line):
            meant = self.state.read([word.lower() if isinstance(word, str) else word for word in [*self.typed, *words]])
            if meant is not None:
                return self.checked(meant)
        found = self.completed(line, self.going_on())
        if found is not None:
            return (found,)
        if self.typed:
            return NOTHING
        numbers = [words for words in readings(line) if any(isinstance(word, int) for word in words)]
        if not numbers:
            say(f"{line[:50]!r} is neither an action nor a command; ? shows what is.\n")
            return NOTHING
        patterns = [*self.going_on(), *(form.example for form in self.game.forms)]
        return self.checked(literal(line) or shaped([*self.before, *numbers[0]], patterns))

    def completed(self, line: str, possible: Iterator[Action]) -> Action:
        """The one of these actions that has been typed, this line included; None while there is more to come.

        What has been typed is forgotten when none of them begins with it, and is then in `before`.
        """
        listed = list(possible)
        for words in readings(line):
            whole = [*self.typed, *words]
            begun = [action for action in listed if words and begins(action, whole)]
            for action in begun:
                if is_whole(action, whole):
                    return action
            if begun:
                self.typed = whole
                return None
        self.before, self.typed = self.typed, []
        return None

    def why_not(self, line: str) -> str:
        """Why the turn cannot go on with the step that a line says, as far as it says one."""
        examples: list[Any] = [form.example for form in self.game.forms]
        possible = [step for step in (*self.going_on(), *chain.from_iterable(examples)) if step is not None]
        spelling = {part.lower(): part for step in possible for part in parts_of(step) if isinstance(part, str)}
        for words in readings(line):
            step = [spelling.get(word.lower(), word) if isinstance(word, str) else word for word in words]
            for whole in (step, [*step, NONE]):
                like = [each for each in possible if parts_of(each)[:1] == whole[:1]]
                if any(len(parts_of(each)) == len(whole) for each in like):
                    meant: Any = shaped(whole, like)
                    try:
                        self.state.check((*self.steps, tuple(None if part == NONE else part for part in meant)))
                    except IllegalAction as error:
                        return str(error)
        return f"{line[:50]!r} is no step"

    def going_on(self) -> Iterator[Action]:
        """The legal actions, or the steps with which a turn can go on."""
        legal_steps = getattr(self.state, "legal_steps", None)
        return islice(legal_steps(self.steps) if legal_steps else self.state.legal_actions(), MOST_LOOKED_AT)

    def must_pass(self) -> bool:
        """Whether there is nothing else to do."""
        return list(islice(self.state.legal_actions(), 2)) == [None]

    def checked(self, action: Action) -> tuple[Action, ...]:
        """The action if it is legal; otherwise nothing, after saying why it is not."""
        try:
            return (self.state.check(action),)
        except IllegalAction as error:
            say(f"{str(error).replace(FOR_PROGRAMS, '')}\n")
            return NOTHING

    def show_board(self) -> None:
        """The state, whose turn it is and what happened last, marked on the board."""
        terminal = Terminal.of(sys.stderr)
        cells = [cell for action in self.seen for cell in self.game.cells(action)]
        picture = in_common([state.picture() for state in self.possible or [self.state]])
        board = text(picture, last=cells, colour=terminal.colour, unicode=terminal.unicode, width=terminal.width)
        told = " and ".join(map(typed, self.seen))
        news = f"The opponent's action: {told}." if self.theirs else "You act again." if told else "Type ? for help."
        you = paint(f"You are {self.colour}.", SIDE_STYLES[self.side], terminal.colour)
        say(f"\n{board}\n\n{news} {you}\n")
        if self.must_pass():
            say("You have no action to take: press Enter to pass.\n")

    def show_legal(self) -> None:
        """The legal actions, or steps, that begin with what has been typed."""
        begun = [typed(action) for action in self.going_on() if begins(action, self.typed)]
        if self.stepwise:
            begun = ["(an empty line)" if each == PASS else each for each in begun]
        unbroken = "   ".join(each.replace(" ", "\0") for each in begun[:MOST_LISTED])
        say(textwrap.fill(unbroken, 100).replace("\0", " ") + "\n")
        if len(begun) > MOST_LISTED:
            say(f"and {len(begun) - MOST_LISTED:,} more; type how one begins, and then legal\n")

    def show_help(self) -> None:
        """How the actions of this game are typed."""
        examples = [said(form) for form in self.game.forms]
        width = max(map(len, examples), default=0)
        say("Type an action, for example:\n")
        for form, example in zip(self.game.forms, examples, strict=True):
            say(f"    {example:<{width}}   {form.meaning}\n")
        say((STEPS if self.stepwise else "") + HELP)


def say(words: str) -> None:
    """Write to the terminal at once."""
    sys.stderr.write(words)
    sys.stderr.flush()

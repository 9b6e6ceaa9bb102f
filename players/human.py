"""A person at the terminal: sees the board, types actions, and is told what is wrong with them; in any game.

Everything is written to standard error, so that results on standard output stay clean.
"""

import ast
import re
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from watch_your_back.game import RESIGN, Action, Game, IllegalAction, State

HELP = """\
Type the numbers of an action, with commas and brackets or without:
    3 4          the square (3, 4), column 3 and row 4, counted from 0 at the top left
    3 4 5 4      from (3, 4) to (5, 4); or the first square alone, and then the second
    pass         takes no action, where that is allowed
Besides:
    legal        lists the legal actions, or those that begin with what you have typed
    undo         takes back the first square
    board        shows the board again
    resign       gives up the match, as the end of the input (Ctrl-D) does
    ?            shows this help
"""

NOTHING: tuple[Action, ...] = ()
"""No action yet: not to be confused with None, which is one."""


class Player:
    """Asks the person for each action until it is a legal one."""

    def __init__(self, colour: str, game: str = "watch_your_back", options: dict[str, Any] | None = None) -> None:
        """`colour` is one of the game's sides."""
        self.state = Game.load(game, **(options or {})).initial()
        self.colour = colour
        self.news = "Type ? for help."
        self.typed: list[int | str] = []

    def start(self, actions: list[Action]) -> None:
        """The match begins after these actions of both sides."""
        for action in actions:
            self.state = self.state.play(action)

    def update(self, action: Action) -> None:
        """The opponent took this action: None where it passed."""
        self.news = f"The opponent's action: {short(action)}."
        self.state = self.state.play(action)

    def action(self, turns: int) -> Action:
        """The legal action that the person typed, or `'resign'`."""
        self.show_board()
        self.typed = []
        found = NOTHING
        while not found:
            say(f"{' '.join([self.colour, *map(str, self.typed)])}> ")
            line = sys.stdin.readline() if sys.stdin else ""
            if not line:
                say("\nThis is the end of the input: you resign.\n")
            found = self.obey(line.strip().lower()) if line else (RESIGN,)
        if found[0] != RESIGN:
            self.state = self.state.play(found[0])
        return found[0]

    def obey(self, line: str) -> tuple[Action, ...]:
        """What a line asks for: an action in a tuple of one, or nothing yet."""
        if line == "resign":
            return (RESIGN,)
        if line in ("?", "help"):
            say(HELP)
        elif line == "board":
            self.show_board()
        elif line == "legal":
            self.show_legal()
        elif line == "undo":
            self.typed = []
        elif line in ("pass", "none") or (not line and list(self.state.legal_actions()) == [None]):
            return self.checked(None)
        elif line:
            return self.complete(line)
        return NOTHING

    def complete(self, line: str) -> tuple[Action, ...]:
        """The legal action that has been typed, this line included; nothing while there is more to come."""
        typed = [*self.typed, *parts(line)]
        begun = [action for action in self.state.legal_actions() if typed and parts_of(action)[: len(typed)] == typed]
        for action in begun:
            if len(parts_of(action)) == len(typed):
                return (action,)
        self.typed = typed if begun else []
        if begun:
            return NOTHING
        if not any(isinstance(part, int) for part in typed):
            say(f"{line[:50]!r} is neither an action nor a command; ? shows what is.\n")
            return NOTHING
        return self.checked(literal(line) or self.shaped(typed))

    def checked(self, action: Action) -> tuple[Action, ...]:
        """The action if it is legal; otherwise nothing, after saying why it is not."""
        try:
            return (self.state.check(action),)
        except IllegalAction as error:
            say(f"{error}\n")
            return NOTHING

    def shaped(self, typed: list[int | str]) -> Action:
        """What was typed, in the brackets that the legal actions of this length have."""
        for action in self.state.legal_actions():
            if len(parts_of(action)) == len(typed):
                return in_brackets(action, iter(typed))
        return tuple(typed)

    def show_board(self) -> None:
        """The state, whose turn it is and what happened last."""
        state = self.state
        say(f"\n{numbered(state)}\n\n{self.news} You are {self.colour}.\n")
        if list(state.legal_actions()) == [None]:
            say("You have no action to take: press Enter to pass.\n")

    def show_legal(self) -> None:
        """The legal actions that begin with what has been typed."""
        count = len(self.typed)
        begun = [short(action) for action in self.state.legal_actions() if parts_of(action)[:count] == self.typed]
        unbroken = "   ".join(each.replace(" ", "\0") for each in begun)
        say(textwrap.fill(unbroken, 100).replace("\0", " ") + "\n")


def say(text: str) -> None:
    """Write to the terminal at once."""
    sys.stderr.write(text)
    sys.stderr.flush()


def numbered(state: State) -> str:
    """The diagram of a state, with the numbers of its columns and rows where it has a line a row."""
    board, lines = state.picture(), state.text().rstrip().splitlines()
    columns = round(max(cell.x for cell in board.layout.cells)) + 1
    rows = round(max(cell.y for cell in board.layout.cells)) + 1
    if any(len(line) != 2 * columns - 1 for line in lines[:rows]):
        return "\n".join(lines)
    numbers = [f"{row:4} {line}" for row, line in enumerate(lines[:rows])]
    header = " ".join(str(column % 10) for column in range(columns))
    return "\n".join(["", f"     {header}", *numbers, "", *lines[rows:]])


def short(action: Action) -> str:
    """An action as a person types it."""
    return "pass" if action is None else " ".join(map(str, parts_of(action)))


def parts_of(action: Action) -> list[int | str]:
    """The numbers and words of an action in their order, without its brackets."""
    if isinstance(action, tuple):
        return [part for item in action for part in parts_of(item)]
    return [] if action is None else [action]


def parts(line: str) -> list[int | str]:
    """The numbers and words of a line; a minus right after a number separates it from the next one."""
    found = re.findall(r"(?<!\d)-?\d+|[a-z_]+", line)
    return [int(part) if part[-1].isdigit() else part for part in found]


def in_brackets(pattern: Action, parts: Iterator[int | str]) -> Action:
    """The parts, in the brackets of another action."""
    return tuple(in_brackets(item, parts) for item in pattern) if isinstance(pattern, tuple) else next(parts)


def literal(line: str) -> Action:
    """The action of a line that is written out with all its brackets, such as `((3, 4), (5, 4))`, or else None."""
    try:
        action = ast.literal_eval(line)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return action if isinstance(action, tuple) and line.startswith("(") else None

"""`wyb replay` on a terminal: one position at a time, and the keys that lead to others.

It draws with the terminal's own sequences, as a match on the screen does. `rich`, which the package needs anyway, can
draw but reads no keys; `textual` can do both, and would be a large dependency for one board and a dozen keys.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence

from watch_your_back.cli import replay_text as lines
from watch_your_back.cli.keys import RESIZED, Keys
from watch_your_back.cli.replay_course import Course
from watch_your_back.show.terminal import Terminal
from watch_your_back.show.text import ESCAPE_SEQUENCE

__all__ = ["Viewer", "view"]

HELP = """\
left right      a turn back, a turn on
page up, down   ten turns
home end        the start, the end
up down         scroll, where the window is too small for everything
57 Enter        the position after turn 57
space           play on, or stop; + and - make it faster and slower
s S             the slowest turn, then the next slowest; back
o O             the next turn with output, the previous one
f F             the next failure, the previous one
t T             the next turning point, the previous one (of an explained match)
q               leave"""
KEYS = "arrows, page up/down, home, end, number, space play, s slowest, o output, f failure, t turning point, ? help, q"

TEN = 10
SPEEDS_S = (2.0, 1.0, 0.4, 0.2, 0.1, 0.04)
"""How long a position is shown while the match plays on."""
USUAL = 2
BESIDE = 36
"""So many columns there must be for what stands beside the board; else it stands below."""
GAP = 3
FOOT = 2
LEAST = 9
"""In a window with fewer lines only the board, where it is, and the keys are shown."""


class Viewer:
    """What the terminal shows of a match, and what each key changes about it."""

    def __init__(self, course: Course, terminal: Terminal, at: int = 0) -> None:
        self.course, self.terminal = course, terminal
        self.at = at
        self.playing = False
        self._speed = USUAL
        self._scroll = self._most_scroll = 0
        self._number = ""
        self._message = ""
        self._helping = False
        self._rank = -1
        """The place of the slow turn that was looked for last."""
        self._keys: dict[str, Callable[[], None]] = {
            "left": lambda: self._go(self.at - 1),
            "right": lambda: self._go(self.at + 1),
            "page up": lambda: self._go(self.at - TEN),
            "page down": lambda: self._go(self.at + TEN),
            "home": lambda: self._go(0),
            "end": lambda: self._go(course.last),
            "up": lambda: self._scroll_by(-1),
            "down": lambda: self._scroll_by(1),
            "space": self._play,
            "+": lambda: self._change_speed(1),
            "-": lambda: self._change_speed(-1),
            "s": lambda: self._slow(1),
            "S": lambda: self._slow(-1),
            "o": lambda: self._next(course.spoken, "output"),
            "O": lambda: self._previous(course.spoken, "output"),
            "f": lambda: self._next(course.failing, "failure"),
            "F": lambda: self._previous(course.failing, "failure"),
            "t": lambda: self._next(course.turning, "turning point"),
            "T": lambda: self._previous(course.turning, "turning point"),
        }

    @property
    def pause_s(self) -> float | None:
        """After so many seconds without a key, the match plays on; None while it stands still."""
        return SPEEDS_S[self._speed] if self.playing else None

    def play_on(self) -> None:
        """Show the next position; at the end, stop."""
        self._go(self.at + 1)
        self.playing = self.at < self.course.last

    def press(self, key: str) -> bool:
        """Do what a key is for; returns whether to go on."""
        if self._helping:
            self._helping = False
            return True
        self._message = ""
        if key.isdecimal() and key.isascii():
            self._number = (self._number + key)[:6]
            return True
        number, self._number = self._number, ""
        if number and key == "enter":
            self._go_to_turn(int(number))
        elif number and key == "backspace":
            self._number = number[:-1]
        elif key in ("q", "Q"):
            return False
        elif key in ("?", "h"):
            self._helping = True
        elif action := self._keys.get(key):
            self.playing = self.playing and key in ("space", "+", "-", "up", "down")
            action()
        return True

    def frame(self, columns: int, rows: int) -> list[str]:
        """The lines that fill a window of this size; longer ones are for the terminal to cut off."""
        if self._helping:
            told = [*HELP.splitlines()[: max(rows - 2, 0)], "", "any key leads back"]
            return [*told, *[""] * (rows - len(told))][:rows]
        caption = lines.caption(self.course, self.at, self.terminal)
        head = [lines.heading(self.course, self.terminal), caption, ""]
        body, wide = self._body(columns)
        if len(body) > rows - len(head) - FOOT:  # then some of it is not seen
            head = [caption, lines.costs(self.course, self.at, self.terminal)] if rows >= LEAST else [caption]
        room = max(rows - len(head) - FOOT, 0)
        self._most_scroll = max(len(body) - room, 0)
        self._scroll = min(self._scroll, self._most_scroll)
        shown = body[self._scroll : self._scroll + room]
        shown += [""] * (room - len(shown))
        return [*head, *shown, self._scrubber(columns), self._status(wide > columns and wide)][:rows]

    def _body(self, columns: int) -> tuple[list[str], int]:
        """What can be scrolled, and how many columns the board takes up."""
        board = lines.board(self.course, self.at, self.terminal, columns, notes=False)
        wide = max(map(_width, board))
        left = columns - wide - GAP
        if left < BESIDE:
            return [*board, "", *self._details(columns)], wide
        details = self._details(left)
        rows = max(len(board), len(details))
        board += [""] * (rows - len(board))
        details += [""] * (rows - len(details))
        both = zip(board, details, strict=True)
        return [f"{one}{' ' * (wide - _width(one) + GAP)}{other}" if other else one for one, other in both], wide

    def _details(self, columns: int) -> list[str]:
        found = lines.details(self.course, self.at, self.terminal, notes=True)
        return [line for each in found for line in _wrapped(each, columns)]

    def _scrubber(self, columns: int) -> str:
        """The match as a line: where in it this is, and where players failed or erred."""
        track, here = ("\u2500", "\u25cf") if self.terminal.unicode else ("-", "@")
        room = max(columns - 1, 1)
        signs = [track] * room

        def place(at: int) -> int:
            return at * (room - 1) // max(self.course.last, 1)

        for at in self.course.spoken:
            signs[place(at)] = "'"
        for at in self.course.erring:
            signs[place(at)] = "?"
        for at in self.course.failing:
            signs[place(at)] = "!"
        signs[place(self.at)] = here
        return "".join(signs)

    def _status(self, needed: int) -> str:
        """The last line; `needed` are the columns that a board needs which is cut off."""
        if self._number:
            return f"turn {self._number}_ (Enter goes there)"
        parts = [f"{self.at}/{self.course.last}"]
        if below := self._most_scroll - self._scroll:
            parts.append(f"{below} more line{'s' * (below != 1)} below (arrow down)")
        if needed:
            parts.append(f"the board needs {needed} columns")
        parts.append(self._message or ("playing, space stops" if self.playing else KEYS))
        return "; ".join(parts)

    def _go(self, at: int) -> None:
        at = min(max(at, 0), self.course.last)
        if at != self.at:
            self._scroll = 0
        self.at = at

    def _go_to_turn(self, ply: int) -> None:
        self._go(self.course.position(ply))
        if self.course.ply(self.at) != ply:
            first, last = self.course.ply(0), self.course.ply(self.course.last)
            self._message = f"there is no turn {ply}, only {first} to {last}"

    def _scroll_by(self, rows: int) -> None:
        self._scroll = min(max(self._scroll + rows, 0), self._most_scroll)

    def _play(self) -> None:
        self.playing = not self.playing
        if self.playing and self.at == self.course.last:
            self._go(0)

    def _change_speed(self, by: int) -> None:
        self._speed = min(max(self._speed + by, 0), len(SPEEDS_S) - 1)
        self._message = f"{1 / SPEEDS_S[self._speed]:g} turns a second"

    def _slow(self, step: int) -> None:
        slowest = self.course.slowest
        if not slowest:
            self._message = "there are no turns"
            return
        self._rank = min(max(self._rank + step, 0), len(slowest) - 1)
        self._go(slowest[self._rank])
        self._message = "the slowest turn" if not self._rank else f"number {self._rank + 1} of the slowest turns"

    def _next(self, places: Sequence[int], what: str) -> None:
        self._seek(next((at for at in places if at > self.at), None), places, f"no further {what}")

    def _previous(self, places: Sequence[int], what: str) -> None:
        self._seek(next((at for at in reversed(places) if at < self.at), None), places, f"no earlier {what}")

    def _seek(self, found: int | None, places: Sequence[int], missing: str) -> None:
        if found is not None:
            self._go(found)
        elif places:
            self._message = f"there is {missing}"
        else:
            self._message = f"there is {missing.replace('further ', '').replace('earlier ', '')} in this match"


def _width(line: str) -> int:
    return len(ESCAPE_SEQUENCE.sub("", line))


def _wrapped(line: str, width: int) -> list[str]:
    """A line of words in pieces of so many columns; one with colours is short, and left as it is."""
    if _width(line) <= width or "\x1b" in line:
        return [line]
    indent = "  | " if line.startswith("  | ") else ""
    step = max(width - len(indent), 10)
    rest = line.removeprefix(indent)
    pieces = []
    while len(rest) > step:
        cut = rest.rfind(" ", step // 2, step + 1)
        cut = step if cut < 0 else cut
        pieces.append(indent + rest[:cut])
        rest = rest[cut:].lstrip(" ") if rest[cut : cut + 1] == " " else rest[cut:]
    return [*pieces, indent + rest]


def view(course: Course, at: int) -> None:
    """Let somebody at the terminal look at the match, until they leave. Raises KeyboardInterrupt for Ctrl-C."""
    viewer = Viewer(course, Terminal.of(sys.stdout), at)
    out = sys.stdout
    with Keys() as keys:
        out.write("\x1b[?1049h\x1b[?25l\x1b[?7l")  # another screen, no cursor, long lines cut off
        try:
            going = True
            while going:
                size = shutil.get_terminal_size()
                out.write("\x1b[H" + "\x1b[K\r\n".join(viewer.frame(size.columns, size.lines)) + "\x1b[K\x1b[J")
                out.flush()
                key = keys.read(viewer.pause_s)
                if key is None:
                    viewer.play_on()
                elif key != RESIZED:
                    going = viewer.press(key)
        finally:
            out.write("\x1b[?7h\x1b[?25h\x1b[?1049l")
            out.flush()

"""Keys as they are pressed at a terminal, one by one and without Enter, by their names.

click's own `getchar` waits for ever; a replay that plays by itself, or whose window changes its size, cannot.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

__all__ = ["RESIZED", "Keys"]

RESIZED = "resized"
"""What `Keys.read` returns when the window has another size."""

_SEQUENCES = {
    b"[A": "up", b"[B": "down", b"[C": "right", b"[D": "left", b"OA": "up", b"OB": "down", b"OC": "right",
    b"OD": "left", b"[H": "home", b"[F": "end", b"OH": "home", b"OF": "end", b"[1~": "home", b"[4~": "end",
    b"[7~": "home", b"[8~": "end", b"[5~": "page up", b"[6~": "page down",
}  # fmt: skip
"""What terminals send after an escape character (xterm, rxvt, Linux console, application mode)."""
_SEQUENCE = re.compile(rb"\x1b(\[[0-9;]*[@-~]|O[@-~])")
_BEGUN = re.compile(rb"\x1b(\[[0-9;]*|O)?")
_CHARACTERS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\x1b": "escape", " ": "space"}
_LOOK_S = 1.0
"""So often the size of the window is looked at, should its signal have gone to somebody else."""
_SEQUENCE_S = 0.05
"""So long is waited for the rest of a sequence before an escape character is the key Escape."""
_WINDOWS = {
    "H": "up",
    "P": "down",
    "M": "right",
    "K": "left",
    "G": "home",
    "O": "end",
    "I": "page up",
    "Q": "page down",
}


class Keys:
    """The keys of the terminal that stdin is; a context manager, in which they are not shown and need no Enter.

    Ctrl-C is a KeyboardInterrupt as always; Ctrl-Z does nothing.
    """

    def __init__(self) -> None:
        self._pending = b""
        self._closing = contextlib.ExitStack()

    def __enter__(self) -> Keys:
        with contextlib.ExitStack() as opening:
            if sys.platform != "win32":
                opening.enter_context(_unbuffered(sys.stdin.fileno()))
                self._resized = opening.enter_context(_resizing())
                self._size = os.get_terminal_size(sys.stdin.fileno())
            self._closing = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def read(self, timeout_s: float | None = None) -> str | None:
        """The name of the next key (`left`, `page up`, `space`, `q`, `7`), RESIZED, or None after so many seconds."""
        if sys.platform == "win32":
            return _read_windows(timeout_s)
        while not self._pending:
            wait_s = _LOOK_S if timeout_s is None else timeout_s
            ready, _, _ = select.select([sys.stdin, self._resized], [], [], wait_s)
            if self._resized in ready:
                os.read(self._resized, 1024)
            elif not ready and timeout_s is not None:
                return None
            if self._resized in ready or self._size != os.get_terminal_size(sys.stdin.fileno()):
                self._size = os.get_terminal_size(sys.stdin.fileno())
                return RESIZED
            if not ready:
                continue
            self._pending = self._more()
        return self._take()

    def _more(self) -> bytes:
        data = os.read(sys.stdin.fileno(), 1024)
        if not data:  # the terminal is gone
            raise KeyboardInterrupt
        return data

    def _take(self) -> str:
        while _BEGUN.fullmatch(self._pending) and select.select([sys.stdin], [], [], _SEQUENCE_S)[0]:
            self._pending += self._more()
        if found := _SEQUENCE.match(self._pending):
            self._pending = self._pending[found.end() :]
            return _SEQUENCES.get(found[1], "unknown")
        length = 1
        while length < len(self._pending) and self._pending[length] & 0xC0 == 0x80:  # the rest of a UTF-8 character
            length += 1
        letter, self._pending = self._pending[:length].decode("utf-8", "replace"), self._pending[length:]
        return _CHARACTERS.get(letter, letter)


@contextlib.contextmanager
def _unbuffered(descriptor: int) -> Iterator[None]:
    import termios
    import tty

    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        now: list[Any] = termios.tcgetattr(descriptor)
        now[6][termios.VSUSP] = b"\0"  # who stopped here would be left with an empty screen
        termios.tcsetattr(descriptor, termios.TCSANOW, now)
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


@contextlib.contextmanager
def _resizing() -> Iterator[int]:
    """A descriptor from which something can be read whenever the window has changed its size."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)

    def tell(number: int, frame: FrameType | None) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(writing, b"\0")

    before = signal.signal(signal.SIGWINCH, tell)
    try:
        yield reading
    finally:
        signal.signal(signal.SIGWINCH, before)
        os.close(reading)
        os.close(writing)


def _read_windows(timeout_s: float | None) -> str | None:
    import shutil

    msvcrt: Any = __import__("msvcrt")
    end = None if timeout_s is None else time.monotonic() + timeout_s
    size = shutil.get_terminal_size()
    while not msvcrt.kbhit():
        if end is not None and time.monotonic() >= end:
            return None
        if shutil.get_terminal_size() != size:
            return RESIZED
        time.sleep(0.02)
    letter: str = msvcrt.getwch()
    if letter in "\0\xe0":
        return _WINDOWS.get(msvcrt.getwch(), "unknown")
    if letter == "\x03":
        raise KeyboardInterrupt
    return _CHARACTERS.get(letter, letter)

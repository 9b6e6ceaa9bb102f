"""What the terminal that a stream leads to can show."""

from __future__ import annotations

import os
import shutil
from typing import NamedTuple, TextIO

__all__ = ["Terminal"]


class Terminal(NamedTuple):
    """Whether it shows colours and characters beyond ASCII, whether the cursor can be moved in it, and its size.

    `width` is None where the stream leads to no terminal. Colours are left out where NO_COLOR is set.
    """

    colour: bool
    unicode: bool
    movable: bool
    width: int | None
    height: int | None

    @classmethod
    def of(cls, stream: TextIO | None) -> Terminal:
        """That of a stream."""
        able = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
        size = shutil.get_terminal_size() if stream is not None and stream.isatty() else None
        return cls(
            colour=able and not os.environ.get("NO_COLOR"),
            unicode=stream is not None and _takes("○●◆·─│╱╲╳┼•", getattr(stream, "encoding", None)),  # noqa: RUF001
            movable=able,
            width=size and size.columns,
            height=size and size.lines,
        )


def _takes(letters: str, encoding: str | None) -> bool:
    try:
        letters.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True

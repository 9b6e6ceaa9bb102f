"""What stands for a piece or an empty cell in characters, and which pieces lie together as a stack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from watch_your_back.game import Piece

__all__ = ["PLAIN_KINDS", "Stack", "empty_sign", "glyphs", "sign", "stacks", "stroke"]

PLAIN_KINDS = frozenset({"piece", "man", "stone", "box", "edge"})
"""Kinds that need no letter, since their side and their cell say everything about them."""

_NEUTRAL = ("#", "◆")
_STROKES = {
    "across": "-\u2500",
    "down": "|\u2502",
    "falling": "\\\u2572",
    "rising": "/\u2571",
    "crossing": "X\u2573",
    "corner": "+\u2022",
}
_MARKS = {"removed": " ", "corner": "X"}


def glyphs(unicode: bool, dark: int = 1) -> tuple[str, str]:
    """How a plain piece of each side is drawn, where those of the side `dark` are the dark ones."""
    signs = ("○", "●") if unicode else ("O", "@")
    return signs if dark else signs[::-1]


def stroke(kind: str, unicode: bool) -> str:
    """A piece of a line: `across`, `down`, `falling` and `rising` to the right, a `crossing` or a `corner`."""
    return _STROKES[kind][unicode]


class Stack(NamedTuple):
    """Equal pieces that lie on each other: whose they are, of what kind, what is written on them, and how many."""

    side: int | None
    kind: str
    words: str
    height: int


def stacks(pieces: Iterable[Piece]) -> list[Stack]:
    """The pieces of a cell as stacks, the topmost last.

    Written on a piece is its text, or the first letter of its kind, or nothing on a plain one; and the height of the
    stack, if it has one.
    """
    found: list[tuple[Piece, int]] = []
    for piece in pieces:
        if found and found[-1][0] == piece:
            found[-1] = piece, found[-1][1] + piece.height
        else:
            found.append((piece, piece.height))
    return [Stack(piece.side, piece.kind, _words(piece, height), height) for piece, height in found]


def _words(piece: Piece, height: int) -> str:
    words = piece.text or ("" if piece.kind in PLAIN_KINDS else piece.kind[:1].upper())
    return words if height == 1 or words == str(height) else f"{words}{height}"


def sign(stack: Stack, unicode: bool, dark: int) -> str:
    """A stack in characters: its letters, capitals for the first side, and its height.

    Letters of what belongs to nobody follow a `*`. Where letters do not tell the side, the letter of the kind or a disc
    does: `@4` is a stack of four plain pieces of the second side.
    """
    words = stack.words
    if stack.side is None:
        return f"*{words.lower()}" if words.upper() != words.lower() else words or _NEUTRAL[unicode]
    if words.upper() != words.lower():
        return words.lower() if stack.side else words.upper()
    if words and stack.kind not in PLAIN_KINDS:
        letter = stack.kind[:1]
        return (letter.lower() if stack.side else letter.upper()) + words
    return glyphs(unicode, dark)[stack.side] + words


def empty_sign(shape: str, marks: Sequence[str], unicode: bool, linked: bool) -> str:
    """An empty cell of a shape in characters; `linked` says whether lines or edges are drawn on the board."""
    for mark in marks:
        if mark in _MARKS:
            return _MARKS[mark]
    if shape == "point" and linked:
        return "*" if "star" in marks else "┼" if unicode else "+"
    if linked:
        return " "
    if "star" in marks:
        return "+"
    return "·" if unicode else "." if shape == "point" else "-"

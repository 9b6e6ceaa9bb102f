"""What stands for a piece or an empty cell in characters, and which pieces lie together as a stack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from watch_your_back.game import Cell, Piece

__all__ = ["PLAIN_KINDS", "empty_sign", "glyphs", "letters", "piece_sign", "stacks", "stroke"]

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


def glyphs(unicode: bool) -> tuple[str, str]:
    """How a plain piece of each side is drawn."""
    return ("○", "●") if unicode else ("O", "@")


def stroke(kind: str, unicode: bool) -> str:
    """A piece of a line: `across`, `down`, `falling` and `rising` to the right, a `crossing` or a `corner`."""
    return _STROKES[kind][unicode]


def letters(piece: Piece) -> str:
    """What is written on a piece: its text, the first letter of its kind, or nothing on a plain one."""
    return piece.text or ("" if piece.kind in PLAIN_KINDS else piece.kind[:1].upper())


def stacks(pieces: Iterable[Piece]) -> list[tuple[Piece, int]]:
    """Equal neighbours in the order of a cell's pieces, and how many there are of each."""
    found: list[tuple[Piece, int]] = []
    for piece in pieces:
        if found and found[-1][0] == piece:
            found[-1] = piece, found[-1][1] + 1
        else:
            found.append((piece, 1))
    return found


def piece_sign(piece: Piece, count: int, unicode: bool) -> str:
    """A piece in characters: its letters, capitals for the first side, and the height of its stack.

    Where letters do not tell the side, a disc does: `@4` is a stack of four plain pieces of the second side.
    """
    words, height = letters(piece), str(count) if count > 1 else ""
    if piece.side is None:
        return (words.lower() or _NEUTRAL[unicode]) + height
    if words and not words.isdigit() and words.upper() != words.lower():
        return (words.lower() if piece.side else words.upper()) + height
    if words and piece.kind not in PLAIN_KINDS:
        letter = piece.kind[:1]
        return (letter.lower() if piece.side else letter.upper()) + words + height
    return glyphs(unicode)[piece.side] + words + height


def empty_sign(cell: Cell, marks: Sequence[str], unicode: bool, linked: bool) -> str:
    """An empty cell in characters; `linked` says whether lines or edges are drawn on the board."""
    for mark in marks:
        if mark in _MARKS:
            return _MARKS[mark]
    if cell.shape == "point" and linked:
        return "*" if "star" in marks else "┼" if unicode else "+"
    if linked:
        return " "
    if "star" in marks:
        return "+"
    return "·" if unicode else "." if cell.shape == "point" else "-"

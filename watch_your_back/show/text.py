"""A board as text for a terminal, and the words of players made harmless for one."""

from __future__ import annotations

import re
from collections.abc import Collection

from watch_your_back.game import Action, Board, Piece

__all__ = ["SIDE_STYLES", "clean", "glyphs", "one_line", "paint", "text"]

ESCAPE_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-~])"
)
"""What a terminal takes for a command of more than one character (ECMA-48: CSI, OSC, other strings, two bytes)."""

SIDE_STYLES = ("1;33", "1;36")
"""The colours of the two sides, as parameters of the terminal's SGR sequence: bold yellow, bold cyan."""

DIM, REVERSE = "2", "7"
PLAIN_PIECES = frozenset({"piece", "man", "stone"})
"""Kinds that are drawn as a disc, since their side says everything about them."""


def clean(words: str) -> str:
    """Text of a player without what could command a terminal or disturb its layout.

    Escape sequences are removed whole, then every character that is not printable, except newlines and tabs. Carriage
    returns become newlines and other blanks spaces, so that no words run together.
    """
    words = ESCAPE_SEQUENCE.sub("", words.replace("\r\n", "\n").replace("\r", "\n"))
    if words.isprintable():
        return words
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else " " if letter.isspace() else "" for letter in words
    )


def one_line(words: str) -> str:
    """The same on one line: for names."""
    return " ".join(clean(words).split())


def paint(words: str, style: str, colour: bool) -> str:
    """The words between the SGR sequences that switch a style on and off, or as they are without `colour`."""
    return f"\x1b[{style}m{words}\x1b[0m" if colour and words else words


def glyphs(unicode: bool) -> tuple[str, str]:
    """How a plain piece of each side is drawn."""
    return ("○", "●") if unicode else ("O", "@")


def text(board: Board, *, last: Collection[Action] = (), colour: bool = False, unicode: bool = False) -> str:
    """The board with its coordinates, `last` cells in brackets; no newline at the end.

    Without `unicode` it is pure ASCII. Colours only repeat what the characters say. Plain pieces are discs; pieces that
    are more than that are the first letter of their kind, a capital for the first side.
    """
    columns = round(max(cell.x for cell in board.layout.cells)) + 1
    rows = round(max(cell.y for cell in board.layout.cells)) + 1
    pieces = {piece.cell: piece for piece in board.pieces}
    marks = {mark.cell: mark.kind for mark in board.marks}
    removed = {cell for cell, kind in marks.items() if kind == "removed"}
    lines = ["   " + "".join(f"{x:^3}" for x in range(columns)).rstrip()]
    for y in range(rows):
        line = paint(f"{y:>2} ", DIM, colour)
        for x in range(columns):
            cell = (x, y)
            drawn, style = _cell(pieces.get(cell), marks.get(cell), unicode)
            if cell in last:
                line += paint(f"[{drawn}]", f"{style};{REVERSE}" if style != DIM else REVERSE, colour)
            else:
                line += f" {paint(drawn, style, colour) if cell not in removed else ' '} "
        lines.append(line.rstrip())
    lines[0] = paint(lines[0], DIM, colour)
    return "\n".join(lines)


def _cell(piece: Piece | None, mark: str | None, unicode: bool) -> tuple[str, str]:
    """The character of a cell and its style."""
    if piece is None:
        empty = "·" if unicode else "-"
        return {"corner": "X", "removed": " "}.get(mark or "", empty), DIM
    if piece.side is None:
        return piece.kind[:1].lower(), "1"
    if piece.kind in PLAIN_PIECES:
        return glyphs(unicode)[piece.side], SIDE_STYLES[piece.side]
    letter = piece.kind[:1]
    return letter.lower() if piece.side else letter.upper(), SIDE_STYLES[piece.side]

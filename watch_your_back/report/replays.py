"""A match as the page replays it: the first picture and what each turn changed, so that the viewer knows no rules."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from watch_your_back.game import Action, Board
from watch_your_back.match.record import Record
from watch_your_back.show.text import clean

__all__ = ["packed", "replay"]

_Content: TypeAlias = tuple[tuple[tuple[int | None, str], ...], tuple[str, ...]]
OUTPUT_SHARES = (1.0, 0.25, 0.06, 0.015, 0.0)
"""How much of what players printed is tried, until the replay has the size that it may have."""
OUTPUT_CHARACTERS = 100_000
"""The most that is shown of what the players of one match printed."""


def packed(record: Record, allowance: int, anonymous: bool = False) -> str:
    """The replay as Base64 of raw DEFLATE of JSON, of about `allowance` characters if need be.

    The actions are always all there; what does not fit is the middle of what the players printed.
    """
    told = replay(record, anonymous)
    outputs = told["outputs"]
    for share in OUTPUT_SHARES:
        told["outputs"] = _shortened(outputs, int(OUTPUT_CHARACTERS * share))
        text = base64.b64encode(_deflated(json.dumps(told, separators=(",", ":"), ensure_ascii=False))).decode()
        if len(text) <= allowance:
            break
    return text


def replay(record: Record, anonymous: bool = False) -> dict[str, Any]:
    """The match as a JSON value; `replay.js` shows it.

    `cells` are all contents that a cell has in this match: pieces as (side, kind) and kinds of marks. `start` is the
    index of the content of each cell, row by row; `changes` has, for each turn, cell and content alternating. Times are
    in microseconds, memory in KB; both of these, `sides` and `actions` are by turn. The seed and the time of day are
    left out of an `anonymous` one: with the names they tell who met whom.
    """
    cells = _Cells()
    boards = [state.picture() for state in record.states]
    board = boards[0]
    return {
        "columns": _columns(board),
        "rows": max(round(cell.y) for cell in board.layout.cells) + 1,
        "start": cells.frame(board),
        "changes": [cells.changes(before, after) for before, after in pairwise(boards)],
        "cells": list(cells.numbers),
        "phases": _phases([state.phase for state in record.states]),
        "ply": record.start.ply,
        "sides": [turn.side for turn in record.turns],
        "actions": record.actions,
        "cpu": [round(turn.cpu_s * 1e6) for turn in record.turns],
        "wall": [round(turn.wall_s * 1e6) for turn in record.turns],
        "memory": [round(turn.memory_mb * 1024) for turn in record.turns],
        "starts": [[start.side, round(start.usage.cpu_s * 1e6), start.tier] for start in record.starts],
        "outputs": [[each.ply, each.side, each.stream, clean(each.text), each.dropped] for each in record.outputs],
        "failures": [
            [each.ply, each.side, each.call, each.reason, clean(each.detail), clean(each.traceback)]
            for each in record.failures
        ],
        "opening": record.opening,
        "seed": "" if anonymous else str(record.seed),
        "started": "" if anonymous else record.started.isoformat(timespec="seconds"),
    }


class _Cells:
    """The contents that cells have, numbered as they turn up: pieces as (side, kind), and kinds of marks."""

    def __init__(self) -> None:
        self.numbers: dict[_Content, int] = {}

    def frame(self, board: Board) -> list[int]:
        """The number of the content of each cell, row by row."""
        everywhere = [cell.id for cell in board.layout.cells]
        return [number for _, number in self._numbered(board, everywhere)]

    def changes(self, before: Board, after: Board) -> list[int]:
        """Cell and new content, alternating, of each cell that is not as before."""
        places = {cell.id: place for place, cell in enumerate(after.layout.cells)}
        changed = {piece.cell for piece in {*before.pieces} ^ {*after.pieces}}
        if before.marks != after.marks:
            changed |= {mark.cell for mark in {*before.marks} ^ {*after.marks}}
        numbered = self._numbered(after, sorted(changed, key=places.__getitem__))
        return [number for cell, content in numbered for number in (places[cell], content)]

    def _numbered(self, board: Board, cells: Iterable[Action]) -> Iterator[tuple[Action, int]]:
        pieces: dict[Action, list[tuple[int | None, str]]] = {cell: [] for cell in cells}
        marks: dict[Action, list[str]] = {cell: [] for cell in pieces}
        for piece in board.pieces:
            if piece.cell in pieces:
                pieces[piece.cell].append((piece.side, piece.kind))
        for mark in board.marks:
            if mark.cell in marks:
                marks[mark.cell].append(mark.kind)
        for cell in pieces:
            content = tuple(pieces[cell]), tuple(marks[cell])
            yield cell, self.numbers.setdefault(content, len(self.numbers))


def _columns(board: Board) -> int:
    return max(round(cell.x) for cell in board.layout.cells) + 1


def _phases(phases: Sequence[str]) -> list[tuple[int, str]]:
    """Where a phase begins, and its name."""
    return [(at, name) for at, name in enumerate(phases) if at == 0 or name != phases[at - 1]]


def _shortened(outputs: list[list[Any]], characters: int) -> list[list[Any]]:
    """The outputs with the middle of the longest left out, so that they have about so many characters in all."""
    total = sum(len(output[3]) for output in outputs)
    if total <= characters:
        return outputs
    kept = _water_level([len(output[3]) for output in outputs], characters)
    return [list(_cut(output, kept)) for output in outputs]


def _water_level(lengths: list[int], total: int) -> int:
    """The length to cut all to so that they sum to at most `total`."""
    for position, length in enumerate(ordered := sorted(lengths)):
        if length * (len(ordered) - position) > total:
            return total // (len(ordered) - position)
        total -= length
    return max(lengths, default=0)


def _cut(output: list[Any], length: int) -> Iterator[Any]:
    ply, side, stream, text, dropped = output
    if len(text) > length:
        dropped += len(text) - length
        tail = length // 2
        text = text[: length - tail] + "\n[...]\n" + text[len(text) - tail :] if length else ""
    yield from (ply, side, stream, text, dropped)


def _deflated(text: str) -> bytes:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return squeeze.compress(text.encode("utf-8", "replace")) + squeeze.flush()

"""A match as the page replays it: the first picture and what each turn changed, so that the viewer knows no rules."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from watch_your_back.game import Action, Game
from watch_your_back.match.record import Record
from watch_your_back.report.boards import Boards, described
from watch_your_back.report.judgement import Judgement
from watch_your_back.report.viewpoint import Viewpoint
from watch_your_back.show.text import clean

__all__ = ["Replays", "replay"]

Told = TypeVar("Told")

OUTPUT_SHARES = (1.0, 0.25, 0.06, 0.015, 0.0)
"""How much of what players printed is tried, until the replay has the size that it may have."""
OUTPUT_CHARACTERS = 100_000
"""The most that is shown of what the players of one match printed."""


class Replays:
    """Replays of one game, each of about `allowance` characters if need be.

    What does not fit is the middle of what the players printed; the actions are always all there.
    """

    def __init__(self, allowance: int, anonymous: bool = False) -> None:
        self._allowance, self._anonymous = allowance, anonymous
        self._widest = 1

    def packed(self, record: Record) -> str:
        """The replay as Base64 of raw DEFLATE of JSON."""
        told, widest = replay(Viewpoint(record), self._anonymous)
        return self.pack(told, widest)

    def pack(self, told: dict[str, Any], widest: int) -> str:
        """The same of what `replay` tells."""
        self._widest = max(self._widest, widest)
        outputs = told["outputs"]
        for share in OUTPUT_SHARES:
            told["outputs"] = _shortened(outputs, int(OUTPUT_CHARACTERS * share))
            text = base64.b64encode(_deflated(json.dumps(told, separators=(",", ":"), ensure_ascii=False))).decode()
            if len(text) <= self._allowance:
                break
        return text

    def board(self, game: Game) -> dict[str, Any]:
        """What the page must know of the board on which all of them were played."""
        return described(game.initial().picture().layout, self._widest)


def replay(
    viewpoint: Viewpoint,
    anonymous: bool = False,
    *,
    judged: Sequence[Judgement | None] = (),
    comments: Sequence[tuple[int, str]] = (),
) -> tuple[dict[str, Any], int]:
    """The match as a JSON value, which `replay.js` shows, and how many characters the widest of its cells takes.

    `cells` are all contents that a cell has in this match: stacks of pieces as (side, kind, words, height), kinds of
    marks, and both in characters. `start` has the number of the content of each cell; `changes` has, for each turn,
    cell and content alternating. `last` has the cells that an action names, by its place, where they are not those that
    the action itself says. `pieces` are by side how many there are at the start, and how many more after each turn;
    `phases` and `notes` have where they begin. `judged` has what an explanation says of each turn, if there is one, and
    `comments` what was said at the positions with these numbers. Times are in microseconds, memory in KB; both of
    these, `sides` and `actions` are by turn. The seed and the time of day are left out of an `anonymous` one: with the
    names they tell who met whom.
    """
    record = viewpoint.record
    pictures = [viewpoint.board(position) for position in range(len(record.states))]
    actions = [viewpoint.action(turn) for turn in range(len(record.turns))]
    boards = Boards(pictures[0])
    for picture in pictures[1:]:
        boards.add(picture)
    told = {
        "start": boards.start,
        "changes": boards.changes,
        "cells": list(boards.contents),
        "last": _exceptions(record, actions, boards),
        "pieces": [_steps([viewpoint.pieces(at, side) for at in range(len(pictures))]) for side in (0, 1)],
        "phases": _changes([state.phase for state in record.states]),
        "notes": _changes([list(picture.notes) for picture in pictures]),
        "ply": record.start.ply,
        "sides": [turn.side for turn in record.turns],
        "actions": actions,
        "cpu": [round(turn.cpu_s * 1e6) for turn in record.turns],
        "wall": [round(turn.wall_s * 1e6) for turn in record.turns],
        "memory": [round(turn.memory_mb * 1024) for turn in record.turns],
        "starts": [[start.side, round(start.usage.cpu_s * 1e6), start.tier] for start in record.starts],
        "outputs": [[each.ply, each.side, each.stream, clean(each.text), each.dropped] for each in viewpoint.outputs],
        "failures": [
            [each.ply, each.side, each.call, each.reason, clean(each.detail), clean(each.traceback)]
            for each in viewpoint.failures
        ],
        "judged": [None if each is None else each.told() for each in judged],
        "comments": [(position, clean(words)) for position, words in comments],
        "opening": record.opening,
        "seed": "" if anonymous else str(record.seed),
        "started": "" if anonymous else record.started.isoformat(timespec="seconds"),
    }
    return told, boards.widest


def _exceptions(record: Record, actions: Sequence[Action], boards: Boards) -> dict[int, list[int]]:
    """The cells of the actions that a game names otherwise than most do."""
    named = ((at, record.game.cells(action), Game.cells(record.game, action)) for at, action in enumerate(actions))
    return {at: boards.cells(cells) for at, cells, usual in named if cells != usual}


def _steps(values: Sequence[int]) -> list[int]:
    """The first value, and by how much each other one is more than the one before."""
    return [values[0], *(after - before for before, after in pairwise(values))]


def _changes(values: Sequence[Told]) -> list[tuple[int, Told]]:
    """Where a value begins that is not the one before, and the value."""
    return [(at, value) for at, value in enumerate(values) if at == 0 or value != values[at - 1]]


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

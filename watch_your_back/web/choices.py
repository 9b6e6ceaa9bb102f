"""What a person can do in a state: the legal actions with the cells that are touched for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from watch_your_back.form import normal_form
from watch_your_back.game import Action, IllegalAction, State
from watch_your_back.show.typed import literal, readings, said, shaped, typed

__all__ = ["LISTED", "choices", "explanation", "meant"]

LISTED = 2_000
"""So many actions are offered at once; what is none of them can be typed."""


def choices(state: State, steps: Sequence[Action] | None = None) -> dict[str, Any]:
    """The legal actions as a JSON value, or the steps with which a turn can go on in a game whose turns have steps.

    Each of `actions` is the numbers of the cells that are touched one after the other, what is sent to take the action,
    and what is typed for it. With steps, `ends` is whether the turn can end after these. Raises IllegalAction.
    """
    legal_steps = getattr(state, "legal_steps", None)
    offered: Iterable[Action] = legal_steps(tuple(steps or ())) if legal_steps else state.legal_actions()
    listed = list(islice(offered, LISTED + 1))
    cells = {cell.id: number for number, cell in enumerate(state.picture().layout.cells)}
    touched = _touching(state, tuple(steps or ()))
    ends = legal_steps is not None and None in listed
    if legal_steps:
        listed = [step for step in listed if step is not None]
    return {
        "actions": [[_numbers(touched(each), cells), each, typed(each)] for each in listed[:LISTED]],
        "more": len(listed) > LISTED or not state.game.complete,
        "steps": None if legal_steps is None else list(steps or ()),
        "ends": ends,
        "forms": [[said(form), form.meaning] for form in state.game.forms],
    }


def _touching(state: State, steps: tuple[Action, ...]) -> Callable[[Action], Sequence[Action]]:
    """What tells the cells that are touched for an action, or for a step with which a turn that begins so can go on."""
    if not hasattr(state, "legal_steps"):
        return state.game.cells
    touching = getattr(state, "touching", None)  # where a step names a piece, only the state knows its cell
    return touching(steps) if touching else lambda step: state.game.cells((step,))


def _numbers(named: Sequence[Action], cells: dict[Action, int]) -> list[int]:
    found = [cells[cell] for cell in named if cell in cells]
    return found if len(found) == len(named) else []


def meant(state: State, line: str) -> Action:
    """The action that a person means who types this line. Raises IllegalAction if it is none, or not legal."""
    refused: IllegalAction | None = None
    patterns = [*islice(state.legal_actions(), LISTED), *(form.example for form in state.game.forms)]
    for words in readings(line):
        short = state.read([word.lower() if isinstance(word, str) else word for word in words])
        told = " ".join(map(str, words)).lower()
        listed = [each for each in patterns[:LISTED] if typed(each).lower() == told]
        for action in [*([] if short is None else [short]), *listed, literal(line), shaped(words, patterns)]:
            try:
                if action is not None or action in listed or told in ("pass", "none"):
                    return state.check(action)
            except IllegalAction as error:
                refused = refused or error
    raise refused or IllegalAction("form", f"{line[:50]!r} is no action of this game")


def explanation(state: State, touched: Sequence[int]) -> str:
    """Why a person cannot touch these cells one after the other, in the words of the game."""
    layout = state.picture().layout.cells
    ids = [layout[cell].id for cell in touched]
    said_by_game = ""
    for tried in (ids[0], tuple(ids)) if len(ids) == 1 else (tuple(ids),):
        try:
            state.check(tried)
        except IllegalAction as error:
            if error.kind != "form":
                return error.message
            said_by_game = said_by_game or error.message
    for action in islice(state.legal_actions(), LISTED):  # one that differs only in its cells tells it better
        cells = list(state.game.cells(action))
        if len(cells) >= len(ids) and cells != ids:
            swapped = _exchanged(action, cells, ids)
            try:
                state.check(normal_form(swapped))
            except IllegalAction as error:
                if error.kind != "form":
                    return error.message
            break
    return "Nothing can be done there now." if not said_by_game else "That is no action that can be taken now."


def _exchanged(action: Action, cells: Sequence[Action], ids: Sequence[Action]) -> Action:
    """An action with its first cells exchanged for others."""
    waiting = list(zip(cells, ids, strict=False))

    def exchanged(part: Action) -> Action:
        if waiting and part == waiting[0][0]:
            return waiting.pop(0)[1]
        return tuple(map(exchanged, part)) if isinstance(part, tuple) else part

    return exchanged(action)

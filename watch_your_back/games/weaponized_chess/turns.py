"""A turn as a whole: judged by what its player sees, carried out on the real board (section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from watch_your_back.game import Action, IllegalAction, Outcome
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.refusals import refusal
from watch_your_back.games.weaponized_chess.results import end_turn
from watch_your_back.games.weaponized_chess.shapes import check_shape, shown
from watch_your_back.games.weaponized_chess.steps import Step, can_move, in_sight, legal_steps, moves, perform
from watch_your_back.games.weaponized_chess.views import Witness

__all__ = ["carried_out", "check_turn", "complete_turns", "follow", "may_end"]

_MOST_STEPS = 7  # a Move, two Fires, a pick-up, a drop, an exchange and a Reinforce


def may_end(board: Board) -> bool:
    """Whether the turn can end here: its Move has been made, or none is legal (section 4.1)."""
    return board.moved or not can_move(board)


def follow(board: Board, steps: tuple[Step, ...]) -> Board:
    """The board after steps of a turn, as its player sees it. Raises IllegalAction that names the step and why."""
    seen = in_sight(board)
    for number, step in enumerate(steps, 1):
        why = refusal(seen, step)
        if why is not None:
            raise IllegalAction(why[0], f"step {number} of the turn, {shown(step)}: {why[1]}")
        perform(seen, step)
    return seen


def check_turn(board: Board, form: Action) -> tuple[Step, ...]:
    """The turn in normal form. Raises IllegalAction that names the step and why."""
    steps = check_shape(form)
    seen = follow(board, steps)
    if not seen.moved:
        possible = next(moves(seen), None)
        if possible is not None:
            what = "it has no steps" if not steps else "none of its steps is one"
            raise IllegalAction("may_not_pass", f"a turn has to have a Move, and {what}; add one, such as {possible}")
    return steps


def carried_out(board: Board, steps: tuple[Step, ...], turns: int) -> tuple[Board, tuple[Step, ...], Outcome | None]:
    """Carry out a legal turn and its results: the new board, what the enemy is told of the turn, how the game ended.

    Nobody is told of steps that were skipped. `turns` counts the turns of both sides, this one included.
    """
    after = board.copy()
    upset = bool(after.hidden(after.to_move))
    witness = Witness(after) if board.rules.competitive else None
    told = []
    for step in steps:
        if upset and refusal(after, step) is not None:
            continue
        if witness is None:
            perform(after, step)
            told.append(step)
            continue
        witness.before(step)
        perform(after, step)
        seen = witness.after(step)
        if seen is not None:
            told.append(seen)
    outcome = end_turn(after, turns)
    return after, tuple(told), outcome


def complete_turns(board: Board, most: int) -> Iterator[tuple[Step, ...]]:
    """Legal turns, those of fewer steps first, among them in the order of `legal_steps`; so many at most."""
    seen = in_sight(board)
    return islice(chain.from_iterable(_of_length(seen, length) for length in range(_MOST_STEPS + 1)), most)


def _of_length(board: Board, length: int) -> Iterator[tuple[Step, ...]]:
    """The legal turns of exactly so many steps that start on this board."""
    if not length:
        if may_end(board):
            yield ()
        return
    if length == 1 and (board.moved or can_move(board)):
        yield from ((step,) for step in (legal_steps(board) if board.moved else moves(board)))
        return
    for step in legal_steps(board):
        after = board.fork()
        perform(after, step)
        for rest in _of_length(after, length - 1):
            yield (step, *rest)

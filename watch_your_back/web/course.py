"""How far a match has come, from the lines of its record as they are written, and what a page shows of that."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from watch_your_back.game import RESIGN, Action, Game, IllegalAction, State
from watch_your_back.match.record_form import read_line
from watch_your_back.match.replaying import End, RecordedAgent, Replay
from watch_your_back.report.boards import described
from watch_your_back.show.figure import Content, contents_of
from watch_your_back.show.text import clean, one_line, text
from watch_your_back.web.choices import choices
from watch_your_back.web.sight import Sight

__all__ = ["Course", "board_of"]

SHOWN_OUTPUT = 4_000
"""Characters that are shown of what a player printed in one turn; the record has all of it."""


def board_of(game: Game) -> dict[str, Any]:
    """What the scripts must know of the board of a game."""
    return described(game.initial().picture().layout, 1)


class Course:
    """A match as far as its record goes. `lines` are those of the record, `refused` why it was not begun, if so."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.refused = ""
        self._replay = Replay()
        self._before: State | None = None

    def take(self, line: bytes) -> None:
        """Another line. Raises ValueError or Refused for one that cannot be."""
        if line.startswith(b'{"event": "refused"'):
            self.refused = str(json.loads(line)["detail"])
            return
        before = self.state if self.begun else None
        self._replay.take(read_line(len(self.lines) + 1, line))
        self.lines.append(line)
        if self.begun and before is not None and before is not self.state:
            self._before = before

    @property
    def begun(self) -> bool:
        """Whether it is known what match this is."""
        return bool(self.lines)

    @property
    def going(self) -> bool:
        """Whether both players are there and the first turn, or a later one, is asked for."""
        return len(self._replay.starts) == 2 and self.end is None

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return bool(self.refused) or self.end is not None

    @property
    def game(self) -> Game:
        """The game, once the match has begun."""
        return self._replay.game

    @property
    def state(self) -> State:
        """Where it stands."""
        return self._replay.state

    @property
    def end(self) -> End | None:
        """How it ended."""
        return self._replay.end

    @property
    def failed(self) -> str:
        """How a player failed before the first turn, if one did."""
        first = next((each for each in self._replay.failures if each.ply < 0), None)
        return self.refused or (first.detail if first else "")

    @property
    def agents(self) -> tuple[RecordedAgent, RecordedAgent]:
        """Who plays."""
        first, second = self._replay.about["agents"]
        return first, second

    @property
    def actions(self) -> list[Action]:
        """What has been done, the opening included; that a side has resigned is none of it."""
        return [*self._replay.about["opening"], *(t.action for t in self._replay.turns if t.action != RESIGN)]

    def acts(self) -> int | None:
        """The side that is asked for its action, if one is."""
        return self.state.to_move if self.going and self.state.outcome is None and not self._resigned() else None

    def check(self, action: object) -> Action:
        """An action of the side that acts, in normal form. Raises IllegalAction."""
        if self.acts() is None:
            raise IllegalAction("over", "nobody is to act now")
        return self.state.check(action)

    def _resigned(self) -> bool:
        return bool(self._replay.turns) and self._replay.turns[-1].action == RESIGN

    def head(self) -> dict[str, Any]:
        """What stays the same, as a JSON value."""
        about, game = self._replay.about, self.game
        return {
            "game": {"id": game.id, "title": game.title, "options": _changed(game)},
            "sides": list(game.sides),
            "names": [one_line(agent.name) for agent in self.agents],
            "limits": {"cpu_s": about["limits"].cpu_s, "memory_mb": about["limits"].memory_mb},
            "seed": str(about["seed"]),
            "board": board_of(game),
        }

    def position(self, people: Sequence[bool], clocks: Sequence[float] = (0.0, 0.0)) -> dict[str, Any]:
        """What there is to see now, as a JSON value.

        `people` says which sides are people, who are shown what they can do; `clocks` are seconds that each side used
        before the record began.
        """
        state, replay, acts = self.state, self._replay, self.acts()
        sight = Sight.of(state, people)
        picture = sight.board(state)
        contents = contents_of(picture)
        cells = {cell.id: number for number, cell in enumerate(picture.layout.cells)}
        touched = self.game.cells(sight.action(state, self.actions[-1])) if self.actions else ()
        named = [cells[cell] for cell in touched if cell in cells]
        gone: list[int] = []
        if self._before is not None:
            was = map(_height, contents_of(sight.board(self._before)))
            heights = zip(was, map(_height, contents), strict=True)
            gone = [cell for cell, (old, new) in enumerate(heights) if new < old and cell not in named]
        return {
            "turn": len(self.actions),
            "acts": acts,
            "phase": state.phase,
            "contents": contents,
            "last": named,
            "gone": gone,
            "notes": [clean(note) for note in picture.notes],
            "text": text(picture, last=[cell for cell in touched if cell in cells], unicode=True),
            "choices": choices(state) if acts is not None and people[acts] else None,
            "players": [self._player(side, clocks[side], people[side]) for side in (0, 1)],
            "outputs": [
                [each.ply, each.side, each.stream, clean(each.text)[-SHOWN_OUTPUT:], each.dropped]
                for each in replay.outputs[-4:]
                if each.ply >= state.ply - 2 and sight.hears(each.side)
            ],
            "failures": [
                [each.ply, each.side, each.call, str(each.reason), clean(each.detail), clean(each.traceback)]
                for each in replay.failures
            ],
            "end": self.end and [self.end.winner, clean(self.end.reason), clean(self.end.detail)],
            "ready": len(replay.starts) == 2,
        }

    def moves(self, people: Sequence[bool]) -> list[Any]:
        """The actions so far as (side, action), that a side has resigned included."""
        sight = Sight.of(self.state, people)
        state, told = self.game.initial(), []
        for action in self.actions:
            side, state = state.to_move, state.play(action)
            told.append((side, sight.action(state, action)))
        return [*told, *([(self._replay.turns[-1].side, RESIGN)] if self._resigned() else [])]

    def _player(self, side: int, clock: float, person: bool) -> dict[str, Any]:
        replay = self._replay
        turns = [turn for turn in replay.turns if turn.side == side]
        start = next((each.usage for each in replay.starts if each.side == side), None)
        return {
            "pieces": self.state.count_pieces(side),
            "cpu_s": (start.cpu_s if start else 0.0) + sum(turn.cpu_s for turn in turns),
            "wall_s": clock + sum(turn.wall_s for turn in turns) if person else None,
            "memory_mb": turns[-1].memory_mb if turns else start.memory_mb if start else 0.0,
            "tier": next((each.tier for each in replay.starts if each.side == side), ""),
        }

    def wall_s(self, side: int) -> float:
        """The elapsed seconds of the turns of a side."""
        return sum(turn.wall_s for turn in self._replay.turns if turn.side == side)


def _height(content: Content) -> int:
    return sum(stack.height for stack in content.stacks)


def _changed(game: Game) -> dict[str, Any]:
    """The options of a game that are not the usual ones."""
    usual = asdict(type(game.options)())
    return {name: value for name, value in asdict(game.options).items() if value != usual[name]}

"""GTP version 2 for an agent: what a controller asks of it, and the answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from watch_your_back import __version__
from watch_your_back.bridges.go_sgf import read_game
from watch_your_back.bridges.gtp_players import Players
from watch_your_back.bridges.sgf import SgfError
from watch_your_back.confine.faults import PlayerFault
from watch_your_back.game import RESIGN, Action, Game, IllegalAction, OptionError
from watch_your_back.games.go import GAME as Go
from watch_your_back.games.go import Position, score
from watch_your_back.match.gtp import COLUMNS, action_of, vertex
from watch_your_back.show.text import one_line

__all__ = ["Session"]

_COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}


class _Refusal(Exception):
    """What an answer that begins with ? says."""


class Session:
    """A game of Go that a controller leads, in which `players` take the turns that they are asked to.

    `name` is what the agent is called, `options` are the game's.
    """

    def __init__(self, name: str, players: Players, options: Mapping[str, Any]) -> None:
        self.over = False
        """Whether the controller has said `quit`."""
        self._name = name
        self._players = players
        self._options = dict(options)
        self._state: Position = self._game().initial()
        self._actions: list[Action] = []
        self._failed: dict[int, str] = {}

    def answer(self, line: str) -> str:
        """The answer to a line, with the empty line at its end; empty for a line that says nothing.

        Raises ConfinementError if players cannot be run at all.
        """
        words = re.sub(r"[^\t -~\x80-\U0010ffff]", "", line).partition("#")[0].split()
        number = words.pop(0) if words and re.fullmatch(r"[0-9]{1,9}", words[0]) else ""
        if not words:
            return f"?{number} there is no command\n\n" if number else ""
        try:
            said = self._obey(words[0], words[1:])
        except _Refusal as refusal:
            return f"?{number} {one_line(str(refusal))}\n\n"
        return f"={number} {said}".rstrip(" ") + "\n\n"

    def _obey(self, command: str, words: Sequence[str]) -> str:
        if command not in self._COMMANDS:
            raise _Refusal("unknown command")
        pattern, obey = self._COMMANDS[command]
        most = None if pattern.endswith("...") else len(pattern.split())
        least = sum(word[0] not in "[." for word in pattern.split())
        if len(words) < least or (most is not None and len(words) > most):
            raise _Refusal(f"syntax error: {command} {pattern}".rstrip())
        return obey(self, *words)

    # About the program

    def _protocol_version(self) -> str:
        return "2"

    def _say_name(self) -> str:
        return one_line(self._name)

    def _version(self) -> str:
        return __version__

    def _known_command(self, name: str) -> str:
        return "true" if name in self._COMMANDS else "false"

    def _list_commands(self) -> str:
        return "\n".join(self._COMMANDS)

    def _quit(self) -> str:
        self.over = True
        return ""

    # The board

    def _boardsize(self, size: str) -> str:
        try:
            self._begin(size=_whole(size), handicap=0)
        except OptionError:
            raise _Refusal("unacceptable size") from None
        return ""

    def _clear_board(self) -> str:
        self._begin(handicap=0)
        return ""

    def _komi(self, komi: str) -> str:
        try:
            value = float(komi)
        except ValueError:
            raise _Refusal(f"syntax error: komi is a number, not {komi:.20}") from None
        actions = list(self._actions)
        self._set(komi=value)
        for action in actions:
            self._take(action)
        return ""

    def _handicap(self, number: str) -> str:
        if self._actions or self._options.get("handicap"):
            raise _Refusal("board not empty")
        stones = _whole(number)
        if stones < 2:
            raise _Refusal("invalid number of stones")
        self._set(handicap=stones)
        return " ".join(self._stones())

    def _set_free_handicap(self, *vertices: str) -> str:
        placed = {self._action(word) for word in vertices}
        if len(placed) != len(vertices):
            raise _Refusal("repeated vertex")
        before = dict(self._options)
        usual = self._handicap(str(len(placed)))
        if placed != {self._action(word) for word in usual.split()}:
            self._begin(**before)
            raise _Refusal(f"this program knows handicap stones on the usual points only: {usual}")
        return ""

    def _play(self, colour: str, word: str) -> str:
        side, action = _side(colour), self._action(word)
        self._require_turn(side, "illegal move: ")
        try:
            self._take(self._state.check_form(action))
        except IllegalAction as error:
            raise _Refusal(f"illegal move: {error}") from None
        return ""

    def _undo(self) -> str:
        if not self._actions:
            raise _Refusal("cannot undo")
        actions = self._actions[:-1]
        self._state, self._actions = self._state.game.initial(), []
        for action in actions:
            self._take(action)
        self._failed.clear()
        return ""

    def _showboard(self) -> str:
        size, points = self._state.game.options.size, {}
        for piece in self._state.picture().pieces:
            points[piece.cell] = "XO"[piece.side or 0]
        letters = "    " + " ".join(COLUMNS[:size])
        rows = [
            f"{size - y:>3} " + " ".join(points.get((x, y), ".") for x in range(size)) + f" {size - y}"
            for y in range(size)
        ]
        return "\n".join(["", letters, *rows, letters])

    def _final_score(self) -> str:
        black, white = score(self._state)
        return "0" if black == white else f"{'BW'[white > black]}+{abs(black - white):g}"

    def _loadsgf(self, name: str, number: str = "") -> str:
        try:
            found = read_game(Path(name).read_bytes())
        except OSError as error:
            raise _Refusal(f"cannot load file: {error.strerror}") from None
        except SgfError as error:
            raise _Refusal(f"cannot load file: {error}") from None
        if found.start != found.game.initial():
            raise _Refusal("cannot load file: it begins with stones that no player can be told of")
        actions = found.actions[: max(0, _whole(number) - 1)] if number else found.actions
        options = found.game.options
        self._begin(**{name: getattr(options, name) for name in ("size", "komi", "rules", "handicap", "superko")})
        for action in actions:
            if action != RESIGN:
                self._take(action)
        return "BW"[self._state.to_move]

    # Playing

    def _genmove(self, colour: str) -> str:
        side = _side(colour)
        self._require_turn(side, "")
        if side in self._failed:
            return RESIGN  # it was said before why
        try:
            action = self._players.ask(self._state.game, self._actions)
        except PlayerFault as fault:
            raise self._failure(side, f"{fault.cause} in {fault.call}: {fault.detail}") from None
        except IllegalAction as error:
            raise self._failure(side, f"illegal action: {error}") from None
        if action != RESIGN:
            self._take(action)
        return vertex(action, self._state.game.options.size)

    def _failure(self, side: int, why: str) -> _Refusal:
        self._failed[side] = why
        return _Refusal(f"the player failed by {why}")

    def _accept(self, *words: str) -> str:
        """Time is limited from outside, by CPU time: what the controller says of it changes nothing."""
        if not all(re.fullmatch(r"[0-9]+|[bwBW]\w*", word) for word in words):
            raise _Refusal("syntax error: times are whole numbers of seconds")
        return ""

    # Inside

    def _game(self) -> Go:
        game = Game.load("go", **self._options)
        assert isinstance(game, Go)
        return game

    def _begin(self, **options: Any) -> None:
        """Begin a game anew. Raises OptionError, and nothing has changed then."""
        self._set(**options)
        self._failed.clear()
        self._players.close()

    def _set(self, **options: Any) -> None:
        """Change options of the game, which is then back at its beginning."""
        before, self._options = self._options, {**self._options, **options}
        try:
            self._state, self._actions = self._game().initial(), []
        except OptionError as error:
            self._options = before
            if "size" in options:
                raise
            raise _Refusal(str(error)) from None
        self._players.close()

    def _take(self, action: Action) -> None:
        self._state = self._state.play(action)
        self._actions.append(action)

    def _require_turn(self, side: int, prefix: str) -> None:
        if self._state.outcome is not None:
            raise _Refusal(f"{prefix}the game is over: {self._state.outcome.reason}")
        if side != self._state.to_move:
            raise _Refusal(f"{prefix}it is {self._state.game.sides[self._state.to_move]}'s turn")

    def _action(self, word: str) -> Action:
        try:
            action = action_of(word, self._state.game.options.size)
        except ValueError as error:
            raise _Refusal(f"syntax error: {error}") from None
        if action == RESIGN:
            raise _Refusal("syntax error: a vertex or pass is expected, not resign")
        return action

    def _stones(self) -> list[str]:
        size = self._state.game.options.size
        return [vertex(piece.cell, size) for piece in self._state.picture().pieces]

    _Command: TypeAlias = "tuple[str, Callable[..., str]]"
    _COMMANDS: ClassVar[dict[str, _Command]] = {
        "protocol_version": ("", _protocol_version),
        "name": ("", _say_name),
        "version": ("", _version),
        "known_command": ("COMMAND", _known_command),
        "list_commands": ("", _list_commands),
        "quit": ("", _quit),
        "boardsize": ("SIZE", _boardsize),
        "clear_board": ("", _clear_board),
        "komi": ("KOMI", _komi),
        "fixed_handicap": ("STONES", _handicap),
        "place_free_handicap": ("STONES", _handicap),
        "set_free_handicap": ("VERTEX VERTEX ...", _set_free_handicap),
        "play": ("COLOUR VERTEX", _play),
        "genmove": ("COLOUR", _genmove),
        "undo": ("", _undo),
        "time_settings": ("MAIN BYOYOMI STONES", _accept),
        "time_left": ("COLOUR TIME STONES", _accept),
        "final_score": ("", _final_score),
        "showboard": ("", _showboard),
        "loadsgf": ("FILE [MOVE]", _loadsgf),
    }
    """By its name, each command's arguments and what does it."""


def _whole(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", word):
        raise _Refusal(f"syntax error: {word:.20} is no whole number")
    return int(word)


def _side(word: str) -> int:
    side = _COLOURS.get(word.lower())
    if side is None:
        raise _Refusal(f"syntax error: {word:.20} is no colour")
    return side

"""Playing a record's actions again: what each line tells, and whether the rules allow it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from watch_your_back.confine.limits import Limits
from watch_your_back.game import RESIGN, Action, Game, IllegalAction, Outcome, State, UnknownGame, normal_form
from watch_your_back.match.events import VOID, PlayerFailed, PlayerOutput, PlayerStarted, Reason, Usage
from watch_your_back.match.record_form import Line
from watch_your_back.match.recording import digest

__all__ = ["End", "RecordedAgent", "Refused", "Replay", "Turn"]


class RecordedAgent(NamedTuple):
    """Who played: the fields of `Agent` without those that hold on one machine only.

    `spec` is what the user gave, absolute paths made relative to the directory in which the match was played.
    """

    name: str
    spec: str
    kind: str
    class_name: str
    fingerprint: str


class Turn(NamedTuple):
    """One action of a match: what it was, and what it cost in CPU and elapsed seconds.

    `memory_mb` is the peak so far of the player's memory, in MB.
    """

    ply: int
    side: int
    action: Action
    cpu_s: float
    wall_s: float
    memory_mb: float


class End(NamedTuple):
    """How a match ended; everything in pairs is by side. `state` is the digest of the last state."""

    winner: int | None
    reason: str
    detail: str
    ply: int
    tiers: tuple[str, str]
    usage: tuple[Usage, Usage]
    state: str


class Refused(Exception):
    """What is wrong with the line at hand."""


_FAULTS = frozenset(Reason) - VOID - {Reason.BOTH_COULD_NOT_START, Reason.TURN_LIMIT, Reason.RESIGNED}
"""Reasons that are the fault of one player, who loses by it."""


class Replay:
    """Takes the lines of a record one by one and plays its actions again."""

    game: Game
    start: State
    state: State
    played_by: int
    """The version of the rules that the match was played by."""
    about: dict[str, Any]
    """The fields of the header that the record keeps as they are."""

    def __init__(self) -> None:
        self.starts: list[PlayerStarted] = []
        self.turns: list[Turn] = []
        self.outputs: list[PlayerOutput] = []
        self.failures: list[PlayerFailed] = []
        self.end: End | None = None

    def take(self, line: Line) -> None:
        """Add what this line tells. Raises Refused when that cannot have happened."""
        if self.end is not None:
            raise Refused("something follows the end of the match")
        if line.event == "header":
            self._header(line.fields)
            return
        try:
            self._event(line)
        except Refused as error:
            if self.played_by == self.game.rules_version:
                raise
            versions = f"version {self.played_by} of the rules, and these are version {self.game.rules_version}"
            raise Refused(f"{error} (the match was played by {versions})") from None

    def _event(self, line: Line) -> None:
        match line.event:
            case "started":
                self._started(line.fields)
            case "action":
                self._action(line.fields)
            case "output":
                self.outputs.append(PlayerOutput(**self._told(line.fields, PlayerOutput._fields)))
            case "failure":
                self._failure(line.fields)
            case "end":
                self._end(line.fields)

    def fields(self) -> dict[str, Any]:
        """The fields of the `Record`."""
        return {
            "game": self.game,
            "start": self.start,
            **self.about,
            "starts": tuple(self.starts),
            "turns": tuple(self.turns),
            "outputs": tuple(self.outputs),
            "failures": tuple(self.failures),
            "end": self.end,
        }

    def _header(self, fields: dict[str, Any]) -> None:
        try:
            self.game = Game.load(fields["game"], **_tuples(fields["options"]))
            self.played_by = fields["rules_version"]
            if self.played_by > self.game.rules_version:
                raise Refused(
                    f"the match was played by version {self.played_by} of the rules of {self.game.id},"
                    f" and this program has version {self.game.rules_version}: upgrade it"
                )
            self.start = self.game.initial() if fields["start"] is None else self.game.parse(fields["start"])
            limits = Limits(**{name: fields["limits"][name] for name in ("cpu_s", "memory_mb", "profile")})
            started = datetime.fromisoformat(fields["started"])
        except (UnknownGame, ValueError) as error:
            raise Refused(str(error)) from None
        if started.tzinfo is None:
            raise Refused("started is to be a time with its offset from UTC")
        if tuple(fields["sides"]) != self.game.sides:
            raise Refused(f"the sides of {self.game.id} are {', '.join(self.game.sides)}")
        if set(fields["slots"].values()) != {0, 1}:
            raise Refused("slots are to be 0 and 1, in either order")
        self.state = self.start
        opening = self._opening(fields.get("opening", []))
        agents = [
            RecordedAgent(*(agent[name] for name in ("name", "spec", "kind", "class", "fingerprint")))
            for agent in self._pair(fields["agents"])
        ]
        self.about = {
            "agents": tuple(agents),
            "slots": self._pair(fields["slots"]),
            "seed": fields["seed"],
            "seeds": self._pair(fields["seeds"]),
            "limits": limits,
            "started": started,
            "machine": fields["machine"],
            "versions": fields["versions"],
            "python_hash_seed": fields["python_hash_seed"],
            "opening": opening,
        }

    def _opening(self, actions: Any) -> tuple[Action, ...]:
        """The actions that the match began after, which must lead to where it began."""
        if type(actions) is not list:
            raise Refused("opening is to be a list of actions")
        state, opening = self.game.initial(), []
        for action in actions:
            try:
                opening.append(state.check_form(normal_form(action)))
            except IllegalAction as error:
                raise Refused(f"action {len(opening)} of the opening is illegal: {error}") from None
            state = state.play(opening[-1])
        if opening and state != self.start:
            raise Refused("the opening does not lead to the state that the match began in")
        return tuple(opening)

    def _started(self, fields: dict[str, Any]) -> None:
        side = self._side(fields["side"])
        if self.turns or any(start.side == side for start in self.starts):
            raise Refused(f"{fields['side']} was started before")
        usage = Usage(fields["cpu_s"], fields["wall_s"], fields["memory_mb"], 0)
        self.starts.append(PlayerStarted(side, fields["tier"], usage, str(fields.get("program", ""))))

    def _action(self, fields: dict[str, Any]) -> None:
        state, side = self.state, self._side(fields["side"])
        if len(self.starts) < 2:
            raise Refused("an action before both players were started")
        if self._outcome() is not None:
            raise Refused("an action after the end of the match")
        if fields["ply"] != state.ply:
            raise Refused(f"an action at ply {fields['ply']}, but {state.ply} turns were taken before it")
        if side != state.to_move:
            raise Refused(f"an action of {fields['side']}, but it is {self.game.sides[state.to_move]}'s turn")
        try:
            action = state.check(fields["action"])
        except IllegalAction as error:
            raise Refused(f"{fields['side']}'s action at ply {state.ply} is illegal: {error}") from None
        self.turns.append(Turn(state.ply, side, action, fields["cpu_s"], fields["wall_s"], fields["memory_mb"]))
        if action != RESIGN:
            self.state = state.play(action)

    def _failure(self, fields: dict[str, Any]) -> None:
        if fields["reason"] not in _FAULTS:
            raise Refused(f"a player cannot fail by {fields['reason']!r}")
        failure = PlayerFailed(**self._told(fields, PlayerFailed._fields))
        self.failures.append(failure._replace(reason=Reason(failure.reason)))

    def _end(self, fields: dict[str, Any]) -> None:
        winner = None if fields["winner"] is None else self._side(fields["winner"])
        told, expected = Outcome(winner, fields["reason"]), self._expected(fields["reason"])
        if told != expected:
            raise Refused(
                f"the end says that {self._sentence(told)}, but what came before means that {self._sentence(expected)}"
            )
        if fields["ply"] != len(self.turns):
            raise Refused(f"the end tells of {fields['ply']} turns, but there are {len(self.turns)}")
        if fields["state"] != digest(self.state):
            raise Refused(f"the last state is not the recorded one: {digest(self.state)}, not {fields['state']}")
        usage = [Usage(*(used[name] for name in Usage._fields)) for used in self._pair(fields["usage"])]
        self.end = End(
            winner=winner,
            reason=fields["reason"],
            detail=fields["detail"],
            ply=fields["ply"],
            tiers=self._pair(fields["tiers"]),
            usage=(usage[0], usage[1]),
            state=fields["state"],
        )

    def _outcome(self) -> Outcome | None:
        """How the actions so far end the match, if they do."""
        if self.turns and self.turns[-1].action == RESIGN:
            return Outcome(1 - self.turns[-1].side, Reason.RESIGNED)
        return self.state.outcome

    def _expected(self, reason: str) -> Outcome:
        """The outcome of a match that went like this one and ended for this reason."""
        culprits = [failure.side for failure in self.failures if failure.reason == reason]
        if reason in VOID:
            return Outcome(None, reason)
        if (outcome := self._outcome()) is not None:
            return outcome
        if reason in _FAULTS and culprits:
            return Outcome(1 - culprits[0], reason)
        if reason == Reason.TURN_LIMIT or (reason == Reason.BOTH_COULD_NOT_START and len(self.failures) > 1):
            return Outcome(None, reason)
        raise Refused(f"the end is by {reason!r}, but nothing before ends the match like that")

    def _sentence(self, outcome: Outcome) -> str:
        winner = "nobody" if outcome.winner is None else self.game.sides[outcome.winner]
        return f"{winner} won ({outcome.reason})"

    def _told(self, fields: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
        if fields["ply"] > self.state.ply:
            raise Refused(f"something of ply {fields['ply']} when only {self.state.ply} turns had been taken")
        return {name: fields[name] for name in names} | {"side": self._side(fields["side"])}

    def _side(self, name: str) -> int:
        if name not in self.game.sides:
            raise Refused(f"{self.game.id} has no side {name!r} (it has {', '.join(self.game.sides)})")
        return self.game.sides.index(name)

    def _pair(self, by_side: dict[str, Any]) -> tuple[Any, Any]:
        for name in by_side:
            self._side(name)
        first, second = self.game.sides
        return by_side[first], by_side[second]


def _tuples(options: dict[str, Any]) -> dict[str, Any]:
    def tuples(value: Any) -> Any:
        return tuple(map(tuples, value)) if isinstance(value, list) else value

    return {name: tuples(value) for name, value in options.items()}

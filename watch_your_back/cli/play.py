"""`wyb play` and `referee.py`: one match of two agents."""

from __future__ import annotations

import json
import secrets
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from watch_your_back.agents import Agent, AgentNotFound, bundled, find
from watch_your_back.cli.ending import FAILED, HELP, Mistake, interruption
from watch_your_back.cli.game_options import chosen_game, chosen_opening, game_options
from watch_your_back.cli.going_back import played
from watch_your_back.cli.notes import Notes
from watch_your_back.cli.numbers import BareCommand, BareOption, Number
from watch_your_back.cli.plain import Plain
from watch_your_back.cli.results import as_json
from watch_your_back.cli.screen import Screen
from watch_your_back.confine.faults import TierUnavailable
from watch_your_back.confine.limits import PROFILES, Limits
from watch_your_back.confine.tiers import TIERS
from watch_your_back.game import Game
from watch_your_back.match import Match
from watch_your_back.match.events import ActionTaken, Event, MatchEnded, MatchStarted, Reason
from watch_your_back.match.external import GAME as GTP_GAME
from watch_your_back.match.record import RecordWriter

__all__ = ["MEGABYTES", "SECONDS", "AgentSpec", "command", "refuse_misfits"]

FIRST_WON, SECOND_WON, DRAW, NEITHER_STARTED = 0, 3, 4, 5
"""The exit codes of `--exit-code`; 1 and 2 mean what they always mean."""

SECONDS = Number("seconds", 0, 1_000_000)
MEGABYTES = Number("MB", 0, 1_048_576)


class AgentSpec(click.ParamType[Agent]):
    """An agent as the command line names it, found."""

    name = "agent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Agent:
        """The agent that the spec names; refused in one line if there is none."""
        if isinstance(value, Agent):
            return value
        try:
            return find(value)
        except AgentNotFound as error:
            raise Mistake(str(error), ctx) from None
        except OSError as error:  # a name that is too long, a folder that is closed
            what = error.strerror if error.filename else "the current directory has been deleted"
            raise Mistake(f"{value!r} cannot be looked for: {what}", ctx) from None

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The bundled agents, and files."""
        own = [CompletionItem(name) for name in bundled() if name.startswith(incomplete)]
        return [*own, CompletionItem(incomplete, type="file")]


def refuse_misfits(game: Game, agents: Iterable[Agent]) -> None:
    """Raise Mistake for an external program that is to play another game than it can."""
    for agent in agents:
        if agent.kind == "external" and game.id != GTP_GAME:
            raise Mistake(f"{agent.name} speaks GTP, so it plays {GTP_GAME} and not {game.id}: add --game {GTP_GAME}")


class PlayCommand(BareCommand):
    """The command, whose examples are those of the program that it is run as."""

    def get_help(self, ctx: click.Context) -> str:
        """The help, with `referee.py` in place of `wyb play` if that is what the user typed."""
        program = ctx.command_path.replace("referee.py", "python referee.py")
        return super().get_help(ctx).replace("\n  wyb play", f"\n  {program}")


class Delay:
    """A listener that waits so many seconds after every action."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __call__(self, event: Event) -> None:
        if isinstance(event, ActionTaken):
            time.sleep(self._seconds)


class Result:
    """A listener that prints nothing but the result, as one JSON object."""

    def __init__(self) -> None:
        self._started: MatchStarted | None = None

    def __call__(self, event: Event) -> None:
        match event:
            case MatchStarted():
                self._started = event
            case MatchEnded() if self._started:
                click.echo(json.dumps(as_json(self._started, event), indent=2))


@click.command("play", cls=PlayCommand, context_settings=HELP)
@click.argument("white", metavar="WHITE", type=AgentSpec())
@click.argument("black", metavar="BLACK", type=AgentSpec())
@click.option(
    "-d", "--delay", cls=BareOption, bare=1.0, metavar="[S]", type=Number("seconds", 0, 3_600, closed=True),
    help="Wait S seconds after every turn (1.0 if S is left out).",
)  # fmt: skip
@click.option(
    "-t", "--time-limit", "--time_limit", cls=BareOption, bare=120.0, metavar="[S]", type=SECONDS,
    help="Limit each player to S seconds of CPU time in all (120.0 if left out; no limit without the option).",
)  # fmt: skip
@click.option(
    "-s", "--space-limit", "--space_limit", cls=BareOption, bare=100.0, metavar="[MB]", type=MEGABYTES,
    help="Limit each player to so many MB of memory (100.0 if left out; no limit without the option).",
)  # fmt: skip
@click.option(
    "--profile", type=click.Choice(PROFILES), default="fair", show_default=True,
    help="How time and memory are counted; none switches all limits off.",
)  # fmt: skip
@click.option(
    "--seed", metavar="N", type=click.IntRange(0, 2**63 - 1),
    help="What the players' random generators are seeded from (drawn if left out, and always printed).",
)  # fmt: skip
@click.option("--swap-seeds", is_flag=True, help="Seed each side as the other one, as in the second match of a pair.")
@game_options
@click.option(
    "--opening", metavar="JSON",
    help="Begin after these actions, as in '[[2, 3], [5, 4]]'; players need the method start for that.",
)  # fmt: skip
@click.option(
    "--position", metavar="FILE", type=click.Path(path_type=Path),
    help="Begin with the position in FILE, in a game that takes one (as -o position=FILE).",
)  # fmt: skip
@click.option("--max-turns", metavar="N", type=int, help="End the match as a draw after N turns; 0 for never.")
@click.option(
    "--record", metavar="FILE", type=click.Path(path_type=Path), help="Write the record of the match to FILE."
)
@click.option("--json", "as_json_object", is_flag=True, help="Print nothing but the result, as one JSON object.")
@click.option("--plain", is_flag=True, help="Print the published text format on a terminal too.")
@click.option("-q", "--quiet", is_flag=True, help="Print only who won.")
@click.option("-v", "--verbose", is_flag=True, help="Print what the players print, and the time of every turn.")
@click.option("--debug", is_flag=True, help="Run the players in this process, so that breakpoints work.")
@click.option(
    "--require-tier", metavar="TIER", type=click.Choice(TIERS),
    help="Refuse to play unless both players are confined at least so strongly; wyb doctor tells.",
)  # fmt: skip
@click.option(
    "--allow-external", is_flag=True, help="Let external programs (gtp:...) play all the same, which are not confined."
)
@click.option(
    "--exit-code", is_flag=True,
    help="Exit with 0 if the agent named first won, 3 if the second won, 4 for a draw, 5 if neither could start.",
)  # fmt: skip
def command(
    white: Agent,
    black: Agent,
    delay: float | None,
    time_limit: float | None,
    space_limit: float | None,
    profile: Any,
    seed: int | None,
    swap_seeds: bool,
    game: str,
    option: tuple[str, ...],
    opening: str | None,
    position: Path | None,
    max_turns: int | None,
    record: Path | None,
    as_json_object: bool,
    plain: bool,
    quiet: bool,
    verbose: bool,
    debug: bool,
    require_tier: str | None,
    allow_external: bool,
    exit_code: bool,
) -> int:
    """Play one match of two agents, named in the order of the game's sides.

    \b
    wyb play greedy minimax                two bundled agents
    wyb play my_player.py greedy -d        your own, with a second between turns
    wyb play -t 60 -s 100 team.player rival/player.py:Bot
    wyb play greedy minimax --seed 7 --record match.jsonl

    An agent is a .py file, a directory, a module under the current directory, or the name of a bundled agent; another
    class than Player comes after a colon. For Go it may be a program, as in 'gtp:gnugo --mode gtp'.
    """
    if profile == "none" and (time_limit or space_limit):
        raise Mistake("profile none has no limits, so leave out -t and -s or take another profile")
    cap = {} if max_turns is None else {"turn_cap": max_turns}
    settings = option if position is None else (*option, f"position={position}")
    rules = chosen_game(game, settings, **cap)
    refuse_misfits(rules, (white, black))
    match = Match(
        game=rules,
        agents=(white, black),
        limits=Limits(time_limit, space_limit, profile),
        seed=secrets.randbits(32) if seed is None else seed,
        slots=(1, 0) if swap_seeds else (0, 1),
        opening=chosen_opening(rules, opening) if opening else (),
        require_tier=require_tier,
        allow_external=allow_external,
        debug=debug,
    )

    def listeners() -> list[Callable[[Event], None]]:
        found: list[Callable[[Event], None]] = [Notes(quiet=quiet, verbose=verbose)]
        if as_json_object:
            found.append(Result())
        elif quiet or plain or not sys.stdout.isatty():
            found.append(Plain(quiet=quiet, verbose=verbose))
        else:
            person = "person" in (white.kind, black.kind)  # who is shown the board before every turn
            found.append(Screen("last" if person else "each" if verbose or debug else "in place"))
        if record is not None:
            found.append(_recorder(record, debug))
        if delay:
            found.append(Delay(delay))
        return found

    try:
        with interruption() as cause:
            ended = played(match, listeners)
    except TierUnavailable as error:
        raise click.ClickException(str(error)) from None
    if ended.reason == Reason.INTERRUPTED:
        return cause.exit_code
    if ended.void:
        click.echo(ended.detail, err=True)
        return FAILED
    return _verdict(ended) if exit_code else 0


def _recorder(path: Path, debug: bool) -> RecordWriter:
    try:
        # This process, in which debugged players run, was started with a PYTHONHASHSEED that is not known.
        return RecordWriter(path, python_hash_seed=None) if debug else RecordWriter(path)
    except OSError as error:
        raise Mistake(f"the record cannot be written to {path}: {error.strerror or error}") from None


def _verdict(ended: MatchEnded) -> int:
    if ended.winner is not None:
        return SECOND_WON if ended.winner else FIRST_WON
    return NEITHER_STARTED if ended.reason == Reason.BOTH_COULD_NOT_START else DRAW

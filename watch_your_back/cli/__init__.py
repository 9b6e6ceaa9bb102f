"""The command line `wyb`: a module a command, each imported only when it is run.

A command `foo` is the click command that the module `foo` here calls `command`, and a line of `COMMANDS`.
Results go to stdout, everything else to stderr.
"""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

import watch_your_back
from watch_your_back.cli.ending import HELP, INTERRUPTED, run

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["COMMANDS", "Commands", "load", "main", "start", "wyb"]

COMMANDS = {
    "play": "Play one match of two agents.",
    "replay": "Look at a recorded match, position by position.",
    "check": "Find out what is wrong with an agent before a match does.",
    "explain": "Find out where a recorded match was won and lost.",
    "debug": "Look into a turn of a recorded match in a debugger.",
    "compare": "Find out which of two agents is the better one.",
    "tournament": "Play a tournament of many agents, and go on with it.",
    "new": "Write a Player to start from.",
    "serve": "Play, watch and replay in the browser.",
    "games": "List the games, or describe one.",
    "perft": "Count the action sequences of a game.",
    "gtp": "Play an agent for a program that leads games of Go by GTP.",
    "sgf": "Turn a record of Go into SGF, or SGF into a record.",
    "doctor": "Say what this system can do to run players fairly.",
    "completion": "Print the completion script of a shell.",
}
"""The commands and what each does, so that the help imports none of them."""

PREFIX = "watch_your_back.cli."

EXIT_CODES = """\
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted (143 by SIGTERM, 129 by SIGHUP), 141 nobody reads the
output any more.
"""


def load(name: str) -> click.Command:
    """The command of this name, which must be in `COMMANDS`."""
    return _command(PREFIX + name)


def _command(module: str) -> click.Command:
    command: click.Command = importlib.import_module(module).command
    return command


class Commands(click.Group):
    """A group whose commands are known by their names and what each does, and imported when they are run.

    The command `foo` is what the module `prefix` + `foo` calls `command`.
    """

    def __init__(self, *arguments: Any, summaries: Mapping[str, str], prefix: str, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.summaries = summaries
        self.prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command(self.prefix + cmd_name) if cmd_name in self.summaries else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.summaries and not ctx.resilient_parsing:
            near = difflib.get_close_matches(name, self.summaries, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"there is no command {name!r}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        known = self.summaries.items()
        names = [CompletionItem(name, help=text) for name, text in known if name.startswith(incomplete)]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))


@click.command(
    cls=Commands, summaries=COMMANDS, prefix=PREFIX, no_args_is_help=True, epilog=EXIT_CODES, context_settings=HELP
)
@click.version_option(watch_your_back.__version__, prog_name="watch-your-back")
def wyb() -> None:
    """Watch Your Back!: matches of two Player classes under a fair referee.

    \b
    wyb play greedy minimax       watch a match of two bundled agents
    wyb new my_player.py          start a Player of your own
    wyb check my_player.py        see what is wrong with it
    wyb compare new.py old.py     find out whether the new version is better
    """


def main() -> None:
    """The entry point of `wyb`, `watch-your-back` and `python -m watch_your_back`. Raises SystemExit."""
    name = sys.argv[0].replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    sys.exit(run(wyb, name if name == "watch-your-back" else "wyb"))


def start(name: str, program: str) -> None:
    """Run one command as a program of its own. Raises SystemExit."""
    try:
        command = load(name)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    sys.exit(run(command, program))

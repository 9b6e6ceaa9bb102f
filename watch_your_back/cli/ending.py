"""How a command ends: every mistake as one line on stderr, every way out as an exit code."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

import click

__all__ = ["FAILED", "HELP", "INTERRUPTED", "UNREAD", "USAGE", "Interruption", "Mistake", "interruption", "run"]

FAILED, USAGE, INTERRUPTED, UNREAD = 1, 2, 130, 141
"""UNREAD is what a shell reports of a program that SIGPIPE ended: nobody reads its output any more."""


HELP = {"help_option_names": ["-h", "--help"]}
"""The context settings of every command."""


class Mistake(click.UsageError):
    """A mistake of the user that its message, one line, explains without the help of the command."""


def run(command: click.Command, program: str, args: Sequence[str] | None = None) -> int:
    """Run a click command on `args` (the program's own) and return the exit code of the process.

    A command returns its exit code, or None for 0.
    """
    _open_standard_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a name that the terminal cannot show is no reason to fail
    arguments = list(sys.argv[1:] if args is None else args)
    try:
        _complete(command, program)
        with command.make_context(program, arguments) as context:
            code = command.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return USAGE
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else _named(command, program, arguments)
        hint = "" if isinstance(error, Mistake) else f" (try {path} --help)"
        click.echo(f"{path}: {_one_line(error.format_message())}{hint}", err=True)
        return error.exit_code
    except click.ClickException as error:
        click.echo(f"{program}: {_one_line(error.format_message())}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return UNREAD
    except OSError as error:
        _discard_output()
        about = f": {error.filename}" if error.filename else ""
        click.echo(f"{program}: {error.strerror or error}{about}", err=True)
        return FAILED


def _open_standard_streams() -> None:
    """Put /dev/null where whoever started this closed a standard stream, or another file would get its number."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115


def _complete(command: click.Command, program: str) -> None:
    """Answer the shell if it asks how the command line could go on. Raises Exit."""
    variable = f"_{program}_COMPLETE".replace("-", "_").replace(".", "_").upper()
    if instruction := os.environ.get(variable):
        from click.shell_completion import shell_complete

        raise click.exceptions.Exit(shell_complete(command, {}, program, variable, instruction))


def _named(command: click.Command, program: str, arguments: Sequence[str]) -> str:
    """The command that the arguments lead to, as it is typed: `wyb tournament run`."""
    for word in arguments:
        found = command.get_command(click.Context(command), word) if isinstance(command, click.Group) else None
        if found is None:
            break
        command, program = found, f"{program} {word}"
    return program


def _one_line(message: str) -> str:
    from watch_your_back.show.text import one_line  # a message names files, and a file's name may hold anything

    return one_line(message).removesuffix(".")


def _discard_output() -> None:
    """Keep the interpreter from complaining when it flushes at its end what cannot be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Interruption:
    """What interrupted a command, for its exit code; Ctrl-C until a signal says otherwise."""

    def __init__(self) -> None:
        self.signal = signal.SIGINT

    @property
    def exit_code(self) -> int:
        """128 and the number of the signal, as a shell reports a process that a signal ended."""
        return 128 + self.signal


@contextmanager
def interruption() -> Iterator[Interruption]:
    """While it lasts, SIGTERM and SIGHUP end a match as Ctrl-C does, with a KeyboardInterrupt.

    A signal that is being ignored (as `nohup` makes it) stays ignored.
    """
    what = Interruption()

    def interrupt(number: int, frame: FrameType | None) -> None:
        what.signal = signal.Signals(number)
        raise KeyboardInterrupt

    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, interrupt)
        yield what
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

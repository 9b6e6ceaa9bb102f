"""`wyb new`: a Player to start from."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from watch_your_back.cli.ending import HELP, Mistake

__all__ = ["command"]

TEMPLATE = Path(__file__).with_name("player_template.py")


@click.command("new", context_settings=HELP)
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> None:
    """Write a commented Player to FILE, which must not exist yet. It plays, but not well.

    \b
    wyb new my_player.py
    """
    if file.suffix != ".py":
        raise Mistake(f"{file} must be the name of a Python file, such as {file.name or 'my_player'}.py")
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(TEMPLATE.read_text(encoding="utf-8"))
    except FileExistsError:
        raise Mistake(f"{file} is there already and is left as it is; choose another name") from None
    except OSError as error:
        raise Mistake(f"{file} cannot be written: {error.strerror}") from None
    name = shlex.quote(str(file))
    click.echo(f"wrote {file}; next:")
    click.echo(f"  wyb check {name}          see whether it does what a player must")
    click.echo(f"  wyb play {name} greedy    play a match against a bundled agent")

"""Programs that speak GTP, and that misbehave: small Python scripts that the tests seat at a match of Go."""

from __future__ import annotations

import shlex
import shutil
import sys
import textwrap
from pathlib import Path

GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
"""Debian puts games where not every user looks for programs."""

WITHOUT_GNUGO = "GNU Go is not installed (apt-get install gnugo)"

_PROGRAM = """\
import os, signal, sys, time

KNOWN = ["boardsize", "clear_board", "genmove", "komi", "list_commands", "name", "play", "quit", "version", *{known}]
log = open({log!r}, "a")
size, taken = 19, set()

def reply(text, sign="="):
    sys.stdout.write(sign + (" " + text if text else "") + "\\n\\n")
    sys.stdout.flush()

def vertices():
    for row in range(1, size + 1):
        for column in "ABCDEFGHJKLMNOPQRST"[:size]:
            yield column + str(row)

turn = 0
{top}
for line in sys.stdin:
    log.write(line)
    log.flush()
    command, *words = line.split()
    if command == "genmove":
        turn += 1
{genmove}
        vertex = next(each for each in vertices() if each not in taken)
        taken.add(vertex)
        reply(vertex)
        continue
{any}
    if command == "boardsize":
        size = int(words[0])
        taken.clear()
    elif command == "play":
        taken.add(words[1].upper())
    elif command == "quit":
        reply("")
        break
    elif command not in KNOWN:
        reply("unknown command", "?")
        continue
    reply({{"name": "Faker", "version": "1.2", "list_commands": "\\n".join(KNOWN)}}.get(command, ""))
"""


def program(folder: Path, *, known: tuple[str, ...] = (), name: str = "faker", **bodies: str) -> str:
    """The spec of a program that plays on the first empty point, from the lowest row up.

    `top` is done as it starts, `genmove` before it chooses a point (`turn` counts from 1), `any` before it answers
    anything else. It writes the lines that it reads to `NAME.log`.
    """
    path = folder / f"{name}.py"
    filled = {part: textwrap.indent(textwrap.dedent(bodies.get(part, "pass")), " " * depth) for part, depth in _PARTS}
    path.write_text(_PROGRAM.format(log=str(folder / f"{name}.log"), known=list(known), **filled))
    return spec(path)


_PARTS = (("top", 0), ("genmove", 8), ("any", 4))


def spec(path: Path, *words: str) -> str:
    """The spec of a Python script that speaks GTP."""
    return "gtp:" + shlex.join([sys.executable, "-S", str(path), *words])


def received(folder: Path, name: str = "faker") -> list[str]:
    """The lines that the program has read so far."""
    return (folder / f"{name}.log").read_text().splitlines()

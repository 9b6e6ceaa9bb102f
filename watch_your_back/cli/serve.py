"""`wyb serve`: the local server with pages to play on, to watch and to replay."""

from __future__ import annotations

import secrets
import webbrowser
from importlib.util import find_spec
from pathlib import Path

import click

from watch_your_back.agents import Agent
from watch_your_back.cli.ending import HELP, Mistake
from watch_your_back.cli.play import AgentSpec

__all__ = ["command"]

NEEDED = ("starlette", "uvicorn")


@click.command("serve", context_settings=HELP)
@click.argument("place", metavar="[STORE or FOLDER]", type=click.Path(path_type=Path), default=".")
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65_535), default=8037, show_default=True,
    help="The port to listen at; 0 for any that is free.",
)  # fmt: skip
@click.option(
    "--agent", "agents", metavar="SPEC", type=AgentSpec(), multiple=True,
    help="Offer this agent too, wherever it is, as in --agent 'gtp:gnugo --mode gtp'.",
)  # fmt: skip
@click.option(
    "--matches", metavar="N", type=click.IntRange(1, 64), default=4, show_default=True,
    help="How many matches may be played at once.",
)  # fmt: skip
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
def command(place: Path, host: str, port: int, agents: tuple[Agent, ...], matches: int, show: bool) -> None:
    """Play, watch and replay matches in the browser.

    \b
    wyb serve                  play against the bundled agents, and those in this folder
    wyb serve class.db         watch a tournament as it runs, and replay its matches
    wyb serve records/         the records in a folder, those that grow included

    Only this computer can reach the server, unless --host says otherwise: then the address that is printed has a token
    in it, without which nothing is answered.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise Mistake(f"the pages need {' and '.join(missing)}: pip install 'watch-your-back[web]'")
    if not place.exists():
        raise Mistake(f"there is no file or folder {place}")
    from watch_your_back.web.access import is_loopback
    from watch_your_back.web.serving import Server, bound

    try:
        listening = bound(host, port)
    except OSError as error:
        raise Mistake(f"port {port} of {host} cannot be listened at: {error.strerror or error}; try --port 0") from None
    token = None if is_loopback(host) else secrets.token_urlsafe(24)
    server = Server(listening, place, host, agents=agents, matches=matches, token=token)
    click.echo(f"{server.address} (Ctrl-C stops the server)")
    if show:
        webbrowser.open(server.address)
    server.run()

"""`wyb tournament disqualify`: take an agent out of a tournament, or let it in again."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

import click

from watch_your_back.cli.ending import Mistake
from watch_your_back.cli.tournament_arguments import StorePath, told
from watch_your_back.cli.tournament_text import shown
from watch_your_back.tournament.exclusive import Lock
from watch_your_back.tournament.store import Store

__all__ = ["command"]


@click.command("disqualify")
@click.argument("store", type=StorePath())
@click.argument("agent", metavar="NAME")
@click.option("--why", metavar="TEXT", default="", help="What to tell people as the reason.")
@click.option(
    "--undo", is_flag=True, help="Let it play again, benched or disqualified, with the matches that it played."
)
def command(store: Path, agent: str, why: str, undo: bool) -> None:
    """Let the agent called NAME play no more: the matches that it played stay in STORE, but count for nobody.

    \b
    wyb tournament disqualify class.db alice --why 'the work of bob'
    wyb tournament disqualify class.db alice --undo
    wyb tournament run class.toml --accept-changes alice      with new sources, all its matches again
    """
    with told(), Lock(store), Store(store, write=True) as opened:
        states = {entrant.name: entrant.state for entrant in opened.entrants()}
        if agent not in states:
            near = get_close_matches(agent, states, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise Mistake(f"there is no agent {agent!r} in {store}{hint}")
        if states[agent] == "unfit":
            raise Mistake(f"{agent} does not play as it is, because it failed when it was tried")
        opened.set_state(agent, "plays" if undo else "disqualified", "" if undo else why)
    click.echo(
        f"{shown(agent)} {'plays again' if undo else 'plays no more'}; wyb tournament run {store} goes on with that"
    )

"""`wyb completion`: the script that lets a shell complete commands, options, games and agents."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from watch_your_back.cli.ending import HELP

__all__ = ["command"]


@click.command("completion", context_settings=HELP)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    bash  eval "$(wyb completion bash)" in ~/.bashrc
    zsh   eval "$(wyb completion zsh)" in ~/.zshrc
    fish  wyb completion fish > ~/.config/fish/completions/wyb.fish
    """
    root = ctx.find_root()
    program = root.info_name or "wyb"
    completion = get_completion_class(shell)
    assert completion is not None
    click.echo(completion(root.command, {}, program, f"_{program}_COMPLETE".replace("-", "_").upper()).source())

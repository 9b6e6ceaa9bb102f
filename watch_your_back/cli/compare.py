"""`wyb compare`: which of two agents is the better one, and how sure that is."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from watch_your_back.agents import Agent
from watch_your_back.cli.compare_json import as_json
from watch_your_back.cli.compare_progress import progress
from watch_your_back.cli.compare_text import report
from watch_your_back.cli.ending import FAILED, HELP, Mistake, interruption
from watch_your_back.cli.game_options import chosen_game, game_options
from watch_your_back.cli.notes import introduce
from watch_your_back.cli.numbers import Duration, Number
from watch_your_back.cli.play import MEGABYTES, SECONDS, AgentSpec, refuse_misfits
from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.faults import ConfinementError
from watch_your_back.confine.limits import PROFILES, Limits
from watch_your_back.confine.tiers import TIERS
from watch_your_back.diagnosis import DEFAULT_LIMITS
from watch_your_back.show.text import clean, one_line
from watch_your_back.statistics import Sprt
from watch_your_back.tournament.conclusions import Conclusion, Verdict, conclude, labels
from watch_your_back.tournament.openings import can_start_after
from watch_your_back.tournament.series import Ending, Series, Setting
from watch_your_back.tournament.totals import Pair
from watch_your_back.tournament.workers import Workers

__all__ = ["command"]

MATCHES = 100
"""How many there are if nothing else ends the series."""

EXIT_CODES = {
    Verdict.BETTER: 0,
    Verdict.NOT_WORSE: 0,
    Verdict.WORSE: 3,
    Verdict.NOT_BETTER: 3,
    Verdict.COULD_NOT_START: 5,
}
"""Those of `--exit-code`; 1 and 2 mean what they always mean."""
CANNOT_TELL = 4

ELO = Number("Elo", -2_000, 2_000, closed=True)
ERROR_RATE = click.FloatRange(0.000_1, 0.4)


@click.command("compare", context_settings=HELP)
@click.argument("a", metavar="A", type=AgentSpec())
@click.argument("b", metavar="B", type=AgentSpec())
@click.option(
    "-n", "--matches", metavar="N", type=click.IntRange(1, 1_000_000),
    help=f"Play N matches at most, rounded up to whole pairs ({MATCHES} unless --sprt or --for is given).",
)  # fmt: skip
@click.option(
    "--sprt", metavar="E0 E1", nargs=2, type=ELO,
    help="Stop as soon as it is decided whether A is stronger by E1 Elo rather than only by E0.",
)  # fmt: skip
@click.option("--alpha", metavar="P", type=ERROR_RATE, help="How often --sprt may take E0 for E1.  [default: 0.05]")
@click.option("--beta", metavar="P", type=ERROR_RATE, help="How often --sprt may take E1 for E0.  [default: 0.05]")
@click.option("--for", "seconds", metavar="TIME", type=Duration(), help="Stop after a time such as 90s, 10m or 1h30m.")
@click.option(
    "-j", "--jobs", metavar="N", type=click.IntRange(1, 1_024),
    help="Play N matches at the same time (as many as there are processors).",
)  # fmt: skip
@click.option(
    "--seed", metavar="N", type=click.IntRange(0, 2**63 - 1),
    help="What all matches are seeded from (drawn if left out, and always printed).",
)  # fmt: skip
@click.option(
    "-t", "--time-limit", "--time_limit", metavar="S", type=SECONDS, default=DEFAULT_LIMITS.cpu_s, show_default=True,
    help="Limit each player to S seconds of CPU time in a match.",
)  # fmt: skip
@click.option(
    "-s", "--space-limit", "--space_limit", metavar="MB", type=MEGABYTES, default=DEFAULT_LIMITS.memory_mb,
    show_default=True, help="Limit each player to so many MB of memory.",
)  # fmt: skip
@click.option(
    "--profile", type=click.Choice(PROFILES), default="fair", show_default=True,
    help="How time and memory are counted; none switches all limits off.",
)  # fmt: skip
@game_options
@click.option(
    "--openings", metavar="K", type=click.IntRange(0, 1_000), default=0,
    help="Begin each pair after K random actions, if both agents have the method start.",
)  # fmt: skip
@click.option(
    "--records", metavar="FOLDER", type=click.Path(path_type=Path, file_okay=False),
    help="Write the record of each match into FOLDER.",
)  # fmt: skip
@click.option(
    "--require-tier", metavar="TIER", type=click.Choice(TIERS),
    help="Refuse to play unless both players are confined at least so strongly; wyb doctor tells.",
)  # fmt: skip
@click.option(
    "--allow-external", is_flag=True, help="Let external programs (gtp:...) play all the same, which are not confined."
)
@click.option("--json", "as_json_object", is_flag=True, help="Print everything as one JSON object.")
@click.option("-q", "--quiet", is_flag=True, help="Print only the verdict, one sentence.")
@click.option(
    "--exit-code", is_flag=True,
    help="Exit with 0 if A is better, 3 if it is not, 4 if that cannot be told, 5 if an agent could not start.",
)  # fmt: skip
def command(
    a: Agent,
    b: Agent,
    matches: int | None,
    sprt: tuple[float, float] | None,
    alpha: float | None,
    beta: float | None,
    seconds: float | None,
    jobs: int | None,
    seed: int | None,
    time_limit: float,
    space_limit: float,
    profile: Any,
    game: str,
    option: tuple[str, ...],
    openings: int,
    records: Path | None,
    require_tier: str | None,
    allow_external: bool,
    as_json_object: bool,
    quiet: bool,
    exit_code: bool,
) -> int:
    """Find out whether A is better than B, in pairs of matches with the sides swapped.

    \b
    wyb compare new.py old.py                   100 matches under 60 s and 100 MB
    wyb compare new.py old.py --for 10m         as many as there is time for
    wyb compare new.py old.py --sprt 0 50       until it is decided, 50 Elo or none
    wyb compare new.py old.py -n 20 -t 5 --json

    Everything is said from the point of view of A. Both matches of a pair have the same seed and opening. With the same
    --seed the series is the same, as far as the players are. Ctrl-C prints what is known so far.
    """
    for agent in (a, b):
        if agent.kind == "person":
            raise Mistake(f"{agent.name} is a person at the keyboard, who cannot be compared")
    rules = chosen_game(game, option)
    refuse_misfits(rules, (a, b))
    setting = Setting(
        game=rules,
        agents=(a, b),
        limits=Limits(time_limit, space_limit, profile),
        seed=secrets.randbits(32) if seed is None else seed,
        opening=openings,
        require_tier=require_tier,
        allow_external=allow_external,
        keep_records=records is not None,
    )
    test = _test(sprt, alpha, beta)
    if matches is None and test is None and seconds is None:
        matches = MATCHES
    setting, without_start = _with_openings(setting)
    folder = None if records is None else _Folder(records)
    if quiet:
        click.echo(f"seed {setting.seed}", err=True)
    else:
        introduce(("A", "B"), (a, b), setting.limits, setting.seed)
    series = Series(
        setting,
        pairs=None if matches is None else (matches + 1) // 2,
        decide=None if test is None else lambda totals: test.state(totals.pentanomial).decision != "continue",
        seconds=seconds,
    )
    code = 0
    try:
        with interruption() as cause, Workers(jobs) as workers, progress(series, test):
            for pair in series.play(workers):
                if folder is not None:
                    folder.keep(pair)
    except KeyboardInterrupt:
        code = cause.exit_code
    except (ConfinementError, OSError) as error:
        what = f"{error.strerror or error}: {error.filename}" if isinstance(error, OSError) else str(error)
        if not series.read:
            raise click.ClickException(what) from None
        click.echo(f"wyb compare: {what}", err=True)
        code = FAILED
    for result in [result for pair in series.void for result in pair.results if result.void][:1]:
        click.echo(f"{result.reason}: {clean(result.detail)}", err=True)
    found = conclude(series, test, without_start=without_start)
    _print(series, found, test, as_json_object, quiet)
    if code == 0 and series.ending == Ending.VOID:
        code = FAILED
    return EXIT_CODES.get(found.verdict, CANNOT_TELL) if exit_code and code == 0 else code


def _print(series: Series, found: Conclusion, test: Sprt | None, as_json_object: bool, quiet: bool) -> None:
    if as_json_object:
        click.echo(json.dumps(as_json(series, found, test), indent=2))
    elif quiet:
        click.echo(one_line(found.sentence))
    else:
        seen = sys.stdout.isatty()
        width = min(shutil.get_terminal_size().columns, 100) if seen else 80
        colour = seen and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        click.echo("\n".join(report(series, found, test, width=width, colour=colour)))


def _test(sprt: tuple[float, float] | None, alpha: float | None, beta: float | None) -> Sprt | None:
    if sprt is None:
        if alpha is not None or beta is not None:
            raise Mistake("--alpha and --beta are error rates of the test that --sprt E0 E1 asks for")
        return None
    try:
        return Sprt(*sprt, alpha=0.05 if alpha is None else alpha, beta=0.05 if beta is None else beta)
    except ValueError as error:
        raise Mistake(f"--sprt: {error}") from None


def _with_openings(setting: Setting) -> tuple[Setting, list[str]]:
    """The setting, without openings if an agent cannot take them, and the names of the agents that cannot."""
    if not setting.opening:
        return setting, []
    try:
        next(setting.pairs())
    except ValueError as error:
        raise Mistake(f"--openings: {error}") from None
    with closing(Confinement()) as confinement:
        try:
            able = [
                can_start_after(
                    agent,
                    setting.game,
                    setting.limits,
                    confinement,
                    require_tier=setting.require_tier,
                    allow_external=setting.allow_external,
                )
                for agent in setting.agents
            ]
        except ConfinementError as error:
            raise click.ClickException(str(error)) from None
    unable = [label for label, can in zip(labels(setting.agents), able, strict=True) if can is False]
    return (setting if all(able) else replace(setting, opening=0)), unable


class _Folder:
    """Where the records of a series go: a file for each match, called after the pair and the side that A played."""

    def __init__(self, path: Path) -> None:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Mistake(f"the folder {path} cannot be made: {error.strerror or error}") from None
        if any(path.glob("pair-*.jsonl.gz")):
            raise Mistake(f"{path} holds the records of another series; give a new folder")
        self._path = path

    def keep(self, pair: Pair) -> None:
        """Write the records of a pair. Raises OSError."""
        for task, result in zip(pair.tasks, pair.results, strict=True):
            side = task.game.sides[task.first]
            (self._path / f"pair-{pair.number:04}-{side}.jsonl.gz").write_bytes(result.record)

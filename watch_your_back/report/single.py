"""The replay of one match as one HTML file, which needs no network and runs no script but its own."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from string import Template

from watch_your_back import __version__
from watch_your_back.confine.limits import Limits
from watch_your_back.game import Game
from watch_your_back.match.record import Record
from watch_your_back.report.assets import REPLAY_SCRIPTS, policy, scripts, styles, text
from watch_your_back.report.judgement import Judgement
from watch_your_back.report.markup import Markup, data_block, element, join
from watch_your_back.report.quantities import moment
from watch_your_back.report.replays import Replays, replay
from watch_your_back.report.viewpoint import Viewpoint
from watch_your_back.report.wording import result
from watch_your_back.show.text import clean, one_line

__all__ = ["SCRIPTS", "frame", "parts", "single"]

ALLOWANCE = 2_000_000
"""The characters that the replay may have before what players printed is cut."""

SCRIPTS = ("report/elements.js", *REPLAY_SCRIPTS, "report/single.js")
"""What such a page runs, with a constant `data` that has what the element of that id holds."""
FRAME_HEIGHT = 560


def single(
    record: Record,
    *,
    side: int | None = None,
    judged: Sequence[Judgement | None] = (),
    comments: Sequence[tuple[int, str]] = (),
    title: str = "",
    id: str = "",
    start: int = 0,
    framed: bool = False,
) -> str:
    """The whole file.

    The match is seen as `side` saw it in a game with hidden information, unless that is None. `judged` is what an
    explanation says, for each turn; `comments` are words on positions, by their number from 0. `id` is what a
    tournament calls the match, `start` the position that is shown first. A page that is `framed` stands within another
    one, and has no heading. Raises ValueError for a side in a game that hides nothing.
    """
    style, script = styles(), scripts(SCRIPTS)
    shown = parts(record, side=side, judged=judged, comments=comments, title=title, id=id, start=start)
    return Template(text("report/single.html")).substitute(
        shown,
        kind=' class="framed"' if framed else "",
        policy=policy(style, script),
        version=__version__,
        style=style,
        footer=join(f"Made by Watch Your Back! {__version__} of a match of {moment(record.started)}."),
        script=script,
    )


def parts(
    record: Record,
    *,
    side: int | None = None,
    judged: Sequence[Judgement | None] = (),
    comments: Sequence[tuple[int, str]] = (),
    title: str = "",
    id: str = "",
    start: int = 0,
) -> dict[str, Markup]:
    """What a page with the scripts `SCRIPTS` has of a match: `title`, `result`, `notes`, `replay` and `data`.

    The arguments are those of `single`.
    """
    viewpoint = Viewpoint(record, side)
    told, widest = replay(viewpoint, judged=judged, comments=comments)
    packing = Replays(ALLOWANCE)
    packed = packing.pack(told, widest)
    names = [one_line(agent.name) for agent in record.agents]
    players = " v ".join(f"{name} ({role})" for name, role in zip(names, record.game.sides, strict=True))
    about = {
        "agents": names,
        "sides": record.game.sides,
        "limits": {"cpu_s": record.limits.cpu_s, "memory_mb": record.limits.memory_mb},
        "facts": [(label, clean(value)) for label, value in _facts(record, id)],
        "start": start,
        "board": packing.board(record.game),
    }
    keys = ", <kbd>n</kbd> <kbd>p</kbd> next and previous turning point" if any(judged) else ""
    return {
        "title": join(title or players),
        "result": join(f"{record.game.title}: {result(record)}."),
        "notes": join(*(element("p", note, class_="notes", role="note") for note in _notes(record, side))),
        "replay": Markup(Template(text("report/replay.html")).substitute(keys=keys)),
        "data": join(data_block("data", about), element("script", Markup(packed), type="text/plain", id="replay-1")),
    }


def frame(page: str, label: str) -> str:
    """A page as an element of another one, a notebook's, which it can neither see nor change."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" title="{html.escape(clean(label))}" '
        f'width="100%" height="{FRAME_HEIGHT}" style="border: 0"></iframe>'
    )


def _notes(record: Record, side: int | None) -> Iterator[str]:
    if side is not None:
        yield f"This is what {record.game.sides[side]} could see of the match."
    if record.void and record.end is not None:
        yield f"This match counts for nobody: {record.end.detail or record.end.reason}."


def _facts(record: Record, id: str) -> Iterator[tuple[str, str]]:
    yield "Tournament's id", id
    yield "Game", f"{record.game.title}{_options(record.game)}"
    yield "Started", moment(record.started)
    yield "Seed", str(record.seed)
    yield "Limits", _limits(record.limits)
    yield "Confinement", ", ".join(dict.fromkeys(start.tier for start in record.starts))
    for agent, side in zip(record.agents, record.game.sides, strict=True):
        yield side.capitalize(), f"{agent.spec}, sources {agent.fingerprint[:16] or 'unknown'}"
    yield "Opening", ", ".join(map(str, record.opening))
    versions = {"Python": record.versions.get("python"), "numpy": record.versions.get("numpy")}
    yield (
        "Played with",
        ", ".join(
            [
                f"Watch Your Back! {record.versions.get('watch_your_back')}",
                *(f"{k} {v}" for k, v in versions.items() if v),
            ]
        ),
    )


def _options(game: Game) -> str:
    chosen = ", ".join(f"{name} {value}" for name, value in asdict(game.options).items() if len(str(value)) < 40)
    return f" ({chosen})" if chosen else ""


def _limits(limits: Limits) -> str:
    given = [
        f"{value:g} {unit}"
        for value, unit in ((limits.cpu_s, "s of CPU time"), (limits.memory_mb, "MB of memory"))
        if value is not None
    ]
    return f"{' and '.join(given) or 'none'} (profile {limits.profile})"

"""The styles and scripts of pages, which stand in them as they are, and the policy that lets no others in."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

__all__ = ["GENERATOR", "REPLAY_SCRIPTS", "policy", "scripts", "styles", "text"]

GENERATOR = '<meta name="generator" content="watch-your-back'
"""What stands near the beginning of every page that this program has written."""

REPLAY_SCRIPTS = (
    "show/board.js",
    "report/diagram.js",
    "report/replay.js",
    "report/charts.js",
    "report/playing.js",
)
"""What replays a match; it needs `report/elements.js` before it, and after it what says which match that is."""

_STYLES = ("report/report.css", "report/replay.css", "show/board.css")
_BEGIN, _END = '"use strict";\n{\nconst data = JSON.parse(document.getElementById("data").textContent);\n', "}\n"
"""What makes one script of several, with a scope of its own."""


@cache
def text(name: str) -> str:
    """A file of the package."""
    return files("watch_your_back").joinpath(name).read_text(encoding="utf-8")


def styles() -> str:
    """What all pages look like."""
    return "".join(map(text, _STYLES))


def scripts(names: Iterable[str]) -> str:
    """One script that has all of these, in their order."""
    return _BEGIN + "".join(map(text, names)) + _END


def policy(style: str, script: str) -> str:
    """The content security policy of a page with this style and this script, and nothing else."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

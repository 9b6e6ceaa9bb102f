"""The HTML of the pages, and the files that they load: all of them from the package, none from elsewhere."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from watch_your_back import __version__
from watch_your_back.report.markup import Markup, data_block, element, join

__all__ = ["STATIC", "page", "static"]

_DRAWING = ("elements.js", "board.js", "diagram.js")
_REPLAYING = (*_DRAWING, "single.js", "replay.js", "timeline.js")

STATIC = {
    "report.css": "report/report.css",
    "replay.css": "report/replay.css",
    "board.css": "show/board.css",
    "board.js": "show/board.js",
    "elements.js": "report/elements.js",
    "diagram.js": "report/diagram.js",
    **{
        name: f"web/static/{name}"
        for name in ("web.css", "requests.js", "board_targets.js", "table.js", "table_text.js", "play.js")
    },
}
"""Every file that can be asked for under /static/, and where it is in the package."""

_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}

_SECTIONS = (("/", "Matches"), ("/play", "Play"))


@cache
def static(name: str) -> tuple[bytes, str] | None:
    """The content and the media type of one of the files, None if there is no such one."""
    if name not in STATIC:
        return None
    content = files("watch_your_back").joinpath(STATIC[name]).read_bytes()
    return content, _TYPES[name.rpartition(".")[2]]


@cache
def _template(name: str) -> Template:
    return Template(files("watch_your_back").joinpath(f"web/static/{name}.html").read_text(encoding="utf-8"))


def page(name: str, title: str, data: Any = None, *, here: str = "", scripts: Sequence[str] = _DRAWING) -> str:
    """A page: the file `name`.html in the frame of all pages, with data that its module `name`.js finds."""
    links = join(
        *(
            element("li", element("a", words, href=address, aria_current="page" if address == here else None))
            for address, words in _SECTIONS
        )
    )
    return _template("page").substitute(
        title=html.escape(title),
        version=__version__,
        links=links,
        main=_template(name).substitute(),
        data=Markup("") if data is None else data_block("data", data),
        scripts=join(*(element("script", src=f"/static/{script}") for script in scripts)),
        module=element("script", type="module", src=f"/static/{name}.js"),
    )

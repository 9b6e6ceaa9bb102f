"""The HTML of the pages, and the files that they load: all of them from the package, none from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from string import Template
from typing import Any

from watch_your_back import __version__
from watch_your_back.report.markup import Markup, data_block, element, join
from watch_your_back.report.single import SCRIPTS

__all__ = ["DRAWING", "REPLAYING", "TABLES", "page", "static"]

DRAWING = ("report/elements.js", "show/board.js", "report/diagram.js")
"""The scripts of a page that draws boards."""
TABLES = ("report/elements.js", "report/tables.js")
"""Those of a page with tables that can be sorted."""
REPLAYING = ("web/static/data.js", *SCRIPTS)
"""Those of a page that replays a match."""

_STYLES = ("report/report.css", "report/replay.css", "show/board.css", "web/static/web.css")
_PAGES = ("home", "play", "table", "tournament", "take_over", "missing")
_MODULES = (*_PAGES, "requests", "lists", "crosstable", "targets", "seats", "wording")
_FILES = {
    PurePosixPath(name).name: name
    for name in (*REPLAYING, *DRAWING, *TABLES, *_STYLES, *(f"web/static/{name}.js" for name in _MODULES))
}
"""Every file that can be asked for under /static/, and where it is in the package."""

_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
_SECTIONS = (("/", "Matches"), ("/play", "Play"))


@cache
def static(name: str) -> tuple[bytes, str] | None:
    """The content and the media type of one of the files, None if there is no such one."""
    if name not in _FILES:
        return None
    content = files("watch_your_back").joinpath(_FILES[name]).read_bytes()
    return content, _TYPES[name.rpartition(".")[2]]


@cache
def _template(name: str) -> Template:
    return Template(files("watch_your_back").joinpath(f"web/static/{name}.html").read_text(encoding="utf-8"))


def page(
    name: str,
    title: str,
    data: Any = None,
    *,
    here: str = "",
    scripts: Sequence[str] = DRAWING,
    parts: Mapping[str, Markup] | None = None,
) -> str:
    """A page: the file `name`.html in the frame of all pages, with the module `name`.js.

    The module finds `data` in the element of that id. `parts` are put where the file names them; a `data` among them
    takes the place of what would be made of the argument.
    """
    links = join(
        *(
            element("li", element("a", words, href=address, aria_current="page" if address == here else None))
            for address, words in _SECTIONS
        )
    )
    parts = parts or {}
    own = Markup("") if data is None else data_block("data", data)
    return _template("page").substitute(
        title=join(title),
        version=__version__,
        links=links,
        main=_template(name).substitute(parts),
        data=parts.get("data", own),
        scripts=join(*(element("script", src=f"/static/{PurePosixPath(script).name}") for script in scripts)),
        module=element("script", type="module", src=f"/static/{name}.js"),
    )

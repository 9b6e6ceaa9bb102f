"""HTML that is safe by construction: whatever is not markup already is escaped."""

from __future__ import annotations

import html
import json
from typing import Any, TypeAlias

from watch_your_back.show.text import clean

__all__ = ["Content", "Markup", "data_block", "element", "join", "sentences"]


class Markup(str):
    """Text that is HTML."""

    __slots__ = ()


Content: TypeAlias = str | int | None
"""What an element may hold: markup as it is, other text escaped and without control characters, None for nothing."""

VOID = frozenset({"br", "circle", "col", "input", "line", "meta", "path", "rect"})
"""Elements without an end, those of SVG that need none among them."""


def element(name: str, *content: Content, **attributes: str | float | None) -> Markup:
    """An element. Underscores in attributes stand for hyphens, one at the end for nothing (`class_` is `class`); True
    makes an attribute without a value, None and False leave it out.
    """
    start = name + "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{start}/>")
    return Markup(f"<{start}>{join(*content)}</{name}>")


def join(*content: Content) -> Markup:
    """One after the other."""
    return Markup("".join(map(_escaped, content)))


def sentences(*parts: str) -> str:
    """Those that are not empty, with a space between."""
    return " ".join(filter(None, parts))


def data_block(id: str, value: Any) -> Markup:
    """A JSON value that a script finds under an id. Nothing in it can end the element."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)  # ASCII: U+2028 and lone surrogates are escaped
    return Markup(f'<script type="application/json" id="{id}">{text.replace("<", chr(92) + "u003c")}</script>')


def _attribute(key: str, value: str | float | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    text = f"{value:.5g}" if isinstance(value, float) else html.escape(clean(str(value)))
    return f' {name}="{text}"'


def _escaped(content: Content) -> str:
    if content is None:
        return ""
    return content if isinstance(content, Markup) else html.escape(clean(str(content)), quote=False)

"""Smart Game Format, FF[4]: the text of a file as trees of nodes, and back. What the properties mean is not known here.

The format: https://www.red-bean.com/sgf/. Everything is read without recursion and within bounds, so that no file can
do harm by being large or deep.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

__all__ = ["MAX_BYTES", "MAX_DEPTH", "MAX_NODES", "Node", "SgfError", "Tree", "main_line", "normal", "parse", "write"]

MAX_BYTES = 8 * 1_048_576
"""The largest file that is read."""
MAX_DEPTH = 256
"""Levels of variations within variations."""
MAX_NODES = 200_000
"""Nodes of a file, those of all variations together."""

_CHARSET = re.compile(rb"[;\]\s]CA\s*\[\s*([^\]\\]{1,40}?)\s*\]")
_NO_CHARSETS = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "unicode_escape"})
_BREAK = re.compile(r"\r\n|\n\r|\r")
_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
_BLANK = str.maketrans("\t\v\f", "   ")
_NAME = re.compile(r"[A-Za-z]+")
_SPACE = re.compile(r"\s*")
_VALUE = re.compile(r"[^\]\\]*(?:\\.[^\]\\]*)*", re.DOTALL)


class SgfError(ValueError):
    """A file that is no SGF, or says what cannot be; the message names the line and the column."""


@dataclass(slots=True)
class Node:
    """One node: its properties in order, each with its values, escapes resolved; `place` is for messages."""

    properties: dict[str, list[str]] = field(default_factory=dict)
    place: str = field(default="", compare=False)

    def get(self, name: str) -> str | None:
        """The first value of a property, if it is there."""
        values = self.properties.get(name)
        return values[0] if values else None

    def refuse(self, why: str) -> NoReturn:
        """Raise SgfError about this node."""
        raise SgfError(f"{self.place}: {why}" if self.place else why)


@dataclass(slots=True)
class Tree:
    """One game: the nodes before it branches, and the variations, the main one first."""

    nodes: list[Node] = field(default_factory=list)
    variations: list[Tree] = field(default_factory=list)


def main_line(tree: Tree) -> Iterator[Node]:
    """The nodes of a game along the first variation of each branching."""
    while True:
        yield from tree.nodes
        if not tree.variations:
            return
        tree = tree.variations[0]


def normal(text: str) -> str:
    """Text as it comes back from a file: line breaks as newlines, other blanks as spaces."""
    return _BREAK.sub("\n", text).translate(_BLANK)


def write(trees: Sequence[Tree]) -> str:
    """The text of a file. Node for node, `parse` makes the same trees of it, their texts in `normal` form."""
    parts: list[str] = []
    todo: list[Tree | None] = list(reversed(trees))
    while todo:
        tree = todo.pop()
        if tree is None:
            parts.append(")\n")
            continue
        parts.append("(")
        for node in tree.nodes:
            parts.append(";")
            for name, values in node.properties.items():
                parts.append(name)
                parts += [f"[{_escaped(value)}]" for value in values]
            parts.append("\n")
        todo.append(None)
        todo += reversed(tree.variations)
    return "".join(parts)


def parse(data: bytes | str) -> list[Tree]:
    """The games of a file; what stands before the first one is skipped. Raises SgfError."""
    if len(data) > MAX_BYTES:
        raise SgfError(f"the file has more than {MAX_BYTES // 1_048_576} MB")
    text = data if isinstance(data, str) else decode(data)
    return _Parser(_BREAK.sub("\n", text.removeprefix("\ufeff"))).trees()


def decode(data: bytes) -> str:
    """The text of a file in the encoding that it names (CA); one that names none is UTF-8, or else Latin-1.

    Raises SgfError for an encoding that is not known, or that the file is not in.
    """
    for mark, charset in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if data.startswith(mark):
            return _decoded(data, charset)
    named = _CHARSET.search(data)
    if named is not None:
        return _decoded(data, named[1].decode("latin-1"))
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _decoded(data: bytes, charset: str) -> str:
    try:
        if codecs.lookup(charset).name in _NO_CHARSETS:
            raise LookupError
        return data.decode(charset)
    except (LookupError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise SgfError(f"byte {error.start + 1} is not {charset}, the encoding that the file names") from None
        raise SgfError(f"the file is in {charset!r} (CA), an encoding that is not known here") from None


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")


def _unescaped(value: str) -> str:
    """What a value says: a backslash before a line break removes both, before anything else itself."""
    if "\\" in value:
        value = _ESCAPE.sub(lambda found: "" if found[1] == "\n" else found[1], value)
    return value.translate(_BLANK)


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def trees(self) -> list[Tree]:
        start = re.search(r"\(\s*;", self._text)
        if start is None:
            raise SgfError("this is no SGF: there is no game, which begins with '(;'")
        self._at = start.start()
        trees: list[Tree] = []
        while self._next() == "(":
            trees.append(self._tree())
        return trees  # what follows the last game is nobody's business

    def _tree(self) -> Tree:
        top = Tree()
        open_trees: list[Tree] = []  # from the whole game down to the variation at hand
        nodes = 0
        while True:
            match self._next():
                case "(":
                    new = top if not open_trees else Tree()
                    if open_trees:
                        if not open_trees[-1].nodes:
                            self._refuse("a variation begins with a node, ';', and not with another variation")
                        open_trees[-1].variations.append(new)
                    open_trees.append(new)
                    if len(open_trees) > MAX_DEPTH:
                        self._refuse(f"there are more than {MAX_DEPTH} levels of variations")
                    self._at += 1
                case ";":
                    if open_trees[-1].variations:
                        self._refuse("a node, ';', cannot follow a variation: a '(' is missing before it")
                    nodes += 1
                    if nodes > MAX_NODES:
                        self._refuse(f"there are more than {MAX_NODES:,} nodes")
                    open_trees[-1].nodes.append(self._node())
                case ")":
                    if not open_trees[-1].nodes:
                        self._refuse("a variation without a node")
                    self._at += 1
                    open_trees.pop()
                    if not open_trees:
                        return top
                case "":
                    self._refuse("the file ends within a game: a ')' is missing")
                case other:
                    self._refuse(f"{other!r} where a node, ';', or a variation, '(' or ')', was expected")

    def _node(self) -> Node:
        node = Node(place=self._place(self._at))
        self._at += 1
        while self._next().isalpha():
            named = _NAME.match(self._text, self._at)
            if named is None:
                self._refuse(f"{self._text[self._at]!r} cannot be part of a property's name")
            self._at = named.end()
            if self._next() != "[":
                self._refuse(f"the property {named[0]:.20} has no value, which stands in [ ]")
            # Before FF[3], names had small letters too, which mean nothing.
            name = "".join(letter for letter in named[0] if letter.isupper()) or named[0]
            values = node.properties.setdefault(name, [])  # one that is there twice by mistake has all its values
            while self._next() == "[":
                values.append(self._value())
        return node

    def _value(self) -> str:
        found = _VALUE.match(self._text, self._at + 1)
        assert found is not None
        if self._text[found.end() : found.end() + 1] != "]":
            self._refuse("the value that begins here has no end: a ']' is missing")
        self._at = found.end() + 1
        return _unescaped(found[0])

    def _next(self) -> str:
        """The next character that is no blank; empty at the end."""
        found = _SPACE.match(self._text, self._at)
        assert found is not None
        self._at = found.end()
        return self._text[self._at : self._at + 1]

    def _refuse(self, why: str) -> NoReturn:
        raise SgfError(f"{self._place(self._at)}: {why}")

    def _place(self, at: int) -> str:
        # Counted from the node before, so that a large file is gone through once only.
        known, line, start = self._known
        line += self._text.count("\n", known, at)
        start = max(start, self._text.rfind("\n", known, at) + 1)
        self._known = at, line, start
        return f"line {line}, column {at - start + 1}"

    _known = (0, 1, 0)

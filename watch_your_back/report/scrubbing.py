"""Texts without what tells whose they are: pseudonyms in the place of names, and no paths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from watch_your_back.report.content import Contestant
from watch_your_back.show.text import clean

__all__ = ["Scrubber"]

GENERIC = frozenset(
    {"agent", "agents", "bot", "bots", "init", "main", "player", "players", "src", "submissions", "team"}
)
"""Parts of names that tell of nobody."""
SHORTEST = 3
"""So many letters a part of a name must have to be recognised; a whole name may have any number."""

WORD = re.compile(r"[^\W_]+")
FILE = re.compile(r'\bFile "([^"\n]*)"')
LIBRARY = re.compile(r"^<|[\\/](?:python3[\d.]*|site-packages|dist-packages)[\\/]")
PATH = re.compile(r"(?:(?<![\w./~])~?|\b[A-Za-z]:)[\\/](?:[^\\/\s\"'<>|:,;()]+[\\/])+[^\\/\s\"'<>|:,;()]*")


class Scrubber:
    """Knows the names of all agents, whole and in parts, and finds them in texts, in upper or lower case."""

    def __init__(self, contestants: Iterable[Contestant], pseudonyms: Mapping[str, str]) -> None:
        whole: dict[str, str] = {}
        parts: dict[str, str] = {}
        owners: Counter[str] = Counter()
        for each in contestants:
            names = {clean(name).lower() for name in (each.name, each.spec) if name}
            found = {part for name in names for part in re.split(r"[\\/:.\s]+", name)}
            found |= {word for name in names for word in WORD.findall(name)}
            owners.update(found)
            whole |= dict.fromkeys(names, pseudonyms[each.name])
            parts |= dict.fromkeys(found, pseudonyms[each.name])
        # What several agents have in common tells of none.
        telling = (part for part in parts if owners[part] == 1 and len(part) >= SHORTEST and part not in GENERIC)
        self._terms = {_from_first_word(part): parts[part] for part in telling}
        self._terms |= {_from_first_word(name): pseudonym for name, pseudonym in whole.items()}
        lengths: dict[str, set[int]] = {}
        for term in self._terms:
            if (first := WORD.match(term)) is not None:
                lengths.setdefault(first[0], set()).add(len(term))
        self._lengths = {word: sorted(each, reverse=True) for word, each in lengths.items()}

    def __call__(self, text: str) -> str:
        """The text without names, paths, and characters that could hide them."""
        return self._without_names(_without_paths(clean(text)))

    def _without_names(self, text: str) -> str:
        kept: list[str] = []
        at, low = 0, text.lower()
        if len(low) != len(text):  # a few letters have a longer lower case
            text = low
        for word in WORD.finditer(low):
            start = word.start()
            for length in self._lengths.get(word[0], ()) if start >= at else ():
                end = start + length
                pseudonym = self._terms.get(low[start:end])
                if pseudonym is not None and not WORD.match(low[end - 1 : end + 1], 1):
                    kept += (text[at:start], pseudonym)
                    at = end
                    break
        return "".join((*kept, text[at:]))


def _from_first_word(term: str) -> str:
    first = WORD.search(term)
    return term[first.start() :] if first else ""


def _without_paths(text: str) -> str:
    """The text with the files of a traceback numbered, those of the library by their names, and no other path."""
    numbers: dict[str, int] = {}

    def named(found: re.Match[str]) -> str:
        path = found[1]
        if LIBRARY.search(path):
            path = path.replace("\\", "/").rpartition("/")[2]
            return f'File "{path}"'
        return f'File "file {numbers.setdefault(path, len(numbers) + 1)}"'

    return PATH.sub("(path)", FILE.sub(named, text))

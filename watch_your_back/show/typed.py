"""Actions as a person types them: their numbers and words in order, without brackets and commas."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from watch_your_back.game import Action, ActionForm

__all__ = ["NONE", "PASS", "Words", "begins", "is_whole", "literal", "parts_of", "readings", "said", "shaped", "typed"]

Words: TypeAlias = list[int | str]

PASS = "pass"
"""What is typed for an action that is None."""
NONE = "none"
"""What is typed for None within an action."""
_TOKEN = re.compile(r"[^\s,()\[\]'\"]+")
_NUMBER = re.compile(r"-?\d+")
_PART = re.compile(r"(?<!\d)-?\d+|[A-Za-z_]+")


def typed(action: Action) -> str:
    """The short form of an action: `3 4 3 5`, `h 2 1`, `pass`."""
    return PASS if action is None else " ".join(map(str, parts_of(action)))


def said(form: ActionForm) -> str:
    """What a person types for the example of a form."""
    return form.typed or typed(form.example)


def parts_of(action: Action) -> Words:
    """The numbers and words of an action in their order."""
    if isinstance(action, tuple):
        return [part for item in action for part in ([NONE] if item is None else parts_of(item))]
    return [] if action is None else [action]


def readings(line: str) -> Iterator[Words]:
    """What a line may say: first as it is divided by blanks, commas and brackets, then its numbers and letters apart,
    so that `2-2-3-2` and `h2,1` are understood too. A minus right after a number separates it from the next one.
    """
    tokens = _TOKEN.findall(line)
    yield [int(token) if _NUMBER.fullmatch(token) else token for token in tokens]
    yield [int(part) if part[-1].isdigit() else part for part in _PART.findall(line)]


def begins(action: Action, words: Sequence[int | str]) -> bool:
    """Whether what is typed for an action begins with these words, in capitals or not."""
    return _plain(parts_of(action)[: len(words)]) == _plain(words)


def is_whole(action: Action, words: Sequence[int | str]) -> bool:
    """Whether these words are all that is typed for an action; `none` at its end may be left out."""
    parts = parts_of(action)
    return _plain(parts[: len(words)]) == _plain(words) and set(parts[len(words) :]) <= {NONE}


def _plain(words: Iterable[int | str]) -> Words:
    return [word.lower() if isinstance(word, str) else word for word in words]


def literal(line: str) -> Action:
    """The action of a line that is written out with all its brackets, such as `((3, 4), (5, 4))`, or else None."""
    try:
        action = ast.literal_eval(line)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return action if isinstance(action, tuple) and line.startswith("(") else None


def shaped(words: Sequence[int | str], patterns: Iterable[Action]) -> Action:
    """The words in the brackets of the first of these actions that has as many, or else in one pair of brackets."""
    for pattern in patterns:
        if isinstance(pattern, tuple) and len(parts_of(pattern)) == len(words):
            return _in_brackets(pattern, iter(words))
    return tuple(words)


def _in_brackets(pattern: Action, words: Iterator[int | str]) -> Action:
    return tuple(_in_brackets(item, words) for item in pattern) if isinstance(pattern, tuple) else next(words)

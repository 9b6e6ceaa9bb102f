"""The normal form of an action: what a player returned, as plain nested tuples of ints, strings and None.

Players return lists, bools, NumPy scalars and generators, by accident or on purpose. `normal_form` runs on the object
itself in the player's process, and once more on what arrives in the referee's; no method of the object is called.
"""

from __future__ import annotations

from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, TypeAlias

__all__ = ["MAX_DEPTH", "MAX_ITEMS", "MAX_TEXT", "Action", "IllegalAction", "normal_form"]

Action: TypeAlias = "int | str | tuple[Action, ...] | None"
"""What a side does on its turn: nested tuples of ints and strings, or `None` for a turn that must be passed."""

MAX_DEPTH = 8
"""Levels of tuples in an action."""
MAX_ITEMS = 10_000
"""Items in an action, those of all its tuples together."""
MAX_TEXT = 10_000
"""Characters in an action, those of all its strings together."""

_LOW, _HIGH = -(1 << 63), (1 << 63) - 1
_SHORT = 16  # items of a tuple that the quick test looks at; the actions of most games have two
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: made by a class statement, not by a C module


class IllegalAction(ValueError):
    """An action that the rules do not allow.

    `kind` is for programs (`form`, `phase`, `off_board`, `corner`, `zone`, `occupied`, `not_yours`, `unreachable`,
    `must_pass`, `may_not_pass`, `over`, ...); the message is for the author of the player: what was done, what was
    expected, and for a wrong type how to mend it.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message

    def __str__(self) -> str:
        return self.message


def normal_form(action: object, *, booleans: bool = True) -> Action:
    """What a player returned as plain nested tuples of exact ints, strings and None.

    Tuples and lists (and their subclasses) become tuples, ints and their subclasses exact ints, strings exact strings;
    True and False become 1 and 0, or are refused without `booleans`. At most 8 levels deep, 10,000 items and 10,000
    characters in all, ints within 64 bits. No method of the object is ever called, not even `repr` or `__class__`, so
    that a hostile object is as harmless as any other.

    Raises IllegalAction of kind `form` saying what is wrong, where, and how to mend it.
    """
    if action is None:
        return None
    plain = _plain(action)
    return plain if plain is not None else _Normaliser(booleans).form(action, (), 0)


def _plain(action: object) -> tuple[Action, ...] | None:
    """The normal form of a short tuple or list of exact ints and of short ones of them, most actions' quick way."""
    if (type(action) is not tuple and type(action) is not list) or len(action) > _SHORT:
        return None
    parts: list[Action] = []
    for item in tuple(action):  # of copies, so that no other thread can change a list once it has been looked at
        if type(item) is int:
            if not _LOW <= item <= _HIGH:
                return None
            parts.append(item)
        elif (type(item) is tuple or type(item) is list) and len(item) <= _SHORT:
            inner = tuple(item)
            for part in inner:
                if type(part) is not int or not _LOW <= part <= _HIGH:
                    return None
            parts.append(inner)
        else:
            return None
    return tuple(parts)


class _Normaliser:
    """One walk through an action, counting against the limits.

    Methods are taken from the built-in base (`list.__getitem__`), never looked up on the item. `issubclass` on exact
    types looks at the bases that the interpreter itself goes by, about which an object cannot lie.
    """

    def __init__(self, booleans: bool) -> None:
        self.booleans = booleans
        self.items = 0
        self.characters = 0

    def form(self, item: Any, where: tuple[int, ...], depth: int) -> Action:
        kind = type(item)
        if item is None:
            return None
        if kind is bool and not self.booleans:
            raise IllegalAction("form", f"{_place(where)} is {item} (bool): return the int {int(item)} instead")
        if issubclass(kind, int):
            number = int.__pos__(item)
            if not _LOW <= number <= _HIGH:
                raise IllegalAction("form", f"{_place(where)} is a number of more than 64 bits")
            return number
        if issubclass(kind, str):
            self.characters += str.__len__(item)
            if self.characters > MAX_TEXT:
                raise IllegalAction("form", f"the action has more than {MAX_TEXT:,} characters of text")
            return str.__str__(item)
        if issubclass(kind, (tuple, list)):
            if depth == MAX_DEPTH:
                raise IllegalAction("form", f"the action is nested more than {MAX_DEPTH} levels deep")
            base: Any = tuple if issubclass(kind, tuple) else list
            # One slice, so that a list that grows meanwhile is read once and never beyond the limit.
            parts = base.__getitem__(item, slice(MAX_ITEMS + 1))
            self.items += len(parts)
            if self.items > MAX_ITEMS:
                raise IllegalAction("form", f"the action has more than {MAX_ITEMS:,} items")
            return tuple([self.form(part, (*where, index), depth + 1) for index, part in enumerate(parts)])
        raise IllegalAction("form", f"{_place(where)} is of type {_type_name(kind)}: {_advice(kind)}")


def _place(where: tuple[int, ...]) -> str:
    return "action" + "".join(f"[{index}]" for index in where) if where else "the action"


def _advice(kind: type) -> str:
    bases = type.__dict__["__mro__"].__get__(kind)
    if any(_type_name(base).startswith("numpy.") for base in bases):
        return "NumPy values are not plain ones; return int(x) for each number, or array.tolist()"
    if issubclass(kind, (float, complex)):
        return "return whole numbers as int, for example int(x), and use // instead of / for division"
    if issubclass(kind, (set, frozenset, dict)):
        return "return a tuple, which has an order"
    if issubclass(kind, (bytes, bytearray)):
        return "return a tuple of ints, not bytes"
    if issubclass(kind, (FunctionType, MethodType, BuiltinFunctionType, type)):
        return "it is to be called: are its brackets missing?"
    methods = {name for base in bases for name in _own(base)}
    if "__iter__" in methods:
        return "return its items in a tuple, for example tuple(...)"
    if "__index__" in methods:
        return "return int(x) for each number"
    return "return plain tuples of ints"


def _type_name(kind: type) -> str:
    """The type's name with its module, such as `numpy.int64`."""
    if type.__dict__["__flags__"].__get__(kind) & _HEAP_TYPE:
        module = _own(kind).get("__module__")
    else:
        module = type.__dict__["__module__"].__get__(kind)
    parts = [type.__dict__["__name__"].__get__(kind)]
    if type(module) is str and module not in ("builtins", "__main__"):
        parts.insert(0, module)
    name = ".".join([str.__getitem__(part, slice(100)) for part in parts])
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def _own(kind: type) -> dict[str, object]:
    """What a class itself defines; keys of other types than str are left out, for they could have methods."""
    return {name: value for name, value in type.__dict__["__dict__"].__get__(kind).items() if type(name) is str}

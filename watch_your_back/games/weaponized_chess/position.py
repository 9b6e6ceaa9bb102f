"""Position files: boards to begin with, as TOML that a person can write (the board editor of section 13.4).

    format = "weaponized_chess_position/1"
    to_move = "black"
    pieces = [
        {side = "black", type = "K", square = [1, 5]},
        {side = "white", type = "K", square = [10, 6], articles = ["ACS"]},
        {side = "black", type = "TA", hand = "right", square = [2, 4], articles = ["XXX", "RL"]},
        {side = "white", type = "FP", square = [9, 3], at_origin = true},
        {side = "black", type = "JE", square = [5, 5], level = "air"},
    ]
    articles = [{type = "SH", square = [5, 2]}]
    reinforcements = [{side = "black", type = "SU", square = [9, 2]}]

A piece may have an `id`, else it gets one such as `B-TA-1`; an article is its type or `{id = "A-01", type = "FL"}`.
`locks = [{locker = "B-SHP-1", target = "W-SHP-1"}]` are those of inherent anti-stealths.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from typing import Any

from watch_your_back.games.weaponized_chess.kinds import ARTICLES, KINDS
from watch_your_back.games.weaponized_chess.squares import LEVELS, SIDES, on_board

__all__ = ["FORMAT", "PositionError", "read", "write"]

FORMAT = "weaponized_chess_position/1"
MOST_ARTICLES = 200
_KEYS = ("format", "to_move", "pieces", "articles", "reinforcements", "locks")


class PositionError(ValueError):
    """What is wrong with a position, and where: `pieces[3]` is the fourth one in the list."""


def read(text: str, *, boxes: bool = True) -> dict[str, Any]:
    """The set-up of a position file, complete: ids, levels and hands for all.

    `boxes` says whether XXX pawns have their box (option `xxx_boxes`). Raises PositionError.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PositionError(f"not a TOML file: {error}") from None
    except RecursionError:
        raise PositionError("it is nested too deeply") from None
    for key in data:
        if key not in _KEYS:
            raise PositionError(f"{key}: there is no such key; those of a position are {', '.join(_KEYS)}")
    _expect(data.get("format") == FORMAT, "format", f'expected format = "{FORMAT}"')
    _expect(data.get("to_move", "black") in SIDES, "to_move", f"one of {', '.join(SIDES)}")
    setup: dict[str, Any] = {"to_move": data.get("to_move", "black")}
    setup["pieces"] = [_piece(f"pieces[{n}]", each) for n, each in enumerate(_tables(data, "pieces"))]
    setup["articles"] = [_lying(f"articles[{n}]", each) for n, each in enumerate(_tables(data, "articles"))]
    setup["reinforcements"] = [
        _reserve(f"reinforcements[{n}]", each) for n, each in enumerate(_tables(data, "reinforcements"))
    ]
    _name_pieces(setup)
    _name_articles(setup)
    _check_room(setup, boxes)
    setup["locks"] = [_lock(f"locks[{n}]", each, setup) for n, each in enumerate(_tables(data, "locks"))]
    return setup


def write(setup: dict[str, Any]) -> str:
    """A set-up as the text of a position file; `read` is its inverse."""
    lines = [f'format = "{FORMAT}"', f'to_move = "{setup["to_move"]}"']
    for name in ("pieces", "articles", "reinforcements", "locks"):
        if setup.get(name):
            lines += [f"{name} = [", *(f"    {_inline(each)}," for each in setup[name]), "]"]
    return "\n".join(lines) + "\n"


def _inline(value: Any) -> str:
    """A value in TOML on one line, without the members that say nothing."""
    if isinstance(value, dict):
        told = {key: each for key, each in value.items() if each not in (None, False, []) and (key, each) != _PLAIN}
        return "{" + ", ".join(f"{key} = {_inline(each)}" for key, each in told.items()) + "}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


_PLAIN = ("level", "ground")


def _expect(holds: bool, where: str, expected: str) -> None:
    if not holds:
        raise PositionError(f"{where}: {expected}")


def _tables(data: dict[str, Any], name: str) -> list[Any]:
    listed = data.get(name, [])
    _expect(type(listed) is list, name, "a list of tables, each in braces")
    return listed  # type: ignore[no-any-return]


def _table(where: str, about: Any, keys: dict[str, bool]) -> dict[str, Any]:
    """A table with these keys, those that are true required."""
    _expect(type(about) is dict, where, "a table in braces, such as {type = ..., square = [5, 5]}")
    for key in about:
        _expect(key in keys, where, f"there is no key {key!r} here; known are {', '.join(keys)}")
    for key, required in keys.items():
        _expect(not required or key in about, where, f"{key} is missing")
    return about  # type: ignore[no-any-return]


def _one_of(where: str, value: Any, known: Iterable[str]) -> str:
    listed = list(known)
    _expect(type(value) is str and value in listed, where, f"one of {', '.join(listed)}, not {value!r}")
    return str(value)


def _square(where: str, value: Any) -> list[int]:
    fits = type(value) is list and len(value) == 2 and all(type(each) is int for each in value) and on_board(*value)
    _expect(fits, f"{where}.square", f"[row, column], both from 1 to 10, not {value!r}")
    return list(value)


def _id(where: str, value: Any) -> str | None:
    fits = value is None or (type(value) is str and 0 < len(value) <= 20 and value.isascii() and value.isprintable())
    _expect(fits and '"' not in (value or "") and "\\" not in (value or ""), f"{where}.id", "up to 20 plain characters")
    return value  # type: ignore[no-any-return]


def _unit(where: str, about: dict[str, Any]) -> dict[str, Any]:
    """What pieces and reinforcements have in common."""
    kind = _one_of(f"{where}.type", about["type"], KINDS)
    hand = about.get("hand")
    if KINDS[kind].handed:
        _one_of(f"{where}.hand", hand, ("right", "left"))
    else:
        _expect(hand is None, f"{where}.hand", f"{kind} is neither right- nor left-handed")
    return {
        "id": _id(where, about.get("id")),
        "side": _one_of(f"{where}.side", about["side"], SIDES),
        "type": kind,
        "square": _square(where, about["square"]),
        "hand": hand,
    }


_UNIT = {"id": False, "side": True, "type": True, "square": True, "hand": False}


def _piece(where: str, about: Any) -> dict[str, Any]:
    about = _table(where, about, {**_UNIT, "level": False, "articles": False, "at_origin": False})
    held = about.get("articles", [])
    _expect(type(held) is list, f"{where}.articles", 'a list of types, such as ["XXX", "RL"]')
    origin = about.get("at_origin", False)
    _expect(type(origin) is bool, f"{where}.at_origin", "true or false")
    piece = _unit(where, about)
    _expect(not origin or KINDS[piece["type"]].pawn, f"{where}.at_origin", f"{piece['type']} is no pawn")
    piece["level"] = _one_of(f"{where}.level", about.get("level", "ground"), LEVELS)
    piece["articles"] = [_held(f"{where}.articles[{n}]", each) for n, each in enumerate(held)]
    piece["at_origin"] = origin
    return piece


def _held(where: str, about: Any) -> dict[str, Any]:
    about = _table(where, {"type": about} if type(about) is str else about, {"id": False, "type": True})
    return {"id": _id(where, about.get("id")), "type": _one_of(where, about["type"], ARTICLES)}


def _lying(where: str, about: Any) -> dict[str, Any]:
    about = _table(where, about, {"id": False, "type": True, "square": True})
    return {
        **_held(where, {k: v for k, v in about.items() if k != "square"}),
        "square": _square(where, about["square"]),
    }


def _reserve(where: str, about: Any) -> dict[str, Any]:
    return _unit(where, _table(where, about, _UNIT))


def _name(listed: list[dict[str, Any]], where: str, made: Callable[[dict[str, Any], int], str]) -> None:
    """Give an id to those that have none; all are to be different."""
    taken: set[str] = set()
    for each in listed:
        _expect(each["id"] is None or each["id"] not in taken, where, f"the id {each['id']!r} occurs twice")
        taken.add(each["id"])
    for each in listed:
        number = 1
        while each["id"] is None:
            id = made(each, number)
            if id not in taken:
                each["id"] = id
                taken.add(id)
            number += 1


def _name_pieces(setup: dict[str, Any]) -> None:
    _name(setup["pieces"], "pieces", lambda each, n: f"{each['side'][0].upper()}-{each['type']}-{n}")
    _name(
        [*setup["pieces"], *setup["reinforcements"]],
        "reinforcements",
        lambda each, n: f"{each['side'][0].upper()}-R-{n}",
    )


def _name_articles(setup: dict[str, Any]) -> None:
    held = [article for piece in setup["pieces"] for article in piece["articles"]]
    listed = [*setup["articles"], *held]
    _expect(len(listed) <= MOST_ARTICLES, "articles", f"{MOST_ARTICLES} at most, with those that pieces carry")
    _name(listed, "articles", lambda each, n: f"A-{n:02}")


def _lock(where: str, about: Any, setup: dict[str, Any]) -> dict[str, str]:
    about = _table(where, about, {"locker": True, "target": True})
    pieces = {piece["id"]: piece for piece in setup["pieces"]}
    for key in ("locker", "target"):
        _expect(about[key] in pieces, f"{where}.{key}", f"the id of a piece, not {about[key]!r}")
    locker, target = pieces[about["locker"]], pieces[about["target"]]
    _expect(KINDS[locker["type"]].anti_stealth, f"{where}.locker", f"{locker['type']} has no inherent anti-stealth")
    stealthy = KINDS[target["type"]].stealth or any(article["type"] == "SH" for article in target["articles"])
    _expect(stealthy, f"{where}.target", f"{about['target']} has no stealth")
    _expect(locker["side"] != target["side"], where, "a lock is on a piece of the other side")
    return {"locker": locker["id"], "target": target["id"]}


def _check_room(setup: dict[str, Any], boxes: bool) -> None:
    """Occupancy (section 1.3), capacities (6.1) and activation squares (3.3)."""
    there: dict[tuple[int, int, str], list[dict[str, Any]]] = {}
    for n, piece in enumerate(setup["pieces"]):
        others = there.setdefault((*piece["square"], piece["level"]), [])
        where, cell = f"pieces[{n}]", f"{piece['level']} {tuple(piece['square'])}"
        _expect(len(others) < 2, where, f"there are two pieces on {cell} already")
        for other in others:
            _expect(other["side"] == piece["side"], where, f"a piece of the other side is on {cell}")
            coexist = KINDS[piece["type"]].coexists or KINDS[other["type"]].coexists
            _expect(coexist, where, f"{piece['type']} and {other['type']} cannot share {cell}: neither coexists")
        others.append(piece)
        box = any(article["type"] == "XXX" for article in piece["articles"])
        room = (2 if boxes else 1) if KINDS[piece["type"]].box else 3 if box else 1
        _expect(len(piece["articles"]) <= room, f"{where}.articles", f"{piece['type']} can carry {room} at most")
    _check_squares("articles", setup["articles"], lambda each: tuple(each["square"]))
    reserves = setup["reinforcements"]
    _check_squares("reinforcements", reserves, lambda each: (each["side"], *each["square"]))
    for n, each in enumerate(reserves):
        shared = sum(other["square"] == each["square"] and other["side"] == each["side"] for other in reserves) > 1
        alone = "has to be alone on its activation square"
        _expect(not (shared and each["hand"]), f"reinforcements[{n}]", f"{each['type']} {alone}")


def _check_squares(name: str, listed: list[dict[str, Any]], where: Callable[[dict[str, Any]], object]) -> None:
    for n, each in enumerate(listed):
        before = sum(where(other) == where(each) for other in listed[:n])
        _expect(before < 2, f"{name}[{n}]", f"there are two on {tuple(each['square'])} already")

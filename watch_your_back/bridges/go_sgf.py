"""A game of Go as SGF: what the properties of a file mean.

Read is the main line of the first game. Properties that say nothing about the course of the game are left aside, and
rules that a file names are taken for the nearest ones that there are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from watch_your_back import __version__
from watch_your_back.bridges.sgf import Node, Tree, main_line, parse, write
from watch_your_back.game import Action, Game, IllegalAction, OptionError
from watch_your_back.games.go import GAME as Go
from watch_your_back.games.go import Position

__all__ = ["GoGame", "read_game", "write_game"]

_LETTERS = "abcdefghijklmnopqrs"
_RULES = {
    "chinese": "Chinese",
    "japanese": "Japanese",
    "tromp-taylor": "Tromp-Taylor",
}
_TAKEN_FOR = {"korean": "japanese", "nz": "tromp-taylor", "new zealand": "tromp-taylor"}
_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})")
_OWN = "WYB"
"""Our own property: the options of the game that SGF has no word for, each as `name:value`."""
_TEXTS = ("PB", "PW", "BR", "WR", "DT", "EV", "RO", "PC", "GN", "GC", "SO", "US", "TM", "OT")


@dataclass(frozen=True)
class GoGame:
    """What a file says of one game.

    `start` is where it begins, with the stones that were set up; `comments` and `left_s` (seconds that the side had
    left, None where that is not said) go with the actions. `closing` is the comment after the last action. `about` are
    other properties of the game by their names: PB and PW are the players', DT the date. `result` is RE.
    """

    game: Go
    start: Position
    actions: tuple[Action, ...] = ()
    comments: tuple[str, ...] = ()
    left_s: tuple[float | None, ...] = ()
    closing: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    result: str = ""


def write_game(game: GoGame) -> str:
    """The text of a file, in UTF-8; `read_game` is its inverse."""
    options, start = game.game.options, game.start
    root = Node({"FF": ["4"], "CA": ["UTF-8"], "GM": ["1"], "AP": [f"watch-your-back:{__version__}"]})
    root.properties |= {"SZ": [str(options.size)], "KM": [f"{options.komi:g}"], "RU": [_RULES[options.rules]]}
    root.properties |= {name: [game.about[name]] for name in _TEXTS if game.about.get(name)}
    if game.result:
        root.properties["RE"] = [game.result]
    root.properties[_OWN] = [f"superko:{options.superko}", f"turn_cap:{options.turn_cap}"]
    if options.handicap:
        root.properties["HA"] = [str(options.handicap)]
    for side, name in enumerate(("AB", "AW")):
        points = [_point(piece.cell) for piece in start.picture().pieces if piece.side == side]
        if points:
            root.properties[name] = points
    if options.handicap or start != game.game.initial():
        root.properties["PL"] = ["BW"[start.to_move]]
    nodes, side = [root], start.to_move
    for ply, action in enumerate(game.actions):
        node = Node({"BW"[side]: [_point(action)]})
        if ply < len(game.left_s) and (left := game.left_s[ply]) is not None:
            node.properties["BW"[side] + "L"] = [f"{left:.3f}"]
        if ply < len(game.comments) and game.comments[ply]:
            node.properties["C"] = [game.comments[ply]]
        nodes.append(node)
        side = 1 - side
    if game.closing:
        nodes.append(Node({"C": [game.closing]}))
    return write([Tree(nodes)])


def read_game(data: bytes | str) -> GoGame:
    """The game in a file. Raises SgfError for what is no SGF, no Go, or breaks the rules, naming the place."""
    nodes = list(main_line(parse(data)[0]))
    root = nodes[0]
    if (kind := root.get("GM")) not in (None, "1", ""):
        root.refuse(f"this is not Go, whose number is GM[1], but GM[{kind:.10}]")
    size = _size(root)
    first = next(
        (number for number, node in enumerate(nodes) if "B" in node.properties or "W" in node.properties), None
    )
    before, played = nodes[:first], nodes[first:]
    if first is None:
        played = [node for node in nodes[1:] if not _has_stones(node)]  # which may have a comment
    elif _has_stones(played[0]):
        before = [*before, played[0]]
    stones = [set(_points(before, name, size)) for name in ("AB", "AW")]
    options = _options(root, size)
    game = _game(root, options)
    handicap = _handicap(root, before, game, stones)
    if handicap:
        game = _game(root, options | {"handicap": handicap})
    start = game.initial() if handicap else _placed(root, game, stones, _first_side(before, played, root))
    about = {name: value for name in _TEXTS if (value := root.get(name))}
    return _played(GoGame(start.game, start, about=about, result=(root.get("RE") or "").strip()), played)


def _played(found: GoGame, nodes: Iterable[Node]) -> GoGame:
    """The game with the actions of these nodes."""
    state, size = found.start, found.game.options.size
    actions: list[Action] = []
    comments: list[str] = []
    left_s: list[float | None] = []
    closing = ""
    for node in nodes:
        names = [name for name in ("B", "W") if name in node.properties]
        if not names:
            closing = node.get("C") or closing
        if len(names) == 2:
            node.refuse("a move of Black and one of White in the same node")
        if not names:
            if _has_stones(node):
                node.refuse("stones are set up or taken away in the middle of the game")
            continue
        if actions and _has_stones(node):
            node.refuse("stones are set up or taken away in the middle of the game")
        action = _action(node, names[0], size)
        if state.outcome is not None:
            if action is None:
                continue  # some rules want a third pass
            node.refuse(f"move {len(actions) + 1}: a stone after the end of the game ({state.outcome.reason})")
        side = "BW".index(names[0])
        if side != state.to_move:
            node.refuse(f"move {len(actions) + 1} is {found.game.sides[side]}'s, as was the one before it")
        try:
            state = state.play(state.check_form(action))
        except IllegalAction as error:
            node.refuse(f"move {len(actions) + 1} is illegal: {error}")
        actions.append(action)
        comments.append(node.get("C") or "")
        left_s.append(_number(node.get(names[0] + "L")))
        closing = ""
    return replace(found, actions=tuple(actions), comments=tuple(comments), left_s=tuple(left_s), closing=closing)


def _size(root: Node) -> int:
    said = root.get("SZ") or "19"
    found = re.fullmatch(r"\s*([0-9]{1,2})\s*(?::\s*([0-9]{1,2})\s*)?", said)
    if found is None:
        root.refuse(f"the size of the board, SZ, is a number, not {said[:20]!r}")
    if found[2] not in (None, found[1]):
        root.refuse(f"the board is {found[1]} x {found[2]}: only square ones can be played on")
    return int(found[1])


def _options(root: Node, size: int) -> dict[str, Any]:
    """The options of the game but for its handicap; in a file that is not ours, no repetition but the basic ko is
    forbidden and there is no turn cap, since its game was played under other rules."""
    said = (root.get("RU") or "").strip().lower()
    options: dict[str, Any] = {"size": size, "superko": "simple", "turn_cap": 0}
    options["rules"] = said if said in _RULES else _TAKEN_FOR.get(said, "chinese")
    komi = _number(root.get("KM") or "0")
    if komi is None:
        root.refuse(f"the komi, KM, is a number, not {root.get('KM')!r:.40}")
    options["komi"] = komi
    for value in root.properties.get(_OWN, ()):
        name, _, word = value.partition(":")
        if name == "superko":
            options[name] = word
        elif name == "turn_cap" and re.fullmatch(r"-?[0-9]{1,6}", word):
            options[name] = int(word)
    return options


def _game(root: Node, options: Mapping[str, Any]) -> Go:
    try:
        game = Game.load("go", **options)
    except OptionError as error:
        root.refuse(str(error))
    assert isinstance(game, Go)
    return game


def _handicap(root: Node, before: Iterable[Node], game: Go, stones: Sequence[set[Action]]) -> int:
    """The number of handicap stones, if they stand where the game puts them and White begins; or 0."""
    black, white = stones
    number = int(_number(root.get("HA")) or 0) or len(black)
    if not 2 <= number <= 9 or white or len(black) not in (0, number) or (not black and root.get("HA") is None):
        return 0
    usual = _usual_points(game, number)
    turn = next((said for node in before if (said := node.get("PL"))), "W").strip().upper()
    return number if usual and (not black or black == usual) and turn[:1] == "W" else 0


def _usual_points(game: Go, number: int) -> set[Action]:
    """Where so many handicap stones stand on this board; nowhere on one that has no points for them."""
    try:
        given = Game.load("go", **{**asdict(game.options), "handicap": number})
    except OptionError:
        return set()
    return {piece.cell for piece in given.initial().picture().pieces}


def _placed(root: Node, game: Go, stones: Sequence[set[Action]], to_move: int) -> Position:
    """The position with these stones: a diagram of one that a game without captures could have come to."""
    if not any(stones) and to_move == game.initial().to_move:
        return game.initial()
    game = _game(root, {**asdict(game.options), "superko": "simple"})  # a diagram tells no more history than that
    black, white = stones
    turns = max(2 * len(black) - 1, 2 * len(white), 0)
    turns += turns % 2 != to_move
    head, *rows = game.initial().text().splitlines()[: game.options.size + 1]
    width = len(head.split()[-1]) + 1
    ours, theirs, none = game.initial().play((0, 0)).play((1, 0)).text().splitlines()[1].split()[1:4]
    for y, row in enumerate(rows):
        signs = [ours if (x, y) in black else theirs if (x, y) in white else none for x in range(game.options.size)]
        rows[y] = row[: width - 1] + "".join(f"{sign:>{width}}" for sign in signs)
    below = [f"turns: {turns}, {game.sides[to_move]} to play", "prisoners: black has taken 0, white 0", "ko: none"]
    try:
        return game.parse("\n".join([head, *rows, *below]))
    except ValueError as error:
        root.refuse(f"the stones that are set up make no position: {error}")


def _first_side(before: Iterable[Node], played: Collection[Node], root: Node) -> int:
    for node in before:
        said = (node.get("PL") or "").strip().upper()[:1]
        if said in ("B", "W"):
            return "BW".index(said)
    for node in played:
        if "B" in node.properties or "W" in node.properties:
            return int("B" not in node.properties)
    return int((_number(root.get("HA")) or 0) > 1)


def _has_stones(node: Node) -> bool:
    return any(name in node.properties for name in ("AB", "AW", "AE"))


def _points(nodes: Iterable[Node], name: str, size: int) -> Iterator[Action]:
    """The points of a property, rectangles of them (`aa:cc`) among them."""
    for node in nodes:
        for value in node.properties.get(name, ()):
            first, colon, last = value.strip().partition(":")
            left, top = _cell(node, first, size)
            right, bottom = _cell(node, last, size) if colon else (left, top)
            yield from ((x, y) for y in range(top, bottom + 1) for x in range(left, right + 1))


def _cell(node: Node, word: str, size: int) -> tuple[int, int]:
    if re.fullmatch(r"[a-s]{2}", word):
        x, y = map(_LETTERS.index, word)
        if x < size and y < size:
            return x, y
    node.refuse(f"{word[:20]!r} is no point of a {size}x{size} board")


def _action(node: Node, name: str, size: int) -> Action:
    word = (node.get(name) or "").strip()
    return None if word == "" or (word == "tt" and size <= 19) else _cell(node, word, size)


def _point(action: Action) -> str:
    return f"{_LETTERS[action[0]]}{_LETTERS[action[1]]}" if isinstance(action, tuple) else ""  # type: ignore[index]


def _number(word: str | None) -> float | None:
    return float(word) if word and _NUMBER.fullmatch(word.strip()) else None

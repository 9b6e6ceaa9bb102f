"""From a set-up to a board: the standard one, or that of a position file (section 3)."""

from __future__ import annotations

from typing import Any

from watch_your_back.games.weaponized_chess import position
from watch_your_back.games.weaponized_chess.board import Board
from watch_your_back.games.weaponized_chess.cast import INHERENT, NONE, Cast
from watch_your_back.games.weaponized_chess.kinds import ARTICLES, GOVERNMENTS, KINDS, read_data
from watch_your_back.games.weaponized_chess.rules import Rules, rules_of
from watch_your_back.games.weaponized_chess.squares import LEVELS, SIDES, place, square_of

__all__ = ["board_of", "emptied", "setup_of", "written"]

_LEFT_OUT_WITHOUT_WEAPONS = ("weapon", "defence")


def setup_of(options: Any) -> dict[str, Any]:
    """The set-up that a match with these options begins with, in the form of a position file."""
    setup = position.read(options.position, boxes=options.xxx_boxes) if options.position else _standard(options)
    for holder in (setup, *setup["pieces"]):
        holder["articles"] = [
            article
            for article in holder.get("articles", ())
            if (options.weapons or ARTICLES[article["type"]]["use"] not in _LEFT_OUT_WITHOUT_WEAPONS)
            and (options.xxx_boxes or article["type"] != "XXX")
        ]
    if not options.reinforcements:
        setup["reinforcements"] = []
    return setup


def _standard(options: Any) -> dict[str, Any]:
    setup = read_data("setup.json")
    governments = {side: GOVERNMENTS[getattr(options, f"government_{side}")] for side in SIDES}
    for piece in (*setup["pieces"], *setup["reinforcements"]):
        role = KINDS[piece["type"]].role
        if role in ("primary", "secondary"):
            piece["type"] = governments[piece["side"]][role]
    return setup  # type: ignore[no-any-return]


def board_of(setup: dict[str, Any], options: Any) -> Board:
    """The board of a set-up, which has been found valid."""
    rules: Rules = rules_of(options)
    reserves = setup["reinforcements"]
    listed = sorted((*setup["pieces"], *reserves), key=lambda each: each["id"])
    held = [(article, None) for article in setup["articles"]]
    held += [(article, piece["id"]) for piece in setup["pieces"] for article in piece["articles"]]
    held.sort(key=lambda each: each[0]["id"])
    homes = {each["id"]: 100 * SIDES.index(each["side"]) + square_of(*each["square"]) for each in reserves}
    cast = Cast(
        tuple(each["id"] for each in listed),
        tuple(KINDS[each["type"]] for each in listed),
        tuple(each.get("hand") for each in listed),
        tuple(homes.get(each["id"], -1) for each in listed),
        tuple(article["id"] for article, _ in held),
        tuple(article["type"] for article, _ in held),
        {each["id"]: number for number, each in enumerate(listed)},
        {
            "TL": tuple(n for n, each in enumerate(listed) if "TL" in KINDS[each["type"]].weapons),
            "ASH": tuple(n for n, each in enumerate(listed) if KINDS[each["type"]].anti_stealth),
        },
    )
    board = Board.__new__(Board)
    board.cast, board.rules, board.to_move = cast, rules, SIDES.index(setup["to_move"])
    board.cell, board.side = [-1] * len(listed), [SIDES.index(each["side"]) for each in listed]
    board.at, board.carried, board.ground = [()] * 300, [()] * len(listed), [()] * 100
    board.stun, board.countdown, board.journeys, board.lock, board.reveal = {}, {}, {}, {}, {}
    board.missiles, board.origin, board.shy, board.below = [], set(), set(), set()
    board.waiting, board.seats = {cast.numbers[id] for id in homes}, dict.fromkeys(sorted(homes.values()), NONE)
    board._hidden, board._seen_at, board.log = [None, None], [None, None], None
    board.begin_turn()
    articles = {article["id"]: number for number, (article, _) in enumerate(held)}
    for piece in setup["pieces"]:
        p = cast.numbers[piece["id"]]
        board.enter(p, 100 * LEVELS.index(piece["level"]) + square_of(*piece["square"]))
        for article in piece["articles"]:
            board.give(p, articles[article["id"]])
        if piece.get("at_origin"):
            board.origin.add(p)
    for article in setup["articles"]:
        board.lay(articles[article["id"]], square_of(*article["square"]))
    for lock in setup.get("locks", ()):
        board.lock[INHERENT + cast.numbers[lock["locker"]]] = cast.numbers[lock["target"]]
    board.changed()
    return board


def emptied(board: Board) -> Board:
    """A board with the same cast, on which there is nothing."""
    empty = board.copy()
    empty.cell, empty.at = [-1] * len(board.cell), [()] * 300
    empty.carried, empty.ground = [()] * len(board.cell), [()] * 100
    for table in (empty.stun, empty.countdown, empty.journeys, empty.lock, empty.reveal, empty.seats):
        table.clear()
    empty.missiles = []
    for pieces in (empty.origin, empty.waiting, empty.shy, empty.below):
        pieces.clear()
    empty.changed()
    return empty


def written(board: Board) -> str:
    """The board as the text of a position file, without what a board editor cannot make (section 13.4).

    Left out are journeys, projectiles, countdowns, stun counters, reveals, locks of articles, and whether an activation
    square is primed or ready.
    """
    cast = board.cast

    def article(a: int) -> dict[str, Any]:
        return {"id": cast.article_ids[a], "type": cast.article_types[a]}

    def unit(p: int, cell: int) -> dict[str, Any]:
        square = list(place(cell))
        side, kind = SIDES[board.side[p]], cast.kinds[p].code
        return {"id": cast.ids[p], "side": side, "type": kind, "hand": cast.hands[p], "square": square}

    pieces = [
        {
            **unit(p, cell),
            "level": LEVELS[cell // 100],
            "articles": [article(a) for a in board.carried[p]],
            "at_origin": p in board.origin,
        }
        for p, cell in enumerate(board.cell)
        if cell >= 0
    ]
    lying = [(a, square) for square, articles in enumerate(board.ground) for a in articles]
    locks = [
        {"locker": cast.ids[locker - INHERENT], "target": cast.ids[target]}
        for locker, target in board.lock.items()
        if locker >= INHERENT
    ]
    return position.write(
        {
            "to_move": SIDES[board.to_move],
            "pieces": pieces,
            "articles": [{**article(a), "square": list(place(square))} for a, square in lying],
            "reinforcements": [unit(p, cast.homes[p]) for p in sorted(board.waiting)],
            "locks": locks,
        }
    )

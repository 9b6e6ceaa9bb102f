"""Boards of Weaponized Chess for tests: matches and positions of the vector file, and boards with a few pieces."""

import hashlib
import json

from watch_your_back.game import Game
from watch_your_back.games.weaponized_chess import canonical, position
from watch_your_back.games.weaponized_chess.steps import in_sight, moves


def options_of(told):
    """The options of the game from those of a vector, in which governments and fire rates are tables."""
    options = dict(told)
    for side, government in options.pop("government", {}).items():
        options[f"government_{side}"] = government
    for weapon, rate in options.pop("fire_rate", {}).items():
        options[f"fire_rate_{weapon.lower()}"] = rate
    return options


def setup_of(form):
    """The set-up of a position in canonical form."""
    return {
        "to_move": form["to_move"],
        "pieces": [
            {
                "id": id, "side": side, "type": kind, "hand": hand, "square": [row, column], "level": level,
                "articles": [{"id": article[0], "type": article[1]} for article in held], "at_origin": origin,
            }
            for id, side, kind, hand, row, column, level, held, origin, *_ in form["pieces"]
        ],
        "articles": [
            {"id": id, "type": kind, "square": [row, column]} for id, kind, row, column, *_ in form["articles"]
        ],
    }  # fmt: skip


def start_of(vector):
    """The state that a match or position of the vector file begins in."""
    options = options_of(vector["options"])
    if "position" in vector:
        options["position"] = position.write(setup_of(vector["position"]))
    return Game.load("weaponized_chess", **options).initial()


def digest(state):
    """The digest of a state's canonical form."""
    text = json.dumps(canonical(state), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def tuples(value):
    """Lists as tuples, all the way down."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def board(*pieces, articles=(), reinforcements=(), to_move="black", kings=True, locks=(), **options):
    """A state with these pieces, Kings in the corners (1, 10) and (10, 1), and nothing else.

    A piece is written `black TA> 5 5 air XXX RL`: side, type with its hand, row, column, and if need be the level, what
    it carries and `origin`. An article is written `FL 5 5`, a reinforcement `black JE 9 1`. Ids are those that a
    position file gives: `B-TA-1`, `W-R-1`.
    """
    listed = [*pieces, "black K 1 10", "white K 10 1"] if kings else pieces
    setup = {
        "to_move": to_move,
        "pieces": [_piece(words.split()) for words in listed],
        "articles": [
            {"type": kind, "square": [int(row), int(column)]} for kind, row, column in map(str.split, articles)
        ],
        "reinforcements": [_piece(words.split()) for words in reinforcements],
        "locks": [{"locker": locker, "target": target} for locker, target in locks],
    }
    return Game.load("weaponized_chess", position=position.write(setup), **options).initial()


def _piece(words):
    side, kind, row, column, *rest = words
    piece = {"side": side, "type": kind.rstrip("<>"), "square": [int(row), int(column)], "articles": []}
    if kind[-1] in "<>":
        piece["hand"] = "right" if kind[-1] == ">" else "left"
    for word in rest:
        if word in ("air", "sub"):
            piece["level"] = word
        elif word == "origin":
            piece["at_origin"] = True
        else:
            piece["articles"].append({"type": word})
    return piece


def turn(state, *steps):
    """The state after a turn of these steps, which has to be legal."""
    return state.play(state.check(steps))


def idle(state, *steps):
    """The state after a turn of these steps and a Move of no interest: of a King on the ground if there is one."""
    listed = [step for step in state.legal_steps(steps) if step and step[0] == "MV"]
    listed.sort(key=lambda step: "-K-" not in step[1] or step[4] != "ground")
    return turn(state, *steps, *listed[:1])


def reach(state, id):
    """Where the side to move can order a piece to go: row, column and level."""
    steps = state.legal_steps()
    return {(row, column, level) for row, column, level in (s[2:5] for s in steps if s and s[:2] == ("MV", id))}


def canonical_piece(state, id):
    """The canonical form of a piece, None when it is off the board."""
    return next((piece for piece in canonical(state)["pieces"] if piece[0] == id), None)


def perft_of_moves(state, depth):
    """The number of sequences of turns that consist of exactly one MV or DZ step."""
    if state.outcome is not None:
        return 0
    if depth == 1:
        return len([*moves(in_sight(state.board))])
    return sum(perft_of_moves(state.play((step,)), depth - 1) for step in moves(in_sight(state.board)))

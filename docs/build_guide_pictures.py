"""Write the pictures of the guide to Weaponized Chess in `docs/games/weaponized_chess/`, as they follow from the game.

Run by hand after the game has changed: `python docs/build_guide_pictures.py`. A test says when a picture is stale.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from watch_your_back.game import Board, Cell, Game, Label, Mark, State  # noqa: E402
from watch_your_back.show.svg import svg  # noqa: E402

__all__ = ["FOLDER", "files"]

FOLDER = ROOT / "docs" / "games" / "weaponized_chess"
KINGS = ("black K 1 10", "white K 10 1")


def begun(*pieces: str, to_move: str = "black") -> State:
    """A state with these pieces: `black TA> 2 3 air RL` is side, type and hand, row, column, level and articles."""
    lines = ['format = "weaponized_chess_position/1"', f'to_move = "{to_move}"', "pieces = ["]
    for words in (*pieces, *KINGS):
        side, kind, row, column, *rest = words.split()
        hand = {">": 'hand = "right", ', "<": 'hand = "left", '}.get(kind[-1], "")
        level = next((word for word in rest if word in ("air", "sub")), "ground")
        articles = ", ".join(f'"{word}"' for word in rest if word not in ("air", "sub", "origin"))
        origin = ", at_origin = true" if "origin" in rest else ""
        lines.append(
            f'{{side = "{side}", type = "{kind.rstrip("<>")}", {hand}square = [{row}, {column}], level = "{level}", '
            f"articles = [{articles}]{origin}}},"
        )
    return Game.load("weaponized_chess", position="\n".join([*lines, "]"])).initial()


def part(board: Board, levels: tuple[str, ...], rows: range, columns: range, marked: set[tuple[str, int, int]]) -> str:
    """A part of a picture as SVG, levels side by side, without what lies beside it; `marked` squares have a diamond."""
    tones = {cell.id: cell.tone for cell in board.layout.cells}
    cells, labels = [], []
    for number, level in enumerate(levels):
        left = number * (len(columns) + 1.5)
        for y, row in enumerate(reversed(rows)):
            ids = [(level, row, column) for column in columns]
            cells += [Cell(id, left + x, y, tone=tones[id]) for x, id in enumerate(ids)]
            labels.append(Label(left - 0.8, y, str(row)))
        labels += [Label(left + x, -0.8, str(column)) for x, column in enumerate(columns)]
        if len(levels) > 1:
            labels.append(Label(left + (len(columns) - 1) / 2, -1.6, level))
    inside = {cell.id for cell in cells}
    pieces = [piece for piece in board.pieces if piece.cell in inside]
    marks = [Mark(cell, "reach") for cell in sorted(marked & inside)]
    shown = replace(
        board,
        layout=replace(board.layout, cells=tuple(cells), labels=tuple(labels)),
        pieces=pieces,
        marks=marks,
        notes=(),
    )
    return svg(shown, title=f"{', '.join(levels)}, rows {rows[0]} to {rows[-1]}") + "\n"


def reach(state: State, id: str) -> set[tuple[str, int, int]]:
    """Where a piece can go."""
    steps = [step for step in state.legal_steps() if step and step[:2] == ("MV", id)]
    return {(step[4], step[2], step[3]) for step in steps}


def moving(id: str, *pieces: str, rows: range = range(1, 11), columns: range = range(1, 11)) -> str:
    """A picture of where a piece can go on the ground."""
    state = begun(*pieces)
    return part(state.picture(), ("ground",), rows, columns, reach(state, id))


def files() -> Iterator[tuple[str, str]]:
    """The name and the text of each picture."""
    everywhere, ground = range(1, 11), ("ground",)
    start = Game.load("weaponized_chess").initial()
    yield "set_up.svg", part(start.picture(), ground, everywhere, everywhere, set())
    yield "tank.svg", moving("B-TA-1", "black TA> 2 3")
    yield "cleric.svg", moving("B-CL-1", "black CL> 2 2")
    yield "chopper.svg", moving("B-CH-1", "black CH> 5 5", rows=range(2, 9), columns=range(2, 9))
    pawn = ("black FP 2 5 origin", "white DS 3 5", "white DO 3 7")
    yield "pawn.svg", moving("B-FP-1", *pawn, rows=range(1, 6), columns=range(2, 9))
    yield from jets()
    yield from dozing()
    yield from rockets()
    yield from hiding()


def jets() -> Iterator[tuple[str, str]]:
    """A Jet in the air above a Tank, and where it can go."""
    state = begun("black JE 3 3 air", "black TA> 3 3", "white JE 4 4 air")
    picture = state.picture()
    yield "jet.svg", part(picture, ("air", "ground"), range(1, 6), range(1, 6), reach(state, "B-JE-1"))


def dozing() -> Iterator[tuple[str, str]]:
    """Before and after a doze."""
    state = begun("black DO 3 3", "black SU 3 3", "black FP 4 3", "white TA> 4 4")
    rows, columns = range(2, 7), range(2, 7)
    yield "doze_before.svg", part(state.picture(), ("ground",), rows, columns, set())
    after = state.play((("DZ", "B-DO-1", 1, 0, ((4, 3), (4, 4))),))
    yield "doze_after.svg", part(after.picture(), ("ground",), rows, columns, set())


def rockets() -> Iterator[tuple[str, str]]:
    """A rocket on its way after each of three turns."""
    state = begun("black RP 2 4", "white TA> 5 4")
    first = ("FI", "B-RP-1", "RL", "dir", 1, 0)
    for number, turn in enumerate(
        ((("MV", "B-K-1", 1, 9, "ground", None), first), (("MV", "W-K-1", 9, 1, "ground", None),))
    ):
        state = state.play(turn)
        yield f"rocket_{number + 1}.svg", part(state.picture(), ("ground",), range(1, 7), range(3, 6), set())
    state = state.play((("MV", "B-K-1", 1, 10, "ground", None),))
    yield "rocket_3.svg", part(state.picture(), ("ground",), range(1, 7), range(3, 6), set())


def hiding() -> Iterator[tuple[str, str]]:
    """The same board as it is, and as Black sees it."""
    state = begun("white AAA 5 3", "white DS 5 5", "black TA> 2 3")
    rows, columns = range(1, 8), range(2, 8)
    yield "hidden.svg", part(state.picture(), ("ground",), rows, columns, set())
    seen = {piece[0] for piece in state.view(0)["pieces"]}
    assert "W-AAA-1" not in seen
    shown = begun("white DS 5 5", "black TA> 2 3")
    assert {piece[0] for piece in shown.view(0)["pieces"]} == seen
    yield "seen.svg", part(shown.picture(), ("ground",), rows, columns, reach(state, "B-TA-1"))
    end = state.play((("MV", "B-TA-1", 7, 4, "ground", None),))
    yield "run_into.svg", part(end.picture(), ("ground",), rows, columns, set())


def main() -> None:
    """Write what is not as it should be."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in files():
        file = FOLDER / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(f"wrote {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

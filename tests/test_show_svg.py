"""Boards as SVG."""

import re
from xml.etree import ElementTree

import layouts
import pytest

from watch_your_back.game import Board, Mark, Piece, grid
from watch_your_back.show.svg import svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def parsed(text):
    """The root of the drawing."""
    return ElementTree.fromstring(text)


def of_class(root, kind):
    """The elements that have a class."""
    return [each for each in root.iter() if kind in each.get("class", "").split()]


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
@pytest.mark.parametrize("board", layouts.ALL.values(), ids=layouts.ALL)
def test_every_kind_of_board_is_drawn_whole(board, theme):
    """Well-formed, with a disc, a bar or an edge for each stack, all coordinates, and nothing outside of it."""
    root = parsed(svg(board, theme=theme))
    assert root.get("role") == "img"
    places = {(piece.cell, piece.side, piece.kind, piece.text) for piece in board.pieces}
    drawn = {id(each) for kind in ("stone", "edge") for each in of_class(root, kind)}
    assert len(drawn) - len(of_class(root, "under")) == len(places)
    assert [each.text for each in of_class(root, "coordinate")] == [label.text for label in board.layout.labels]
    left, top, width, height = map(float, root.get("viewBox").split())
    for each in root.iter():
        x, y = (float(each.get(name) or each.get(f"c{name}") or value) for name, value in (("x", left), ("y", top)))
        assert left <= x <= left + width
        assert top <= y <= top + height


def test_the_last_action_and_what_it_took_are_marked():
    """Each of its cells by an outline, the way between them by a line, and each cell that lost a piece by a cross."""
    root = parsed(svg(layouts.LINED, last=[(2, 2), (2, 3)], gone=[(3, 3)]))
    assert [(each.get("cx"), each.get("cy")) for each in of_class(root, "last")] == [("2", "2"), ("2", "3")]
    assert of_class(root, "path")[0].get("d") == "M2 2L2 3"
    assert of_class(root, "gone")[0].get("d").startswith("M2.8 2.8")
    assert not of_class(parsed(svg(layouts.LINED)), "last")


def test_pieces_are_told_apart_without_colour():
    """Letters, the heights of stacks, and the fills of both sides; a cell of several pieces shows them all."""
    root = parsed(svg(layouts.LINED))
    assert sorted(each.text for each in of_class(root, "letter")) == ["D", "D4", "D4", "D4", "T", "T"]
    assert {each.text for each in of_class(parsed(svg(layouts.LEVELS)), "letter")} == {"DS", "RP", "TA"}


def test_removed_cells_are_not_drawn_and_corners_are_crossed():
    """As the board shrinks, so does the picture of it."""
    root = parsed(svg(layouts.SQUARES))
    cells = [each.get("d") for each in of_class(root, "cell")]
    assert sum(path.count("M") for path in cells) == 11
    assert len(of_class(root, "cross")) == 1


def test_the_theme_can_be_the_readers_or_fixed():
    """By itself the drawing follows the reader; a fixed theme needs no variables, which not every program knows."""
    auto, light, dark = (svg(layouts.GO, theme=theme) for theme in ("auto", "light", "dark"))
    assert "prefers-color-scheme: dark" in auto
    for fixed in (light, dark):
        assert "var(" not in fixed
        assert "@media" not in fixed
    assert len({re.search(r"panel {[^}]*}", text)[0] for text in (light, dark)}) == 2


def test_words_are_harmless_and_the_title_tells_what_is_seen():
    """Markup in a title, a label, a note or on a piece stays text."""
    hostile = "<script>x</script>&\"'"
    board = Board(grid(2, 2), [Piece((0, 0), 0, "piece", hostile)], notes=[hostile])
    root = parsed(svg(board, title=hostile))
    assert root.find(f"{NAMESPACE}title").text == hostile
    assert hostile in [each.text for each in of_class(root, "letter")]
    assert not list(root.iter(f"{NAMESPACE}script"))
    assert parsed(svg(board)).find(f"{NAMESPACE}title").text == "A board of 4 cells with 1 piece"


def test_notes_stand_below_and_can_be_left_out():
    """Long ones go on in the next line."""
    board = Board(grid(3, 3), [], notes=["white has 3 points and black has 12 points", "komi 7.5"])
    root = parsed(svg(board))
    assert " ".join(each.text for each in of_class(root, "note")) == " ".join(board.notes)
    assert len(of_class(root, "note")) > 2
    assert not of_class(parsed(svg(board, notes=False)), "note")


def test_a_drawing_is_compact():
    """A full board of Go takes less than 25 KB, an empty one less than 5."""
    points = grid(19, 19, "point")
    stars = [Mark((x, y), "star") for x in (3, 9, 15) for y in (3, 9, 15)]
    assert len(svg(Board(points, [], stars))) < 5_000
    full = [Piece(cell.id, number % 2, "stone") for number, cell in enumerate(points.cells)]
    assert len(svg(Board(points, full, stars))) < 25_000

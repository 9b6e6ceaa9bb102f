"""The pictures of the documents that follow from a recorded match, and what the documents show of them."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs"))

import build_screenshots as building  # noqa: E402

BOARDS = dict(building.files())
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LARGEST = 150_000
"""Bytes of a picture that everybody who clones the project gets."""


@pytest.mark.parametrize("name", BOARDS)
def test_no_board_is_stale(name):
    """What is drawn now of the recorded match is what stands in the documents."""
    file = building.FOLDER / name
    assert file.exists(), f"{name} is missing: run python docs/build_pictures.py"
    assert file.read_text(encoding="utf-8") == BOARDS[name], f"{name} is stale: run python docs/build_pictures.py"


def test_a_board_says_in_words_what_it_shows():
    """For readers who do not see it."""
    title = ElementTree.fromstring(BOARDS["board-light.svg"]).find("{http://www.w3.org/2000/svg}title").text
    assert title == "Watch Your Back! after 19 turns: White has just placed a piece and taken one"


def test_pictures_are_there_and_small():
    """Every picture that a document shows, and each has words for those who do not see it."""
    shown = set()
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for tag in re.findall(r"<(?:img|source)\s[^>]*>", text):
            file = document.parent / re.search(r'src(?:set)?="([^"]+)"', tag)[1]
            assert file.is_file(), f"{document.name} shows {file.name}, which is not there"
            shown.add(file.resolve())
            if tag.startswith("<img") and "games" not in document.parts:
                assert re.search(r'alt="[^"]+"', tag), f"{document.name} does not say what {file.name} shows"
    pictures = {file.resolve() for file in building.FOLDER.iterdir()}
    assert {file.name for file in pictures - shown} == set()
    assert [file.name for file in pictures if file.stat().st_size > LARGEST] == []

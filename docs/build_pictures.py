"""Write the pictures of the documents anew, and the pages of the games in `docs/games/`, as they follow from the games.

Run by hand after a game or a drawing has changed: `python docs/build_pictures.py`. Tests say when a page or picture is
stale. With `--screenshots` those of pages are taken as well, as `build_screenshots.py` tells.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

import build_guide_pictures  # noqa: E402
import build_screenshots  # noqa: E402

from watch_your_back.cli.game_page import example, markdown, picture  # noqa: E402
from watch_your_back.game import Game  # noqa: E402

__all__ = ["FOLDER", "GUIDED", "files"]

FOLDER = ROOT / "docs" / "games"
GUIDED = frozenset({"weaponized_chess"})
"""Games whose page is a guide that was written by hand."""

INDEX = """\
# Games

Each page has the rules in short, the actions, the options and a picture of a random match. `wyb games ID` prints the
same on a terminal; every command takes `--game ID` and `-o OPTION=VALUE`.

| | game | sides |
| --- | --- | --- |
"""


def files() -> Iterator[tuple[str, str]]:
    """The name and the text of each file; a guide is only named in the index, once it is there."""
    index = INDEX
    for game in filter(_is_ours, map(Game.load, Game.ids())):
        id = game.id
        if id not in GUIDED:
            yield f"{id}.md", markdown(game)
        elif not (FOLDER / f"{id}.md").exists():
            continue
        yield f"{id}.svg", picture(example(game))
        sides = ", ".join(f"`{side}`" for side in game.sides)
        index += f'| <img src="{id}.svg" alt="" height="120"> | [{game.title}]({id}.md), `{id}` | {sides} |\n'
    yield "README.md", index


def _is_ours(game: Game) -> bool:
    """Whether it is no game of another package that happens to be installed."""
    return type(game).__module__.startswith("watch_your_back.games.")


def main() -> None:
    """Write what is not as it should be."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in files():
        file = FOLDER / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(f"wrote {file.relative_to(ROOT)}")
    build_guide_pictures.main()
    build_screenshots.main(sys.argv[1:])


if __name__ == "__main__":
    main()

"""Write the pictures of `docs/pictures/`: a board as SVG, and pages that the commands make, as a browser shows them.

`python docs/build_pictures.py` runs this too. All of it shows the match of `examples/match.jsonl`, or begins there. The
boards follow from that record, and a test says when one is stale; the pages are screenshots, for which Chromium, the
extra `web`, Pillow and a few minutes are needed, and which are taken only with `--screenshots`.
"""

from __future__ import annotations

import base64
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from browser import Browser, Page, executable  # noqa: E402

from watch_your_back.match.record import Record  # noqa: E402
from watch_your_back.show.svg import svg  # noqa: E402

__all__ = ["FOLDER", "RECORD", "files", "screenshots"]

FOLDER = ROOT / "docs" / "pictures"
RECORD = ROOT / "examples" / "match.jsonl"
SHOWN = 19
"""Turns after which the board is shown: White has just placed a piece that takes one."""
TAKEN_OVER = 42
"""Turns after which somebody plays on, with the piece at `TOUCHED`."""
TOUCHED = (5, 4)
THEMES = ("light", "dark")
STORE = "class.db"
WIDTH, MARGIN = 1200, 28
"""Pixels of a screenshot, and of the room below what it shows."""
COLOURS = 128
"""Enough for letters with soft edges, and a third of the size of a picture in true colour."""


def files() -> Iterator[tuple[str, str]]:
    """The name and the text of each board."""
    record = Record.load(RECORD)
    before, state, turn = record.states[SHOWN - 1], record.states[SHOWN], record.turns[SHOWN - 1]
    left = {piece.cell for piece in state.picture().pieces}
    gone = [piece.cell for piece in before.picture().pieces if piece.cell not in left]
    side = record.game.sides[turn.side].capitalize()
    title = f"{record.game.title} after {SHOWN} turns: {side} has just placed a piece and taken one"
    for theme in THEMES:
        last = record.game.cells(turn.action)
        yield f"board-{theme}.svg", svg(state.picture(), last=last, gone=gone, theme=theme, title=title) + "\n"


def screenshots() -> Iterator[tuple[str, bytes]]:
    """The name and the contents of each PNG file. Raises SystemExit where there is no browser."""
    program = executable()
    if program is None:
        raise SystemExit("screenshots need Chromium or Chrome on the path")
    with tempfile.TemporaryDirectory() as name, Browser(program) as browser:
        folder = Path(name)
        (folder / "records").mkdir()
        (folder / "records" / RECORD.name).write_bytes(RECORD.read_bytes())
        wyb("replay", RECORD, "--html", "match.html", "--at", str(SHOWN), folder=folder)
        agents = ["random", "greedy", "cautious", "minimax", f"first_player={ROOT / 'examples' / 'first_player.py'}"]
        wyb("tournament", "run", *agents, "-t", "2", "--rounds", "4", "--seed", "1", "--store", STORE, folder=folder)
        wyb("tournament", "report", STORE, "--title", "Practice league", "-o", "report.html", folder=folder)
        with served(folder / "records") as address:
            for theme in THEMES:
                page = Page(browser, WIDTH, 920, dark=theme == "dark")
                page.open(folder / "match.html")
                yield f"replay-{theme}.png", taken(page, "footer")
                page.open(folder / "report.html")
                yield f"report-{theme}.png", taken(page, "#crosstable")
                take_over(page, address)
                yield f"play-{theme}.png", taken(page, "#stage")


def take_over(page: Page, address: str) -> None:
    """Play on in the recorded match, and touch a piece."""
    page.visit(f"{address}play?of={RECORD.name}&turn={TAKEN_OVER}")
    page.wait_for("document.querySelector('#seat-1 option[value=minimax]')")
    page.run("document.querySelector('#seat-1').value = 'minimax'")
    page.follow("#order [type=submit]")
    page.wait_for("document.querySelector('#status').textContent.startsWith('Your turn')")
    page.click(f"#board .target[aria-label*='{TOUCHED}']")
    page.wait_for("document.querySelector('#board [aria-pressed]')")


def wyb(*words: str | Path, folder: Path) -> None:
    """Run a command in a folder. Raises CalledProcessError."""
    subprocess.run(
        [sys.executable, "-m", "watch_your_back", *map(str, words)], cwd=folder, env=environment(), check=True
    )


def environment() -> dict[str, str]:
    """For the commands: this source, wherever they run."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server for what is in a folder."""
    words = [sys.executable, "-m", "watch_your_back", "serve", "--port", "0"]
    with subprocess.Popen(words, cwd=folder, env=environment(), stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[0]
        finally:
            server.terminate()


def taken(page: Page, last: str) -> bytes:
    """A page down to the end of the element that a selector finds, as PNG with few colours."""
    from PIL import Image

    page.run("scrollTo(0, 0)")
    height = page.run(f"document.querySelector({last!r}).getBoundingClientRect().bottom + {MARGIN}")
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": 1}
    seen = base64.b64decode(page.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"])
    small = io.BytesIO()
    fewer = Image.open(io.BytesIO(seen)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    fewer.save(small, "PNG", optimize=True)
    return small.getvalue()


def main(arguments: list[str]) -> None:
    """Write the boards, and with `--screenshots` the pages."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in files():
        file = FOLDER / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(f"wrote {file.relative_to(ROOT)}")
    if "--screenshots" in arguments:
        for name, contents in screenshots():
            (FOLDER / name).write_bytes(contents)
            print(f"wrote docs/pictures/{name} ({len(contents) // 1000} kB)")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Where pages are written, and what is not overwritten by them."""

from __future__ import annotations

import os
from pathlib import Path

from watch_your_back.cli.ending import Mistake
from watch_your_back.report.assets import GENERATOR

__all__ = ["check", "write"]


def check(target: Path) -> None:
    """Refuse to overwrite what is no page of ours. Raises Mistake."""
    if target.is_dir():
        raise Mistake(f"{target} is a directory; name the file in it that is to be written")
    if not target.parent.is_dir():
        raise Mistake(f"there is no directory {target.parent} to write {target.name} to")
    if target.is_file():
        with target.open("rb") as file:
            begun = file.read(2_000)
        if begun and GENERATOR.encode() not in begun:
            raise Mistake(f"{target} is no page of this program and is not overwritten; choose another name with -o")


def write(target: Path, text: str) -> None:
    """Put the whole file in its place at once. Raises OSError, which names it."""
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8", errors="backslashreplace")
        return
    target = target.resolve()  # through a symbolic link, so that the link stays one
    draft = target.with_name(f".part-{os.getpid()}-{target.name}")
    try:
        draft.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
        os.replace(draft, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from None
    finally:
        draft.unlink(missing_ok=True)

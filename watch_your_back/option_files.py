"""Options of a game that a person gives as the path of a file, such as a board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from watch_your_back.game import OptionError, Options

__all__ = ["LARGEST", "read_files"]

LARGEST = 1_048_576
"""Bytes of such a file at most."""


def read_files(options: Options, values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The values, with what the files hold in place of their paths, which are seen from a folder.

    `options` are those of the game with their defaults. The default of an option is no path, and neither is what begins
    with a brace or has several lines: that is taken for what a file would hold.

    Raises OptionError for a file that is missing, unreadable, empty, above 1 MB or no text in UTF-8.
    """
    defaults = {each.name: each.default for each in fields(options) if each.metadata.get("file")}

    def is_path(name: str, value: Any) -> bool:
        if name not in defaults or type(value) is not str or value == defaults[name]:
            return False
        return not value.lstrip().startswith("{") and "\n" not in value

    return {name: _held(name, value, folder) if is_path(name, value) else value for name, value in values.items()}


def _held(name: str, path: str, folder: Path) -> str:
    if not path.strip():
        raise OptionError(f"option {name} is to be the path of a file, and none is given")
    try:
        with (folder / path).open("rb") as file:
            held = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise OptionError(f"option {name}: there is no file {folder / path}") from None
    except OSError as error:
        raise OptionError(f"option {name}: {folder / path} cannot be read ({error.strerror})") from None
    except ValueError:
        raise OptionError(f"option {name}: {path!r} cannot be the path of a file") from None
    if len(held) > LARGEST:
        raise OptionError(f"option {name}: {folder / path} has more than {LARGEST:,} bytes (1 MB)")
    if not held.strip():
        raise OptionError(f"option {name}: {folder / path} is empty")
    try:
        return held.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise OptionError(f"option {name}: {folder / path} is no text in UTF-8 (byte {error.start + 1})") from None

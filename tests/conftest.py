"""What the tests of the command line share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from watch_your_back.cli import wyb as group
from watch_your_back.cli.ending import run


class Ended(NamedTuple):
    """The exit code of a command and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def wyb(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Run the command `wyb` with these words in this process."""

    def command(*words: str) -> Ended:
        capsys.readouterr()
        code = run(group, "wyb", [str(word) for word in words])
        return Ended(code, *capsys.readouterr())

    return command

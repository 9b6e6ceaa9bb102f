"""What the tests of the command line share, and how the tests are collected."""

from __future__ import annotations

import compileall
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

from watch_your_back.cli import wyb as group
from watch_your_back.cli.ending import run
from watch_your_back.tournament.workers import Processes

_AS_ASKED = sys.dont_write_bytecode
sys.dont_write_bytecode = False  # while tests are collected: most of that time goes into compiling them
if "PYTEST_XDIST_WORKER" not in os.environ:  # for the processes that tests start, and before there are workers
    compileall.compile_dir(Path(__file__).parent.parent / "watch_your_back", quiet=2)


def pytest_collection_finish() -> None:
    """From here on, compiled files are kept or not, as the user has it."""
    sys.dont_write_bytecode = _AS_ASKED


settings.register_profile("suite", max_examples=20, deadline=None)  # a busy machine may take its time
settings.load_profile("suite")


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


class _Kept(Processes):
    """A pool of workers that is there for whoever wants so many of them, until all tests have been carried out."""

    def close(self) -> None:
        """Wait for the next one."""

    def end(self) -> None:
        super().close()


@pytest.fixture(scope="session")
def _pools() -> Iterator[dict[int, _Kept]]:
    pools: dict[int, _Kept] = {}
    yield pools
    for pool in pools.values():
        pool.end()


@pytest.fixture
def kept_workers(_pools: dict[int, _Kept], monkeypatch: pytest.MonkeyPatch) -> None:
    """What plays matches in this test takes workers that are there, since it takes a second to start some.

    For tests that leave them nothing to do that lasts.
    """

    def pool(jobs: int) -> _Kept:
        return _pools.get(jobs) or _pools.setdefault(jobs, _Kept(jobs))

    monkeypatch.setattr("watch_your_back.tournament.workers.Processes", pool)


@pytest.fixture(scope="session")
def _zygotes() -> Iterator[dict[tuple[bool, int], Any]]:
    zygotes: dict[tuple[bool, int], Any] = {}
    yield zygotes
    for zygote in zygotes.values():
        zygote.finish()


@pytest.fixture
def kept_zygotes(_zygotes: dict[tuple[bool, int], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Players of this process's matches come from zygotes that are there, since it takes a moment to start one."""
    if sys.platform != "linux":
        return
    from watch_your_back.confine.environment import HASH_SEED
    from watch_your_back.confine.forked import Zygote

    class Kept(Zygote):
        def close(self) -> None:
            """Wait for the next match."""

        def finish(self) -> None:
            super().close()

    def zygote(*, numpy: bool = True, hash_seed: int = HASH_SEED) -> Any:
        kept = _zygotes.get((numpy, hash_seed))
        if kept is None or not kept.alive:
            kept = _zygotes[numpy, hash_seed] = Kept(numpy=numpy, hash_seed=hash_seed)
        return kept

    monkeypatch.setattr("watch_your_back.confine.forked.Zygote", zygote)

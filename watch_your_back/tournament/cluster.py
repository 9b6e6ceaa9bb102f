"""Playing on a Dask cluster: the workers of `workers.Workers` are then processes of other machines.

Each agent goes to the cluster once, under the hash of its sources, and from there to the workers that need it. The
scheduler gives the matches of a worker that died to others. `distributed` is an extra, imported only here.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from watch_your_back import __version__
from watch_your_back.agents import Agent
from watch_your_back.tournament.staging import files_of, hash_of
from watch_your_back.tournament.tasks import MatchTask

__all__ = ["Cluster", "ClusterError"]

_PATIENCE_S = 20
_WAITING_FOR_WORKERS_S = 20
_COUNTED_EVERY_S = 2.0


class ClusterError(Exception):
    """The cluster cannot be used, or not any more; the message is one line."""


class Cluster:
    """A pool whose workers are those of the Dask scheduler at this address. Implements `workers.Pool`.

    Raises ClusterError if it cannot be reached, has no workers, or has another version of this package.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
            from distributed.scheduler import KilledWorker
        except ImportError:
            raise ClusterError(
                "a cluster needs the package distributed: pip install 'watch-your-back[cluster]'"
            ) from None
        self.lost: tuple[type[BaseException], ...] = (KilledWorker, CancelledError)
        self._address = address
        try:
            connect: Any = Client
            self._client: Any = connect(address, timeout=_PATIENCE_S, set_as_default=False)
        except (OSError, ValueError) as error:  # a timeout is an OSError too
            raise ClusterError(f"there is no Dask scheduler at {address} ({error or 'no answer'})") from None
        self._sources: dict[Path, tuple[str, Any]] = {}
        self._executor = self._client.get_executor(pure=False)
        self._counted, self._size = -_COUNTED_EVERY_S, 0
        try:
            self._check_workers()
        except BaseException:
            self.close()
            raise

    def size(self) -> int:
        now = time.monotonic()
        if now - self._counted > _COUNTED_EVERY_S:
            self._size = sum(self._client.nthreads().values())
            self._counted = now
        return max(1, self._size)

    def submit(self, call: Callable[[Any], Any], item: Any) -> Future[Any]:
        shipped = [self._ship(agent) for agent in _agents(item)]
        keys = [key for key, _ in shipped]
        future: Future[Any] = self._executor.submit(_carry_out, call, item, keys, *(source for _, source in shipped))
        return future

    def renew(self) -> bool:
        """Only what was lost has to be done again. Raises ClusterError if there is no cluster any more."""
        if self._client.status != "running":
            raise ClusterError(f"the Dask scheduler at {self._address} is gone")
        return False

    def close(self) -> None:
        self._executor.shutdown(wait=False)
        self._client.close(timeout=_PATIENCE_S)

    def _check_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=_WAITING_FOR_WORKERS_S)
        except OSError:
            raise ClusterError(f"the Dask scheduler at {self._address} has no workers") from None
        for worker, version in self._client.run(_version, on_error="return").items():
            if isinstance(version, ModuleNotFoundError):
                raise ClusterError(f"watch-your-back is not installed on the worker {worker}")
            if version != __version__:
                raise ClusterError(f"the worker {worker} has watch-your-back {version}, and this is {__version__}")

    def _ship(self, agent: Agent) -> tuple[str, Any]:
        """The key of an agent's sources and what the cluster knows them by; kept, so that they are sent once."""
        if agent.root not in self._sources:
            files = list(files_of(agent.root))
            key = f"{hash_of(agent.root, files)}-{agent.root.name}"
            contents = tuple((file.as_posix(), (agent.root / file).read_bytes()) for file in files)
            # A task, and no scattered data, which would be lost with the worker that has it.
            source = self._client.submit(_Source, agent.root.name, contents, key=f"agent-{key}")
            self._sources[agent.root] = key, source
        return self._sources[agent.root]


class _Source(NamedTuple):
    """All files of an agent, and the name of the folder that they are in."""

    folder: str
    files: tuple[tuple[str, bytes], ...]


def _version() -> str:
    return __version__


def _agents(item: Any) -> tuple[Agent, ...]:
    return item.agents if isinstance(item, MatchTask) else (item.agent,)


def _carry_out(call: Callable[[Any], Any], item: Any, keys: list[str], *sources: _Source) -> Any:
    """On a worker: `call(item)`, with the agents where they are on this machine."""
    moved = []
    for agent, key, source in zip(_agents(item), keys, sources, strict=True):
        root = _unpacked(key, source)
        moved.append(replace(agent, root=root, path=root / agent.path.relative_to(agent.root)))
    if isinstance(item, MatchTask):
        agents = moved[0], moved[1]
        return call(replace(item, agents=agents)).portable(agents)
    return call(item._replace(agent=moved[0]))


_lock = threading.Lock()
_folder: list[Path] = []


def _unpacked(key: str, source: _Source) -> Path:
    """Where the files are on this machine, written there if they are not yet, and removed when the process ends."""
    with _lock:
        if not _folder:
            _folder.append(Path(os.path.realpath(tempfile.mkdtemp(prefix="wyb-agents-"))))
            _folder[0].chmod(0o755)  # as root, players run as nobody, who must be able to read
            atexit.register(shutil.rmtree, _folder[0], ignore_errors=True)
        root = _folder[0] / key / source.folder
        if not root.is_dir():
            for name, content in source.files:
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            root.mkdir(parents=True, exist_ok=True)
        return root

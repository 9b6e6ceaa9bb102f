"""The server of `wyb serve` in a process of its own, for tests, and what it tells."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx2 as httpx

__all__ = ["Match", "Served"]

ROOT = Path(__file__).parent.parent
PATIENCE_S = 120
PERSON = {"kind": "person", "name": "Ada"}


def agent(id: str) -> dict[str, str]:
    """The seat of an agent."""
    return {"kind": "agent", "agent": id}


class Served:
    """A running server; a context manager, which ends it. `address` has no slash at its end."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "watch_your_back", "serve", "--port", "0", *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.printed = self.process.stdout.readline().split()[0]
        self.address = self.printed[: self.printed.index("/", len("http://"))]
        self.client = httpx.Client(
            base_url=self.address, headers={"origin": self.address}, timeout=PATIENCE_S, trust_env=False
        )

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.client.close()
        self.process.terminate()
        self.process.wait(PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def post(self, address: str, asked: Any = None) -> httpx.Response:
        """What it answers to something that is sent."""
        return self.client.post(address, json=asked or {})

    @contextmanager
    def events(self, address: str) -> Iterator[Iterator[Any]]:
        """What it tells as it happens."""
        with self.client.stream("GET", address) as answer:
            assert answer.status_code == 200, answer.read()
            lines = answer.iter_lines()
            yield (json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: "))

    @contextmanager
    def match(self, game: str = "watch_your_back", *seats: dict[str, str], **more: Any) -> Iterator[Match]:
        """A new match, whose page is open."""
        asked = {"game": game, "seats": list(seats) or [PERSON, agent("random")], **more}
        answer = self.post("/api/tables", asked)
        assert answer.status_code == 200, answer.text
        id = answer.json()["id"]
        with self.events(f"/api/tables/{id}/events") as told:
            try:
                yield Match(self, id, told)
            finally:
                if self.process.poll() is None:
                    self.post(f"/api/tables/{id}/close")


class Match:
    """A match at the server, and what its page knows: `now` is the position that was told last."""

    def __init__(self, served: Served, id: str, told: Iterator[Any]) -> None:
        self.served, self.id, self._told = served, id, told
        self.head: dict[str, Any] = {}
        self.now: dict[str, Any] = {}
        self.moves: list[Any] = []
        self.until(lambda now: now["ready"])

    def until(self, condition: Any) -> dict[str, Any]:
        """Wait for a position of which this is true."""
        while not (self.now and condition(self.now)):
            message = next(self._told)
            self.head = message.get("head", self.head)
            self.now = message["position"]
            self.moves = [*self.moves[: message["from"]], *message["moves"]]
        return self.now

    def your_turn(self, least: int = 0) -> dict[str, Any]:
        """Wait until a person can act after so many turns, or the match is over."""
        return self.until(lambda now: now["end"] or (now["choices"] and now["turn"] >= least))

    def act(self, action: Any, **more: Any) -> httpx.Response:
        """Take an action in the position at hand."""
        return self.post("act", {"turn": self.now["turn"], "action": action, **more})

    def post(self, what: str, asked: Any = None) -> httpx.Response:
        """What the server answers."""
        return self.served.post(f"/api/tables/{self.id}/{what}", asked)

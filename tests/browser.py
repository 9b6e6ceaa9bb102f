"""Chromium without a window, for tests of pages: driven over a pipe by the DevTools protocol, with no library between.

https://chromedevtools.github.io/devtools-protocol/ describes the methods and events that are named here.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import Any

__all__ = ["QUIET", "Browser", "Page", "executable"]

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = (
    "--no-sandbox",  # which Chromium refuses to run with as root; the pages are our own
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
"""What keeps Chromium to the pages of the tests."""
FLAGS = (
    "--headless",
    *QUIET,
    "--disable-features=IsolateSandboxedIframes",  # so that the scripts of a frame can be reached
    "--remote-debugging-pipe",
)
LAUNCHER = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD_CLOEXEC, 10) for end in sys.argv[1:3]]
for end, number in zip(ends, (3, 4)):
    os.dup2(end, number)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Chromium reads commands from descriptor 3 and writes to 4."""
PATIENCE_S = 120
KEYS = {" ": "Space", "a": "KeyA"}


def executable() -> str | None:
    """Chromium or Chrome, where there is one that can be driven over a pipe."""
    if sys.platform == "win32":
        return None
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A running Chromium; a context manager, which ends it."""

    def __init__(self, program: str) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        launcher = [sys.executable, "-c", LAUNCHER, str(theirs_in), str(theirs_out)]
        self._process = subprocess.Popen(
            [*launcher, program, *FLAGS, f"--user-data-dir={self._profile.name}"],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._selector = DefaultSelector()
        self._selector.register(self._in, EVENT_READ)
        self._received = b""
        self._number = 0
        self.events: deque[dict[str, Any]] = deque()

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End it, and remove its profile."""
        os.close(self._out)  # at the end of its commands it exits
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._selector.close()
        os.close(self._in)
        self._profile.cleanup()

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """What a method of the protocol returns; events that come meanwhile are kept. Raises AssertionError."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def receive(self) -> dict[str, Any]:
        """The next message of the browser. Raises AssertionError when none comes."""
        while b"\0" not in self._received:
            assert self._selector.select(PATIENCE_S), "the browser does not answer"
            more = os.read(self._in, 1 << 16)
            assert more, "the browser has ended"
            self._received += more
        text, _, self._received = self._received.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message


class Page:
    """A page of the browser, with what went wrong in it and what it asked the network for.

    `errors` are uncaught exceptions, messages on the console from warnings up, and refusals of the content security
    policy; `requests` the addresses of all that was loaded, the page's own included.
    """

    def __init__(
        self, browser: Browser, width: int = 1280, height: int = 900, *, dark: bool = False, script: bool = True
    ) -> None:
        self._browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.errors: list[str] = []
        self.requests: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.look(width, height, dark=dark, script=script)

    def look(self, width: int = 1280, height: int = 900, *, dark: bool = False, script: bool = True) -> None:
        """Be a window of this size, from now on."""
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", media="", features=features)
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.call("Emulation.setScriptExecutionDisabled", value=not script)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A method of the protocol."""
        result = self._browser.call(method, self._session, **parameters)
        while self._browser.events:
            self._take(self._browser.events.popleft())
        return result

    def open(self, file: Path, fragment: str = "") -> None:
        """Load a file, as a double click does, and wait until it has been loaded."""
        self.visit(file.resolve().as_uri() + fragment)

    def visit(self, address: str) -> None:
        """Load what is at an address, and wait until it has been loaded."""
        self._loaded = False
        started = self.call("Page.navigate", url=address)
        while not self._loaded and "loaderId" in started:  # there is none for another part of the same page
            self._take(self._browser.receive())

    def follow(self, selector: str) -> None:
        """Click on what leads to another page, and wait until that has been loaded."""
        self._loaded = False
        self.click(selector)
        while not self._loaded:
            self._take(self._browser.receive())

    def run(self, expression: str) -> Any:
        """What a JavaScript expression comes to, awaited; raises AssertionError if it throws."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Wait until a JavaScript expression is true, looking every 20 ms. Raises AssertionError when it never is."""
        met = self.run(
            f"(async () => {{ for (const end = Date.now() + {500 * PATIENCE_S}; Date.now() < end;) {{"
            f" if ({condition}) return true; await new Promise(done => setTimeout(done, 20)); }} return false; }})()"
        )
        assert met, f"in vain waited for {condition}"

    def press(self, key: str, times: int = 1) -> None:
        """Press a key, by its name in the DOM."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        about = {"key": key, "code": KEYS.get(key, key), "windowsVirtualKeyCode": {" ": 32, "Enter": 13}.get(key, 0)}
        for _ in range(times):
            self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **about)
            self.call("Input.dispatchKeyEvent", type="keyUp", **about)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.call("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """Click in the middle of the first element that a selector finds, scrolled into view."""
        box = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center',"
            " behavior: 'instant'}); const b = e.getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            pressed = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], **pressed)

    def screenshot(self, file: Path, *, whole: bool = False) -> None:
        """Write what is seen, or the whole page, as PNG."""
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
            picture = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        file.write_bytes(base64.b64decode(picture["data"]))

    def printed(self, file: Path) -> None:
        """Write what a printer would get, as PDF."""
        file.write_bytes(base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"]))

    def _take(self, message: dict[str, Any]) -> None:
        if message.get("sessionId") != self._session:
            return
        about = message["params"]
        match message["method"]:
            case "Runtime.exceptionThrown":
                self.errors.append(json.dumps(about["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if about["type"] in ("error", "warning", "assert"):
                self.errors.append(json.dumps(about["args"]))
            case "Log.entryAdded" if about["entry"]["level"] in ("error", "warning"):
                self.errors.append(about["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(about["request"]["url"])
            case "Page.loadEventFired":
                self._loaded = True

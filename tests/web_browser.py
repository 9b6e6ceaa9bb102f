"""A real browser for tests of the server's pages: Playwright for Python with the Chromium of the system."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

__all__ = ["HEIGHT", "PATIENCE_MS", "PHONE", "Watched"]

PATIENCE_MS = 60_000
PHONE = 375
HEIGHT = 900


class Watched:
    """A page, and what went wrong in it: errors and warnings on the console, and requests to any other host.

    One that is as narrow as a phone is touched as one.
    """

    def __init__(self, browser: Browser, address: str, *, width: int = 1280) -> None:
        self.address = address
        self.wrong: list[str] = []
        self.context: BrowserContext = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": HEIGHT},
            has_touch=width <= PHONE,
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.wrong.append(f"exception: {error}"))
        self.page.on("request", self._asked)
        self.page.on("dialog", lambda dialog: dialog.accept())

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(f"{message.type}: {message.text}")

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((f"{self.address}/", "data:")):
            self.wrong.append(f"request: {request.url}")

    def told(self) -> list[str]:
        """What went wrong since this was asked last."""
        wrong, self.wrong = self.wrong, []
        return wrong

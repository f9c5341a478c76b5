"""Evenings without a camera, kept by thumb on a small phone whose taps are counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from journey import EFFECT, Screens, serious, turned

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.eyes.seeing import Look
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession

WIDTH = "document.documentElement.scrollWidth"
SMALL_TARGETS = """() => [...document.querySelectorAll("main button, dialog[open] button")].filter((one) => {
  const box = one.getBoundingClientRect(); return box.width && (box.width < 43.5 || box.height < 43.5);
}).map((one) => one.outerHTML)"""

BROKEN = """selector => [...document.querySelectorAll(selector)].flatMap((one) => {
  const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), found = [];
  while (texts.nextNode()) {
    for (const { 0: word, index } of texts.currentNode.data.matchAll(/\\p{L}+/gu)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (range.getClientRects().length > 1) found.push(word);
    }
  }
  return found;
})"""
"""Words that begin on one line and end on another."""


CLOCK = """() => {
  window.now = performance.now() + 1e6;
  performance.now = () => window.now;
  Object.defineProperty(Event.prototype, "timeStamp", { get: () => window.now });
}"""
"""The page's time stands still: taps between two of its steps come as quickly after one another as a double tap does."""


def _phone(width: int, height: int) -> dict[str, Any]:
    return {"viewport": {"width": width, "height": height}, "has_touch": True, "is_mobile": True}


def _no_eyes() -> Look:
    raise AssertionError("nobody looks: there is no camera")


@contextmanager
def without_camera(ledger: Ledger) -> Iterator[Flask]:
    """The application where there is no camera."""
    with CameraSession(ledger, _no_eyes, find_cameras=lambda *_: ()) as camera_session:
        yield create_app(ledger, settings=Settings(heartbeat=0.5, patience=30), camera=camera_session,
                         recorder=lambda: camera_session.recorder)


class Thumb:
    """A phone under one thumb: every tap is counted."""

    def __init__(self, page: Any) -> None:
        self.page, self.taps = page, 0

    def tap(self, selector: str, text: str = "") -> None:
        from playwright.sync_api import expect

        self.taps += turned(self.page, selector)
        one = self.page.locator(selector, has_text=text) if text else self.page.locator(selector)
        one.first.tap()
        self.taps += 1
        self.page.wait_for_load_state()
        expect(self.page.locator("body.busy")).to_have_count(0)

    def next(self, key: str) -> None:
        self.tap(f"#next [data-key='{key}']")

    def says(self, text: str) -> None:
        from playwright.sync_api import expect

        expect(self.page.locator("#status")).to_have_text(text)

    def sound(self) -> None:
        """Everything can be read and reached, and nothing is too wide."""
        assert serious(self.page) == []
        assert self.page.evaluate(WIDTH) == self.page.viewport_size["width"]
        assert self.page.evaluate(SMALL_TARGETS) == []

    def whole_words(self, selector: str) -> None:
        """No word there is broken between two lines."""
        assert self.page.evaluate(BROKEN, selector) == []

    def confirm(self) -> None:
        """What it does is shown, and done."""
        from playwright.sync_api import expect

        expect(self.page.locator(EFFECT)).to_be_visible()
        self.tap("dialog > .big")
        expect(self.page.locator("dialog[open]")).to_have_count(0)

    def begin_setup(self, game: str, names: tuple[str, ...]) -> None:
        """From the first page of setting up to the game's own, with names to type."""
        page = self.page
        self.tap(".doors form button")
        self.tap(f"form:has([value={game}]) button")
        page.wait_for_url(re.compile("/setup/(camera|players)"))
        if "/camera" in page.url:
            self.tap("button:has-text('Senza telecamera')")
        page.wait_for_url("**/setup/players")
        for number, name in enumerate(names):
            while number >= page.locator("#names input").count():
                self.tap("#add")
            page.locator("#names input").nth(number).fill(name)
        self.tap("main button.primary")


def thumb(
    app: Flask, server: Server, screens: Screens, to: str, scheme: str = "dark", size: tuple[int, int] = (360, 780),
    name: str = "",
) -> Thumb:
    """A paired phone at this address, with a screen of this size (CSS pixels)."""
    pin = app.extensions["pairing"].pin.digits
    return Thumb(screens.paired(server.url, pin, to, name, _phone(*size), color_scheme=scheme, locale="it-IT"))

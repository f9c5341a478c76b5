"""The organiser's phone, 390x844, under one thumb whose taps are counted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from journey import turned
from serving import until

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")


EVENING = (Path(__file__).parents[3] / "docs" / "evening.md").read_text()


def _taps(head: str) -> dict[str, int]:
    """The table with this head in docs/evening.md: what is done → how many taps."""
    table = EVENING[EVENING.index(head) :].partition("\n\n")[0]
    return {what: int(taps) for what, taps in re.findall(r"^\| ([a-z ]+) \| (\d): ", table, re.MULTILINE)}


TAPS, MID_EVENING_TAPS = _taps("| correction | taps |"), _taps("| what happens | taps |")
"""The tables of docs/evening.md: a correction, and what happens in mid-evening, with their taps."""


class Thumb:
    """A phone's page, and how often it was tapped."""

    def __init__(self, page: sync_api.Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, where: str, text: str | None = None) -> None:
        self.taps += turned(self.page, where)
        clicks = self.page.evaluate("clicks")
        self.page.locator(where, has_text=text).first.tap()
        until(lambda: self.page.evaluate("clicks") > clicks)  # the browser makes a tap a click when it has time
        self.taps += 1

    def counted(self) -> int:
        taps, self.taps = self.taps, 0
        return taps


def done(thumb: Thumb) -> None:
    """Wait until what was tapped last has been done: the sheet is closed, and the command answered."""
    sync_api.expect(thumb.page.locator("dialog")).to_be_hidden()
    sync_api.expect(thumb.page.locator("body.busy")).to_have_count(0)


def played(thumb: Thumb, *cards: str) -> None:
    """A hand in which all stay and show these cards."""
    thumb.tap("#next .big")
    thumb.tap("#next button", "Stanno tutti")
    for name, card in zip(("Anna", "Bruno", "Carla"), cards, strict=True):
        sync_api.expect(thumb.page.locator("#next h2")).to_have_text(f"La carta di {name}")
        thumb.page.locator("#next .grid button").nth(4 + int(card)).tap()
    sync_api.expect(thumb.page.locator("#hand .ruling")).to_be_visible()
    thumb.counted()

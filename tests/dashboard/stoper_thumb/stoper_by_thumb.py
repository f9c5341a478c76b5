"""An evening of Stoper by thumb: its names, its state, how it is set up, how a hand is shown."""

from __future__ import annotations

import pytest
from thumbs import Thumb

from companion.games import stoper
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")


NAMES = ("Ada", "Bice", "Ciro", "Dora")


STACKS = {"Ada": 5000, "Bice": 5000, "Ciro": 500, "Dora": 5000}


SETTING_UP = 8
"""New, Stoper, without a camera, on, who deals, not all the same, on, begin; names and Ciro's chips are
typed."""


HAND = 20
"""A hand: its beginning, four words, three exchanges, three words, twice three cards and one tap to lay them open, one who
concedes."""


def state(ledger: Ledger) -> stoper.State:
    game = ledger.newest()
    assert game is not None
    found: stoper.State = stoper.replay(ledger.lines(game))
    return found


def set_up(phone: Thumb) -> None:
    """From the first page of setting up to the organiser's; Ciro begins with less than the others."""
    page = phone.page
    phone.begin_setup("stoper", NAMES)
    sync_api.expect(page.locator("#law")).to_contain_text("locali pubblici")
    phone.sound()
    page.get_by_label("Ada", exact=True).first.check()
    phone.taps += 1
    phone.tap("summary", "Non tutti iniziano")
    page.locator("#stack-2").fill("5")
    phone.tap("main button.primary")
    sync_api.expect(page.locator("main")).to_contain_text("28 carte")
    phone.sound()
    phone.tap("main button.big")
    page.wait_for_url("**/organiser")


def show(phone: Thumb, *cards: str, comes_to: str) -> None:
    for card in cards:
        phone.next(card)
    sync_api.expect(phone.page.locator("#next .named")).to_have_text(comes_to)
    phone.next("take")

"""An evening of Stoppa by thumb: its names, its state, how it is set up."""

from __future__ import annotations

import pytest
from thumbs import Thumb

from companion.games import stoppa
from companion.games.stoppa import log
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")


NAMES = ("Anna", "Bruno", "Carla", "Dino")


def state(ledger: Ledger) -> stoppa.State:
    game = ledger.newest()
    assert game is not None
    return stoppa.replay(ledger.lines(game))


def set_up(phone: Thumb, *, dealer: str) -> None:
    """From the first page of setting up to the organiser's."""
    page = phone.page
    phone.begin_setup("stoppa", NAMES)
    sync_api.expect(page.locator("#law")).to_contain_text("locali pubblici")
    phone.sound()
    for unit, small in (("Punti", "20"), ("Soldi", "0,20")):
        page.get_by_label(unit).check()
        sync_api.expect(page.locator("#small")).to_have_value(small)
    page.get_by_label(dealer, exact=True).check()
    phone.taps += 1
    phone.tap("main button.primary")
    phone.sound()
    phone.tap("main button.big")
    page.wait_for_url("**/organiser")


SETTING_UP = 8
"""New, Stoppa, without a camera, another place, on, who deals, on, begin; the names are typed."""


PUNTI = 13
"""A hand: its beginning, seven for a punto that two compete for, one to go on, one for each on which nobody bets."""


def laid(ledger: Ledger) -> list[tuple[str, ...]]:
    game = ledger.newest()
    assert game is not None
    return [line.event.cards for line in ledger.lines(game) if isinstance(line.event, log.Lay)]

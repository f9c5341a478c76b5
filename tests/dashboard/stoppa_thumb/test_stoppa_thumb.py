"""An evening of Stoppa without a camera, in Chromium on a small phone: set up and kept by thumb, its taps counted."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import EFFECT, Screens
from serving import until
from stoppa_by_thumb import PUNTI, SETTING_UP, set_up, state
from thumbs import thumb
from views import mostly

from companion.dashboard.serve import Server
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")
pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", mostly(["dark", "light"], ["dark"]))
def test_an_evening_is_set_up_and_a_hand_is_kept_by_thumb(
    app: Flask, server: Server, ledger: Ledger, screens: Screens, scheme: str
) -> None:
    phone = thumb(app, server, screens, "/setup", scheme)
    set_up(phone, dealer="Dino")
    phone.says("Tra una mano e l’altra")
    assert phone.taps == SETTING_UP

    phone.taps = 0
    phone.tap("#next .big")
    phone.says("Punto piccolo 1: parola ad Anna")
    phone.sound()
    phone.next("amount20")
    phone.says("Punto piccolo 1: parola a Bruno")
    phone.next("word0")  # vede
    phone.says("Punto piccolo 1: parola a Carla")
    phone.next("offer0")  # the others pass
    phone.says("Punto piccolo 1: le carte di Anna e Bruno")
    phone.sound()
    phone.next("denari-7")
    phone.next("denari-6")
    phone.next("take")
    phone.says("Punto piccolo 1: le carte di Bruno")
    phone.next("word0")  # buono
    phone.says("Ora: punto piccolo 2")
    phone.next("offer0")
    for number in (2, 3, 4):
        phone.says(f"Punto piccolo {number}: parola ad Anna")
        phone.next("offer0")  # nobody bets: the next one
    phone.says("Punto grosso: parola ad Anna")
    phone.next("offer0")
    assert phone.taps == PUNTI

    phone.taps = 0
    phone.says("Stoppata: apre Anna")
    phone.sound()
    phone.next("denari-1")
    wanted = ("due", "tre", "quattro", "cinque", "sei", "sette", "fante", "cavallo", "re")
    for number, called in enumerate(wanted, start=2):
        phone.says(f"Stoppata: serve il {called}")
        if number == 2:
            phone.sound()
        phone.next(f"Anna denari-{number}")
    phone.says("Tra una mano e l’altra")
    assert phone.taps == 10  # a tap a card
    stands = state(ledger)
    assert stands.balances == (1440, -620, -600, -220)
    told = stands.hands[-1].stoppata
    assert told is not None
    assert (told.winner, told.laid) == ("Anna", {"Anna": 10, "Bruno": 0, "Carla": 0, "Dino": 0})
    sync_api.expect(phone.page.locator("#players li").first).to_contain_text("+14,40 €")

    phone.taps = 0
    phone.tap("#hand [data-key=earlier-lines]")
    phone.tap("#hand .line", "Anna punta 0,20")  # it was 1,50
    for key in ("1", ",", "5"):
        phone.tap(f"dialog [data-key='pad{key}']")
    phone.tap("dialog [data-key='pad-go']")
    sync_api.expect(phone.page.locator(EFFECT)).to_be_visible()
    table = phone.page.locator("dialog table")
    sync_api.expect(table).to_contain_text("−6,20 €")
    sync_api.expect(table).to_contain_text("−7,50 €")
    phone.sound()
    assert state(ledger).balances == stands.balances  # shown, and not yet done
    phone.tap("dialog > .big")
    until(lambda: state(ledger).balances == (1570, -750, -600, -220))
    assert phone.taps == 7
    phone.tap("#undo")
    until(lambda: state(ledger).balances == stands.balances)

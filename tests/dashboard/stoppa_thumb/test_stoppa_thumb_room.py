"""A hand of Stoppa by thumb: what six names leave of a small phone, and a pad that was left."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import Screens
from phones import Phone
from stoppa_by_thumb import NAMES
from stoppa_views import LONG
from thumbs import thumb

from companion.dashboard.serve import Server
from companion.games.stoppa import log
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.table.text import listed

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")
pytestmark = pytest.mark.browser


@pytest.mark.pages
def test_a_pad_that_was_left_unfinished_is_empty_the_next_time(
    app: Flask, server: Server, ledger: Ledger, screens: Screens
) -> None:
    EveningRecorder.begin(ledger, log.new_game(NAMES, 100, 20, "Dino"))
    phone = thumb(app, server, screens, "/organiser")
    phone.tap("#next .big")
    phone.says("Punto piccolo 1: parola ad Anna")
    for key in ("other", "pad1", "pad2", "offer0"):  # nobody bets
        phone.next(key)
    phone.says("Punto piccolo 2: parola ad Anna")
    sync_api.expect(phone.page.locator("#next .amounts")).to_be_visible()
    phone.next("other")
    sync_api.expect(phone.page.locator("#next .typed")).not_to_contain_text("12")


@pytest.mark.pages
@pytest.mark.parametrize(("size", "scheme"), [((360, 640), "dark"), ((390, 844), "light")], ids=["small", "usual"])
def test_a_status_that_names_six_covers_little_of_a_phone(
    app: Flask, server: Server, ledger: Ledger, screens: Screens, size: tuple[int, int], scheme: str
) -> None:
    EveningRecorder.begin(ledger, log.new_game(LONG, 600, 100, LONG[-1]))
    told = Phone(app)
    told.say({"e": "hand"}, {"e": "piccolo"}, {"e": "punto", "by": LONG[0], "to": 50})
    told.say(*({"e": "vedo", "by": name} for name in LONG[1:]))
    phone = thumb(app, server, screens, "/organiser", scheme, size)
    phone.says(f"Punto piccolo 1: le carte di {listed(LONG, 'it')}")  # all of it is there for a screen reader
    assert phone.page.evaluate("document.querySelector('header').offsetHeight") < size[1] / 6
    phone.sound()


@pytest.mark.pages
@pytest.mark.parametrize("width", [320, 360, 390])
def test_names_of_six_are_whole_above_their_cards(
    app: Flask, server: Server, ledger: Ledger, screens: Screens, width: int
) -> None:
    names = ("Giandomenico", "Maria Antonietta", "Giuseppe", "Berardo", "Filomena", "Anna")
    EveningRecorder.begin(ledger, log.new_game(names, 600, 100, "Anna"))
    told = Phone(app)
    nobody = {"e": "passo", "by": "Filomena"}
    told.say({"e": "hand"}, *(event for punto in ("piccolo", "piccolo", "grosso") for event in ({"e": punto}, nobody)))
    told.say({"e": "lay", "by": "Giandomenico", "cards": ["denari-4"]})
    phone = thumb(app, server, screens, "/organiser", size=(width, 640))
    rows = phone.page.locator("#next .table li")
    sync_api.expect(rows).to_have_count(6)
    phone.whole_words("#next .table li")
    sync_api.expect(rows.last).to_be_in_viewport(ratio=1)
    phone.sound()

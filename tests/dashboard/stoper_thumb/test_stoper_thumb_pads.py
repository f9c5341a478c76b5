"""Pads of Stoper in Chromium: blinds, two phones, two taps, words that are not broken."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import Screens
from stoper_by_thumb import state
from thumbs import Thumb, thumb

from companion.dashboard.serve import Server
from companion.games.stoper import log
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")
pytestmark = pytest.mark.browser


def test_blinds_are_told_before_the_cards(begun: Thumb, ledger: Ledger) -> None:
    phone = begun
    phone.tap("#next .words button", "Bice: buio (4,00 €)")
    phone.says("Aperto al buio: parola a Ciro")
    phone.next("word1")  # passes: too little for a controbuio
    phone.says("Aperto al buio: parola a Dora")
    phone.next("word0")
    phone.says("Aperto al buio: parola ad Ada")
    phone.next("word1")
    phone.says("Buio visto: parola a Bice")
    phone.sound()
    phone.next("word0")  # does not raise
    phone.says("Cambio: Bice")
    opened = state(ledger).hand
    assert opened is not None
    assert (opened.blinds, opened.pot) == (1, 1200)


def test_two_phones_and_two_taps_say_a_thing_once(
    opened: Thumb, app: Flask, server: Server, ledger: Ledger, screens: Screens
) -> None:
    other = thumb(app, server, screens, "/organiser", "light", (390, 844), "Ada")
    other.says("Aperto: parola a Ciro")
    opened.page.locator("#next [data-key=word0]").dblclick()
    opened.says("Aperto: parola a Dora")
    other.says("Aperto: parola a Dora")
    assert [line.event for line in ledger.lines(ledger.newest() or 0)][-1] == log.Vedo(by="Ciro")
    opened.page.goto(f"{server.url}/")
    opened.page.go_back()
    opened.says("Aperto: parola a Dora")
    other.next("word1")
    opened.says("Aperto: parola ad Ada")


@pytest.mark.pages
def test_a_pad_forgets_what_another_phone_has_overtaken(
    opened: Thumb, app: Flask, server: Server, ledger: Ledger, screens: Screens
) -> None:
    other = thumb(app, server, screens, "/organiser", "light", (390, 844), "Ada")
    for key in ("other", "pad1", "pad2"):
        opened.next(key)
    other.next("word0")  # Ciro sees
    opened.says("Aperto: parola a Dora")
    other.tap("#undo")
    opened.says("Aperto: parola a Ciro")
    sync_api.expect(opened.page.locator("#next .amounts")).to_be_visible()
    opened.next("other")
    sync_api.expect(opened.page.locator("#next .typed")).not_to_contain_text("12")


@pytest.mark.pages
@pytest.mark.parametrize("width", [320, 360, 390])
def test_no_word_of_three_that_can_be_said_is_broken(
    app: Flask, server: Server, ledger: Ledger, screens: Screens, width: int
) -> None:
    EveningRecorder.begin(ledger, log.new_game(("Anna", "Giuseppe", "Carla", "Dino"), 5000, "Dino", usual=log.Usual(50, 50)))
    phone = thumb(app, server, screens, "/organiser", size=(width, 640))
    phone.tap("#next .big")
    phone.tap("#next .words button", "Anna: buio")
    sync_api.expect(phone.page.locator("#next .words button", has_text="Giuseppe: controbuio")).to_be_visible()
    phone.whole_words("#next .words button")
    phone.sound()

"""On the organiser's phone what is to be done now comes to the top once a hand is over, however far down the page stood."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import EFFECT, PHONE, Screens
from phones import Phone

from companion.dashboard.serve import Server

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser

SMALL = {**PHONE, "viewport": {"width": 360, "height": 480}}


def test_after_an_outcome_that_was_entered_far_down_the_next_hand_is_at_the_top(
    app: Flask, game: int, server: Server, screens: Screens
) -> None:
    told = Phone(app)
    told.say({"e": "hand"})
    told.say({"e": "sto", "by": "Anna"})
    phone = screens.paired(server.url, app.extensions["pairing"].pin.digits, kind=SMALL)
    phone.locator('#hand [data-key="outcome"]').tap()
    assert phone.evaluate("scrollY") > 100
    phone.locator("dialog[open] button", has_text="Bruno").tap()
    phone.locator("dialog[open] .big").tap()
    sync_api.expect(phone.locator(EFFECT).first).to_be_visible()
    phone.locator("dialog[open] .big").tap()
    sync_api.expect(phone.locator("dialog[open]")).to_have_count(0)
    sync_api.expect(phone.locator("#next .big")).to_contain_text("Nuova mano")
    under = phone.locator("header").first.evaluate("one => one.getBoundingClientRect().bottom")
    assert phone.locator("#next button").first.evaluate("one => one.getBoundingClientRect().top") >= under

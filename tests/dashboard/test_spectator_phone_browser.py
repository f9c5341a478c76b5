"""A spectator's phone in Debian's Chromium: who its owner is, the own box first, a buzz when something is asked of them."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import PHONE, TV, Screens, serious
from phones import Phone

from companion.dashboard.serve import Server

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = [pytest.mark.browser, pytest.mark.pages]

BUZZES = "window.buzzes = 0; navigator.vibrate = () => { buzzes += 1; return true; };"
PLACES = "all => all.map((one) => [one.dataset.player, one.getBoundingClientRect().top])"


def test_the_own_box_comes_first_is_remembered_and_buzzes_when_its_owner_has_to_decide(
    app: Flask, game: int, server: Server, screens: Screens
) -> None:
    told = Phone(app)
    told.say({"e": "hand"})  # Anna decides, then Bruno
    phone = screens.open(PHONE, server.url)
    phone.add_init_script(BUZZES)
    phone.get_by_label("Io sono").select_option("Bruno")
    phone.reload()
    own = phone.locator("#seats .mine")
    sync_api.expect(own).to_have_attribute("data-player", "Bruno")
    placed = dict(phone.locator("#seats .seat").evaluate_all(PLACES))
    assert all(placed["Bruno"] < top for name, top in placed.items() if name != "Bruno")
    assert phone.evaluate("buzzes") == 0
    told.say({"e": "sto", "by": "Anna"})
    sync_api.expect(own.locator(".role")).to_be_visible()
    sync_api.expect(phone.locator("#announce")).to_be_attached()
    assert phone.evaluate("buzzes") == 1
    lines = phone.locator("#happened > :not(i)")
    sync_api.expect(lines).to_contain_text(["Anna sta"])
    tops = lines.evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert tops == sorted(set(tops))  # line by line
    assert serious(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    sync_api.expect(screens.open(TV, server.url).locator("#mine")).to_be_hidden()

"""A question about a hand of Stoppa on a small phone, and only the outcome of one, in Chromium: its taps counted."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from journey import EFFECT, Screens, serious
from stoppa_table import FIRST, Table, doubtful_group

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games import stoppa
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.table.log import write_lines

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = pytest.mark.browser

SMALL: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
TV: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}


@pytest.fixture
def recorder(ledger: Ledger) -> EveningRecorder:
    return EveningRecorder.begin(ledger, FIRST)


@pytest.fixture
def app(ledger: Ledger, recorder: EveningRecorder) -> Flask:
    return create_app(ledger, settings=Settings(heartbeat=0.5, patience=30), recorder=lambda: recorder)


def organiser(app: Flask, server: Server, screens: Screens) -> Any:
    page = screens.open(SMALL, f"{server.url}/pair?next=/organiser#{app.extensions['pairing'].pin.digits}", locale="it-IT")
    page.locator("main form button").tap()
    page.wait_for_url(f"{server.url}/organiser")
    return page


def test_one_tap_answers_and_the_tv_is_sure(app: Flask, server: Server, recorder: EveningRecorder, screens: Screens) -> None:
    recorder.change(lambda _: doubtful_group().evening)
    tv, page = screens.open(TV, f"{server.url}/?lang=it"), organiser(app, server, screens)
    sync_api.expect(tv.locator("#centre .ruling.unsure, .ruling.unsure").first).to_be_visible()
    sync_api.expect(page.locator("#question h2.asked")).to_have_text("Chi ha preso il punto piccolo 1?")
    assert serious(page) == []
    page.locator("#question button.answer", has_text="Bruno").tap()
    sync_api.expect(page.locator("#question")).to_be_hidden()
    sync_api.expect(tv.locator(".ruling.unsure")).to_have_count(0)
    sync_api.expect(tv.locator(".ruling").first).to_be_visible()
    sync_api.expect(tv.locator(".seat.believed")).to_have_count(0)


def test_the_outcome_takes_a_tap_for_each_player_and_two_more(
    app: Flask, server: Server, recorder: EveningRecorder, screens: Screens
) -> None:
    recorder.change(lambda _: Table().dealt().lays(0, "denari-5").lays(1, "coppe-6").evening)
    page, taps = organiser(app, server, screens), 0
    page.locator("[data-key=outcome]").tap()
    for name, left in (("Anna", 3), ("Bruno", 5), ("Carla", 0), ("Dino", 1)):
        page.get_by_role("button", name=f"{name}: {left}", exact=True).tap()
        taps += 1
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == SMALL["viewport"]["width"]
    page.locator("dialog .last").tap()
    page.locator(EFFECT).first.wait_for()
    page.locator("dialog button.big").last.tap()
    taps += 2
    sync_api.expect(page.locator("dialog")).to_be_hidden()
    told = stoppa.report(stoppa.replay_log(write_lines(recorder.ledger.lines(recorder.game_id)))).hands[0]
    assert {(paid.payer, paid.to, paid.cards) for paid in told.payments} == {("Anna", "Carla", 3), ("Bruno", "Carla", 5)}
    assert taps == 6

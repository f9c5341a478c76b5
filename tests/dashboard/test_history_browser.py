"""Who said what, on the organiser's phone in Chromium: when, on whose phone, in words; what was taken back is marked."""

from __future__ import annotations

import re

import pytest
from journey import PHONE, Screens, serious, turned
from phones import Phone
from serving import served

from companion.dashboard import Settings, create_app
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = pytest.mark.browser


def test_organisers_see_who_said_what_and_what_was_taken_back(screens: Screens, ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
    app = create_app(ledger, settings=Settings(heartbeat=0.5), recorder=lambda: recorder)
    other = Phone(app)
    with served(app) as server:
        page = screens.open(PHONE, f"{server.url}/pair#{app.extensions['pairing'].pin.digits}")
        page.locator("#name").fill("Zia Pina")
        page.locator("button").tap()
        asked = page.get_by_role("button", name="Chi ha detto cosa")
        sync_api.expect(page.locator("#next button").first).to_be_visible()
        turned(page, "#more")
        sync_api.expect(page.locator("#more button").first).to_be_visible()
        sync_api.expect(asked).to_have_count(0)
        turned(page, "#next")
        page.locator("#next button").first.tap()
        turned(page, "#more")
        asked.tap()
        rows = page.locator("#sheet .history li")
        sync_api.expect(rows).to_have_count(1)
        assert re.match(r"\d\d:\d\d · Zia Pina", rows.first.inner_text())
        assert serious(page) == []
        page.get_by_role("button", name="Chiudi").tap()
        other.look()
        other.do("undo")
        asked.tap()
        sync_api.expect(rows).to_have_count(2)
        sync_api.expect(page.locator("#sheet .history .back")).to_contain_text("annullato")

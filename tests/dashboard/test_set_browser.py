"""It was so, by thumb: the form on the phone, with its pad and its sum; and the TV says that the table has said it."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from journey import EFFECT, TV, Screens, turned
from serving import until
from test_set import STOPPA, STU, begun

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser


@pytest.fixture
def app(ledger: Ledger) -> Flask:
    return create_app(ledger, settings=Settings(heartbeat=0.5, patience=60, moment=600))


def test_balances_are_typed_until_they_come_to_nothing(app: Flask, ledger: Ledger, screens: Screens, server: Server) -> None:
    begun(ledger, STOPPA)
    phone = screens.paired(server.url, app.extensions["pairing"].pin.digits)
    tv = screens.open(TV, server.url)
    sync_api.expect(tv.locator(".seat")).to_have_count(4)
    turned(phone, "#more")
    phone.locator('#more [data-key="set"]').tap()
    sheet = phone.locator("dialog[open]")

    def tap(*keys: str) -> None:
        for key in keys:
            sheet.locator(f'[data-key="{key}"]:not(.fresh)').tap()

    tap("standing Anna other", "pad2", "pad,", "pad5", "sign", "pad-go")
    sync_api.expect(sheet.locator(".problem")).to_have_text("In tutto fa −2,50 €: deve fare 0,00 €")
    sync_api.expect(sheet.locator('[data-key="tell"]')).to_be_disabled()
    tap("standing Dino other", "pad2", "pad,", "pad5", "pad-go")
    sync_api.expect(sheet.locator(".problem")).to_have_count(0)
    sheet.get_by_label("Motivo").fill("contati due volte")
    tap("tell")
    sync_api.expect(phone.locator(EFFECT)).to_be_visible()
    phone.locator("dialog > .big:not(.fresh)").tap()
    sync_api.expect(tv.locator("#moment")).to_contain_text("Lo dice il tavolo")
    sync_api.expect(tv.locator("#moment .names span")).to_have_count(4)
    assert tv.locator(".corrected").count() == 0
    assert json.loads(app.test_client().get("/api/log").text.splitlines()[-1]) == {
        "e": "set", "standing": {"Anna": -250, "Bruno": 0, "Carla": 0, "Dino": 250}, "reason": "contati due volte",
        "confidence": 1.0,
    }  # fmt: skip
    tv.keyboard.press("Escape")
    sync_api.expect(tv.locator(".mark.set")).to_have_count(4)


def test_who_is_set_out_and_in_again_is_not_said_to_have_come_back(
    app: Flask, ledger: Ledger, screens: Screens, server: Server
) -> None:
    begun(ledger, STU)
    phone = screens.paired(server.url, app.extensions["pairing"].pin.digits)
    tv = screens.open(TV, server.url)
    sync_api.expect(tv.locator(".seat")).to_have_count(3)
    for pedine, said in (("0", "Anna: fuori"), ("2", "Anna: 2 pedine")):
        turned(phone, "#more")
        phone.locator('#more [data-key="set"]:not(.fresh)').tap()
        sheet = phone.locator("dialog[open]")
        sync_api.expect(sheet.locator('[data-key="tell"]')).to_be_disabled()
        sheet.locator('[data-key="standing Anna virgin false"]:not(.fresh)').tap()
        sheet.locator(f'[data-key="standing Anna pedine {pedine}"]:not(.fresh)').tap()
        sheet.locator('[data-key="tell"]:not(.fresh)').tap()
        sync_api.expect(phone.locator(EFFECT)).to_be_visible()
        phone.locator("dialog > .big:not(.fresh)").tap()
        sync_api.expect(phone.locator("dialog[open]")).to_have_count(0)
        until(lambda said=said: tv.locator("#moment").text_content() == f"Lo dice il tavolo{said}".replace("2 p", "2\xa0p"))
    last = json.loads(app.test_client().get("/api/log").text.splitlines()[-1])
    assert last["standing"] == {"Anna": {"pedine": 2, "virgin": False}}, "nobody else was set"

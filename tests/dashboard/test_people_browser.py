"""Where nobody can come or go any more, the organiser's phone says so beside the button that was tapped."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import PHONE, Screens
from test_people import HAND, STU, of

from companion.dashboard.serve import Server
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("camera")]


def test_why_nobody_can_come_stands_beside_the_button(app: Flask, ledger: Ledger, server: Server, screens: Screens) -> None:
    of(ledger, [*STU, *(HAND * 3), '{"e":"rebuy","by":"Carla"}'])
    phone = screens.paired(server.url, app.extensions["pairing"].pin.digits, kind=PHONE)
    phone.locator('#bar [data-shows="players"]').tap()
    phone.locator("#people form button").tap()
    phone.wait_for_url("**/organiser**")
    said = phone.locator("#people .problem")
    sync_api.expect(said).to_be_visible()
    sync_api.expect(said).to_contain_text("ci sono già ricompere")
    sync_api.expect(phone.locator("#people form button")).to_be_visible()
    phone.reload()
    sync_api.expect(phone.locator("#people .problem")).to_have_count(0)

"""The phone that films, in Chromium with a fake camera: other phones, other cameras, a program that was killed."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from film import FILMING_PHONE, begin_evening
from filming_house import House, says
from journey import TOO_LONG_MS, Screens, serious
from serving import program, until

from companion.assets import asset
from companion.line.phone_camera import PHONE

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = [pytest.mark.browser, pytest.mark.pages]


def test_loaded_again_it_films_without_another_code(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    says(phone, "send")
    phone.reload()
    says(phone, "send")
    until(lambda: house.camera_session.status().state == "live")


def test_a_code_that_somebody_else_came_with_is_said_with_what_to_do(house: House, phones: Screens) -> None:
    code = house.code()
    first = phones.open(FILMING_PHONE, code)
    first.locator("#open").tap()
    says(first, "send")
    second = phones.open(FILMING_PHONE, code)
    second.locator("#open").tap()
    says(second, "code")
    sync_api.expect(second.locator("main")).to_contain_text("inquadra quel codice")
    assert serious(second) == []


def test_a_second_phone_asks_before_it_takes_over_and_the_first_is_told(house: House, phones: Screens) -> None:
    first = house.come(phones)
    until(lambda: house.camera_session.status().state == "live")
    second = house.come(phones)
    says(second, "other")
    assert serious(second) == []
    assert first.evaluate("state") == "send"
    second.locator("#take").tap()
    says(second, "send")
    says(first, "other")
    first.locator("#take").tap()
    says(first, "send")
    says(second, "other")


def test_while_another_camera_is_chosen_the_phone_waits_and_begins_by_itself(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    says(phone, "send")
    house.camera_session.choose("")
    says(phone, "unwanted")
    house.camera_session.choose(PHONE)
    says(phone, "send")


def test_a_camera_that_is_not_allowed_is_said_with_where_to_allow_it(house: House, phones: Screens) -> None:
    phone = phones.open(FILMING_PHONE, house.code())
    phone.context.add_init_script(
        "let asked = 0; const own = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices);"
        "if (own) navigator.mediaDevices.getUserMedia = (wish) => asked++ ? own(wish)"
        " : Promise.reject(new DOMException('', 'NotAllowedError'));"
    )
    phone.locator("#open").tap()
    says(phone, "denied")
    assert serious(phone) == []
    phone.locator("#again").tap()
    says(phone, "send")


def test_the_dark_screen_is_one_tap_away_and_one_tap_back(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    says(phone, "send")
    phone.locator("#dim").tap()
    sync_api.expect(phone.locator("#dark")).to_be_visible()
    assert serious(phone) == []
    phone.locator("#dark").tap()
    sync_api.expect(phone.locator("#dark")).to_be_hidden()
    until(lambda: house.inbox.status().sending)


@pytest.mark.slow
@pytest.mark.kills
def test_the_real_program_killed_in_mid_evening_waits_for_the_phone_again(
    phones: Screens, screens: Screens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    ledger = tmp_path / "evening.ledger"
    table = json.loads((asset("datasets/demo") / "table.json").read_text())
    with program(ledger, "--https-port", str(port)) as first:
        organiser = screens.paired(first.url, first.pin, "/setup/camera")
        assert not (tmp_path / "companion").exists()  # no certificate before somebody asks
        organiser.locator("#a-phone").tap()
        code = organiser.locator("#direct").get_attribute("href")
        phone = phones.open(FILMING_PHONE, f"http:{code}")
        phone.locator("#open").tap()
        says(phone, "send")
        organiser.wait_for_url("**/setup/camera", timeout=TOO_LONG_MS)
        begin_evening(organiser, table)
        until(lambda: organiser.request.get(f"{first.url}/setup/check.json").json()["state"] == "live")
    says(phone, "offline")
    with program(ledger, "--https-port", str(port)) as again:
        says(phone, "send")
        until(lambda: organiser.request.get(f"{again.url}/setup/check.json").json()["state"] == "live")  # a phone stays paired

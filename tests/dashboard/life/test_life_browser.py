"""The life of an evening in Chromium, as a bar would treat it: Back, two taps, two phones, a camera plugged in meanwhile."""

from __future__ import annotations

import re

import pytest
from bar_life import Bar, begin, prepared, to_ready
from journey import Screens, serious

from companion.line.camera import CameraStatus

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser


def test_back_and_a_tap_leave_the_evening_that_is_on(bar: Bar, screens: Screens) -> None:
    page = screens.paired(bar.url, bar.pin, "/setup")
    to_ready(page)
    begin(page)
    page.go_back()
    page.wait_for_url("**/setup?why=begun")
    sync_api.expect(page.get_by_role("status")).to_contain_text("La serata è cominciata")
    # And as a browser that keeps its pages would have it: the old page, shown once more.
    page.get_by_role("button", name=re.compile("Serata nuova")).tap()
    page.locator("form:has([value=stu]) button").tap()
    page.wait_for_url("**/setup/camera")
    page.go_back()
    page.wait_for_url("**/setup/game")
    page.go_back()
    page.wait_for_url("**/setup?why=begun")
    sync_api.expect(page.get_by_role("link", name="Segna la partita")).to_be_visible()
    assert [game.id for game in bar.ledger.games()] == [1]


def test_two_taps_on_begin_begin_one_evening(bar: Bar, screens: Screens) -> None:
    page = screens.paired(bar.url, bar.pin, "/setup")
    prepared(page)
    page.evaluate("""() => { const form = document.querySelector('form[action="/setup/start"]');
      const told = new URLSearchParams(new FormData(form));
      return Promise.all([1, 2].map(() => fetch(form.action, { method: "POST", body: told }))); }""")
    assert [game.id for game in bar.ledger.games()] == [1]
    begin(page)
    assert [game.id for game in bar.ledger.games()] == [1]


def test_a_second_phone_with_an_old_page_is_led_to_the_evening(bar: Bar, screens: Screens) -> None:
    one, other = (screens.paired(bar.url, bar.pin, "/setup", name) for name in ("one", "other"))
    prepared(one)
    other.goto(f"{bar.url}/setup/ready")
    begin(one)
    begin(other)
    assert [game.id for game in bar.ledger.games()] == [1]
    other.goto(f"{bar.url}/setup")
    prepared(other)
    other.get_by_role("button", name="Comincia").tap()
    sync_api.expect(other.get_by_role("heading", name="C’è una serata in corso")).to_be_visible()
    assert serious(other) == []
    assert bar.ledger.newest() == 1
    other.get_by_role("link", name="Resta in questa").tap()
    other.wait_for_url("**/organiser")
    assert bar.ledger.newest() == 1


def test_a_camera_that_is_plugged_in_appears_and_its_picture_lives(bar: Bar, screens: Screens) -> None:
    bar.camera.plugged = False
    page = screens.paired(bar.url, bar.pin, "/setup")
    page.get_by_role("button", name=re.compile("Serata nuova")).tap()
    page.locator("form:has([value=stu]) button").tap()
    sync_api.expect(page.get_by_text("compare qui da sola")).to_be_visible()
    page.fill("#source", "rtsp://192")  # what is being typed stays
    bar.camera.plugged = True
    sync_api.expect(page.get_by_role("button", name=re.compile("Webcam"))).to_be_visible()
    sync_api.expect(page.get_by_role("link", name="Avanti")).to_be_visible()  # the only one: taken at once
    assert page.input_value("#source") == "rtsp://192"
    sync_api.expect(page.locator("svg.picture image")).to_have_attribute("href", re.compile(r"live\.jpg\?\d+"))
    sync_api.expect(page.locator("#camera-is")).to_have_text("funziona")
    bar.camera.plugged, bar.camera.state = False, CameraStatus("0", "lost")
    sync_api.expect(page.locator("#camera-is")).to_contain_text("persa")
    sync_api.expect(page.get_by_role("link", name="Avanti")).to_have_count(0)


@pytest.mark.pages
def test_a_page_that_waits_for_the_camera_goes_on_by_itself(bar: Bar, screens: Screens) -> None:
    page = screens.paired(bar.url, bar.pin, "/setup")
    page.get_by_role("button", name=re.compile("Serata nuova")).tap()
    page.locator("form:has([value=stu]) button").tap()
    page.get_by_role("link", name="Avanti").wait_for()
    bar.camera.state = CameraStatus("0", "opening")
    page.goto(f"{bar.url}/setup/table")
    sync_api.expect(page.locator("svg.picture")).to_have_count(0)
    bar.camera.choose("0")
    sync_api.expect(page.locator("svg.picture")).to_be_visible()

"""Names and places in Debian's Chromium, on a phone's screen: added, picked, moved, and there again after Back."""

from __future__ import annotations

import math
import re

import pytest
from fake_camera import FakeCamera
from games import GNAFFATA, lines
from setup_pages import SMALL, TAPS, at_the_players, names_typed, new_evening, places_marked, without_camera

from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")


pytestmark = pytest.mark.browser


def test_names_can_be_picked_removed_and_moved(page: sync_api.Page, camera: FakeCamera, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    at_the_players(page)
    picture = page.locator("svg.picture")
    for x, y in TAPS.values():
        picture.click(position={"x": x * 358 / 1280, "y": y * 358 / 1280})
    for name in ("Carla", "Anna"):
        page.locator(f'.pick[data-name="{name}"]').click()
        sync_api.expect(page.locator(f'.pick[data-name="{name}"]')).to_be_hidden()
    assert names_typed(page) == ["Carla", "Anna", ""]
    page.locator("#names button").nth(2).click()
    assert len(places_marked(page)) == 2
    page.locator(".placed").first.focus()
    before = places_marked(page)[0][0]
    page.keyboard.press("ArrowLeft")
    assert places_marked(page)[0][0] == pytest.approx(before - 12.8, abs=0.11)


def test_places_that_the_game_needs_are_still_there_after_a_refusal(page: sync_api.Page) -> None:
    new_evening(page, "stoper")
    without_camera(page)
    names = page.locator("#names input")
    sync_api.expect(names).to_have_count(4)
    names.first.fill("Anna")
    page.get_by_role("button", name="Avanti").click()
    sync_api.expect(page.get_by_role("alert")).to_be_visible()
    sync_api.expect(names).to_have_count(4)
    sync_api.expect(names.first).to_have_value("Anna")


def test_a_name_that_is_too_long_is_said_while_it_is_typed_and_not_cut(page: sync_api.Page) -> None:
    new_evening(page)
    without_camera(page)
    name, said = page.locator("#names input").first, page.locator("#too-long")
    name.press_sequentially("Massimiliano Alessandrini")  # 25 letters
    sync_api.expect(name).to_have_value("Massimiliano Alessandrini")
    sync_api.expect(said).to_have_text("«Massimiliano Alessandrin…» è troppo lungo: al massimo 24 lettere.")
    name.press("Backspace")
    sync_api.expect(said).to_be_hidden()


@pytest.mark.pages
def test_names_that_were_typed_outlast_back_and_a_visit_to_another_page(page: sync_api.Page) -> None:
    new_evening(page)
    without_camera(page)
    names = page.locator("#names input")
    page.click("#add")
    for number, name in enumerate(TAPS):
        sync_api.expect(names.nth(number)).to_be_focused() if number else names.first.focus()
        names.nth(number).fill(name)
        page.keyboard.press("Enter")
    sync_api.expect(names).to_have_count(len(TAPS) + 1)
    names.last.press("Enter")  # a place that nobody takes
    page.wait_for_url(re.compile("/setup/(?!players)"))
    page.go_back()
    sync_api.expect(names).to_have_count(len(TAPS))
    page.go_back()
    page.wait_for_url("**/setup/camera")
    page.go_forward()
    sync_api.expect(names.nth(2)).to_have_value("Carla")
    page.go_back()
    without_camera(page)
    page.wait_for_url("**/setup/players")
    sync_api.expect(names.nth(2)).to_have_value("Carla")
    page.locator("#names button").nth(1).click()
    page.get_by_role("button", name="Avanti").click()
    page.wait_for_url(re.compile("/setup/(?!players)"))
    page.go_back()
    sync_api.expect(names).to_have_count(2)
    sync_api.expect(names.nth(1)).to_have_value("Carla")


def test_back_leads_over_refused_forms_to_the_pages_as_they_are_now(page: sync_api.Page) -> None:
    new_evening(page)
    without_camera(page)
    refused, onward = page.get_by_role("alert"), page.get_by_role("button", name="Avanti")
    names = page.locator("#names input")
    names.first.fill("Anna")
    onward.click()
    sync_api.expect(refused).to_contain_text("posto 2")
    sync_api.expect(names.first).to_have_value("Anna")
    names.nth(1).fill("Bruno")
    sync_api.expect(refused).to_be_hidden()  # it was about what was sent
    onward.click()
    page.get_by_label("Anna", exact=True).check()
    page.locator("#stake").fill("due")
    onward.click()
    sync_api.expect(refused).to_contain_text("La posta")
    page.locator("#stake").fill("2")
    onward.click()
    page.wait_for_url("**/setup/ready")
    for step in ("stakes", "stakes", "players", "players"):
        page.go_back()
        page.wait_for_url(f"**/setup/{step}")
        sync_api.expect(page.get_by_role("heading", level=1)).to_be_visible()
        sync_api.expect(refused).to_have_count(0)
    sync_api.expect(names.nth(1)).to_have_value("Bruno")


@pytest.mark.pages
def test_no_more_places_are_offered_than_the_game_has_players(page: sync_api.Page) -> None:
    new_evening(page, "stoppa")
    without_camera(page)
    add, full = page.get_by_role("button", name="Aggiungi un posto"), page.get_by_text("Al massimo 6 giocatori.")
    sync_api.expect(page.locator("#names input")).to_have_count(3)  # the fewest who play it
    for _ in range(3):
        sync_api.expect(full).to_be_hidden()
        add.click()
    sync_api.expect(add).to_be_hidden()
    sync_api.expect(full).to_be_visible()
    sync_api.expect(page.locator("#names input")).to_have_count(6)
    page.locator("#names button").last.click()
    sync_api.expect(add).to_be_visible()


@pytest.mark.pages
def test_twenty_places_close_together_can_each_be_tapped(page: sync_api.Page) -> None:
    at_the_players(page)
    picture = page.locator("svg.picture")
    for number in range(20):
        turn = math.pi / 2 - 2 * math.pi * number / 20
        picture.click(position={"x": 179 + 84 * math.cos(turn), "y": 100 + 53 * math.sin(turn)})
        sync_api.expect(page.locator("#names input").nth(number)).to_be_focused()
    assert len(places_marked(page)) == 20
    assert page.evaluate(SMALL) == []

"""Setting up in Debian's Chromium, on a phone's screen: dragged, tapped, typed, and by keyboard alone."""

from __future__ import annotations

import re

import pytest
from fake_camera import FakeCamera
from games import GNAFFATA, lines
from setup_pages import TAPS, sound

from companion.ledger import Ledger
from companion.line.camera import FoundCorners

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")


pytestmark = pytest.mark.browser


def corners(page: sync_api.Page) -> list[list[float]]:
    return [[float(value) for value in pair.split(",")] for pair in page.input_value("#corners").split()]


def test_an_evening_by_thumb_from_the_camera_to_the_first_hand(
    page: sync_api.Page, camera: FakeCamera, ledger: Ledger
) -> None:
    camera.found = FoundCorners(((380.0, 100.0), (1010.0, 170.0), (1180.0, 610.0), (120.0, 560.0)), "rect", 0.8)
    sound(page, "/setup")
    page.get_by_role("button", name=re.compile("Serata nuova")).click()
    page.locator("form:has([value=stu]) button").click()
    page.get_by_role("button", name=re.compile("Webcam")).click()
    sync_api.expect(page.get_by_role("link", name="Avanti")).to_be_visible()
    sound(page, "/setup/camera")
    page.get_by_role("link", name="Avanti").click()
    sound(page, "/setup/table")
    # The first corner is 50 to the right of and 40 above the table's: drag it there.
    handle = page.locator(".handle").first
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    scale = page.evaluate("document.querySelector('svg.picture').getScreenCTM().a")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 50 * scale, y + 40 * scale, steps=4)
    sync_api.expect(page.locator("#loupe")).to_be_visible()
    page.mouse.up()
    sync_api.expect(page.locator("#loupe")).to_be_hidden()
    assert corners(page)[0] == pytest.approx([330, 140], abs=4)
    # And by keyboard: one step of an arrow is a hundredth of the picture, with Shift a pixel.
    before = corners(page)[0]
    handle.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert corners(page)[0] == pytest.approx([before[0] + 12.8, before[1] + 1], abs=0.11)
    page.get_by_role("button", name="Avanti").click()
    page.wait_for_url("**/setup/players")  # and loaded: its script has to listen before the first tap
    picture = page.locator("svg.picture")
    for number, (name, (x, y)) in enumerate(TAPS.items()):
        picture.click(position={"x": x * 358 / 1280, "y": y * 358 / 1280})
        sync_api.expect(page.locator("#names input").nth(number)).to_be_focused()
        page.keyboard.type(name)
    sound(page, "/setup/players")
    page.get_by_role("button", name="Avanti").click()
    page.locator("summary").click()
    sound(page, "/setup/stakes")
    page.get_by_label("Carla", exact=True).check()
    page.get_by_role("button", name="Avanti").click()
    sound(page, "/setup/ready")
    page.get_by_role("button", name="Comincia").click()
    page.wait_for_url("**/organiser")
    assert camera.begun is not None
    assert camera.begun[0].players == tuple(TAPS)
    assert ledger.newest() == 1


@pytest.mark.pages
def test_the_archive_and_a_replay_are_readable(page: sync_api.Page, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    page.get_by_role("link", name=re.compile("Serate passate")).click()
    sound(page, "/setup/games")
    page.get_by_role("link", name=re.compile("Rivedi")).click()
    sync_api.expect(page.locator(".now")).to_have_text("La partita comincia.")
    for number in range(2, len(GNAFFATA) + 1):
        page.get_by_role("link", name="Dopo").click()
        page.wait_for_url(f"**step={number}")
    sound(page, f"step={len(GNAFFATA)}")
    sync_api.expect(page.locator(".pays li").first).to_contain_text("regola 14")
    sync_api.expect(page.get_by_role("link", name="Dopo")).to_have_count(0)

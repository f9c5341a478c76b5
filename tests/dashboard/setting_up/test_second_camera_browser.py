"""A second camera is shown the table on the phone: six taps at most, whatever the number of players."""

from __future__ import annotations

import math
import re

import pytest
from fake_camera import FakeCamera
from setup_pages import sound

from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.camera import FoundCorners

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = [pytest.mark.browser, pytest.mark.pages]

NAMES = [f"Giocatore {number}" for number in range(1, 17)]
MOST_TAPS = 6


def test_the_second_camera_of_sixteen_players_takes_six_taps_at_most(
    page: sync_api.Page, camera: FakeCamera, ledger: Ledger
) -> None:
    at = [(650 + 400 * math.cos(-turn * math.pi / 8), 370 + 160 * math.sin(-turn * math.pi / 8)) for turn in range(16)]
    first = new_game(NAMES, 100, NAMES[0])
    seats = ",".join(f'{{"name":"{name}","place":[{x:.1f},{y:.1f}]}}' for name, (x, y) in zip(NAMES, at, strict=True))
    table = (
        '{"v":1,"image_size":[1280,720],"corners":[[330,140],[1010,170],[1180,610],[120,560]],"stake":100,"currency":"EUR",'
        f'"dealer":"{NAMES[0]}","players":[{seats}]}}'
    ).encode()
    camera.choose("0")
    camera.begin(first, table)
    camera.further[0].found = FoundCorners(((330.0, 140.0), (1010.0, 170.0), (1180.0, 610.0), (120.0, 560.0)), "rect", 0.9)
    page.goto(page.url.replace("/setup", "/setup/camera"))
    taps = 0

    def tap(what: sync_api.Locator) -> None:
        nonlocal taps
        what.click()
        taps += 1

    tap(page.get_by_role("link", name="Un’altra telecamera a questo tavolo"))
    page.wait_for_url("**view=2")
    tap(page.get_by_role("button", name=re.compile("Phone")))
    page.wait_for_url("**/setup/view/table?view=2")
    sync_api.expect(page.locator(".handle")).to_have_count(4)
    tap(page.get_by_role("button", name="Avanti"))
    page.wait_for_url("**/setup/view/places?view=2")
    picture = page.locator("svg.picture")
    scale = page.evaluate("document.querySelector('svg.picture').getScreenCTM().a")
    picture.click(position={"x": (1300 - at[0][0]) * scale, "y": 368 * scale})  # opposite: the first one sits on the other side
    taps += 1
    sync_api.expect(page.locator(".placed")).to_have_count(16)
    sound(page, "/setup/view/places?view=2")
    tap(page.get_by_role("button", name="Avanti"))
    page.wait_for_url("**/setup/check?view=2")
    assert taps <= MOST_TAPS
    lie = camera.further[0].lie
    assert lie is not None
    assert len(lie.places) == 16
    assert lie.places[0][0] < 500 < 900 < lie.places[8][0], "seen from the other side"

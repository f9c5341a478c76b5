"""A deck taught on a phone in Debian's Chromium: with eyes that read grey levels, and with the real ones and drawn cards."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from drawn_cards import photo, written
from fake_camera import FakeCamera
from fake_sight import BLURRED, NONE, FakeSight, grey
from journey import serious
from serving import served
from setup_pages import SMALL

from companion.assets import asset
from companion.dashboard import create_app
from companion.eyes.source import Picture
from companion.ledger import Ledger
from companion.line.camera import CameraStatus
from companion.line.teaching.shelf import Shelf
from companion.line.teaching.sight import Sight
from companion.line.teaching.teaching import Teaching

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CARDS = ("matto", "leone", "mascherone")


class Grey:
    """Pictures of cards, and eyes for them. ``cloth``: the table without a card. ``poor``: a photo that is ``refused`` so."""

    def __init__(self) -> None:
        self.sight: Sight | FakeSight = FakeSight()
        self.cloth, self.poor, self.refused = grey(NONE), grey(BLURRED), "mossa"
        self.taken = 0

    def picture(self, card: str, *how: Any, **more: Any) -> np.ndarray:
        self.taken += 1
        image = grey(CARDS.index(card))
        image[0, : 10 * self.taken] += 2  # no two photos are the same
        return image


class Real(Grey):
    """The trained networks, and drawn cards."""

    def __init__(self) -> None:
        self.sight = Sight(asset("models"))
        self.cloth = np.full((720, 1280, 3), (70, 110, 60), np.uint8)
        self.poor, self.refused = photo("leone", (1600, 1200), 700) // 12, "troppo scura|non si vede"

    def picture(self, card: str, *how: Any, **more: Any) -> np.ndarray:
        return photo(card, *how, **more)


@pytest.fixture(params=[Grey, pytest.param(Real, marks=pytest.mark.networks)], ids=["grey", "networks"])
def eyes(request: pytest.FixtureRequest) -> Grey:
    made: Grey = request.param()
    return made


class Camera(FakeCamera):
    """The table's camera: what lies before it is laid there by the test."""

    def __init__(self, ledger: Ledger, image: np.ndarray) -> None:
        super().__init__(ledger)
        self.state = CameraStatus("0", "live", size=(1280, 720), per_second=9.8)
        self.image = image

    def jpeg(self, width: int) -> bytes | None:
        return np.asarray(cv2.imencode(".jpg", self.image)[1]).tobytes()

    def newest(self) -> Picture:
        return Picture(time.monotonic(), self.image.copy())


@pytest.fixture
def camera(ledger: Ledger, eyes: Grey) -> Camera:
    return Camera(ledger, eyes.cloth)


@pytest.fixture
def phone(
    chromium: sync_api.Browser, ledger: Ledger, camera: Camera, eyes: Grey, tmp_path: Path
) -> Iterator[sync_api.Page]:
    """A paired phone of 360x780 on the page of all decks; an error in a script fails the test."""
    teaching = Teaching(Shelf(tmp_path / "decks"), eyes.sight, camera.newest)  # type: ignore[arg-type]
    app = create_app(ledger, camera=camera, teaching=teaching)
    with served(app) as server:
        context = chromium.new_context(viewport={"width": 360, "height": 780}, has_touch=True)
        opened = context.new_page()
        opened.set_default_timeout(60_000)
        errors: list[str] = []
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.goto(f"{server.url}/setup/decks")
        opened.fill("#pin", app.extensions["pairing"].pin.digits)
        opened.click("button")
        opened.wait_for_url("**/setup/decks")
        yield opened
        context.close()
    for thread in threading.enumerate():
        if thread.name == "teaching":
            thread.join(60)
    assert errors == []


def sound(page: sync_api.Page) -> None:
    """No scrolling sideways, nothing too small to hit, nothing serious for axe, in the light and in the dark."""
    page.wait_for_load_state()  # sizes are those of the style sheets, once they are there
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert [one for one in page.evaluate(SMALL) if 'class="spoken"' not in one] == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert serious(page) == []


def test_three_cards_are_taught_left_come_back_to_finished_and_tried(
    phone: sync_api.Page, camera: Camera, eyes: Grey, tmp_path: Path
) -> None:
    def shoot(card: str, seed: int, onto: str) -> None:
        """Take a photo of this card with the phone; the page goes on by itself."""
        phone.set_input_files("#photo", written(tmp_path, card, eyes.picture(card, (1600, 1200), 700, -20, seed)))
        phone.wait_for_url(f"**{onto}")

    sound(phone)
    phone.get_by_label("Stù, 20 carte").check()
    phone.fill("#name", "nonna")
    phone.get_by_role("button", name="Comincia").click()
    phone.wait_for_url("**/nonna/teach")
    sound(phone)
    shoot("matto", 1, "card=leone")
    phone.set_input_files("#photo", written(tmp_path, "poor", eyes.poor))
    sync_api.expect(phone.locator("#said.bad")).to_have_text(re.compile(eyes.refused))
    shoot("leone", 2, "card=mascherone")
    phone.go_back()  # to where the teaching began, and not through every card
    phone.wait_for_url("**/setup/decks")
    phone.get_by_role("link", name=re.compile("nonna.*2 su 21")).click()
    sync_api.expect(phone.locator("#ask h2")).to_have_text("Mascherone")
    # The third one is laid before the table's camera, and taken by itself.
    camera.image = eyes.picture("mascherone", seed=3)
    phone.wait_for_url("**card=secchia")
    camera.image = eyes.cloth
    sync_api.expect(phone.get_by_role("link", name=re.compile(": presa"))).to_have_count(3)
    sync_api.expect(phone.get_by_role("link", name="Mascherone: presa")).to_be_visible()
    sound(phone)
    # The same card once more is asked about, and taken back.
    phone.set_input_files("#photo", written(tmp_path, "again", eyes.picture("leone", (1600, 1200), 640, 30, 4)))
    sync_api.expect(phone.locator(".doubt")).to_contain_text("Sembra la stessa di Leone: è giusta?")
    sound(phone)
    phone.get_by_role("button", name="No, la rifaccio").click()
    sync_api.expect(phone.locator(".doubt")).to_have_count(0)
    phone.get_by_role("button", name="Fatto").click()
    phone.wait_for_url("**/nonna/trial")
    sound(phone)
    for card, seed in (("leone", 5), ("matto", 6)):
        camera.image = eyes.picture(card, length=200, angle=70, seed=seed)
        sync_api.expect(phone.locator("#said")).to_have_text(card.capitalize())
        phone.get_by_role("button", name="Giusto").click()
        sync_api.expect(phone.locator(".tries li")).to_have_count(seed - 4)
    # What the table's camera saw before the photo may be answered after it: it says nothing any more.
    camera.image = eyes.cloth
    looks: list[sync_api.Route] = []
    with phone.expect_request("**/trial/look"):
        phone.route("**/trial/look", lambda route: looks.append(route))  # playwright takes no built-in function
    phone.set_input_files("#photo", written(tmp_path, "tried", eyes.picture("mascherone", (1280, 720), 150, 200, 7)))
    sync_api.expect(phone.locator("h2#said")).to_have_text("Mascherone")
    with phone.expect_response("**/trial/look"):
        looks[0].continue_()
    phone.unroute("**/trial/look")
    sound(phone)
    sync_api.expect(phone.locator("h2#said")).to_have_text("Mascherone")
    phone.get_by_label("Sbagliato? Era").select_option("leone")
    phone.get_by_role("button", name="Sbagliato").click()
    sync_api.expect(phone.get_by_role("button", name=re.compile("Rifai: Leone"))).to_be_visible()
    sound(phone)
    phone.get_by_role("button", name="Usa questo mazzo").click()
    phone.wait_for_url("**/setup/decks")
    sync_api.expect(phone.get_by_role("link", name=re.compile("nonna in uso"))).to_be_visible()
    assert camera.state.deck == "nonna"
    phone.get_by_role("link", name=re.compile("nonna in uso")).click()
    sound(phone)


def test_without_scripts_a_photo_is_sent_by_hand(
    chromium: sync_api.Browser, phone: sync_api.Page, eyes: Grey, tmp_path: Path
) -> None:
    context = chromium.new_context(java_script_enabled=False, storage_state=phone.context.storage_state())
    page = context.new_page()
    page.goto(phone.url)
    page.check("input[value=stu]")
    page.fill("#name", "zia")
    page.get_by_role("button", name="Comincia").click()
    page.set_input_files("#photo", written(tmp_path, "matto", eyes.picture("matto", (1600, 1200), 700)))
    page.get_by_role("button", name="Manda").click()
    page.wait_for_url("**card=leone")
    assert page.locator(".notice").first.text_content() == "Matto: presa."
    context.close()

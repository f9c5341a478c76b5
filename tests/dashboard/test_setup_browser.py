"""Setting up in Debian's Chromium, on a phone's screen: dragged, tapped, typed, and by keyboard alone."""

import math
import re
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from fake_camera import FakeCamera
from games import GNAFFATA, lines
from journey import serious
from serving import served

from companion.dashboard import create_app
from companion.ledger import Ledger
from companion.line.camera import FoundCorners

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")


pytestmark = pytest.mark.browser

TAPS = {"Anna": (640, 560), "Bruno": (1000, 400), "Carla": (620, 190)}

SMALL = """() => [...document.querySelectorAll('button, a.button, select, input:not([type=hidden]), summary, .handle, .placed')]
  .filter((e) => e.checkVisibility() && !e.closest('label')).map((e) => [e.getBoundingClientRect(), e])
  .filter(([box]) => box.height < 24 || box.width < 24).map(([, e]) => e.outerHTML)"""


@pytest.fixture
def camera(ledger: Ledger) -> FakeCamera:
    class Drawn(FakeCamera):
        def jpeg(self, width: int) -> bytes | None:
            picture = np.full((720, 1280, 3), (40, 60, 80), np.uint8)
            cv2.fillConvexPoly(picture, np.array([[330, 140], [1010, 170], [1180, 610], [120, 560]]), (60, 110, 30))
            return np.asarray(cv2.imencode(".jpg", picture)[1]).tobytes()

    return Drawn(ledger)


@pytest.fixture
def page(chromium: "sync_api.Browser", ledger: Ledger, camera: FakeCamera) -> Iterator["sync_api.Page"]:
    """A phone of 390x844 that is paired and stands at the beginning; an error in a script fails the test."""
    app = create_app(ledger, camera=camera)
    with served(app) as server:
        context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        opened = context.new_page()
        opened.set_default_timeout(60_000)
        errors: list[str] = []
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.goto(f"{server.url}/setup")
        opened.fill("#pin", app.extensions["pairing"].pin.digits)
        opened.click("button")
        yield opened
        context.close()
    assert errors == []


def sound(page: "sync_api.Page", path: str) -> None:
    """At this address: no scrolling sideways, nothing too small to hit, nothing serious for axe, in the light and in the dark."""
    page.wait_for_url(f"**{path}")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate(SMALL) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert serious(page) == []


def corners(page: "sync_api.Page") -> list[list[float]]:
    return [[float(value) for value in pair.split(",")] for pair in page.input_value("#corners").split()]


def test_an_evening_by_thumb_from_the_camera_to_the_first_hand(
    page: "sync_api.Page", camera: FakeCamera, ledger: Ledger
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


def test_names_can_be_picked_removed_and_moved(page: "sync_api.Page", camera: FakeCamera, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    page.get_by_role("button", name=re.compile("Serata nuova")).click()
    page.locator("form:has([value=stu]) button").click()
    page.get_by_role("button", name=re.compile("Webcam")).click()
    page.get_by_role("link", name="Avanti").click()
    page.get_by_role("button", name="Avanti").click()
    page.wait_for_url("**/setup/players")
    picture = page.locator("svg.picture")
    for x, y in TAPS.values():
        picture.click(position={"x": x * 358 / 1280, "y": y * 358 / 1280})
    for name in ("Carla", "Anna"):
        page.locator(f'.pick[data-name="{name}"]').click()
        sync_api.expect(page.locator(f'.pick[data-name="{name}"]')).to_be_hidden()
    assert page.locator("#names input").evaluate_all("all => all.map((one) => one.value)") == ["Carla", "Anna", ""]
    page.locator("#names button").nth(2).click()
    assert len(page.input_value("#places").split()) == 2
    page.locator(".placed").first.focus()
    before = float(page.input_value("#places").split(",")[0])
    page.keyboard.press("ArrowLeft")
    assert float(page.input_value("#places").split(",")[0]) == pytest.approx(before - 12.8, abs=0.11)


def test_names_that_were_typed_outlast_back_and_a_visit_to_another_page(page: "sync_api.Page") -> None:
    page.get_by_role("button", name=re.compile("Serata nuova")).click()
    page.locator("form:has([value=stu]) button").click()
    page.get_by_role("button", name=re.compile("Gioca senza telecamera")).click()
    names = page.locator("#names input")
    page.click("#add")
    for number, name in enumerate(TAPS):
        names.nth(number).fill(name)
    page.go_back()
    page.wait_for_url("**/setup/camera")
    page.go_forward()
    sync_api.expect(names.nth(2)).to_have_value("Carla")
    page.go_back()
    page.get_by_role("button", name=re.compile("Gioca senza telecamera")).click()
    page.wait_for_url("**/setup/players")
    sync_api.expect(names.nth(2)).to_have_value("Carla")
    page.locator("#names button").nth(1).click()
    page.get_by_role("button", name="Avanti").click()
    page.wait_for_url(re.compile("/setup/(?!players)"))
    page.go_back()
    sync_api.expect(names).to_have_count(2)
    sync_api.expect(names.nth(1)).to_have_value("Carla")


def test_back_leads_over_refused_forms_to_the_pages_as_they_are_now(page: "sync_api.Page") -> None:
    page.get_by_role("button", name=re.compile("Serata nuova")).click()
    page.locator("form:has([value=stu]) button").click()
    page.get_by_role("button", name=re.compile("Gioca senza telecamera")).click()
    refused, onward = page.get_by_role("alert"), page.get_by_role("button", name="Avanti")
    names = page.locator("#names input")
    names.first.fill("Anna")
    onward.click()
    sync_api.expect(refused).to_contain_text("posto 2")
    sync_api.expect(names.first).to_have_value("Anna")
    names.nth(1).fill("Bruno")
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


def test_no_more_places_are_offered_than_the_game_has_players(page: "sync_api.Page") -> None:
    page.get_by_role("button", name=re.compile("Serata nuova")).click()
    page.locator("form:has([value=stoppa]) button").click()
    page.get_by_role("button", name=re.compile("Gioca senza telecamera")).click()
    add, full = page.get_by_role("button", name="Aggiungi un posto"), page.get_by_text("Al massimo 6 giocatori.")
    for _ in range(4):
        sync_api.expect(full).to_be_hidden()
        add.click()
    sync_api.expect(add).to_be_hidden()
    sync_api.expect(full).to_be_visible()
    sync_api.expect(page.locator("#names input")).to_have_count(6)
    page.locator("#names button").last.click()
    sync_api.expect(add).to_be_visible()


def test_twenty_places_close_together_can_each_be_tapped(page: "sync_api.Page") -> None:
    page.get_by_role("button", name=re.compile("Serata nuova")).click()
    page.locator("form:has([value=stu]) button").click()
    page.get_by_role("button", name=re.compile("Webcam")).click()
    page.get_by_role("link", name="Avanti").click()
    page.get_by_role("button", name="Avanti").click()
    page.wait_for_url("**/setup/players")
    picture = page.locator("svg.picture")
    for number in range(20):
        turn = math.pi / 2 - 2 * math.pi * number / 20
        picture.click(position={"x": 179 + 84 * math.cos(turn), "y": 100 + 53 * math.sin(turn)})
        sync_api.expect(page.locator("#names input").nth(number)).to_be_focused()
    assert len(page.input_value("#places").split()) == 20
    assert page.evaluate(SMALL) == []


def test_the_archive_and_a_replay_are_readable(page: "sync_api.Page", ledger: Ledger) -> None:
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

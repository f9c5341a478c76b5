"""What the tests of setting up in Chromium share: where the players sit, what lies there, what every page has."""

from __future__ import annotations

import re

import pytest
from journey import serious

from companion.line.camera import CheckView, SeenCard

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

TAPS = {"Anna": (640, 560), "Bruno": (1000, 400), "Carla": (620, 190)}

SMALL = """() => [...document.querySelectorAll('button, a.button, select, input:not([type=hidden]), summary, .handle, .placed')]
  .filter((e) => e.checkVisibility() && !e.closest('label')).map((e) => [e.getBoundingClientRect(), e])
  .filter(([box]) => box.height < 24 || box.width < 24).map(([, e]) => e.outerHTML)"""


def dealt(*at: tuple[float, float]) -> CheckView:
    """Backs whose middles are there, smaller where they are farther away."""
    cards = []
    for x, y in at:
        high = 12 + y / 30
        wide = high * 0.6
        quad = ((x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high))
        cards.append(SeenCard(quad, "back", "stu", None, 2 * high, None))
    return CheckView((1280, 720), tuple(cards), 90.0, 0.0, 0.5, 9.8, ())


def new_evening(page: sync_api.Page, game: str = "stu") -> None:
    """Begin to set up an evening of this game: the page asks for the camera."""
    page.get_by_role("button", name=re.compile("Serata nuova")).click()
    page.locator(f"form:has([value={game}]) button").click()


def without_camera(page: sync_api.Page) -> None:
    """On from the camera's page to the players', without a camera."""
    page.get_by_role("button", name=re.compile("Gioca senza telecamera")).click()


def at_the_players(page: sync_api.Page) -> None:
    """An evening of Lu Stù with the webcam, set up as far as the page of the players."""
    new_evening(page)
    page.get_by_role("button", name=re.compile("Webcam")).click()
    page.get_by_role("link", name="Avanti").click()
    page.get_by_role("button", name="Avanti").click()
    page.wait_for_url("**/setup/players")


def names_typed(page: sync_api.Page) -> list[str]:
    """The names of the places, in order; "" where there is none yet."""
    found: list[str] = page.locator("#names input").evaluate_all("all => all.map((one) => one.value)")
    return found


def places_marked(page: sync_api.Page) -> list[tuple[float, float]]:
    """Where the places are marked: pixels of the picture."""
    found = [tuple(map(float, pair.split(","))) for pair in page.input_value("#places").split()]
    return [(x, y) for x, y in found]


def sound(page: sync_api.Page, path: str) -> None:
    """At this address: no scrolling sideways, nothing too small to hit, nothing serious for axe, in the light and in the dark."""
    page.wait_for_url(f"**{path}")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate(SMALL) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert serious(page) == []

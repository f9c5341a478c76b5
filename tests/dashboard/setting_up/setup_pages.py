"""What the tests of setting up in Chromium share: where the players sit, what lies there, what every page has."""

from __future__ import annotations

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


def sound(page: sync_api.Page, path: str) -> None:
    """At this address: no scrolling sideways, nothing too small to hit, nothing serious for axe, in the light and in the dark."""
    page.wait_for_url(f"**{path}")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate(SMALL) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert serious(page) == []

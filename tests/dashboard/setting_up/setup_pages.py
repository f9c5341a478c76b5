"""What the tests of setting up in Chromium share: where the players sit, and what holds on every page."""

from __future__ import annotations

import pytest
from journey import serious

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

TAPS = {"Anna": (640, 560), "Bruno": (1000, 400), "Carla": (620, 190)}

SMALL = """() => [...document.querySelectorAll('button, a.button, select, input:not([type=hidden]), summary, .handle, .placed')]
  .filter((e) => e.checkVisibility() && !e.closest('label')).map((e) => [e.getBoundingClientRect(), e])
  .filter(([box]) => box.height < 24 || box.width < 24).map(([, e]) => e.outerHTML)"""


def sound(page: sync_api.Page, path: str) -> None:
    """At this address: no scrolling sideways, nothing too small to hit, nothing serious for axe, in the light and in the dark."""
    page.wait_for_url(f"**{path}")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate(SMALL) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert serious(page) == []

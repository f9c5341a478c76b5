"""Every page but those of setting up, in both themes: axe finds nothing serious, and nothing is wider than a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from clip_evening import Bar, kept_evening, taken_up
from every_page import wrong_on_pages
from journey import PHONE, Screens, serious

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = [pytest.mark.slow, pytest.mark.browser]
THEMES = pytest.mark.parametrize("scheme", ["dark", "light"])


@pytest.fixture(scope="module")
def bar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bar]:
    """An evening that can be gone on with."""
    with taken_up(kept_evening(tmp_path_factory.mktemp("evening") / "whole.ledger")) as bar:
        yield bar


@THEMES
def test_axe_finds_nothing_serious_on_any_page(bar: Bar, screens: Screens, scheme: Any) -> None:
    assert wrong_on_pages(screens, bar, scheme, lambda path: not path.startswith("/setup")) == {}


@THEMES
def test_axe_finds_nothing_serious_where_a_phone_is_paired(bar: Bar, screens: Screens, scheme: Any) -> None:
    page = screens.open(PHONE, f"{bar.url}/pair", color_scheme=scheme)
    assert serious(page) == []
    page.fill("#pin", "000000" if bar.pin != "000000" else "000001")
    page.locator("main form button").click()
    sync_api.expect(page.locator(".problem")).to_be_visible()
    assert serious(page) == []

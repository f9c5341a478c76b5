"""Every page but those of setting up, in both themes: axe finds nothing serious, and nothing is wider than a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from clip_evening import Bar, taken_up
from every_page import SCHEMES, wrong_on_pages
from journey import PHONE, Screens, copied, serious

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def bar(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bar]:
    """An evening that can be gone on with."""
    with taken_up(copied(whole, tmp_path_factory.mktemp("evening"))) as bar:
        yield bar


def test_axe_finds_nothing_serious_on_any_page(bar: Bar, screens: Screens) -> None:
    assert wrong_on_pages(screens, bar, lambda path: not path.startswith("/setup")) == {}


@pytest.mark.pages
def test_axe_finds_nothing_serious_where_a_phone_is_paired(bar: Bar, screens: Screens) -> None:
    page = screens.open(PHONE, f"{bar.url}/pair")
    for pin in (None, "000000" if bar.pin != "000000" else "000001"):
        if pin is not None:
            page.fill("#pin", pin)
            page.locator("main form button").click()
            sync_api.expect(page.locator(".problem")).to_be_visible()
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            assert serious(page) == []

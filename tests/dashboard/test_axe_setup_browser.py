"""Every page of setting up, in both themes: axe finds nothing serious, and nothing is wider than a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from clip_evening import Bar, taken_up
from every_page import wrong_on_pages
from journey import Screens, copied

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def bar(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bar]:
    """An evening that can be gone on with."""
    with taken_up(copied(whole, tmp_path_factory.mktemp("evening"))) as bar:
        yield bar


def test_axe_finds_nothing_serious_while_an_evening_is_set_up(bar: Bar, screens: Screens) -> None:
    assert wrong_on_pages(screens, bar, lambda path: path.startswith("/setup")) == {}

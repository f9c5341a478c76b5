"""Every page there is, in both themes: axe finds nothing serious, and nothing is wider than the screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clip_evening import Bar, kept_evening, taken_up
from journey import PHONE, Screens, copied, serious
from recorded_looks import trained

from companion.dashboard import create_app
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.station import Station

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ledger once the clip was followed to its end."""
    return kept_evening(tmp_path_factory.mktemp("evening") / "whole.ledger")


@pytest.fixture(scope="module")
def archive(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bar]:
    """The same, for those that change nothing of the game."""
    with taken_up(copied(whole, tmp_path_factory.mktemp("archive"))) as bar:
        yield bar


NO_PAGE = (".jpg", ".png", ".svg", ".json", ".csv", "/log", "tv.css", "/healthz", "/metrics")
"""How addresses end that no browser shows as a page."""


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious_on_any_page(archive: Bar, screens: Screens, scheme: Any) -> None:
    page = screens.open(PHONE, f"{archive.url}/pair", color_scheme=scheme)
    found = {page.url: [serious(page), page.evaluate("document.documentElement.scrollWidth > innerWidth")]}
    page.fill("#pin", "000000" if archive.pin != "000000" else "000001")
    page.locator("main form button").click()
    sync_api.expect(page.locator(".problem")).to_be_visible()
    assert serious(page) == []
    page.fill("#pin", archive.pin)
    page.locator("main form button").click()
    page.wait_for_url("**/organiser")
    page.goto(f"{archive.url}/setup")
    page.locator("form[action='/setup/new'] button").first.click()  # the steps are only there while an evening is prepared
    page.locator("form:has([value=stu]) button").click()
    page.wait_for_url("**/setup/camera")
    app = create_app(Ledger.in_memory(log_format), camera=Station(Ledger.in_memory(log_format), trained))
    public = [rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and "/api/" not in rule.rule]
    for path in sorted(public):
        path = path.replace("<int:game>", "1").replace("<path:filename>", "tv.css")
        if path.endswith(NO_PAGE) or "<name>" in path or "stream" in path:
            continue
        page.goto(archive.url + path)
        found[page.url] = [serious(page), page.evaluate("document.documentElement.scrollWidth > innerWidth")]
    assert {path: wrong for path, wrong in found.items() if wrong != [[], False]} == {}
    assert len(found) > 15

"""The ruling at four metres: whatever is ruled, on whatever screen, nothing covers a seat and no text is cut."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from serving import served
from views import CONTRAST, SMALLEST, TROUBLE, evening, plain, ruled

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser

PLAYERS = (2, 3, 4, 6, 8, 10, 13, 16, 20)
SCREENS = ((1920, 1080), (1280, 720), (3840, 2160), (1024, 768), (960, 540))
IN_THE_HAND = ((844, 390), (640, 360), (390, 844), (360, 640))
"""Phones lying and upright, and a TV of 1280x720 enlarged to 200 %: a column that scrolls."""


@pytest.fixture
def server(ledger: Ledger) -> Iterator[Server]:
    with served(create_app(ledger, settings=Settings(patience=600, heartbeat=300))) as running:
        yield running


@pytest.fixture
def page(chromium: sync_api.Browser, server: Server) -> Iterator[sync_api.Page]:
    """A TV that shows what a test draws on it: there is no game in the ledger."""
    context = chromium.new_context(reduced_motion="reduce")
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto(server.url)
    sync_api.expect(opened.locator(".message")).to_be_visible()
    yield opened
    context.close()
    assert errors == []


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("screen", [*SCREENS, *IN_THE_HAND], ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_covers_a_seat_and_no_text_is_cut(page: sync_api.Page, screen: tuple[int, int], players: int) -> None:
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    for payments in range(1, 9):
        for sure in (True, False):
            page.evaluate("view => draw(view)", plain(ruled(players, payments, sure=sure)))
            where = f"{payments} payments, {'sure' if sure else 'not sure'}"
            assert (where, page.evaluate(TROUBLE, screen in IN_THE_HAND)) == (where, [])

"""Every text of the TV's pages stands out from what lies behind it, in both themes; axe finds nothing serious."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from journey import serious
from msgspec.structs import replace
from serving import served
from views import CONTRAST, evening, plain, ruled

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import Settings as Evening
from companion.games.stu.bots.settings import seated
from companion.ledger import Ledger
from companion.pages.view import AnnouncementView, ShareView
from companion.table.money import Sum

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = [pytest.mark.browser, pytest.mark.pages]


@pytest.fixture
def server(ledger: Ledger) -> Iterator[Server]:
    with served(create_app(ledger, settings=Settings(patience=600, heartbeat=300, moment=60))) as running:
        yield running


THEMES = pytest.mark.parametrize("theme", ["dark", "light"])


@THEMES
def test_every_text_stands_out_from_what_lies_behind_it(page: sync_api.Page, server: Server, theme: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server.url}/?theme={theme}")
    sync_api.expect(page.locator("#idle")).to_be_visible()
    assert page.evaluate(CONTRAST) == []
    middle = evening(10)
    first, second, third, fourth, *others = middle.seats
    out = replace(fourth, in_play=False, in_hand=False, card=None)
    seats = (replace(first, role="decides"), replace(second, role="asks"), replace(third, role="asked"), out, *others)
    for view in (
        ruled(10, 3), ruled(10, 3, sure=False), ruled(10, 7), replace(ruled(10, 0), missed="8 secondi non visti"),
        replace(middle, ruling=None, seats=seats, status="hand_in_progress", missed="8 secondi non visti"),
        replace(ruled(10, 2), status="won", winner="Filomena", settlement=(ShareView("Filomena", Sum(100, "€1.00")),)),
        replace(ruled(10, 2, sure=False), status="won", winner="Filomena"),
    ):  # fmt: skip
        page.evaluate("view => { chances = { Anna: 0.5 }; draw(view); }", plain(view))
        assert page.evaluate(CONTRAST) == []
    page.evaluate("view => draw(view)", {**plain(ruled(10, 1)), "revision": 1, "corrected": ["Filomena −1 → −2"]})
    sync_api.expect(page.locator(".corrected")).to_be_visible()
    assert page.evaluate(CONTRAST) == []
    for kind in ("out", "back", "restart", "won"):
        page.evaluate("kind => { $('moment').dataset.kind = $('moment').textContent = kind; $('moment').hidden = false; }", kind)
        assert page.evaluate(CONTRAST) == []


@THEMES
@pytest.mark.parametrize("path", ["/charts", "/overlay"])
def test_so_does_every_text_of_the_other_pages(
    page: sync_api.Page, server: Server, ledger: Ledger, path: str, theme: str
) -> None:
    ledger.record(ledger.new_game(), simulate(Evening(players=seated(8)), hands=3, seed=8))
    page.goto(f"{server.url}{path}?theme={theme}")
    sync_api.expect(page.locator("#charts .across" if path == "/charts" else ".ruling")).to_be_visible()
    assert page.evaluate(CONTRAST) == []
    if path == "/overlay":
        page.evaluate("view => draw(view)", plain(ruled(8, 3, sure=False)))
        assert page.evaluate(CONTRAST) == []


@pytest.mark.parametrize("state", ["unsure", "moment", "idle"])
@THEMES
def test_axe_finds_nothing_serious_in_what_is_seldom_seen(page: sync_api.Page, server: Server, state: str, theme: str) -> None:
    pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")
    page.goto(f"{server.url}/?theme={theme}")
    sync_api.expect(page.locator("#idle")).to_be_visible()
    if state != "idle":
        page.evaluate("view => draw(view)", plain(ruled(8, 4, sure=False)))
    if state == "moment":
        view = ruled(8, 4, sure=False)
        out = AnnouncementView("out", "Va «su saupr»", (view.seats[-1].name,))
        page.evaluate("view => draw(view)", plain(replace(view, announced=(out,))))
        sync_api.expect(page.locator("#moment")).to_be_visible()
    assert serious(page) == []

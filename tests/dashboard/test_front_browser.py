"""TV and phone where the stream has no place for them: they ask instead, say nothing of it, and come back to it."""

from __future__ import annotations

import pytest
from crowd import Visitor
from games import GNAFFATA, lines
from journey import PHONE, TV, Screens
from serving import served, until

from companion.dashboard import Settings, create_app
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser


def test_a_tv_without_a_place_follows_all_the_same_and_finds_one_later(screens: Screens, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA[:4]))
    with served(create_app(ledger, settings=Settings(listeners=1, reserved=0))) as server, Visitor(server, 1) as before:
        assert before.follow() == 200
        # Through a proxy, or it would be this machine's own, which takes another's place.
        page = screens.open(TV, server.url, extra_http_headers={"X-Forwarded-For": "192.0.2.7"})
        sync_api.expect(page.locator(".seat")).to_have_count(3)
        ledger.record(game, lines(*GNAFFATA))
        sync_api.expect(page.locator(".ruling .payer").first).to_have_text("Anna")
        sync_api.expect(page.locator("#lost")).to_be_hidden()
        assert page.evaluate("stream.readyState") == 2
        before.close()
        until(lambda: page.evaluate("stream.readyState") == 1)


@pytest.mark.pages
def test_a_phone_that_is_refused_the_stream_asks_instead(screens: Screens, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA[:4]))
    app = create_app(ledger)
    with served(app) as server:
        page = screens.open(PHONE, f"{server.url}/pair#{app.extensions['pairing'].pin.code}")
        sync_api.expect(page.locator("#pin")).to_be_hidden()
        page.route("**/api/organiser/stream*", lambda route: route.fulfill(status=503, body="no place"))
        page.locator("main form button").tap()
        sync_api.expect(page.locator("#players li")).to_have_count(3)
        sync_api.expect(page.locator("#lost")).to_be_hidden()
        page.unroute("**/api/organiser/stream*")
        with page.expect_response("**/api/organiser/stream*", timeout=60_000) as answer:
            pass
        assert answer.value.status == 200

"""The end of an evening in Chromium: the last ruling, the accounts, the rematch, an old evening taken up again."""

from __future__ import annotations

import json
import re

import pytest
from bar_life import CUT_OFF, Bar
from games import GNAFFATA, lines
from journey import TV, Screens, serious
from test_evenings_life import TOLD, WON, recorded, table_of
from views import mostly

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser


def test_at_the_end_the_accounts_stand_and_the_rematch_is_one_tap(bar: Bar, screens: Screens) -> None:
    over = recorded(bar.ledger, WON, table=table_of(WON), camera="0")
    tv, page = screens.open(TV, bar.url), screens.paired(bar.url, bar.pin)
    for screen in (tv, page):
        rows = screen.locator("#settlement tbody tr")
        sync_api.expect(rows).to_have_count(3)
        sync_api.expect(rows.first).to_contain_text("Bruno")
        sync_api.expect(rows.first).to_contain_text("+4,00 €")
        assert serious(screen) == []
    sync_api.expect(tv.locator("#table")).to_be_hidden()
    button = page.get_by_role("button", name="Rivincita")
    button.tap()
    page.wait_for_url("**/organiser")
    sync_api.expect(page.locator("#status")).to_contain_text("mano", ignore_case=True)
    sync_api.expect(page.locator("#settlement")).to_be_hidden()
    sync_api.expect(tv.locator("#settlement")).to_be_hidden()
    sync_api.expect(tv.locator(".seat .plate").first).to_be_in_viewport()
    assert [game.id for game in bar.ledger.games()] == [2, over]
    assert bar.camera.begun is not None
    assert bar.camera.begun[1] is not None


def test_the_last_ruling_stands_before_the_accounts_do(bar: Bar, screens: Screens) -> None:
    recorded(bar.ledger, WON[:-1])
    tv = screens.open(TV, "about:blank")
    tv.clock.install()
    tv.goto(bar.url)
    sync_api.expect(tv.locator(".seat")).to_have_count(3)
    bar.ledger.record(1, lines(*WON))
    sync_api.expect(tv.locator("#middle .won")).to_be_visible()
    sync_api.expect(tv.locator("#settlement")).to_be_hidden()
    tv.clock.run_for(13_000)
    sync_api.expect(tv.locator("#settlement")).to_be_visible()
    sync_api.expect(tv.locator("#middle")).to_be_hidden()
    tv.keyboard.press("m")  # the moviola has the table back
    sync_api.expect(tv.locator("#table")).to_be_visible()
    tv.keyboard.press("Escape")
    sync_api.expect(tv.locator("#settlement")).to_be_visible()


@pytest.mark.pages
@pytest.mark.parametrize("players", mostly([2, 10, 20, 39], [2, 20]))
def test_the_accounts_of_a_whole_bar_are_on_the_screen(bar: Bar, screens: Screens, players: int) -> None:
    names = [f"Giocatore {number}" for number in range(1, players + 1)]
    standing = {name: {"pedine": max(0, 2 - at), "virgin": False} for at, name in enumerate(names)}
    game = json.loads(GNAFFATA[0]) | {"players": names, "dealer": names[0], "standing": standing}
    shown = ({"e": "reveal", "by": names[0], "card": "9"}, {"e": "reveal", "by": names[1], "card": "1"})
    recorded(bar.ledger, tuple(json.dumps(event) for event in (game, {"e": "hand"}, *shown, {"e": "end"})))
    for size in ({"width": 1280, "height": 720}, {"width": 1920, "height": 1080}):
        tv = screens.open({"viewport": size}, bar.url)
        sync_api.expect(tv.locator("#settlement tbody tr")).to_have_count(players)
        assert tv.evaluate(CUT_OFF) == []


@pytest.mark.pages
def test_an_old_evening_is_taken_up_again(bar: Bar, screens: Screens) -> None:
    old = recorded(bar.ledger, TOLD, table=table_of(TOLD), camera="0")
    recorded(bar.ledger, GNAFFATA)
    page = screens.paired(bar.url, bar.pin, "/setup")
    page.get_by_role("link", name=re.compile("Serate passate")).tap()
    page.get_by_role("button", name="Riprendi").nth(1).tap()
    page.wait_for_url("**/setup/ready")
    page.get_by_role("link", name="Cambia: Telecamera").tap()
    page.get_by_role("button", name=re.compile("Webcam")).tap()
    page.get_by_role("link", name="Avanti").wait_for()
    page.goto(f"{bar.url}/setup/ready")
    sync_api.expect(page.locator(".placed")).to_have_count(3)  # where everybody sat, over what the camera sees
    assert serious(page) == []
    page.get_by_role("button", name="Riprendi").tap()
    page.get_by_role("button", name=re.compile("Lasciala: riprendi")).tap()
    page.wait_for_url("**/organiser")
    assert bar.ledger.newest() == old
    assert bar.camera.gone_on is not None
    assert bar.camera.gone_on[1] is not None
    sync_api.expect(page.locator("#players")).to_contain_text("Anna")

"""In mid-evening, on the organiser's phone in Debian's Chromium: a break, people who come and go, a wrong name.
Taps are counted against docs/evening.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fake_camera import FakeCamera
from flask import Flask
from journey import TV, Screens, serious, turned, until
from organiser_thumb import MID_EVENING_TAPS, Thumb, done, played
from phones import Phone
from serving import served

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games import read_lines
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser


def test_a_break_is_on_the_tv_until_one_tap_ends_it(thumb: Thumb, screens: Screens, server: Server, app: Flask) -> None:
    tv = screens.open(TV, server.url)
    since, acts = tv.locator("#middle .title"), thumb.page.locator("#next button")
    played(thumb, "7", "3", "2")
    sync_api.expect(tv.locator(".ruling .payer")).to_have_text("Carla")
    thumb.tap("#more [data-key=pause]")
    sync_api.expect(acts).to_have_text(["Si riprende"])
    assert thumb.counted() == MID_EVENING_TAPS["a break begins"]
    paused = app.extensions["dashboard"].shows.now.paused
    assert paused is not None
    sync_api.expect(since).to_have_text(f"Pausa, dalle {paused[11:16]}")
    sync_api.expect(tv.locator("#middle .standing")).to_be_visible()
    sync_api.expect(tv.locator("#middle .message")).to_have_count(0)
    assert since.evaluate("e => parseFloat(getComputedStyle(e).fontSize) * 1080 / innerHeight") >= 40
    late = screens.open(TV, f"{server.url}/?theme=light")  # a TV that is switched on in the break
    sync_api.expect(late.locator("#middle .title")).to_have_text(f"Pausa, dalle {paused[11:16]}")
    sync_api.expect(thumb.page.locator("#status")).to_have_text(f"Pausa, dalle {paused[11:16]}")
    assert serious(thumb.page) == serious(tv) == serious(late) == []
    thumb.tap("#next .big", "Si riprende")
    done(thumb)
    sync_api.expect(acts.first).to_contain_text("Nuova mano")
    assert thumb.counted() == MID_EVENING_TAPS["a break is over"]
    sync_api.expect(since).to_have_count(0)


def test_a_break_in_mid_hand_says_so_and_lets_the_hand_stand(thumb: Thumb, screens: Screens, server: Server, app: Flask) -> None:
    tv = screens.open(TV, server.url)
    told = Phone(app)
    told.tap(told.view["next"]["offers"][0]["label"])
    thumb.tap("#more [data-key=pause]")
    sync_api.expect(tv.locator("#middle .title")).to_contain_text("Pausa")
    sync_api.expect(tv.locator("#middle .standing")).to_have_count(0)
    until(tv, "shown.status === 'hand_in_progress'")
    thumb.tap("#next .big", "Si riprende")
    sync_api.expect(tv.locator("#middle .title")).to_have_count(0)
    sync_api.expect(tv.locator("#middle .message")).to_be_visible()


STOPER = (
    b'{"e":"game","v":1,"game":"stoper","players":["Anna","Bruno","Carla","%s","Fabio"],"mode":"cash","stacks":5000,"currency":"EUR",'
    b'"dealer":"Anna"}\n{"e":"hand","cip":50,"invito":50}\n{"e":"apro","by":"Bruno","to":200}\n{"e":"passo","by":"Carla"}\n'
    b'{"e":"passo","by":"%s"}\n{"e":"passo","by":"Fabio"}\n{"e":"passo","by":"Anna"}\n'
)
"""A hand of Stoper for cash, with somebody as the fourth."""


@pytest.fixture
def cash(ledger: Ledger) -> Flask:
    """A game of Stoper with Dino is on, between two hands; Elsa has played another time."""
    for fourth in (b"Elsa", b"Dino"):
        ledger.record(ledger.new_game(), read_lines(STOPER % (fourth, fourth)))
    return create_app(ledger, settings=Settings(heartbeat=0.5, patience=60), camera=FakeCamera(ledger))


@pytest.fixture
def home(screens: Screens, cash: Flask) -> Iterator[Thumb]:
    with served(cash) as server:
        counting = "window.clicks = 0; addEventListener('click', () => { clicks += 1; }, true);"
        page = screens.paired(server.url, cash.extensions["pairing"].pin.digits, script=counting)
        sync_api.expect(page.locator("#status")).not_to_be_empty()
        yield Thumb(page)


def leads(thumb: Thumb, where: str, to: str) -> None:
    """A tap on what leads to another page, or to the same one again."""
    thumb.taps += 1 + turned(thumb.page, where)
    with thumb.page.expect_navigation(url=re.compile(rf"{to}(\?|$)")):
        thumb.page.locator(where).locator("visible=true").first.tap()


def test_somebody_comes_and_is_taken_back_and_somebody_goes(screens: Screens, home: Thumb, ledger: Ledger) -> None:
    page, game = home.page, ledger.newest()
    tv = screens.open(TV, page.url.removesuffix("/organiser"))
    names = page.locator("#names input")
    leads(home, "#people button", "/setup/players")
    sync_api.expect(names).to_have_count(5)
    assert serious(page) == []
    home.tap(".pick", "Elsa")
    sync_api.expect(names.last).to_have_value("Elsa")
    leads(home, "button.primary", "/organiser")
    sync_api.expect(tv.locator(".seat")).to_have_count(6)
    assert home.counted() == MID_EVENING_TAPS["somebody comes"]
    sync_api.expect(tv.locator("#happened")).to_contain_text("Elsa si siede al tavolo")
    assert ledger.newest() != game
    leads(home, "#back button", "/organiser")
    sync_api.expect(tv.locator(".seat")).to_have_count(5)
    assert ledger.newest() == game
    home.counted()
    leads(home, "#people button", "/setup/players")
    home.tap("#names li:last-child button:last-child")
    sync_api.expect(names).to_have_count(4)
    leads(home, "button.primary", "/organiser")
    sync_api.expect(tv.locator("#happened")).to_contain_text("Fabio va via")
    assert home.counted() == MID_EVENING_TAPS["somebody goes"]
    sync_api.expect(tv.locator(".seat")).to_have_count(4)


def test_a_name_is_put_right_in_the_game_that_is_on(screens: Screens, home: Thumb) -> None:
    page = home.page
    tv = screens.open(TV, page.url.removesuffix("/organiser"))
    leads(home, "#people a", "/setup/rename")
    page.get_by_label("Dino").fill("Berardino")
    leads(home, "button.primary", "/organiser")
    sync_api.expect(tv.locator(".seat", has_text="Berardino")).to_have_count(1)
    assert home.counted() == MID_EVENING_TAPS["a name is wrong"]
